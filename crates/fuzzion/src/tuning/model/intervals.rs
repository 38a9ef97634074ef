//! Prediction intervals and prediction sets.

use crate::data::{Samples, Table, argmax_rows, host_samples};
use crate::device::Device;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::model::TunedSystem;
use crate::tuning::model::calibration::Calibration;

/// Predictions with intervals; see [`TunedSystem::predict_intervals`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PredictionIntervals {
    /// Predictions, one column for each target.
    pub predictions: Table,
    /// Lower ends of the intervals, one column for each target.
    pub lower: Table,
    /// Upper ends of the intervals, one column for each target.
    pub upper: Table,
}

/// Predictions with sets of classes; see [`TunedSystem::predict_sets`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PredictionSets {
    /// The result of [`TunedSystem::predict`].
    pub predictions: Table,
    /// For each row, whether the set contains each class, in the order of [`TunedSystem::classes`].
    pub contains: Vec<Vec<bool>>,
}

impl TunedSystem {
    /// Number of held-out rows that calibrated the prediction intervals; `None` if the system has none
    /// ([`Tuner::intervals`](crate::tuning::Tuner::intervals)).
    pub fn calibration_rows(&self) -> Option<usize> {
        self.calibration.as_ref().map(|calibration| calibration.rows)
    }

    /// Predicts every row with an interval for each target that contains the target with probability `level`, such as 0.9
    /// (conformal prediction).
    ///
    /// The half width of the intervals of a target is a quantile of its absolute errors in rows that were held out from
    /// training. It is the same for all rows, so that the probability holds for the average over rows like those of the
    /// training data, and not for each row.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let noise = |i: i32| f64::from(i * 37 % 101) / 100.0; // from 0 to 1
    /// let rows: Vec<f64> = (0..500).flat_map(|i| [f64::from(i), f64::from(i) + noise(i)]).collect();
    /// let (rows, device) = (Table::new(["x", "y"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::tree(4).fit(&rows, &["y"], &device)?;
    /// let found = tuned.predict_intervals(&rows, 0.9, &device)?;
    /// let (lower, upper) = (found.lower.column("y")?, found.upper.column("y")?);
    /// assert!((upper[0] - lower[0] - 0.9).abs() < 0.05); // 90 % of the noise
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TunedSystem::predict`], [`TuningError::Intervals`] if the system was not calibrated, is a classifier, or was
    /// calibrated with too few rows for this level, and [`SettingError::OutOfRange`](crate::SettingError::OutOfRange) for a
    /// level that is not between 0 and 1.
    pub fn predict_intervals<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        level: f64,
        device: &Device,
    ) -> Result<PredictionIntervals> {
        if !self.classes.is_empty() {
            let problem = "prediction intervals require numeric targets; a classifier has prediction sets";
            return Err(TuningError::Intervals { problem: problem.into() });
        }
        let half_widths = self.calibration()?.scores_at(level)?;
        let predictions = self.predict_samples(&host_samples(samples)?, device)?;
        let shifted = |sign: f64| {
            let values = predictions.to_f64();
            let rows = values.chunks_exact(half_widths.len());
            let values = rows.flat_map(|row| row.iter().zip(&half_widths).map(|(y, half)| y + sign * half));
            Table::new(self.targets.iter().cloned(), values.collect::<Vec<f64>>())
        };
        let (lower, upper) = (shifted(-1.0)?, shifted(1.0)?);
        Ok(PredictionIntervals { predictions, lower, upper })
    }

    /// Predicts every row with a set of classes that contains the class of the row with a probability of at least `level`,
    /// such as 0.9 (conformal prediction).
    ///
    /// A set contains the predicted class and all classes whose output is at least a threshold, a quantile of the outputs of
    /// the correct classes in rows that were held out from training. If the classifier is more accurate than `level`, most sets
    /// contain one class.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::{Classify, Tuner}};
    /// // Between 40 and 60, both classes occur.
    /// let class = |x: i32| if x < 40 || (x < 60 && x % 2 == 0) { 0.0 } else { 1.0 };
    /// let rows: Vec<f64> = (0..500).flat_map(|i| [f64::from(i % 100), class(i % 100)]).collect();
    /// let (rows, device) = (Table::new(["x", "class"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::tree(6).classify(Classify::OneHot).fit(&rows, &["class"], &device)?;
    /// let sets = tuned.predict_sets(&Table::new(["x"], vec![5.0, 50.0])?, 0.95, &device)?.contains;
    /// assert_eq!(sets, [[true, false], [true, true]]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`TunedSystem::predict_intervals`]; [`TuningError::Intervals`] if the system is not a classifier.
    pub fn predict_sets<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        level: f64,
        device: &Device,
    ) -> Result<PredictionSets> {
        if self.classes.is_empty() {
            let problem = "prediction sets require a classifier; numeric targets have prediction intervals";
            return Err(TuningError::Intervals { problem: problem.into() });
        }
        let score = self.calibration()?.scores_at(level)?[0];
        let predictions = self.predict_samples(&host_samples(samples)?, device)?;
        let values = predictions.to_f64();
        let classes = self.classes.len();
        let columns: Vec<Vec<f64>> =
            (0..classes).map(|class| values.iter().skip(class).step_by(classes).copied().collect()).collect();
        let contains = argmax_rows(&columns).into_iter().zip(values.chunks_exact(classes));
        let contains = contains.map(|(predicted, outputs)| {
            let contains = |(class, output): (usize, &f64)| class == predicted || 1.0 - output <= score;
            outputs.iter().enumerate().map(contains).collect()
        });
        let contains = contains.collect();
        Ok(PredictionSets { predictions, contains })
    }

    fn calibration(&self) -> Result<&Calibration> {
        let problem = "the system has no calibrated prediction intervals; fit it with the setting `intervals` and at least 10 rows";
        self.calibration.as_ref().ok_or_else(|| TuningError::Intervals { problem: problem.into() })
    }
}
