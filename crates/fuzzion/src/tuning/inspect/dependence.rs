//! Partial dependence of the outputs on one or two inputs, and the strength of interactions.

use crate::base::SettingError;
use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;
use crate::tuning::training::samples::ScaledSamples;
use serde::{Deserialize, Serialize};

/// Maximum number of rows over which outputs are averaged.
const MAX_AVERAGED_ROWS: usize = 500;
/// Number of points along one input, and along each of two inputs.
const POINTS: usize = 41;
const SURFACE_POINTS: usize = 21;
/// The points lie between these quantiles of an input.
const QUANTILES: [f64; 2] = [0.01, 0.99];
/// Maximum number of rows over which Equation (6) is evaluated.
const INTERACTION_ROWS: usize = 100;
/// Number of points evaluated at once.
const POINTS_PER_BATCH: usize = 64;

/// Mean output as a function of one or two inputs, Equation (5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartialDependence {
    /// Names of the one or two inputs.
    pub inputs: Vec<String>,
    /// Values of each input, in ascending order.
    pub points: Vec<Vec<f64>>,
    /// Targets or classes.
    pub outputs: Vec<String>,
    /// Mean of each output at every point; for two inputs, one row of values of the first input for each value of the
    /// second.
    pub means: Vec<Vec<f64>>,
}

/// Strength of the interaction of two inputs, Equation (6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputInteraction {
    /// Names of the inputs.
    pub inputs: [String; 2],
    /// Friedman's H: 0 if the effects of the inputs are additive, 1 if their joint effect is due to the interaction alone.
    pub strength: f64,
}

impl TunedSystem {
    /// Partial dependence of the outputs on one or two inputs: the mean output over `samples`, at most 500 evenly
    /// spaced ones, if the inputs have given values. The values are evenly spaced between the 1 % and the 99 % quantile,
    /// 41 for one input and 21 each for two.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..100).flat_map(|i| [f64::from(i % 10), f64::from(i / 10), f64::from(3 * (i % 10) + i / 10)]).collect();
    /// let (rows, device) = (Table::new(["a", "b", "y"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[1]).iterations(0).fit(&rows, &["y"], &device)?;
    /// let on_a = tuned.partial_dependence(&rows, &["a"], &device)?;
    /// assert!((on_a.means[0][40] - on_a.means[0][0] - 27.0).abs() < 1e-6); // from a = 0 to a = 9
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] for other numbers of inputs, and those of [`TunedSystem::normal_equations`].
    pub fn partial_dependence<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        inputs: &[&str],
        device: &Device,
    ) -> Result<PartialDependence> {
        if !(1..=2).contains(&inputs.len()) {
            let (algorithm, name, must) = ("partial dependence", "inputs", "1 or 2");
            let value = inputs.len() as f64;
            return Err(SettingError::OutOfRange { algorithm, name, value, must }.into());
        }
        let rows = self.inspected_rows(&host_samples(samples)?, MAX_AVERAGED_ROWS)?.samples;
        let indices = inputs.iter().map(|name| self.input_index(name)).collect::<Result<Vec<usize>>>()?;
        let count = if inputs.len() == 1 { POINTS } else { SURFACE_POINTS };
        let values: Vec<Vec<f64>> = indices.iter().map(|j| evenly_spaced(&rows.inputs[*j], count)).collect();
        let points: Vec<Vec<f64>> = match &values[..] {
            [one] => one.iter().map(|x| vec![*x]).collect(),
            _ => values[1].iter().flat_map(|y| values[0].iter().map(|x| vec![*x, *y])).collect(),
        };
        let mut means = self.mean_outputs(rows, &indices, &points, device)?;
        means.iter_mut().enumerate().for_each(|(o, column)| self.scale.unscale_target(o, column));
        let unscaled = |(values, j): (&Vec<f64>, &usize)| {
            values.iter().map(|x| self.scale.low[*j] + self.scale.span[*j] * x).collect()
        };
        Ok(PartialDependence {
            inputs: inputs.iter().map(|name| (*name).to_owned()).collect(),
            points: values.iter().zip(&indices).map(unscaled).collect(),
            outputs: if self.classes.is_empty() { self.targets.clone() } else { self.classes.clone() },
            means,
        })
    }

    /// Interactions of all pairs of the given inputs, in decreasing order, over at most 100 evenly spaced rows.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let row = |i: i32| {
    ///     let (a, b, c) = (f64::from(i % 7) - 3.0, f64::from(i % 11) - 5.0, f64::from(i % 13));
    ///     [a, b, c, a * b + c]
    /// };
    /// let (rows, device) = (Table::new(["a", "b", "c", "y"], (0..500).flat_map(row).collect::<Vec<f64>>())?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[1]).order(2).iterations(0).fit(&rows, &["y"], &device)?;
    /// let interactions = tuned.interactions(&rows, &["a", "b", "c"], &device)?;
    /// assert_eq!(interactions[0].inputs, ["a", "b"]);
    /// assert!(interactions[0].strength > 0.9 && interactions[1].strength < 0.1);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TunedSystem::normal_equations`].
    pub fn interactions<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        inputs: &[&str],
        device: &Device,
    ) -> Result<Vec<InputInteraction>> {
        let rows = self.inspected_rows(&host_samples(samples)?, INTERACTION_ROWS)?.samples;
        let indices = inputs.iter().map(|name| self.input_index(name)).collect::<Result<Vec<usize>>>()?;
        let centered = |inputs: &[usize]| -> Result<Vec<Vec<f64>>> {
            let points: Vec<Vec<f64>> =
                (0..rows.rows()).map(|row| inputs.iter().map(|j| rows.inputs[*j][row]).collect()).collect();
            let mut means = self.mean_outputs(rows.clone(), inputs, &points, device)?;
            means.iter_mut().for_each(|column| center(column, &rows));
            Ok(means)
        };
        let single = indices.iter().map(|j| centered(&[*j])).collect::<Result<Vec<_>>>()?;
        let mut interactions = Vec::new();
        for (b, second) in indices.iter().enumerate() {
            for (a, first) in indices[..b].iter().enumerate() {
                let joint = centered(&[*first, *second])?;
                let strength = strength(&joint, [&single[a], &single[b]], &rows);
                let inputs = [self.inputs[*first].clone(), self.inputs[*second].clone()];
                interactions.push(InputInteraction { inputs, strength });
            }
        }
        interactions.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        Ok(interactions)
    }

    fn input_index(&self, name: &str) -> Result<usize> {
        let position = self.inputs.iter().position(|input| input == name);
        Ok(position.ok_or_else(|| crate::data::unknown_column(name, &self.inputs))?)
    }

    /// Means of the scaled outputs over `rows`, with the inputs `inputs` replaced by each of the points; one column for
    /// each output.
    fn mean_outputs(
        &self,
        rows: ScaledSamples,
        inputs: &[usize],
        points: &[Vec<f64>],
        device: &Device,
    ) -> Result<Vec<Vec<f64>>> {
        let count = rows.rows();
        let total: f64 = (0..count).map(|row| rows.weight(row)).sum();
        let mut means = vec![Vec::new(); self.network.outputs];
        for points in points.chunks(POINTS_PER_BATCH) {
            let mut batch = ScaledSamples {
                inputs: rows.inputs.iter().map(|column| column.repeat(points.len())).collect(),
                targets: vec![vec![0.0; count * points.len()]; self.network.outputs],
                weights: None,
                training: count * points.len(),
            };
            for (k, input) in inputs.iter().enumerate() {
                let column = batch.inputs[*input].chunks_exact_mut(count);
                column.zip(points).for_each(|(values, point)| values.fill(point[k]));
            }
            for (means, outputs) in means.iter_mut().zip(self.scaled_outputs(&batch, device)?) {
                means.extend(outputs.chunks_exact(count).map(|outputs| {
                    let weighted = outputs.iter().enumerate().map(|(row, y)| rows.weight(row) * y);
                    weighted.sum::<f64>() / total
                }));
            }
        }
        Ok(means)
    }
}

/// Evenly spaced values between two quantiles of a column; missing values are ignored.
fn evenly_spaced(column: &[f64], count: usize) -> Vec<f64> {
    let mut sorted: Vec<f64> = column.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let quantile = |q: f64| {
        let position = (q * sorted.len().saturating_sub(1) as f64).round() as usize;
        sorted.get(position).copied().unwrap_or(0.5) // the middle of the range if all values are missing
    };
    let [low, high] = QUANTILES.map(quantile);
    (0..count).map(|i| low + (high - low) * i as f64 / (count - 1) as f64).collect()
}

/// Subtracts the weighted mean.
fn center(column: &mut [f64], rows: &ScaledSamples) {
    let total: f64 = (0..rows.rows()).map(|row| rows.weight(row)).sum();
    let mean = column.iter().enumerate().map(|(row, x)| rows.weight(row) * x).sum::<f64>() / total;
    column.iter_mut().for_each(|x| *x -= mean);
}

/// Equation (6), summed over the outputs.
fn strength(joint: &[Vec<f64>], single: [&Vec<Vec<f64>>; 2], rows: &ScaledSamples) -> f64 {
    let (mut interaction, mut total) = (0.0, 0.0);
    for (o, joint) in joint.iter().enumerate() {
        for (row, y) in joint.iter().enumerate() {
            let rest = y - single[0][o][row] - single[1][o][row];
            interaction += rows.weight(row) * rest * rest;
            total += rows.weight(row) * y * y;
        }
    }
    if total > 0.0 { (interaction / total).sqrt() } else { 0.0 }
}
