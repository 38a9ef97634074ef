//! Subtractive clustering: rows with high density become centers and reduce the density around them.
//!
//! Source: S. L. Chiu, "Fuzzy model identification based on cluster estimation", 1994.

use super::sets::from_clusters;
use crate::base::SettingError;
use crate::random::shuffled;
use crate::tuning::error::Result;
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::settings::Tuner;
use crate::tuning::training::samples::ScaledSamples;

/// Maximum number of rows, which are compared pairwise; more rows are subsampled.
const MAX_POINTS: usize = 2048;
/// Squash factor: radius within which a center reduces the density, relative to the cluster radius.
const SQUASH_FACTOR: f64 = 1.5;
/// Thresholds relative to the potential of the first center: a row with a potential above `ACCEPT` becomes a center, and
/// one below `REJECT` ends the search. In between, the distance to the existing centers decides.
const ACCEPT: f64 = 0.5;
const REJECT: f64 = 0.15;

/// Sets at the centers, with the width that makes the membership equal to the paper's potential function.
pub(super) fn antecedents(tuner: &Tuner, radius: f64, samples: &ScaledSamples) -> Result<Antecedents> {
    if !(radius > 0.0 && radius <= 1.0) {
        let must = "above 0 and at most 1 (a fraction of the input ranges)";
        return Err(SettingError::OutOfRange {
            algorithm: "subtractive clustering",
            name: "radius",
            value: radius,
            must,
        }
        .into());
    }
    let points = candidates(tuner, samples);
    if points.is_empty() {
        let (algorithm, name) = ("subtractive clustering", "complete rows");
        return Err(SettingError::OutOfRange { algorithm, name, value: 0.0, must: "at least 1" }.into());
    }
    let centers: Vec<f64> =
        centers(&points, radius).into_iter().flat_map(|at| points[at].0.clone()).collect();
    let width = radius / 8f64.sqrt(); // exp(−4r²/radius²) = exp(−½(r/width)²)
    Ok(from_clusters(tuner.form, samples.inputs.len(), &centers, &vec![width; centers.len()]))
}

/// Complete rows and their weights, subsampled if there are many.
fn candidates(tuner: &Tuner, samples: &ScaledSamples) -> Vec<(Vec<f64>, f64)> {
    let mut rows: Vec<usize> = (0..samples.training).collect();
    if rows.len() > MAX_POINTS {
        rows = shuffled(rows.len(), tuner.seed);
        rows.truncate(MAX_POINTS);
        rows.sort_unstable();
    }
    let points = rows.into_iter().map(|row| (samples.inputs_of(row), samples.weight(row)));
    points.filter(|(point, _)| point.iter().all(|x| !x.is_nan())).collect()
}

fn centers(points: &[(Vec<f64>, f64)], radius: f64) -> Vec<usize> {
    let kernel = |a: usize, b: usize, radius: f64| {
        (-4.0 * squared_distance(&points[a].0, &points[b].0) / (radius * radius)).exp()
    };
    let potential = |a: usize| (0..points.len()).map(|b| points[b].1 * kernel(a, b, radius)).sum();
    let mut potentials: Vec<f64> = (0..points.len()).map(potential).collect();
    let mut centers: Vec<usize> = Vec::new();
    let mut first = None;
    loop {
        let at = (0..points.len()).fold(0, |best, i| if potentials[i] > potentials[best] { i } else { best });
        let ratio = potentials[at] / *first.get_or_insert(potentials[at]);
        let nearest = centers
            .iter()
            .map(|c| squared_distance(&points[*c].0, &points[at].0))
            .fold(f64::INFINITY, f64::min);
        let accepted = ratio >= REJECT; // false for NaN, if all weights are 0
        if !accepted {
            return centers;
        }
        if ratio < ACCEPT && nearest.sqrt() / radius + ratio < 1.0 {
            potentials[at] = 0.0;
            continue;
        }
        let peak = potentials[at];
        (0..points.len()).for_each(|i| potentials[i] -= peak * kernel(i, at, SQUASH_FACTOR * radius));
        centers.push(at);
    }
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
