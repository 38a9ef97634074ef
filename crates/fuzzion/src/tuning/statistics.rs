//! ΦᵀWΦ and ΦᵀWY, which add up over parts of the rows.

/// The sums that least squares needs, equation (3): those of parts of the rows, from several files or machines, are
/// [merged](Statistics::merge) into those of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// How many unknowns each output has.
    pub unknowns: usize,
    /// How many outputs there are.
    pub outputs: usize,
    /// ΦᵀWΦ, its lower triangle row by row.
    pub gram: Vec<f64>,
    /// ΦᵀWY, output by output.
    pub cross: Vec<f64>,
    /// YᵀWY of each output.
    pub squares: Vec<f64>,
    /// The sum of all weights.
    pub weight: f64,
    /// How many rows were added.
    pub rows: u64,
}

impl Statistics {
    /// Those of no rows.
    pub(super) fn zero(unknowns: usize, outputs: usize) -> Self {
        Statistics {
            unknowns,
            outputs,
            gram: vec![0.0; unknowns * (unknowns + 1) / 2],
            cross: vec![0.0; unknowns * outputs],
            squares: vec![0.0; outputs],
            weight: 0.0,
            rows: 0,
        }
    }
}
