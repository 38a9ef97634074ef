//! Fuzzy c-means and its kin against scikit-fuzzy 0.5 and fuzzy-c-means 2.3.1, from the same starting memberships.
#![allow(clippy::unwrap_used)] // tests

mod peers;

use fuzzion::clustering::{FuzzyCMeans, Metric, Partition, Start, Variant};
use fuzzion::{Device, Table};

/// Answers a data set's name, C, m and a method with lines of numbers: data, starting memberships, the answer (centers,
/// or memberships for `gg-step`), and further numbers (for `skfuzzy` J and PC, for `indices` PC, PE, XB, FS about the
/// data's mean, and the silhouette).
const SCRIPT: &str = r#"
import sys
import numpy as np
import skfuzzy
from fcmeans import FCM, GG, GK, PCM
from fcmeans.validation import fuzzy_silhouette, xie_beni
from sklearn import datasets

name, clusters, m, method = sys.stdin.read().split()
clusters, m = int(clusters), float(m)
if name == "mirrored":
    # A cloud and its mirror image, with memberships to match: both priors are 1/2 however they are defined.
    one = datasets.load_iris().data[50:100]
    x = np.concatenate([one, 2 * one.mean(axis=0) + np.array([1.5, 0.5, 1.5, 0.5]) - one])
    own = 0.6 + 0.1 * (np.arange(50) % 4)
    u = np.stack([np.concatenate([own, 1 - own]), np.concatenate([1 - own, own])], axis=1)
else:
    data = getattr(datasets, "load_" + name)()
    x = np.asarray(data.data, dtype=np.float64)
    # Rows spread over the data as starting centers.
    start = x[np.linspace(3, len(x) - 4, clusters).astype(int)] + 0.01
    d = ((x[:, None, :] - start[None, :, :]) ** 2).sum(axis=2)
    u = d ** (-1.0 / (m - 1.0))
    u = u / u.sum(axis=1, keepdims=True)
if method == "gg-step":
    u = np.eye(clusters)[data.target]

def made(kind, **settings):
    class Started(kind):
        def _init_u(self, x):
            self.rng = np.random.default_rng(0)
            self.u = u.copy()
    return Started(n_clusters=clusters, m=m, error=1e-9, max_iter=1000, **settings)

def started(kind, **settings):
    model = made(kind, **settings)
    model.fit(x)
    return model

numbers = [float("nan"), float("nan")]
if method == "skfuzzy":
    answer, _, _, _, history, _, fpc = skfuzzy.cmeans(x.T, clusters, m, error=1e-10, maxiter=3000, init=u.T)
    numbers = [history[-1], fpc]
elif method in ("fcm", "indices"):
    model = started(FCM)
    answer = model.centers
    if method == "indices":
        d = ((x[:, None, :] - answer[None, :, :]) ** 2).sum(axis=2)
        spread = ((answer - x.mean(axis=0)) ** 2).sum(axis=1)
        entropy = -(model.u * np.log(model.u)).sum() / len(x)
        numbers = [model.partition_coefficient, entropy, xie_beni(x, model.u, answer, m),
                   (model.u ** m * (d - spread)).sum(), fuzzy_silhouette(x, model.u, answer, m)]
elif method == "gk":
    answer = started(GK, reg=0.0).centers
elif method == "gg":
    answer = started(GG, reg=0.0).centers
elif method == "gg-step":
    model = made(GG, reg=0.0)
    model._init_u(x)
    model._update_centers(x)
    answer = model.soft_predict(x)
else:
    model = PCM(n_clusters=clusters, m=m, error=1e-9, max_iter=1000, random_state=1, init="k-means++")
    model.fit(x)
    answer = model.centers
print(x.shape[1])
for line in (x, u, answer, np.array(numbers)):
    print(" ".join(repr(float(v)) for v in np.asarray(line).ravel()))
"#;

struct Answer {
    samples: Table,
    start: Start,
    answer: Vec<f64>,
    numbers: Vec<f64>,
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
    Some(Answer { samples, start, answer: numbers(), numbers: numbers() })
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
) -> Option<(Answer, Partition)> {
    let answer = ask(name, clusters, m, method)?;
    let device = Device::cpu().unwrap();
    let fit = FuzzyCMeans::new(clusters)
        .fuzzifier(m)
        .start(answer.start.clone())
        .tolerance(1e-11)
        .max_iterations(3000);
    let fit = settings(fit.plain(true)).fit(&answer.samples, &device).unwrap();
    let size = answer.answer.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let off = apart(&fit.centers.to_f64(), &answer.answer, answer.samples.columns());
    assert!(off <= NEAR * size, "{name} {method}: {off} of {size}");
    Some((answer, fit))
}

#[test]
fn iris_wine_and_digits_have_the_centers_of_scikit_fuzzy() {
    for (name, clusters, m) in [("iris", 3, 2.0), ("wine", 3, 2.0), ("digits", 10, 1.2)] {
        let Some((answer, fit)) = compare(name, clusters, m, "skfuzzy", |fit| fit) else { return };
        assert!((fit.report.objective / answer.numbers[0] - 1.0).abs() < 1e-8);
        assert!((fit.report.indices.partition_coefficient - answer.numbers[1]).abs() < 1e-6);
    }
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

#[test]
fn gath_geva_clusters_are_those_of_fuzzy_c_means_where_both_definitions_of_the_prior_agree() {
    // Its prior is Σᵢ uᵐ / Σₖᵢ uᵐ, the paper's Σᵢ u / N: the same for mirror images and for crisp memberships.
    let Some((_, fit)) = compare("mirrored", 2, 2.0, "gg", |fit| fit.metric(Metric::GathGeva)) else {
        return;
    };
    assert!(fit.report.warnings.is_empty(), "{:?}", fit.report.warnings); // two clusters, not one
    let Some(answer) = ask("iris", 3, 2.0, "gg-step") else { return };
    let device = Device::cpu().unwrap();
    let settings = FuzzyCMeans::new(3).metric(Metric::GathGeva).start(answer.start).max_iterations(0);
    let step = settings.fit(&answer.samples, &device).unwrap();
    let u = step.memberships(&answer.samples, &device).unwrap();
    let off = u.to_f64().iter().zip(&answer.answer).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // Two ways to invert covariances of condition 100, under an exponential: a few hundred roundings.
    assert!(off < 1e-12, "{off}");
}

#[test]
fn validity_indices_of_iris_and_wine_are_those_of_fuzzy_c_means() {
    for name in ["iris", "wine"] {
        let Some((answer, fit)) = compare(name, 3, 2.0, "indices", |fit| fit) else { return };
        let found = fit.report.indices;
        let silhouette = fit.silhouette(&answer.samples, usize::MAX, 0, &Device::cpu().unwrap()).unwrap();
        let found = [
            found.partition_coefficient,
            found.partition_entropy,
            found.xie_beni.unwrap(),
            found.fukuyama_sugeno,
            silhouette.unwrap(),
        ];
        for (found, expected) in found.iter().zip(&answer.numbers) {
            // Where the iterations stop, centers differ by 1e-9 of the data's size, and indices by little more.
            assert!((found / expected - 1.0).abs() < 1e-6, "{name}: {found} {expected}");
        }
    }
}
