"""Prediction intervals, prediction sets, and rows outside of the training data."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from fuzzion import TskClassifier, TskRegressor
from sklearn.datasets import load_iris


def noisy(rows, seed):
    """Inputs and a linear target with noise that grows with the first input."""
    random = np.random.default_rng(seed)
    X = random.uniform(0, 1, (rows, 3))
    return X, 2 * X[:, 0] - X[:, 1] + (0.1 + X[:, 0]) * random.normal(0, 0.2, rows)


ESTIMATORS = [
    TskRegressor(n_rules=4, init="tree", random_state=0),
    TskRegressor(n_rules=2, max_iter=5, intervals=True, random_state=0),
    TskRegressor(n_rules=2, max_iter=5, intervals=True, validation_fraction=0.3, random_state=0),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=["tree", "folds", "validation"])
def test_intervals_cover_new_rows(estimator):
    covered = []
    for split in range(5):
        model = estimator.fit(*noisy(1000, split))
        X, y = noisy(2000, 100 + split)
        intervals = model.predict_interval(X)
        assert intervals.shape == (2000, 2)
        np.testing.assert_allclose(intervals.mean(axis=1), model.predict(X), atol=1e-9)
        covered.append(np.mean((intervals[:, 0] <= y) & (y <= intervals[:, 1])))
    assert abs(np.mean(covered) - 0.9) < 0.025, covered


def test_widths_are_the_quantiles_of_the_errors_of_validation_rows():
    X, y = noisy(500, 1)
    seed = 3
    model = TskRegressor(n_rules=1, max_iter=0, intervals=True, validation_fraction=0.2, random_state=seed).fit(X, y)
    # A linear model: its errors in the validation rows are those of least squares with the other ones.
    rows = model._model.calibration_rows
    assert rows == 100
    half = [float(np.ptp(model.predict_interval(X[:1], level)[0]) / 2) for level in np.arange(1, 101) / 101]
    errors = np.abs(y - model.predict(X))
    assert np.all(np.diff(half) >= 0)
    for width in half:
        assert np.min(np.abs(errors - width)) < 1e-9  # every half width is the error of a row


def test_several_targets_have_their_own_widths():
    X, y = noisy(400, 2)
    targets = pd.DataFrame({"small": y, "large": 10 * y})
    model = TskRegressor(n_rules=3, init="tree", random_state=0).fit(X, targets)
    intervals = model.predict_interval(X, level=0.8)
    assert intervals.shape == (400, 2, 2)
    small, large = np.ptp(intervals, axis=2)[0]
    assert 8 < large / small < 12


@pytest.mark.parametrize("loss", ["log_loss", "squared_error"])
def test_prediction_sets_contain_the_class(loss):
    X, y = load_iris(return_X_y=True)
    y = np.array(["z", "b", "a"])[y]
    model = TskClassifier(n_rules=3, loss=loss, max_iter=10, intervals=True, random_state=0).fit(X[:, :2], y)
    sets = model.predict_set(X[:, :2], level=0.9)
    assert sets.shape == (150, 3) and sets.dtype == bool
    assert np.all(sets[np.arange(150), np.searchsorted(model.classes_, model.predict(X[:, :2]))])
    covered = sets[np.arange(150), np.searchsorted(model.classes_, y)].mean()
    assert 0.88 < covered < 0.99 and 1 < sets.sum(axis=1).mean() < 2


def test_rows_outside_of_the_data_are_flagged():
    X, y = noisy(200, 3)
    X[:, 1] = 5.0  # not an input
    model = TskRegressor(n_rules=2, random_state=0).fit(X, y)
    assert not model.is_outside(X).any() and not model.outside_range(X).any()
    rows = np.array([[0.5, 5, 0.5], [-1, 5, 0.5], [0.5, 9, 7]])
    assert model.outside_range(rows).tolist() == [[False] * 3, [True, False, False], [False, False, True]]
    assert model.is_outside(rows).tolist() == [False, True, True]


def test_intervals_are_saved_and_the_command_line_reads_them(tmp_path):
    X, y = noisy(300, 4)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = TskRegressor(n_rules=3, init="tree", random_state=0).fit(frame, pd.Series(y, name="y"))
    model.save(tmp_path / "m.json")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    loaded = TskRegressor.load(tmp_path / "m.json")
    np.testing.assert_array_equal(loaded.predict_interval(frame, 0.95), model.predict_interval(frame, 0.95))
    command = [sys.executable, "-m", "fuzzion", "tune", "predict", "m.json", "rows.csv", "--level", "0.95", "--out", "out.csv"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    found = pd.read_csv(tmp_path / "out.csv")
    assert found.columns.tolist() == ["y", "y_lower", "y_upper", "outside"]
    np.testing.assert_allclose(found[["y_lower", "y_upper"]], model.predict_interval(frame, 0.95), atol=1e-9)


def test_unavailable_intervals_are_explained():
    X, y = noisy(60, 5)
    with pytest.raises(ValueError, match="fit it with the setting `intervals`"):
        TskRegressor(n_rules=2).fit(X, y).predict_interval(X)
    model = TskRegressor(n_rules=2, intervals=True).fit(X, y)
    with pytest.raises(ValueError, match=r"a level of 0\.99 needs 99 held-out rows"):
        model.predict_interval(X, level=0.99)
    with pytest.raises(ValueError, match="level"):
        model.predict_interval(X, level=1.5)
    assert TskRegressor(n_rules=2, init="tree", intervals=False).fit(X, y)._model.calibration_rows is None
