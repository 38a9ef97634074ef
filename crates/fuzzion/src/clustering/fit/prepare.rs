//! Validates the settings against the data and derives the coordinates in which the metric is Euclidean.

use crate::base::SettingError;
use crate::clustering::algorithm::AlternatingOptimizer;
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::numerics::linear::{ln_determinant, regular_cholesky};
use crate::clustering::prototypes::adaptive::AdaptiveMetric;
use crate::clustering::prototypes::space::{Space, inverse_power_of_two};
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::settings::{FuzzyCMeans, Metric, MissingValues, Variant};
use crate::data::{DataError, Precision, Table};
use crate::progress::Progress;

/// Maximum number of starts, which are all in memory.
const MAX_STARTS: usize = 1000;
/// Maximum fuzzifier of memberships and typicalities.
const MAX_FUZZIFIER: f64 = 100.0;

/// Maximum sum of the sample weights, whose products with distances must be finite.
const MAX_WEIGHT: f64 = 1e300;
/// Minimum sum of the sample weights: smaller ones are rounded to few digits.
const MIN_WEIGHT: f64 = 1e-290;

/// Settings combined with the summary of the data.
pub(in crate::clustering) struct Prepared<'a> {
    pub(in crate::clustering) summary: DataSummary,
    pub(in crate::clustering) space: Space,
    pub(in crate::clustering) optimizer: AlternatingOptimizer<'a>,
}

impl<'a> Prepared<'a> {
    pub(in crate::clustering) fn new(
        settings: &'a FuzzyCMeans,
        clusters: &[usize],
        rows: &mut dyn RowBackend,
        names: &[String],
        precision: Precision,
        progress: &'a Progress,
    ) -> Result<Self> {
        let partial = settings.missing == MissingValues::Partial;
        let adaptive_metric = matches!(settings.metric, Metric::GustafsonKessel { .. } | Metric::GathGeva);
        let mahalanobis = matches!(settings.metric, Metric::Mahalanobis { .. });
        if partial && (adaptive_metric || mahalanobis) {
            return Err(
                SettingError::Conflict { a: "partial distances", b: "a covariance-based metric" }.into()
            );
        }
        if adaptive_metric && settings.variant != Variant::Fuzzy {
            return Err(SettingError::Conflict {
                a: "the Gustafson-Kessel or Gath-Geva metric",
                b: "a variant other than fuzzy c-means",
            }
            .into());
        }
        let adaptive = adaptive_metric_of(settings, clusters)?;
        let options = SummaryOptions { partial, covariance: adaptive_metric || mahalanobis, scale: 1.0 };
        let mut summary = rows.summarize(options)?;
        check_settings(settings, clusters, summary.rows)?;
        if let Some(scale) = summary.better_scale() {
            summary = rows.summarize(SummaryOptions { scale, ..options })?;
        }
        summary.require_values(names)?;
        if !(MIN_WEIGHT..=MAX_WEIGHT).contains(&summary.weight) {
            return Err(ClusteringError::WeightSum { sum: summary.weight });
        }
        require_finite(summary.means().iter().copied().chain([summary.spread()]))?;
        let mut space = Space::euclidean(summary.means(), summary.spread(), precision);
        space = metric_space(space, &settings.metric, &summary, names)?;
        space.partial = partial;
        let deviations = summary.deviations();
        let n = names.len();
        let spread = match &space.whitening {
            Some(_) => (n as f64).sqrt(),
            None => deviations.iter().zip(&space.scale).map(|(d, s)| (d * s).powi(2)).sum::<f64>().sqrt(),
        };
        let mean_eigenvalue = if adaptive_metric {
            check_not_constant(&deviations, names)?;
            let covariance = summary.covariance(&space.scale);
            match regular_cholesky(&covariance, n) {
                Some(l) => (ln_determinant(&l, n) / n as f64).exp(),
                None if settings.metric == Metric::GathGeva => {
                    return Err(ClusteringError::SingularCovariance { whose: "data" });
                }
                // Linearly dependent columns have zero volume; use their mean variance instead.
                None => (0..n).map(|i| covariance[i * n + i]).sum::<f64>() / n as f64,
            }
        } else {
            1.0
        };
        let optimizer = AlternatingOptimizer {
            max_iterations: settings.max_iterations,
            tolerance: settings.tolerance,
            criterion: settings.criterion,
            plain: settings.plain,
            adaptive,
            spread,
            mean_eigenvalue,
            progress,
        };
        Ok(Prepared { summary, space, optimizer })
    }
}

/// Validates the settings for these numbers of clusters and rows.
pub(in crate::clustering) fn check_settings(
    settings: &FuzzyCMeans,
    clusters: &[usize],
    rows: u64,
) -> Result<()> {
    let positive = |name, value: f64| check_positive(name, &[value]);
    // Powers of memberships underflow for larger ones.
    let above_one = |name, m: f64| require(m > 1.0 && m <= MAX_FUZZIFIER, name, m, "above 1 and at most 100");
    require(!clusters.contains(&0), "clusters", 0.0, "at least 1")?;
    above_one("fuzzifier", settings.fuzzifier)?;
    let n_init = settings.n_init.unwrap_or(1);
    require((1..=MAX_STARTS).contains(&n_init), "n_init", n_init as f64, "from 1 to 1000")?;
    let tolerance = settings.tolerance;
    require(tolerance >= 0.0 && tolerance.is_finite(), "tolerance", tolerance, "finite and at least 0")?;
    match settings.variant {
        Variant::Noise { distance: Some(distance) } => positive("distance", distance)?,
        Variant::PossibilisticFuzzy { membership, typicality, typicality_fuzzifier } => {
            positive("membership", membership)?;
            positive("typicality", typicality)?;
            above_one("typicality_fuzzifier", typicality_fuzzifier)?;
        }
        Variant::Fuzzy | Variant::Hard | Variant::Possibilistic | Variant::Noise { distance: None } => {}
    }
    match clusters.iter().find(|clusters| rows < **clusters as u64) {
        Some(clusters) => Err(ClusteringError::TooFewRows { clusters: *clusters, rows }),
        None => Ok(()),
    }
}

/// Checks that the value of the setting `name` is `valid`.
pub(in crate::clustering) fn require(
    valid: bool,
    name: &'static str,
    value: f64,
    must: &'static str,
) -> Result<(), SettingError> {
    let error = SettingError::OutOfRange { algorithm: "clustering", name, value, must };
    if valid { Ok(()) } else { Err(error) }
}

/// Coordinates in which the metric is Euclidean.
fn metric_space(space: Space, metric: &Metric, summary: &DataSummary, names: &[String]) -> Result<Space> {
    let n = names.len();
    match metric {
        Metric::Euclidean | Metric::GustafsonKessel { .. } | Metric::GathGeva => Ok(space),
        Metric::Diagonal { variances } => {
            let deviations = match variances {
                Some(given) => {
                    check_length("variances", given.len(), n)?;
                    check_positive("variances", given)?;
                    given.iter().map(|v| v.sqrt()).collect()
                }
                None => {
                    let deviations = summary.deviations();
                    check_not_constant(&deviations, names)?;
                    check_inverse(&deviations, names)?;
                    deviations
                }
            };
            Ok(space.with_scales(deviations.iter().map(|d| 1.0 / d).collect()))
        }
        Metric::Mahalanobis { covariance } => {
            let (scales, whose) = match covariance {
                Some(given) => {
                    check_length("covariance", given.len(), n * n)?;
                    check_positive("variances", &(0..n).map(|i| given[i * n + i]).collect::<Vec<_>>())?;
                    (
                        (0..n).map(|i| inverse_power_of_two(given[i * n + i].sqrt())).collect::<Vec<_>>(),
                        "metric",
                    )
                }
                None => {
                    let deviations = summary.deviations();
                    check_not_constant(&deviations, names)?;
                    (deviations.into_iter().map(inverse_power_of_two).collect(), "data")
                }
            };
            let scaled = match covariance {
                Some(given) => (0..n * n).map(|at| given[at] * scales[at / n] * scales[at % n]).collect(),
                None => summary.covariance(&scales),
            };
            space
                .with_scales(scales)
                .with_covariance(&scaled)
                .ok_or(ClusteringError::SingularCovariance { whose })
        }
    }
}

fn adaptive_metric_of(settings: &FuzzyCMeans, clusters: &[usize]) -> Result<Option<AdaptiveMetric>> {
    Ok(match &settings.metric {
        Metric::GustafsonKessel { volumes, regularize } => {
            if let Some(volumes) = volumes {
                clusters.iter().try_for_each(|clusters| check_length("volumes", volumes.len(), *clusters))?;
                check_positive("volumes", volumes)?;
            }
            require((0.0..=1.0).contains(regularize), "regularize", *regularize, "from 0 to 1")?;
            Some(AdaptiveMetric::GustafsonKessel { volumes: volumes.clone(), regularize: *regularize })
        }
        Metric::GathGeva => Some(AdaptiveMetric::GathGeva),
        _ => None,
    })
}

fn check_not_constant(deviations: &[f64], names: &[String]) -> Result<()> {
    match deviations.iter().position(|d| d.is_nan() || *d <= 0.0) {
        Some(column) => {
            Err(ClusteringError::ConstantColumn { column: column + 1, name: names[column].clone() })
        }
        None => Ok(()),
    }
}

/// Checks that the inverses of the deviations are finite.
fn check_inverse(deviations: &[f64], names: &[String]) -> Result<()> {
    match deviations.iter().position(|d| !(1.0 / d).is_finite()) {
        Some(column) => {
            let (name, deviation) = (names[column].clone(), deviations[column]);
            Err(ClusteringError::NarrowColumn { column: column + 1, name, deviation })
        }
        None => Ok(()),
    }
}

/// Fails unless all computed `values` are finite.
pub(in crate::clustering) fn require_finite(values: impl IntoIterator<Item = f64>) -> Result<()> {
    if values.into_iter().all(f64::is_finite) { Ok(()) } else { Err(ClusteringError::Overflow) }
}

fn check_length(name: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(SettingError::ValueCount { name, found, expected }.into())
}

fn check_positive(name: &'static str, values: &[f64]) -> Result<()> {
    let is_valid = |v: f64| v > 0.0 && v.is_finite();
    Ok(values.iter().try_for_each(|v| require(is_valid(*v), name, *v, "positive and finite"))?)
}

/// Validates the shape and values of initial centers or memberships.
pub(in crate::clustering) fn check_initial(
    what: &'static str,
    table: &Table,
    expected: (u64, usize),
) -> Result<()> {
    let found = (table.rows() as u64, table.columns());
    if found != expected {
        return Err(ClusteringError::Shape { what, found, expected });
    }
    match table.require_finite() {
        Err(DataError::NotFinite { row, column, value, .. }) => {
            Err(ClusteringError::InitialNotFinite { what, row, column, value })
        }
        other => Ok(other?),
    }
}
