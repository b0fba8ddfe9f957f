//! Where a fuzzing engine begins: inputs made of the corpus, and a dictionary of words that matter.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use callfit_reference::json::{Value, parse};

use super::problem::Problem;
use super::tree::{self, Step};
use crate::case::{Area, Case, Corpus, Text};
use crate::implementation::Method;

/// Larger inputs slow an engine down and teach it nothing.
const MOST: usize = 4 << 10;

/// Keywords, and literals that readers of schemas and of arguments trip over.
const WORDS: [&str; 66] = [
    "\"$ref\"",
    "\"$defs\"",
    "\"definitions\"",
    "\"$id\"",
    "\"$anchor\"",
    "\"properties\"",
    "\"patternProperties\"",
    "\"additionalProperties\"",
    "\"required\"",
    "\"items\"",
    "\"prefixItems\"",
    "\"anyOf\"",
    "\"oneOf\"",
    "\"allOf\"",
    "\"not\"",
    "\"if\"",
    "\"then\"",
    "\"else\"",
    "\"enum\"",
    "\"const\"",
    "\"default\"",
    "\"nullable\"",
    "\"type\"",
    "\"integer\"",
    "\"number\"",
    "\"string\"",
    "\"boolean\"",
    "\"null\"",
    "\"object\"",
    "\"array\"",
    "\"#\"",
    "\"#/\"",
    "\"#/$defs/A\"",
    "\"#/properties/a/anyOf/0\"",
    "~0",
    "~1",
    "~2",
    "%2F",
    "%7E1",
    "%25",
    "%",
    "/",
    "\"5\"",
    "\"5.0\"",
    "\"007\"",
    "\"1e3\"",
    "\"1e400\"",
    "\"true\"",
    "\"True\"",
    "\"None\"",
    "\"[]\"",
    "\"{}\"",
    "\"[1,2]\"",
    "\"{\\\"a\\\":1}\"",
    "\"\"",
    "\" \"",
    "9007199254740993",
    "1e400",
    "-0",
    "0.1",
    "\"__proto__\"",
    "\"a b\"",
    "\"arguments\"",
    "\"schema\"",
    "\"jsonrpc\"",
    "\"result\"",
];

/// Writes the inputs of every target below a folder, one folder a target, and the dictionary beside them. Says how many there are for each.
pub fn write_seeds(corpus: &Corpus, folder: &Path) -> io::Result<BTreeMap<&'static str, usize>> {
    let mut counts = BTreeMap::new();
    let mut put = |target: &'static str, name: &str, text: &str| -> io::Result<()> {
        if text.len() > MOST {
            return Ok(());
        }
        let folder = folder.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), text)?;
        *counts.entry(target).or_default() += 1;
        Ok(())
    };
    for case in &corpus.cases {
        let name = case.id.replace('/', "-");
        put("case_file", &name, &format!("{{\"about\":\"seed\",\"cases\":[{}]}}", case.raw))?;
        let Some(problem) = problem(case) else { continue };
        let text = problem.to_string();
        match problem.method {
            Method::Coerce => {
                for target in ["coerce", "differential", "parse"] {
                    put(target, &name, &text)?;
                }
            }
            Method::Resolve => put("resolve", &name, &text)?,
            Method::Sanitize => put("sanitize", &name, &text)?,
        }
        let id = name.len();
        let key = problem.method.answer_key();
        put(
            "wire",
            &name,
            &format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"{key}\":{}}}}}",
                problem.subject
            ),
        )?;
        for path in tree::paths(&problem.schema) {
            if path.last() == Some(&Step::Key("$ref".to_owned()))
                && let Some(Value::String(reference)) = tree::at(&problem.schema, &path)
            {
                put("pointer", &name, reference)?;
            }
        }
    }
    for (at, line) in LINES.iter().enumerate() {
        put("wire", &format!("line-{at}"), line)?;
    }
    let words = WORDS.map(|word| word.replace('\\', "\\\\").replace('"', "\\\""));
    let dictionary = words.map(|word| format!("\"{word}\"\n")).concat();
    fs::write(folder.join("callfit.dict"), dictionary)?;
    Ok(counts)
}

/// What plug-ins write beside answers.
const LINES: [&str; 6] = [
    r#"{"jsonrpc":"2.0","id":0,"result":{"protocol":1,"implementation":{"name":"x","version":"1"},"methods":["coerce","resolve","sanitize"],"features":["restore-keys"]}}"#,
    r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"count: expected an integer"}}"#,
    r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no method"}}"#,
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":""}}"#,
    r#"{"jsonrpc":"2.0","id":1e0,"result":{"arguments":{"a":NaN}}}"#,
    "Loading model...\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
];

fn problem(case: &Case) -> Option<Problem> {
    let plain = |text: &Text| match text {
        Text::Plain(text) => parse(text).ok(),
        Text::Recipe(_) => None,
    };
    let subject = case.subject.as_ref();
    Some(Problem {
        method: match case.area {
            Area::Resolve => Method::Resolve,
            Area::Sanitize => Method::Sanitize,
            Area::Coerce | Area::Restore => Method::Coerce,
        },
        schema: plain(&case.schema)?,
        subject: subject.map_or(Some(Value::Null), plain)?,
    })
}
