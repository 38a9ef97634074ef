//! Pictures of clusters in tables.

use super::summary::{INDICES, values};
use crate::commands::words::{clipped, short};
use fuzzion::clustering::Partition;
use fuzzion::plot::{Chart, Figure};
use fuzzion::{Device, Result, Table};

/// The most points drawn.
const POINTS: usize = 4000;
/// Bars of a histogram and places of a curve.
const BINS: usize = 60;
const PLACES: usize = 401;
/// The most clusters that have an entry in the legend.
const NAMED: usize = 12;
/// How many standard deviations an ellipse is large.
const RADIUS: f64 = 2.0;

/// Some rows of a table, drawn evenly from all of them.
pub(super) struct Sample {
    columns: usize,
    values: Vec<f64>,
    /// The scrambled number of each row kept; those below `limit` are kept.
    numbers: Vec<u64>,
    limit: u64,
    seen: u64,
}

impl Sample {
    pub(super) fn new(columns: usize) -> Self {
        Sample { columns, values: Vec::new(), numbers: Vec::new(), limit: u64::MAX, seen: 0 }
    }

    /// Looks at the rows of `piece`. A row's own number decides whether it is kept, so that the same rows are kept
    /// whatever the pieces are.
    pub(super) fn add(&mut self, piece: &Table) {
        for row in 0..piece.rows() {
            let number = scrambled(self.seen);
            self.seen += 1;
            if number <= self.limit {
                self.numbers.push(number);
                self.values.extend((0..self.columns).map(|i| piece.get(row, i).unwrap_or(f64::NAN)));
            }
            if self.numbers.len() > POINTS {
                self.halve();
            }
        }
    }

    fn halve(&mut self) {
        self.limit /= 2;
        let rows = self.numbers.iter().zip(self.values.chunks_exact(self.columns));
        let kept: Vec<(u64, &[f64])> =
            rows.filter(|(n, _)| **n <= self.limit).map(|(n, row)| (*n, row)).collect();
        let numbers = kept.iter().map(|(n, _)| *n).collect();
        let values = kept.iter().flat_map(|(_, row)| row.iter().copied()).collect();
        (self.numbers, self.values) = (numbers, values);
    }

    fn column(&self, column: usize) -> Vec<f64> {
        self.values.iter().skip(column).step_by(self.columns).copied().collect()
    }
}

/// SplitMix64's mixing: neighbours become numbers that look drawn.
fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The picture of a fit: of one column its histogram, else a scatter of the two columns that tell the clusters apart most.
pub(super) fn clusters(
    title: &str,
    subtitle: &str,
    sample: &Sample,
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

/// The names of the clusters in a legend; too many have none.
fn names(partition: &Partition) -> Vec<String> {
    let sizes = &partition.report.sizes;
    let name = |k: usize| match sizes.get(k) {
        _ if partition.clusters() > NAMED => String::new(),
        Some(size) => format!("{} ({})", k + 1, short(*size)),
        None => format!("{}", k + 1),
    };
    (0..partition.clusters()).map(name).collect()
}

fn scatter(chart: Chart, sample: &Sample, partition: &Partition, device: &Device) -> Result<Chart> {
    let columns = partition.centers.names();
    let rows = Table::new(columns, sample.values.clone())?;
    let memberships = partition.memberships(&rows, device)?.into_f64();
    let (a, b) = telling(sample, partition);
    let names = names(partition);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut chart = chart.x_label(clipped(&columns[a])).y_label(clipped(&columns[b])).mixture(
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

/// The two columns, in the order of the table, in which the centers lie apart most for the spread of the rows.
fn telling(sample: &Sample, partition: &Partition) -> (usize, usize) {
    let centers = partition.centers.to_f64();
    let total: f64 = partition.weights.iter().sum();
    let share = |column: usize| {
        let rows: Vec<f64> = sample.column(column).into_iter().filter(|x| x.is_finite()).collect();
        let mean = rows.iter().sum::<f64>() / rows.len() as f64;
        let spread = rows.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / rows.len() as f64;
        let center = |k: usize| centers[k * sample.columns + column];
        let middle = (0..partition.clusters()).map(|k| partition.weights[k] * center(k)).sum::<f64>() / total;
        let between = (0..partition.clusters()).map(|k| partition.weights[k] * (center(k) - middle).powi(2));
        let share = between.sum::<f64>() / total / spread;
        if share.is_finite() { share } else { 0.0 }
    };
    let mut order: Vec<(usize, f64)> = (0..sample.columns).map(|column| (column, share(column))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1)); // stable: of equals the first columns
    let (a, b) = (order[0].0, order[1].0);
    (a.min(b), a.max(b))
}

fn histogram(chart: Chart, sample: &Sample, partition: &Partition, device: &Device) -> Result<Chart> {
    let finite: Vec<f64> = sample.values.iter().copied().filter(|x| x.is_finite()).collect();
    let (least, most) =
        finite.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    let counts = |place: f64| (place as usize).min(BINS - 1);
    let mut bins = vec![0.0; BINS];
    finite.iter().for_each(|x| bins[counts((x - least) / (most - least) * BINS as f64)] += 1.0);
    curves(chart, &bins, (least, most), partition, device)
}

/// The heights `bins` between two values, and above them the memberships.
pub(super) fn curves(
    chart: Chart,
    bins: &[f64],
    (least, most): (f64, f64),
    partition: &Partition,
    device: &Device,
) -> Result<Chart> {
    let highest = bins.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let edge = |bin: usize| least + (most - least) * bin as f64 / bins.len() as f64;
    let corners =
        bins.iter().enumerate().flat_map(|(i, n)| [(edge(i), n / highest), (edge(i + 1), n / highest)]);
    let (x, y): (Vec<f64>, Vec<f64>) = corners.unzip();
    let columns = partition.centers.names();
    let mut chart = chart
        .x_label(clipped(&columns[0]))
        .y_label("membership")
        .y_range(0.0, 1.05)
        .area("how many", &x, &y)
        .muted();
    let places: Vec<f64> =
        (0..PLACES).map(|i| least + (most - least) * i as f64 / (PLACES - 1) as f64).collect();
    let memberships = partition.memberships(&Table::new(columns, places.clone())?, device)?.into_f64();
    for (k, name) in names(partition).iter().enumerate() {
        let curve: Vec<f64> = memberships.iter().skip(k).step_by(partition.clusters()).copied().collect();
        chart = chart.line(name, &places, &curve).color(k);
    }
    Ok(chart)
}

/// The indices of a sweep over the number of clusters, each with the number it prefers.
pub(super) fn sweep(title: &str, partitions: &[Partition], preferred: &[Option<usize>; 6]) -> String {
    let clusters: Vec<f64> = partitions.iter().map(|p| p.clusters() as f64).collect();
    let mut figure = Figure::grid(3).title(title).width(960.0);
    for (i, (_, name, large)) in INDICES.iter().enumerate() {
        let value = |p: &Partition| values(&p.report.indices)[i].unwrap_or(f64::NAN);
        let heights: Vec<f64> = partitions.iter().map(value).collect();
        let better = if *large { "large is good" } else { "small is good" };
        let mut chart = Chart::new(*name).subtitle(better).x_label("clusters").size(312.0, 250.0);
        chart = chart.line("", &clusters, &heights).color(0).points("", &clusters, &heights).color(0);
        if let Some(best) = preferred[i] {
            chart = chart.mark_x(&format!("prefers {best}"), best as f64).color(1);
        }
        figure = figure.add(chart);
    }
    figure.to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_holds_the_same_rows_whatever_the_pieces_are() {
        let all: Vec<f64> = (0..60_000).map(f64::from).collect();
        let sample = |rows: usize| {
            let mut sample = Sample::new(2);
            all.chunks(2 * rows).for_each(|piece| sample.add(&Table::unnamed(2, piece.to_vec()).unwrap()));
            sample.values
        };
        let whole = sample(30_000);
        assert_eq!(whole, sample(7));
        assert!((POINTS / 4..=POINTS).contains(&(whole.len() / 2)), "{}", whole.len());
        let mean = whole.iter().sum::<f64>() / whole.len() as f64;
        // The mean of 2000 to 4000 draws from 0 … 60000 stays within four standard errors of 17320 / √2000 = 387.
        assert!((mean - 30_000.0).abs() < 4.0 * 387.0, "{mean}");
    }

    #[test]
    fn a_small_table_is_drawn_whole() {
        let mut sample = Sample::new(1);
        sample.add(&Table::unnamed(1, vec![3.0, 1.0, 2.0]).unwrap());
        assert_eq!(sample.values, [3.0, 1.0, 2.0]);
    }
}
