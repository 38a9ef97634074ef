//! Pictures of what was learned: rules on the plane of two inputs, and the course of a fit.

use super::model::Model;
use super::report::{Point, Report};
use crate::data::Table;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::plot::{Chart, ColorMap, Figure};
use std::f64::consts::SQRT_2;

/// Cells of a plane along each input.
const CELLS: usize = 121;
/// Samples of a picture; more would only hide each other.
const POINTS: usize = 2000;
/// Scores of two classes that have the first and the last color: far beyond 1, so that samples show on the plane.
const PALE: f64 = 2.5;
/// How far a plane goes beyond the range of the inputs, in shares of it.
const MARGIN: f64 = 0.05;

impl Model {
    /// The plane of a model of two inputs: what it says everywhere as colors, each rule as the ellipse at σ from its center,
    /// and some of the samples, which are of the classes in the column that was learned.
    ///
    /// Colors are the first output, of two classes the second less the first, and of more the number of the class found.
    ///
    /// # Errors
    /// [`Error::System`] where there are not two inputs, and those of [`Model::predict`].
    pub fn plot_plane(&self, samples: &Table, device: &Device) -> Result<Chart> {
        let [x_name, y_name] = &self.inputs[..] else {
            let problem =
                "is a plane of two inputs, which the model has not; plot the course of the fit".to_owned();
            return Err(Error::System { place: "the plot".into(), problem });
        };
        let (x, y) = (self.reach(0), self.reach(1));
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
                .value_range(-PALE, PALE)
                .value_label(format!("{} − {}", self.classes[1], self.classes[0])),
            0 => chart.value_label(&self.outputs[0]),
            _ => chart.value_label("class"),
        };
        chart = self.draw_samples(chart, samples)?;
        let prototypes = self.prototypes();
        for k in 0..prototypes.rules() {
            let (Some(x), Some(y)) = (prototypes.about(k, 0), prototypes.about(k, 1)) else { continue };
            let covariance = [[x.deviation * x.deviation, 0.0], [0.0, y.deviation * y.deviation]];
            chart = chart.ellipse("rules", [x.center, y.center], covariance, SQRT_2).muted();
        }
        Ok(chart)
    }

    /// The range of an input with a margin.
    fn reach(&self, j: usize) -> (f64, f64) {
        let (low, span) = (self.scale.low[j], self.scale.span[j]);
        (low - MARGIN * span, low + (1.0 + MARGIN) * span)
    }

    /// What the model says at the middle of every cell.
    fn plane(&self, x: (f64, f64), y: (f64, f64), device: &Device) -> Result<Vec<f64>> {
        let middle =
            |range: (f64, f64), i: usize| range.0 + (range.1 - range.0) * (i as f64 + 0.5) / CELLS as f64;
        let places = (0..CELLS * CELLS).flat_map(|i| [middle(x, i % CELLS), middle(y, i / CELLS)]);
        let scores =
            self.scores(&Table::new(self.inputs.iter().cloned(), places.collect::<Vec<f64>>())?, device)?;
        let scores = scores.to_f64();
        let width = self.output_names().len();
        let shown = |y: &[f64]| match self.classes.len() {
            0 => y[0],
            2 => y[1] - y[0],
            _ => (1..y.len()).fold(0, |best, l| if y[l] > y[best] { l } else { best }) as f64,
        };
        Ok(scores.chunks_exact(width).map(shown).collect())
    }

    /// Some samples, those of each class in a color.
    fn draw_samples(&self, chart: Chart, samples: &Table) -> Result<Chart> {
        let every = samples.rows().div_ceil(POINTS).max(1);
        let (x, y) = (samples.column(&self.inputs[0])?, samples.column(&self.inputs[1])?);
        let of = |rows: &mut dyn Iterator<Item = usize>| -> (Vec<f64>, Vec<f64>) {
            rows.map(|i| (x[i], y[i])).unzip()
        };
        let Ok(labels) = samples.label(&self.outputs[0]) else {
            let (x, y) = of(&mut (0..samples.rows()).step_by(every));
            return Ok(chart.points("samples", &x, &y));
        };
        let draw = |chart: Chart, (l, class): (usize, &String)| {
            let (x, y) =
                of(&mut (0..samples.rows()).step_by(every).filter(|i| labels.get(*i) == Some(class)));
            chart.points(class, &x, &y).color(l)
        };
        Ok(self.classes.iter().enumerate().fold(chart, draw))
    }
}

impl Report {
    /// The error from epoch to epoch, over the training rows and, where some were kept back, the validation rows, and
    /// beside it the number of rules.
    pub fn plot(&self) -> Figure {
        let epochs: Vec<f64> = (1..=self.history.len()).map(|i| i as f64).collect();
        let of = |pick: fn(&Point) -> f64| -> Vec<f64> { self.history.iter().map(pick).collect() };
        let mut errors = Chart::new("Error")
            .x_label("epoch")
            .line("training, while it learned", &epochs, &of(|p| p.train_error))
            .color(0);
        if self.history.iter().any(|point| point.validation_error.is_some()) {
            let validation = of(|point| point.validation_error.unwrap_or(f64::NAN));
            errors = errors.line("validation", &epochs, &validation).color(1);
        }
        let rules = Chart::new("Rules").x_label("epoch").step("", &epochs, &of(|p| p.rules as f64)).color(2);
        let most = self.history.iter().map(|point| point.rules).max().unwrap_or(0);
        Figure::grid(2).add(errors).add(rules.y_range(0.0, 1.05 * most.max(1) as f64))
    }
}
