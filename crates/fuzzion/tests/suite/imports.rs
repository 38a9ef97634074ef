//! Imports between the files of a crate, read from their source text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Path of a module from the crate root.
type ModulePath = Vec<String>;

/// Imports of every module of a crate.
pub(crate) struct Imports {
    /// Items imported by each module: whether the import is a re-export, and the absolute path.
    uses: BTreeMap<ModulePath, Vec<(bool, ModulePath)>>,
}

impl Imports {
    /// Reads all files below `source`, without tests.
    pub(crate) fn read(source: &Path) -> Self {
        let mut texts = BTreeMap::new();
        read_folder(source, &mut Vec::new(), &mut texts);
        let modules: BTreeSet<ModulePath> = texts.keys().cloned().collect();
        let uses = texts.iter().map(|(module, text)| (module.clone(), uses_of(module, text, &modules)));
        Imports { uses: uses.collect() }
    }

    /// The module that defines the item at `path`, following re-exports.
    fn defined_in(&self, path: &[String], depth: usize) -> Option<ModulePath> {
        let length = (0..=path.len()).rev().find(|n| self.uses.contains_key(&path[..*n]))?;
        let module = path[..length].to_vec();
        let Some(item) = path.get(length) else { return Some(module) };
        let reexported = self.uses[&module].iter().find(|(_, used)| {
            used.last() == Some(item) && used.as_slice() != path && !self.uses.contains_key(used.as_slice())
        });
        match reexported {
            Some((_, used)) if depth < 8 => self.defined_in(used, depth + 1),
            _ => Some(module),
        }
    }

    /// The modules of `top` that each of its modules uses. Re-exports do not count.
    fn graph(&self, top: &str) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
        let inside = |module: &ModulePath| module.first().is_some_and(|first| first == top);
        let used_by = |module: &ModulePath, uses: &[(bool, ModulePath)]| {
            let direct = uses.iter().filter(|(reexport, _)| !reexport);
            let defined = direct.filter_map(|(_, path)| self.defined_in(path, 0));
            defined.filter(|used| inside(used) && used != module).collect()
        };
        let modules = self.uses.iter().filter(|(module, _)| inside(module));
        modules.map(|(module, uses)| (module.clone(), used_by(module, uses))).collect()
    }

    /// Import cycles between modules of `top`, such as `a ↔ b`.
    pub(crate) fn cycles(&self, top: &str) -> Vec<String> {
        let graph = self.graph(top);
        let reachable: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
            graph.keys().map(|module| (module, reachable_from(module, &graph))).collect();
        let mut reported = BTreeSet::new();
        let mut cycles = Vec::new();
        for module in graph.keys().filter(|module| reachable[*module].contains(*module)) {
            if reported.contains(module) {
                continue;
            }
            let back = |other: &&ModulePath| reachable[*other].contains(module);
            let cycle: Vec<&ModulePath> = reachable[module].iter().filter(back).collect();
            let names: Vec<String> = cycle.iter().map(|module| module.join("/")).collect();
            cycles.push(names.join(" ↔ "));
            reported.extend(cycle.into_iter().cloned());
        }
        cycles
    }
}

fn reachable_from(
    start: &ModulePath,
    graph: &BTreeMap<ModulePath, BTreeSet<ModulePath>>,
) -> BTreeSet<ModulePath> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&ModulePath> = graph[start].iter().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module.clone()) {
            open.extend(graph.get(module).into_iter().flatten());
        }
    }
    reached
}

fn read_folder(folder: &Path, module: &mut ModulePath, texts: &mut BTreeMap<ModulePath, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if ["tests", "testing"].contains(&name.as_str()) {
            continue;
        }
        let is_root = ["mod", "lib", "main"].contains(&name.as_str());
        if !is_root {
            module.push(name);
        }
        if path.is_dir() {
            read_folder(&path, module, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.insert(module.clone(), code_of(&fs::read_to_string(&path).unwrap()));
        }
        if !is_root {
            module.pop();
        }
    }
}

/// The text of a file without comments and test-only items.
fn code_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut code = String::new();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].trim() == "#[cfg(test)]" {
            // A module of tests ends the file; any other item ends with the line of its `;` or `}`.
            if lines.get(at + 1).is_some_and(|line| line.contains("mod ") && line.ends_with('{')) {
                break;
            }
            at += 1;
            while lines.get(at).is_some_and(|line| !line.trim_end().ends_with([';', '}'])) {
                at += 1;
            }
        } else {
            code.push_str(lines[at]);
            code.push('\n');
        }
        at += 1;
    }
    code
}

fn uses_of(module: &ModulePath, code: &str, modules: &BTreeSet<ModulePath>) -> Vec<(bool, ModulePath)> {
    let mut found = Vec::new();
    let mut rest = String::new();
    let mut statements = code.split_inclusive(';');
    for statement in &mut statements {
        match split_use(statement) {
            Some((before, reexport, tree)) => {
                rest.push_str(before);
                let paths = expand(tree.trim_end_matches(';'));
                found.extend(
                    paths.iter().filter_map(|path| Some((reexport, absolute(module, path, modules)?))),
                );
            }
            None => rest.push_str(statement),
        }
    }
    // Paths outside `use`.
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for path in rest.split(|c: char| !is_path(c)).filter(|path| path.contains("::")) {
        let path = path.trim_end_matches(':');
        let from_here = ["crate::", "super::", "self::"].iter().any(|start| path.starts_with(start));
        let child = path.split("::").next().is_some_and(|name| modules.contains(&child_of(module, name)));
        if from_here || child {
            found.extend(absolute(module, path, modules).map(|path| (false, path)));
        }
    }
    found
}

fn child_of(module: &[String], name: &str) -> ModulePath {
    [module, &[name.to_owned()]].concat()
}

/// Text before a `use` statement, whether it is a re-export, and its tree.
fn split_use(statement: &str) -> Option<(&str, bool, &str)> {
    let at = statement.match_indices("use ").map(|(at, _)| at).find(|at| {
        let line = &statement[statement[..*at].rfind('\n').map_or(0, |end| end + 1)..*at];
        let line = line.trim();
        line.is_empty() || (line.starts_with("pub") && !line.contains(['=', '"']))
    })?;
    // `use` can also begin a line of a string.
    let is_path = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_:{},*;".contains(c);
    if !statement[at..].chars().all(is_path) {
        return None;
    }
    let line = statement[..at].rfind('\n').map_or(0, |end| end + 1);
    Some((&statement[..line], statement[line..at].contains("pub"), &statement[at + "use ".len()..]))
}

/// All paths of a tree such as `a::{b, c::{d, e}}`.
fn expand(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        return if path.is_empty() { Vec::new() } else { vec![path.to_owned()] };
    };
    let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
    let mut depth = 0;
    let parts = inner.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.flat_map(expand).map(|path| format!("{}{path}", &tree[..open])).collect()
}

/// `path` from the crate root; `None` if it leads to another crate.
fn absolute(module: &ModulePath, path: &str, modules: &BTreeSet<ModulePath>) -> Option<ModulePath> {
    let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
    if parts.last() == Some(&"self") {
        parts.pop();
    }
    let mut base = module.clone();
    match *parts.first()? {
        "crate" => {
            base.clear();
            parts.remove(0);
        }
        "self" => {
            parts.remove(0);
        }
        "super" => {
            while parts.first() == Some(&"super") {
                base.pop();
                parts.remove(0);
            }
        }
        name if modules.contains(&child_of(module, name)) => {}
        _ => return None,
    }
    base.extend(parts.into_iter().map(str::to_owned));
    Some(base)
}

#[test]
fn nested_imports_are_expanded() {
    assert_eq!(expand("a::{b, c::{d, e as f}, self}"), ["a::b", "a::c::d", "a::c::e", "a::self"]);
    assert_eq!(expand(" a::b "), ["a::b"]);
}

#[test]
fn modules_that_use_each_other_are_a_cycle() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "pub mod m;");
    write("m/mod.rs", "mod a;\nmod b;\npub use a::A;\npub use b::B;");
    write("m/a.rs", "use super::B;\npub struct A(B);");
    write("m/b.rs", "pub struct B;\n#[cfg(test)]\nmod tests {\n    use super::super::A;\n}\n");
    assert_eq!(Imports::read(folder.path()).cycles("m"), Vec::<String>::new());
    write("m/b.rs", "pub struct B;\nimpl B {\n    fn f() { let _ = super::a::A::new(); }\n}\n");
    assert_eq!(Imports::read(folder.path()).cycles("m"), ["m/a ↔ m/b"]);
}
