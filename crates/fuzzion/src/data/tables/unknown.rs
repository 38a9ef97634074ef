//! The error for an unknown column.

use crate::data::error::DataError;

/// The error for an unknown column name; lists the first of the available `names`.
pub(crate) fn unknown_column(name: &str, names: &[String]) -> DataError {
    const MAX_LISTED: usize = 12;
    let mut known: Vec<String> = names.iter().take(MAX_LISTED).map(|n| format!("`{n}`")).collect();
    match names.len() {
        0 => known.push("none".into()),
        n if n > MAX_LISTED => known.push(format!("and {} more", n - MAX_LISTED)),
        _ => {}
    }
    DataError::UnknownColumn {
        name: name.to_owned(),
        similar: most_similar(name, names),
        known: known.join(", "),
    }
}

/// The most similar of `names`, ignoring case: at most a third of its characters differ.
fn most_similar(name: &str, names: &[String]) -> Option<String> {
    const MAX_CHARS: usize = 64;
    let name = name.to_lowercase();
    let near = |other: &&String| name.len() <= MAX_CHARS && other.len() <= MAX_CHARS;
    let with_distance =
        names.iter().filter(near).map(|other| (edit_distance(&name, &other.to_lowercase()), other));
    let (distance, other) = with_distance.min_by_key(|(distance, _)| *distance)?;
    (3 * distance <= other.chars().count()).then(|| other.clone())
}

/// Number of characters to insert, remove or replace, where swapping two neighbors counts as one.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_removals_replacements_and_swaps_are_counted() {
        for (a, b, expected) in
            [("", "ab", 2), ("ab", "ab", 0), ("ab", "ba", 1), ("abc", "axc", 1), ("abcd", "bd", 2)]
        {
            assert_eq!((edit_distance(a, b), edit_distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn only_similar_names_are_suggested() {
        let names = ["species", "petal_width", "x", "y"].map(String::from);
        let suggested = |name: &str| most_similar(name, &names);
        assert_eq!(suggested("specie").as_deref(), Some("species"));
        assert_eq!(suggested("Petal_Width").as_deref(), Some("petal_width"));
        assert_eq!(suggested("petalwidth").as_deref(), Some("petal_width"));
        assert_eq!(suggested("price"), None);
        assert_eq!(suggested(&"x".repeat(1000)), None);
    }
}
