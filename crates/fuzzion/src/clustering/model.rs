//! Settings, the verbs that fit, and the one match on the device.

use super::cpu::{Memory, Stream};
use super::cuda::{self, Passing, Resident, Together};
use super::fit::Fit;
use super::partition::Partition;
use super::pieces::Pieces;
use super::prepare::{check, check_weights};
use super::prototypes::Prototypes;
use super::rows::{Out, Rows, Samples, Source};
use super::settings::{Criterion, Metric, Missing, Start, Variant};
use crate::data::{Precision, Table, TableReader};
use crate::device::{Device, Processor};
use crate::error::{Error, Result};
use crate::progress::Progress;

/// Fuzzy c-means and its kin: settings, then [`FuzzyCMeans::fit`].
///
/// ```
/// use fuzzion::{Device, Table, clustering::FuzzyCMeans};
/// let rows = Table::unnamed(1, vec![0.0, 0.1, 0.2, 9.8, 9.9, 10.0])?;
/// let partition = FuzzyCMeans::new(2).seed(42).fit(&rows, &Device::cpu()?)?;
/// let mut centers = partition.centers.to_f64().to_vec();
/// centers.sort_by(f64::total_cmp);
/// assert!((centers[0] - 0.1).abs() < 0.01 && (centers[1] - 9.9).abs() < 0.01);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FuzzyCMeans<'a> {
    /// C, how many clusters.
    pub clusters: usize,
    /// m > 1, how much clusters overlap; 2 if not set.
    pub fuzzifier: f64,
    /// How far a row is from a center.
    pub metric: Metric,
    /// How distances become memberships.
    pub variant: Variant,
    /// Where the iteration starts.
    pub start: Start,
    /// How many starts are tried; the one that ends at the lowest objective counts.
    pub n_init: usize,
    /// What random choices repeat for.
    pub seed: u64,
    /// The most sweeps over the data, 300 if not set.
    pub max_iterations: usize,
    /// How small the criterion must become, 1e-5 if not set.
    pub tolerance: f64,
    /// What must become small.
    pub criterion: Criterion,
    /// Whether to take the textbook's steps instead of the accelerated ones, which have the same fixed points.
    pub plain: bool,
    /// What happens to missing values.
    pub missing: Missing,
    /// Who is told how many iterations are done, of how many.
    pub progress: Progress<'a>,
}

impl<'a> FuzzyCMeans<'a> {
    /// Fuzzy c-means with `clusters` clusters, fuzzifier 2, Euclidean, from k-means++.
    pub fn new(clusters: usize) -> Self {
        FuzzyCMeans {
            clusters,
            fuzzifier: 2.0,
            metric: Metric::default(),
            variant: Variant::default(),
            start: Start::default(),
            n_init: 1,
            seed: 0,
            max_iterations: 300,
            tolerance: 1e-5,
            criterion: Criterion::default(),
            plain: false,
            missing: Missing::default(),
            progress: Progress::none(),
        }
    }

    /// Sets [`FuzzyCMeans::fuzzifier`].
    #[must_use]
    pub fn fuzzifier(mut self, fuzzifier: f64) -> Self {
        self.fuzzifier = fuzzifier;
        self
    }

    /// Sets [`FuzzyCMeans::metric`].
    #[must_use]
    pub fn metric(mut self, metric: Metric) -> Self {
        self.metric = metric;
        self
    }

    /// Sets [`FuzzyCMeans::variant`].
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> Self {
        self.variant = variant;
        self
    }

    /// Sets [`FuzzyCMeans::start`].
    #[must_use]
    pub fn start(mut self, start: Start) -> Self {
        self.start = start;
        self
    }

    /// Sets [`FuzzyCMeans::n_init`].
    #[must_use]
    pub fn n_init(mut self, n_init: usize) -> Self {
        self.n_init = n_init;
        self
    }

    /// Sets [`FuzzyCMeans::seed`].
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets [`FuzzyCMeans::max_iterations`].
    #[must_use]
    pub fn max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// Sets [`FuzzyCMeans::tolerance`].
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets [`FuzzyCMeans::criterion`].
    #[must_use]
    pub fn criterion(mut self, criterion: Criterion) -> Self {
        self.criterion = criterion;
        self
    }

    /// Sets [`FuzzyCMeans::plain`].
    #[must_use]
    pub fn plain(mut self, plain: bool) -> Self {
        self.plain = plain;
        self
    }

    /// Sets [`FuzzyCMeans::missing`].
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Self {
        self.missing = missing;
        self
    }

    /// Sets [`FuzzyCMeans::progress`].
    #[must_use]
    pub fn progress(mut self, progress: Progress<'a>) -> Self {
        self.progress = progress;
        self
    }

    /// Clusters the rows of `samples`, computing in their precision.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::TooFewRows`], [`Error::NotFinite`], [`Error::ClusteringShape`],
    /// [`Error::StartNotFinite`], [`Error::NothingToCluster`], [`Error::ConstantColumn`], [`Error::Singular`],
    /// [`Error::NotTogether`], [`Error::NotOnGpu`] and [`Error::Interrupted`].
    pub fn fit(&self, samples: &Table, device: &Device) -> Result<Partition> {
        self.one(Source::Memory(Samples::of(samples, None)), device)
    }

    /// As [`FuzzyCMeans::fit`], each row counting as often as its weight says.
    ///
    /// # Errors
    /// As there, and [`Error::Weight`].
    pub fn fit_weighted(&self, samples: &Table, weights: &[f64], device: &Device) -> Result<Partition> {
        check_weights(weights, samples)?;
        self.one(Source::Memory(Samples::of(samples, Some(weights))), device)
    }

    /// As [`FuzzyCMeans::fit`], from a table that need not fit memory; to the bit the same partition.
    ///
    /// # Errors
    /// As there, and those of reading.
    pub fn fit_reader(&self, samples: &mut TableReader<'_>, device: &Device) -> Result<Partition> {
        self.one(Source::Pieces(Pieces::new(samples, None)?), device)
    }

    /// As [`FuzzyCMeans::fit_reader`], each row counting as often as the column called `weights` says, which is not
    /// clustered.
    ///
    /// # Errors
    /// As there, [`Error::Weight`] and [`Error::UnknownColumn`].
    pub fn fit_reader_weighted(
        &self,
        samples: &mut TableReader<'_>,
        weights: &str,
        device: &Device,
    ) -> Result<Partition> {
        self.one(Source::Pieces(Pieces::new(samples, Some(weights))?), device)
    }

    fn one(&self, source: Source<'_, '_>, device: &Device) -> Result<Partition> {
        let clusters = self.clusters;
        let mut partitions = self.all(&[clusters], source, device)?;
        partitions.pop().ok_or(Error::TooFewRows { clusters, rows: 0 })
    }

    /// The partition for each number of clusters; all fits share the passes over the rows.
    pub(super) fn all(
        &self,
        clusters: &[usize],
        source: Source<'_, '_>,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        check(self, clusters, u64::MAX)?;
        if source.names().is_empty() {
            return Err(Error::NothingToCluster);
        }
        let layout = (source.names().to_vec(), source.precision());
        let mut rows = rows_of(source, device)?;
        Fit::prepare(self, clusters, &mut *rows, layout, device)?.partitions(&mut *rows)
    }

    /// A partition for each number of clusters, in order, each to the bit that of its own [`FuzzyCMeans::fit`]; all of
    /// them share the passes over the rows.
    ///
    /// # Errors
    /// As [`FuzzyCMeans::fit`].
    pub fn sweep(
        &self,
        clusters: impl IntoIterator<Item = usize>,
        samples: &Table,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        let clusters: Vec<usize> = clusters.into_iter().collect();
        self.all(&clusters, Source::Memory(Samples::of(samples, None)), device)
    }

    /// As [`FuzzyCMeans::sweep`], each row counting as often as its weight says.
    ///
    /// # Errors
    /// As [`FuzzyCMeans::fit_weighted`].
    pub fn sweep_weighted(
        &self,
        clusters: impl IntoIterator<Item = usize>,
        samples: &Table,
        weights: &[f64],
        device: &Device,
    ) -> Result<Vec<Partition>> {
        check_weights(weights, samples)?;
        let clusters: Vec<usize> = clusters.into_iter().collect();
        self.all(&clusters, Source::Memory(Samples::of(samples, Some(weights))), device)
    }

    /// As [`FuzzyCMeans::sweep`], from a table that need not fit memory; a column called `weights` may hold weights.
    ///
    /// # Errors
    /// As [`FuzzyCMeans::fit_reader_weighted`].
    pub fn sweep_reader(
        &self,
        clusters: impl IntoIterator<Item = usize>,
        samples: &mut TableReader<'_>,
        weights: Option<&str>,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        let clusters: Vec<usize> = clusters.into_iter().collect();
        self.all(&clusters, Source::Pieces(Pieces::new(samples, weights)?), device)
    }

    /// Clusters the next piece of a stream: what came before is remembered by its centers, each as heavy as the
    /// memberships it gathered. `None` starts anew.
    ///
    /// Source: P. Hore, L. O. Hall, D. B. Goldgof, "Single pass fuzzy c means", 2007.
    ///
    /// # Errors
    /// As [`FuzzyCMeans::fit`], and [`Error::ClusteringShape`] for a piece of another width.
    pub fn partial_fit(
        &self,
        before: Option<Partition>,
        piece: &Table,
        device: &Device,
    ) -> Result<Partition> {
        let Some(before) = before else { return self.fit(piece, device) };
        before.require_columns(piece)?;
        let mut values = before.centers.to_f64().into_owned();
        values.extend(piece.to_f64().iter());
        let mut weights = before.weights.clone();
        weights.resize(weights.len() + piece.rows(), 1.0);
        let all = match piece.precision() {
            Precision::F64 => Table::new(piece.names(), values)?,
            Precision::F32 => {
                Table::new(piece.names(), values.into_iter().map(|x| x as f32).collect::<Vec<_>>())?
            }
        };
        let start = Start::Centers(before.centers);
        FuzzyCMeans { start, ..self.clone() }.fit_weighted(&all, &weights, device)
    }

    /// Clusters the brightnesses of an 8-bit grey image, `histogram[b]` pixels of brightness b: exactly the fit of all
    /// pixels, at the cost of 256.
    ///
    /// # Errors
    /// As [`FuzzyCMeans::fit`].
    pub fn fit_histogram(&self, histogram: &[u64; 256], device: &Device) -> Result<Partition> {
        let used: Vec<usize> = (0..256).filter(|b| histogram[*b] > 0).collect();
        let values: Vec<f64> = used.iter().map(|b| *b as f64).collect();
        let weights: Vec<f64> = used.iter().map(|b| histogram[*b] as f64).collect();
        self.fit_weighted(&Table::new(["brightness"], values)?, &weights, device)
    }
}

/// Values under which a GPU is not worth the way there.
const FEW_VALUES: usize = 1 << 18;

/// The rows of `source` on the processor that clusters them.
pub(super) fn rows_of<'a, 'b: 'a>(source: Source<'a, 'b>, device: &'a Device) -> Result<Box<dyn Rows + 'a>> {
    // A reader is slower than a GPU: where there is a choice, the CPU keeps up with it.
    let small = match &source {
        Source::Memory(samples) => samples.values.len() < FEW_VALUES,
        Source::Pieces(_) => true,
    };
    if let (Source::Memory(samples), Some(cudas)) = (&source, device.several()) {
        return Ok(Box::new(Together::new(*samples, cudas)?));
    }
    Ok(match (source, device.processor(small)) {
        (Source::Memory(samples), Processor::Cpu(cpu)) => Box::new(Memory::new(samples, cpu)),
        (Source::Pieces(pieces), Processor::Cpu(cpu)) => Box::new(Stream::new(pieces, cpu.clone())),
        (Source::Memory(samples), Processor::Cuda(cuda)) => Box::new(Resident::new(samples, cuda)?),
        (Source::Pieces(pieces), Processor::Cuda(cuda)) => Box::new(Passing::new(pieces, cuda)?),
    })
}

/// The memberships of rows in memory.
pub(super) fn degrees_of(
    samples: Samples<'_>,
    prototypes: &Prototypes,
    out: Out<'_>,
    device: &Device,
) -> Result<()> {
    // They are as many as rows × clusters and come back through the bus: where there is a choice, the CPU is as quick.
    match device.processor(true) {
        Processor::Cpu(cpu) => Memory::new(samples, cpu).degrees(prototypes, out),
        Processor::Cuda(cuda) => cuda::degrees(samples, cuda, prototypes, out)?,
    }
    Ok(())
}
