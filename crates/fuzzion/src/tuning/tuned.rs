//! A tuned system: what it is, what it says about rows, and how it goes on learning.

use super::antecedents::Antecedents;
use super::export;
use super::fit::Learned;
use super::network::Network;
use super::prepare::{Prepared, check_weights};
use super::report::{Report, Stop};
use super::rows::Samples;
use super::scale::Scale;
use super::settings::{Classify, Missing};
use super::solve::solve;
use super::statistics::Statistics;
use super::tuner::{Tuner, rows_of};
use crate::data::{Classes, Labels, Table, column, largest, softmax};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::inference::System;

/// A system learned from rows; made by [`Tuner::fit`](super::Tuner::fit).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tuned {
    /// The system, for all that can be done with systems.
    pub system: System,
    /// How the fit went.
    pub report: Report,
    /// The columns that are inputs.
    pub inputs: Vec<String>,
    /// The columns that were learned.
    pub targets: Vec<String>,
    /// The classes that are told apart, one for each output of the system; empty where the targets are numbers.
    pub classes: Vec<String>,
    pub(super) network: Network,
    pub(super) scale: Scale,
    /// The antecedents before they were tuned.
    pub(super) before: Antecedents,
    pub(super) missing: Missing,
    /// Whether the softmax of the outputs are probabilities.
    pub(super) softmax: bool,
}

impl Tuned {
    /// What was learned from `prepared`, in the user's units.
    pub(super) fn new(
        tuner: &Tuner<'_>,
        prepared: Prepared,
        learned: Learned,
        report: Report,
    ) -> Result<Self> {
        let Prepared { inputs, targets, classes, scale, .. } = prepared;
        let network = learned.descent.best_at;
        let outputs = export::Outputs::of(&targets, &classes);
        Ok(Tuned {
            system: export::system(&network, &scale, &inputs, outputs)?,
            report,
            inputs,
            targets,
            classes,
            network,
            scale,
            before: learned.before,
            missing: tuner.missing,
            softmax: tuner.classify == Some(Classify::CrossEntropy),
        })
    }

    /// The same with a system of its present consequents.
    pub(super) fn renewed(&self) -> Result<Self> {
        let outputs = export::Outputs::of(&self.targets, &self.classes);
        let system = export::system(&self.network, &self.scale, &self.inputs, outputs)?;
        Ok(Tuned { system, ..self.clone() })
    }

    /// What the system says about every row: a column for each target.
    ///
    /// A classifier says a label, called as the target, and beside it a column for each class: the output, or its
    /// probability where it learned by cross-entropy.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`], [`Error::LearnedColumn`] and [`Error::NotFinite`].
    pub fn predict(&self, samples: &Table, device: &Device) -> Result<Table> {
        let inputs = self.inputs(samples)?;
        let targets = vec![vec![0.0; samples.rows()]; self.network.outputs];
        let samples = Samples { inputs, targets, weights: None, training: samples.rows() };
        let mut outputs = rows_of(&samples, device)?.predict(&self.network)?;
        outputs.iter_mut().enumerate().for_each(|(o, column)| self.scale.leave_target(o, column));
        if self.softmax {
            softmax(&mut outputs);
        }
        let values = (0..samples.rows()).flat_map(|row| outputs.iter().map(move |column| column[row]));
        let names = if self.classes.is_empty() { &self.targets } else { &self.classes };
        let table = Table::new(names.iter().cloned(), values.collect::<Vec<f64>>())?;
        if self.classes.is_empty() {
            return Ok(table);
        }
        let found = largest(&outputs);
        table.with_labels(Labels::new(&self.targets[0], found.iter().map(|class| &self.classes[*class])))
    }

    /// The sums of equation (3) over the rows of `samples`, which has the inputs and the targets that were learned: those
    /// of parts of the rows, on several machines that hold the same tuned system, are merged for [`Tuned::refit`].
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let part = |from: i32| {
    ///     let rows: Vec<f64> = (from..from + 30).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
    ///     Table::new(["x", "y"], rows)
    /// };
    /// let device = Device::cpu()?;
    /// let tuned = Tuner::grid(&[4]).fit(&part(0)?, &["y"], &device)?;
    /// let mut sums = tuned.statistics(&part(0)?, None, &device)?;
    /// sums.merge(&tuned.statistics(&part(30)?, None, &device)?)?;
    /// let both = tuned.refit(&sums, 1e-9)?;
    /// assert_eq!(sums.rows, 60);
    /// assert!(both.report.rmse < 0.05 * 3481.0); // rules that ended at 29 now know of 59
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownColumn`], [`Error::LearnedColumn`], [`Error::NotFinite`] and [`Error::Weight`].
    pub fn statistics(
        &self,
        samples: &Table,
        weights: Option<&[f64]>,
        device: &Device,
    ) -> Result<Statistics> {
        let samples = self.samples(samples, weights)?;
        rows_of(&samples, device)?.statistics(&self.network)
    }

    /// The same sets with the consequents that `statistics` ask for; the report tells the error over all their rows.
    ///
    /// # Errors
    /// [`Error::StatisticsShape`] and [`Error::StatisticsParts`] where they are not of this system, [`Error::Parameter`]
    /// for a ridge below 0.
    pub fn refit(&self, statistics: &Statistics, ridge: f64) -> Result<Tuned> {
        statistics.check()?;
        let expected = (self.network.unknowns(), self.network.outputs);
        if (statistics.unknowns, statistics.outputs) != expected {
            return Err(Error::StatisticsShape {
                found: (statistics.unknowns, statistics.outputs),
                expected,
            });
        }
        if !(ridge >= 0.0 && ridge.is_finite()) {
            return Err(Error::Parameter {
                algorithm: "tuning",
                name: "ridge",
                value: ridge,
                must: "at least 0",
            });
        }
        let mut tuned = self.clone();
        tuned.network.theta = solve(statistics, ridge).theta;
        tuned.report = Report {
            rmse: self.scale.target_span[0] * error(statistics, &tuned.network.theta),
            validation_rmse: None,
            accuracy: None,
            validation_accuracy: None,
            iterations: 0,
            stop: Stop::MaxIterations,
            history: Vec::new(),
            ..self.report.clone()
        };
        tuned.renewed()
    }

    /// The inputs of rows, scaled.
    fn inputs(&self, table: &Table) -> Result<Vec<Vec<f64>>> {
        let scaled = |(j, name): (usize, &String)| {
            let mut values = column(table, name, "input", self.missing)?;
            self.scale.enter(j, &mut values);
            Ok(values)
        };
        self.inputs.iter().enumerate().map(scaled).collect()
    }

    /// The inputs and targets of rows, scaled.
    pub(super) fn samples(&self, table: &Table, weights: Option<&[f64]>) -> Result<Samples> {
        let inputs = self.inputs(table)?;
        check_weights(weights, table.rows())?;
        let mut targets = match self.classes.is_empty() {
            true => {
                let column = |name: &String| column(table, name, "target", Missing::Error);
                self.targets.iter().map(column).collect::<Result<Vec<_>>>()?
            }
            false => Classes::among(table, &self.targets[0], &self.classes)?.one_hot(),
        };
        targets.iter_mut().enumerate().for_each(|(o, column)| self.scale.enter_target(o, column));
        Ok(Samples { inputs, targets, weights: weights.map(<[f64]>::to_vec), training: table.rows() })
    }
}

/// √(Σ w·(ŷ − y)² / Σ w / outputs) from the sums: yᵀy − 2θᵀΦᵀy + θᵀΦᵀΦθ of each output.
fn error(statistics: &Statistics, theta: &[f64]) -> f64 {
    let n = statistics.unknowns;
    let of = |o: usize| {
        let theta = &theta[o * n..][..n];
        let mut sum = statistics.squares[o];
        for a in 0..n {
            let row = &statistics.gram[a * (a + 1) / 2..][..a + 1];
            let below: f64 = row[..a].iter().zip(theta).map(|(g, theta)| g * theta).sum();
            sum += theta[a] * (2.0 * below + row[a] * theta[a] - 2.0 * statistics.cross[o * n + a]);
        }
        sum.max(0.0)
    };
    let all: f64 = (0..statistics.outputs).map(of).sum();
    (all / statistics.weight / statistics.outputs as f64).sqrt()
}
