//! Fuzzy c-means and its kin against scikit-fuzzy 0.5 and fuzzy-c-means 2.3.1, from the same starting memberships.
#![allow(clippy::unwrap_used)] // tests

mod peers;

use fuzzion::clustering::{FuzzyCMeans, Metric, Start, Variant};
use fuzzion::{Device, Table};

/// Answers a data set's name, C, m and a method with four lines: data, starting memberships, centers, (objective, PC).
const SCRIPT: &str = r#"
import sys
import numpy as np
import skfuzzy
from fcmeans import FCM, GK, PCM
from sklearn import datasets

name, clusters, m, method = sys.stdin.read().split()
clusters, m = int(clusters), float(m)
x = np.asarray(getattr(datasets, "load_" + name)().data, dtype=np.float64)
# Rows spread over the data as starting centers.
start = x[np.linspace(3, len(x) - 4, clusters).astype(int)] + 0.01
d = ((x[:, None, :] - start[None, :, :]) ** 2).sum(axis=2)
u = d ** (-1.0 / (m - 1.0))
u = u / u.sum(axis=1, keepdims=True)

def started(kind, **settings):
    class Started(kind):
        def _init_u(self, x):
            self.rng = np.random.default_rng(0)
            self.u = u.copy()
    model = Started(n_clusters=clusters, m=m, error=1e-9, max_iter=1000, **settings)
    model.fit(x)
    return model.centers

numbers = [float("nan"), float("nan")]
if method == "skfuzzy":
    centers, _, _, _, history, _, fpc = skfuzzy.cmeans(x.T, clusters, m, error=1e-10, maxiter=3000, init=u.T)
    numbers = [history[-1], fpc]
elif method == "fcm":
    centers = started(FCM)
elif method == "gk":
    centers = started(GK, reg=0.0)
else:
    model = PCM(n_clusters=clusters, m=m, error=1e-9, max_iter=1000, random_state=1, init="k-means++")
    model.fit(x)
    centers = model.centers
print(x.shape[1])
for line in (x, u, centers, np.array(numbers)):
    print(" ".join(repr(float(v)) for v in np.asarray(line).ravel()))
"#;

struct Answer {
    samples: Table,
    start: Start,
    centers: Vec<f64>,
    objective: f64,
    coefficient: f64,
}

fn ask(name: &str, clusters: usize, m: f64, method: &str) -> Option<Answer> {
    let python = peers::clustering()?;
    let text = peers::ask(&python, SCRIPT, &format!("{name} {clusters} {m} {method}"));
    let mut lines = text.lines();
    let columns: usize = lines.next().unwrap().parse().unwrap();
    let mut numbers =
        || -> Vec<f64> { lines.next().unwrap().split(' ').map(|word| word.parse().unwrap()).collect() };
    let samples = Table::unnamed(columns, numbers()).unwrap();
    let start = Start::Memberships(Table::unnamed(clusters, numbers()).unwrap());
    let centers = numbers();
    let last = numbers();
    Some(Answer { samples, start, centers, objective: last[0], coefficient: last[1] })
}

/// How far the farthest of one list of centers is from the nearest of the other, either way.
fn apart(a: &[f64], b: &[f64], columns: usize) -> f64 {
    let distance = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
    let one_way = |a: &[f64], b: &[f64]| {
        let nearest = |x: &[f64]| b.chunks(columns).map(|y| distance(x, y)).fold(f64::INFINITY, f64::min);
        a.chunks(columns).map(nearest).fold(0.0, f64::max)
    };
    one_way(a, b).max(one_way(b, a))
}

/// Memberships that change by 1e-10 per step leave centers this share of the data's size away, at the slowest rate here.
const NEAR: f64 = 1e-6;

fn compare(
    name: &str,
    clusters: usize,
    m: f64,
    method: &str,
    settings: impl Fn(FuzzyCMeans<'_>) -> FuzzyCMeans<'_>,
) {
    let Some(answer) = ask(name, clusters, m, method) else { return };
    let device = Device::cpu().unwrap();
    let fit =
        FuzzyCMeans::new(clusters).fuzzifier(m).start(answer.start).tolerance(1e-11).max_iterations(3000);
    let fit = settings(fit.plain(true)).fit(&answer.samples, &device).unwrap();
    let size = answer.centers.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let off = apart(&fit.centers.to_f64(), &answer.centers, answer.samples.columns());
    assert!(off <= NEAR * size, "{name} {method}: {off} of {size}");
    if !answer.objective.is_nan() {
        assert!((fit.report.objective / answer.objective - 1.0).abs() < 1e-8);
        assert!((fit.report.indices.partition_coefficient - answer.coefficient).abs() < 1e-6);
    }
}

#[test]
fn iris_wine_and_digits_have_the_centers_of_scikit_fuzzy() {
    compare("iris", 3, 2.0, "skfuzzy", |fit| fit);
    compare("wine", 3, 2.0, "skfuzzy", |fit| fit);
    compare("digits", 10, 1.2, "skfuzzy", |fit| fit);
}

#[test]
fn iris_wine_and_digits_have_the_centers_of_fuzzy_c_means() {
    compare("iris", 3, 2.0, "fcm", |fit| fit);
    compare("wine", 3, 2.0, "fcm", |fit| fit);
    compare("digits", 10, 1.2, "fcm", |fit| fit);
}

#[test]
fn gustafson_kessel_and_possibilistic_clusters_of_iris_are_those_of_fuzzy_c_means() {
    let metric = Metric::GustafsonKessel { volumes: None, regularize: 0.0 };
    compare("iris", 3, 2.0, "gk", |fit| fit.metric(metric.clone()));
    compare("iris", 3, 2.0, "pcm", |fit| fit.variant(Variant::Possibilistic));
}
