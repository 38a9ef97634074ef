//! When rules apply: the sets and which of them each rule uses.

use super::form::{Form, Parameters};

/// The place of a rule that does not look at an input.
pub(super) const ANY: u32 = u32::MAX;

/// One set over one input, in scaled coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TunedSet {
    /// The input it is a set of.
    pub(super) input: usize,
    pub(super) parameters: Parameters,
}

/// The antecedents of all rules. Tied sets are used by several rules, untied ones by one each: nothing else differs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Antecedents {
    pub(super) form: Form,
    pub(super) inputs: usize,
    pub(super) sets: Vec<TunedSet>,
    /// Which set rule k uses for input j, at k·inputs + j; [`ANY`] for none.
    pub(super) uses: Vec<u32>,
}

impl Antecedents {
    /// How many rules there are.
    pub(super) fn rules(&self) -> usize {
        self.uses.len() / self.inputs
    }

    /// The set that `rule` uses for `input`.
    pub(super) fn set(&self, rule: usize, input: usize) -> Option<&TunedSet> {
        self.sets.get(self.uses[rule * self.inputs + input] as usize)
    }

    /// The same rules, each with sets of its own.
    pub(super) fn untied(&self) -> Self {
        let mut sets = Vec::new();
        let mut uses = Vec::new();
        for set in &self.uses {
            match self.sets.get(*set as usize) {
                Some(set) => {
                    uses.push(sets.len() as u32);
                    sets.push(*set);
                }
                None => uses.push(ANY),
            }
        }
        Antecedents { sets, uses, ..*self }
    }

    /// φ of every rule for one row, equation (1); NaN inputs are missing.
    pub(super) fn firing(&self, x: &[f64]) -> Vec<f64> {
        let ln = |rule: usize| -> f64 {
            let term = |j: usize| match self.set(rule, j) {
                Some(set) if !x[j].is_nan() => self.form.ln_membership(&set.parameters, x[j]),
                _ => 0.0,
            };
            (0..self.inputs).map(term).sum()
        };
        let ln: Vec<f64> = (0..self.rules()).map(ln).collect();
        let most = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return vec![0.0; ln.len()];
        }
        let strengths: Vec<f64> = ln.iter().map(|ln| (ln - most).exp()).collect();
        let sum: f64 = strengths.iter().sum();
        strengths.iter().map(|strength| strength / sum).collect()
    }
}
