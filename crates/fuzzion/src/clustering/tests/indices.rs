//! Validity indices, compared with their definitions.

use super::*;

const THREE: [[f64; 2]; 3] = [[0.0, 0.0], [6.0, 1.0], [2.0, 7.0]];

fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn near(found: f64, expected: f64, what: &str) {
    // Rounding errors of sums of 90 positive terms and a determinant.
    assert!((found / expected - 1.0).abs() < 1e-10, "{what}: {found} {expected}");
}

#[test]
fn indices_match_their_definitions() {
    let x = clouds(&THREE, 30, 1);
    let samples = table(2, &x);
    let weights: Vec<f64> = (0..90).map(|i| 0.5 + f64::from(i % 3)).collect();
    let total: f64 = weights.iter().sum();
    let mean: Vec<f64> =
        (0..2).map(|j| (0..90).map(|i| weights[i] * x[2 * i + j]).sum::<f64>() / total).collect();
    let both = Variant::PossibilisticFuzzy { membership: 1.0, typicality: 2.0, typicality_fuzzifier: 1.8 };
    let plain = |m| FuzzyCMeans::new(3).fuzzifier(m).seed(3);
    let own = Metric::GustafsonKessel { volumes: None, regularize: 0.0 };
    for (settings, m) in [
        (plain(2.0), 2.0),
        (plain(1.4), 1.4),
        (plain(2.0).variant(Variant::Hard), 1.0),
        (plain(1.7).variant(Variant::Noise { distance: Some(3.0) }), 1.7),
        (plain(2.0).variant(Variant::Possibilistic), 2.0),
        (plain(2.0).variant(both), 2.0),
        (plain(2.0).metric(own), 2.0),
        (plain(2.0).metric(Metric::GathGeva), 2.0),
    ] {
        let fit = settings.fit(samples.samples().with_weights(&weights).unwrap(), &cpu()).unwrap();
        let (v, u) = (centers_of(&fit), fit.memberships(&samples, &cpu()).unwrap().into_f64());
        let name = format!("{:?} {:?}", settings.variant, settings.metric);
        let [mut pc, mut pe, mut compact, mut apart] = [0.0; 4];
        let mut covariances = [[0.0; 5]; 3];
        for (i, x) in x.chunks(2).enumerate() {
            for (k, v) in v.chunks(2).enumerate() {
                let u = u[3 * i + k];
                let um = weights[i] * u.powf(m);
                pc += weights[i] * u * u / total;
                pe -= if u > 0.0 { weights[i] * u * u.ln() / total } else { 0.0 };
                compact += um * squared(x, v);
                apart += um * squared(v, &mean);
                let t = [x[0] - v[0], x[1] - v[1]];
                (0..4).for_each(|at| covariances[k][at] += um * t[at / 2] * t[at % 2]);
                covariances[k][4] += um;
            }
        }
        let pairs = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| squared(&v[2 * a..][..2], &v[2 * b..][..2]));
        let closest = pairs.into_iter().fold(f64::INFINITY, f64::min);
        let found = fit.report.indices;
        near(found.partition_coefficient, pc, &name);
        assert!((found.partition_entropy - pe).abs() < 1e-12, "{name}");
        let mpc = found.modified_partition_coefficient.unwrap();
        assert!((mpc - (1.0 - 1.5 * (1.0 - pc))).abs() < 1e-12, "{name}");
        near(found.xie_beni.unwrap(), compact / (total * closest), &name);
        near(found.fukuyama_sugeno, compact - apart, &name);
        if settings.variant != both {
            let volume = |f: &[f64; 5]| (f[0] * f[3] - f[1] * f[2]).sqrt() / f[4];
            near(found.fuzzy_hypervolume.unwrap(), covariances.iter().map(volume).sum(), &name);
        }
        assert!((fit.report.sizes.iter().sum::<f64>() - total).abs() < 1e-9);
    }
}

#[test]
fn the_hypervolume_is_in_the_coordinates_of_the_metric() {
    let x = clouds(&THREE, 30, 2);
    let grown: Vec<f64> = x.iter().enumerate().map(|(i, x)| x * [100.0, 0.01][i % 2] * 3.0).collect();
    let volume = |metric: &Metric, x: &[f64]| {
        let settings = FuzzyCMeans::new(3).metric(metric.clone()).tolerance(1e-10);
        settings.fit(&table(2, x), &cpu()).unwrap().report.indices.fuzzy_hypervolume.unwrap()
    };
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
    let gustafson_kessel = Metric::GustafsonKessel { volumes: None, regularize: 0.0 };
    near(volume(&gustafson_kessel, &grown), 9.0 * volume(&gustafson_kessel, &x));
    for metric in [Metric::Diagonal { variances: None }, Metric::Mahalanobis { covariance: None }] {
        near(volume(&metric, &grown), volume(&metric, &x));
    }
    // The diagonal metric is the Euclidean metric of standardized columns.
    let rows = x.len() as f64 / 2.0;
    let moment = |i: usize, power: i32, center: f64| {
        x.iter().skip(i).step_by(2).map(|x| (x - center).powi(power)).sum::<f64>() / rows
    };
    let deviations = [0, 1].map(|i| moment(i, 2, moment(i, 1, 0.0)).sqrt());
    let standardized: Vec<f64> = x.iter().enumerate().map(|(i, x)| x / deviations[i % 2]).collect();
    near(volume(&Metric::Diagonal { variances: None }, &x), volume(&Metric::Euclidean, &standardized));
}

#[test]
fn a_silhouette_skips_missing_values() {
    let whole = [0.0, 0.0, 1.0, 1.0, 10.0, 10.0, 12.0, 12.0];
    let start = InitialCenters::Centers(table(2, &[0.5, 0.5, 11.0, 11.0]));
    let settings =
        FuzzyCMeans::new(2).max_iterations(0).initial_centers(start).missing(MissingValues::Partial);
    let silhouette = |x: &[f64]| {
        let samples = table(2, x);
        settings.fit(&samples, &cpu()).unwrap().silhouette(&samples, 100, 1, &cpu()).unwrap().unwrap()
    };
    // Both columns are equal, so distances over one column equal those over both.
    let mut partial = whole;
    partial[1] = f64::NAN;
    partial[7] = f64::NAN;
    assert!((silhouette(&partial) - silhouette(&whole)).abs() < 1e-12);
}

#[test]
fn a_silhouette_of_a_sample_approximates_that_of_all_rows() {
    let samples = table(2, &clouds(&THREE, 400, 3));
    let fit = FuzzyCMeans::new(3).n_init(3).fit(&samples, &cpu()).unwrap();
    let of = |sample| fit.silhouette(&samples, sample, 5, &cpu()).unwrap().unwrap();
    // The silhouettes of the rows have a standard deviation of about 0.1: the error of a mean of 300 is 0.006.
    assert!((of(300) - of(usize::MAX)).abs() < 0.03, "{} {}", of(300), of(usize::MAX));
    assert!(
        FuzzyCMeans::new(1)
            .fit(&samples, &cpu())
            .unwrap()
            .silhouette(&samples, 9, 0, &cpu())
            .unwrap()
            .is_none()
    );
}
