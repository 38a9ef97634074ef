//! Names that are not valid in FLL. They are written in comments, which fuzzylite ignores: `term: verycold Ramp 20 16 # "very
//! cold"`.

use crate::inference::syntax::to_identifier;
use crate::inference::{System, VariableIndex};
use crate::sets::Shape;

/// The comment with the name that `identifier` replaces, if it differs.
pub(super) fn comment(name: &str, identifier: &str) -> String {
    if name == identifier { String::new() } else { format!(" # {}", serde_json::Value::from(name)) }
}

/// The name in a comment after `identifier`.
pub(super) fn parse_comment(comment: &str, identifier: &str) -> Option<String> {
    let name: String = serde_json::from_str(comment.trim()).ok()?;
    identifier.starts_with(&to_identifier(&name)).then_some(name)
}

/// The name of a variable, or of one of its sets.
pub(super) struct OriginalName {
    pub(super) variable: VariableIndex,
    pub(super) set: Option<usize>,
    pub(super) name: String,
}

/// Restores the names of a system whose rules were parsed. A variable that occurs in a Function keeps its identifier, and so
/// does one whose name is already taken: identifiers are unique, but names need not be.
pub(super) fn restore(system: &mut System, names: Vec<OriginalName>) {
    for OriginalName { variable, set, name } in names {
        let of = system.variable(variable);
        let is_taken = match set {
            Some(_) => of.sets.iter().any(|other| other.name == name),
            None => {
                let outputs = system.outputs.iter().map(|output| &output.variable);
                system.inputs.iter().chain(outputs).any(|other| other.name == name)
            }
        };
        if is_taken || (set.is_none() && occurs_in_function(system, &of.name)) {
            continue;
        }
        let variable = match variable {
            VariableIndex::Input(i) => &mut system.inputs[i],
            VariableIndex::Output(i) => &mut system.outputs[i].variable,
        };
        match set {
            Some(set) => variable.sets[set].name = name,
            None => variable.name = name,
        }
    }
}

fn occurs_in_function(system: &System, name: &str) -> bool {
    let variables = system.inputs.iter().chain(system.outputs.iter().map(|output| &output.variable));
    variables.flat_map(|variable| &variable.sets).any(|named| match named.set.shape() {
        Shape::Function { expression } => expression.variables().iter().any(|used| used == name),
        _ => false,
    })
}
