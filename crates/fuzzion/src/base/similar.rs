//! Suggestions of similar names.

/// The most similar of `names`, ignoring case: at most a third of its characters differ.
pub(crate) fn most_similar<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const MAX_CHARS: usize = 64;
    let name = name.to_lowercase();
    let near = |other: &&str| name.len() <= MAX_CHARS && other.len() <= MAX_CHARS;
    let with_distance =
        names.into_iter().filter(near).map(|other| (edit_distance(&name, &other.to_lowercase()), other));
    let (distance, other) = with_distance.min_by_key(|(distance, _)| *distance)?;
    (3 * distance <= other.chars().count()).then(|| other.to_owned())
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
        let names = ["species", "petal_width", "x", "y"];
        let suggested = |name: &str| most_similar(name, names);
        assert_eq!(suggested("specie").as_deref(), Some("species"));
        assert_eq!(suggested("Petal_Width").as_deref(), Some("petal_width"));
        assert_eq!(suggested("petalwidth").as_deref(), Some("petal_width"));
        assert_eq!(suggested("price"), None);
        assert_eq!(suggested(&"x".repeat(1000)), None);
    }
}
