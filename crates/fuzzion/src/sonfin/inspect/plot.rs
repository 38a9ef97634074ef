//! Plots of a model with two inputs and of the training history.

use crate::data::{Samples, Table, host_samples};
use crate::device::Device;
use crate::plot::{Chart, ColorMap, Figure};
use crate::sonfin::error::{Result, SonfinError};
use crate::sonfin::model::Model;
use crate::sonfin::training::report::{SonfinEpoch, SonfinReport};
use crate::sonfin::types::argmax::argmax;
use std::f64::consts::SQRT_2;

/// Grid cells along each input.
const CELLS: usize = 121;
/// Maximum number of plotted samples, to limit overplotting.
const MAX_POINTS: usize = 2000;
/// Limit of the color map for two classes; well above the typical 1, so that the background is pale and the samples
/// stand out.
const COLOR_LIMIT: f64 = 2.5;
/// Margin around the range of the inputs, as a fraction of the range.
const MARGIN: f64 = 0.05;

impl Model {
    /// Plot of a model with two inputs: the outputs as colors, each rule as an ellipse at distance σ from its
    /// center, and some of the samples, colored by class.
    ///
    /// Colors show the first output; for two classes the second score minus the first; for more classes the index
    /// of the predicted class.
    ///
    /// ```
    /// use fuzzion::{Device, sonfin::{Classify, Growth, Sonfin, two_spirals}};
    /// let (spirals, device) = (two_spirals(20)?, Device::cpu()?);
    /// let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(10)).epochs(2);
    /// let model = sonfin.fit(&spirals, &["arm"], &device)?;
    /// assert!(model.plot_plane(&spirals, &device)?.to_svg().contains("second − first"));
    /// assert!(model.report.plot().to_svg().contains("training"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SonfinError::PlotInputs`] if the model does not have two inputs, and those of [`Model::predict`].
    pub fn plot_plane<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Chart> {
        self.chart_of_plane(&host_samples(samples)?, device)
    }

    fn chart_of_plane(&self, samples: &Samples<'_>, device: &Device) -> Result<Chart> {
        let [x_name, y_name] = &self.inputs[..] else {
            return Err(SonfinError::PlotInputs { inputs: self.inputs.len() });
        };
        let (x, y) = (self.plot_range(0), self.plot_range(1));
        let rules = self.rule_count();
        let mut chart = Chart::new(format!("{rules} rule{}", if rules == 1 { "" } else { "s" }))
            .x_label(x_name)
            .y_label(y_name)
            .heat_map(&self.plane(x, y, device)?, CELLS, x, y)
            .x_range(x.0, x.1)
            .y_range(y.0, y.1);
        chart = match self.classes.len() {
            2 => chart
                .color_map(ColorMap::Diverging)
                .value_range(-COLOR_LIMIT, COLOR_LIMIT)
                .value_label(format!("{} − {}", self.classes[1], self.classes[0])),
            0 => chart.value_label(&self.outputs[0]),
            _ => chart.value_label("class"),
        };
        chart = self.draw_samples(chart, samples)?;
        let prototypes = self.prototypes();
        for k in 0..prototypes.rules() {
            // A rule that ignores an input has no ellipse.
            let (Some(x), Some(y)) = (prototypes.gaussian(k, 0), prototypes.gaussian(k, 1)) else { continue };
            let covariance = [[x.deviation * x.deviation, 0.0], [0.0, y.deviation * y.deviation]];
            chart = chart.ellipse("rules", [x.center, y.center], covariance, SQRT_2).muted();
        }
        Ok(chart)
    }

    /// Range of an input with a margin.
    fn plot_range(&self, j: usize) -> (f64, f64) {
        let (low, span) = (self.scale.low[j], self.scale.span[j]);
        (low - MARGIN * span, low + (1.0 + MARGIN) * span)
    }

    /// Plotted value at the center of every grid cell.
    fn plane(&self, x: (f64, f64), y: (f64, f64), device: &Device) -> Result<Vec<f64>> {
        let cell_center =
            |range: (f64, f64), i: usize| range.0 + (range.1 - range.0) * (i as f64 + 0.5) / CELLS as f64;
        let points = (0..CELLS * CELLS).flat_map(|i| [cell_center(x, i % CELLS), cell_center(y, i / CELLS)]);
        let points = Table::new(self.inputs.iter().cloned(), points.collect::<Vec<f64>>())?;
        let scores = self.scores(&points, device)?.into_f64();
        let width = self.output_names().len();
        let shown = |y: &[f64]| match self.classes.len() {
            0 => y[0],
            2 => y[1] - y[0],
            _ => argmax(y) as f64,
        };
        Ok(scores.chunks_exact(width).map(shown).collect())
    }

    /// Adds some of the samples, one color per class.
    fn draw_samples(&self, chart: Chart, samples: &Samples<'_>) -> Result<Chart> {
        let every = samples.rows().div_ceil(MAX_POINTS).max(1);
        let (x, y) = (samples.column(&self.inputs[0])?, samples.column(&self.inputs[1])?);
        let values = |rows: &mut dyn Iterator<Item = usize>| -> (Vec<f64>, Vec<f64>) {
            rows.map(|i| (x[i], y[i])).unzip()
        };
        let Ok(labels) = samples.label(&self.outputs[0]) else {
            let (x, y) = values(&mut (0..samples.rows()).step_by(every));
            return Ok(chart.points("samples", &x, &y));
        };
        let draw = |chart: Chart, (l, class): (usize, &String)| {
            let (x, y) =
                values(&mut (0..samples.rows()).step_by(every).filter(|i| labels.get(*i) == Some(class)));
            chart.points(class, &x, &y).color(l)
        };
        Ok(self.classes.iter().enumerate().fold(chart, draw))
    }
}

impl SonfinReport {
    /// Plot of the training and validation error and of the number of rules by epoch.
    pub fn plot(&self) -> Figure {
        let epochs: Vec<f64> = (1..=self.history.len()).map(|i| i as f64).collect();
        let values = |pick: fn(&SonfinEpoch) -> f64| -> Vec<f64> { self.history.iter().map(pick).collect() };
        let mut errors = Chart::new("Error")
            .x_label("epoch")
            .whole_x()
            .line("training (before each update)", &epochs, &values(|p| p.train_error))
            .color(0);
        if self.history.iter().any(|point| point.validation_error.is_some()) {
            let validation = values(|point| point.validation_error.unwrap_or(f64::NAN)); // NaN: a gap in the line
            errors = errors.line("validation", &epochs, &validation).color(1);
        }
        let rules = Chart::new("Rules")
            .x_label("epoch")
            .whole_x()
            .step("", &epochs, &values(|p| p.rules as f64))
            .color(2);
        let max_rules = self.history.iter().map(|point| point.rules).max().unwrap_or(0); // a stream has no epochs
        Figure::grid(2).add(errors).add(rules.y_range(0.0, 1.05 * max_rules.max(1) as f64))
    }
}
