//! Conformal calibration: quantiles of the errors of held-out rows.

use crate::tuning::error::{Result, TuningError};
use crate::tuning::settings::out_of_range;
use serde::{Deserialize, Serialize};

/// Maximum number of stored quantiles of each target.
const MAX_QUANTILES: usize = 1000;
/// Rounding errors of sums of weights, and of levels such as 0.9.
const TOLERANCE: f64 = 1e-9;

/// Quantiles of the nonconformity scores of held-out rows.
///
/// With n scores s, the interval of level p extends to the score of rank ⌈(n + 1)·p⌉. If new rows are exchangeable with the
/// held-out ones, the probability that it contains the target is at least p, and at most p + 1/(n + 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::tuning) struct Calibration {
    /// Number n of scores: held-out rows with a positive weight.
    pub(in crate::tuning) rows: usize,
    /// For each target, the quantiles i/m, i = 1 … m, of the absolute errors, in the units of the data; for classifiers one
    /// list, of 1 − the output of the row's class. Up to 1,000 rows, these are all scores in ascending order.
    pub(in crate::tuning) quantiles: Vec<Vec<f64>>,
}

impl Calibration {
    /// Calibration from scores and weights, which are lists of the same rows for each target; `None` if there are no scores.
    pub(in crate::tuning) fn new(scores: &[Vec<f64>], weights: &[f64]) -> Option<Self> {
        let rows = weights.iter().filter(|weight| **weight > 0.0).count();
        let quantiles = scores.iter().map(|scores| quantiles(scores, weights, rows.min(MAX_QUANTILES)));
        let calibration = Calibration { rows, quantiles: quantiles.collect() };
        calibration.is_consistent(scores.len()).then_some(calibration)
    }

    /// Half width of the interval of each target that contains a fraction `level` of new rows.
    pub(in crate::tuning) fn scores_at(&self, level: f64) -> Result<Vec<f64>> {
        if !(level > 0.0 && level < 1.0) {
            return Err(out_of_range("level", level, "above 0 and below 1").into());
        }
        let rank = ((self.rows + 1) as f64 * level - TOLERANCE).ceil().max(1.0) as usize;
        if rank > self.rows {
            let needed = (level / (1.0 - level) - TOLERANCE).ceil();
            let problem = format!(
                "a level of {level} needs {needed} held-out rows, but the system was calibrated with {}; use a lower level or \
                 fit it to more rows",
                self.rows
            );
            return Err(TuningError::Intervals { problem });
        }
        let of = |quantiles: &Vec<f64>| quantiles[(rank * quantiles.len()).div_ceil(self.rows) - 1];
        Ok(self.quantiles.iter().map(of).collect())
    }

    /// Whether there are finite quantiles in ascending order for this number of lists.
    pub(in crate::tuning) fn is_consistent(&self, lists: usize) -> bool {
        let is_valid = |quantiles: &Vec<f64>| {
            quantiles.len() == self.rows.min(MAX_QUANTILES)
                && quantiles.iter().all(|x| x.is_finite())
                && quantiles.is_sorted()
        };
        self.rows > 0 && self.quantiles.len() == lists && self.quantiles.iter().all(is_valid)
    }
}

/// The smallest scores whose cumulative weights are at least i/m of the sum of the weights, i = 1 … m.
fn quantiles(scores: &[f64], weights: &[f64], count: usize) -> Vec<f64> {
    let mut rows: Vec<usize> = (0..scores.len()).filter(|row| weights[*row] > 0.0).collect();
    rows.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
    let total: f64 = rows.iter().map(|row| weights[*row]).sum();
    let (mut quantiles, mut sum) = (Vec::with_capacity(count), 0.0);
    for row in rows {
        sum += weights[row];
        while quantiles.len() < count
            && sum >= (quantiles.len() + 1) as f64 / count as f64 * total * (1.0 - TOLERANCE)
        {
            quantiles.push(scores[row]);
        }
    }
    quantiles
}

#[cfg(test)]
mod tests {
    use super::{Calibration, MAX_QUANTILES};

    fn half_width(calibration: &Calibration, level: f64) -> f64 {
        calibration.scores_at(level).unwrap()[0]
    }

    #[test]
    fn ranks_are_those_of_conformal_prediction() {
        // Scores 1 … n in another order.
        for n in [9, 10, 99, 1000, 1001, 4321] {
            let scores: Vec<f64> = (0..n).map(|i| ((i * 7919) % n + 1) as f64).collect();
            let calibration = Calibration::new(&[scores], &vec![1.0; n]).unwrap();
            assert!(calibration.quantiles[0].len() <= MAX_QUANTILES);
            for level in [0.1, 0.5, 0.8, 0.9] {
                let rank = (0..=n).find(|rank| *rank as f64 >= (n + 1) as f64 * level - 1e-9).unwrap() as f64;
                let found = half_width(&calibration, level);
                // With more than 1,000 rows, the quantile is at most 1/1,000 higher.
                let most = if n <= MAX_QUANTILES { rank } else { rank + (n as f64 / 1000.0).ceil() };
                assert!((rank..=most).contains(&found), "{n} {level} {rank} {found}");
            }
        }
    }

    #[test]
    fn weights_are_equivalent_to_repeated_scores() {
        let (scores, weights) = (vec![5.0, 1.0, 3.0, 2.0, 4.0], vec![1.0, 2.0, 0.0, 3.0, 4.0]);
        let weighted = Calibration::new(&[scores], &weights).unwrap();
        assert_eq!((weighted.rows, &weighted.quantiles[0][..]), (4, &[2.0, 2.0, 4.0, 5.0][..]));
        assert_eq!(Calibration::new(&[vec![1.0]], &[0.0]), None);
    }

    #[test]
    fn levels_that_the_rows_do_not_support_are_rejected() {
        let calibration = Calibration::new(&[vec![0.0; 9]], &[1.0; 9]).unwrap();
        assert_eq!(half_width(&calibration, 0.9), 0.0);
        let message = calibration.scores_at(0.95).unwrap_err().to_string();
        assert!(message.starts_with("a level of 0.95 needs 19 held-out rows"), "{message}");
        for level in [0.0, 1.0, f64::NAN] {
            assert!(calibration.scores_at(level).unwrap_err().to_string().contains("above 0 and below 1"));
        }
    }
}
