//! Problems that are deep or wide: what takes a stack, or a walk of every path, to its end. Each is bounded, and they are few.

use callfit_reference::json::{Object, Value, parse};

use super::{Dice, object};

/// A schema and arguments that go many levels down.
pub(super) fn deep(dice: &mut Dice<'_, '_>) -> (Value, Value) {
    match dice.below(4) {
        0 => {
            let schema = read(
                r##"{"type":"object","properties":{"n":{"type":"integer"},"child":{"$ref":"#"}}}"##,
            );
            let levels = 17 + dice.below(48);
            (schema, nested(levels, object([("n", "5".into())]), &[("n", "7")]))
        }
        1 => {
            let schema = read(
                r##"{"type":"object","properties":{"child":{"$ref":"#/$defs/Node"}},"$defs":{"Node":{"anyOf":[{"type":"object","properties":{"kind":{"const":"leaf"},"n":{"type":"integer"},"child":{"$ref":"#/$defs/Node"}}},{"type":"object","properties":{"kind":{"const":"tree"},"n":{"type":"number"},"child":{"$ref":"#/$defs/Node"}}}]}}}"##,
            );
            let levels = 14 + dice.below(10);
            let leaf = object([("kind", "leaf".into()), ("n", "5".into())]);
            (schema, nested(levels, leaf, &[("kind", "tree")]))
        }
        _ => {
            let schema = read(
                r##"{"type":"object","properties":{"x":{"type":"array","items":{"$ref":"#/properties/x"}}}}"##,
            );
            let levels = 1_000 + dice.below(200);
            let lists = (0..levels).fold(Value::from("[]"), |inner, _| vec![inner].into());
            let sent = if dice.chance(8) { lists.to_string().into() } else { lists };
            (schema, object([("x", sent)]))
        }
    }
}

/// So many levels of `child` around a value, each with these texts beside it.
fn nested(levels: usize, innermost: Value, beside: &[(&str, &str)]) -> Value {
    (0..levels).fold(innermost, |inner, _| {
        let mut outer = Object::new();
        outer.extend(beside.iter().map(|(key, text)| ((*key).to_owned(), (*text).into())));
        outer.insert("child".to_owned(), inner);
        outer.into()
    })
}

/// A schema and arguments with very many ways to go.
pub(super) fn wide(dice: &mut Dice<'_, '_>) -> (Value, Value) {
    let schema = if dice.chance(8) {
        // One of many constants, as unions of literals are written.
        let count = 65 + dice.below(100);
        let branch = |at: usize| {
            let number = read(&at.to_string());
            object([("type", "integer".into()), ("const", number)])
        };
        let null = object([("type", "null".into())]);
        let branches: Vec<Value> = (0..count).map(branch).chain([null]).collect();
        object([("properties", object([("n", object([("anyOf", branches.into())]))]))])
    } else {
        // Every definition a union of all, as recursive types of programming languages become.
        let count = 8 + dice.below(2);
        let name = |at: usize| format!("T{at}");
        let branch = |at| object([("$ref", format!("#/$defs/{}", name(at)).into())]);
        let scalar = object([("type", "integer".into())]);
        let mut definitions = Object::new();
        for at in 0..count {
            let branches = (0..count).map(branch).chain([scalar.clone()]);
            let union = object([("anyOf", branches.collect::<Vec<_>>().into())]);
            definitions.insert(name(at), union);
        }
        let properties = object([("n", branch(0))]);
        object([("properties", properties), ("$defs", definitions.into())])
    };
    (schema, object([("n", dice.pick(&["5", "null", "x"]).into())]))
}

fn read(text: &str) -> Value {
    parse(text).unwrap_or_default()
}
