//! Making a schema that providers take: SPEC's chapter *Names*.

use foldhash::{HashMap, HashSet};
use indexmap::map::Entry;

use crate::json::{Object, Value};
use crate::names::{name_lists, names_by_place};
use crate::places::Places;
use crate::pointer::{Reference, read_reference, step, write_reference};
use crate::policy::{Choice, Policies, Policy};

/// Makes a schema whose property names every provider takes, and that says the same otherwise.
///
/// Illegal names are replaced, `required` and its kin follow, `definitions` becomes `$defs`, and every local reference that led somewhere leads to what became of it.
/// Literal data stays. A [`Coercer::restoring`](crate::Coercer::restoring) of the *original* schema maps the names back.
///
/// ```
/// use callfit_reference::{Policies, json::parse, sanitize};
///
/// let schema = parse(r#"{"properties": {"first name": {}}, "required": ["first name"]}"#).unwrap();
/// assert_eq!(
///     sanitize(&schema, &Policies::default()),
///     parse(r#"{"properties": {"first_name": {}}, "required": ["first_name"]}"#).unwrap(),
/// );
/// ```
pub fn sanitize(schema: &Value, policies: &Policies) -> Value {
    let places = Places::of(schema, policies);
    let mut changes = Changes::default();
    changes.rename_properties(&places);
    for found in &places.schemas {
        changes.rename_definitions(found.keywords);
    }
    changes.respell_references(schema, &places, policies);
    changes.apply(schema)
}

/// What is to change, by the address of where it stands.
#[derive(Default)]
struct Changes {
    /// New keys for members of an object.
    keys: HashMap<*const Object, HashMap<String, String>>,
    /// New texts.
    texts: HashMap<*const Value, String>,
}

impl Changes {
    fn rename_properties(&mut self, places: &Places<'_>) {
        let by_place = names_by_place(places);
        for (id, schema) in places.schemas.iter().enumerate() {
            let Some(names) = by_place.get(&places.place(id)) else {
                continue;
            };
            for keyword in ["properties", "dependentRequired", "dependentSchemas", "dependencies"] {
                if let Some(Value::Object(map)) = schema.keywords.get(keyword) {
                    for (original, new) in map.keys().filter_map(|key| names.get_key_value(key)) {
                        self.keys.entry(map).or_default().insert(original.clone(), new.clone());
                    }
                }
            }
            for (name, value) in name_lists(schema.keywords) {
                if let (Some(new), Some(value)) = (name.and_then(|name| names.get(name)), value) {
                    self.texts.insert(value, new.clone());
                }
            }
        }
    }

    /// `definitions` becomes `$defs`; where both stand, they are united (clause `names-definitions`).
    fn rename_definitions(&mut self, schema: &Object) {
        let Some(Value::Object(definitions)) = schema.get("definitions") else {
            return;
        };
        match schema.get("$defs") {
            None => {}
            Some(Value::Object(defs)) => {
                let mut taken: HashSet<String> =
                    defs.keys().chain(definitions.keys()).cloned().collect();
                for name in definitions.keys().filter(|name| defs.contains_key(name.as_str())) {
                    let mut number = 2;
                    while !taken.insert(format!("{name}_{number}")) {
                        number += 1;
                    }
                    self.keys
                        .entry(definitions)
                        .or_default()
                        .insert(name.clone(), format!("{name}_{number}"));
                }
            }
            Some(_) => return,
        }
        self.keys.entry(schema).or_default().insert("definitions".to_owned(), "$defs".to_owned());
    }

    /// Spells references anew that pass through something that has another name now.
    fn respell_references(&mut self, root: &Value, places: &Places<'_>, policies: &Policies) {
        if self.keys.is_empty() {
            return;
        }
        // Many references say the same.
        let mut respelled: HashMap<&str, Option<String>> = HashMap::default();
        for found in &places.schemas {
            let Some(value @ Value::String(reference)) = found.keywords.get("$ref") else {
                continue;
            };
            let new = respelled
                .entry(reference)
                .or_insert_with(|| self.respelled(root, reference, policies));
            if let Some(new) = new {
                self.texts.insert(value, new.clone());
            }
        }
    }

    /// The new spelling of a reference, if it needs one.
    fn respelled(&self, root: &Value, reference: &str, policies: &Policies) -> Option<String> {
        let keep_malformed = policies.is(Policy::MalformedPercent, Choice::Literal);
        let Reference::Pointer(tokens) = read_reference(reference, keep_malformed) else {
            return None;
        };
        let mut here = root;
        let mut changed = false;
        let mut new_tokens = Vec::with_capacity(tokens.len());
        for token in &tokens {
            let keys =
                here.as_object().and_then(|members| self.keys.get(&std::ptr::from_ref(members)));
            let new = keys.and_then(|keys| keys.get(token));
            changed |= new.is_some();
            new_tokens.push(new.unwrap_or(token).as_str());
            here = step(here, token)?;
        }
        changed.then(|| write_reference(new_tokens))
    }

    /// Copies the document with the changes made, container by container.
    fn apply(&self, root: &Value) -> Value {
        enum Open<'a> {
            Array(std::slice::Iter<'a, Value>, Vec<Value>),
            Object(
                indexmap::map::Iter<'a, String, Value>,
                Object,
                Option<&'a HashMap<String, String>>,
                String,
            ),
        }
        let mut open: Vec<Open<'_>> = Vec::new();
        let mut here = root;
        loop {
            let mut done = match here {
                Value::Array(elements) => {
                    open.push(Open::Array(elements.iter(), Vec::with_capacity(elements.len())));
                    None
                }
                Value::Object(members) => {
                    let keys = self.keys.get(&std::ptr::from_ref(members));
                    let copy = Object::with_capacity(members.len());
                    open.push(Open::Object(members.iter(), copy, keys, String::new()));
                    None
                }
                scalar => match self.texts.get(&std::ptr::from_ref(scalar)) {
                    Some(text) => Some(text.as_str().into()),
                    None => Some(scalar.clone()),
                },
            };
            here = loop {
                match (open.last_mut(), done.take()) {
                    (None, value) => return value.unwrap_or_default(),
                    (Some(Open::Array(_, elements)), Some(value)) => elements.push(value),
                    (Some(Open::Object(_, members, _, key)), Some(value)) => {
                        insert_or_unite(members, std::mem::take(key), value);
                    }
                    (Some(_), None) => {}
                }
                match open.last_mut() {
                    Some(Open::Array(ahead, _)) => {
                        if let Some(next) = ahead.next() {
                            break next;
                        }
                    }
                    Some(Open::Object(ahead, _, keys, key)) => {
                        if let Some((name, next)) = ahead.next() {
                            keys.and_then(|keys| keys.get(name)).unwrap_or(name).clone_into(key);
                            break next;
                        }
                    }
                    None => {}
                }
                done = open.pop().map(|container| match container {
                    Open::Array(_, elements) => elements.into(),
                    Open::Object(_, members, ..) => members.into(),
                });
            };
        }
    }
}

/// Puts a member into an object; a second map under one key (`definitions` beside `$defs`) joins the first.
fn insert_or_unite(members: &mut Object, key: String, value: Value) {
    match members.entry(key) {
        Entry::Vacant(entry) => {
            entry.insert(value);
        }
        Entry::Occupied(mut entry) => {
            if let (Value::Object(first), Value::Object(second)) = (entry.get_mut(), value) {
                first.extend(second.into_map());
            }
        }
    }
}
