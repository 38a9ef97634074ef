//! The programs of a fit, which are known before the rows have been summarized and uploaded.

use super::iterate::MAX_SINGLE_LAUNCH;
use super::layout::sweep::SweepLayout;
use super::layout::tensor::TensorLayout;
use super::loaded::MIN_TENSOR_ROWS;
use super::programs;
use crate::clustering::model::indices::HYPERVOLUME_COLUMNS;
use crate::clustering::prototypes::space::Space;
use crate::clustering::prototypes::{ClusterMetrics, MembershipRule, Prototypes};
use crate::clustering::rows::sums::RequestedSums;
use crate::clustering::settings::{Criterion, FuzzyCMeans, InitialCenters, Metric, MissingValues, Variant};
use crate::data::{Precision, Samples};
use crate::device::Cuda;
use crate::device::cuda::Program;

/// What a fit processes.
#[derive(Clone, Copy, Debug)]
struct FitShape {
    columns: usize,
    precision: Precision,
    weighted: bool,
    rows: usize,
    /// Whether there are enough rows for the product form.
    product_form: bool,
    /// Whether the rows are few enough to perform many steps per launch by differences.
    single_launch: bool,
}

impl FitShape {
    fn new(samples: &Samples<'_>, settings: &FuzzyCMeans, clusters: &[usize]) -> Self {
        let (rows, columns, precision) = (samples.rows(), samples.columns(), samples.precision());
        let partial = settings.missing == MissingValues::Partial;
        let most_clusters = clusters.iter().max().copied().unwrap_or(0);
        FitShape {
            columns,
            precision,
            weighted: samples.weights().is_some(),
            rows,
            product_form: precision == Precision::F32 && rows >= MIN_TENSOR_ROWS && !partial,
            single_launch: rows.saturating_mul(most_clusters * columns) <= MAX_SINGLE_LAUNCH,
        }
    }
}

/// Starts compiling the programs of a fit of `settings` to `samples`, for every number of clusters.
pub(in crate::clustering) fn prefetch_fit(
    settings: &FuzzyCMeans,
    clusters: &[usize],
    samples: &Samples<'_>,
    cuda: &Cuda,
) {
    let shape = FitShape::new(samples, settings, clusters);
    cuda.prefetch(fit_programs(settings, clusters, shape, cuda));
}

/// The programs of a fit of `settings` on `cuda`, for every number of clusters.
fn fit_programs(settings: &FuzzyCMeans, clusters: &[usize], shape: FitShape, cuda: &Cuda) -> Vec<Program> {
    let rows = programs::rows(shape.precision, shape.columns);
    let mut fit = FitPrograms { settings, shape, cuda, all: vec![rows, programs::reduce()] };
    clusters.iter().for_each(|clusters| fit.add(*clusters));
    fit.all
}

/// The programs of fuzzy c-means with default settings, a few clusters and a few columns.
pub(crate) fn typical_programs(cuda: &Cuda) -> Vec<Program> {
    let shape = |columns, precision| FitShape {
        columns,
        precision,
        weighted: false,
        rows: 1 << 20,
        product_form: true,
        single_launch: false,
    };
    let mut all = Vec::new();
    for columns in 2..=4 {
        for precision in [Precision::F32, Precision::F64] {
            all.extend(fit_programs(&FuzzyCMeans::new(2), &[2, 3, 4, 5], shape(columns, precision), cuda));
        }
    }
    all
}

struct FitPrograms<'a> {
    settings: &'a FuzzyCMeans,
    shape: FitShape,
    cuda: &'a Cuda,
    all: Vec<Program>,
}

impl FitPrograms<'_> {
    /// Adds the programs for one number of clusters, in the order of their use.
    fn add(&mut self, clusters: usize) {
        let (quality, none) = (RequestedSums { quality: true, scatter: false }, RequestedSums::default());
        let gath_geva = self.settings.metric == Metric::GathGeva;
        let adaptive = gath_geva || matches!(self.settings.metric, Metric::GustafsonKessel { .. });
        let iterations = RequestedSums { scatter: adaptive, quality: gath_geva };
        let fuzzy = self.prototypes(clusters, MembershipRule::Fuzzy { fuzzifier: self.settings.fuzzifier });
        let mut last = self.prototypes(clusters, self.rule());
        last.cluster_metrics = adaptive.then(no_metrics);
        let initial = &self.settings.initial_centers;
        let mut preliminary = Vec::new();
        if adaptive && !matches!(initial, InitialCenters::Memberships(_)) {
            if !matches!(initial, InitialCenters::Centers(_)) {
                preliminary.push((&fuzzy, none));
            }
            preliminary.push((&fuzzy, iterations));
        } else if self.has_preliminary_fit() {
            preliminary.extend([(&fuzzy, none), (&fuzzy, quality)]);
        }
        preliminary.into_iter().for_each(|(prototypes, requested)| self.add_pass(prototypes, requested));
        self.add_iterations(&last, iterations);
        if self.settings.criterion == Criterion::Memberships {
            let layout = self.sweep_layout(&last, false, none);
            self.all.extend(layout.as_ref().map(programs::memberships));
        }
        let scatter = !last.space.partial && (adaptive || self.shape.columns <= HYPERVOLUME_COLUMNS);
        self.add_pass(&last, RequestedSums { scatter, quality: true });
    }

    /// Prototypes with the properties that determine the programs; their numbers do not matter.
    fn prototypes(&self, clusters: usize, rule: MembershipRule) -> Prototypes {
        let columns = self.shape.columns;
        let mut space = Space::euclidean(&vec![0.0; columns], 1.0, self.shape.precision);
        space.partial = self.settings.missing == MissingValues::Partial;
        Prototypes::new(space, vec![0.0; clusters * columns], rule)
    }

    /// The rule of the last fit.
    fn rule(&self) -> MembershipRule {
        let fuzzifier = self.settings.fuzzifier;
        match self.settings.variant {
            Variant::Fuzzy if self.settings.metric == Metric::GathGeva => {
                MembershipRule::Gaussian { fuzzifier }
            }
            Variant::Fuzzy => MembershipRule::Fuzzy { fuzzifier },
            Variant::Hard => MembershipRule::Hard,
            Variant::Noise { .. } => MembershipRule::Noise { fuzzifier, distance: 1.0 },
            Variant::Possibilistic => MembershipRule::Possibilistic { fuzzifier, widths: Vec::new() },
            Variant::PossibilisticFuzzy { membership, typicality, typicality_fuzzifier } => {
                let widths = Vec::new();
                MembershipRule::Mixed { fuzzifier, typicality_fuzzifier, membership, typicality, widths }
            }
        }
    }

    /// Whether a fuzzy fit precedes that of the variant.
    fn has_preliminary_fit(&self) -> bool {
        match self.settings.variant {
            Variant::Fuzzy | Variant::Hard | Variant::Noise { distance: Some(_) } => false,
            Variant::Noise { distance: None }
            | Variant::Possibilistic
            | Variant::PossibilisticFuzzy { .. } => true,
        }
    }

    fn add_iterations(&mut self, prototypes: &Prototypes, requested: RequestedSums) {
        let FuzzyCMeans { plain, criterion, .. } = *self.settings;
        let restarts =
            self.settings.restarts(self.shape.rows as u64, self.shape.columns, prototypes.clusters());
        let plain_steps = plain && criterion == Criterion::CenterShift && restarts == 1;
        let supported = matches!(
            prototypes.rule,
            MembershipRule::Fuzzy { .. } | MembershipRule::Noise { .. } | MembershipRule::Hard
        );
        let on_device =
            plain_steps && supported && prototypes.cluster_metrics.is_none() && !prototypes.space.partial;
        let small = self.tensor(prototypes, requested).filter(|layout| !layout.large);
        match small {
            Some(layout) if on_device => {
                self.all.extend([programs::split(&layout), programs::tensor_iterations(&layout)]);
            }
            None if on_device && self.shape.single_launch => {
                let multiprocessors = self.cuda.gpu().multiprocessors as usize;
                let layout = self.sweep_layout(prototypes, self.shape.weighted, RequestedSums::default());
                let layout = layout.map(|layout| layout.with_small_tiles(self.shape.rows, multiprocessors));
                self.all.extend(layout.as_ref().map(programs::iterate));
            }
            _ => self.add_pass(prototypes, requested),
        }
    }

    /// Adds the programs of a pass over the rows.
    fn add_pass(&mut self, prototypes: &Prototypes, requested: RequestedSums) {
        match self.tensor(prototypes, requested) {
            Some(layout) => self.all.extend([programs::split(&layout), programs::tensor(&layout)]),
            None => self.add_sweep(prototypes, requested),
        }
    }

    fn add_sweep(&mut self, prototypes: &Prototypes, requested: RequestedSums) {
        let layout = self.sweep_layout(prototypes, self.shape.weighted, requested);
        self.all.extend(layout.as_ref().map(programs::sweep));
    }

    fn sweep_layout(
        &self,
        prototypes: &Prototypes,
        weighted: bool,
        requested: RequestedSums,
    ) -> Option<SweepLayout> {
        let shared = self.cuda.gpu().shared_per_block.max(0) as usize;
        SweepLayout::new(prototypes, self.shape.precision, weighted, requested, shared)
    }

    fn tensor(&self, prototypes: &Prototypes, requested: RequestedSums) -> Option<TensorLayout> {
        TensorLayout::new(prototypes, self.shape.weighted, requested).filter(|_| self.shape.product_form)
    }
}

fn no_metrics() -> ClusterMetrics {
    ClusterMetrics { factors: Vec::new(), offsets: Vec::new(), covariances: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clustering::cuda::Resident;
    use crate::clustering::fit::context::Fit;
    use crate::data::Values;
    use crate::device::cuda::emulator::Order;
    use crate::device::{Cpu, Device};
    use crate::random::Random;

    /// Checks that a fit uses exactly the programs of [`fit_programs`].
    fn assert_prefetched(settings: &FuzzyCMeans, values: Values<'_>, columns: usize) {
        let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
        let (cpu, device) = (Cpu::with_threads(1).unwrap(), Device::cpu().unwrap());
        let samples = Samples::new(columns, values).unwrap();
        let (precision, clusters) = (samples.precision(), [settings.clusters]);
        prefetch_fit(settings, &clusters, &samples, &cuda);
        let names = (0..columns).map(|column| column.to_string()).collect();
        let mut rows = Resident::new(samples, &cuda, &cpu).unwrap();
        let fit = Fit::prepare(settings, &clusters, &mut rows, (names, precision), &device).unwrap();
        assert_eq!(fit.partitions(&mut rows).unwrap().len(), 1);
        let [not_prefetched, not_used] = cuda.prefetch_mismatch();
        assert!(not_prefetched.is_empty() && not_used.is_empty(), "{not_prefetched:?}, {not_used:?}");
    }

    fn random(count: usize) -> Vec<f64> {
        let mut random = Random::new(1);
        (0..count).map(|_| (random.bits() % 1024) as f64 / 64.0).collect()
    }

    #[test]
    fn fits_by_differences_use_the_prefetched_programs() {
        let values = random(600);
        let fit = FuzzyCMeans::new(2).n_init(1).max_iterations(3);
        for settings in [
            fit.clone(),
            fit.clone().plain(true),
            fit.clone().variant(Variant::Noise { distance: None }),
            fit.clone().metric(Metric::GathGeva).criterion(Criterion::Memberships),
            fit.clone().metric(Metric::Mahalanobis { covariance: None }).variant(Variant::Hard).plain(true),
            fit.missing(MissingValues::Partial).n_init(2).plain(true),
        ] {
            assert_prefetched(&settings, Values::F64(&values), 3);
        }
    }

    #[test]
    fn fits_on_tensor_cores_use_the_prefetched_programs() {
        let values: Vec<f32> = random(8 << 14).into_iter().map(|x| x as f32).collect();
        let fit = FuzzyCMeans::new(2).n_init(1).max_iterations(2);
        assert_prefetched(&fit, Values::F32(&values), 8);
        assert_prefetched(&fit.plain(true), Values::F32(&values), 8);
    }
}
