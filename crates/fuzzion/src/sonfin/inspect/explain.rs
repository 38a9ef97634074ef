//! Explanations of single predictions.

use super::rules::Prototype;
use crate::base::SettingError;
use crate::data::{Samples, host_samples};
use crate::sonfin::error::Result;
use crate::sonfin::model::Model;
use crate::sonfin::reference::textbook::{firing, ln_mu, outputs, rules_in_f64};
use crate::sonfin::types::argmax::argmax;

/// Normalized firing strength below which a rule is omitted.
const MIN_FIRING: f64 = 1e-3;

/// Explanation of the prediction for one sample.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PredictionExplanation {
    /// Predicted class; `None` for numeric targets.
    pub label: Option<String>,
    /// Outputs as in [`Model::scores`].
    pub outputs: Vec<f64>,
    /// Rules with a normalized firing strength of at least 0.001, strongest first.
    pub rules: Vec<FiredRule>,
    /// Rule with the largest firing strength.
    pub nearest: Prototype,
    /// ln μ of that rule; 0 at its center.
    pub ln_membership: f64,
    /// Fraction of that ln μ contributed by each input, in the order of [`Model::inputs`]; all 0 if the sample is
    /// at the center of the rule.
    pub input_fractions: Vec<f64>,
}

/// A rule that fires for a sample.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FiredRule {
    /// Rule number, from 1.
    pub rule: usize,
    /// Normalized firing strength φ.
    pub firing_strength: f64,
    /// Class with the largest consequent of the rule for the sample; `None` for numeric targets.
    pub label: Option<String>,
}

impl Model {
    /// Explains the prediction for one row of `samples`: the rules that fire, and how the row differs from the
    /// nearest rule.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::Sonfin};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let model = Sonfin::new().rate_w(0.0).rate_m(0.0).rate_s(0.0).fit(&rows, &["y"], &device)?;
    /// let explanation = model.explain(&Table::new(["x"], vec![0.5])?, 0)?;
    /// assert_eq!(explanation.rules[0].firing_strength, 0.5); // both rules fire equally
    /// assert_eq!((explanation.outputs[0], explanation.ln_membership), (15.0, -1.0)); // the distance is σ
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if the row does not exist, and those of [`Model::predict`].
    pub fn explain<'a>(&self, samples: impl Into<Samples<'a>>, row: usize) -> Result<PredictionExplanation> {
        self.explain_row(&host_samples(samples)?, row)
    }

    fn explain_row(&self, samples: &Samples<'_>, row: usize) -> Result<PredictionExplanation> {
        if row >= samples.rows() {
            let (name, must) = ("row", "below the number of rows");
            return Err(
                SettingError::OutOfRange { algorithm: "sonfin", name, value: row as f64, must }.into()
            );
        }
        let x: Vec<f64> = self.scaled(samples, row..row + 1)?.x.iter().map(|x| f64::from(*x)).collect();
        let rules = rules_in_f64(self.network());
        let ln_mu: Vec<f64> = rules.iter().map(|rule| ln_mu(rule, &x)).collect();
        let phi = firing(&ln_mu);
        let mut y = outputs(&rules, &phi, self.network().outputs);
        let mut shared = vec![0.0; y.len()];
        if let Some(linear) = &self.linear {
            let row: Vec<f32> = x.iter().map(|x| *x as f32).collect();
            linear.add_to(&row, &mut shared);
        }
        y.iter_mut().zip(&shared).for_each(|(y, shared)| *y += shared);
        self.unscale_outputs(&mut y);
        let mut fired: Vec<usize> = (0..rules.len()).filter(|k| phi[*k] >= MIN_FIRING).collect();
        fired.sort_by(|a, b| phi[*b].total_cmp(&phi[*a]).then(a.cmp(b)));
        let label = |k: usize| {
            let w = &self.network().w[k * shared.len()..][..shared.len()];
            let consequents: Vec<f64> =
                w.iter().zip(&shared).map(|(w, shared)| f64::from(*w) + shared).collect();
            self.classes.get(argmax(&consequents)).cloned()
        };
        let nearest = argmax(&ln_mu);
        let fraction = |j: usize| {
            let (x, m, s) = (x[j], rules[nearest].m[j], rules[nearest].s[j]);
            let z = if x.is_nan() || s.is_infinite() { 0.0 } else { (x - m) / s };
            if ln_mu[nearest] == 0.0 { 0.0 } else { z * z / -ln_mu[nearest] }
        };
        let spreads: Vec<f64> = (0..x.len()).map(|j| self.spread(j)).collect();
        Ok(PredictionExplanation {
            label: self.classes.get(argmax(&y)).cloned(),
            rules: fired
                .into_iter()
                .map(|k| FiredRule { rule: k + 1, firing_strength: phi[k], label: label(k) })
                .collect(),
            nearest: self.prototype(nearest, &spreads),
            ln_membership: ln_mu[nearest],
            input_fractions: (0..x.len()).map(fraction).collect(),
            outputs: y,
        })
    }
}
