//! Fits of every variant and metric, compared with a slow textbook iteration.

use super::*;
use crate::clustering::numerics::linear::{cholesky, invert_lower, ln_determinant};

const THREE: [[f64; 2]; 3] = [[0.0, 0.0], [6.0, 1.0], [2.0, 7.0]];
const START: [f64; 6] = [0.5, 0.5, 5.0, 1.5, 2.5, 6.0];

fn initial_centers() -> InitialCenters {
    InitialCenters::Centers(table(2, &START))
}

fn settings() -> FuzzyCMeans {
    FuzzyCMeans::new(3).initial_centers(initial_centers()).tolerance(1e-12).max_iterations(3000)
}

fn squared(x: &[f64], v: &[f64]) -> f64 {
    x.iter().zip(v).map(|(x, v)| (x - v) * (x - v)).sum()
}

fn fuzzy(d: &[f64], m: f64) -> Vec<f64> {
    d.iter().map(|a| 1.0 / d.iter().map(|b| (a / b).powf(1.0 / (m - 1.0))).sum::<f64>()).collect()
}

/// Alternates degrees and weighted means, 3000 times or until convergence.
fn iterate(x: &[f64], mut v: Vec<f64>, degrees: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    for _ in 0..3000 {
        let (mut sums, mut masses) = (vec![0.0; v.len()], vec![0.0; v.len() / 2]);
        for x in x.chunks(2) {
            let d: Vec<f64> = v.chunks(2).map(|v| squared(x, v)).collect();
            for (k, u) in degrees(&d).into_iter().enumerate() {
                masses[k] += u;
                sums[2 * k] += u * x[0];
                sums[2 * k + 1] += u * x[1];
            }
        }
        let next: Vec<f64> = sums.iter().enumerate().map(|(i, s)| s / masses[i / 2]).collect();
        let moved = difference(&next, &v);
        v = next;
        if moved < 1e-13 {
            break;
        }
    }
    v
}

/// ηₖ of Equation (9) at the fixed point of the fuzzy iteration.
fn widths(x: &[f64], v: &[f64], m: f64) -> Vec<f64> {
    let (mut numerators, mut denominators) = (vec![0.0; 3], vec![0.0; 3]);
    for x in x.chunks(2) {
        let d: Vec<f64> = v.chunks(2).map(|v| squared(x, v)).collect();
        for (k, u) in fuzzy(&d, m).into_iter().enumerate() {
            numerators[k] += u.powf(m) * d[k];
            denominators[k] += u.powf(m);
        }
    }
    numerators.iter().zip(&denominators).map(|(a, b)| a / b).collect()
}

#[test]
fn hard_clusters_are_the_means_of_their_rows() {
    let x = clouds(&THREE, 40, 1);
    let nearest = |d: &[f64]| {
        let best = d.iter().copied().fold(f64::INFINITY, f64::min);
        d.iter().map(|d| f64::from(u8::from(*d == best))).collect()
    };
    let found = settings().variant(Variant::Hard).fit(&table(2, &x), &cpu()).unwrap();
    assert!(difference(&centers_of(&found), &iterate(&x, START.to_vec(), nearest)) < 1e-12);
}

#[test]
fn noise_clustering_matches_the_textbook_and_isolates_outliers() {
    let mut x = clouds(&THREE, 40, 2);
    x.extend([60.0, 60.0]);
    let (m, delta) = (1.8, 2.5f64);
    let degrees = |d: &[f64]| {
        let mut all = d.to_vec();
        all.push(delta * delta);
        let u = fuzzy(&all, m);
        u[..3].iter().map(|u| u.powf(m)).collect()
    };
    let settings = settings().fuzzifier(m).variant(Variant::Noise { distance: Some(delta) });
    let found = settings.fit(&table(2, &x), &cpu()).unwrap();
    assert!(difference(&centers_of(&found), &iterate(&x, START.to_vec(), degrees)) < 1e-9);
    let u = found.memberships(&table(2, &x), &cpu()).unwrap();
    assert!(u.to_f64()[u.rows() * 3 - 3..].iter().sum::<f64>() < 0.01); // the outlier belongs to no cluster
    let automatic = FuzzyCMeans::new(3).variant(Variant::Noise { distance: None }).fit(&table(2, &x), &cpu());
    assert!(automatic.unwrap().report.sizes.iter().all(|n| *n > 0.0));
}

#[test]
fn possibilistic_clustering_matches_the_textbook() {
    let x = clouds(&THREE, 40, 3);
    for m in [2.0, 1.6] {
        let v = iterate(&x, START.to_vec(), |d| fuzzy(d, m).iter().map(|u| u.powf(m)).collect());
        let eta = widths(&x, &v, m);
        let typicalities = |d: &[f64]| {
            let t = d.iter().zip(&eta).map(|(d, eta)| 1.0 / (1.0 + (d / eta).powf(1.0 / (m - 1.0))));
            t.map(|t| t.powf(m)).collect()
        };
        let found =
            settings().fuzzifier(m).variant(Variant::Possibilistic).fit(&table(2, &x), &cpu()).unwrap();
        assert!(difference(&centers_of(&found), &iterate(&x, v, typicalities)) < 1e-8);
    }
}

#[test]
fn possibilistic_fuzzy_clustering_matches_the_textbook() {
    let x = clouds(&THREE, 40, 4);
    let (m, a, b, n) = (2.0, 1.0, 3.0, 1.7);
    let v = iterate(&x, START.to_vec(), |d| fuzzy(d, m).iter().map(|u| u.powf(m)).collect());
    let gamma = widths(&x, &v, m);
    let both = |d: &[f64]| {
        let u = fuzzy(d, m);
        let t = |k: usize| 1.0 / (1.0 + (b * d[k] / gamma[k]).powf(1.0 / (n - 1.0)));
        (0..3).map(|k| a * u[k].powf(m) + b * t(k).powf(n)).collect()
    };
    let variant = Variant::PossibilisticFuzzy { membership: a, typicality: b, typicality_fuzzifier: n };
    let found = settings().variant(variant).fit(&table(2, &x), &cpu()).unwrap();
    assert!(difference(&centers_of(&found), &iterate(&x, v, both)) < 1e-8);
}

#[test]
fn diagonal_and_mahalanobis_metrics_are_euclidean_on_transformed_rows() {
    let x = clouds(&THREE, 40, 5);
    let fuzzy2 = |d: &[f64]| fuzzy(d, 2.0).iter().map(|u| u * u).collect::<Vec<_>>();
    let scaled = |x: &[f64]| x.iter().enumerate().map(|(i, x)| x / [3.0, 0.5][i % 2]).collect::<Vec<_>>();
    let expected = iterate(&scaled(&x), scaled(&START), fuzzy2);
    let metric = Metric::Diagonal { variances: Some(vec![9.0, 0.25]) };
    let found = settings().metric(metric).fit(&table(2, &x), &cpu()).unwrap();
    assert!(difference(&scaled(&centers_of(&found)), &expected) < 1e-9);
    // S = L·Lᵀ with L = [[2, 0], [1, 3]].
    let white =
        |x: &[f64]| x.chunks(2).flat_map(|x| [x[0] / 2.0, (x[1] - x[0] / 2.0) / 3.0]).collect::<Vec<_>>();
    let expected = iterate(&white(&x), white(&START), fuzzy2);
    let metric = Metric::Mahalanobis { covariance: Some(vec![4.0, 2.0, 2.0, 10.0]) };
    let found = settings().metric(metric).fit(&table(2, &x), &cpu()).unwrap();
    assert!(difference(&white(&centers_of(&found)), &expected) < 1e-9);
}

/// Gustafson-Kessel or Gath-Geva from given memberships, m = 2.
fn ellipsoids(x: &[f64], mut u: Vec<f64>, gaussian: bool) -> Vec<f64> {
    let mut v = vec![0.0; 6];
    for _ in 0..500 {
        let previous = v.clone();
        let mut metrics = Vec::new();
        for k in 0..3 {
            let degrees = || u.chunks(3).map(|u| u[k] * u[k]);
            let mass: f64 = degrees().sum();
            for i in 0..2 {
                v[2 * k + i] = x.chunks(2).zip(degrees()).map(|(x, u)| u * x[i]).sum::<f64>() / mass;
            }
            let mut f = [0.0; 4];
            for (x, u) in x.chunks(2).zip(degrees()) {
                let t = [x[0] - v[2 * k], x[1] - v[2 * k + 1]];
                (0..4).for_each(|at| f[at] += u * t[at / 2] * t[at % 2] / mass);
            }
            let prior = u.chunks(3).map(|u| u[k]).sum::<f64>() / (x.len() / 2) as f64;
            metrics.push((f, prior));
        }
        for (x, u) in x.chunks(2).zip(u.chunks_mut(3)) {
            let d: Vec<f64> = (0..3)
                .map(|k| {
                    let (f, prior) = &metrics[k];
                    let determinant = f[0] * f[3] - f[1] * f[2];
                    let t = [x[0] - v[2 * k], x[1] - v[2 * k + 1]];
                    let d =
                        (f[3] * t[0] * t[0] - 2.0 * f[1] * t[0] * t[1] + f[0] * t[1] * t[1]) / determinant;
                    if gaussian {
                        determinant.sqrt() / prior * (0.5 * d).exp()
                    } else {
                        determinant.sqrt() * d
                    }
                })
                .collect();
            u.copy_from_slice(&fuzzy(&d, 2.0));
        }
        if difference(&v, &previous) < 1e-13 {
            break;
        }
    }
    v
}

#[test]
fn gustafson_kessel_and_gath_geva_match_the_textbook() {
    let mut x = clouds(&THREE, 60, 6);
    x.chunks_mut(2).for_each(|x| x[1] += 0.8 * x[0]); // elongate the clusters
    let given: Vec<f64> = (0..180)
        .flat_map(|i| {
            let mut u = [0.1; 3];
            u[i / 60] = 0.8;
            u
        })
        .collect();
    let start = InitialCenters::Memberships(table(3, &given));
    for (metric, gaussian) in
        [(Metric::GustafsonKessel { volumes: None, regularize: 0.0 }, false), (Metric::GathGeva, true)]
    {
        let fit =
            settings().initial_centers(start.clone()).metric(metric).fit(&table(2, &x), &cpu()).unwrap();
        let expected = ellipsoids(&x, given.clone(), gaussian);
        assert!(difference(&centers_of(&fit), &expected) < 1e-8, "{:?} {expected:?}", centers_of(&fit));
        assert!(fit.report.warnings.is_empty());
        let covariance = &fit.covariances.as_ref().unwrap()[0];
        let l = cholesky(covariance, 2).unwrap();
        assert!(ln_determinant(&l, 2).is_finite() && invert_lower(&l, 2)[0] > 0.0);
    }
}

#[test]
fn a_singular_covariance_is_regularized_with_a_warning() {
    // The rows of each cluster are on a line.
    let x: Vec<f64> = (0..40)
        .flat_map(|i| if i % 2 == 0 { [f64::from(i), 0.0] } else { [0.3 * f64::from(i), 50.0] })
        .collect();
    let start = InitialCenters::Centers(table(2, &[20.0, 0.0, 6.0, 50.0]));
    let settings = FuzzyCMeans::new(2).fuzzifier(1.01).initial_centers(start);
    let exact = Metric::GustafsonKessel { volumes: None, regularize: 0.0 };
    let fit = settings.clone().metric(exact).fit(&table(2, &x), &cpu()).unwrap();
    assert!(
        matches!(fit.report.warnings[..], [ClusteringWarning::Regularized { .. }]),
        "{:?}",
        fit.report.warnings
    );
    let requested = Metric::GustafsonKessel { volumes: Some(vec![1.0, 2.0]), regularize: 0.1 };
    let fit = settings.metric(requested).fit(&table(2, &x), &cpu()).unwrap();
    assert!(fit.report.warnings.is_empty(), "{:?}", fit.report.warnings);
}

#[test]
fn partial_distances_use_the_columns_present_in_a_row() {
    let mut x = clouds(&THREE, 40, 7);
    x[1] = f64::NAN;
    x[100] = f64::NAN;
    let mut v = START.to_vec();
    for _ in 0..2000 {
        let (mut sums, mut masses) = (vec![0.0; 6], vec![0.0; 6]);
        for x in x.chunks(2) {
            let present: Vec<usize> = (0..2).filter(|i| !x[*i].is_nan()).collect();
            let partial = |v: &[f64]| present.iter().map(|i| (x[*i] - v[*i]).powi(2)).sum::<f64>();
            let d: Vec<f64> = v.chunks(2).map(|v| partial(v) * 2.0 / present.len() as f64).collect();
            for (k, u) in fuzzy(&d, 2.0).into_iter().enumerate() {
                for i in &present {
                    sums[2 * k + i] += u * u * x[*i];
                    masses[2 * k + i] += u * u;
                }
            }
        }
        v = sums.iter().zip(&masses).map(|(s, m)| s / m).collect();
    }
    let found = settings().missing(MissingValues::Partial).fit(&table(2, &x), &cpu()).unwrap();
    assert!(difference(&centers_of(&found), &v) < 1e-9);
}

#[test]
fn every_criterion_converges() {
    let samples = table(2, &clouds(&THREE, 40, 8));
    for criterion in [Criterion::CenterShift, Criterion::Objective, Criterion::Memberships] {
        let fit = FuzzyCMeans::new(3).criterion(criterion).tolerance(1e-6).fit(&samples, &cpu()).unwrap();
        assert_eq!(fit.report.stop, Stop::Converged, "{criterion:?}");
    }
    let short = FuzzyCMeans::new(3).tolerance(0.0).max_iterations(2).fit(&samples, &cpu()).unwrap();
    assert_eq!((short.report.stop, short.report.iterations), (Stop::MaxIterations, 2));
}
