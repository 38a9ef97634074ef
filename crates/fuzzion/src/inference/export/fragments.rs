//! What written text calls: paragraphs of `runtime/`, of which only the needed ones are taken.

use super::Language;
use std::collections::{HashMap, HashSet};

/// A function or a constant of the runtime.
pub(super) struct Fragment {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

/// Every fragment of a language, those that others need before them.
pub(super) fn fragments(language: Language) -> Vec<Fragment> {
    let files: &[&'static str] = match language {
        Language::C => &[
            include_str!("runtime/math.c"),
            include_str!("runtime/angles.c"),
            include_str!("runtime/sets.c"),
            include_str!("runtime/steps.c"),
        ],
        Language::Rust => &[
            include_str!("runtime/math.rs"),
            include_str!("runtime/angles.rs"),
            include_str!("runtime/sets.rs"),
            include_str!("runtime/steps.rs"),
        ],
        Language::Cuda => &[
            include_str!("runtime/math.cu"),
            include_str!("runtime/sets.c"),
            include_str!("runtime/steps.c"),
        ],
    };
    files.iter().flat_map(|file| paragraphs(file)).collect()
}

/// The loops that defuzzify, with words in capitals for what differs from output to output.
pub(super) fn defuzzifiers(language: Language) -> Vec<Fragment> {
    let file = match language {
        Language::C | Language::Cuda => include_str!("runtime/defuzzify.c"),
        Language::Rust => include_str!("runtime/defuzzify.rs"),
    };
    paragraphs(file).collect()
}

/// A paragraph defines one name and has no empty line inside.
fn paragraphs(file: &'static str) -> impl Iterator<Item = Fragment> {
    file.split("\n\n").map(|text| {
        let text = text.trim_end();
        let code = text.lines().find(|line| !line.starts_with("//")).unwrap_or_default();
        let name = match code {
            code if code.starts_with("typedef") => code.trim_end_matches(';').rsplit(' ').next(),
            code if code.starts_with("#define") => code.split(' ').nth(1),
            code => code.split('(').next().and_then(|head| head.rsplit(' ').next()),
        };
        Fragment { name: name.unwrap_or_default(), text }
    })
}

/// The fragments that `code` needs, and those that these need.
pub(super) fn needed(language: Language, code: &str) -> Vec<Fragment> {
    let all = fragments(language);
    let by_name: HashMap<&str, &Fragment> = all.iter().map(|fragment| (fragment.name, fragment)).collect();
    let mut found: HashSet<&str> = HashSet::new();
    let mut open: Vec<&str> = words(code).collect();
    while let Some(word) = open.pop() {
        if let Some(fragment) = by_name.get(word)
            && found.insert(fragment.name)
        {
            open.extend(words(fragment.text));
        }
    }
    let found: HashSet<String> = found.into_iter().map(str::to_owned).collect();
    all.into_iter().filter(|fragment| found.contains(fragment.name)).collect()
}

/// The words of code; comments are none.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let code = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}
