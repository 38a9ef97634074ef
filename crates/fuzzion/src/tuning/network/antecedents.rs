//! Antecedents: the sets, and the sets each rule uses.

use crate::data::encoded;
use crate::tuning::network::form::{Form, Parameters};
use serde::{Deserialize, Serialize};

/// Set index of an input that does not occur in a rule.
pub(in crate::tuning) const NO_SET: u32 = u32::MAX;

/// Set over one input, in scaled coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScaledSet {
    /// Index of the input.
    pub input: usize,
    pub parameters: Parameters,
}

/// Antecedents of all rules. A tied set is used by several rules, an untied set by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Antecedents {
    pub form: Form,
    pub inputs: usize,
    pub sets: Vec<ScaledSet>,
    /// Index of the set that rule k uses for input j, at k·inputs + j; [`NO_SET`] if the input does not occur in the
    /// rule.
    pub set_indices: Vec<u32>,
}

encoded! { ScaledSet { input, parameters } }
encoded! { Antecedents { form, inputs, sets, set_indices } }

impl Antecedents {
    /// Number of rules.
    pub fn rules(&self) -> usize {
        self.set_indices.len() / self.inputs
    }

    /// The set that `rule` uses for `input`.
    pub(in crate::tuning) fn set(&self, rule: usize, input: usize) -> Option<&ScaledSet> {
        self.sets.get(self.set_indices[rule * self.inputs + input] as usize)
    }

    /// The same rules, each with its own copy of its sets.
    pub(in crate::tuning) fn untied(&self) -> Self {
        let mut sets = Vec::new();
        let mut set_indices = Vec::new();
        for set in &self.set_indices {
            match self.sets.get(*set as usize) {
                Some(set) => {
                    set_indices.push(sets.len() as u32);
                    sets.push(*set);
                }
                None => set_indices.push(NO_SET),
            }
        }
        Antecedents { sets, set_indices, ..*self }
    }

    /// Normalized firing strengths φ of all rules for one row, Equation (1); a NaN input is missing.
    pub(in crate::tuning) fn firing(&self, x: &[f64]) -> Vec<f64> {
        let ln: Vec<f64> = (0..self.rules()).map(|rule| self.ln_firing(rule, x)).collect();
        let max = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if max == f64::NEG_INFINITY {
            return vec![0.0; ln.len()];
        }
        let strengths: Vec<f64> = ln.iter().map(|ln| (ln - max).exp()).collect();
        let sum: f64 = strengths.iter().sum();
        strengths.iter().map(|strength| strength / sum).collect()
    }

    /// Log firing strength ln μ of the strongest rule for one row.
    pub(in crate::tuning) fn ln_strength(&self, x: &[f64]) -> f64 {
        (0..self.rules()).map(|rule| self.ln_firing(rule, x)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Log firing strength ln μ of `rule` for one row.
    fn ln_firing(&self, rule: usize, x: &[f64]) -> f64 {
        let term = |j: usize| match self.set(rule, j) {
            Some(set) if !x[j].is_nan() => self.form.ln_membership(&set.parameters, x[j]),
            _ => 0.0,
        };
        (0..self.inputs).map(term).sum()
    }
}
