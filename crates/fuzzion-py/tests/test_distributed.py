"""Fits by hand from the statistics of chunks, and the example with processes."""

import itertools
import json
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
from fuzzion import (
    DistributedFit,
    FuzzyCMeans,
    GathGeva,
    GustafsonKessel,
    PossibilisticCMeans,
    TskRegressor,
    merge,
    partial_statistics,
)

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples" / "python"


def blobs(rows=600, columns=3, dtype=np.float64):
    random = np.random.default_rng(5)
    centers = 4 * random.normal(size=(4, columns))
    return (random.normal(size=(rows, columns)) + centers[random.integers(0, 4, rows)]).astype(dtype)


def fit_chunks(model, X, bounds, weights=None, dtype=np.float64):
    """Fits chunks between these rows; states and statistics are pickled as between processes."""
    fit = DistributedFit(model, X.shape[1], dtype=dtype)
    while fit.state is not None:
        state = pickle.dumps(fit.state)
        parts = []
        for i, (first, last) in enumerate(itertools.pairwise(bounds)):
            weight = None if weights is None else weights[first:last]
            part = partial_statistics(X[first:last], pickle.loads(state), i, sample_weight=weight)
            parts.append(pickle.loads(pickle.dumps(part)))
        merged = parts[0]
        for part in parts[1:]:
            merged = merge(merged, part)
        fit.update(merged)
    return fit.finish()


@pytest.mark.parametrize("estimator", [FuzzyCMeans, GustafsonKessel, GathGeva, PossibilisticCMeans])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_distributed_fit_is_the_fit_of_all_rows(estimator, weighted):
    X = blobs()
    weights = np.random.default_rng(1).uniform(0, 2, len(X)) if weighted else None
    whole = estimator(4, random_state=3).fit(X, sample_weight=weights)
    model = fit_chunks(estimator(4, random_state=3), X, [0, 1, 250, 250, 600], weights)
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)
    assert (model.n_iter_, model.converged_) == (whole.n_iter_, whole.converged_)
    for name, value in whole.validity_.items():
        assert model.validity_[name] == pytest.approx(value, rel=1e-9), name
    np.testing.assert_array_equal(model.predict(X), whole.labels_)


def test_plain_steps_match_numpy():
    X, steps = blobs(), 5
    start = X[[0, 10, 20, 30]]
    centers = start
    for _ in range(steps):
        d = ((X[:, None] - centers) ** 2).sum(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = 1 / (d[:, :, None] / d[:, None]).sum(axis=2)
        u[(d == 0).any(axis=1)] = (d == 0)[(d == 0).any(axis=1)]
        centers = (u**2).T @ X / (u**2).sum(axis=0)[:, None]
    model = FuzzyCMeans(4, init=start, accelerate=False, tol=0.0, max_iter=steps)
    with pytest.warns(UserWarning, match="did not converge"):
        fit_chunks(model, X, range(0, 601, 100))
    np.testing.assert_allclose(model.cluster_centers_, centers, rtol=0, atol=1e-10)


def test_single_precision_and_other_types():
    X = blobs(dtype=np.float32)
    whole = FuzzyCMeans(4, random_state=0).fit(X)
    model = fit_chunks(FuzzyCMeans(4, random_state=0), X.astype(np.float64), [0, 300, 600], dtype=np.float32)
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-5)
    assert model.memberships(X).dtype == np.float32


def test_arrays_that_are_not_aligned():
    X = blobs()
    memory = np.empty(X.nbytes + 1, np.uint8)
    shifted = memory[1:].view(np.float64).reshape(X.shape)
    shifted[:] = X
    assert not shifted.flags.aligned
    whole = FuzzyCMeans(4, random_state=0).fit(shifted, sample_weight=shifted[:, 0] ** 2)
    model = fit_chunks(FuzzyCMeans(4, random_state=0), shifted, [0, 300, 600], shifted[:, 0] ** 2)
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)


def test_feature_names():
    X = blobs(columns=2)
    fit = DistributedFit(FuzzyCMeans(2, random_state=0), ["a", "b"])
    while fit.state is not None:
        fit.update(partial_statistics(X, fit.state))
    assert list(fit.finish().feature_names_in_) == ["a", "b"]


def test_wrong_statistics_are_rejected_and_the_fit_continues():
    X = blobs()
    fit = DistributedFit(FuzzyCMeans(4, random_state=0), 3)
    first = fit.state
    statistics = merge(partial_statistics(X[:300], first, 0), partial_statistics(X[300:], first, 1))
    assert statistics.rows == 600
    fit.update(statistics)
    with pytest.raises(ValueError, match="belong to step 0, but the state to step 1"):
        fit.update(statistics)
    with pytest.raises(ValueError, match="300 rows, but the chunks have 600 rows"):
        fit.update(partial_statistics(X[:300], fit.state, 0))
    with pytest.raises(ValueError, match="chunk 5: cannot continue the distributed fit: chunk 5 is new"):
        partial_statistics(X, fit.state, 5)
    while fit.state is not None:
        fit.update(merge(partial_statistics(X[:300], fit.state, 0), partial_statistics(X[300:], fit.state, 1)))
    centers = fit.finish().cluster_centers_
    np.testing.assert_allclose(centers, FuzzyCMeans(4, random_state=0).fit(X).cluster_centers_, atol=1e-10)
    with pytest.raises(RuntimeError, match="already returned"):
        fit.finish()


def test_errors_name_the_parameter_and_the_chunk():
    with pytest.raises(ValueError, match="`n_clusters` is 0"):
        DistributedFit(FuzzyCMeans(0), 3)
    with pytest.raises(ValueError, match=r"`init` has the shape \(600, 4\), but it must be \(4, 3\) \(centers\)$"):
        DistributedFit(FuzzyCMeans(4, init=np.full((600, 4), 0.25)), 3)
    with pytest.raises(ValueError, match="`dtype` is int64"):
        DistributedFit(FuzzyCMeans(2), 3, dtype=np.int64)
    fit = DistributedFit(FuzzyCMeans(700, random_state=0), 3)
    X = blobs()
    with pytest.raises(ValueError, match="chunk 2: the samples are 600 × 2"):
        partial_statistics(X[:, :2], fit.state, 2)
    X[17, 1] = np.nan
    with pytest.raises(ValueError, match=r"chunk 2: row 18, column `c2` is missing"):
        partial_statistics(X, fit.state, 2)
    with pytest.raises(ValueError, match="cannot form 700 clusters from 600 rows"):
        fit.update(partial_statistics(blobs(), fit.state))
    with pytest.raises(ValueError, match="malformed"):
        type(DistributedFit(FuzzyCMeans(2), 3).state).from_bytes(b"fuzzion 0.0\n")


def test_regression_by_hand_matches_numpy():
    random = np.random.default_rng(4)
    X = random.uniform(-2, 2, (300, 2))
    y = np.sin(2 * X[:, 0]) * X[:, 1]
    model = TskRegressor(4, max_iter=0, alpha=0.0, random_state=0)
    fit = DistributedFit(model, 2)
    with pytest.raises(ValueError, match="chunk 0 has no targets"):
        partial_statistics(X, fit.state)
    with pytest.raises(ValueError, match=r"chunk 1 has the shapes \(300, 2\) and \(299, 1\)"):
        partial_statistics(X, fit.state, 1, y=y[1:])
    while fit.state is not None:
        state = pickle.loads(pickle.dumps(fit.state))
        parts = [partial_statistics(X[i : i + 100], state, i, y=y[i : i + 100]) for i in (0, 100, 200)]
        fit.update(pickle.loads(pickle.dumps(merge(merge(parts[0], parts[1]), parts[2]))))
    assert fit.finish() is model and model.n_rules_ == 4
    whole = TskRegressor(4, max_iter=0, alpha=0.0, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.predict(X), whole.predict(X), rtol=0, atol=1e-10)
    # The least-squares solution for the learned Gaussian sets.
    system = json.loads(model.system_.to_json())
    sets = {(v["name"], term["name"]): term["parameters"] for v in system["inputs"] for term in v["sets"]}
    strengths = np.ones((300, 4))
    for k, rule in enumerate(system["blocks"][0]["rules"]):
        for name, term in re.findall(r"(\w+) is (\w+)", rule.split(" then ")[0]):
            mean, deviation = sets[name, term]
            strengths[:, k] *= np.exp(-0.5 * ((X[:, int(name[1:]) - 1] - mean) / deviation) ** 2)
    strengths /= strengths.sum(axis=1, keepdims=True)
    design = np.hstack([strengths, strengths * X[:, :1], strengths * X[:, 1:]])
    expected = design @ np.linalg.lstsq(design, y, rcond=None)[0]
    np.testing.assert_allclose(model.predict(X), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", ["multiprocessing_statistics.py"])
def test_example(name):
    run = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert "largest difference" in run.stdout
