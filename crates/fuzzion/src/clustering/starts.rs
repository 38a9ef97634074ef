//! Where the iteration starts.

use super::fit::Fit;
use super::indices::squared_distance;
use super::model::rows_of;
use super::prepare::check_start;
use super::prototypes::{Prototypes, Rule};
use super::rows::{Rows, Samples, Source};
use super::settings::Start;
use super::space::Space;
use super::sums::{Sums, Want};
use crate::data::{Precision, Table};
use crate::error::{Error, Result};
use crate::random::Random;
use std::collections::BTreeSet;

/// Rows that starting centers are drawn from; more would cost a pass per center and gain nothing.
const POOL: usize = 1 << 14;
/// Rows per cluster that the pool has at least.
const POOL_PER_CLUSTER: usize = 32;
/// Past this fuzzifier a row holds a center that lies on it: all others together weigh less than it, and the iteration would
/// end where it began. Such centers start a little nearer to the mean.
const HOLDS_ON: f64 = 4.0;
const OFF_THE_ROW: f64 = 31.0 / 32.0;
/// The smallest progressive sample, per cluster, and how each next one grows.
const FIRST_PER_CLUSTER: u64 = 256;
const GROWTH: u64 = 4;
/// The largest progressive sample, in rows and in bytes of double precision.
const LARGEST: u64 = 1 << 18;
const LARGEST_BYTES: u64 = 64 << 20;

/// A start of one fit, with fuzzy memberships whatever the variant.
pub(super) struct Started {
    pub(super) prototypes: Prototypes,
    /// The sums of given memberships.
    pub(super) sums: Option<Sums>,
}

/// The starts of all fits: for each number of clusters one, or as many as there are restarts where they are drawn.
pub(super) fn all(fit: &Fit<'_>, rows: &mut dyn Rows) -> Result<Vec<Started>> {
    let start = |centers: Vec<f64>, sums: Option<Sums>| {
        let fuzzy = Rule::Fuzzy { fuzzifier: fit.settings.fuzzifier };
        Started { prototypes: Prototypes::new(fit.prepared.space.clone(), centers, fuzzy), sums }
    };
    match &fit.settings.start {
        Start::Centers(table) => {
            let given = |clusters: &usize| Ok(start(given_centers(fit, table, *clusters)?, None));
            fit.clusters.iter().map(given).collect()
        }
        Start::Memberships(table) => {
            let mut given = |clusters: &usize| {
                let sums = given_memberships(fit, rows, table, *clusters)?;
                let centers = sums.centers(&vec![0.0; clusters * fit.names.len()]);
                Ok(start(centers, Some(sums)))
            };
            fit.clusters.iter().map(&mut given).collect()
        }
        Start::KMeansPlusPlus | Start::Random | Start::Sample => {
            let centers = drawn(fit, rows)?.into_iter().flatten();
            Ok(centers.map(|centers| start(centers, None)).collect())
        }
    }
}

/// Centers drawn from the rows, all restarts for each number of clusters.
fn drawn(fit: &Fit<'_>, rows: &mut dyn Rows) -> Result<Vec<Vec<Vec<f64>>>> {
    let (settings, total) = (fit.settings, fit.prepared.survey.rows);
    let mut pool: Option<(Vec<u64>, Pool)> = None;
    let mut centers = Vec::new();
    for clusters in fit.clusters {
        let mut random = Random::new(settings.seed);
        let picked = draw(total, POOL.max(POOL_PER_CLUSTER * clusters) as u64, &mut random);
        // Numbers of clusters that draw the same rows share the pass.
        let pool = match &mut pool {
            Some((numbers, pool)) if *numbers == picked => pool,
            slot => {
                let found = Pool::of(rows, &picked, &fit.prepared.space)?;
                &mut slot.insert((picked, found)).1
            }
        };
        let one = |_| {
            let mut random = Random::new(random.bits());
            let mut centers = match settings.start {
                Start::Random => pool.random(*clusters, &mut random),
                _ => pool.far_apart(*clusters, &mut random),
            };
            if settings.fuzzifier > HOLDS_ON {
                centers.iter_mut().for_each(|x| *x *= OFF_THE_ROW); // the mean of the rows is at 0
            }
            centers
        };
        centers.push((0..settings.n_init).map(one).collect());
    }
    if settings.start == Start::Sample { sampled(fit, rows, centers) } else { Ok(centers) }
}

/// Centers of growing random samples, each started from the one before (eFFCM's idea).
fn sampled(
    fit: &Fit<'_>,
    rows: &mut dyn Rows,
    mut centers: Vec<Vec<Vec<f64>>>,
) -> Result<Vec<Vec<Vec<f64>>>> {
    let columns = fit.names.len();
    let largest = sample_limit(fit.prepared.survey.rows, columns);
    let first = fit.clusters.iter().filter_map(|c| sample_sizes(largest, *c).first().copied()).min();
    if first.is_none() {
        return Ok(centers); // nothing to gain from a sample of small data
    }
    let mut random = Random::new(!fit.settings.seed);
    let (values, weights) = rows.gather(&draw(fit.prepared.survey.rows, largest, &mut random))?;
    let order = shuffled(weights.len(), &mut random);
    let values = order.iter().flat_map(|i| values[i * columns..][..columns].iter().copied());
    let weights: Vec<f64> = order.iter().map(|i| weights[*i]).collect();
    let sample = match fit.precision {
        Precision::F64 => Table::new(&fit.names, values.collect::<Vec<f64>>()),
        Precision::F32 => Table::new(&fit.names, values.map(|x| x as f32).collect::<Vec<f32>>()),
    }?;
    for (clusters, centers) in fit.clusters.iter().zip(&mut centers) {
        let fuzzy = Rule::Fuzzy { fuzzifier: fit.settings.fuzzifier };
        let start = |centers| Prototypes::new(fit.prepared.space.clone(), centers, fuzzy.clone());
        let mut starts: Vec<Prototypes> = std::mem::take(centers).into_iter().map(start).collect();
        for size in sample_sizes(largest, *clusters) {
            let size = size as usize;
            let names = &fit.names;
            let part = Samples { values: sample.slice(0..size), names, weights: Some(&weights[..size]) };
            starts = fit.warm(&mut *rows_of(Source::Memory(part), fit.device)?, starts)?;
        }
        *centers = starts.into_iter().map(|start| start.centers).collect();
    }
    Ok(centers)
}

fn given_centers(fit: &Fit<'_>, table: &Table, clusters: usize) -> Result<Vec<f64>> {
    let columns = fit.names.len();
    check_start("starting centers", table, (clusters as u64, columns))?;
    let space = &fit.prepared.space;
    Ok(table.to_f64().chunks_exact(columns).flat_map(|row| space.enter(row)).collect())
}

/// The sums of equation (3) at given memberships, scatter about 0 included.
fn given_memberships(fit: &Fit<'_>, rows: &mut dyn Rows, table: &Table, clusters: usize) -> Result<Sums> {
    let (columns, space) = (fit.names.len(), &fit.prepared.space);
    check_start("starting memberships", table, (fit.prepared.survey.rows, clusters))?;
    let values = table.values();
    let degree = |row: u64, k: usize| values.get(row as usize * clusters + k).unwrap_or(0.0);
    if let Some(value) = (0..values.len()).filter_map(|i| values.get(i)).find(|u| *u < 0.0) {
        let (algorithm, name) = ("clustering", "starting memberships");
        return Err(Error::Parameter { algorithm, name, value, must: "at least 0" });
    }
    let want = Want { scatter: fit.prepared.course.shaping.is_some(), statistics: true };
    let mut sums = Sums::zero(clusters, columns, space.partial, want);
    rows.visit(&mut |values, weights| {
        for (row, weight) in values.chunks_exact(columns).zip(weights) {
            let x = space.enter(row);
            for k in 0..clusters {
                let u = degree(sums.rows, k);
                let um = weight * u.powf(fit.settings.fuzzifier);
                sums.masses[k] += um;
                if let Some(statistics) = &mut sums.statistics {
                    statistics.memberships[k] += weight * u;
                }
                for i in (0..columns).filter(|i| !x[*i].is_nan()) {
                    let at = k * columns + i;
                    sums.moments[at] += um * x[i];
                    if space.partial {
                        sums.seen[at] += um;
                    }
                    if want.scatter {
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

/// Some rows in the coordinates of a [`Space`], with their weights; missing values stand at the mean.
struct Pool {
    points: Vec<f64>,
    weights: Vec<f64>,
    columns: usize,
}

impl Pool {
    /// The rows with these numbers.
    fn of(rows: &mut dyn Rows, numbers: &[u64], space: &Space) -> Result<Self> {
        let (values, weights) = rows.gather(numbers)?;
        let columns = space.columns();
        let points: Vec<f64> = values.chunks_exact(columns).flat_map(|row| space.enter(row)).collect();
        let points = points.into_iter().map(|x| if x.is_nan() { 0.0 } else { x }).collect();
        Ok(Pool { points, weights, columns })
    }

    fn point(&self, i: usize) -> &[f64] {
        &self.points[i * self.columns..][..self.columns]
    }

    /// Different rows, each with a chance that grows with its weight.
    fn random(&self, clusters: usize, random: &mut Random) -> Vec<f64> {
        let mut chances = self.weights.clone();
        let mut centers = Vec::with_capacity(clusters * self.columns);
        for _ in 0..clusters {
            let picked = pick(&chances, random);
            chances[picked] = 0.0;
            centers.extend_from_slice(self.point(picked));
        }
        centers
    }

    /// Rows far from each other. Source: D. Arthur, S. Vassilvitskii, "k-means++", 2007.
    fn far_apart(&self, clusters: usize, random: &mut Random) -> Vec<f64> {
        let mut nearest = vec![f64::INFINITY; self.weights.len()];
        let mut chances = self.weights.clone();
        let mut centers = Vec::with_capacity(clusters * self.columns);
        for _ in 0..clusters {
            let picked = self.point(pick(&chances, random));
            centers.extend_from_slice(picked);
            for (i, nearest) in nearest.iter_mut().enumerate() {
                *nearest = nearest.min(squared_distance(self.point(i), picked));
                chances[i] = self.weights[i] * *nearest;
            }
        }
        centers
    }
}

/// The rows of the largest sample of `total` rows.
fn sample_limit(total: u64, columns: usize) -> u64 {
    (total / GROWTH).min(LARGEST).min(LARGEST_BYTES / (columns * size_of::<f64>()) as u64)
}

/// The sizes of the growing samples, up to the largest; none where the data are small.
fn sample_sizes(largest: u64, clusters: usize) -> Vec<u64> {
    let first = (FIRST_PER_CLUSTER * clusters as u64).max(1024);
    let sizes = std::iter::successors(Some(first), |size| Some(size * GROWTH));
    sizes.take_while(|size| *size <= largest).collect()
}

/// `wanted` different numbers below `total`, ascending; all of them where there are no more.
pub(super) fn draw(total: u64, wanted: u64, random: &mut Random) -> Vec<u64> {
    if total <= wanted {
        return (0..total).collect();
    }
    // R. W. Floyd's sampling: every set of `wanted` numbers has the same chance.
    let mut picked = BTreeSet::new();
    for last in total - wanted..total {
        let number = random.bits() % (last + 1);
        if !picked.insert(number) {
            picked.insert(last);
        }
    }
    picked.into_iter().collect()
}

/// The numbers below `n` in random order.
fn shuffled(n: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, (random.bits() % (last as u64 + 1)) as usize);
    }
    order
}

/// A place with a chance proportional to its number; any place where all are 0.
fn pick(chances: &[f64], random: &mut Random) -> usize {
    let total: f64 = chances.iter().sum();
    let mut left = random.unit() * total;
    if !(total > 0.0 && total.is_finite()) {
        return (random.bits() % chances.len().max(1) as u64) as usize;
    }
    let mut last = 0;
    for (i, chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        last = i;
        left -= chance;
        if left < 0.0 {
            break;
        }
    }
    last
}
