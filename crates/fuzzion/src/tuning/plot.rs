//! Pictures of what was learned: sets before and after, the course of the error, what is left of it.

use super::export;
use super::report::{Point, Report};
use super::tuned::Tuned;
use crate::data::Table;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::inference::Variable;
use crate::plot::Chart;

/// Places of a curve.
const PLACES: usize = 301;
/// Rows of a picture of residuals; more would only hide each other.
const POINTS: usize = 4000;
/// From this ratio of the first to the last error on the axis is logarithmic.
const DECADES: f64 = 8.0;

impl Tuned {
    /// The sets of an input, by its number, as they are and, dashed and grey, as they were at the start.
    ///
    /// # Errors
    /// [`Error::System`] where there is no such input.
    pub fn plot_sets(&self, input: usize) -> Result<Chart> {
        let Some(after) = self.system.inputs.get(input) else {
            let problem = "is of an input that there is not; name one of the system's".to_owned();
            return Err(Error::System { place: "the plot".into(), problem });
        };
        let before = export::variables(&self.before, &self.scale, &self.inputs)?;
        let name = &self.inputs[input];
        let mut chart = Chart::new(name).x_label(name).y_label("membership").y_range(0.0, 1.05);
        for (places, memberships) in curves(&before.inputs[input]) {
            chart = chart.line("at the start", &places, &memberships).muted().dashed();
        }
        for (i, (named, (places, memberships))) in after.sets.iter().zip(curves(after)).enumerate() {
            chart = chart.line(&named.name, &places, &memberships).color(i);
        }
        Ok(chart.x_range(after.minimum, after.maximum))
    }

    /// What is left: the difference of output and target over the target, for at most 4000 of the rows.
    ///
    /// # Errors
    /// Those of [`Tuned::predict`], and [`Error::System`] for a classifier, whose targets are no numbers.
    pub fn plot_residuals(&self, samples: &Table, device: &Device) -> Result<Chart> {
        if !self.classes.is_empty() {
            let problem = "is of residuals, which a classifier has not; plot the error instead".to_owned();
            return Err(Error::System { place: "the plot".into(), problem });
        }
        let predicted = self.predict(samples, device)?;
        let every = samples.rows().div_ceil(POINTS).max(1);
        let mut chart = Chart::new("Residuals").x_label("target").y_label("output − target");
        for target in &self.targets {
            let (y, output) = (samples.column(target)?, predicted.column(target)?);
            let pairs = y.iter().zip(&output).step_by(every);
            let (at, off): (Vec<f64>, Vec<f64>) = pairs.map(|(y, output)| (*y, output - y)).unzip();
            let name = if self.targets.len() > 1 { target } else { "" };
            chart = chart.points(name, &at, &off);
        }
        Ok(chart.mark_y("", 0.0).muted())
    }
}

impl Report {
    /// The error from iteration to iteration, over the training rows and, where some were kept back, the validation rows.
    pub fn plot(&self) -> Chart {
        let iterations: Vec<f64> = (0..self.history.len()).map(|i| i as f64).collect();
        let of = |pick: fn(&Point) -> f64| -> Vec<f64> { self.history.iter().map(pick).collect() };
        let training = of(|point| point.rmse);
        let chart = Chart::new("Error").x_label("iteration").y_label("RMSE");
        let mut chart = chart.line("training", &iterations, &training).color(0);
        if self.history.iter().any(|point| point.validation_rmse.is_some()) {
            let validation = of(|point| point.validation_rmse.unwrap_or(f64::NAN));
            chart = chart.line("validation", &iterations, &validation).color(1);
        }
        let (least, most) = training.iter().fold((f64::INFINITY, 0.0f64), |(l, m), e| (l.min(*e), m.max(*e)));
        if most > DECADES * least && least > 0.0 { chart.log_y() } else { chart }
    }
}

/// The places and memberships of every set of a variable.
fn curves(variable: &Variable) -> Vec<(Vec<f64>, Vec<f64>)> {
    let step = (variable.maximum - variable.minimum) / (PLACES - 1) as f64;
    let places: Vec<f64> = (0..PLACES).map(|i| variable.minimum + step * i as f64).collect();
    let curve = |set: &crate::sets::Set| places.iter().map(|x| set.membership(*x)).collect();
    variable.sets.iter().map(|named| (places.clone(), curve(&named.set))).collect()
}
