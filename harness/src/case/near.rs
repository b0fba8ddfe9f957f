//! The names that a mistaken one was meant to be.

use strsim::damerau_levenshtein;

/// `did you mean a, b or c?`, the nearest first; `otherwise` where nothing is near.
pub fn did_you_mean<'a>(
    word: &str,
    names: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    let near = nearest(word, names);
    match near.split_last() {
        None => otherwise.to_owned(),
        Some((only, [])) => format!("did you mean {only}?"),
        Some((last, rest)) => format!("did you mean {} or {last}?", rest.join(", ")),
    }
}

/// The names that differ in a third of the word at most, and hardly more than the nearest; three at most.
fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let most = (word.chars().count() / 3).max(1);
    let names = names.into_iter();
    let mut near: Vec<(usize, &str)> = names
        .map(|name| (damerau_levenshtein(word, name), name))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    near.sort_unstable();
    let best = near.first().map_or(0, |(distance, _)| *distance);
    let near = near.into_iter().filter(|(distance, _)| *distance <= best + 1);
    near.take(3).map(|(_, name)| name).collect()
}
