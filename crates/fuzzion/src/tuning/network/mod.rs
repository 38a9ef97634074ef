//! TSK network during training: antecedents, frames and consequents in scaled coordinates.

pub(crate) mod antecedents;
pub(super) mod basis;
pub(crate) mod form;

use crate::data::Encode;
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

/// The basis is derived from its order.
impl Encode for Network {
    fn encode(&self, out: &mut Vec<u8>) {
        self.antecedents.encode(out);
        self.basis.order.encode(out);
        self.outputs.encode(out);
        self.frames.encode(out);
        self.theta.encode(out);
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let antecedents = Antecedents::decode(bytes).filter(|antecedents| antecedents.inputs > 0)?;
        let (order, outputs) = (usize::decode(bytes)?, usize::decode(bytes)?);
        let (frames, theta) = (Frames::decode(bytes)?, Vec::decode(bytes)?);
        let terms = theta.len().checked_div(outputs.checked_mul(antecedents.rules())?)?;
        // The number of monomials in d inputs up to degree n is C(d + n, n); an order that is too large is not computed.
        let expected = (1..=order).try_fold(1usize, |count, n| {
            Some(count.checked_mul(antecedents.inputs + n)? / n).filter(|count| *count <= terms)
        })?;
        let lengths = [frames.centers.len(), frames.inverse_widths.len()];
        let fits = terms == expected && lengths == [antecedents.set_indices.len(); 2];
        fits.then(|| Network { outputs, frames, theta, ..Network::new(antecedents, order, 0) })
    }
}
