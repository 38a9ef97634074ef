//! Subtractive clustering: rows in dense places become centers, and take their surroundings out of the count.
//!
//! Source: S. L. Chiu, "Fuzzy model identification based on cluster estimation", 1994.

use super::of_clusters;
use crate::error::{Error, Result};
use crate::random::shuffled;
use crate::tuning::antecedents::Antecedents;
use crate::tuning::rows::Samples;
use crate::tuning::tuner::Tuner;

/// Rows that are looked at, two by two; more are drawn from.
const POOL: usize = 2048;
/// The radius that a center takes out of the count, in radii.
const SQUASH: f64 = 1.5;
/// A potential of this share of the first center's makes a center, one of the other share ends the search; between them
/// what counts is how far the row is from the centers there are.
const ACCEPT: f64 = 0.5;
const REJECT: f64 = 0.15;

/// Sets about the centers, with the width that has the paper's potential as its membership.
pub(super) fn antecedents(tuner: &Tuner<'_>, radius: f64, samples: &Samples) -> Result<Antecedents> {
    if !(radius > 0.0 && radius <= 1.0) {
        let must = "above 0 and at most 1, a share of the inputs' ranges";
        return Err(Error::Parameter {
            algorithm: "subtractive clustering",
            name: "radius",
            value: radius,
            must,
        });
    }
    let points = pool(tuner, samples);
    if points.is_empty() {
        let (algorithm, name) = ("subtractive clustering", "complete rows");
        return Err(Error::Parameter { algorithm, name, value: 0.0, must: "at least 1" });
    }
    let centers: Vec<f64> =
        centers(&points, radius).into_iter().flat_map(|at| points[at].0.clone()).collect();
    let width = radius / 8f64.sqrt(); // exp(−4r²/radius²) = exp(−½(r/width)²)
    Ok(of_clusters(tuner.form, samples.inputs.len(), &centers, &vec![width; centers.len()]))
}

/// Complete rows and their weights, drawn where there are many.
fn pool(tuner: &Tuner<'_>, samples: &Samples) -> Vec<(Vec<f64>, f64)> {
    let mut rows: Vec<usize> = (0..samples.training).collect();
    if rows.len() > POOL {
        rows = shuffled(rows.len(), tuner.seed);
        rows.truncate(POOL);
        rows.sort_unstable();
    }
    let points = rows.into_iter().map(|row| (samples.inputs_of(row), samples.weight(row)));
    points.filter(|(point, _)| point.iter().all(|x| !x.is_nan())).collect()
}

fn centers(points: &[(Vec<f64>, f64)], radius: f64) -> Vec<usize> {
    let near = |a: usize, b: usize, radius: f64| {
        (-4.0 * squared(&points[a].0, &points[b].0) / (radius * radius)).exp()
    };
    let potential = |a: usize| (0..points.len()).map(|b| points[b].1 * near(a, b, radius)).sum();
    let mut potentials: Vec<f64> = (0..points.len()).map(potential).collect();
    let mut centers: Vec<usize> = Vec::new();
    let mut first = None;
    loop {
        let at = (0..points.len()).fold(0, |best, i| if potentials[i] > potentials[best] { i } else { best });
        let share = potentials[at] / *first.get_or_insert(potentials[at]);
        let nearest =
            centers.iter().map(|c| squared(&points[*c].0, &points[at].0)).fold(f64::INFINITY, f64::min);
        let dense = share >= REJECT; // not so where no row has a weight
        if !dense {
            return centers;
        }
        if share < ACCEPT && nearest.sqrt() / radius + share < 1.0 {
            potentials[at] = 0.0;
            continue;
        }
        let height = potentials[at];
        (0..points.len()).for_each(|i| potentials[i] -= height * near(i, at, SQUASH * radius));
        centers.push(at);
    }
}

fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
