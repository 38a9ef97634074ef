//! Charts of partial dependence, receiver operating characteristics and calibration.

use super::classification::{CalibrationBin, ClassificationReport};
use super::dependence::PartialDependence;
use crate::plot::Chart;

/// Maximum number of classes in a chart.
const MAX_CLASSES: usize = 8;

impl PartialDependence {
    /// The outputs over one input, or the output with the largest range over two inputs.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..100).flat_map(|i| [f64::from(i % 10), f64::from(i / 10), f64::from(i)]).collect();
    /// let (rows, device) = (Table::new(["a", "b", "y"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[1]).iterations(0).fit(&rows, &["y"], &device)?;
    /// let svg = tuned.partial_dependence(&rows, &["a", "b"], &device)?.plot().to_svg();
    /// assert!([">a<", ">b<", ">mean y<"].iter().all(|text| svg.contains(text)));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn plot(&self) -> Chart {
        let range = |means: &[f64]| {
            let (low, high) =
                means.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| (l.min(*y), h.max(*y)));
            high - low
        };
        if let [x, y] = &self.inputs[..] {
            let ranges = self.means.iter().map(|means| range(means));
            let widest =
                ranges.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(output, _)| output);
            let ends = |points: &[f64]| {
                // Points are the centers of cells.
                let half = 0.5 * (points[1] - points[0]);
                (points[0] - half, points[points.len() - 1] + half)
            };
            let (columns, ends) = (self.points[0].len(), [ends(&self.points[0]), ends(&self.points[1])]);
            let chart = Chart::new(format!("{x} and {y}")).x_label(x).y_label(y);
            let chart = chart.heat_map(&self.means[widest], columns, ends[0], ends[1]).contours();
            return chart.value_label(format!("mean {}", self.outputs[widest]));
        }
        let label = if self.outputs.len() == 1 {
            format!("mean {}", self.outputs[0])
        } else {
            "mean output".to_owned()
        };
        let mut chart = Chart::new(&self.inputs[0]).x_label(&self.inputs[0]).y_label(label);
        for (i, (name, means)) in self.outputs.iter().zip(&self.means).take(MAX_CLASSES).enumerate() {
            let name = if self.outputs.len() > 1 { name } else { "" };
            chart = chart.line(name, &self.points[0], means).color(i);
        }
        chart
    }
}

impl ClassificationReport {
    /// Receiver operating characteristics: true over false positives of each class, at most eight of them.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::{Classify, Tuner}};
    /// let rows: Vec<f64> = (0..60).flat_map(|i| [f64::from(i), f64::from(i / 30)]).collect();
    /// let (rows, device) = (Table::new(["a", "side"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[2]).classify(Classify::OneHot).fit(&rows, &["side"], &device)?;
    /// let report = tuned.classification_report(&rows, &device)?;
    /// assert!(report.plot_roc().to_svg().contains("true positive rate"));
    /// assert!(report.plot_calibration().to_svg().contains("observed"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn plot_roc(&self) -> Chart {
        let mut chart = Chart::new("Receiver operating characteristic")
            .x_label("false positive rate")
            .y_label("true positive rate")
            .x_range(0.0, 1.0)
            .y_range(0.0, 1.02);
        for (i, curve) in self.roc.iter().take(MAX_CLASSES).enumerate() {
            let name = format!("{} (area {:.3})", curve.class, curve.area);
            chart = chart.line(&name, &curve.false_positive_rates, &curve.true_positive_rates).color(i);
        }
        chart.line("", &[0, 1], &[0, 1]).muted().dashed()
    }

    /// Calibration: observed over predicted probabilities of all classes, with standard errors.
    pub fn plot_calibration(&self) -> Chart {
        let predicted: Vec<f64> = self.calibration.iter().map(|bin| bin.predicted).collect();
        let observed: Vec<f64> = self.calibration.iter().map(|bin| bin.observed).collect();
        let chart = Chart::new("Calibration")
            .x_label("predicted probability of a class")
            .y_label("observed fraction of rows")
            .x_range(0.0, 1.0)
            .y_range(0.0, 1.02);
        let bounds =
            |sign: f64| -> Vec<f64> { self.calibration.iter().map(|bin| wilson(bin, sign)).collect() };
        let chart = chart.line("", &[0, 1], &[0, 1]).muted().dashed();
        let chart = chart.error_bars("", &predicted, &bounds(-1.0), &bounds(1.0)).color(0);
        chart.line("", &predicted, &observed).color(0).points("", &predicted, &observed).color(0)
    }
}

/// The lower (`sign` = −1) or upper bound of the Wilson interval of one standard error around an observed fraction, which
/// is also valid for fractions of 0 and 1.
fn wilson(bin: &CalibrationBin, sign: f64) -> f64 {
    let (p, n) = (bin.observed, bin.weight);
    let half_width = (p * (1.0 - p) / n + 0.25 / (n * n)).sqrt();
    (p + 0.5 / n + sign * half_width) / (1.0 + 1.0 / n)
}
