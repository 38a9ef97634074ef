//! What a plan is made of: steps that each give one number per row, from numbers that earlier steps gave.

use super::sampled::Sampled;
use crate::inference::rule::Comparison;
use crate::sets::expression::Expression;
use crate::sets::{Hedge, SNorm, Set, TNorm};

/// A number by the step that gives it.
pub(crate) type Slot = usize;

/// One step. A mask is a number that is 1 or 0.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A value of the row.
    Input { input: usize },
    /// What an output was in the row before.
    Previous { output: usize },
    /// The same for every row.
    Number { value: f64 },
    /// μ(x).
    Membership { set: Set, x: Slot },
    /// The x with μ(x) = strength.
    Tsukamoto { set: Set, strength: Slot },
    /// Σ coefficient·input + constant.
    Linear { coefficients: Vec<f64>, constant: f64, inputs: Vec<Slot> },
    /// A formula of the arguments, in the order of its variables.
    Function { expression: Expression, arguments: Vec<Slot> },
    /// One number becomes another.
    One { one: One, of: Slot },
    /// Two numbers become one.
    Two { two: Two, a: Slot, b: Slot },
    /// `then` where the mask is 1, otherwise the other.
    Choice { mask: Slot, then: Slot, otherwise: Slot },
    /// How many of the firing rules stand before the `own`th, the strongest (or weakest) first, the earlier of equals
    /// first.
    Rank { own: usize, strengths: Vec<Slot>, firing: Vec<Slot>, strongest: bool },
    /// Equation (4); NaN where Σ w is less than `least`.
    Weighted { terms: Vec<Term>, end: WeightedEnd, least: f64 },
    /// Equations (2) and (3).
    Defuzzify { sampled: Box<Sampled>, strengths: Vec<Slot>, rows: Vec<Slot> },
}

/// What makes one number of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum One {
    Hedge(Hedge),
    Times(f64),
    DividedBy(f64),
    /// The number, 0 where it is NaN or negative.
    Positive,
    /// The number; NaN and −∞ count as 0, ∞ as 1.
    Whole,
    /// The number, 0 where it is less than that.
    Flushed(f64),
    /// A mask: more than that; NaN is not.
    Above(f64),
    /// A mask.
    Compared(Comparison, f64),
    /// A mask.
    IsNan,
    /// Moved into a range; NaN stays.
    Locked(f64, f64),
}

/// What makes one number of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Two {
    And(TNorm),
    Or(SNorm),
    /// The smaller one of two numbers that are not NaN.
    Least,
    /// The larger one of two numbers that are not NaN.
    Most,
    Plus,
    Minus,
    Times,
    Over,
}

/// One concluded set of a weighted defuzzifier.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) weight: Slot,
    /// What the weight is multiplied by, where it is a product that nothing else needs.
    pub(crate) times: Option<Slot>,
    pub(crate) z: Consequent,
    /// Where it takes part, if not everywhere; a weight of 0 does not hide a NaN.
    pub(crate) present: Option<Slot>,
}

/// z of equation (4).
#[derive(Clone, Debug)]
pub(crate) enum Consequent {
    Number(f64),
    Value(Slot),
    /// Σ coefficient·input + constant.
    Plane {
        coefficients: Vec<f64>,
        constant: f64,
        inputs: Vec<Slot>,
    },
}

/// What is made of Σ w·z and Σ w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeightedEnd {
    /// Σ w·z / Σ w.
    Average,
    /// (Σ w·z / Σ w)·Σ w: NaN where nothing was concluded.
    Sum,
    /// Σ w·z, 0 where nothing was concluded.
    PlainSum,
}

impl Term {
    /// The numbers it needs.
    pub(crate) fn needs(&self) -> Vec<Slot> {
        let z = match &self.z {
            Consequent::Number(_) => &[],
            Consequent::Value(slot) => std::slice::from_ref(slot),
            Consequent::Plane { inputs, .. } => inputs.as_slice(),
        };
        let own = [Some(self.weight), self.times, self.present].into_iter().flatten();
        own.chain(z.iter().copied()).collect()
    }
}

impl Step {
    /// The numbers it needs.
    pub(crate) fn needs(&self) -> Vec<Slot> {
        match self {
            Step::Input { .. } | Step::Previous { .. } | Step::Number { .. } => vec![],
            Step::Membership { x, .. } => vec![*x],
            Step::Tsukamoto { strength, .. } => vec![*strength],
            Step::Linear { inputs, .. } => inputs.clone(),
            Step::Function { arguments, .. } => arguments.clone(),
            Step::One { of, .. } => vec![*of],
            Step::Two { a, b, .. } => vec![*a, *b],
            Step::Choice { mask, then, otherwise } => vec![*mask, *then, *otherwise],
            Step::Rank { strengths, firing, .. } => strengths.iter().chain(firing).copied().collect(),
            Step::Weighted { terms, .. } => terms.iter().flat_map(Term::needs).collect(),
            Step::Defuzzify { strengths, rows, .. } => strengths.iter().chain(rows).copied().collect(),
        }
    }

    /// The same, needing what `place` makes of every number it needs.
    pub(crate) fn moved(&self, place: impl Fn(Slot) -> Slot) -> Step {
        let mut step = self.clone();
        match &mut step {
            Step::Input { .. } | Step::Previous { .. } | Step::Number { .. } => {}
            Step::Membership { x: one, .. }
            | Step::Tsukamoto { strength: one, .. }
            | Step::One { of: one, .. } => *one = place(*one),
            Step::Linear { inputs: all, .. } | Step::Function { arguments: all, .. } => {
                all.iter_mut().for_each(|slot| *slot = place(*slot));
            }
            Step::Two { a, b, .. } => (*a, *b) = (place(*a), place(*b)),
            Step::Choice { mask, then, otherwise } => {
                (*mask, *then, *otherwise) = (place(*mask), place(*then), place(*otherwise));
            }
            Step::Rank { strengths: some, firing: others, .. }
            | Step::Defuzzify { strengths: some, rows: others, .. } => {
                some.iter_mut().chain(others).for_each(|slot| *slot = place(*slot));
            }
            Step::Weighted { terms, .. } => {
                for term in terms {
                    term.weight = place(term.weight);
                    term.times = term.times.map(&place);
                    term.present = term.present.map(&place);
                    match &mut term.z {
                        Consequent::Number(_) => {}
                        Consequent::Value(slot) => *slot = place(*slot),
                        Consequent::Plane { inputs, .. } => {
                            inputs.iter_mut().for_each(|slot| *slot = place(*slot));
                        }
                    }
                }
            }
        }
        step
    }
}
