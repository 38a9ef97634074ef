//! A fuzzy system and its builder methods.

use super::block::{Conjunction, RuleBlock};
use super::rule::{Antecedent, VariableIndex};
use super::variable::{Output, Variable};

/// A fuzzy inference system: input variables, output variables and rule blocks.
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
/// assert!((tip.outputs[0] - 15.0).abs() < 1e-12); // center of a symmetric set
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Name of the system.
    pub name: String,
    /// Free-text description.
    pub description: String,
    /// Input variables, in the order of the values of a row.
    pub inputs: Vec<Variable>,
    /// Output variables.
    pub outputs: Vec<Output>,
    /// Rule blocks, in order of evaluation.
    pub blocks: Vec<RuleBlock>,
}

impl System {
    /// Creates a system without variables and rules.
    pub fn new(name: impl Into<String>) -> Self {
        System {
            name: name.into(),
            description: String::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Appends an input variable.
    pub fn input(mut self, input: Variable) -> Self {
        self.inputs.push(input);
        self
    }

    /// Appends an output variable.
    pub fn output(mut self, output: Output) -> Self {
        self.outputs.push(output);
        self
    }

    /// Appends a rule block; rules added by [`System::rule`] go into the last block.
    pub fn block(mut self, block: RuleBlock) -> Self {
        self.blocks.push(block);
        self
    }

    /// The variable at a validated index.
    pub(in crate::inference) fn variable(&self, index: VariableIndex) -> &Variable {
        match index {
            VariableIndex::Input(i) => &self.inputs[i],
            VariableIndex::Output(i) => &self.outputs[i].variable,
        }
    }

    /// Whether the system uses a Fuzzion extension: ELSE, `not ( … )`, the mean, or a scale.
    pub(in crate::inference) fn is_extended(&self) -> bool {
        fn uses_extension(antecedent: &Antecedent) -> bool {
            match antecedent {
                Antecedent::Is(_) => false,
                Antecedent::And(parts) | Antecedent::Or(parts) => parts.iter().any(uses_extension),
                Antecedent::Not(_) | Antecedent::Else => true,
            }
        }
        let scaled = self.outputs.iter().any(|output| output.scale != 1.0);
        scaled
            || self.blocks.iter().any(|block| {
                block.conjunction == Some(Conjunction::Mean)
                    || block.rules.iter().any(|rule| uses_extension(&rule.antecedent))
            })
    }
}
