//! Helper functions of the exported source: the paragraphs of `runtime/` that a file needs.

use crate::inference::export::Language;
use std::collections::{HashMap, HashSet};

/// A function or constant of the runtime.
pub(in crate::inference::export) struct Fragment {
    pub(in crate::inference::export) name: &'static str,
    pub(in crate::inference::export) text: &'static str,
}

/// All fragments of a language in dependency order.
pub(in crate::inference::export) fn fragments(language: Language) -> Vec<Fragment> {
    let files: &[&'static str] = match language {
        Language::C => &[
            include_str!("../runtime/math.c"),
            include_str!("../runtime/angles.c"),
            include_str!("../runtime/sets.c"),
            include_str!("../runtime/steps.c"),
        ],
        Language::Rust => &[
            include_str!("../runtime/math.rs"),
            include_str!("../runtime/angles.rs"),
            include_str!("../runtime/sets.rs"),
            include_str!("../runtime/steps.rs"),
        ],
        Language::Cuda => &[
            include_str!("../runtime/math.cu"),
            include_str!("../runtime/sets.c"),
            include_str!("../runtime/steps.c"),
        ],
    };
    files.iter().flat_map(|file| paragraphs(file)).collect()
}

/// Templates of the defuzzifiers; placeholders in capitals are replaced by the parts that differ between outputs.
pub(in crate::inference::export) fn defuzzifiers(language: Language) -> Vec<Fragment> {
    let file = match language {
        Language::C | Language::Cuda => include_str!("../runtime/defuzzify.c"),
        Language::Rust => include_str!("../runtime/defuzzify.rs"),
    };
    paragraphs(file).collect()
}

/// Splits a file into paragraphs, each of which defines one name and contains no empty line.
fn paragraphs(file: &'static str) -> impl Iterator<Item = Fragment> {
    file.split("\n\n").map(|text| {
        let text = text.trim_end();
        let code = text.lines().find(|line| !line.starts_with("//"));
        let code = code.expect("invariant: every paragraph contains code");
        let name = match code {
            code if code.starts_with("typedef") => code.trim_end_matches(';').rsplit(' ').next(),
            code if code.starts_with("#define") => code.split(' ').nth(1),
            code => code.split('(').next().and_then(|head| head.rsplit(' ').next()),
        };
        Fragment { name: name.expect("invariant: every paragraph defines a name"), text }
    })
}

/// The fragments that `code` uses, directly or through other fragments.
pub(in crate::inference::export) fn needed(language: Language, code: &str) -> Vec<Fragment> {
    let all = fragments(language);
    let by_name: HashMap<&str, &Fragment> = all.iter().map(|fragment| (fragment.name, fragment)).collect();
    let mut found: HashSet<&str> = HashSet::new();
    let mut pending: Vec<&str> = words(code).collect();
    while let Some(word) = pending.pop() {
        if let Some(fragment) = by_name.get(word)
            && found.insert(fragment.name)
        {
            pending.extend(words(fragment.text));
        }
    }
    let found: HashSet<String> = found.into_iter().map(str::to_owned).collect();
    all.into_iter().filter(|fragment| found.contains(fragment.name)).collect()
}

/// Identifiers and keywords of the code, without comments.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let code = code.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}
