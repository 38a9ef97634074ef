"""Estimators of learned rules."""

import pickle
import re
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from fuzzion import SonfinClassifier, SonfinRegressor, System, TskClassifier, TskRegressor
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

REGRESSORS = [TskRegressor(n_rules=3, random_state=1), SonfinRegressor(n_rules=20, random_state=1)]
CLASSIFIERS = [TskClassifier(n_rules=3, random_state=1), SonfinClassifier(n_rules=20, random_state=1)]
NAMES = ["a", "b", "c", "d"]


def by_name(estimator):
    return type(estimator).__name__


@pytest.fixture
def waves():
    """Inputs and targets of a smooth function."""
    X = np.random.default_rng(0).uniform(-2, 2, (300, 2))
    return X, np.sin(2 * X[:, 0]) + X[:, 0] * X[:, 1]


def evaluate(fll, X):
    """The outputs of a system of Gaussian sets and linear or constant consequents, computed from its text."""
    blocks = re.split(r"\n(?=\S)", fll)
    inputs, outputs, rules = [], [], []
    for block in blocks:
        kind, _, name = block.split("\n")[0].partition(":")
        terms = {term[0]: term[1:] for term in (line.split() for line in re.findall(r"term: (.*)", block))}
        if kind == "InputVariable":
            inputs.append((name.strip(), terms))
        elif kind == "OutputVariable":
            outputs.append((name.strip(), terms))
        elif kind == "RuleBlock":
            rules = re.findall(r"rule: if (.*) then (.*)", block)
    positions = {name: i for i, (name, _) in enumerate(inputs)}
    strengths, values = [], []
    for antecedent, consequent in rules:
        strength = np.ones(len(X))
        for condition in antecedent.split(" and "):
            name, set_name = condition.split(" is ")
            kind, center, width = inputs[positions[name]][1][set_name]
            assert kind == "Gaussian"
            strength *= np.exp(-0.5 * ((X[:, positions[name]] - float(center)) / float(width)) ** 2)
        strengths.append(strength)
        row = []
        for conclusion, (_, terms) in zip(consequent.split(" and "), outputs, strict=True):
            kind, *numbers = terms[conclusion.split(" is ")[1]]
            numbers = np.array(numbers, dtype=float)
            assert kind in ("Linear", "Constant")
            row.append(X @ numbers[:-1] + numbers[-1] if kind == "Linear" else np.full(len(X), numbers[0]))
        values.append(np.column_stack(row))
    strengths, values = np.array(strengths), np.array(values)  # rules × rows, rules × rows × outputs
    return (strengths[:, :, None] * values).sum(axis=0) / strengths.sum(axis=0)[:, None]


@pytest.mark.parametrize("order", [0, 1])
def test_tsk_predictions_are_those_of_the_rules(order, waves):
    X, y = waves
    model = TskRegressor(n_rules=5, order=order, random_state=1).fit(X, y)
    assert isinstance(model.system_, System) and model.n_rules_ == len(model.system_.rules) == 5
    np.testing.assert_allclose(model.predict(X), evaluate(model.system_.to_fll(), X).ravel(), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.predict(X), model.system_.infer(X).ravel(), rtol=1e-9, atol=1e-9)


def test_sonfin_predictions_are_those_of_the_rules(waves):
    X, y = waves
    model = SonfinRegressor(n_rules=30, random_state=1).fit(X, y)
    assert 10 < model.n_rules_ <= 30
    np.testing.assert_allclose(model.predict(X), evaluate(model.system_.to_fll(), X).ravel(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=by_name)
@pytest.mark.parametrize("loss", ["log_loss", "squared_error"])
def test_probabilities_are_those_of_the_rules(estimator, loss):
    X, y = load_iris(return_X_y=True)
    y = np.array(["Z-setosa", "versicolor", "A-virginica"])[y]  # not in the order of the rows
    model = clone(estimator).set_params(loss=loss).fit(X, y)
    assert model.classes_.tolist() == ["A-virginica", "Z-setosa", "versicolor"]
    outputs = evaluate(model.system_.to_fll(), X)
    outputs = outputs[:, [model._model.classes.index(name) for name in model.classes_]]
    if loss == "log_loss":
        expected = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    else:
        expected = outputs.clip(1e-12, 1)
    expected /= expected.sum(axis=1, keepdims=True)
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities, expected, rtol=2e-4, atol=2e-4)
    np.testing.assert_array_equal(model.predict(X), model.classes_[probabilities.argmax(axis=1)])
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize("estimator", REGRESSORS, ids=by_name)
def test_several_targets(estimator, waves):
    X, y = waves
    targets = pd.DataFrame({"first": y, "second": X[:, 0] - y})
    model = clone(estimator).fit(X, targets)
    assert model.system_.outputs == ["first", "second"]
    assert model.predict(X).shape == (300, 2)
    assert model.score(X, targets) > 0.9
    assert clone(estimator).fit(X, y[:, None]).predict(X).shape == (300, 1)


def test_weights_count_rows(waves):
    X, y = waves
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    estimator = TskRegressor(init="grid", n_sets=2, max_iter=20)
    weighted = clone(estimator).fit(X, y, sample_weight=weights)
    repeated = clone(estimator).fit(X.repeat(weights, axis=0), y.repeat(weights))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-5, atol=1e-5)
    different = clone(estimator).fit(X, y)
    assert np.abs(weighted.predict(X) - different.predict(X)).max() > 1e-3


def run(tmp_path, *arguments):
    subprocess.run([sys.executable, "-m", "fuzzion", *arguments], cwd=tmp_path, check=True, capture_output=True)


def test_tsk_agrees_with_the_command_line(waves, tmp_path):
    X, y = waves
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y})
    table.to_csv(tmp_path / "waves.csv", index=False)
    options = "--rules 4 --seed 7 --iterations 30 --ridge 1e-6 --form bell --untied"
    run(tmp_path, "tune", "waves.csv", "--target", "y", *options.split(), "--model", "waves.fll")
    run(tmp_path, "infer", "waves.fll", "--data", "waves.csv", "--out", "out.csv")
    expected = pd.read_csv(tmp_path / "out.csv").iloc[:, -1].to_numpy()
    model = TskRegressor(n_rules=4, random_state=7, max_iter=30, form="bell", tied=False, alpha=1e-6)
    model.fit(table[["a", "b"]], table["y"])
    np.testing.assert_allclose(model.predict(table[["a", "b"]]), expected, rtol=1e-9, atol=1e-9)
    model.system_.save(tmp_path / "python.fll")
    run(tmp_path, "infer", "python.fll", "--data", "waves.csv", "--out", "python.csv")
    np.testing.assert_allclose(pd.read_csv(tmp_path / "python.csv").iloc[:, -1], expected, rtol=1e-9, atol=1e-9)


def test_sonfin_agrees_with_the_command_line(tmp_path):
    X, y = load_iris(return_X_y=True)
    kinds = np.array(["setosa", "versicolor", "virginica"])[y]
    table = pd.DataFrame(X, columns=NAMES)
    table.assign(kind=kinds).to_csv(tmp_path / "iris.csv", index=False)
    options = "--classify=cross-entropy --rules 15 --epochs 5 --seed 3"
    run(tmp_path, "sonfin", "fit", "iris.csv", "--target", "kind", *options.split(), "--model", "model.json")
    loaded = SonfinClassifier.load(tmp_path / "model.json")
    model = SonfinClassifier(n_rules=15, max_iter=5, random_state=3).fit(table, pd.Series(kinds, name="kind"))
    assert list(loaded.feature_names_in_) == NAMES and loaded.classes_.tolist() == model.classes_.tolist()
    np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))
    np.testing.assert_array_equal(loaded.loss_history_, model.loss_history_)
    model.save(tmp_path / "python.json")
    run(tmp_path, "sonfin", "predict", "python.json", "iris.csv", "--out", "labels.csv")
    assert pd.read_csv(tmp_path / "labels.csv")["label"].tolist() == model.predict(table).tolist()


def test_accuracy_beside_scikit_learn():
    for load in (load_iris, load_wine):
        X, y = load(return_X_y=True)
        linear = cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), X, y).mean()
        for estimator in CLASSIFIERS:
            accuracy = cross_val_score(estimator, X, y).mean()
            assert accuracy > linear - 0.06, (load.__name__, estimator, accuracy, linear)
    X, y = load_diabetes(return_X_y=True)
    linear = cross_val_score(LinearRegression(), X, y).mean()
    assert cross_val_score(TskRegressor(validation_fraction=0.1, random_state=0), X, y).mean() > linear - 0.1


def test_streams():
    X, y = load_iris(return_X_y=True)  # sorted by class: the first rows contain one class
    model = SonfinClassifier(gamma=0.3, random_state=0)
    with pytest.raises(ValueError, match="classes must be passed"):
        model.partial_fit(X[:50], y[:50])
    for batch in np.array_split(np.arange(150), 6):
        model.partial_fit(X[batch], y[batch], classes=[0, 1, 2])
    for batch in np.array_split(np.random.default_rng(0).permutation(150), 6):
        model.partial_fit(X[batch], y[batch])
    assert model.score(X, y) > 0.9
    with pytest.raises(ValueError, match="y contains the class 3"):
        model.partial_fit(X[:2], [0, 3])
    with pytest.raises(ValueError, match="`classes`"):
        model.partial_fit(X[:2], y[:2], classes=[0, 1])
    with pytest.raises(ValueError, match="Adam"):
        SonfinClassifier(solver="adam").partial_fit(X, y, classes=[0, 1, 2])
    whole = SonfinRegressor(gamma=0.5, random_state=0).partial_fit(X[:, :3], X[:, 3])
    parts = SonfinRegressor(gamma=0.5, random_state=0).partial_fit(X[:, :3], X[:, 3])
    whole.partial_fit(X[:100, :3], X[:100, 3])
    parts.partial_fit(X[:40, :3], X[:40, 3]).partial_fit(X[40:100, :3], X[40:100, 3])
    np.testing.assert_array_equal(whole.predict(X[:, :3]), parts.predict(X[:, :3]))


def test_pickles_in_another_process(iris, tmp_path):
    models = [clone(estimator).fit(iris, np.arange(150) // 50) for estimator in REGRESSORS + CLASSIFIERS]
    (tmp_path / "models.pickle").write_bytes(pickle.dumps((models, iris)))
    code = (
        "import pickle, sys; models, X = pickle.load(open('models.pickle', 'rb'));"
        "[sys.stdout.buffer.write(model.predict(X).tobytes()) for model in models]"
    )
    output = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True).stdout
    assert output == b"".join(model.predict(iris).tobytes() for model in models)


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS, ids=by_name)
def test_saved_models(estimator, iris, tmp_path):
    X = pd.DataFrame(iris, columns=NAMES).assign(same=1.0)
    model = clone(estimator).fit(X, np.arange(150) % 2 if "Classifier" in by_name(estimator) else iris[:, 3])
    assert model.system_.inputs == NAMES  # without the constant column
    method = "predict_proba" if hasattr(model, "predict_proba") else "predict"
    model.save(tmp_path / "model.json")
    loaded = type(model).load(tmp_path / "model.json")
    assert loaded.get_params() == model.get_params() and loaded.n_features_in_ == 5
    np.testing.assert_array_equal(getattr(loaded, method)(X), getattr(model, method)(X))
    assert loaded.predict(X).dtype == model.predict(X).dtype
    other = {"Regressor": "Classifier", "Classifier": "Regressor"}
    name = re.sub("Regressor|Classifier", lambda found: other[found[0]], by_name(estimator))
    with pytest.raises(ValueError, match=rf"model\.json.*use `{by_name(estimator)}\.load`"):
        globals()[name].load(tmp_path / "model.json")


def test_wrong_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing"):
        TskRegressor.load(tmp_path / "missing.json")
    (tmp_path / "wrong.json").write_text("{}")
    with pytest.raises(ValueError, match=r"wrong\.json"):
        TskRegressor.load(tmp_path / "wrong.json")
    with pytest.raises(NotFittedError):
        TskRegressor().save(tmp_path / "model.json")
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.json"]


@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=by_name)
def test_outputs_of_the_system_have_the_order_of_the_classes(estimator, iris):
    y = np.repeat(["c", "a", "b"], 50)  # the first row has the last class
    model = clone(estimator).fit(iris, y)
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert [name[-1] for name in model.system_.outputs] == ["a", "b", "c"]
    outputs = model.system_.infer(iris)
    assert (model.classes_[outputs.argmax(1)] == model.predict(iris)).all()
    powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_proba(iris), powers / powers.sum(axis=1, keepdims=True), atol=1e-6)
    assert [name[-1] for name in type(model).from_json(model.to_json()).system_.outputs] == ["a", "b", "c"]


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS, ids=by_name)
def test_empty_and_missing_input(estimator, iris):
    y = np.arange(150) % 2
    missing = iris.copy()
    missing[3, 1] = np.nan
    with pytest.raises(ValueError, match="0 sample"):
        clone(estimator).fit(np.empty((0, 4)), [])
    with pytest.raises(ValueError, match='NaN; use `missing="drop"`'):
        clone(estimator).fit(missing, y)
    with pytest.raises(ValueError, match="Input y contains NaN"):
        clone(estimator).fit(iris, missing[:, 1])
    model = clone(estimator).fit(iris, y)
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(np.empty((0, 4)))
    with pytest.raises(ValueError, match='NaN; use `missing="drop"`'):
        model.predict(missing)
    model = clone(estimator).set_params(missing="drop").fit(missing, y)
    assert np.isfinite(model.predict(missing)).all()


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (TskRegressor(n_rules=0), "`n_rules` is 0"),
        (TskRegressor(max_iter=-1), "`max_iter` is -1, but it must be a positive integer"),
        (TskRegressor(learning_rate=0), "`learning_rate` is 0"),
        (TskRegressor(alpha=-1.0), "`alpha` is -1"),
        (TskRegressor(validation_fraction=2.0), "`validation_fraction` is 2"),
        (TskRegressor(solver="newton"), "unknown `solver` `newton`; expected hybrid, gradient, lm or rls"),
        (TskRegressor(init="kmeans"), "unknown `init` `kmeans`"),
        (TskRegressor(init="grid", n_sets=[2, 2]), "2 set counts were given for 4 inputs"),
        (SonfinRegressor(max_iter=0), "`max_iter` is 0"),
        (SonfinRegressor(gamma=2.0), "`gamma` is 2"),
        (SonfinRegressor(gamma=0.5, threshold=0.5), "exclude each other"),
        (SonfinRegressor(learning_rate=(0.1, 0.2)), "`learning_rate` is"),
        (SonfinRegressor(learning_rate_decay=2.0), "`learning_rate_decay` is 2"),
        (SonfinClassifier(loss="hinge"), "unknown `loss` `hinge`; expected log_loss or squared_error"),
    ],
    ids=lambda value: value if isinstance(value, str) else by_name(value),
)
def test_invalid_parameters(estimator, message, iris):
    with pytest.raises(ValueError, match=message):
        estimator.fit(iris, np.arange(150) % 2)


def houses(seed, n=2000):
    """Prices with an interaction of two inputs; the noise has a standard deviation of 0.25."""
    rng = np.random.default_rng(seed)
    income, rooms, age = np.clip(rng.lognormal(1.2, 0.45, n), 0.5, 15), rng.uniform(2, 9, n), rng.uniform(1, 50, n)
    price = 0.35 * income + 0.15 * rooms + 0.8 * ((income > 5) & (rooms > 6)) - 0.01 * age + rng.normal(0, 0.25, n)
    return pd.DataFrame({"income": income, "rooms": rooms, "age": age}), price


def test_rule_reports_and_words():
    X, y = houses(1)
    words = {"income": ["modest", "rich"]}
    model = TskRegressor(init="grid", n_sets=[2, 1, 1], max_iter=0, random_state=0, words=words).fit(X, y)
    reports = model.rule_reports(X, y, n_resamples=2)
    assert re.match(r"if income is modest and .* then y is about [.\d]+ \(", reports[0]["text"])
    # The firing strengths of Gaussian sets, computed from the exported text.
    mean, deviation = np.array(re.findall(r"term: (?:modest|rich) Gaussian (\S+) (\S+)", model.system_.to_fll()), float).T
    firing = np.exp(-0.5 * ((X["income"].to_numpy()[:, None] - mean) / deviation) ** 2)
    firing /= firing.sum(1)[:, None]
    residuals = model.predict(X) - y
    for report, weight in zip(reports, firing.T, strict=True):
        assert report["support"] == pytest.approx(weight.mean())
        assert report["core"] == pytest.approx(np.average(X, axis=0, weights=weight))
        assert report["rmse"] == pytest.approx(np.sqrt(np.average(residuals**2, weights=weight)))
        assert report["stability"] == 1 and report["accuracy"] is None
        assert weight[report["examples"]].min() >= 0.9 * weight.max()
    with pytest.raises(ValueError, match="the input `income` has 2 sets"):
        clone(model).set_params(words={"income": ["low", "middle", "high"]}).fit(X, y)
    with pytest.raises(TypeError, match="`words` must be a dictionary"):
        clone(model).set_params(words=["low", "high"]).fit(X, y)


def test_rule_reports_of_classifiers():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = TskClassifier(3, random_state=0, max_iter=10).fit(X, names)
    reports = model.rule_reports(X, names)
    assert sorted(re.search(r"then y is (\w+) \(", report["text"])[1] for report in reports) == sorted(set(names))
    assert all(report["accuracy"] > 0.9 for report in reports)


def test_sparse_rule_bases():
    (X, y), (test, test_y) = houses(1), houses(2)
    model = TskRegressor(n_rules=10, init="tree", random_state=0).fit(X, y)
    assert model.n_rules_ <= 6
    assert np.sqrt(np.mean((model.predict(test) - test_y) ** 2)) < 0.275
    (chosen,) = [point for point in model.path_ if point["chosen"]]
    assert chosen["rules"] == model.n_rules_
    assert all(
        re.match(r"if income is \w+.* then price = [-.\d]+ income [-+] ", text.replace("then y", "then price"))
        for text in model.system_.formulas
    )
    assert model.path_[0]["rmse"] > 1.1 * chosen["rmse"]
    # Memberships of words at the quantiles of their inputs, computed from the exported text.
    fll = model.system_.to_fll()
    for name, term, start, end in re.findall(
        r"(?s)InputVariable: (\w+)\n(?:(?!InputVariable).)*?term: (low|high) Ramp (\S+) (\S+)", fll
    ):
        at = np.interp(np.quantile(X[name], [0.05, 0.95]), *zip(*sorted([(float(start), 0), (float(end), 1)]), strict=True))
        assert np.allclose(at, [1, 0] if term == "low" else [0, 1], atol=0.1)
    # Rows far outside the training data have predictions in the range of the prices, also in fuzzylite.
    far = np.array([[1e6, 5.0, 5.0], [-1e6, 5.0, 5.0]])
    assert np.allclose(model.predict(pd.DataFrame(far, columns=X.columns)), [y.max(), y.min()])
    fuzzylite = pytest.importorskip("fuzzylite")
    engine = fuzzylite.FllImporter().from_string(fll)
    for variable, values in zip(engine.input_variables, np.vstack([X.to_numpy()[:200], far]).T, strict=True):
        variable.value = values
    engine.process()
    expected = np.r_[model.predict(X[:200]), y.max(), y.min()]
    assert np.allclose(np.ravel(engine.output_variables[0].value), expected, rtol=0, atol=1e-9)


def test_a_tree_of_a_classifier():
    X, y = load_iris(return_X_y=True)
    model = TskClassifier(6, init="tree", loss="squared_error", random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95
    logistic = TskClassifier(6, init="tree", random_state=0).fit(X, y)
    assert logistic.score(X, y) >= 0.96
    np.testing.assert_allclose(logistic.predict_proba(X).sum(axis=1), 1)


def test_initial_rules(waves):
    X, y = waves
    grid = TskRegressor(init="grid", n_sets=[2, 3], max_iter=5).fit(X, y)
    assert grid.n_rules_ == 6 and grid.n_iter_ == 5 and len(grid.loss_history_) == 6
    assert TskRegressor(init="subtractive", radius=0.3, max_iter=0).fit(X, y).n_rules_ > 6
    assert TskRegressor(3, init="gk", solver="lm", max_iter=5).fit(X, y).n_rules_ == 3
    assert TskRegressor(3, solver="rls").fit(X, y).score(X, y) > 0.5
    again = TskRegressor(init=grid.system_, max_iter=5).fit(X, y)
    assert again.n_rules_ == 6 and again.loss_history_[0] == pytest.approx(grid.loss_history_.min(), rel=1e-3)
    assert TskRegressor(init=System.from_text(grid.system_.to_fll(), "fll"), max_iter=0).fit(X, y).n_rules_ == 6


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS, ids=by_name)
def test_automatic_settings(estimator, iris):
    y = np.arange(150) // 50 if "Classifier" in by_name(estimator) else iris[:, 3]
    model = clone(estimator).set_params(auto=True, max_iter=3, validation_fraction=0.2).fit(iris, y)
    assert sum(trial["chosen"] for trial in model.trials_) == 1
    assert len(model.validation_history_) >= 1
    assert model.score(iris, y) > 0.8
    assert not hasattr(model.set_params(auto=False, validation_fraction=0.0, n_rules=3).fit(iris, y), "trials_")


def test_model_selection(iris):
    y = np.arange(150) // 50
    pipeline = make_pipeline(StandardScaler(), TskClassifier(max_iter=5, random_state=0))
    search = GridSearchCV(pipeline, {"tskclassifier__n_rules": [2, 3]}, cv=3, n_jobs=2).fit(iris, y)
    assert search.best_score_ > 0.9 and search.predict(iris).shape == (150,)
    scores = cross_val_score(SonfinRegressor(n_rules=20, random_state=0), iris[:, :3], iris[:, 3], cv=3, n_jobs=2)
    assert scores.shape == (3,)


def test_results_are_reproducible_and_silent(iris):
    for estimator in CLASSIFIERS + REGRESSORS:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            first = clone(estimator).fit(iris, np.arange(150) // 50)
        assert np.array_equal(first.predict(iris), clone(estimator).fit(iris, np.arange(150) // 50).predict(iris))
