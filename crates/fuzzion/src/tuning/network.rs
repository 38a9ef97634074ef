//! A system while it learns: antecedents, frames and consequents in scaled coordinates.

use super::antecedents::Antecedents;
use super::basis::{Basis, Frames};

/// Everything that is learned, equations (1) and (2).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    pub(super) antecedents: Antecedents,
    pub(super) basis: Basis,
    pub(super) frames: Frames,
    pub(super) outputs: usize,
    /// θ of output o, rule k, monomial t, at (o·rules + k)·terms + t.
    pub(super) theta: Vec<f64>,
}

impl Network {
    /// A network whose consequents are all 0.
    pub(super) fn new(antecedents: Antecedents, order: usize, outputs: usize) -> Self {
        let basis = Basis::new(antecedents.inputs, order);
        let frames = Frames::of(&antecedents);
        let theta = vec![0.0; outputs * antecedents.rules() * basis.len()];
        Network { antecedents, basis, frames, outputs, theta }
    }

    /// How many unknowns each output has: the width of Φ.
    pub(super) fn unknowns(&self) -> usize {
        self.antecedents.rules() * self.basis.len()
    }

    /// Row Φ of equation (3) for one sample.
    pub(super) fn row(&self, x: &[f64]) -> Vec<f64> {
        let firing = self.antecedents.firing(x);
        let columns = firing.iter().enumerate().flat_map(|(rule, phi)| {
            let monomials = self.basis.values(&self.frames.local(rule, x));
            monomials.into_iter().map(move |monomial| phi * monomial)
        });
        columns.collect()
    }

    /// ŷ of every output for one sample, equation (2).
    pub(super) fn predict(&self, x: &[f64]) -> Vec<f64> {
        let row = self.row(x);
        let output = |theta: &[f64]| theta.iter().zip(&row).map(|(theta, phi)| theta * phi).sum();
        self.theta.chunks(row.len()).map(output).collect()
    }
}
