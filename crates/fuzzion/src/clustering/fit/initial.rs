//! Initial prototypes.

use super::context::Fit;
use super::prepare::{check_initial, require};
use crate::base::Interrupted;
use crate::clustering::dispatch::backend_for;
use crate::clustering::error::Result;
use crate::clustering::numerics::linear::squared_distance;
use crate::clustering::numerics::sampling::{sample_indices, shuffled, weighted_choice};
use crate::clustering::prototypes::space::Space;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::parts::table_in;
use crate::clustering::rows::source::RowSource;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::clustering::settings::InitialCenters;
use crate::data::Table;
use crate::random::Random;

/// Number of rows from which initial centers are drawn; more rows cost time without improving the centers.
const CANDIDATES: usize = 1 << 14;
/// Minimum number of candidate rows per cluster.
const MIN_CANDIDATES_PER_CLUSTER: usize = 32;

/// For fuzzifiers above this, a center on a row is a fixed point: its weight exceeds that of all other rows together.
/// Such centers are moved slightly toward the mean.
const LARGE_FUZZIFIER: f64 = 4.0;
const SHRINK: f64 = 31.0 / 32.0;
/// Rows per cluster of the first progressive sample, and growth factor of the samples.
const FIRST_SAMPLE_PER_CLUSTER: u64 = 256;
const SAMPLE_GROWTH: u64 = 4;
/// Largest progressive sample, in rows and in bytes of double precision.
const MAX_SAMPLE_ROWS: u64 = 1 << 18;
const MAX_SAMPLE_BYTES: u64 = 64 << 20;

/// Initial prototypes of one run, with fuzzy memberships for every variant.
pub(in crate::clustering) struct InitialPrototypes {
    pub(in crate::clustering) prototypes: Prototypes,
    /// Sums of the initial memberships.
    pub(in crate::clustering) sums: Option<Sums>,
}

/// Returns the initial prototypes of all restarts for each number of clusters.
pub(in crate::clustering) fn all(
    fit: &Fit<'_>,
    rows: &mut dyn RowBackend,
) -> Result<Vec<Vec<InitialPrototypes>>> {
    let start = |centers: Vec<f64>, sums: Option<Sums>| {
        let fuzzy = MembershipRule::Fuzzy { fuzzifier: fit.settings.fuzzifier };
        InitialPrototypes { prototypes: Prototypes::new(fit.prepared.space.clone(), centers, fuzzy), sums }
    };
    match &fit.settings.initial_centers {
        InitialCenters::Centers(table) => {
            let given = |clusters: &usize| Ok(vec![start(initial_centers(fit, table, *clusters)?, None)]);
            fit.clusters.iter().map(given).collect()
        }
        InitialCenters::Memberships(table) => {
            let mut given = |clusters: &usize| {
                let sums = initial_memberships(fit, rows, table, *clusters)?;
                let centers = sums.centers(&vec![0.0; clusters * fit.names.len()]);
                Ok(vec![start(centers, Some(sums))])
            };
            fit.clusters.iter().map(&mut given).collect()
        }
        InitialCenters::KMeansPlusPlus | InitialCenters::Random | InitialCenters::Sample => {
            let all = draw_centers(fit, rows)?.into_iter();
            Ok(all.map(|drawn| drawn.into_iter().map(|centers| start(centers, None)).collect()).collect())
        }
    }
}

/// Draws the centers of all restarts for each number of clusters.
fn draw_centers(fit: &Fit<'_>, rows: &mut dyn RowBackend) -> Result<Vec<Vec<Vec<f64>>>> {
    let (settings, total) = (fit.settings, fit.prepared.summary.rows);
    let mut candidates: Option<(Vec<u64>, Candidates)> = None;
    let mut centers = Vec::new();
    for clusters in fit.clusters {
        let mut random = Random::new(settings.seed);
        let indices =
            sample_indices(total, CANDIDATES.max(MIN_CANDIDATES_PER_CLUSTER * clusters) as u64, &mut random);
        // Numbers of clusters with the same candidates share one pass over the rows.
        let candidates = match &mut candidates {
            Some((previous, candidates)) if *previous == indices => candidates,
            slot => {
                let read = Candidates::of(rows, &indices, &fit.prepared.space)?;
                &mut slot.insert((indices, read)).1
            }
        };
        let check = || fit.device.progress().report(0, settings.max_iterations as u64);
        let restart = |_| {
            let mut random = Random::new(random.bits());
            let mut centers = match settings.initial_centers {
                InitialCenters::Random => candidates.random(*clusters, &mut random, &check)?,
                _ => candidates.k_means_plus_plus(*clusters, &mut random, &check)?,
            };
            if settings.fuzzifier > LARGE_FUZZIFIER {
                centers.iter_mut().for_each(|x| *x *= SHRINK); // the mean of the rows is at 0
            }
            Ok(centers)
        };
        let restarts = settings.restarts(total, fit.names.len(), *clusters);
        centers.push((0..restarts).map(restart).collect::<Result<_>>()?);
    }
    if settings.initial_centers == InitialCenters::Sample {
        progressive_sampling(fit, rows, centers)
    } else {
        Ok(centers)
    }
}

/// Fits growing random samples, each initialized by the previous one (as in eFFCM).
fn progressive_sampling(
    fit: &Fit<'_>,
    rows: &mut dyn RowBackend,
    mut centers: Vec<Vec<Vec<f64>>>,
) -> Result<Vec<Vec<Vec<f64>>>> {
    let columns = fit.names.len();
    let largest = sample_limit(fit.prepared.summary.rows, columns);
    let first = fit.clusters.iter().filter_map(|c| sample_sizes(largest, *c).first().copied()).min();
    if first.is_none() {
        return Ok(centers); // too few rows for sampling
    }
    let mut random = Random::new(!fit.settings.seed);
    let (values, weights) = rows.gather(&sample_indices(fit.prepared.summary.rows, largest, &mut random))?;
    let order = shuffled(weights.len(), &mut random);
    let values = order.iter().flat_map(|i| values[i * columns..][..columns].iter().copied());
    let weights: Vec<f64> = order.iter().map(|i| weights[*i]).collect();
    let sample = table_in(fit.precision, &fit.names, values.collect())?;
    let sample = sample.samples().with_weights(&weights)?;
    for (clusters, centers) in fit.clusters.iter().zip(&mut centers) {
        let fuzzy = MembershipRule::Fuzzy { fuzzifier: fit.settings.fuzzifier };
        let start = |centers| Prototypes::new(fit.prepared.space.clone(), centers, fuzzy.clone());
        let mut starts: Vec<Prototypes> = std::mem::take(centers).into_iter().map(start).collect();
        for size in sample_sizes(largest, *clusters) {
            let sample = sample.part(0..size as usize);
            let mut rows = backend_for(RowSource::Memory(&sample), clusters * starts.len(), fit.device)?;
            starts = fit.warm_start(&mut *rows, starts)?;
        }
        *centers = starts.into_iter().map(|start| start.centers).collect();
    }
    Ok(centers)
}

fn initial_centers(fit: &Fit<'_>, table: &Table, clusters: usize) -> Result<Vec<f64>> {
    let columns = fit.names.len();
    check_initial("initial centers", table, (clusters as u64, columns))?;
    let space = &fit.prepared.space;
    Ok(table.to_f64().chunks_exact(columns).flat_map(|row| space.to_internal(row)).collect())
}

/// Sums of Equation (3) for initial memberships, with the scatter about 0.
fn initial_memberships(
    fit: &Fit<'_>,
    rows: &mut dyn RowBackend,
    table: &Table,
    clusters: usize,
) -> Result<Sums> {
    let (columns, space) = (fit.names.len(), &fit.prepared.space);
    check_initial("initial memberships", table, (fit.prepared.summary.rows, clusters))?;
    let values = table.values();
    let membership = |row: u64, k: usize| {
        values.get(row as usize * clusters + k).expect("invariant: the shape was checked")
    };
    let mut all = (0..values.len()).filter_map(|i| values.get(i));
    all.try_for_each(|u| require(u >= 0.0, "initial memberships", u, "at least 0"))?;
    let requested = RequestedSums { scatter: fit.prepared.optimizer.adaptive.is_some(), quality: true };
    let mut sums = Sums::zero(clusters, columns, space.partial, requested);
    rows.visit(&mut |values, weights| {
        for (row, weight) in values.chunks_exact(columns).zip(weights) {
            let x = space.to_internal(row);
            for k in 0..clusters {
                let u = membership(sums.rows, k);
                let um = weight * u.powf(fit.settings.fuzzifier);
                sums.masses[k] += um;
                if let Some(quality) = &mut sums.quality {
                    quality.memberships[k] += weight * u;
                }
                for i in (0..columns).filter(|i| !x[*i].is_nan()) {
                    let at = k * columns + i;
                    sums.moments[at] += um * x[i];
                    if space.partial {
                        sums.column_masses[at] += um;
                    }
                    if requested.scatter {
                        (0..columns).for_each(|j| sums.scatter[at * columns + j] += um * x[i] * x[j]);
                    }
                }
            }
            sums.rows += 1;
            sums.weight += weight;
        }
    })?;
    Ok(sums)
}

/// Reports progress and fails if the fit is canceled.
type Check<'a> = &'a dyn Fn() -> Result<(), Interrupted>;

/// Candidate rows in internal coordinates, with their weights; missing values are replaced by the mean.
struct Candidates {
    points: Vec<f64>,
    weights: Vec<f64>,
    columns: usize,
}

impl Candidates {
    /// Reads the rows with these indices.
    fn of(rows: &mut dyn RowBackend, indices: &[u64], space: &Space) -> Result<Self> {
        let (values, weights) = rows.gather(indices)?;
        let columns = space.columns();
        let points: Vec<f64> = values.chunks_exact(columns).flat_map(|row| space.to_internal(row)).collect();
        let points = points.into_iter().map(|x| if x.is_nan() { 0.0 } else { x }).collect();
        Ok(Candidates { points, weights, columns })
    }

    fn point(&self, i: usize) -> &[f64] {
        &self.points[i * self.columns..][..self.columns]
    }

    /// Draws distinct rows with probability proportional to their weights. `check` is called for each row, and its error
    /// ends the operation.
    fn random(&self, clusters: usize, random: &mut Random, check: Check<'_>) -> Result<Vec<f64>> {
        let mut weights = self.weights.clone();
        let mut centers = Vec::with_capacity(clusters * self.columns);
        for _ in 0..clusters {
            check()?;
            let index = weighted_choice(&weights, random);
            weights[index] = 0.0;
            centers.extend_from_slice(self.point(index));
        }
        Ok(centers)
    }

    /// Greedy k-means++: each center is the best of several draws. Source: D. Arthur, S. Vassilvitskii, "k-means++", 2007.
    fn k_means_plus_plus(&self, clusters: usize, random: &mut Random, check: Check<'_>) -> Result<Vec<f64>> {
        let draws = 2 + (clusters as f64).ln() as usize;
        let mut nearest = vec![f64::INFINITY; self.weights.len()];
        let mut weights = self.weights.clone();
        let mut centers = Vec::with_capacity(clusters * self.columns);
        for k in 0..clusters {
            check()?;
            let mut best: Option<(f64, usize, Vec<f64>)> = None;
            for _ in 0..if k == 0 { 1 } else { draws } {
                let index = weighted_choice(&weights, random);
                let distance = |(i, nearest): (usize, &f64)| {
                    nearest.min(squared_distance(self.point(i), self.point(index)))
                };
                let distances: Vec<f64> = nearest.iter().enumerate().map(distance).collect();
                let sum: f64 = distances.iter().zip(&self.weights).map(|(d, w)| d * w).sum();
                if best.as_ref().is_none_or(|(least, ..)| sum < *least) {
                    best = Some((sum, index, distances));
                }
            }
            let (_, index, distances) = best.expect("invariant: there is at least one draw");
            centers.extend_from_slice(self.point(index));
            weights.iter_mut().zip(&self.weights).zip(&distances).for_each(|((w, own), d)| *w = own * d);
            nearest = distances;
        }
        Ok(centers)
    }
}

/// Size of the largest sample of `total` rows.
fn sample_limit(total: u64, columns: usize) -> u64 {
    (total / SAMPLE_GROWTH).min(MAX_SAMPLE_ROWS).min(MAX_SAMPLE_BYTES / (columns * size_of::<f64>()) as u64)
}

/// Sizes of the growing samples; empty for small data.
fn sample_sizes(largest: u64, clusters: usize) -> Vec<u64> {
    let first = (FIRST_SAMPLE_PER_CLUSTER * clusters as u64).max(1024);
    let sizes = std::iter::successors(Some(first), |size| Some(size * SAMPLE_GROWTH));
    sizes.take_while(|size| *size <= largest).collect()
}
