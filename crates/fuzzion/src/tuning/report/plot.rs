//! Plots: sets before and after tuning, error history, residuals.

use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::inference::{InferenceError, Variable};
use crate::plot::Chart;
use crate::tuning::error::Result;
use crate::tuning::export;
use crate::tuning::model::TunedSystem;
use crate::tuning::report::{PathPoint, TuningIteration, TuningReport};

/// Number of points per curve.
const CURVE_POINTS: usize = 301;
/// Maximum number of points in a residual plot.
const MAX_RESIDUALS: usize = 4000;
/// The error axis is logarithmic if the largest error exceeds the smallest by this factor.
const LOG_SCALE_RATIO: f64 = 8.0;

impl TunedSystem {
    /// Membership functions of an input, given by its index, after tuning and, in dashed gray, before tuning.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..=10).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
    /// let tuned = Tuner::grid(&[2]).iterations(3).fit(&Table::new(["x", "y"], rows)?, &["y"], &Device::cpu()?)?;
    /// assert!(tuned.plot_sets(0)?.to_svg().contains("before tuning"));
    /// assert!(tuned.plot_sets(1).is_err()); // there is one input
    /// assert!(tuned.report.plot().to_svg().contains("iteration"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] if the index is out of range.
    pub fn plot_sets(&self, input: usize) -> Result<Chart> {
        let Some(after) = self.system.inputs.get(input) else {
            let problem =
                format!("has no input with index {input}; use an index below {}", self.inputs.len());
            return Err(InferenceError::InvalidSystem { location: "the system".into(), problem }.into());
        };
        let before = export::variables(&self.initial_antecedents, &self.scale, &self.inputs)?;
        let name = &self.inputs[input];
        let mut chart = Chart::new(name).x_label(name).y_label("membership").y_range(0.0, 1.05);
        let is_tuned = self.initial_antecedents != self.network.antecedents;
        for (points, memberships) in curves(&before.inputs[input]).into_iter().filter(|_| is_tuned) {
            chart = chart.line("before tuning", &points, &memberships).muted().dashed();
        }
        for (i, (named, (points, memberships))) in after.sets.iter().zip(curves(after)).enumerate() {
            let name = export::names::as_text(&named.name).unwrap_or_else(|| named.name.clone());
            chart = chart.line(&name, &points, &memberships).color(i);
        }
        Ok(chart.x_range(after.minimum, after.maximum))
    }

    /// Residuals (output − target) over the target, for at most 4000 rows. Sample weights are ignored.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..=10).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
    /// let (rows, device) = (Table::new(["x", "y"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[2]).iterations(0).fit(&rows, &["y"], &device)?;
    /// assert!(tuned.plot_residuals(&rows, &device)?.to_svg().contains("output − target"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TunedSystem::predict`], and [`InferenceError::InvalidSystem`] for a classifier.
    pub fn plot_residuals<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Chart> {
        self.residual_chart(&host_samples(samples)?, device)
    }

    fn residual_chart(&self, samples: &Samples<'_>, device: &Device) -> Result<Chart> {
        if !self.classes.is_empty() {
            let problem = "is not available for classifiers; plot the error history instead".to_owned();
            return Err(
                InferenceError::InvalidSystem { location: "the residual plot".into(), problem }.into()
            );
        }
        let predicted = self.predict_samples(samples, device)?;
        let every = samples.rows().div_ceil(MAX_RESIDUALS).max(1);
        let mut chart = Chart::new("Residuals").x_label("target").y_label("output − target");
        for target in &self.targets {
            let (y, output) = (samples.column(target)?, predicted.column(target)?);
            let pairs = y.iter().zip(&output).step_by(every);
            let (positions, residuals): (Vec<f64>, Vec<f64>) =
                pairs.map(|(y, output)| (*y, output - y)).unzip();
            let name = if self.targets.len() > 1 { target } else { "" };
            chart = chart.points(name, &positions, &residuals);
        }
        Ok(chart.horizontal_line("", 0.0).muted())
    }
}

impl TuningReport {
    /// Training error and, if rows were held out, validation error over the iterations. For a sparse rule base,
    /// cross-validation errors with their standard errors over the number of rules.
    pub fn plot(&self) -> Chart {
        if !self.path.is_empty() {
            return self.path_chart();
        }
        let iterations: Vec<f64> = (0..self.history.len()).map(|i| i as f64).collect();
        let of = |pick: fn(&TuningIteration) -> f64| -> Vec<f64> { self.history.iter().map(pick).collect() };
        let training = of(|point| point.rmse);
        let chart = Chart::new("Error").x_label("iteration").y_label("RMSE").whole_x();
        let mut chart = chart.line("training", &iterations, &training).color(0);
        if self.history.iter().any(|point| point.validation_rmse.is_some()) {
            let validation = of(|point| point.validation_rmse.unwrap_or(f64::NAN));
            chart = chart.line("validation", &iterations, &validation).color(1);
        }
        let (min, max) = training.iter().fold((f64::INFINITY, 0.0f64), |(l, m), e| (l.min(*e), m.max(*e)));
        if max > LOG_SCALE_RATIO * min && min > 0.0 { chart.log_y() } else { chart }
    }

    fn path_chart(&self) -> Chart {
        let of = |pick: fn(&PathPoint) -> f64| -> Vec<f64> { self.path.iter().map(pick).collect() };
        let (rules, errors) = (of(|point| point.rules as f64), of(|point| point.rmse));
        let lower = of(|point| point.rmse - point.standard_error);
        let upper = of(|point| point.rmse + point.standard_error);
        let label = if self.accuracy.is_some() { "error" } else { "RMSE" }; // of classifiers often the cross-entropy
        let chart = Chart::new("Error and number of rules").x_label("rules").y_label(label).whole_x();
        let mut chart = chart.line("cross-validation ± standard error", &rules, &errors).color(0);
        chart = chart.error_bars("", &rules, &lower, &upper).color(0);
        if let Some(chosen) = self.path.iter().find(|point| point.chosen) {
            chart = chart.points("selected", &[chosen.rules as f64], &[chosen.rmse]).color(1);
        }
        chart
    }
}

/// Points and memberships of every set of a variable.
fn curves(variable: &Variable) -> Vec<(Vec<f64>, Vec<f64>)> {
    let step = (variable.maximum - variable.minimum) / (CURVE_POINTS - 1) as f64;
    let points: Vec<f64> = (0..CURVE_POINTS).map(|i| variable.minimum + step * i as f64).collect();
    let curve = |set: &crate::sets::Set| points.iter().map(|x| set.membership(*x)).collect();
    variable.sets.iter().map(|named| (points.clone(), curve(&named.set))).collect()
}
