use callfit::Reference;
use callfit::case::*;
use callfit::implementation::*;
use callfit_reference::Profile;
use std::time::*;
fn main() {
    let c = Corpus::embedded().map_err(|e| eprintln!("{}", e.render(false))).unwrap();
    let r = Reference::new(Profile::Recommended);
    let only = std::env::args().nth(1);
    for case in &c.cases {
        if let Some(o) = &only {
            if !case.id.contains(o.as_str()) {
                continue;
            }
        }
        let s = case.schema.text();
        let sub = case.subject.as_ref().map(|t| t.text().into_owned());
        if case.schema.is_recipe() {
            eprintln!("> {} {} bytes", case.id, s.len());
        }
        let b = Instant::now();
        match case.area {
            Area::Resolve => {
                r.resolve(&s, &sub.unwrap()).ok();
            }
            Area::Sanitize => {
                r.sanitize(&s).ok();
            }
            _ => {
                r.coerce(&s, &sub.unwrap()).ok();
            }
        }
        let e = b.elapsed();
        if e > Duration::from_millis(30) {
            println!("{} {:?}", case.id, e);
        }
    }
}
