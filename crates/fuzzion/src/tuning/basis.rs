//! What rules conclude: polynomials in the frame of each rule.

use super::antecedents::Antecedents;

/// The monomials up to a total degree, as exponents: 1, u₁, …, u_d, u₁², u₁u₂, …
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Basis {
    pub(super) inputs: usize,
    pub(super) order: usize,
    /// The exponents of each monomial; by degree, then in the order of the inputs.
    pub(super) terms: Vec<Vec<u32>>,
    /// Monomial t > 0 is monomial `from[t].0` times input `from[t].1`.
    pub(super) from: Vec<(usize, usize)>,
}

impl Basis {
    pub(super) fn new(inputs: usize, order: usize) -> Self {
        let mut terms = vec![vec![0; inputs]];
        let mut from = vec![(0, 0)];
        let mut last = 0..1;
        for _ in 0..order {
            let first = terms.len();
            for parent in last.clone() {
                // Only inputs from the last one that occurs on: each monomial is made once.
                let start = terms[parent].iter().rposition(|e| *e > 0).unwrap_or(0);
                for input in start..inputs {
                    let mut term = terms[parent].clone();
                    term[input] += 1;
                    terms.push(term);
                    from.push((parent, input));
                }
            }
            last = first..terms.len();
        }
        Basis { inputs, order, terms, from }
    }

    /// How many monomials there are: the unknowns of one rule and output.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The monomials at `u`.
    pub(super) fn values(&self, u: &[f64]) -> Vec<f64> {
        let mut values = vec![1.0; self.len()];
        for t in 1..self.len() {
            values[t] = values[self.from[t].0] * u[self.from[t].1];
        }
        values
    }
}

/// Where the monomials of each rule are centered: u = (x − center)·inverse, at rule·inputs + input.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frames {
    pub(super) centers: Vec<f64>,
    pub(super) inverses: Vec<f64>,
}

impl Frames {
    /// The frames that `antecedents` ask for; an input that a rule does not look at is centered on its range.
    pub(super) fn of(antecedents: &Antecedents) -> Self {
        let mut frames = Frames { centers: Vec::new(), inverses: Vec::new() };
        for rule in 0..antecedents.rules() {
            for input in 0..antecedents.inputs {
                let (center, width) = match antecedents.set(rule, input) {
                    Some(set) => antecedents.form.frame(&set.parameters),
                    None => (0.5, 0.5),
                };
                frames.centers.push(center);
                frames.inverses.push(1.0 / width);
            }
        }
        frames
    }

    /// u of `rule` at `x`; 0 where x is missing.
    pub(super) fn local(&self, rule: usize, x: &[f64]) -> Vec<f64> {
        let first = rule * x.len();
        let frame = self.centers[first..].iter().zip(&self.inverses[first..]);
        let local = |(x, (center, inverse)): (&f64, (&f64, &f64))| {
            if x.is_nan() { 0.0 } else { (x - center) * inverse }
        };
        x.iter().zip(frame).map(local).collect()
    }
}
