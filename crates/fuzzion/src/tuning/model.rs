//! Tuned systems: prediction, normal equations and refitting.

pub(super) mod calibration;
pub(super) mod intervals;
pub(super) mod range;
mod save;

use crate::data::{
    Classify, Labels, Samples, Table, argmax_rows, check_values, host_samples, input_column, softmax,
    targets_of_model,
};
use crate::device::Device;
use crate::inference::System;
use crate::stop::Stop;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::export;
use crate::tuning::model::calibration::Calibration;
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::report::TuningReport;
use crate::tuning::settings::{MissingInputs, out_of_range};
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::solve;
use crate::tuning::training::dispatch::backend_for;
use crate::tuning::training::samples::{ScaledSamples, weights_of};
use crate::tuning::training::scaling::Scaling;

/// System learned from data by [`Tuner::fit`](super::Tuner::fit).
///
/// ```
/// use fuzzion::{Device, Table, tuning::Tuner};
/// let rows: Vec<f64> = (0..=10).flat_map(|i| [f64::from(i), 2.0 * f64::from(i) + 1.0]).collect();
/// let device = Device::cpu()?;
/// let tuned = Tuner::grid(&[2]).iterations(0).fit(&Table::new(["x", "y"], rows)?, &["y"], &device)?;
/// let y = tuned.predict(&Table::new(["x"], vec![4.5])?, &device)?;
/// assert!((y.column("y")?[0] - 10.0).abs() < 1e-6);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TunedSystem {
    /// The learned system, in the units of the data.
    pub system: System,
    /// Report of the fit.
    pub report: TuningReport,
    /// Names of the inputs: columns, or `column=value` for a value of a text column.
    pub inputs: Vec<String>,
    /// Names of the target columns.
    pub targets: Vec<String>,
    /// Class names, one for each output of the system; empty for regression.
    pub classes: Vec<String>,
    pub(super) network: Network,
    pub(super) scale: Scaling,
    /// Antecedents before tuning.
    pub(super) initial_antecedents: Antecedents,
    pub(super) missing: MissingInputs,
    /// Whether outputs are bounded to the range of the targets.
    pub(super) bounded: bool,
    /// Whether the softmax of the outputs yields class probabilities.
    pub(super) softmax: bool,
    /// Calibration of prediction intervals.
    pub(super) calibration: Option<Calibration>,
    /// Lowest log firing strength of the strongest rule among the training rows.
    pub(super) min_ln_strength: Option<f64>,
}

impl TunedSystem {
    /// Classification mode; `None` for regression.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::{Classify, Tuner}};
    /// let rows: Vec<f64> = (0..20).flat_map(|i| [f64::from(i), f64::from(i / 10)]).collect();
    /// let tuner = Tuner::grid(&[2]).iterations(0).classify(Classify::OneHot);
    /// let tuned = tuner.fit(&Table::new(["x", "class"], rows)?, &["class"], &Device::cpu()?)?;
    /// assert_eq!(tuned.classify(), Some(Classify::OneHot));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn classify(&self) -> Option<Classify> {
        let mode = if self.softmax { Classify::CrossEntropy } else { Classify::OneHot };
        (!self.classes.is_empty()).then_some(mode)
    }

    /// A copy whose `system` reflects the current consequents.
    pub(super) fn with_rebuilt_system(&self) -> Result<Self> {
        let outputs = export::OutputNames::of(&self.targets, &self.classes);
        let mut system =
            export::bounded_system(&self.network, &self.scale, &self.inputs, outputs, self.bounded)?;
        export::names::apply_set_names(&mut system, &export::names::set_names(&self.system));
        Ok(TunedSystem { system, ..self.clone() })
    }

    /// Predicts every row: one column for each target.
    ///
    /// A classifier returns a label column named after the target and one column for each class, with the class
    /// output, or the class probability if it was trained with cross-entropy. Sample weights are ignored. Several GPUs
    /// share the rows.
    ///
    /// # Errors
    /// [`TuningError::Data`] for a column that is missing, contains text, or contains values that are not finite.
    pub fn predict<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Table> {
        self.predict_samples(&host_samples(samples)?, device)
    }

    pub(super) fn predict_samples(&self, samples: &Samples<'_>, device: &Device) -> Result<Table> {
        let inputs = self.scaled_inputs(samples)?;
        let targets = vec![vec![0.0; samples.rows()]; self.network.outputs];
        let samples = ScaledSamples { inputs, targets, weights: None, training: samples.rows() };
        let work = self.work(samples.rows());
        let mut outputs = backend_for(&samples, work, device)?.predict(&self.network)?;
        if self.bounded {
            self.scale.bound(&mut outputs, !self.classes.is_empty());
        }
        outputs.iter_mut().enumerate().for_each(|(o, column)| self.scale.unscale_target(o, column));
        if self.softmax {
            softmax(&mut outputs);
        }
        let values = (0..samples.rows()).flat_map(|row| outputs.iter().map(move |column| column[row]));
        let names = if self.classes.is_empty() { &self.targets } else { &self.classes };
        let table = Table::new(names.iter().cloned(), values.collect::<Vec<f64>>())?;
        if self.classes.is_empty() {
            return Ok(table);
        }
        // A row whose outputs are not numbers has no class.
        let is_missing = |row: usize| outputs.iter().any(|column| column[row].is_nan());
        let class = |(row, class): (usize, usize)| if is_missing(row) { "" } else { &self.classes[class] };
        let predicted = argmax_rows(&outputs).into_iter().enumerate().map(class);
        Ok(table.with_labels(Labels::new(&self.targets[0], predicted))?)
    }

    /// Normal equations of Equation (3) over `samples`, which must contain the input and target columns of the fit, with
    /// their weights, if any.
    /// Normal equations from several chunks or machines with the same tuned system can be merged and passed to
    /// [`TunedSystem::refit`].
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let part = |from: i32| {
    ///     let rows: Vec<f64> = (from..from + 30).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
    ///     Table::new(["x", "y"], rows)
    /// };
    /// let device = Device::cpu()?;
    /// let tuned = Tuner::grid(&[4]).fit(&part(0)?, &["y"], &device)?;
    /// let mut equations = tuned.normal_equations(&part(0)?, &device)?;
    /// equations.merge(&tuned.normal_equations(&part(30)?, &device)?)?;
    /// let both = tuned.refit(&equations, 1e-9)?;
    /// assert_eq!(equations.rows, 60);
    /// assert!(both.report.rmse < 0.05 * 3481.0); // the first fit covered x ≤ 29, the second x ≤ 59
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TuningError::Data`] as for [`TunedSystem::predict`], and if all weights are 0.
    pub fn normal_equations<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<NormalEquations> {
        let samples = self.scaled_samples(&host_samples(samples)?)?;
        backend_for(&samples, self.work(samples.rows()), device)?.normal_equations(&self.network)
    }

    /// Work of one pass over `rows` rows, for the device `best`.
    pub(super) fn work(&self, rows: usize) -> f64 {
        rows as f64 * self.network.unknowns() as f64
    }

    /// Solves `normal_equations` for new consequents; the sets do not change, and predictions are not bounded. The report
    /// contains the error over all rows of the normal equations.
    ///
    /// # Errors
    /// [`TuningError::NormalEquationsShape`] or [`TuningError::NormalEquationsParts`] if the normal equations do not
    /// belong to this system, [`SettingError::OutOfRange`](crate::SettingError::OutOfRange) for a negative ridge.
    pub fn refit(&self, normal_equations: &NormalEquations, ridge: f64) -> Result<TunedSystem> {
        normal_equations.check()?;
        let expected = (self.network.unknowns(), self.network.outputs);
        let found = (normal_equations.unknowns, normal_equations.outputs);
        if found != expected {
            return Err(TuningError::NormalEquationsShape { found, expected });
        }
        if !(ridge >= 0.0 && ridge.is_finite()) {
            return Err(out_of_range("ridge", ridge, "at least 0").into());
        }
        let mut tuned = self.clone();
        tuned.network.theta = solve(normal_equations, ridge).theta;
        tuned.report = TuningReport {
            rmse: self.scale.target_span[0] * scaled_rmse(normal_equations, &tuned.network.theta),
            validation_rmse: None,
            accuracy: None,
            validation_accuracy: None,
            iterations: 0,
            stop: Stop::MaxIterations,
            history: Vec::new(),
            ..self.report.clone()
        };
        // These are those of the rows of the fit.
        (tuned.calibration, tuned.bounded, tuned.report.bounded) = (None, false, false);
        tuned.with_rebuilt_system()
    }

    /// The inputs of the system, as other inference engines need them: the values of text columns are numbers.
    ///
    /// ```
    /// use fuzzion::{Device, Table, data::Labels, tuning::Tuner};
    /// let rows = Table::new(["y"], (0..20).map(|i| f64::from(i % 2)).collect::<Vec<f64>>())?;
    /// let rows = rows.with_labels(Labels::new("kind", ["oak", "elm"].repeat(10)))?;
    /// let tuned = Tuner::tree(1).fit(&rows, &["y"], &Device::cpu()?)?;
    /// let inputs = tuned.input_table(&rows)?;
    /// assert_eq!(inputs.names(), ["kind=elm", "kind=oak"]);
    /// assert_eq!(inputs.column("kind=oak")?[..2], [1.0, 0.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TunedSystem::predict`].
    pub fn input_table<'a>(&self, samples: impl Into<Samples<'a>>) -> Result<Table> {
        let samples = host_samples(samples)?;
        let columns = self.input_columns(&samples)?;
        let values = (0..samples.rows()).flat_map(|row| columns.iter().map(move |column| column[row]));
        Ok(Table::new(self.inputs.iter().cloned(), values.collect::<Vec<f64>>())?)
    }

    fn input_columns(&self, samples: &Samples<'_>) -> Result<Vec<Vec<f64>>> {
        check_values(samples, &self.inputs, None)?;
        Ok(self
            .inputs
            .iter()
            .map(|name| input_column(samples, name, self.missing))
            .collect::<Result<_, _>>()?)
    }

    /// Scaled input columns.
    pub(super) fn scaled_inputs(&self, samples: &Samples<'_>) -> Result<Vec<Vec<f64>>> {
        let mut columns = self.input_columns(samples)?;
        columns.iter_mut().enumerate().for_each(|(j, values)| self.scale.scale_input(j, values));
        Ok(columns)
    }

    /// Scaled input and target columns, and the weights.
    pub(super) fn scaled_samples(&self, samples: &Samples<'_>) -> Result<ScaledSamples> {
        let inputs = self.scaled_inputs(samples)?;
        let weights = weights_of(samples)?.map(<[f64]>::to_vec);
        let mut targets = targets_of_model(samples, &self.targets, &self.classes)?;
        targets.iter_mut().enumerate().for_each(|(o, column)| self.scale.scale_target(o, column));
        Ok(ScaledSamples { inputs, targets, weights, training: samples.rows() })
    }
}

/// RMSE in scaled units, √(Σ w·(ŷ − y)² / Σ w / outputs), with Σ w·(ŷ − y)² = yᵀy − 2θᵀΦᵀy + θᵀΦᵀΦθ for each output.
fn scaled_rmse(normal_equations: &NormalEquations, theta: &[f64]) -> f64 {
    let n = normal_equations.unknowns;
    let squared_error = |o: usize| {
        let theta = &theta[o * n..][..n];
        let mut sum = normal_equations.squares[o];
        for a in 0..n {
            let row = &normal_equations.gram[a * (a + 1) / 2..][..a + 1];
            let below: f64 = row[..a].iter().zip(theta).map(|(g, theta)| g * theta).sum();
            sum += theta[a] * (2.0 * below + row[a] * theta[a] - 2.0 * normal_equations.cross[o * n + a]);
        }
        sum.max(0.0)
    };
    let all: f64 = (0..normal_equations.outputs).map(squared_error).sum();
    (all / normal_equations.weight / normal_equations.outputs as f64).sqrt()
}
