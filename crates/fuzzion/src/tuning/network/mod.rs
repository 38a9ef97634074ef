//! TSK network during training: antecedents, frames and consequents in scaled coordinates.

pub(crate) mod antecedents;
pub(super) mod basis;
pub(crate) mod form;

use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::network::basis::{Frames, MonomialBasis};

/// All parameters of Equations (1) and (2).
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    pub antecedents: Antecedents,
    pub(in crate::tuning) basis: MonomialBasis,
    pub(in crate::tuning) frames: Frames,
    pub outputs: usize,
    /// θ of output o, rule k, monomial t, at (o·rules + k)·terms + t.
    pub theta: Vec<f64>,
}

impl Network {
    /// A network with all consequents 0.
    pub fn new(antecedents: Antecedents, order: usize, outputs: usize) -> Self {
        let basis = MonomialBasis::new(antecedents.inputs, order);
        let frames = Frames::new(&antecedents);
        let theta = vec![0.0; outputs * antecedents.rules() * basis.len()];
        Network { antecedents, basis, frames, outputs, theta }
    }

    /// Number of unknowns per output: the number of columns of Φ.
    pub fn unknowns(&self) -> usize {
        self.antecedents.rules() * self.basis.len()
    }

    /// Row of Φ in Equation (3) for one sample.
    pub(in crate::tuning) fn design_row(&self, x: &[f64]) -> Vec<f64> {
        let firing = self.antecedents.firing(x);
        let columns = firing.iter().enumerate().flat_map(|(rule, phi)| {
            let monomials = self.basis.evaluate(&self.frames.to_local(rule, x));
            monomials.into_iter().map(move |monomial| phi * monomial)
        });
        columns.collect()
    }

    /// ŷ of every output for one sample, Equation (2).
    pub(in crate::tuning) fn predict(&self, x: &[f64]) -> Vec<f64> {
        let row = self.design_row(x);
        let output = |theta: &[f64]| theta.iter().zip(&row).map(|(theta, phi)| theta * phi).sum();
        self.theta.chunks(row.len()).map(output).collect()
    }
}
