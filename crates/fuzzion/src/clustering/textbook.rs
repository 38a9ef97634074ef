//! Equations (1) to (10) as they stand at the door, one row at a time in double precision: the oracle of the kernels.

use super::prototypes::{Prototypes, Rule};
use super::sums::{Sums, Want};

/// The squared distances of a row (in the coordinates of the prototypes' space) to all centers.
pub(super) fn distances(prototypes: &Prototypes, x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let seen: Vec<usize> = (0..n).filter(|i| !x[*i].is_nan()).collect();
    let one = |k: usize| {
        let v = prototypes.center(k);
        match &prototypes.shapes {
            None => {
                let sum: f64 = seen.iter().map(|i| (x[*i] - v[*i]).powi(2)).sum();
                sum * n as f64 / seen.len() as f64
            }
            Some(shapes) => {
                let map = &shapes.maps[k * n * n..][..n * n];
                let row = |i: usize| (0..=i).map(|j| map[i * n + j] * (x[j] - v[j])).sum::<f64>();
                let d: f64 = (0..n).map(|i| row(i).powi(2)).sum();
                match prototypes.rule {
                    Rule::Gaussian { .. } => (0.5 * d + shapes.offsets[k]).exp(),
                    _ => d,
                }
            }
        }
    };
    (0..prototypes.clusters()).map(one).collect()
}

/// Equation (2); `more` is a distance of one more cluster.
fn shares(d: &[f64], m: f64, more: Option<f64>) -> Vec<f64> {
    let zeros = d.iter().filter(|d| **d == 0.0).count();
    if zeros > 0 {
        return d.iter().map(|d| if *d == 0.0 { 1.0 / zeros as f64 } else { 0.0 }).collect();
    }
    let ratio = |a: f64, b: f64| (a / b).powf(1.0 / (m - 1.0));
    let share = |a: &f64| 1.0 / d.iter().copied().chain(more).map(|b| ratio(*a, b)).sum::<f64>();
    d.iter().map(share).collect()
}

/// A row's memberships, what the sums weigh it with, and its part of the objective.
pub(super) fn degrees(rule: &Rule, d: &[f64]) -> (Vec<f64>, Vec<f64>, f64) {
    let weighted = |u: &[f64], m: f64| u.iter().map(|u| u.powf(m)).collect::<Vec<_>>();
    let dot = |a: &[f64]| a.iter().zip(d).map(|(a, d)| if *a > 0.0 { a * d } else { 0.0 }).sum::<f64>();
    let typical = |m: f64, b: f64, widths: &[f64]| {
        let t = |(d, w): (&f64, &f64)| 1.0 / (1.0 + (b * d / w).powf(1.0 / (m - 1.0)));
        d.iter().zip(widths).map(t).collect::<Vec<f64>>()
    };
    let penalty = |t: &[f64], m: f64, widths: &[f64]| {
        t.iter().zip(widths).map(|(t, w)| w * (1.0 - t).powf(m)).sum::<f64>()
    };
    match rule {
        Rule::Fuzzy { fuzzifier: m } | Rule::Gaussian { fuzzifier: m } => {
            let u = shares(d, *m, None);
            let um = weighted(&u, *m);
            let j = dot(&um);
            (u, um, j)
        }
        Rule::Noise { fuzzifier: m, distance } => {
            let u = shares(d, *m, Some(*distance));
            let um = weighted(&u, *m);
            let rest = (1.0 - u.iter().sum::<f64>()).max(0.0);
            let j = dot(&um) + rest.powf(*m) * distance;
            (u, um, j)
        }
        Rule::Hard => {
            let nearest = d.iter().copied().fold(f64::INFINITY, f64::min);
            let first = d.iter().position(|d| *d == nearest);
            let u: Vec<f64> = (0..d.len()).map(|k| if Some(k) == first { 1.0 } else { 0.0 }).collect();
            (u.clone(), u, nearest)
        }
        Rule::Possibilistic { fuzzifier: m, widths } => {
            let t = typical(*m, 1.0, widths);
            let tm = weighted(&t, *m);
            let j = dot(&tm) + penalty(&t, *m, widths);
            (t, tm, j)
        }
        Rule::Mixed { fuzzifier: m, typicality_fuzzifier: n, membership: a, typicality: b, widths } => {
            let u = shares(d, *m, None);
            let t = typical(*n, *b, widths);
            let both: Vec<f64> = u.iter().zip(&t).map(|(u, t)| a * u.powf(*m) + b * t.powf(*n)).collect();
            let j = dot(&both) + penalty(&t, *n, widths);
            (u, both, j)
        }
    }
}

/// What a sweep over `rows` must give.
pub(super) fn sums(prototypes: &Prototypes, rows: &[f64], weights: Option<&[f64]>, want: Want) -> Sums {
    let (n, clusters) = (prototypes.columns(), prototypes.clusters());
    let mut sums = Sums::zero(clusters, n, prototypes.space.partial, want);
    for (i, row) in rows.chunks_exact(n).enumerate() {
        let x = prototypes.space.enter(row);
        let w = weights.map_or(1.0, |w| w[i]);
        sums.rows += 1;
        if x.iter().all(|x| x.is_nan()) {
            continue;
        }
        let d = distances(prototypes, &x);
        let (u, um, j) = degrees(&prototypes.rule, &d);
        let largest = u.iter().copied().fold(0.0, f64::max);
        let label = u.iter().position(|u| *u == largest);
        sums.weight += w;
        sums.objective += w * j;
        for k in 0..clusters {
            let um = w * um[k];
            sums.masses[k] += um;
            for a in (0..n).filter(|a| !x[*a].is_nan()) {
                sums.moments[k * n + a] += um * x[a];
                if prototypes.space.partial {
                    sums.seen[k * n + a] += um;
                }
                if want.scatter {
                    let v = prototypes.center(k);
                    for b in 0..n {
                        sums.scatter[(k * n + a) * n + b] += um * (x[a] - v[a]) * (x[b] - v[b]);
                    }
                }
            }
            if let Some(statistics) = &mut sums.statistics {
                statistics.memberships[k] += w * u[k];
                statistics.squares += w * u[k] * u[k];
                statistics.entropy -= if u[k] > 0.0 { w * u[k] * u[k].ln() } else { 0.0 };
                statistics.sizes[k] += if Some(k) == label { w } else { 0.0 };
                let um = u[k].powf(prototypes.rule.fuzzifier());
                statistics.spreads[k] += if u[k] > 0.0 { w * um * d[k] } else { 0.0 };
                statistics.distances += w * d[k];
            }
        }
    }
    sums
}
