//! Settings that meet their data: what must fit what, and the coordinates in which the metric is Euclidean.

use super::algorithm::Course;
use super::linear::{ln_determinant, regular_cholesky};
use super::metric::Shaping;
use super::model::FuzzyCMeans;
use super::rows::Rows;
use super::settings::{Metric, Missing, Variant};
use super::space::{Space, power_near};
use super::survey::{Ask, Survey};
use crate::data::{Precision, Table};
use crate::error::{Error, Result};

/// What the settings and the first look at the data lead to.
pub(super) struct Prepared<'a> {
    pub(super) survey: Survey,
    pub(super) space: Space,
    pub(super) course: Course<'a>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(
        settings: &'a FuzzyCMeans<'a>,
        clusters: &[usize],
        rows: &mut dyn Rows,
        names: &[String],
        precision: Precision,
    ) -> Result<Self> {
        let partial = settings.missing == Missing::Partial;
        let own = matches!(settings.metric, Metric::GustafsonKessel { .. } | Metric::GathGeva);
        let mahalanobis = matches!(settings.metric, Metric::Mahalanobis { .. });
        if partial && (own || mahalanobis) {
            return Err(Error::NotTogether { a: "partial distances", b: "a metric with covariances" });
        }
        if own && settings.variant != Variant::Fuzzy {
            return Err(Error::NotTogether { a: "a metric of each cluster's own", b: "a variant" });
        }
        let shaping = shaping(settings, clusters)?;
        let ask = Ask { partial, covariance: own || mahalanobis, scale: 1.0 };
        let mut survey = rows.survey(ask)?;
        check(settings, clusters, survey.rows)?;
        if let Some(scale) = survey.better_scale() {
            survey = rows.survey(Ask { scale, ..ask })?;
        }
        survey.require_values(names)?;
        let mut space = Space::euclidean(survey.means(), survey.spread(), precision);
        space = measured(space, &settings.metric, &survey, names)?;
        space.partial = partial;
        let deviations = survey.deviations();
        let n = names.len();
        let spread = match &space.map {
            Some(_) => (n as f64).sqrt(),
            None => deviations.iter().zip(&space.scale).map(|(d, s)| (d * s).powi(2)).sum::<f64>().sqrt(),
        };
        let size = if own {
            constant_column(&deviations, names)?;
            let covariance = survey.covariance(&space.scale);
            match regular_cholesky(&covariance, n) {
                Some(l) => (ln_determinant(&l, n) / n as f64).exp(),
                None if settings.metric == Metric::GathGeva => return Err(Error::Singular { whose: "data" }),
                // Columns that depend on each other have no volume; their mean variance stands for it.
                None => (0..n).map(|i| covariance[i * n + i]).sum::<f64>() / n as f64,
            }
        } else {
            1.0
        };
        let course = Course {
            max_iterations: settings.max_iterations,
            tolerance: settings.tolerance,
            criterion: settings.criterion,
            plain: settings.plain,
            shaping,
            spread,
            size,
            progress: settings.progress,
        };
        Ok(Prepared { survey, space, course })
    }
}

/// Refuses settings that mean nothing for so many clusters and rows.
pub(super) fn check(settings: &FuzzyCMeans<'_>, clusters: &[usize], rows: u64) -> Result<()> {
    let require = |fits: bool, name, value, must| {
        let refused = Error::Parameter { algorithm: "clustering", name, value, must };
        if fits { Ok(()) } else { Err(refused) }
    };
    let positive =
        |name, value: f64| require(value > 0.0 && value.is_finite(), name, value, "positive and finite");
    let above_one = |name, m: f64| {
        require(m > 1.0, name, m, "greater than 1")?;
        require(m.is_finite(), name, m, "finite")
    };
    require(!clusters.contains(&0), "clusters", 0.0, "at least 1")?;
    above_one("fuzzifier", settings.fuzzifier)?;
    require(settings.n_init > 0, "n_init", 0.0, "at least 1")?;
    require(settings.tolerance >= 0.0, "tolerance", settings.tolerance, "at least 0")?;
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
        Some(clusters) => Err(Error::TooFewRows { clusters: *clusters, rows }),
        None => Ok(()),
    }
}

/// Refuses weights that cannot be used for the rows of `samples`.
pub(super) fn check_weights(weights: &[f64], samples: &Table) -> Result<()> {
    require_weight(sum_weights(weights, samples.rows(), 0)?, samples.rows() as u64)
}

/// The sum of weights that can be used; the first of them is that of row `first`, from 0.
pub(super) fn sum_weights(weights: &[f64], rows: usize, first: u64) -> Result<f64> {
    let unfit = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0));
    let missing = (weights.len() != rows).then_some(weights.len().min(rows));
    match unfit.or(missing) {
        Some(row) => {
            let value = weights.get(row).copied().unwrap_or(f64::NAN);
            Err(Error::Weight { row: first + row as u64 + 1, value })
        }
        None => Ok(weights.iter().sum()),
    }
}

/// Refuses the weights of all `rows` rows where they sum up to nothing.
pub(super) fn require_weight(sum: f64, rows: u64) -> Result<()> {
    if sum == 0.0 && rows > 0 { Err(Error::Weight { row: 1, value: 0.0 }) } else { Ok(()) }
}

/// The coordinates in which the metric is Euclidean.
fn measured(space: Space, metric: &Metric, survey: &Survey, names: &[String]) -> Result<Space> {
    let n = names.len();
    match metric {
        Metric::Euclidean | Metric::GustafsonKessel { .. } | Metric::GathGeva => Ok(space),
        Metric::Diagonal { variances } => {
            let deviations = match variances {
                Some(given) => {
                    length("variances", given.len(), n)?;
                    positive("variances", given)?;
                    given.iter().map(|v| v.sqrt()).collect()
                }
                None => {
                    let own = survey.deviations();
                    constant_column(&own, names)?;
                    own
                }
            };
            Ok(space.with_scales(deviations.iter().map(|d| 1.0 / d).collect()))
        }
        Metric::Mahalanobis { covariance } => {
            let (scales, whose) = match covariance {
                Some(given) => {
                    length("covariance", given.len(), n * n)?;
                    positive("variances", &(0..n).map(|i| given[i * n + i]).collect::<Vec<_>>())?;
                    ((0..n).map(|i| power_near(given[i * n + i].sqrt())).collect::<Vec<_>>(), "metric")
                }
                None => {
                    let own = survey.deviations();
                    constant_column(&own, names)?;
                    (own.into_iter().map(power_near).collect(), "data")
                }
            };
            let scaled = match covariance {
                Some(given) => (0..n * n).map(|at| given[at] * scales[at / n] * scales[at % n]).collect(),
                None => survey.covariance(&scales),
            };
            space.with_scales(scales).with_covariance(&scaled).ok_or(Error::Singular { whose })
        }
    }
}

fn shaping(settings: &FuzzyCMeans<'_>, clusters: &[usize]) -> Result<Option<Shaping>> {
    Ok(match &settings.metric {
        Metric::GustafsonKessel { volumes, regularize } => {
            if let Some(volumes) = volumes {
                clusters.iter().try_for_each(|clusters| length("volumes", volumes.len(), *clusters))?;
                positive("volumes", volumes)?;
            }
            if !(0.0..=1.0).contains(regularize) {
                let must = "from 0 to 1";
                return Err(Error::Parameter {
                    algorithm: "clustering",
                    name: "regularize",
                    value: *regularize,
                    must,
                });
            }
            Some(Shaping::GustafsonKessel { volumes: volumes.clone(), regularize: *regularize })
        }
        Metric::GathGeva => Some(Shaping::GathGeva),
        _ => None,
    })
}

fn constant_column(deviations: &[f64], names: &[String]) -> Result<()> {
    match deviations.iter().position(|d| d.is_nan() || *d <= 0.0) {
        Some(column) => Err(Error::ConstantColumn { column: column + 1, name: names[column].clone() }),
        None => Ok(()),
    }
}

fn length(name: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::ClusteringShape { what: name, found: (1, found), expected: (1, expected) })
}

fn positive(name: &'static str, values: &[f64]) -> Result<()> {
    match values.iter().find(|v| !(**v > 0.0 && v.is_finite())) {
        Some(value) => Err(Error::Parameter {
            algorithm: "clustering",
            name,
            value: *value,
            must: "positive and finite",
        }),
        None => Ok(()),
    }
}

/// Refuses a start of another shape, or with values that are not finite.
pub(super) fn check_start(what: &'static str, table: &Table, expected: (u64, usize)) -> Result<()> {
    let found = (table.rows() as u64, table.columns());
    if found != expected {
        return Err(Error::ClusteringShape { what, found, expected });
    }
    match table.require_finite() {
        Err(Error::NotFinite { row, column, value, .. }) => {
            Err(Error::StartNotFinite { what, row, column, value })
        }
        other => other,
    }
}
