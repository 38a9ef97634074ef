//! A fit that waits for the statistics of all rows in each step.

use super::problem;
use super::state::{Columns, Request, TuningState, scaled_gradient};
use super::statistics::{TuningStatistics, Values};
use crate::base::SettingError;
use crate::clustering::{self, FuzzyCMeans, Partition};
use crate::data::{DataError, Event, Exchange, Precision, Requests, check_targets};
use crate::device::Device;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::initial::mean_squares;
use crate::tuning::model::TunedSystem;
use crate::tuning::network::Network;
use crate::tuning::report::TuningReport;
use crate::tuning::report::build::build_report;
use crate::tuning::settings::{InitialRules, MissingInputs, TrainingMethod, Tuner, out_of_range};
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::fit::{train, tuned_system};
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::prepare::{PreparedData, regression_scaling};
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::scaling::Scaling;
use std::time::Instant;

/// A fit of rows that are distributed over processes or machines, by any means of communication.
///
/// In each step, the [state](DistributedTuning::state) is sent to all machines. Each computes the
/// [partial statistics](TuningState::partial_statistics) of its chunks of rows, which are
/// [merged](TuningStatistics::merge) and passed to [`DistributedTuning::update`]. When no state is left, the fit is
/// [finished](DistributedTuning::finish). The steps are the ranges of the columns, those of a
/// [distributed fit](crate::clustering::DistributedFit) of clusters for rules from clustering, the normal equations, and for each
/// iteration the gradient and the normal equations. The system is the one of [`Tuner::fit`] for the concatenated rows, up to the
/// order in which sums are rounded.
///
/// The methods [`TrainingMethod::Hybrid`] and [`TrainingMethod::Gradient`] are supported, for numeric targets, without validation
/// rows and subtractive clustering. There are no warnings about rows outside all triangles.
///
/// ```
/// use fuzzion::{Device, Table, tuning::{DistributedTuning, InitialRules, Tuner}};
/// let chunk = |from: i32| {
///     let rows: Vec<f64> = (from..from + 30).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
///     Table::new(["x", "y"], rows)
/// };
/// let device = Device::cpu()?;
/// let (a, b) = (chunk(0)?, chunk(30)?);
/// let tuner = Tuner::new(InitialRules::FuzzyCMeans(3)).iterations(5);
/// let mut fit = DistributedTuning::new(tuner.clone(), vec!["x".into()], vec!["y".into()], &device)?;
/// while let Some(state) = fit.state() {
///     let mut statistics = state.partial_statistics(&a, 0, &device)?; // on one machine
///     statistics.merge(&state.partial_statistics(&b, 1, &device)?)?; // on another one
///     fit.update(statistics)?;
/// }
/// let tuned = fit.finish()?;
/// let together: Vec<f64> = (0..60).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
/// let together = tuner.fit(&Table::new(["x", "y"], together)?, &["y"], &device)?;
/// assert!((tuned.report.rmse - together.report.rmse).abs() < 1e-9 * 3481.0);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug)]
pub struct DistributedTuning {
    exchange: Exchange<(Columns, Request), TuningStatistics, Result<TunedSystem>>,
    step: u64,
    /// Number of rows, after the first step.
    rows: Option<u64>,
    state: Option<TuningState>,
    tuned: Option<TunedSystem>,
}

impl DistributedTuning {
    /// Starts a fit of the columns `targets` with the columns `inputs`; [`Tuner::inputs`] is not used. Inputs with the same value
    /// in all rows are omitted. If the initial rules are those of a system, its inputs are used instead. The progress callback of
    /// the device is called in every iteration.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`], [`SettingError::Conflict`] and [`DataError::TrainingColumn`].
    pub fn new(tuner: Tuner, inputs: Vec<String>, targets: Vec<String>, device: &Device) -> Result<Self> {
        tuner.check()?;
        check_targets::<TuningError>("tuning", tuner.classify, &targets)?;
        let conflicts = [
            (tuner.classify.is_some(), "classes"),
            (tuner.validation > 0.0, "validation rows"),
            (tuner.method == TrainingMethod::LevenbergMarquardt, "Levenberg-Marquardt"),
            (matches!(tuner.method, TrainingMethod::RecursiveLeastSquares(_)), "recursive least squares"),
            (matches!(tuner.initial_rules, InitialRules::Subtractive(_)), "subtractive clustering"),
            (matches!(tuner.initial_rules, InitialRules::Tree { .. }), "a tree of rules"),
            (tuner.bounded != Some(false), "bounded predictions"),
        ];
        if let Some((_, b)) = conflicts.into_iter().find(|(conflict, _)| *conflict) {
            return Err(SettingError::Conflict { a: "a distributed fit", b }.into());
        }
        let inputs = match &tuner.initial_rules {
            InitialRules::System(system) => system.inputs.iter().map(|input| input.name.clone()).collect(),
            _ => inputs,
        };
        let device = device.cpu_only();
        let missing = tuner.missing == MissingInputs::Drop;
        let scale = Scaling::default();
        let columns = Columns { inputs, targets, missing, scale };
        let exchange = Exchange::start(move |requests| {
            fit(&tuner, &mut RemoteSamples { requests, columns, mean_weight: 1.0, device: &device }, &device)
        });
        let mut fit = DistributedTuning { exchange, step: 0, rows: None, state: None, tuned: None };
        fit.receive()?;
        Ok(fit)
    }

    /// The state for which statistics are needed next; `None` when the fit is finished.
    pub fn state(&self) -> Option<&TuningState> {
        self.state.as_ref()
    }

    /// Continues the fit with the merged statistics of all rows at the current state.
    ///
    /// # Errors
    /// [`TuningError::Distributed`] if these are not the statistics of all rows at the current state, in which case the fit can
    /// be continued; errors of [`Tuner::fit`], which end it.
    pub fn update(&mut self, statistics: TuningStatistics) -> Result<()> {
        let Some(state) = &self.state else {
            return Err(problem("it is finished; no more statistics are needed".into()));
        };
        state.check(&statistics, self.rows)?;
        self.rows = Some(statistics.rows);
        self.state = None;
        self.step += 1;
        self.exchange.answer(statistics);
        self.receive()
    }

    /// The fitted system.
    ///
    /// # Errors
    /// [`TuningError::Distributed`] if statistics are still needed.
    pub fn finish(self) -> Result<TunedSystem> {
        self.tuned.ok_or_else(|| problem("it is not finished; call `update` until there is no state".into()))
    }

    /// Waits until the fit needs statistics or is finished.
    fn receive(&mut self) -> Result<()> {
        match self.exchange.next() {
            Some(Event::Request((columns, request))) => {
                self.state = Some(TuningState { step: self.step, columns, request });
            }
            Some(Event::Finished(tuned)) => self.tuned = Some((*tuned)?),
            None => {}
        }
        Ok(())
    }
}

fn fit(tuner: &Tuner, samples: &mut RemoteSamples<'_>, device: &Device) -> Result<TunedSystem> {
    let clock = Instant::now();
    let prepared = samples.prepare(matches!(tuner.initial_rules, InitialRules::System(_)))?;
    let result = train(tuner, &prepared, &prepared.samples, samples, device)?;
    let seconds = clock.elapsed().as_secs_f64();
    let report =
        TuningReport { seconds, ..build_report(tuner, &prepared, &result.descent, samples, device)? };
    tuned_system(tuner, prepared, result, report)
}

/// Samples of other processes or machines.
struct RemoteSamples<'a> {
    requests: Requests<(Columns, Request), TuningStatistics, Result<TunedSystem>>,
    columns: Columns,
    /// Mean weight of the rows.
    mean_weight: f64,
    device: &'a Device,
}

/// Invariant of the replies, which [`TuningState::check`] ensures.
const MATCHES: &str = "invariant: the statistics match the request";

impl RemoteSamples<'_> {
    /// Waits for the statistics of all rows.
    fn request(&self, request: Request) -> Result<TuningStatistics> {
        self.requests.request((self.columns.clone(), request)).ok_or(TuningError::Interrupted)
    }

    /// Requests the ranges of the columns, and derives the scaling. The samples of the result have no values.
    fn prepare(&mut self, all_inputs: bool) -> Result<PreparedData> {
        let TuningStatistics { rows, values, .. } = self.request(Request::Ranges)?;
        let Values::Ranges { inputs: mut ranges, targets: target_ranges, weight } = values else {
            unreachable!("{MATCHES}")
        };
        if rows == 0 {
            return Err(out_of_range("rows", 0.0, "at least 2").into());
        }
        if weight <= 0.0 {
            return Err(DataError::SampleWeight { row: 1, value: 0.0 }.into());
        }
        self.mean_weight = weight / rows as f64;
        if !all_inputs {
            let mut varies = ranges.iter().map(|[min, max]| min < max);
            self.columns.inputs.retain(|_| varies.next().unwrap_or_default());
            ranges.retain(|[min, max]| min < max);
        }
        let Columns { inputs, targets, .. } = &self.columns;
        let scale = regression_scaling((inputs, &ranges), (targets, &target_ranges))?;
        self.columns.scale = scale.clone();
        let Columns { inputs, targets, .. } = self.columns.clone();
        let (columns, outputs) = (vec![Vec::new(); inputs.len()], vec![Vec::new(); targets.len()]);
        let samples =
            ScaledSamples { inputs: columns, targets: outputs, weights: None, training: rows as usize };
        Ok(PreparedData { inputs, targets, classes: Vec::new(), constant: Vec::new(), scale, samples })
    }
}

impl Backend for RemoteSamples<'_> {
    fn normal_equations(&mut self, network: &Network) -> Result<NormalEquations> {
        match self.request(Request::Equations { network: network.clone() })?.values {
            Values::Equations { equations } => Ok(equations),
            _ => unreachable!("{MATCHES}"),
        }
    }

    /// Divided by the mean weight, because the rows of the prepared samples have the weight 1.
    fn squared_firing(&mut self, network: &Network) -> Result<Vec<f64>> {
        // Constant consequents have the fewest products.
        let constant = Network::new(network.antecedents.clone(), 0, network.outputs);
        let equations = self.normal_equations(&constant)?;
        Ok((0..constant.unknowns()).map(|rule| equations.diagonal(rule) / self.mean_weight).collect())
    }

    fn fit_clusters(&mut self, settings: &FuzzyCMeans) -> Result<Option<(Partition, Option<Vec<f64>>)>> {
        let names = self.columns.inputs.clone();
        let mut fit = clustering::DistributedFit::new(settings.clone(), names, Precision::F64, self.device)?;
        while let Some(state) = fit.state() {
            match self.request(Request::Clusters { state: state.clone() })?.values {
                Values::Clusters { statistics } => fit.update(statistics)?,
                _ => unreachable!("{MATCHES}"),
            }
        }
        let partition = fit.finish()?;
        if partition.covariances.is_some() {
            return Ok(Some((partition, None)));
        }
        let request = Request::Variances { clusters: partition.clusters(), partition: partition.to_json()? };
        match self.request(request)?.values {
            Values::Variances { sums } => Ok(Some((partition, Some(mean_squares(&sums))))),
            _ => unreachable!("{MATCHES}"),
        }
    }

    fn loss_and_gradient(&mut self, network: &Network, _loss: Loss) -> Result<Gradient> {
        match self.request(Request::Gradient { network: network.clone() })?.values {
            Values::Gradient { gradient } => {
                let mean = 1.0 / gradient.weight[0];
                Ok(scaled_gradient(gradient, mean))
            }
            _ => unreachable!("{MATCHES}"),
        }
    }

    fn predict(&mut self, _network: &Network) -> Result<Vec<Vec<f64>>> {
        unreachable!("invariant: a fit predicts rows only for classes")
    }
}
