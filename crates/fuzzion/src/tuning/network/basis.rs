//! Consequents: polynomials in the local frame of each rule.

use crate::data::encoded;
use crate::tuning::network::antecedents::Antecedents;
use serde::{Deserialize, Serialize};

/// All monomials up to a total degree: 1, u₁, …, u_d, u₁², u₁u₂, …
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::tuning) struct MonomialBasis {
    pub(in crate::tuning) inputs: usize,
    pub(in crate::tuning) order: usize,
    /// Exponents of each monomial, by degree, then by input.
    pub(in crate::tuning) exponents: Vec<Vec<u32>>,
    /// Monomial t > 0 is monomial `parents[t].0` times input `parents[t].1`.
    pub(in crate::tuning) parents: Vec<(usize, usize)>,
}

impl MonomialBasis {
    pub(in crate::tuning) fn new(inputs: usize, order: usize) -> Self {
        let mut exponents = vec![vec![0; inputs]];
        let mut parents = vec![(0, 0)];
        let mut last = 0..1;
        for _ in 0..order {
            let first = exponents.len();
            for parent in last.clone() {
                // Multiply only by inputs at or after the last one that occurs, so that each monomial appears once.
                let start = exponents[parent].iter().rposition(|e| *e > 0).unwrap_or(0);
                for input in start..inputs {
                    let mut term = exponents[parent].clone();
                    term[input] += 1;
                    exponents.push(term);
                    parents.push((parent, input));
                }
            }
            last = first..exponents.len();
        }
        MonomialBasis { inputs, order, exponents, parents }
    }

    /// Number of monomials: the unknowns per rule and output.
    pub(in crate::tuning) fn len(&self) -> usize {
        self.exponents.len()
    }

    /// Values of all monomials at `u`.
    pub(in crate::tuning) fn evaluate(&self, u: &[f64]) -> Vec<f64> {
        let mut values = vec![1.0; self.len()];
        for t in 1..self.len() {
            values[t] = values[self.parents[t].0] * u[self.parents[t].1];
        }
        values
    }
}

/// Local frames of all rules: u = (x − center)·inverse width, at rule·inputs + input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::tuning) struct Frames {
    pub(in crate::tuning) centers: Vec<f64>,
    pub(in crate::tuning) inverse_widths: Vec<f64>,
}

encoded! { Frames { centers, inverse_widths } }

impl Frames {
    /// Frames at the sets of each rule; an input that does not occur in a rule uses the middle and half width of its
    /// range.
    pub(in crate::tuning) fn new(antecedents: &Antecedents) -> Self {
        let mut frames = Frames { centers: Vec::new(), inverse_widths: Vec::new() };
        for rule in 0..antecedents.rules() {
            for input in 0..antecedents.inputs {
                let (center, width) = match antecedents.set(rule, input) {
                    Some(set) => antecedents.form.frame(&set.parameters),
                    None => (0.5, 0.5),
                };
                frames.centers.push(center);
                frames.inverse_widths.push(1.0 / width);
            }
        }
        frames
    }

    /// u of `rule` at `x`; 0 for a missing input.
    pub(in crate::tuning) fn to_local(&self, rule: usize, x: &[f64]) -> Vec<f64> {
        let first = rule * x.len();
        let frame = self.centers[first..].iter().zip(&self.inverse_widths[first..]);
        let local = |(x, (center, inverse)): (&f64, (&f64, &f64))| {
            if x.is_nan() { 0.0 } else { (x - center) * inverse }
        };
        x.iter().zip(frame).map(local).collect()
    }
}
