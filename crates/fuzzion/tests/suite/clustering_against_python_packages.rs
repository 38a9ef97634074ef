//! Comparison of fuzzy c-means and its variants with scikit-fuzzy 0.5 and fuzzy-c-means 2.3.1, from the same initial
//! memberships.

use fuzzion::clustering::{FuzzyCMeans, InitialCenters, Metric, Partition, Variant};
use fuzzion::{Device, Table};

/// Reads the name of a data set, C, m and a method. Prints lines of values: the data, the initial memberships, the
/// result (centers, or memberships for `gg-step`), and indices (J and PC for `skfuzzy`; PC, PE, XB, FS about the mean
/// of the data, and the silhouette for `indices`).
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
    # A cloud and its mirror image, with mirrored memberships: both priors are 1/2 by either definition.
    one = datasets.load_iris().data[50:100]
    x = np.concatenate([one, 2 * one.mean(axis=0) + np.array([1.5, 0.5, 1.5, 0.5]) - one])
    own = 0.6 + 0.1 * (np.arange(50) % 4)
    u = np.stack([np.concatenate([own, 1 - own]), np.concatenate([1 - own, own])], axis=1)
else:
    data = getattr(datasets, "load_" + name)()
    x = np.asarray(data.data, dtype=np.float64)
    # Rows spread over the data as initial centers.
    start = x[np.linspace(3, len(x) - 4, clusters).astype(int)] + 0.01
    d = ((x[:, None, :] - start[None, :, :]) ** 2).sum(axis=2)
    u = d ** (-1.0 / (m - 1.0))
    u = u / u.sum(axis=1, keepdims=True)
if method == "gg-step":
    u = np.eye(clusters)[data.target]

def create(kind, **settings):
    class Initialized(kind):
        def _init_u(self, x):
            self.rng = np.random.default_rng(0)
            self.u = u.copy()
    return Initialized(n_clusters=clusters, m=m, error=1e-9, max_iter=1000, **settings)

def fitted(kind, **settings):
    model = create(kind, **settings)
    model.fit(x)
    return model

numbers = [float("nan"), float("nan")]
if method == "skfuzzy":
    result, _, _, _, history, _, fpc = skfuzzy.cmeans(x.T, clusters, m, error=1e-10, maxiter=3000, init=u.T)
    numbers = [history[-1], fpc]
elif method in ("fcm", "indices"):
    model = fitted(FCM)
    result = model.centers
    if method == "indices":
        d = ((x[:, None, :] - result[None, :, :]) ** 2).sum(axis=2)
        spread = ((result - x.mean(axis=0)) ** 2).sum(axis=1)
        entropy = -(model.u * np.log(model.u)).sum() / len(x)
        numbers = [model.partition_coefficient, entropy, xie_beni(x, model.u, result, m),
                   (model.u ** m * (d - spread)).sum(), fuzzy_silhouette(x, model.u, result, m)]
elif method == "gk":
    result = fitted(GK, reg=0.0).centers
elif method == "gg":
    result = fitted(GG, reg=0.0).centers
elif method == "gg-step":
    model = create(GG, reg=0.0)
    model._init_u(x)
    model._update_centers(x)
    result = model.soft_predict(x)
else:
    model = PCM(n_clusters=clusters, m=m, error=1e-9, max_iter=1000, random_state=1, init="k-means++")
    model.fit(x)
    result = model.centers
print(x.shape[1])
for line in (x, u, result, np.array(numbers)):
    print(" ".join(repr(float(v)) for v in np.asarray(line).ravel()))
"#;

struct PeerResult {
    samples: Table,
    initial_centers: InitialCenters,
    values: Vec<f64>,
    indices: Vec<f64>,
}

fn run_peer(name: &str, clusters: usize, m: f64, method: &str) -> Option<PeerResult> {
    let python = crate::python_packages::clustering()?;
    let text =
        crate::python_packages::run_script(&python, SCRIPT, &format!("{name} {clusters} {m} {method}"));
    let mut lines = text.lines();
    let columns: usize = lines.next().unwrap().parse().unwrap();
    let mut numbers =
        || -> Vec<f64> { lines.next().unwrap().split(' ').map(|word| word.parse().unwrap()).collect() };
    let samples = Table::unnamed(columns, numbers()).unwrap();
    let initial_centers = InitialCenters::Memberships(Table::unnamed(clusters, numbers()).unwrap());
    Some(PeerResult { samples, initial_centers, values: numbers(), indices: numbers() })
}

/// Hausdorff distance between two lists of centers.
fn hausdorff_distance(a: &[f64], b: &[f64], columns: usize) -> f64 {
    let distance = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
    let one_way = |a: &[f64], b: &[f64]| {
        let nearest = |x: &[f64]| b.chunks(columns).map(|y| distance(x, y)).fold(f64::INFINITY, f64::min);
        a.chunks(columns).map(nearest).fold(0.0, f64::max)
    };
    one_way(a, b).max(one_way(b, a))
}

/// Tolerance of centers relative to the size of the data, if memberships still change by 1e-10 per iteration and
/// convergence is slow.
const TOLERANCE: f64 = 1e-6;

fn compare(
    name: &str,
    clusters: usize,
    m: f64,
    method: &str,
    settings: impl Fn(FuzzyCMeans) -> FuzzyCMeans,
) -> Option<(PeerResult, Partition)> {
    let peer = run_peer(name, clusters, m, method)?;
    let device = Device::cpu().unwrap();
    let fit = FuzzyCMeans::new(clusters)
        .fuzzifier(m)
        .initial_centers(peer.initial_centers.clone())
        .tolerance(1e-11)
        .max_iterations(3000);
    let fit = settings(fit.plain(true)).fit(&peer.samples, &device).unwrap();
    let size = peer.values.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let off = hausdorff_distance(&fit.centers.to_f64(), &peer.values, peer.samples.columns());
    assert!(off <= TOLERANCE * size, "{name} {method}: {off} of {size}");
    Some((peer, fit))
}

#[test]
fn centers_of_iris_wine_and_digits_agree_with_scikit_fuzzy() {
    for (name, clusters, m) in [("iris", 3, 2.0), ("wine", 3, 2.0), ("digits", 10, 1.2)] {
        let Some((peer, fit)) = compare(name, clusters, m, "skfuzzy", |fit| fit) else { return };
        assert!((fit.report.objective / peer.indices[0] - 1.0).abs() < 1e-8);
        assert!((fit.report.indices.partition_coefficient - peer.indices[1]).abs() < 1e-6);
    }
}

#[test]
fn centers_of_iris_wine_and_digits_agree_with_fuzzy_c_means() {
    compare("iris", 3, 2.0, "fcm", |fit| fit);
    compare("wine", 3, 2.0, "fcm", |fit| fit);
    compare("digits", 10, 1.2, "fcm", |fit| fit);
}

#[test]
fn gustafson_kessel_and_possibilistic_clusters_of_iris_agree_with_fuzzy_c_means() {
    let metric = Metric::GustafsonKessel { volumes: None, regularize: 0.0 };
    compare("iris", 3, 2.0, "gk", |fit| fit.metric(metric.clone()));
    compare("iris", 3, 2.0, "pcm", |fit| fit.variant(Variant::Possibilistic));
}

#[test]
fn gath_geva_clusters_agree_with_fuzzy_c_means_if_both_definitions_of_the_prior_agree() {
    // Its prior is Σᵢ uᵐ / Σₖᵢ uᵐ, the paper's is Σᵢ u / N: equal for mirror images and for crisp memberships.
    let Some((_, fit)) = compare("mirrored", 2, 2.0, "gg", |fit| fit.metric(Metric::GathGeva)) else {
        return;
    };
    assert!(fit.report.warnings.is_empty(), "{:?}", fit.report.warnings); // two clusters, not one
    let Some(peer) = run_peer("iris", 3, 2.0, "gg-step") else { return };
    let device = Device::cpu().unwrap();
    let settings =
        FuzzyCMeans::new(3).metric(Metric::GathGeva).initial_centers(peer.initial_centers).max_iterations(0);
    let step = settings.fit(&peer.samples, &device).unwrap();
    let u = step.memberships(&peer.samples, &device).unwrap();
    let off = u.to_f64().iter().zip(&peer.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // Different inversions of covariance matrices with condition number 100, in an exponential: a few hundred
    // roundings.
    assert!(off < 1e-12, "{off}");
}

#[test]
fn validity_indices_of_iris_and_wine_agree_with_fuzzy_c_means() {
    for name in ["iris", "wine"] {
        let Some((peer, fit)) = compare(name, 3, 2.0, "indices", |fit| fit) else { return };
        let found = fit.report.indices;
        let silhouette = fit.silhouette(&peer.samples, usize::MAX, 0, &Device::cpu().unwrap()).unwrap();
        let found = [
            found.partition_coefficient,
            found.partition_entropy,
            found.xie_beni.unwrap(),
            found.fukuyama_sugeno,
            silhouette.unwrap(),
        ];
        for (found, expected) in found.iter().zip(&peer.indices) {
            // At convergence, centers differ by 1e-9 of the size of the data, and indices by little more.
            assert!((found / expected - 1.0).abs() < 1e-6, "{name}: {found} {expected}");
        }
    }
}
