//! An output that is defuzzified over samples of its range, with all that does not depend on the row worked out.

use crate::inference::defuzzifier::Defuzzifier;
use crate::sets::expression::Expression;
use crate::sets::lines::Line;
use crate::sets::{SNorm, TNorm};

/// Equations (2) and (3) for one output.
#[derive(Clone, Debug)]
pub(crate) struct Sampled {
    /// The places where the range is sampled.
    pub(crate) y: Vec<f64>,
    /// The concluded sets.
    pub(crate) sets: Vec<SampledSet>,
    /// What is concluded: a set and T of equation (2); one strength belongs to each.
    pub(crate) terms: Vec<(usize, TNorm)>,
    /// S of equation (2).
    pub(crate) aggregation: SNorm,
    /// One of those that are sampled.
    pub(crate) defuzzifier: Defuzzifier,
    /// The sets as straight lines, where the centroid shall be exact.
    pub(crate) exact: Option<Vec<Vec<Line>>>,
    /// Whether no strength is ever negative.
    pub(crate) positive: bool,
    /// Whether bisector, smallest and largest of maximum are MATLAB's.
    pub(crate) matlab: bool,
}

/// A set at the samples.
#[derive(Clone, Debug)]
pub(crate) enum SampledSet {
    /// Its memberships.
    Fixed(Vec<f64>),
    /// The same membership at every sample, which is one of the step's `rows`.
    OfRow { row: usize, negated: bool },
    /// A formula of y (`None`) and of the step's `rows`.
    Formula { expression: Expression, arguments: Vec<Option<usize>>, negated: bool },
}

impl Sampled {
    /// The memberships of every term's set, where none depends on the row.
    pub(crate) fn fixed(&self) -> Option<Vec<&[f64]>> {
        let of_term = |(set, _): &(usize, TNorm)| match &self.sets[*set] {
            SampledSet::Fixed(memberships) => Some(memberships.as_slice()),
            _ => None,
        };
        self.terms.iter().map(of_term).collect()
    }

    /// Whether every term is implied by that norm.
    pub(crate) fn implied_by(&self, norm: TNorm) -> bool {
        self.terms.iter().all(|(_, implication)| *implication == norm)
    }

    /// How many values a set's formula reads.
    pub(crate) fn arguments_of(set: &SampledSet) -> usize {
        match set {
            SampledSet::Formula { arguments, .. } => arguments.len(),
            _ => 0,
        }
    }
}
