//! A fit that waits for the statistics of all rows in each step.

use super::state::{ClusteringState, Request};
use super::statistics::{Chunk, ClusteringStatistics, Sampled, Values};
use crate::base::SettingError;
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::fit::context::Fit;
use crate::clustering::fit::prepare::check_settings;
use crate::clustering::model::Partition;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::batches::require_positive_weight;
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::clustering::settings::{FuzzyCMeans, InitialCenters};
use crate::data::{Event, Exchange, Precision, Requests};
use crate::device::Device;

/// A fit of rows that are distributed over processes or machines, by any means of communication.
///
/// In each step, the [state](DistributedFit::state) is sent to all machines. Each computes the
/// [partial statistics](ClusteringState::partial_statistics) of its chunks of rows, which are
/// [merged](ClusteringStatistics::merge) and passed to [`DistributedFit::update`]. When no state is left, the fit is
/// [finished](DistributedFit::finish). All metrics, variants, initializations and settings of [`FuzzyCMeans::fit`] are
/// supported, except initial memberships. The partition is the one of [`FuzzyCMeans::fit`] for the concatenated rows, up to
/// the order in which sums are rounded; the chunks are concatenated in the order in which they are merged in the first step.
///
/// ```
/// use fuzzion::{Device, Samples, data::Precision, clustering::{DistributedFit, FuzzyCMeans}};
/// let device = Device::cpu()?;
/// let chunks = [Samples::new(1, &[0.0, 0.1, 9.8])?, Samples::new(1, &[0.2, 9.9, 10.0])?];
/// let settings = FuzzyCMeans::new(2);
/// let mut fit = DistributedFit::new(settings.clone(), vec!["x".into()], Precision::F64, &device)?;
/// while let Some(state) = fit.state() {
///     let mut statistics = state.partial_statistics(&chunks[0], 0, &device)?; // on one machine
///     statistics.merge(&state.partial_statistics(&chunks[1], 1, &device)?)?; // on another one
///     fit.update(statistics)?;
/// }
/// let partition = fit.finish()?;
/// let together = settings.fit(Samples::new(1, &[0.0, 0.1, 9.8, 0.2, 9.9, 10.0])?, &device)?;
/// let difference = partition.centers.to_f64()[0] - together.centers.to_f64()[0];
/// assert!(difference.abs() < 1e-12);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug)]
pub struct DistributedFit {
    exchange: Exchange<Request, Values, Result<Partition>>,
    columns: usize,
    single: bool,
    step: u64,
    /// Number of rows, after the first step.
    rows: Option<u64>,
    state: Option<ClusteringState>,
    partition: Option<Partition>,
}

impl DistributedFit {
    /// Starts a fit of rows with these column names and this precision. The device is used for the initial fits of
    /// [`InitialCenters::Sample`], and its progress callback is called in every iteration.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`], [`SettingError::Conflict`] and [`ClusteringError::NoColumns`].
    pub fn new(
        settings: FuzzyCMeans,
        names: Vec<String>,
        precision: Precision,
        device: &Device,
    ) -> Result<Self> {
        check_settings(&settings, &[settings.clusters], u64::MAX)?;
        if names.is_empty() {
            return Err(ClusteringError::NoColumns);
        }
        if let InitialCenters::Memberships(_) = settings.initial_centers {
            return Err(SettingError::Conflict { a: "a distributed fit", b: "initial memberships" }.into());
        }
        let (columns, device) = (names.len(), device.clone());
        let exchange = Exchange::start(move |requests| {
            let mut rows = RemoteRows { requests, chunks: Vec::new() };
            fit(&settings, names, precision, &mut rows, &device)
        });
        let single = precision == Precision::F32;
        let (rows, state, partition) = (None, None, None);
        let mut fit = DistributedFit { exchange, columns, single, step: 0, rows, state, partition };
        fit.receive()?;
        Ok(fit)
    }

    /// The state for which statistics are needed next; `None` when the fit is finished.
    pub fn state(&self) -> Option<&ClusteringState> {
        self.state.as_ref()
    }

    /// Continues the fit with the merged statistics of all rows at the current state.
    ///
    /// # Errors
    /// [`ClusteringError::Distributed`] if these are not the statistics of all rows at the current state, in which case the
    /// fit can be continued; errors of [`FuzzyCMeans::fit`], which end it.
    pub fn update(&mut self, statistics: ClusteringStatistics) -> Result<()> {
        let Some(state) = &self.state else {
            let problem = "it is finished; no more statistics are needed".into();
            return Err(ClusteringError::Distributed { problem });
        };
        state.check(&statistics, self.rows)?;
        self.rows = Some(statistics.rows);
        self.state = None;
        self.step += 1;
        self.exchange.answer(statistics.values);
        self.receive()
    }

    /// The fitted partition.
    ///
    /// # Errors
    /// [`ClusteringError::Distributed`] if statistics are still needed.
    pub fn finish(self) -> Result<Partition> {
        self.partition.ok_or_else(|| ClusteringError::Distributed {
            problem: "it is not finished; call `update` until there is no state".into(),
        })
    }

    /// Waits until the fit needs statistics or is finished.
    fn receive(&mut self) -> Result<()> {
        match self.exchange.next() {
            Some(Event::Request(request)) => {
                let DistributedFit { step, columns, single, .. } = *self;
                self.state = Some(ClusteringState { step, columns, single, request });
            }
            Some(Event::Finished(partition)) => self.partition = Some((*partition)?),
            None => {}
        }
        Ok(())
    }
}

fn fit(
    settings: &FuzzyCMeans,
    names: Vec<String>,
    precision: Precision,
    rows: &mut RemoteRows,
    device: &Device,
) -> Result<Partition> {
    let clusters = [settings.clusters];
    let fit = Fit::prepare(settings, &clusters, rows, (names, precision), device)?;
    let mut partitions = fit.partitions(rows)?;
    Ok(partitions.pop().expect("invariant: there is one partition per number of clusters"))
}

/// Rows of other processes or machines.
struct RemoteRows {
    requests: Requests<Request, Values, Result<Partition>>,
    chunks: Vec<Chunk>,
}

/// Invariant of the replies, which [`ClusteringState::check`] ensures.
const MATCHES: &str = "invariant: the statistics match the request";

impl RemoteRows {
    /// Waits for the statistics of all rows.
    fn request(&self, request: Request) -> Result<Values> {
        self.requests.request(request).ok_or(ClusteringError::Interrupted)
    }
}

impl RowBackend for RemoteRows {
    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        let Values::Summary { chunks, weight, summary } = self.request(Request::Summary { options })? else {
            unreachable!("{MATCHES}")
        };
        require_positive_weight(weight, summary.rows)?;
        self.chunks = chunks;
        // Merging moves the origin to the mean, also if there is only one chunk.
        let mut total = DataSummary::new(summary.means().len(), options);
        total.merge(&summary);
        Ok(total)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        let prototypes = prototypes.iter().copied().cloned().collect();
        match self.request(Request::Sums { prototypes, requested })? {
            Values::Sums { sums } => Ok(sums),
            _ => unreachable!("{MATCHES}"),
        }
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let (before, after) = steps.iter().map(|(a, b)| ((*a).clone(), (*b).clone())).unzip();
        match self.request(Request::Changes { before, after })? {
            Values::Changes { changes } => Ok(changes),
            _ => unreachable!("{MATCHES}"),
        }
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let request = Request::Rows { chunks: self.chunks.clone(), rows: rows.to_vec() };
        let Values::Rows { rows: mut found } = self.request(request)? else { unreachable!("{MATCHES}") };
        found.sort_by_key(|row| row.index);
        let weights = found.iter().map(|row| row.weight).collect();
        Ok((found.into_iter().flat_map(|Sampled { x, .. }| x).collect(), weights))
    }

    /// Only initial memberships visit all rows.
    fn visit(&mut self, _take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        Err(SettingError::Conflict { a: "a distributed fit", b: "initial memberships" }.into())
    }
}
