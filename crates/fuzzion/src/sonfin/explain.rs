//! Why a sample gets what it gets.

use super::model::Model;
use super::reading::Prototype;
use super::textbook::{firing, largest, ln_mu, outputs, rules_of};
use crate::data::Table;
use crate::error::{Error, Result};

/// φ below which a rule is not told of.
const UNHEARD: f64 = 1e-3;

/// What carried the outputs of one sample.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The class that is found; `None` where the targets are numbers.
    pub label: Option<String>,
    /// The outputs, as [`Model::scores`] has them.
    pub outputs: Vec<f64>,
    /// The rules that have at least a thousandth of the say, the strongest first.
    pub rules: Vec<Heard>,
    /// The rule with the largest membership.
    pub nearest: Prototype,
    /// ln μ of that rule; 0 at its center.
    pub ln_membership: f64,
    /// The share of each input in that ln μ, in the order of [`Model::inputs`]: what keeps the sample from being the
    /// prototype. All 0 where nothing does.
    pub shares: Vec<f64>,
}

/// A rule that has a say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Heard {
    /// Its number, from 1.
    pub rule: usize,
    /// φ, its share of the say.
    pub strength: f64,
    /// The class it stands for; `None` where the targets are numbers.
    pub label: Option<String>,
}

impl Model {
    /// Which rules make the outputs of one row of `samples`, how strongly, and how the row differs from the nearest of them.
    ///
    /// # Errors
    /// [`Error::Parameter`] where there is no such row, and those of [`Model::predict`].
    pub fn explain(&self, samples: &Table, row: usize) -> Result<Explanation> {
        if row >= samples.rows() {
            let (algorithm, name, value) = ("sonfin", "row", row as f64);
            return Err(Error::Parameter { algorithm, name, value, must: "below the number of rows" });
        }
        let x: Vec<f64> = self.scaled(samples, row..row + 1)?.x.iter().map(|x| f64::from(*x)).collect();
        let rules = rules_of(self.network());
        let ln_mu: Vec<f64> = rules.iter().map(|rule| ln_mu(rule, &x)).collect();
        let phi = firing(&ln_mu);
        let mut y = outputs(&rules, &phi, self.network().outputs);
        self.in_units(&mut y);
        let prototypes = self.prototypes();
        let mut heard: Vec<usize> = (0..rules.len()).filter(|k| phi[*k] >= UNHEARD).collect();
        heard.sort_by(|a, b| phi[*b].total_cmp(&phi[*a]).then(a.cmp(b)));
        let label = |k: usize| self.classes.get(prototypes.class(k)).cloned();
        let nearest = largest(&ln_mu);
        let share = |j: usize| {
            let (x, m, s) = (x[j], rules[nearest].m[j], rules[nearest].s[j]);
            let z = if x.is_nan() || s.is_infinite() { 0.0 } else { (x - m) / s };
            if ln_mu[nearest] == 0.0 { 0.0 } else { z * z / -ln_mu[nearest] }
        };
        let spreads: Vec<f64> = (0..x.len()).map(|j| self.spread(j)).collect();
        Ok(Explanation {
            label: self.classes.get(largest(&y)).cloned(),
            rules: heard
                .into_iter()
                .map(|k| Heard { rule: k + 1, strength: phi[k], label: label(k) })
                .collect(),
            nearest: self.prototype(nearest, &spreads),
            ln_membership: ln_mu[nearest],
            shares: (0..x.len()).map(share).collect(),
            outputs: y,
        })
    }
}
