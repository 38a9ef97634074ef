//! Files as they should not be.

/// The text after some edits: from a place on so many characters are replaced by others.
pub(super) fn mutated(text: &str, edits: Vec<(usize, usize, &str)>) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (at, removed, inserted) in edits {
        let at = at.min(text.len());
        let end = (at + removed).min(text.len());
        text.splice(at..end, inserted.chars());
    }
    text.into_iter().collect()
}

/// Every case is a part of a text, what stands in its place, and what the sentence must hold that `problem` gives for that.
pub(super) fn assert_problems(problem: impl Fn(&str, &str) -> String, cases: &[(&str, &str, &str)]) {
    let said = cases.iter().map(|(from, to, expected)| (from, to, expected, problem(from, to)));
    let wrong: Vec<String> = said
        .filter(|(_, _, expected, said)| !said.contains(**expected))
        .map(|(from, to, _, said)| format!("{from} → {to}: {said}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
