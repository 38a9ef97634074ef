//! Results of inference.

use crate::sets::TNorm;

/// Firing strength of a rule, and whether it fired.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleFiring {
    /// Firing strength wᵣ, Equation (1); NaN if an input of the antecedent is NaN.
    pub strength: f64,
    /// Whether the rule fired: its strength was sufficient and the activation method selected it.
    pub fired: bool,
}

/// A set activated by a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ActivatedSet {
    /// Index of the rule, counted across all blocks.
    pub rule: usize,
    /// Index of the set of the output.
    pub set: usize,
    /// Activation strength after the hedges of the consequent; never NaN.
    pub strength: f64,
    /// Implication of the block, T in Equation (2).
    pub implication: Option<TNorm>,
    /// Whether an odd number of `not` hedges negates the set instead of the strength (MATLAB).
    pub(in crate::inference) negated: bool,
}

/// Result of inference for one row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inference {
    /// Output values.
    pub outputs: Vec<f64>,
    /// Firing strength and status of every rule, block by block; rules of disabled blocks have strength 0.
    pub rules: Vec<RuleFiring>,
    /// Activated sets of each output, in order of activation.
    pub activated: Vec<Vec<ActivatedSet>>,
    /// Whether any rule fired, for each output.
    pub fired: Vec<bool>,
}

/// Origin of an output value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputSource {
    /// Defuzzified value of the activated sets.
    Rules,
    /// Value of the previous row; there is no defuzzified value and `lock_previous` is set.
    Previous,
    /// Default value of the output; there is no defuzzified value.
    Default,
    /// Midpoint of the range; there is no defuzzified value and the dialect is MATLAB.
    RangeMidpoint,
    /// NaN; there is no defuzzified value and no default.
    Undefined,
    /// Value of the previous row; the output is disabled.
    Disabled,
}
