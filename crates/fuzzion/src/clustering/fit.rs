//! From settings to a partition: the space of the metric, the starts, the stages of each variant.

use super::algorithm::{Course, Outcome};
use super::cpu::Memory;
use super::linear::{cholesky, ln_determinant};
use super::metric::Shaping;
use super::model::FuzzyCMeans;
use super::partition::Partition;
use super::prototypes::{Prototypes, Rule};
use super::rows::Rows;
use super::settings::{Criterion, Metric, Missing, Start, Variant};
use super::space::Space;
use super::starts::{self, Pool};
use super::sums::{Sums, Want};
use super::survey::{Ask, Survey};
use crate::data::{Precision, Table, Values};
use crate::device::Cpu;
use crate::error::{Error, Result};
use crate::random::Random;

/// Steps and tolerance of a fuzzy fit that only prepares another one.
const WARM_ITERATIONS: usize = 50;
const WARM_TOLERANCE: f64 = 1e-3;
/// Dave's λ: the noise distance squared is this share of the mean squared distance.
const NOISE_SHARE: f64 = 0.1;

/// Settings that met their data.
pub(super) struct Fit<'a> {
    settings: &'a FuzzyCMeans<'a>,
    names: Vec<String>,
    survey: Survey,
    space: Space,
    course: Course<'a>,
}

impl<'a> Fit<'a> {
    pub(super) fn prepare(
        settings: &'a FuzzyCMeans<'a>,
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
        settings.check(u64::MAX)?;
        let survey = rows.survey(Ask { partial, covariance: own || mahalanobis })?;
        settings.check(survey.rows)?;
        let mut space = Space::euclidean(&survey.means(), survey.spread(), precision);
        space = measured(space, &settings.metric, &survey, names)?;
        space.partial = partial;
        let n = names.len();
        let scaled = |at: usize| space.scale[at / n] * space.scale[at % n];
        let covariance: Vec<f64> =
            survey.covariance().iter().enumerate().map(|(at, x)| x * scaled(at)).collect();
        let variances = survey.variances();
        let spread = match &space.map {
            Some(_) => (n as f64).sqrt(),
            None => variances.iter().zip(&space.scale).map(|(v, s)| v * s * s).sum::<f64>().sqrt(),
        };
        let size = if own {
            constant_column(&variances, names)?;
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
            shaping: shaping(settings)?,
            spread,
            size,
            progress: settings.progress,
        };
        Ok(Fit { settings, names: names.to_vec(), survey, space, course })
    }

    /// The best partition of all starts: the lowest objective, the first of equals.
    pub(super) fn best(&self, rows: &mut dyn Rows) -> Result<Partition> {
        let mut random = Random::new(self.settings.seed);
        let drawn = matches!(self.settings.start, Start::KMeansPlusPlus | Start::Random | Start::Sample);
        let pool = if drawn {
            Some(Pool::of(rows, self.survey.rows, self.settings.clusters, &self.space, &mut random)?)
        } else {
            None
        };
        let starts = if drawn { self.settings.n_init } else { 1 };
        let mut best: Option<Partition> = None;
        for _ in 0..starts {
            let seed = random.bits();
            let partition = self.one(rows, pool.as_ref(), &mut Random::new(seed))?;
            if best.as_ref().is_none_or(|best| partition.report.objective < best.report.objective) {
                best = Some(partition);
            }
        }
        best.ok_or(Error::TooFewRows { clusters: self.settings.clusters, rows: self.survey.rows })
    }

    fn one(&self, rows: &mut dyn Rows, pool: Option<&Pool>, random: &mut Random) -> Result<Partition> {
        let clusters = self.settings.clusters;
        let fuzzy = Rule::Fuzzy { fuzzifier: self.settings.fuzzifier };
        let mut given = None; // sums of given memberships
        let centers = match (&self.settings.start, pool) {
            (Start::Centers(table), _) => self.given_centers(table)?,
            (Start::Memberships(table), _) => {
                let sums = self.given_memberships(rows, table)?;
                let centers = sums.centers(&vec![0.0; clusters * self.names.len()]);
                given = Some(sums);
                centers
            }
            (Start::Random, Some(pool)) => pool.random(clusters, random),
            (Start::Sample, Some(pool)) => self.sampled(rows, pool, random)?,
            (_, Some(pool)) => pool.far_apart(clusters, random),
            (_, None) => return Err(Error::TooFewRows { clusters, rows: self.survey.rows }),
        };
        let start = Prototypes::new(self.space.clone(), centers, fuzzy);
        let prototypes = self.staged(rows, start, given)?;
        let outcome = self.course.run(rows, prototypes)?;
        self.finish(rows, outcome)
    }

    /// What the variant or metric needs to know before its own iteration.
    fn staged(&self, rows: &mut dyn Rows, mut start: Prototypes, given: Option<Sums>) -> Result<Prototypes> {
        let m = self.settings.fuzzifier;
        let drawn = !matches!(self.settings.start, Start::Centers(_) | Start::Memberships(_));
        if let Some(shaping) = &self.course.shaping {
            let gaussian = matches!(shaping, Shaping::GathGeva);
            let mut rescued = Vec::new();
            let sums = match given {
                Some(sums) => {
                    // These sums are about 0, where `start` must stand for the covariances to be about the centers.
                    let next = std::mem::take(&mut start.centers);
                    start.centers = vec![0.0; next.len()];
                    start.shapes = Some(shaping.shapes(&sums, &start, &next, self.course.size, &mut rescued));
                    start.centers = next;
                    None
                }
                None => {
                    if drawn {
                        start = self.warm(rows, start)?;
                    }
                    Some(rows.sweep(&start, self.course.want())?)
                }
            };
            if let Some(sums) = sums {
                let next = sums.centers(&start.centers);
                start.shapes = Some(shaping.shapes(&sums, &start, &next, self.course.size, &mut rescued));
                start.centers = next;
            }
            if gaussian {
                start.rule = Rule::Gaussian { fuzzifier: m };
            }
            return Ok(start);
        }
        start.rule = match self.settings.variant {
            Variant::Fuzzy => return Ok(start),
            Variant::Hard => Rule::Hard,
            Variant::Noise { distance: Some(distance) } => {
                Rule::Noise { fuzzifier: m, distance: distance * distance / self.space.unit }
            }
            Variant::Noise { distance: None } => {
                start = self.warm(rows, start)?;
                let sums = rows.sweep(&start, Want { statistics: true, scatter: false })?;
                let total = sums.statistics.map_or(0.0, |s| s.distances);
                let mean = total / (sums.weight * start.clusters() as f64);
                Rule::Noise { fuzzifier: m, distance: (NOISE_SHARE * mean).max(f64::MIN_POSITIVE) }
            }
            Variant::Possibilistic => {
                let widths = self.widths(rows, &mut start)?;
                Rule::Possibilistic { fuzzifier: m, widths }
            }
            Variant::PossibilisticFuzzy { membership, typicality, typicality_fuzzifier } => Rule::Mixed {
                fuzzifier: m,
                typicality_fuzzifier,
                membership,
                typicality,
                widths: self.widths(rows, &mut start)?,
            },
        };
        Ok(start)
    }

    /// A fuzzy fit that is good enough to start another one.
    fn warm(&self, rows: &mut dyn Rows, start: Prototypes) -> Result<Prototypes> {
        Ok(self.short(WARM_ITERATIONS, WARM_TOLERANCE).run(rows, start)?.prototypes)
    }

    fn short(&self, max_iterations: usize, tolerance: f64) -> Course<'_> {
        Course {
            max_iterations,
            tolerance,
            criterion: Criterion::CenterMove,
            plain: false,
            shaping: None,
            spread: self.course.spread,
            size: 1.0,
            progress: self.settings.progress,
        }
    }

    /// η of each cluster after a fuzzy fit, the mean of d weighted by uᵐ.
    fn widths(&self, rows: &mut dyn Rows, start: &mut Prototypes) -> Result<Vec<f64>> {
        let course = self.short(self.settings.max_iterations, self.settings.tolerance);
        *start = course.run(rows, start.clone())?.prototypes;
        let sums = rows.sweep(start, Want { statistics: true, scatter: false })?;
        let spreads = sums.statistics.map(|s| s.spreads).unwrap_or_default();
        let width = |(spread, mass): (f64, &f64)| (spread / mass).max(f64::MIN_POSITIVE.sqrt());
        Ok(spreads.into_iter().zip(&sums.masses).map(width).collect())
    }

    fn given_centers(&self, table: &Table) -> Result<Vec<f64>> {
        let expected = (self.settings.clusters as u64, self.names.len());
        shape("starting centers", table, expected)?;
        table.require_finite()?;
        Ok(table.to_f64().chunks_exact(expected.1).flat_map(|row| self.space.enter(row)).collect())
    }

    /// The sums of equation (3) at given memberships, scatter about 0 included.
    fn given_memberships(&self, rows: &mut dyn Rows, table: &Table) -> Result<Sums> {
        let (clusters, n) = (self.settings.clusters, self.names.len());
        shape("starting memberships", table, (self.survey.rows, clusters))?;
        table.require_finite()?;
        let (values, weights) = rows.gather(&(0..self.survey.rows).collect::<Vec<_>>())?;
        let degrees = table.to_f64();
        let want = Want { scatter: self.course.shaping.is_some(), statistics: true };
        let mut sums = Sums::zero(clusters, n, self.space.partial, want);
        let rows = values.chunks_exact(n).zip(degrees.chunks_exact(clusters)).zip(&weights);
        for ((row, degrees), weight) in rows {
            let x = self.space.enter(row);
            sums.rows += 1;
            sums.weight += weight;
            for (k, u) in degrees.iter().enumerate() {
                let um = weight * u.max(0.0).powf(self.settings.fuzzifier);
                sums.masses[k] += um;
                if let Some(statistics) = &mut sums.statistics {
                    statistics.memberships[k] += weight * u;
                }
                for i in (0..n).filter(|i| !x[*i].is_nan()) {
                    sums.moments[k * n + i] += um * x[i];
                    if self.space.partial {
                        sums.seen[k * n + i] += um;
                    }
                    if want.scatter {
                        (0..n).for_each(|j| sums.scatter[(k * n + i) * n + j] += um * x[i] * x[j]);
                    }
                }
            }
        }
        Ok(sums)
    }

    /// Centers of growing random samples, each started from the one before (eFFCM's idea).
    fn sampled(&self, rows: &mut dyn Rows, pool: &Pool, random: &mut Random) -> Result<Vec<f64>> {
        let clusters = self.settings.clusters;
        let fuzzy = Rule::Fuzzy { fuzzifier: self.settings.fuzzifier };
        let start = pool.far_apart(clusters, random);
        let mut prototypes = Prototypes::new(self.space.clone(), start, fuzzy);
        let sizes = starts::sample_sizes(self.survey.rows, clusters);
        let Some(largest) = sizes.last() else { return Ok(prototypes.centers) };
        let (values, weights) = rows.gather(&starts::draw(self.survey.rows, *largest, random))?;
        let (n, order) = (self.names.len(), starts::shuffled(weights.len(), random));
        let values: Vec<f64> = order.iter().flat_map(|i| values[i * n..][..n].iter().copied()).collect();
        let weights: Vec<f64> = order.iter().map(|i| weights[*i]).collect();
        let cpu = Cpu::new()?;
        for size in sizes {
            let size = size as usize;
            let mut sample = Memory {
                values: Values::F64(&values[..size * n]),
                names: &self.names,
                weights: Some(&weights[..size]),
                cpu: &cpu,
            };
            prototypes = self.warm(&mut sample, prototypes)?;
        }
        Ok(prototypes.centers)
    }

    fn finish(&self, rows: &mut dyn Rows, outcome: Outcome) -> Result<Partition> {
        let mean = self.space.enter(&self.survey.means());
        let (report, sums) = self.course.report(rows, &outcome, &mean)?;
        let weights = sums.statistics.map(|s| s.memberships).unwrap_or_default();
        Partition::new(self.names.clone(), outcome.prototypes, weights, report)
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

fn shaping(settings: &FuzzyCMeans<'_>) -> Result<Option<Shaping>> {
    Ok(match &settings.metric {
        Metric::GustafsonKessel { volumes, regularize } => {
            let volumes = volumes.clone().unwrap_or_else(|| vec![1.0; settings.clusters]);
            length("volumes", volumes.len(), settings.clusters)?;
            positive("volumes", &volumes)?;
            if !(0.0..=1.0).contains(regularize) {
                let must = "from 0 to 1";
                return Err(Error::Parameter {
                    algorithm: "clustering",
                    name: "regularize",
                    value: *regularize,
                    must,
                });
            }
            Some(Shaping::GustafsonKessel { volumes, regularize: *regularize })
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

fn shape(what: &'static str, table: &Table, expected: (u64, usize)) -> Result<()> {
    let found = (table.rows() as u64, table.columns());
    if found == expected { Ok(()) } else { Err(Error::ClusteringShape { what, found, expected }) }
}
