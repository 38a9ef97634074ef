//! Stability of rules over bootstrap resamples.

use super::report::RuleReport;
use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::random::Random;
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;
use crate::tuning::settings::{Tuner, out_of_range};
use crate::tuning::training::fit::fit;

/// Maximum number of rows over which rules are compared.
const COMPARED_ROWS: usize = 5000;
/// Minimum similarity of two rules, Equation (7).
const MIN_SIMILARITY: f64 = 0.5;
/// Conclusions that differ by less than this fraction of the target's range agree.
const MAX_DIFFERENCE: f64 = 0.1;

impl TunedSystem {
    /// How often each rule is learned again: the fraction of `resamples` bootstrap resamples of `samples` in which a
    /// similar rule is found by a fit with the settings `tuner`, or with those that [`Tuner::auto`] chose for this system.
    ///
    /// Two rules are similar if their similarity, Equation (7) of [`inspect`](super), is at least 0.5 over at most 5000
    /// evenly spaced rows, and their conclusions agree: for classifiers, they have the same class; for regression, they
    /// are on the same side of the mean target, or differ by at most a tenth of its range.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows = (0..300i32).flat_map(|i| [f64::from(i % 20), f64::from(i % 7), if i % 20 < 10 { 1.0 } else { 5.0 }]);
    /// let (rows, device) = (Table::new(["a", "b", "y"], rows.collect::<Vec<f64>>())?, Device::cpu()?);
    /// let tuner = Tuner::tree(2);
    /// let tuned = tuner.fit(&rows, &["y"], &device)?;
    /// assert_eq!(tuned.rule_stability(&tuner, &rows, 3, &device)?, [1.0, 1.0]); // the step is always found
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::SettingError::OutOfRange) for 0 resamples, and those of [`Tuner::fit`].
    pub fn rule_stability<'a>(
        &self,
        tuner: &Tuner,
        samples: impl Into<Samples<'a>>,
        resamples: usize,
        device: &Device,
    ) -> Result<Vec<f64>> {
        if resamples == 0 {
            return Err(out_of_range("resamples", 0.0, "at least 1").into());
        }
        let samples = host_samples(samples)?;
        let tuner = self.refit_settings(tuner);
        let rules = self.compared_rules(&samples, device)?;
        let targets: Vec<&str> = self.targets.iter().map(String::as_str).collect();
        let mut found = vec![0usize; rules.reports.len()];
        for resample in 0..resamples {
            let mut random = Random::new(tuner.seed.wrapping_add(1 + resample as u64));
            let mut weights = vec![0.0; samples.rows()];
            for _ in 0..samples.rows() {
                let row = (random.bits() % samples.rows() as u64) as usize;
                weights[row] += samples.weights().map_or(1.0, |weights| weights[row]);
            }
            let refitted = fit(&tuner, &samples.clone().with_weights(&weights)?, &targets, device)?;
            let others = refitted.compared_rules(&samples, device)?;
            for (rule, found) in found.iter_mut().enumerate() {
                let is_found =
                    (0..others.reports.len()).any(|other| self.is_similar(&rules, rule, &others, other));
                *found += usize::from(is_found);
            }
        }
        Ok(found.into_iter().map(|found| found as f64 / resamples as f64).collect())
    }

    /// The settings of `tuner`, with those that [`Tuner::auto`] chose for this system.
    fn refit_settings(&self, tuner: &Tuner) -> Tuner {
        let mut tuner = Tuner { classes: self.classes.clone(), bounded: Some(self.bounded), ..tuner.clone() };
        if let Some(trial) = self.report.trials.iter().find(|trial| trial.chosen) {
            (tuner.initial_rules, tuner.order) = (trial.initial_rules.clone(), trial.order);
            (tuner.rate, tuner.iterations) = (Some(trial.rate), trial.iterations);
        }
        tuner
    }

    fn compared_rules(&self, samples: &Samples<'_>, device: &Device) -> Result<ComparedRules> {
        let rows = self.inspected_rows(samples, COMPARED_ROWS)?;
        let firing = self.firing(&rows.samples, device.host_cpu());
        let reports = self.reports_of(&rows, &firing, device)?;
        let mean = |column: &Vec<f64>| column.iter().sum::<f64>() / column.len() as f64;
        let mut means: Vec<f64> = rows.samples.targets.iter().map(mean).collect();
        for (o, mean) in means.iter_mut().enumerate() {
            self.scale.unscale_target(o, std::slice::from_mut(mean));
        }
        Ok(ComparedRules { firing, reports, means })
    }

    fn is_similar(&self, rules: &ComparedRules, rule: usize, others: &ComparedRules, other: usize) -> bool {
        let (a, b) = (&rules.reports[rule], &others.reports[other]);
        let agrees = match self.classes.is_empty() {
            true => {
                let pairs = a.conclusions.iter().zip(&b.conclusions).zip(&rules.means);
                pairs.zip(&self.scale.target_span).all(|(((a, b), mean), span)| {
                    (a.value - mean) * (b.value - mean) > 0.0
                        || (a.value - b.value).abs() <= MAX_DIFFERENCE * span
                })
            }
            false => class_of(a) == class_of(b),
        };
        agrees && similarity(rules.firing_of(rule), others.firing_of(other)) >= MIN_SIMILARITY
    }
}

/// Rules with their firing strengths over the same rows, and the mean targets of these rows.
struct ComparedRules {
    firing: Vec<f64>,
    reports: Vec<RuleReport>,
    means: Vec<f64>,
}

impl ComparedRules {
    fn firing_of(&self, rule: usize) -> impl Iterator<Item = &f64> {
        self.firing.iter().skip(rule).step_by(self.reports.len())
    }
}

/// Index of the class of a rule.
fn class_of(report: &RuleReport) -> Option<usize> {
    let values = report.conclusions.iter().enumerate();
    values.max_by(|a, b| a.1.value.total_cmp(&b.1.value)).map(|(class, _)| class)
}

/// Equation (7).
fn similarity<'a>(a: impl Iterator<Item = &'a f64>, b: impl Iterator<Item = &'a f64>) -> f64 {
    let sums = a.zip(b).fold((0.0, 0.0), |(min, max), (a, b)| (min + a.min(*b), max + a.max(*b)));
    if sums.1 > 0.0 { sums.0 / sums.1 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::similarity;

    #[test]
    fn the_similarity_is_the_overlap_of_firing_strengths() {
        let of = |a: &[f64], b: &[f64]| similarity(a.iter(), b.iter());
        assert_eq!(of(&[0.2, 0.9, 0.0], &[0.2, 0.9, 0.0]), 1.0);
        assert_eq!(of(&[1.0, 0.0], &[0.0, 1.0]), 0.0);
        assert_eq!(of(&[1.0, 0.5, 0.0], &[0.5, 0.5, 0.5]), 0.5); // 1 / 2
        assert_eq!(of(&[0.0], &[0.0]), 0.0);
    }
}
