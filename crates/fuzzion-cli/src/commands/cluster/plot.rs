//! Plots of the clusters of a table.

use super::summary::{INDICES, direction, index_values};
use crate::format::{ellipsize, format_number};
use fuzzion::clustering::Partition;
use fuzzion::plot::{Chart, Figure};
use fuzzion::{Device, Result, Samples, Table};

/// Maximum number of points in a scatter plot.
const MAX_POINTS: usize = 4000;
/// Number of histogram bins.
const BINS: usize = 60;
/// Number of points of a membership curve.
const CURVE_POINTS: usize = 401;
/// Maximum number of clusters with a legend entry.
const MAX_LEGEND: usize = 12;
/// Radius of the ellipses in standard deviations.
const RADIUS: f64 = 2.0;

/// A uniform random sample of the rows of a table.
pub(super) struct RowSample {
    columns: usize,
    values: Vec<f64>,
    /// Hash of each kept row; rows with a hash up to `limit` are kept.
    hashes: Vec<u64>,
    limit: u64,
    seen: u64,
}

impl RowSample {
    pub(super) fn new(columns: usize) -> Self {
        RowSample { columns, values: Vec::new(), hashes: Vec::new(), limit: u64::MAX, seen: 0 }
    }

    /// Samples the rows of `chunk`. The row number alone decides whether a row is kept, so that the sample does not depend
    /// on the chunk size.
    pub(super) fn add(&mut self, chunk: &Samples<'_>) {
        for row in 0..chunk.rows() {
            let hash = hash(self.seen);
            self.seen += 1;
            if hash <= self.limit {
                self.hashes.push(hash);
                let value = |i| chunk.get(row, i).expect("invariant: a chunk has all columns");
                self.values.extend((0..self.columns).map(value));
            }
            if self.hashes.len() > MAX_POINTS {
                self.halve();
            }
        }
    }

    fn halve(&mut self) {
        self.limit /= 2;
        let rows = self.hashes.iter().zip(self.values.chunks_exact(self.columns));
        let kept: Vec<(u64, &[f64])> =
            rows.filter(|(hash, _)| **hash <= self.limit).map(|(hash, row)| (*hash, row)).collect();
        let hashes = kept.iter().map(|(hash, _)| *hash).collect();
        let values = kept.iter().flat_map(|(_, row)| row.iter().copied()).collect();
        (self.hashes, self.values) = (hashes, values);
    }

    fn column(&self, column: usize) -> Vec<f64> {
        self.values.iter().skip(column).step_by(self.columns).copied().collect()
    }
}

/// The mixing function of SplitMix64.
fn hash(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Plots a fit: a histogram for one column, else a scatter plot of the two columns that separate the clusters best.
pub(super) fn clusters(
    title: &str,
    subtitle: &str,
    sample: &RowSample,
    partition: &Partition,
    device: &Device,
) -> Result<Chart> {
    let chart = Chart::new(title).subtitle(subtitle).size(840.0, 520.0);
    if sample.columns == 1 {
        histogram(chart, sample, partition, device)
    } else {
        scatter(chart, sample, partition, device)
    }
}

/// Legend entries of the clusters; empty if there are too many clusters.
fn names(partition: &Partition) -> Vec<String> {
    let sizes = &partition.report.sizes;
    let name = |(k, size): (usize, &f64)| match partition.clusters() {
        ..=MAX_LEGEND => format!("{} ({})", k + 1, format_number(*size)),
        _ => String::new(),
    };
    sizes.iter().enumerate().map(name).collect()
}

fn scatter(chart: Chart, sample: &RowSample, partition: &Partition, device: &Device) -> Result<Chart> {
    let columns = partition.centers.names();
    let rows = Table::new(columns, sample.values.clone())?;
    let memberships = partition.memberships(&rows, device)?.into_f64();
    let (a, b) = most_separating_columns(sample, partition);
    let names = names(partition);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut chart = chart.x_label(ellipsize(&columns[a])).y_label(ellipsize(&columns[b])).membership_points(
        &names,
        &sample.column(a),
        &sample.column(b),
        &memberships,
    );
    let (x, y) = (partition.centers.column(&columns[a])?, partition.centers.column(&columns[b])?);
    for (k, covariance) in partition.covariances.iter().flatten().enumerate() {
        let n = columns.len();
        let part = |i: usize, j: usize| covariance[i * n + j];
        let shape = [[part(a, a), part(a, b)], [part(b, a), part(b, b)]];
        chart = chart.ellipse("", [x[k], y[k]], shape, RADIUS).color(k);
    }
    Ok(chart.crosses("center", &x, &y))
}

/// The two columns, in table order, with the largest variance of the centers relative to the variance of the rows.
fn most_separating_columns(sample: &RowSample, partition: &Partition) -> (usize, usize) {
    let centers = partition.centers.to_f64();
    let total: f64 = partition.weights.iter().sum();
    let separation = |column: usize| {
        let rows: Vec<f64> = sample.column(column).into_iter().filter(|x| x.is_finite()).collect();
        let mean = rows.iter().sum::<f64>() / rows.len() as f64;
        let spread = rows.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / rows.len() as f64;
        let center = |k: usize| centers[k * sample.columns + column];
        let middle = (0..partition.clusters()).map(|k| partition.weights[k] * center(k)).sum::<f64>() / total;
        let between = (0..partition.clusters()).map(|k| partition.weights[k] * (center(k) - middle).powi(2));
        let ratio = between.sum::<f64>() / total / spread;
        if ratio.is_finite() { ratio } else { 0.0 }
    };
    let mut order: Vec<(usize, f64)> =
        (0..sample.columns).map(|column| (column, separation(column))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1)); // stable, so ties keep the column order
    let (a, b) = (order[0].0, order[1].0);
    (a.min(b), a.max(b))
}

fn histogram(chart: Chart, sample: &RowSample, partition: &Partition, device: &Device) -> Result<Chart> {
    let finite: Vec<f64> = sample.values.iter().copied().filter(|x| x.is_finite()).collect();
    let (min, max) =
        finite.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    let bin = |position: f64| (position as usize).min(BINS - 1);
    let mut bins = vec![0.0; BINS];
    finite.iter().for_each(|x| bins[bin((x - min) / (max - min) * BINS as f64)] += 1.0);
    curves(chart, &bins, (min, max), partition, device)
}

/// Draws a histogram with the given bin heights, overlaid with the membership curves.
pub(super) fn curves(
    chart: Chart,
    bins: &[f64],
    (min, max): (f64, f64),
    partition: &Partition,
    device: &Device,
) -> Result<Chart> {
    let highest = bins.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let edge = |bin: usize| min + (max - min) * bin as f64 / bins.len() as f64;
    let corners =
        bins.iter().enumerate().flat_map(|(i, n)| [(edge(i), n / highest), (edge(i + 1), n / highest)]);
    let (x, y): (Vec<f64>, Vec<f64>) = corners.unzip();
    let columns = partition.centers.names();
    let mut chart = chart
        .x_label(ellipsize(&columns[0]))
        .y_label("membership")
        .y_range(0.0, 1.05)
        .area("count", &x, &y)
        .muted();
    let x: Vec<f64> =
        (0..CURVE_POINTS).map(|i| min + (max - min) * i as f64 / (CURVE_POINTS - 1) as f64).collect();
    let memberships = partition.memberships(&Table::new(columns, x.clone())?, device)?.into_f64();
    for (k, name) in names(partition).iter().enumerate() {
        let curve: Vec<f64> = memberships.iter().skip(k).step_by(partition.clusters()).copied().collect();
        chart = chart.line(name, &x, &curve).color(k);
    }
    Ok(chart)
}

/// Plots the validity indices over the number of clusters, with the best number of each.
pub(super) fn sweep(title: &str, partitions: &[Partition], best: &[Option<usize>; 6]) -> String {
    let clusters: Vec<f64> = partitions.iter().map(|p| p.clusters() as f64).collect();
    let mut figure = Figure::grid(2).title(title).width(640.0); // legible on a phone
    for (i, (_, name, is_higher_better)) in INDICES.iter().enumerate() {
        let value = |p: &Partition| index_values(&p.report.indices)[i].unwrap_or(f64::NAN);
        let heights: Vec<f64> = partitions.iter().map(value).collect();
        let direction = direction(*is_higher_better);
        let mut chart =
            Chart::new(*name).subtitle(direction).x_label("clusters").whole_x().size(312.0, 250.0);
        if spans_decades(&heights) {
            chart = chart.log_y();
        }
        chart = chart.line("", &clusters, &heights).color(0).points("", &clusters, &heights).color(0);
        if let Some(best) = best[i] {
            chart = chart.vertical_line(&format!("best: {best}"), best as f64).color(1);
        }
        figure = figure.add(chart);
    }
    figure.to_svg()
}

/// Whether the values are positive and differ by a factor of more than 30, so that small ones need a logarithmic axis.
fn spans_decades(values: &[f64]) -> bool {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let (lowest, highest) = (finite().fold(f64::INFINITY, f64::min), finite().fold(0.0, f64::max));
    lowest > 0.0 && highest > 30.0 * lowest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positive_values_of_different_magnitudes_have_a_logarithmic_axis() {
        assert!(spans_decades(&[0.05, f64::NAN, 3.0]) && !spans_decades(&[0.05, 0.5]));
        assert!(
            !spans_decades(&[0.0, 0.05, 3.0])
                && !spans_decades(&[-1.0, 100.0])
                && !spans_decades(&[f64::NAN])
        );
    }

    #[test]
    fn a_sample_does_not_depend_on_the_chunk_size() {
        let all: Vec<f64> = (0..60_000).map(f64::from).collect();
        let sample = |rows: usize| {
            let mut sample = RowSample::new(2);
            all.chunks(2 * rows).for_each(|chunk| sample.add(&Samples::new(2, chunk).unwrap()));
            sample.values
        };
        let whole = sample(30_000);
        assert_eq!(whole, sample(7));
        assert!((MAX_POINTS / 4..=MAX_POINTS).contains(&(whole.len() / 2)), "{}", whole.len());
        let mean = whole.iter().sum::<f64>() / whole.len() as f64;
        // The mean of 2000 to 4000 draws from 0 … 60000 stays within four standard errors of 17320 / √2000 = 387.
        assert!((mean - 30_000.0).abs() < 4.0 * 387.0, "{mean}");
    }

    #[test]
    fn all_rows_of_a_small_table_are_kept() {
        let mut sample = RowSample::new(1);
        sample.add(&Samples::new(1, &[3.0, 1.0, 2.0]).unwrap());
        assert_eq!(sample.values, [3.0, 1.0, 2.0]);
    }
}
