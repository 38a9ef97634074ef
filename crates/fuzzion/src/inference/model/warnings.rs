//! Parts of systems that are valid in files of other programs but probably mistakes.

use super::check::location_of;
use super::system::System;
use super::variable::Variable;
use crate::inference::syntax::{format_number, quoted};
use crate::sets::Shape;
use std::collections::HashSet;

impl System {
    /// Sentences about probable mistakes; `rules_use_names` if the rules of the file name the sets.
    pub(in crate::inference) fn warnings(&self, rules_use_names: bool) -> Vec<String> {
        let outputs = || self.outputs.iter().map(|output| &output.variable);
        let mut warnings = Vec::new();
        for (kind, names) in [
            ("inputs", repeated(self.inputs.iter().map(|input| &input.name))),
            ("outputs", repeated(outputs().map(|output| &output.name))),
        ] {
            let warning =
                |name: &String| format!("two {kind} are named {}; rename one of them", quoted(name));
            warnings.extend(names.into_iter().map(warning));
        }
        for (kind, i, variable) in (self.inputs.iter().enumerate().map(|(i, input)| ("input", i, input)))
            .chain(outputs().enumerate().map(|(i, output)| ("output", i, output)))
        {
            variable.add_warnings(&location_of(kind, i, &variable.name), rules_use_names, &mut warnings);
        }
        for (i, block) in self.blocks.iter().enumerate() {
            let location = location_of("rule block", i, &block.name);
            for (i, rule) in
                block.rules.iter().enumerate().filter(|(_, rule)| !(0.0..=1.0).contains(&rule.weight))
            {
                let (rule, weight) = (i + 1, format_number(rule.weight));
                warnings.push(format!(
                    "rule {rule} of {location} has the weight {weight}; use a weight from 0 to 1"
                ));
            }
        }
        warnings
    }
}

impl Variable {
    fn add_warnings(&self, location: &str, rules_use_names: bool, warnings: &mut Vec<String>) {
        for name in repeated(self.sets.iter().map(|set| &set.name)).into_iter().filter(|_| rules_use_names) {
            let name = quoted(name);
            warnings.push(format!(
                "{location} has two sets named {name}, of which rules use the last; rename one of them"
            ));
        }
        for (i, named) in self.sets.iter().enumerate() {
            let deviations = match *named.set.shape() {
                Shape::Gaussian { standard_deviation, .. } => [standard_deviation; 2],
                Shape::GaussianProduct { standard_deviation_a, standard_deviation_b, .. } => {
                    [standard_deviation_a, standard_deviation_b]
                }
                _ => continue,
            };
            if let Some(negative) = deviations.into_iter().find(|deviation| *deviation < 0.0) {
                warnings.push(format!(
                    "{} of {location} has the standard deviation {}, whose sign has no effect; use a positive number",
                    location_of("set", i, &named.name),
                    format_number(negative)
                ));
            }
        }
    }
}

/// Names that occur several times, in the order of their first repetition.
fn repeated<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a String> {
    let (mut seen, mut found) = (HashSet::new(), HashSet::new());
    names.filter(|name| !name.is_empty() && !seen.insert(*name) && found.insert(*name)).collect()
}
