//! Helpers for tests of invalid files.

/// Applies edits `(position, removed characters, inserted text)` to a string.
pub(super) fn mutated(text: &str, edits: Vec<(usize, usize, &str)>) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (at, removed, inserted) in edits {
        let at = at.min(text.len());
        let end = (at + removed).min(text.len());
        text.splice(at..end, inserted.chars());
    }
    text.into_iter().collect()
}

/// Asserts for cases `(from, to, expected)` that `problem(from, to)` contains `expected`.
pub(super) fn assert_problems(problem: impl Fn(&str, &str) -> String, cases: &[(&str, &str, &str)]) {
    let messages = cases.iter().map(|(from, to, expected)| (from, to, expected, problem(from, to)));
    let wrong: Vec<String> = messages
        .filter(|(_, _, expected, message)| !message.contains(**expected))
        .map(|(from, to, _, message)| format!("{from} → {to}: {message}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
