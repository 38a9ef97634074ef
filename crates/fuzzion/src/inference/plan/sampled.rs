//! An output that is defuzzified over samples of its range. Everything independent of the row is precomputed.

use crate::inference::Defuzzifier;
use crate::sets::Segment;
use crate::sets::expression::Expression;
use crate::sets::{SNorm, TNorm};

/// Equations (2) and (3) for one output.
#[derive(Clone, Debug)]
pub(crate) struct Sampled {
    /// Sample positions in the output's range.
    pub(crate) y: Vec<f64>,
    /// Sets that rules conclude.
    pub(crate) sets: Vec<SampledSet>,
    /// Index of a concluded set and T of Equation (2); each term has one strength.
    pub(crate) terms: Vec<(usize, TNorm)>,
    /// S of Equation (2).
    pub(crate) aggregation: SNorm,
    /// A defuzzifier that works on samples.
    pub(crate) defuzzifier: Defuzzifier,
    /// The sets as straight lines if the centroid is computed in closed form.
    pub(crate) exact: Option<Vec<Vec<Segment>>>,
    /// Whether all strengths are guaranteed to be nonnegative.
    pub(crate) positive: bool,
    /// Whether rules that do not fire conclude nothing, even if the membership of their set is NaN in this row.
    pub(crate) fired_only: bool,
    /// Whether bisector, smallest and largest of maximum follow MATLAB's definitions.
    pub(crate) matlab: bool,
}

/// Memberships of a set at the samples.
#[derive(Clone, Debug)]
pub(crate) enum SampledSet {
    /// Memberships that do not depend on the row.
    Fixed(Vec<f64>),
    /// The same membership at every sample, read from the step's `row_values`.
    RowConstant { index: usize, negated: bool },
    /// A formula of y (`None`) and of the step's `row_values`.
    Formula { expression: Expression, arguments: Vec<Option<usize>>, negated: bool },
}

impl Sampled {
    /// Memberships of every term's set, or `None` if any of them depends on the row.
    pub(crate) fn fixed_memberships(&self) -> Option<Vec<&[f64]>> {
        let of_term = |(set, _): &(usize, TNorm)| match &self.sets[*set] {
            SampledSet::Fixed(memberships) => Some(memberships.as_slice()),
            _ => None,
        };
        self.terms.iter().map(of_term).collect()
    }

    /// Whether the membership of a term's set is 0 for a strength of 0 although it depends on the row, and so may be NaN.
    pub(crate) fn ignores_unfired(&self, set: usize) -> bool {
        self.fired_only && !matches!(self.sets[set], SampledSet::Fixed(_))
    }

    /// Whether every term uses this implication.
    pub(crate) fn implied_by(&self, norm: TNorm) -> bool {
        self.terms.iter().all(|(_, implication)| *implication == norm)
    }

    /// Number of arguments of a set's formula.
    pub(crate) fn arguments_of(set: &SampledSet) -> usize {
        match set {
            SampledSet::Formula { arguments, .. } => arguments.len(),
            _ => 0,
        }
    }
}
