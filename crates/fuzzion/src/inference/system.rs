//! A fuzzy system, and how it is put together.

use super::rule::{Antecedent, Conjunction, Place, Rule, RuleBlock};
use super::rule_text::{Labels, Names, Style};
use super::text::Line;
use super::variable::{Output, Variable};
use crate::error::Result;

/// Variables and rules.
///
/// ```
/// use fuzzion::inference::{Dialect, Output, System, Variable};
/// use fuzzion::sets::Set;
///
/// let tipper = System::new("tipper")
///     .input(Variable::new("service", 0.0, 10.0).set("good", Set::triangle(0.0, 5.0, 10.0)?))
///     .output(Output::new("tip", 0.0, 30.0).set("average", Set::triangle(10.0, 15.0, 20.0)?))
///     .rule("if service is very good then tip is average with 0.5")?;
/// let tip = tipper.infer_row(&[2.5], Dialect::Matlab)?;
/// assert_eq!(tip.rules[0].strength, 0.125); // ½² · ½
/// assert!((tip.outputs[0] - 15.0).abs() < 1e-12); // the set is symmetric
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What goes in, in the order of a row's values.
    pub inputs: Vec<Variable>,
    /// What comes out.
    pub outputs: Vec<Output>,
    /// The rules, in the order in which they are looked at.
    pub blocks: Vec<RuleBlock>,
}

impl System {
    /// A system without variables and rules.
    pub fn new(name: impl Into<String>) -> Self {
        System {
            name: name.into(),
            description: String::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// The same with one more input.
    pub fn input(mut self, input: Variable) -> Self {
        self.inputs.push(input);
        self
    }

    /// The same with one more output.
    pub fn output(mut self, output: Output) -> Self {
        self.outputs.push(output);
        self
    }

    /// The same with one more block; the rules that follow stand in it.
    pub fn block(mut self, block: RuleBlock) -> Self {
        self.blocks.push(block);
        self
    }

    /// The same with one more rule, written as text, in the last block; without one, in a [`RuleBlock::new`].
    ///
    /// Besides what fuzzylite reads: `else tip is average`, and `not (…)` around a part of an antecedent.
    ///
    /// # Errors
    /// [`Error::Syntax`](crate::Error::Syntax) where the text is no rule about this system's variables.
    pub fn rule(mut self, text: &str) -> Result<Self> {
        let style = Style { any_case: false, extended: true };
        let line = Line { format: "rule", number: 1, text };
        let rule = Names::new(&self).read(line, 0, text.len(), style)?;
        if self.blocks.is_empty() {
            self.blocks.push(RuleBlock::new(""));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.rules.push(rule);
        }
        Ok(self)
    }

    /// A rule of this system as text.
    ///
    /// # Errors
    /// [`Error::System`](crate::Error::System) where the rule names a variable or a set by a number that there is not.
    pub fn rule_text(&self, rule: &Rule) -> Result<String> {
        self.check_rule(rule, "the rule")?;
        Ok(Labels::of(self).rule(rule))
    }

    /// The variable at a place that was checked.
    pub(super) fn variable(&self, place: Place) -> &Variable {
        match place {
            Place::Input(i) => &self.inputs[i],
            Place::Output(i) => &self.outputs[i].variable,
        }
    }

    /// Whether a rule, a block or an output says what only Fuzzion has: ELSE, `not ( … )`, the mean, a scale.
    pub(super) fn is_extended(&self) -> bool {
        fn extended(antecedent: &Antecedent) -> bool {
            match antecedent {
                Antecedent::Is(_) => false,
                Antecedent::And(parts) | Antecedent::Or(parts) => parts.iter().any(extended),
                Antecedent::Not(_) | Antecedent::Else => true,
            }
        }
        let scaled = self.outputs.iter().any(|output| output.scale != 1.0);
        scaled
            || self.blocks.iter().any(|block| {
                block.conjunction == Some(Conjunction::Mean)
                    || block.rules.iter().any(|rule| extended(&rule.antecedent))
            })
    }
}
