//! Textbook implementation of Equations (1) to (10), one row at a time in double precision; the test oracle of the
//! kernels.

use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::sums::{RequestedSums, Sums};

/// Squared distances of a row (in internal coordinates) to all centers.
pub(in crate::clustering) fn distances(prototypes: &Prototypes, x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let present: Vec<usize> = (0..n).filter(|i| !x[*i].is_nan()).collect();
    let one = |k: usize| {
        let v = prototypes.center(k);
        match &prototypes.cluster_metrics {
            None => {
                let sum: f64 = present.iter().map(|i| (x[*i] - v[*i]).powi(2)).sum();
                sum * n as f64 / present.len() as f64
            }
            Some(metrics) => {
                let factor = &metrics.factors[k * n * n..][..n * n];
                let row = |i: usize| (0..=i).map(|j| factor[i * n + j] * (x[j] - v[j])).sum::<f64>();
                let d: f64 = (0..n).map(|i| row(i).powi(2)).sum();
                match prototypes.rule {
                    MembershipRule::Gaussian { .. } => (0.5 * d + metrics.offsets[k]).exp(),
                    _ => d,
                }
            }
        }
    };
    (0..prototypes.clusters()).map(one).collect()
}

/// Equation (2); `extra` is the distance of an additional cluster.
fn fuzzy_memberships(d: &[f64], m: f64, extra: Option<f64>) -> Vec<f64> {
    let zeros = d.iter().filter(|d| **d == 0.0).count();
    if zeros > 0 {
        return d.iter().map(|d| if *d == 0.0 { 1.0 / zeros as f64 } else { 0.0 }).collect();
    }
    let ratio = |a: f64, b: f64| (a / b).powf(1.0 / (m - 1.0));
    let membership = |a: &f64| 1.0 / d.iter().copied().chain(extra).map(|b| ratio(*a, b)).sum::<f64>();
    d.iter().map(membership).collect()
}

/// Memberships of a row, its degrees in the sums, and its contribution to the objective.
pub(in crate::clustering) fn memberships(rule: &MembershipRule, d: &[f64]) -> (Vec<f64>, Vec<f64>, f64) {
    let raised = |u: &[f64], m: f64| u.iter().map(|u| u.powf(m)).collect::<Vec<_>>();
    let dot = |a: &[f64]| a.iter().zip(d).map(|(a, d)| if *a > 0.0 { a * d } else { 0.0 }).sum::<f64>();
    let typicalities = |m: f64, b: f64, widths: &[f64]| {
        let t = |(d, w): (&f64, &f64)| 1.0 / (1.0 + (b * d / w).powf(1.0 / (m - 1.0)));
        d.iter().zip(widths).map(t).collect::<Vec<f64>>()
    };
    let penalty = |t: &[f64], m: f64, widths: &[f64]| {
        t.iter().zip(widths).map(|(t, w)| w * (1.0 - t).powf(m)).sum::<f64>()
    };
    match rule {
        MembershipRule::Fuzzy { fuzzifier: m } | MembershipRule::Gaussian { fuzzifier: m } => {
            let u = fuzzy_memberships(d, *m, None);
            let um = raised(&u, *m);
            let j = dot(&um);
            (u, um, j)
        }
        MembershipRule::Noise { fuzzifier: m, distance } => {
            let u = fuzzy_memberships(d, *m, Some(*distance));
            let um = raised(&u, *m);
            let noise_membership = (1.0 - u.iter().sum::<f64>()).max(0.0);
            let j = dot(&um) + noise_membership.powf(*m) * distance;
            (u, um, j)
        }
        MembershipRule::Hard => {
            let nearest = d.iter().copied().fold(f64::INFINITY, f64::min);
            let first = d.iter().position(|d| *d == nearest);
            let u: Vec<f64> = (0..d.len()).map(|k| if Some(k) == first { 1.0 } else { 0.0 }).collect();
            (u.clone(), u, nearest)
        }
        MembershipRule::Possibilistic { fuzzifier: m, widths } => {
            let t = typicalities(*m, 1.0, widths);
            let tm = raised(&t, *m);
            let j = dot(&tm) + penalty(&t, *m, widths);
            (t, tm, j)
        }
        MembershipRule::Mixed {
            fuzzifier: m,
            typicality_fuzzifier: n,
            membership: a,
            typicality: b,
            widths,
        } => {
            let u = fuzzy_memberships(d, *m, None);
            let t = typicalities(*n, *b, widths);
            let both: Vec<f64> = u.iter().zip(&t).map(|(u, t)| a * u.powf(*m) + b * t.powf(*n)).collect();
            let j = dot(&both) + penalty(&t, *n, widths);
            (u, both, j)
        }
    }
}

/// Expected sums of a sweep over `rows`.
pub fn sums(
    prototypes: &Prototypes,
    rows: &[f64],
    weights: Option<&[f64]>,
    requested: RequestedSums,
) -> Sums {
    let (n, clusters) = (prototypes.columns(), prototypes.clusters());
    let mut sums = Sums::zero(clusters, n, prototypes.space.partial, requested);
    for (i, row) in rows.chunks_exact(n).enumerate() {
        let x = prototypes.space.to_internal(row);
        let w = weights.map_or(1.0, |w| w[i]);
        sums.rows += 1;
        if x.iter().all(|x| x.is_nan()) {
            continue;
        }
        let d = distances(prototypes, &x);
        let (u, um, j) = memberships(&prototypes.rule, &d);
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
                    sums.column_masses[k * n + a] += um;
                }
                if requested.scatter {
                    let v = prototypes.center(k);
                    for b in 0..n {
                        sums.scatter[(k * n + a) * n + b] += um * (x[a] - v[a]) * (x[b] - v[b]);
                    }
                }
            }
            if let Some(quality) = &mut sums.quality {
                quality.memberships[k] += w * u[k];
                quality.squares += w * u[k] * u[k];
                quality.entropy -= if u[k] > 0.0 { w * u[k] * u[k].ln() } else { 0.0 };
                quality.sizes[k] += if Some(k) == label { w } else { 0.0 };
                let um = u[k].powf(prototypes.rule.fuzzifier());
                quality.spreads[k] += if u[k] > 0.0 { w * um * d[k] } else { 0.0 };
                quality.distances += w * d[k];
            }
        }
    }
    sums
}
