//! Normal equations: ΦᵀWΦ and ΦᵀWY, additive over rows.

use crate::data::encoded;
use crate::tuning::error::{Result, TuningError};
use serde::{Deserialize, Serialize};

/// Normal equations of the least-squares problem, Equation (3). Those of separate chunks of data, from several files
/// or machines, can be [merged](NormalEquations::merge) if they belong to systems with the same rules. They implement
/// serde's traits:
///
/// ```
/// use fuzzion::tuning::NormalEquations;
///
/// // One rule with a constant consequent: Φ is 1 in every row. The local chunk has y = 2 and 4, the remote one y = 9.
/// let mut local = NormalEquations {
///     unknowns: 1, outputs: 1, gram: vec![2.0], cross: vec![6.0], squares: vec![20.0], weight: 2.0, rows: 2,
/// };
/// let remote = r#"{"unknowns": 1, "outputs": 1, "gram": [1], "cross": [9], "squares": [81], "weight": 1, "rows": 1}"#;
/// local.merge(&serde_json::from_str(remote)?)?;
/// assert_eq!((local.gram[0], local.cross[0], local.rows), (3.0, 15.0, 3)); // θ = 15/3, the mean of all three
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NormalEquations {
    /// Number of unknowns per output.
    pub unknowns: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Lower triangle of ΦᵀWΦ, by rows.
    pub gram: Vec<f64>,
    /// ΦᵀWY, by output.
    pub cross: Vec<f64>,
    /// YᵀWY of each output.
    pub squares: Vec<f64>,
    /// Sum of the weights.
    pub weight: f64,
    /// Number of rows.
    pub rows: u64,
}

encoded! { NormalEquations { unknowns, outputs, gram, cross, squares, weight, rows } }

impl NormalEquations {
    /// Unpacks the lower triangle, by rows, of the products of all columns of Φ followed by the targets.
    pub(in crate::tuning) fn from_triangle(
        triangle: &[f64],
        (unknowns, outputs): (usize, usize),
        weight: f64,
        rows: usize,
    ) -> Self {
        let mut normal_equations = NormalEquations::zero(unknowns, outputs);
        let (gram, mut beyond) = triangle.split_at(normal_equations.gram.len());
        normal_equations.gram.copy_from_slice(gram);
        // The row of target o contains its products with all columns of Φ, then with targets 0 to o.
        for (o, cross) in normal_equations.cross.chunks_exact_mut(unknowns).enumerate() {
            let (row, rest) = beyond.split_at(unknowns + o + 1);
            cross.copy_from_slice(&row[..unknowns]);
            normal_equations.squares[o] = row[unknowns + o];
            beyond = rest;
        }
        (normal_equations.weight, normal_equations.rows) = (weight, rows as u64);
        normal_equations
    }

    /// Normal equations of zero rows.
    pub(in crate::tuning) fn zero(unknowns: usize, outputs: usize) -> Self {
        NormalEquations {
            unknowns,
            outputs,
            gram: vec![0.0; unknowns * (unknowns + 1) / 2],
            cross: vec![0.0; unknowns * outputs],
            squares: vec![0.0; outputs],
            weight: 0.0,
            rows: 0,
        }
    }

    /// Diagonal entry m of ΦᵀWΦ.
    pub(in crate::tuning) fn diagonal(&self, m: usize) -> f64 {
        self.gram[m * (m + 1) / 2 + m]
    }

    /// Adds the normal equations of other rows.
    ///
    /// # Errors
    /// [`TuningError::NormalEquationsShape`] if the numbers of unknowns or outputs differ,
    /// [`TuningError::NormalEquationsParts`] if an array has the wrong length; `self` is then unchanged.
    pub fn merge(&mut self, other: &NormalEquations) -> Result<()> {
        self.check()?;
        other.check()?;
        if (self.unknowns, self.outputs) != (other.unknowns, other.outputs) {
            return Err(TuningError::NormalEquationsShape {
                found: (other.unknowns, other.outputs),
                expected: (self.unknowns, self.outputs),
            });
        }
        self.add(other);
        Ok(())
    }

    /// Checks the lengths of all arrays.
    ///
    /// # Errors
    /// [`TuningError::NormalEquationsParts`].
    pub(in crate::tuning) fn check(&self) -> Result<()> {
        let triangle = self.unknowns.checked_add(1).and_then(|next| next.checked_mul(self.unknowns));
        let parts = [
            ("gram", self.gram.len(), triangle.map(|square| square / 2)),
            ("cross", self.cross.len(), self.unknowns.checked_mul(self.outputs)),
            ("squares", self.squares.len(), Some(self.outputs)),
        ];
        match parts.into_iter().find(|(_, found, expected)| Some(*found) != *expected) {
            Some((part, found, _)) => Err(TuningError::NormalEquationsParts {
                part,
                found,
                unknowns: self.unknowns,
                outputs: self.outputs,
            }),
            None => Ok(()),
        }
    }

    /// Adds the normal equations of other rows of the same system.
    pub(in crate::tuning) fn add(&mut self, other: &NormalEquations) {
        let add = |sums: &mut [f64], more: &[f64]| sums.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
        add(&mut self.gram, &other.gram);
        add(&mut self.cross, &other.cross);
        add(&mut self.squares, &other.squares);
        self.weight += other.weight;
        self.rows += other.rows;
    }
}
