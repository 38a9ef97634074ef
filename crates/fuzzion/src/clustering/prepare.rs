//! Settings that meet their data: what must fit what, and the coordinates in which the metric is Euclidean.

use super::algorithm::Course;
use super::linear::{cholesky, ln_determinant};
use super::metric::Shaping;
use super::model::FuzzyCMeans;
use super::rows::Rows;
use super::settings::{Metric, Missing, Variant};
use super::space::Space;
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
        let survey = rows.survey(Ask { partial, covariance: own || mahalanobis })?;
        settings.check(clusters, survey.rows)?;
        survey.require_values(names)?;
        let mut space = Space::euclidean(&survey.means(), survey.spread(), precision);
        space = measured(space, &settings.metric, &survey, names)?;
        space.partial = partial;
        let n = names.len();
        let variances = survey.variances();
        let spread = match &space.map {
            Some(_) => (n as f64).sqrt(),
            None => variances.iter().zip(&space.scale).map(|(v, s)| v * s * s).sum::<f64>().sqrt(),
        };
        let size = if own {
            constant_column(&variances, names)?;
            let scaled = |at: usize| space.scale[at / n] * space.scale[at % n];
            let covariance: Vec<f64> =
                survey.covariance().iter().enumerate().map(|(at, x)| x * scaled(at)).collect();
            let l = cholesky(&covariance, n).ok_or(Error::Singular { whose: "data" })?;
            (ln_determinant(&l, n) / n as f64).exp()
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

/// The coordinates in which the metric is Euclidean.
fn measured(space: Space, metric: &Metric, survey: &Survey, names: &[String]) -> Result<Space> {
    let n = names.len();
    match metric {
        Metric::Euclidean | Metric::GustafsonKessel { .. } | Metric::GathGeva => Ok(space),
        Metric::Diagonal { variances } => {
            let variances = match variances {
                Some(given) => {
                    length("variances", given.len(), n)?;
                    given.clone()
                }
                None => {
                    let own = survey.variances();
                    constant_column(&own, names)?;
                    own
                }
            };
            positive("variances", &variances)?;
            Ok(space.with_scales(variances.iter().map(|v| 1.0 / v.sqrt()).collect()))
        }
        Metric::Mahalanobis { covariance } => {
            let (covariance, whose) = match covariance {
                Some(given) => {
                    length("covariance", given.len(), n * n)?;
                    (given.clone(), "metric")
                }
                None => {
                    constant_column(&survey.variances(), names)?;
                    (survey.covariance(), "data")
                }
            };
            space.with_covariance(&covariance).ok_or(Error::Singular { whose })
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

fn constant_column(variances: &[f64], names: &[String]) -> Result<()> {
    match variances.iter().position(|v| v.is_nan() || *v <= 0.0) {
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

/// Refuses a table of another shape.
pub(super) fn shape(what: &'static str, table: &Table, expected: (u64, usize)) -> Result<()> {
    let found = (table.rows() as u64, table.columns());
    if found == expected { Ok(()) } else { Err(Error::ClusteringShape { what, found, expected }) }
}
