//! Text of rules.

use super::text::{MAX_NESTING, format_number};
use crate::inference::error::Result;
use crate::inference::{Antecedent, Conclusion, Proposition, Rule, System, Variable, VariableIndex};
use crate::sets::Hedge;

impl System {
    /// Text of a rule of this system.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// let text = heating.rule_text(&heating.blocks[0].rules[1])?;
    /// assert_eq!(text, "if room is warm then valve is shut");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`](crate::inference::InferenceError::InvalidSystem) if the index of a variable or a set is out of range.
    pub fn rule_text(&self, rule: &Rule) -> Result<String> {
        self.check_rule(rule, "the rule")?;
        Ok(Labels::from_system(self).rule(rule))
    }
}

/// Names of variables and sets in written rules.
pub(in crate::inference) struct Labels {
    /// Name and set names of each input.
    pub(in crate::inference) inputs: Vec<(String, Vec<String>)>,
    /// Name and set names of each output.
    pub(in crate::inference) outputs: Vec<(String, Vec<String>)>,
}

impl Labels {
    /// The unchanged names of a system.
    pub(in crate::inference) fn from_system(system: &System) -> Self {
        let label = |v: &Variable| (v.name.clone(), v.sets.iter().map(|set| set.name.clone()).collect());
        Labels {
            inputs: system.inputs.iter().map(label).collect(),
            outputs: system.outputs.iter().map(|output| label(&output.variable)).collect(),
        }
    }

    fn variable(&self, index: VariableIndex) -> &(String, Vec<String>) {
        match index {
            VariableIndex::Input(i) => &self.inputs[i],
            VariableIndex::Output(i) => &self.outputs[i],
        }
    }

    fn is(&self, variable: VariableIndex, hedges: &[Hedge], set: Option<usize>) -> String {
        let (name, sets) = self.variable(variable);
        let hedges = hedges.iter().map(|hedge| hedge.name());
        let set = set.map(|set| sets[set].as_str());
        [name.as_str(), "is"].into_iter().chain(hedges).chain(set).collect::<Vec<_>>().join(" ")
    }

    /// Text of a proposition with valid indices.
    pub(in crate::inference) fn proposition(&self, p: &Proposition) -> String {
        let any = p.hedges.last() == Some(&Hedge::Any);
        self.is(p.variable, &p.hedges, if any { None } else { p.set })
    }

    /// Text of a rule with valid indices.
    pub(in crate::inference) fn rule(&self, rule: &Rule) -> String {
        self.rule_with(rule, |_| None)
    }

    /// Text of a rule with valid indices; `value` returns the text of a conclusion's value, if it replaces the name of the set.
    pub(in crate::inference) fn rule_with(
        &self,
        rule: &Rule,
        value: impl Fn(&Conclusion) -> Option<String>,
    ) -> String {
        let start = match &rule.antecedent {
            Antecedent::Else => "else".to_owned(),
            antecedent => {
                let explicit = nesting_depth(antecedent, Parent::None, true) <= MAX_NESTING;
                format!("if {} then", self.antecedent(antecedent, Parent::None, explicit))
            }
        };
        let conclusions = rule.consequent.iter();
        let conclusions = conclusions.map(|c| match value(c) {
            Some(value) => format!("{} = {value}", self.outputs[c.output].0),
            None => self.is(VariableIndex::Output(c.output), &c.hedges, Some(c.set)),
        });
        let consequent = conclusions.collect::<Vec<_>>().join(" and ");
        let weight =
            if rule.weight == 1.0 { String::new() } else { format!(" with {}", format_number(rule.weight)) };
        format!("{start} {consequent}{weight}")
    }

    fn antecedent(&self, antecedent: &Antecedent, parent: Parent, explicit: bool) -> String {
        let joined = |parts: &[Antecedent], operator: &str, parent| {
            parts
                .iter()
                .map(|part| self.antecedent(part, parent, explicit))
                .collect::<Vec<_>>()
                .join(operator)
        };
        let text = match antecedent {
            Antecedent::Is(p) => self.proposition(p),
            Antecedent::And(parts) => joined(parts, " and ", Parent::And),
            Antecedent::Or(parts) => joined(parts, " or ", Parent::Or),
            Antecedent::Not(part) => {
                return format!("not ({})", self.antecedent(part, Parent::None, explicit));
            }
            Antecedent::Else => "else".into(),
        };
        if is_parenthesized(antecedent, parent, explicit) { format!("({text})") } else { text }
    }
}

/// Operator that encloses a part of an antecedent.
#[derive(Clone, Copy, PartialEq)]
enum Parent {
    None,
    And,
    Or,
}

/// Whether a part is written in parentheses; an `and` inside an `or` needs none, but gets them if `explicit`.
fn is_parenthesized(part: &Antecedent, parent: Parent, explicit: bool) -> bool {
    match part {
        Antecedent::And(_) => parent == Parent::And || parent == Parent::Or && explicit,
        Antecedent::Or(_) => parent != Parent::None,
        Antecedent::Is(_) | Antecedent::Not(_) | Antecedent::Else => false,
    }
}

/// Nesting depth of the parentheses in the text of an antecedent.
fn nesting_depth(antecedent: &Antecedent, parent: Parent, explicit: bool) -> usize {
    let max = |parts: &[Antecedent], parent| {
        parts.iter().map(|part| nesting_depth(part, parent, explicit)).max().unwrap_or(0)
    };
    let inner = match antecedent {
        Antecedent::Is(_) | Antecedent::Else => 0,
        Antecedent::And(parts) => max(parts, Parent::And),
        Antecedent::Or(parts) => max(parts, Parent::Or),
        Antecedent::Not(part) => 1 + nesting_depth(part, Parent::None, explicit),
    };
    inner + usize::from(is_parenthesized(antecedent, parent, explicit))
}

/// Whether the text of an antecedent can be parsed; the antecedent itself may have any depth.
pub(in crate::inference) fn is_parsable(antecedent: &Antecedent) -> bool {
    fn within_depth(antecedent: &Antecedent, depth: usize) -> bool {
        match antecedent {
            Antecedent::Is(_) | Antecedent::Else => true,
            Antecedent::And(parts) | Antecedent::Or(parts) => {
                depth > 0 && parts.iter().all(|part| within_depth(part, depth - 1))
            }
            Antecedent::Not(part) => depth > 0 && within_depth(part, depth - 1),
        }
    }
    // Each pair of parentheses can contain an `or` of an `and` of a `not`.
    within_depth(antecedent, 3 * MAX_NESTING + 3)
        && nesting_depth(antecedent, Parent::None, false) <= MAX_NESTING
}
