//! Reports about rules: where they apply, what they conclude there, and how accurate the system is there.

use super::conclusion::{self, Ranges, RuleConclusion, RuleSlope};
use super::rows::InspectedRows;
use super::rules::antecedent_text;
use super::support::MIN_COVERING_STRENGTH;
use crate::data::{Samples, argmax_rows, host_samples, softmax};
use crate::device::Device;
use crate::inference::{InferenceError, Rule};
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;
use crate::tuning::training::samples::ScaledSamples;
use serde::{Deserialize, Serialize};

/// Number of example rows per rule.
const EXAMPLES: usize = 3;
/// Example rows have at least this fraction of the largest firing strength of the rule.
const MIN_EXAMPLE_STRENGTH: f64 = 0.9;

/// Report about a rule of a tuned system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleReport {
    /// The rule with its conclusion at the core: `if income is low then price is about 1.2 (+0.35 per income)`.
    pub text: String,
    /// Mean normalized firing strength, Equation (1). The supports of all rules sum to 1 if every row is covered.
    pub support: f64,
    /// Fraction of rows with a normalized firing strength of at least 0.1, Equation (1).
    pub coverage: f64,
    /// RMSE of the system over the rows, weighted by the firing strength of the rule, in the targets' units,
    /// Equation (4); `None` if the rule never fires.
    pub rmse: Option<f64>,
    /// Fraction of rows classified correctly, weighted by the firing strength of the rule, for classifiers.
    pub accuracy: Option<f64>,
    /// Indices of typical rows: of those in which the rule fires most, the ones whose targets are closest to its
    /// conclusion.
    pub examples: Vec<usize>,
    /// Core of the rule, one value per input: the mean of the rows, weighted by the firing strength of the rule.
    pub core: Vec<f64>,
    /// Conclusions at the core, one for each target or class.
    pub conclusions: Vec<RuleConclusion>,
}

impl TunedSystem {
    /// Reports about all rules, over `samples`, which must contain the input and target columns. Means are weighted by
    /// the sample weights, if any. If there are more than 100,000 rows, or 10 million firing strengths, evenly spaced
    /// rows are used.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows = (0..400i32).flat_map(|i| {
    ///     let (a, b) = (f64::from(i % 20), f64::from(i / 20));
    ///     [a, b, if a < 10.0 { 2.0 * b } else { 50.0 - b }]
    /// });
    /// let (rows, device) = (Table::new(["a", "b", "y"], rows.collect::<Vec<f64>>())?, Device::cpu()?);
    /// let tuned = Tuner::tree(2).fit(&rows, &["y"], &device)?;
    /// let reports = tuned.rule_reports(&rows, &device)?;
    /// assert!(reports[0].text.starts_with("if a is low then y is about "), "{}", reports[0].text);
    /// assert!((reports[0].conclusions[0].value - 19.0).abs() < 1.0); // the mean of 2·b
    /// assert!((reports[1].conclusions[0].slopes[1].value + 1.0).abs() < 0.1); // -b
    /// assert!((reports[0].support - 0.5).abs() < 0.01); // half of the rows
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TunedSystem::normal_equations`].
    pub fn rule_reports<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<Vec<RuleReport>> {
        let rows = self.inspected_rows(&host_samples(samples)?, self.max_firing_rows())?;
        let firing = self.firing(&rows.samples, device.host_cpu());
        self.reports_of(&rows, &firing, device)
    }

    /// Reports over rows with their firing strengths.
    pub(super) fn reports_of(
        &self,
        rows: &InspectedRows,
        firing: &[f64],
        device: &Device,
    ) -> Result<Vec<RuleReport>> {
        let outputs = self.scaled_outputs(&rows.samples, device)?;
        let predicted = argmax_rows(&outputs);
        let is_correct = |row: usize| rows.samples.targets[predicted[row]][row]; // 1 for the class of the row
        let errors = |row: usize| -> Vec<f64> {
            let column = |(outputs, targets): (&Vec<f64>, &Vec<f64>)| outputs[row] - targets[row];
            outputs.iter().zip(&rows.samples.targets).map(column).collect()
        };
        let rules = self.network.antecedents.rules();
        let reports = device.host_cpu().map_chunks(rules, 1, |rule| {
            let rule = rule.start;
            let strength = |row: usize| firing[row * rules + rule];
            let statistics = RuleStatistics::new(&rows.samples, strength, errors);
            let core = self.core(rule, &statistics);
            let conclusions = self.conclusions(rule, &core, &statistics);
            let scaled = |(o, one): (usize, &RuleConclusion)| {
                (one.value - self.scale.target_offset[o]) / self.scale.target_span[o]
            };
            let values: Vec<f64> = conclusions.iter().enumerate().map(scaled).collect();
            let examples = examples(&rows.samples, strength, &values);
            let spans = &self.scale.target_span;
            let squares = statistics.squares.iter().zip(spans).map(|(square, span)| square * span * span);
            Ok(RuleReport {
                text: self.text_of(rule, &core, &conclusions)?,
                support: statistics.weight / statistics.total_weight,
                coverage: statistics.covered / statistics.total_weight,
                rmse: Some((squares.sum::<f64>() / spans.len() as f64).sqrt()).filter(|rmse| !rmse.is_nan()),
                accuracy: Some(weighted_mean(&rows.samples, strength, is_correct))
                    .filter(|accuracy| !self.classes.is_empty() && !accuracy.is_nan()),
                examples: examples.into_iter().map(|row| rows.indices[row]).collect(),
                core: self.unscaled(&core),
                conclusions,
            })
        });
        reports.into_iter().collect()
    }

    /// Scaled core of a rule: the mean of its rows, or the center of its sets, inside the range, if it never fires.
    fn core(&self, rule: usize, statistics: &RuleStatistics) -> Vec<f64> {
        let first = rule * self.inputs.len();
        let center = |j: usize| self.network.frames.centers[first + j].clamp(0.0, 1.0);
        let mean = |(j, mean): (usize, &f64)| if mean.is_finite() { *mean } else { center(j) };
        statistics.means.iter().enumerate().map(mean).collect()
    }

    /// Inputs in the units of the data.
    fn unscaled(&self, x: &[f64]) -> Vec<f64> {
        x.iter().enumerate().map(|(j, x)| self.scale.low[j] + self.scale.span[j] * x).collect()
    }

    /// Consequents of a rule at `x`, in scaled units, without the softmax.
    fn scaled_values(&self, rule: usize, x: &[f64]) -> Vec<f64> {
        let monomials = self.network.basis.evaluate(&self.network.frames.to_local(rule, x));
        let value = |theta: &[f64]| theta.iter().zip(&monomials).map(|(theta, m)| theta * m).sum();
        (0..self.network.outputs).map(|output| value(self.theta_of(rule, output))).collect()
    }

    /// Coefficients of the consequent of a rule.
    fn theta_of(&self, rule: usize, output: usize) -> &[f64] {
        let terms = self.network.basis.len();
        &self.network.theta[(output * self.network.antecedents.rules() + rule) * terms..][..terms]
    }

    /// Derivatives of the consequent of a rule with respect to the scaled inputs.
    fn scaled_slopes(&self, rule: usize, output: usize, x: &[f64]) -> Vec<f64> {
        let u = self.network.frames.to_local(rule, x);
        let mut slopes = vec![0.0; x.len()];
        for (theta, exponents) in self.theta_of(rule, output).iter().zip(&self.network.basis.exponents) {
            for (j, exponent) in exponents.iter().enumerate().filter(|(_, exponent)| **exponent > 0) {
                let factor = |(i, e): (usize, &u32)| u[i].powi((e - u32::from(i == j)) as i32);
                let others: f64 = exponents.iter().enumerate().map(factor).product();
                slopes[j] += theta * f64::from(*exponent) * others;
            }
        }
        let inverse_widths = &self.network.frames.inverse_widths[rule * x.len()..];
        slopes.iter_mut().zip(inverse_widths).for_each(|(slope, inverse)| *slope *= inverse);
        slopes
    }

    /// Conclusions of a rule at its core.
    fn conclusions(&self, rule: usize, core: &[f64], statistics: &RuleStatistics) -> Vec<RuleConclusion> {
        let mut values: Vec<Vec<f64>> = self.scaled_values(rule, core).into_iter().map(|v| vec![v]).collect();
        let order = self.network.basis.order;
        let mut slopes: Vec<Vec<f64>> = match order {
            0 => vec![Vec::new(); values.len()],
            _ => (0..values.len()).map(|output| self.scaled_slopes(rule, output, core)).collect(),
        };
        if self.softmax {
            softmax(&mut values);
            softmax_slopes(&values, &mut slopes);
        }
        let names = if self.classes.is_empty() { &self.targets } else { &self.classes };
        let conclusion = |output: usize| {
            let (offset, span) = (self.scale.target_offset[output], self.scale.target_span[output]);
            let standard_error = (statistics.squares[output] / statistics.effective_rows()).sqrt();
            let slope = |(j, slope): (usize, &f64)| {
                let deviation = statistics.deviations[j];
                let error = if deviation > 0.0 { standard_error / deviation } else { f64::INFINITY };
                let unit = span / self.scale.span[j];
                RuleSlope {
                    input: self.inputs[j].clone(),
                    value: unit * slope,
                    standard_error: if error.is_nan() { f64::INFINITY } else { unit * error },
                    deviation: self.scale.span[j] * deviation,
                }
            };
            RuleConclusion {
                output: names[output].clone(),
                value: offset + span * values[output][0],
                standard_error: if standard_error.is_nan() { f64::INFINITY } else { span * standard_error },
                slopes: slopes[output].iter().enumerate().map(slope).collect(),
            }
        };
        (0..values.len()).map(conclusion).collect()
    }

    /// Text of a rule with its conclusions.
    fn text_of(&self, rule: usize, core: &[f64], conclusions: &[RuleConclusion]) -> Result<String> {
        let rules: Vec<&Rule> = self.system.blocks.iter().flat_map(|block| &block.rules).collect();
        let Some(of_rule) = rules.get(rule).filter(|_| rules.len() == self.network.antecedents.rules())
        else {
            let (location, problem) = ("the system".to_owned(), "has other rules than the fit".to_owned());
            return Err(InferenceError::InvalidSystem { location, problem }.into());
        };
        let start = antecedent_text(&self.system, of_rule)?;
        let ranges = Ranges { inputs: &self.scale.span, output: self.scale.target_span[0] };
        let is_linear_model = rules.len() == 1 && self.network.basis.order == 1;
        if !self.classes.is_empty() && is_linear_model {
            // The most probable class at the mean of all rows says little about a linear classifier; its scores do.
            return Ok(super::rules::rules(&self.system)?.concat());
        }
        if !self.classes.is_empty() {
            return Ok(format!("{start} {}", conclusion::of_classes(&self.targets[0], conclusions, &ranges)));
        }
        let texts = conclusions.iter().map(|one| match is_linear_model {
            true => conclusion::of_linear_model(one, &self.unscaled(core), &ranges),
            false => conclusion::of_target(one, &ranges),
        });
        Ok(format!("{start} {}", texts.collect::<Vec<_>>().join(" and ")))
    }
}

/// Sums over the rows, weighted by the sample weights and the firing strengths of a rule.
struct RuleStatistics {
    rows: f64,
    total_weight: f64,
    weight: f64,
    covered: f64,
    /// Mean and standard deviation of each scaled input; NaN if the rule never fires.
    means: Vec<f64>,
    deviations: Vec<f64>,
    /// Mean squared error of each output.
    squares: Vec<f64>,
}

impl RuleStatistics {
    fn new(
        samples: &ScaledSamples,
        strength: impl Fn(usize) -> f64 + Copy,
        errors: impl Fn(usize) -> Vec<f64>,
    ) -> Self {
        let (mut total_weight, mut weight, mut covered) = (0.0, 0.0, 0.0);
        let mut squares = vec![0.0; samples.targets.len()];
        for row in 0..samples.rows() {
            let (w, phi) = (samples.weight(row), strength(row));
            total_weight += w;
            weight += w * phi;
            covered += if phi >= MIN_COVERING_STRENGTH { w } else { 0.0 };
            if phi > 0.0 {
                squares.iter_mut().zip(errors(row)).for_each(|(sum, error)| *sum += w * phi * error * error);
            }
        }
        squares.iter_mut().for_each(|sum| *sum /= weight);
        let column = |column: &Vec<f64>| {
            let is_present = |row: usize| if column[row].is_nan() { 0.0 } else { strength(row) };
            let mean = weighted_mean(samples, is_present, |row| column[row]);
            let square =
                weighted_mean(samples, is_present, |row| (column[row] - mean) * (column[row] - mean));
            (mean, square.sqrt())
        };
        let (means, deviations) = samples.inputs.iter().map(column).unzip();
        RuleStatistics {
            rows: samples.rows() as f64,
            total_weight,
            weight,
            covered,
            means,
            deviations,
            squares,
        }
    }

    /// Sum of the firing strengths, with weights of mean 1.
    fn effective_rows(&self) -> f64 {
        self.rows * self.weight / self.total_weight
    }
}

/// Mean of `value` over the rows, weighted by the sample weights and the firing strengths.
fn weighted_mean(
    samples: &ScaledSamples,
    strength: impl Fn(usize) -> f64,
    value: impl Fn(usize) -> f64,
) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for row in 0..samples.rows() {
        let weight = samples.weight(row) * strength(row);
        if weight > 0.0 {
            sum += weight * value(row);
            total += weight;
        }
    }
    sum / total
}

/// Of the rows in which a rule fires most, those whose targets are closest to its conclusion.
fn examples(samples: &ScaledSamples, strength: impl Fn(usize) -> f64, values: &[f64]) -> Vec<usize> {
    let largest = (0..samples.rows()).map(&strength).fold(0.0, f64::max);
    let fires = |row: &usize| largest > 0.0 && strength(*row) >= MIN_EXAMPLE_STRENGTH * largest;
    let distance = |row: usize| -> f64 {
        let square = |(targets, value): (&Vec<f64>, &f64)| (targets[row] - value) * (targets[row] - value);
        samples.targets.iter().zip(values).map(square).sum()
    };
    let mut rows: Vec<(f64, f64, usize)> =
        (0..samples.rows()).filter(fires).map(|row| (distance(row), -strength(row), row)).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    rows.into_iter().take(EXAMPLES).map(|(.., row)| row).collect()
}

/// Derivatives of probabilities p: ∂p/∂x = p·(∂z/∂x − Σ p·∂z/∂x), in place.
fn softmax_slopes(probabilities: &[Vec<f64>], slopes: &mut [Vec<f64>]) {
    for j in 0..slopes.first().map_or(0, Vec::len) {
        let mean: f64 = probabilities.iter().zip(&*slopes).map(|(p, slopes)| p[0] * slopes[j]).sum();
        slopes.iter_mut().zip(probabilities).for_each(|(slopes, p)| slopes[j] = p[0] * (slopes[j] - mean));
    }
}
