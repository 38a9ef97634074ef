//! Confusion matrix, receiver operating characteristics and calibration of classifiers.

use super::rows::MAX_ROWS;
use crate::data::{Samples, argmax_rows, host_samples};
use crate::device::Device;
use crate::inference::InferenceError;
use crate::random::shuffled;
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;
use crate::tuning::settings::Tuner;
use serde::{Deserialize, Serialize};

/// Number of bins of the calibration.
const BINS: usize = 10;

/// Report about a classifier over some rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClassificationReport {
    /// Class names.
    pub classes: Vec<String>,
    /// Total weight of the rows of each class (first index) that are predicted as each class (second index).
    pub confusion: Vec<Vec<f64>>,
    /// One curve for each class that has rows, and does not have all of them.
    pub roc: Vec<RocCurve>,
    /// Predicted and observed probabilities of all classes; bins without predictions are omitted.
    pub calibration: Vec<CalibrationBin>,
}

/// Receiver operating characteristic of a class against all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RocCurve {
    /// Class name.
    pub class: String,
    /// Fraction of the rows of other classes above each threshold, from 0 to 1.
    pub false_positive_rates: Vec<f64>,
    /// Fraction of the rows of the class above each threshold, from 0 to 1.
    pub true_positive_rates: Vec<f64>,
    /// Area under the curve: the probability that a row of the class has a higher output than another one.
    pub area: f64,
}

/// Predictions of a class with similar probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CalibrationBin {
    /// Mean predicted probability.
    pub predicted: f64,
    /// Fraction of the predictions that are correct.
    pub observed: f64,
    /// Total weight of the predictions.
    pub weight: f64,
}

impl Tuner {
    /// Indices of the validation rows that a fit of a table with `rows` rows holds out.
    ///
    /// ```
    /// use fuzzion::tuning::Tuner;
    /// assert_eq!(Tuner::grid(&[2]).validation(0.2).validation_rows(50).len(), 10);
    /// assert!(Tuner::grid(&[2]).validation_rows(50).is_empty());
    /// ```
    pub fn validation_rows(&self, rows: usize) -> Vec<usize> {
        let held_out = (rows as f64 * self.validation).round() as usize;
        match held_out {
            0 => Vec::new(),
            _ => shuffled(rows, self.seed).split_off(rows.saturating_sub(held_out)),
        }
    }
}

impl TunedSystem {
    /// Confusion matrix, receiver operating characteristics and calibration of a classifier over `samples`, at most
    /// 100,000 evenly spaced ones with positive weights. Class probabilities are the outputs, bounded to [0, 1] and divided
    /// by their sum.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::{Classify, Tuner}};
    /// let rows: Vec<f64> = (0..60).flat_map(|i| [f64::from(i), f64::from(i / 30)]).collect();
    /// let (rows, device) = (Table::new(["a", "side"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[2]).classify(Classify::OneHot).fit(&rows, &["side"], &device)?;
    /// let report = tuned.classification_report(&rows, &device)?;
    /// assert_eq!(report.confusion, [[30.0, 0.0], [0.0, 30.0]]);
    /// assert_eq!(report.roc[0].area, 1.0);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] for regression, and those of [`TunedSystem::normal_equations`].
    pub fn classification_report<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<ClassificationReport> {
        if self.classes.is_empty() {
            let location = "the classification report".to_owned();
            let problem = "requires a classifier; for regression, plot the residuals instead".to_owned();
            return Err(InferenceError::InvalidSystem { location, problem }.into());
        }
        let rows = self.inspected_rows(&host_samples(samples)?, MAX_ROWS)?.samples;
        let mut outputs = self.scaled_outputs(&rows, device)?;
        let classes = self.classes.len();
        let mut confusion = vec![vec![0.0; classes]; classes];
        let actual = argmax_rows(&rows.targets);
        for (row, (actual, predicted)) in actual.iter().zip(argmax_rows(&outputs)).enumerate() {
            confusion[*actual][predicted] += rows.weight(row);
        }
        let weights: Vec<f64> = (0..rows.rows()).map(|row| rows.weight(row)).collect();
        let of_class = |class: usize| {
            let is_positive: Vec<bool> = actual.iter().map(|actual| *actual == class).collect();
            let (rates, area) = roc(&outputs[class], &is_positive, &weights)?;
            let (false_positive_rates, true_positive_rates) = rates.into_iter().unzip();
            let class = self.classes[class].clone();
            Some(RocCurve { class, false_positive_rates, true_positive_rates, area })
        };
        let roc = (0..classes).filter_map(of_class).collect();
        normalize(&mut outputs);
        let predictions = (0..classes).flat_map(|class| {
            let outputs = outputs[class].iter().zip(&actual).zip(&weights);
            outputs.map(move |((p, actual), weight)| (*p, *actual == class, *weight))
        });
        Ok(ClassificationReport {
            classes: self.classes.clone(),
            confusion,
            roc,
            calibration: calibration(predictions),
        })
    }
}

/// Bounds the outputs of each row to [0, 1] and divides them by their sum.
fn normalize(outputs: &mut [Vec<f64>]) {
    let classes = outputs.len() as f64;
    for row in 0..outputs[0].len() {
        outputs.iter_mut().for_each(|column| column[row] = column[row].clamp(0.0, 1.0));
        let sum: f64 = outputs.iter().map(|column| column[row]).sum();
        outputs
            .iter_mut()
            .for_each(|column| column[row] = if sum > 0.0 { column[row] / sum } else { 1.0 / classes });
    }
}

/// Rates of false and true positives in descending order of the thresholds, and the area under the curve. `None` if all
/// rows or no rows are positive.
fn roc(scores: &[f64], is_positive: &[bool], weights: &[f64]) -> Option<(Vec<(f64, f64)>, f64)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let total = |positive: bool| -> f64 {
        is_positive.iter().zip(weights).filter(|(is, _)| **is == positive).map(|(_, weight)| weight).sum()
    };
    let (negatives, positives) = (total(false), total(true));
    if !(negatives > 0.0 && positives > 0.0) {
        return None;
    }
    let (mut counts, mut area) = ((0.0, 0.0), 0.0);
    let mut rates = vec![(0.0, 0.0)];
    // Rows with the same score are above or below a threshold together.
    for tied in order.chunk_by(|a, b| scores[*a] == scores[*b]) {
        for row in tied {
            let count = if is_positive[*row] { &mut counts.1 } else { &mut counts.0 };
            *count += weights[*row];
        }
        let (before, after) = (rates[rates.len() - 1], (counts.0 / negatives, counts.1 / positives));
        area += (after.0 - before.0) * 0.5 * (before.1 + after.1);
        rates.push(after);
    }
    Some((rates, area))
}

/// Predicted and observed probabilities of predictions (probability, whether it is correct, weight), in bins of equal
/// width.
fn calibration(predictions: impl Iterator<Item = (f64, bool, f64)>) -> Vec<CalibrationBin> {
    let mut sums = [(0.0, 0.0, 0.0); BINS];
    for (probability, is_correct, weight) in predictions {
        let (predicted, observed, total) = &mut sums[((probability * BINS as f64) as usize).min(BINS - 1)];
        *predicted += weight * probability;
        *observed += if is_correct { weight } else { 0.0 };
        *total += weight;
    }
    let filled = sums.into_iter().filter(|(.., weight)| *weight > 0.0);
    let bin = |(predicted, observed, weight)| CalibrationBin {
        predicted: predicted / weight,
        observed: observed / weight,
        weight,
    };
    filled.map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::{calibration, roc};

    fn area(scores: &[f64], is_positive: &[bool]) -> f64 {
        roc(scores, is_positive, &vec![1.0; scores.len()]).unwrap().1
    }

    #[test]
    fn the_area_is_1_for_separable_scores_and_one_half_for_ties() {
        assert_eq!(area(&[0.1, 0.9, 0.2, 0.8], &[false, true, false, true]), 1.0);
        assert_eq!(area(&[0.9, 0.1], &[false, true]), 0.0);
        assert_eq!(area(&[0.5; 5], &[false, true, true, false, true]), 0.5);
        assert!(roc(&[0.5, 0.7], &[true, true], &[1.0; 2]).is_none());
    }

    #[test]
    fn the_area_is_the_probability_that_a_positive_row_has_the_higher_score() {
        let scores = [0.3, 0.3, 0.8, 0.1, 0.6, 0.6, 0.2];
        let is_positive = [true, false, true, false, false, true, true];
        let weights = [1.0, 2.0, 1.0, 3.0, 1.0, 0.5, 2.0];
        let (mut above, mut all) = (0.0, 0.0);
        for (p, n) in (0..7).flat_map(|p| (0..7).map(move |n| (p, n))) {
            if is_positive[p] && !is_positive[n] {
                let weight = weights[p] * weights[n];
                all += weight;
                above += weight
                    * if scores[p] > scores[n] {
                        1.0
                    } else {
                        f64::from(u8::from(scores[p] == scores[n])) / 2.0
                    };
            }
        }
        let (rates, area) = roc(&scores, &is_positive, &weights).unwrap();
        assert!((area - above / all).abs() < 1e-12, "{area} {}", above / all);
        assert_eq!((rates[0], *rates.last().unwrap()), ((0.0, 0.0), (1.0, 1.0)));
    }

    #[test]
    fn calibration_compares_means_with_frequencies() {
        let predictions = [(0.12, false, 1.0), (0.18, true, 3.0), (1.0, true, 2.0), (0.95, true, 2.0)];
        let bins = calibration(predictions.into_iter());
        assert_eq!(bins.len(), 2);
        assert!(
            (bins[0].predicted - 0.165).abs() < 1e-12 && bins[0].observed == 0.75 && bins[0].weight == 4.0
        );
        assert!((bins[1].predicted - 0.975).abs() < 1e-12 && bins[1].observed == 1.0);
    }
}
