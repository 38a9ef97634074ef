//! Steps of a plan. Each step computes one value per row from the values of earlier steps.

use super::sampled::Sampled;
use crate::inference::Comparison;
use crate::sets::expression::Expression;
use crate::sets::{Hedge, SNorm, Set, TNorm};

/// Index of a step, which identifies the value it computes.
pub(crate) type Slot = usize;

/// One step. A mask is a value that is either 1 or 0.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// An input of the row.
    Input { input: usize },
    /// An output of the previous row.
    Previous { output: usize },
    /// The same value for every row.
    Constant { value: f64 },
    /// μ(x).
    Membership { set: Set, x: Slot },
    /// The x with μ(x) = strength.
    Tsukamoto { set: Set, strength: Slot },
    /// Σ coefficient·input + constant.
    Linear { coefficients: Vec<f64>, constant: f64, inputs: Vec<Slot> },
    /// A formula; the arguments are in the order of its variables.
    Function { expression: Expression, arguments: Vec<Slot> },
    /// A function of one value.
    Unary { op: UnaryOp, x: Slot },
    /// A function of two values.
    Binary { op: BinaryOp, a: Slot, b: Slot },
    /// `then` where the mask is 1, `otherwise` elsewhere.
    Select { mask: Slot, then: Slot, otherwise: Slot },
    /// Number of firing rules ranked ahead of rule `own`: the strongest (or weakest) first, ties in rule order.
    Rank { own: usize, strengths: Vec<Slot>, firing: Vec<Slot>, strongest: bool },
    /// Equation (4); NaN where Σ w is less than `min_weight`.
    Weighted { terms: Vec<Term>, form: WeightedResult, min_weight: f64 },
    /// Equations (2) and (3). `row_values` are the values that sets with row-dependent memberships read.
    Defuzzify { sampled: Box<Sampled>, strengths: Vec<Slot>, row_values: Vec<Slot> },
}

/// An elementwise function of one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UnaryOp {
    Hedge(Hedge),
    Scale(f64),
    DivideBy(f64),
    /// The value, or 0 if it is NaN or negative.
    NonNegative,
    /// The value; NaN and −∞ become 0, ∞ becomes 1.
    ReplaceNonFinite,
    /// The value, or 0 if it is less than the threshold.
    FlushBelow(f64),
    /// Mask of values greater than the threshold; 0 for NaN.
    GreaterThan(f64),
    /// Mask.
    Compare(Comparison, f64),
    /// Mask.
    IsNan,
    /// The value clamped to a range; NaN is unchanged.
    Clamp(f64, f64),
}

/// An elementwise function of two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BinaryOp {
    TNorm(TNorm),
    SNorm(SNorm),
    /// The smaller of two values that are not NaN.
    Min,
    /// The larger of two values that are not NaN.
    Max,
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// One concluded set of a weighted defuzzifier.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) weight: Slot,
    /// Second factor of the weight, if the weight is a product that no other step needs.
    pub(crate) second_factor: Option<Slot>,
    pub(crate) z: Consequent,
    /// Mask of the rows that include this term, `None` for all rows. A weight of 0 does not cancel a NaN.
    pub(crate) present: Option<Slot>,
}

/// z of Equation (4).
#[derive(Clone, Debug)]
pub(crate) enum Consequent {
    Constant(f64),
    /// The value of a step.
    Step(Slot),
    /// Σ coefficient·input + constant.
    Linear {
        coefficients: Vec<f64>,
        constant: f64,
        inputs: Vec<Slot>,
    },
}

/// Result computed from Σ w·z and Σ w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeightedResult {
    /// Σ w·z / Σ w.
    Average,
    /// (Σ w·z / Σ w)·Σ w: NaN if no rule fired.
    Sum,
    /// Σ w·z: 0 if no rule fired.
    PlainSum,
}

impl Term {
    /// Steps whose values the term reads.
    pub(crate) fn operands(&self) -> Vec<Slot> {
        let z = match &self.z {
            Consequent::Constant(_) => &[],
            Consequent::Step(slot) => std::slice::from_ref(slot),
            Consequent::Linear { inputs, .. } => inputs.as_slice(),
        };
        let own = [Some(self.weight), self.second_factor, self.present].into_iter().flatten();
        own.chain(z.iter().copied()).collect()
    }
}

impl Step {
    /// Steps whose values this step reads.
    pub(crate) fn operands(&self) -> Vec<Slot> {
        match self {
            Step::Input { .. } | Step::Previous { .. } | Step::Constant { .. } => vec![],
            Step::Membership { x, .. } => vec![*x],
            Step::Tsukamoto { strength, .. } => vec![*strength],
            Step::Linear { inputs, .. } => inputs.clone(),
            Step::Function { arguments, .. } => arguments.clone(),
            Step::Unary { x, .. } => vec![*x],
            Step::Binary { a, b, .. } => vec![*a, *b],
            Step::Select { mask, then, otherwise } => vec![*mask, *then, *otherwise],
            Step::Rank { strengths, firing, .. } => strengths.iter().chain(firing).copied().collect(),
            Step::Weighted { terms, .. } => terms.iter().flat_map(Term::operands).collect(),
            Step::Defuzzify { strengths, row_values, .. } => {
                strengths.iter().chain(row_values).copied().collect()
            }
        }
    }

    /// Copy of the step with every operand replaced by `map(operand)`.
    pub(crate) fn remap(&self, map: impl Fn(Slot) -> Slot) -> Step {
        let mut step = self.clone();
        match &mut step {
            Step::Input { .. } | Step::Previous { .. } | Step::Constant { .. } => {}
            Step::Membership { x, .. } | Step::Tsukamoto { strength: x, .. } | Step::Unary { x, .. } => {
                *x = map(*x);
            }
            Step::Linear { inputs: all, .. } | Step::Function { arguments: all, .. } => {
                all.iter_mut().for_each(|slot| *slot = map(*slot));
            }
            Step::Binary { a, b, .. } => (*a, *b) = (map(*a), map(*b)),
            Step::Select { mask, then, otherwise } => {
                (*mask, *then, *otherwise) = (map(*mask), map(*then), map(*otherwise));
            }
            Step::Rank { strengths: some, firing: others, .. }
            | Step::Defuzzify { strengths: some, row_values: others, .. } => {
                some.iter_mut().chain(others).for_each(|slot| *slot = map(*slot));
            }
            Step::Weighted { terms, .. } => {
                for term in terms {
                    term.weight = map(term.weight);
                    term.second_factor = term.second_factor.map(&map);
                    term.present = term.present.map(&map);
                    match &mut term.z {
                        Consequent::Constant(_) => {}
                        Consequent::Step(slot) => *slot = map(*slot),
                        Consequent::Linear { inputs, .. } => {
                            inputs.iter_mut().for_each(|slot| *slot = map(*slot));
                        }
                    }
                }
            }
        }
        step
    }
}
