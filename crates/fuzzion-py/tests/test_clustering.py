"""Clustering estimators."""

import pickle
import subprocess
import sys
import warnings

import fuzzion
import numpy as np
import pandas as pd
import polars as pl
import pytest
from fuzzion import FuzzyCMeans, GathGeva, GustafsonKessel, PossibilisticCMeans
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

ESTIMATORS = [FuzzyCMeans, GustafsonKessel, GathGeva, PossibilisticCMeans]


@pytest.mark.parametrize(("load", "clusters", "fuzzifier"), [(load_iris, 3, 2.0), (load_wine, 3, 2.0), (load_digits, 10, 1.2)])
def test_fuzzy_c_means_agrees_with_scikit_fuzzy(load, clusters, fuzzifier):
    skfuzzy = pytest.importorskip("skfuzzy")
    X = load().data.astype(np.float64)
    memberships = np.random.default_rng(7).dirichlet(np.ones(clusters), len(X))
    centers, expected, *_ = skfuzzy.cluster.cmeans(X.T, clusters, fuzzifier, error=1e-11, maxiter=20_000, init=memberships.T)
    model = FuzzyCMeans(
        clusters,
        fuzzifier=fuzzifier,
        init=memberships,
        tol=1e-12,
        criterion="memberships",
        max_iter=20_000,
        accelerate=False,
    ).fit(X)
    assert model.converged_
    np.testing.assert_allclose(model.cluster_centers_, centers, rtol=1e-8, atol=1e-8 * np.abs(X).max())
    np.testing.assert_allclose(model.memberships(X), expected.T, atol=1e-8)
    np.testing.assert_array_equal(model.labels_, expected.argmax(axis=0))


def test_attributes_follow_the_conventions(iris):
    model = FuzzyCMeans(3, random_state=1).fit(iris)
    assert model.cluster_centers_.shape == (3, 4)
    assert model.labels_.shape == (150,) and model.labels_.dtype == np.int32
    np.testing.assert_array_equal(model.labels_, model.predict(iris))
    np.testing.assert_array_equal(model.labels_, clone(model).fit_predict(iris))
    memberships = model.memberships(iris)
    np.testing.assert_allclose(memberships.sum(axis=1), 1)
    np.testing.assert_array_equal(memberships, model.transform(iris))
    np.testing.assert_array_equal(memberships, clone(model).fit_transform(iris))
    np.testing.assert_allclose(model.weights_, memberships.sum(axis=0))
    distances = ((iris[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
    assert model.objective_ == pytest.approx((memberships**2 * distances).sum())
    assert model.score(iris) == pytest.approx(-model.objective_)
    assert model.score(iris, sample_weight=np.full(150, 2.0)) == pytest.approx(-2 * model.objective_)
    assert model.n_iter_ >= 1 and model.converged_
    assert 0 < model.validity_["partition_coefficient"] < 1
    assert list(model.get_feature_names_out()) == ["fuzzycmeans0", "fuzzycmeans1", "fuzzycmeans2"]


@pytest.mark.parametrize("estimator", [GustafsonKessel, GathGeva])
def test_adaptive_metrics_have_covariances(estimator, iris):
    model = estimator(3, random_state=1).fit(iris)
    assert model.covariances_.shape == (3, 4, 4)
    np.testing.assert_allclose(model.covariances_, model.covariances_.transpose(0, 2, 1))
    assert model.score(iris) == pytest.approx(-model.objective_)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_possibilistic_memberships_of_outliers_are_small(iris):
    model = PossibilisticCMeans(3, random_state=1).fit(iris)
    assert model.memberships([[100.0, 100, 100, 100]]).max() < 0.01


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # centers coincide
def test_variants(iris):
    hard = FuzzyCMeans(3, variant="hard", random_state=1).fit(iris)
    assert np.isin(hard.memberships(iris), [0, 1]).all()
    means = [iris[hard.labels_ == k].mean(axis=0) for k in range(3)]
    np.testing.assert_allclose(hard.cluster_centers_, means)
    outlier = np.vstack([iris, [[100.0, 100, 100, 100]]])
    noise = FuzzyCMeans(3, variant="noise", noise_distance=2.0, random_state=1).fit(outlier)
    distances = ((outlier[:, None] - noise.cluster_centers_) ** 2).sum(axis=2)
    expected = (1 / distances) / ((1 / distances).sum(axis=1, keepdims=True) + 1 / 2.0**2)
    np.testing.assert_allclose(noise.memberships(outlier), expected, rtol=1e-9)
    pfcm = FuzzyCMeans(3, variant="pfcm", typicality_weight=2.0, typicality_fuzzifier=1.5, random_state=1).fit(iris)
    np.testing.assert_allclose(pfcm.memberships(iris).sum(axis=1), 1)
    typicalities = pfcm.typicalities(iris)
    assert typicalities.shape == (150, 3) and (np.abs(typicalities.sum(axis=1) - 1) > 0.01).any()
    possibilistic = PossibilisticCMeans(3, random_state=1).fit(iris)
    np.testing.assert_array_equal(possibilistic.typicalities(iris), possibilistic.memberships(iris))
    with pytest.raises(ValueError, match="typicalities"):
        hard.typicalities(iris)
    with pytest.raises(ValueError, match="unknown `variant` `soft`; expected fcm, hard, noise or pfcm"):
        FuzzyCMeans(3, variant="soft").fit(iris)
    with pytest.raises(ValueError, match="`noise_distance` is -1"):
        FuzzyCMeans(3, variant="noise", noise_distance=-1).fit(iris)


def test_single_precision_stays_single(iris):
    single = FuzzyCMeans(3, random_state=1).fit(iris.astype(np.float32))
    double = FuzzyCMeans(3, random_state=1).fit(iris)
    assert single.memberships(iris.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(single.cluster_centers_, double.cluster_centers_, rtol=1e-3)


def test_other_layouts_give_the_same_result(iris):
    expected = FuzzyCMeans(3, random_state=1).fit(iris).cluster_centers_
    for X in [np.asfortranarray(iris), iris[:, :].tolist(), np.repeat(iris, 2, axis=1)[:, ::2]]:
        np.testing.assert_array_equal(FuzzyCMeans(3, random_state=1).fit(X).cluster_centers_, expected)


def test_weights_count_rows(iris):
    weights = np.random.default_rng(0).integers(0, 4, len(iris))
    init = iris[[0, 60, 120]]
    weighted = FuzzyCMeans(3, init=init, tol=1e-12).fit(iris, sample_weight=weights)
    repeated = FuzzyCMeans(3, init=init, tol=1e-12).fit(iris.repeat(weights, axis=0))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, rtol=1e-8)


def test_batches_approach_the_whole(iris):
    order = np.random.default_rng(0).permutation(len(iris))
    model = FuzzyCMeans(3, random_state=1)
    for batch in np.array_split(iris[order], 5):
        model.partial_fit(batch)
    whole = FuzzyCMeans(3, random_state=1).fit(iris)
    distances = np.linalg.norm(model.cluster_centers_[:, None] - whole.cluster_centers_, axis=2)
    assert distances.min(axis=1).max() < 0.2


def test_data_frames(iris):
    X = pd.DataFrame(iris, columns=["a", "b", "c", "d"])
    model = FuzzyCMeans(3, random_state=1).set_output(transform="pandas").fit(X)
    assert list(model.feature_names_in_) == ["a", "b", "c", "d"]
    memberships = model.transform(X)
    assert isinstance(memberships, pd.DataFrame) and list(memberships.columns) == list(model.get_feature_names_out())
    assert '"a"' in model.to_json()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_empty_and_missing_input(estimator, iris):
    with pytest.raises(ValueError, match="0 sample"):
        estimator(3).fit(np.empty((0, 4)))
    missing = iris.copy()
    missing[3, 1] = np.nan
    hint = 'use `missing="partial"`' if estimator in (FuzzyCMeans, PossibilisticCMeans) else "fill in or drop the missing values"
    with pytest.raises(ValueError, match=f"NaN; {hint}"):
        estimator(3).fit(missing)
    model = estimator(3, random_state=1).fit(iris)
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(np.empty((0, 4)))
    with pytest.raises(ValueError, match=f"NaN; {hint}"):
        model.memberships(missing)


def test_missing_values_can_be_ignored(iris):
    missing = iris.copy()
    missing[::7, 1] = np.nan
    model = FuzzyCMeans(3, missing="partial", random_state=1).fit(missing)
    assert np.isfinite(model.cluster_centers_).all() and np.isfinite(model.memberships(missing)).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "`n_clusters` is 0"),
        ({"n_clusters": 2.5}, "`n_clusters` is 2.5, but it must be a positive integer"),
        ({"n_clusters": 151}, "n_samples=150 should be >= n_clusters=151"),
        ({"fuzzifier": 1.0}, "`fuzzifier` is 1"),
        ({"tol": -1.0}, "`tol` is -1"),
        ({"metric": "cosine"}, "unknown `metric` `cosine`; expected euclidean, diagonal or mahalanobis"),
        ({"init": "kmeans"}, "unknown `init` `kmeans`"),
        ({"init": np.zeros((2, 2))}, r"`init` has the shape \(2, 2\)"),
        ({"device": "gpu"}, "unknown device `gpu`"),
    ],
)
def test_invalid_parameters(parameters, message, iris):
    with pytest.raises(ValueError, match=message):
        FuzzyCMeans(**{"n_clusters": 3, **parameters}).fit(iris)


def test_types_of_parameters_and_data(iris):
    with pytest.raises(TypeError, match='`device` is None, but it must be a text, such as "cpu"'):
        FuzzyCMeans(3, device=None).fit(iris)
    dates = pd.DataFrame({"a": iris[:, 0], "when": pd.date_range("2024-01-01", periods=150)})
    with pytest.raises(ValueError, match="column `when` contains dates, but numbers are needed; convert them"):
        FuzzyCMeans(3).fit(dates)
    with pytest.raises(ValueError, match="the array contains dates"):
        FuzzyCMeans(3).fit(dates[["when"]].to_numpy())
    with pytest.raises(ValueError, match="column `when` contains dates"):
        FuzzyCMeans(3).fit(pl.DataFrame({"when": dates["when"].to_numpy()}))


def test_warnings(iris):
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 iterations"):
        FuzzyCMeans(3, max_iter=1).fit(iris)
    with pytest.warns(ConvergenceWarning, match="the centers of cluster 0 and cluster 1 coincide"):  # as in `labels_`
        FuzzyCMeans(2).fit(np.full((10, 2), 7.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FuzzyCMeans(3, random_state=0).fit(iris)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_pickles_in_another_process(iris, tmp_path):
    models = [estimator(3, random_state=1).fit(iris) for estimator in ESTIMATORS]
    path = tmp_path / "models.pickle"
    path.write_bytes(pickle.dumps(models))
    code = (
        "import pickle, sys; from sklearn.datasets import load_iris;"
        f"models = pickle.load(open({str(path)!r}, 'rb'));"
        "[sys.stdout.buffer.write(model.memberships(load_iris().data).tobytes()) for model in models]"
    )
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout
    assert output == b"".join(model.memberships(iris).tobytes() for model in models)


def test_model_selection(iris):
    pipeline = make_pipeline(StandardScaler(), FuzzyCMeans(random_state=1))
    search = GridSearchCV(pipeline, {"fuzzycmeans__n_clusters": [2, 3]}, cv=2, n_jobs=2).fit(iris)
    assert search.best_params_ == {"fuzzycmeans__n_clusters": 3}
    assert search.predict(iris).shape == (150,)
    assert (cross_val_score(FuzzyCMeans(3, random_state=1), iris, cv=2) < 0).all()


def command_line(folder, *arguments):
    subprocess.run([sys.executable, "-m", "fuzzion", *arguments], cwd=folder, check=True, capture_output=True)


def test_the_command_line_applies_models(iris, tmp_path):
    X = pd.DataFrame(iris, columns=["a", "b", "c", "d"])
    X.to_csv(tmp_path / "iris.csv", index=False)
    model = FuzzyCMeans(3, random_state=1).fit(X)
    model.save(tmp_path / "model.json")
    command_line(tmp_path, "cluster", "--apply", "model.json", "iris.csv", "--labels", "labels.csv")
    labels = pd.read_csv(tmp_path / "labels.csv").iloc[:, -1].to_numpy()
    np.testing.assert_array_equal(labels - labels.min(), model.labels_ - model.labels_.min())


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_saved_models(estimator, iris, tmp_path):
    model = estimator(3, random_state=1, init=iris[[0, 60, 120]]).fit(pd.DataFrame(iris, columns=["a", "b", "c", "d"]))
    model.save(tmp_path / "model.json")
    loaded = estimator.load(tmp_path / "model.json")
    X = pd.DataFrame(iris, columns=["a", "b", "c", "d"])
    np.testing.assert_array_equal(loaded.memberships(X), model.memberships(X))
    assert loaded.n_iter_ == model.n_iter_ and loaded.n_features_in_ == 4 and loaded.random_state == 1
    with pytest.raises(ValueError, match=rf"use `{estimator.__name__}\.load`"):
        next(other for other in ESTIMATORS if other is not estimator).load(tmp_path / "model.json")


def test_models_of_the_command_line(iris, tmp_path):
    np.save(tmp_path / "iris.npy", iris)
    command_line(tmp_path, "cluster", "iris.npy", "--clusters", "3", "--seed", "5", "--model", "model.json")
    loaded = FuzzyCMeans.load(tmp_path / "model.json")
    assert loaded.n_clusters == 3 and not hasattr(loaded, "feature_names_in_")
    model = FuzzyCMeans(3, random_state=5).fit(iris)
    np.testing.assert_allclose(loaded.memberships(iris), model.memberships(iris), atol=1e-4)


def test_version():
    assert fuzzion.__version__.count(".") == 2
