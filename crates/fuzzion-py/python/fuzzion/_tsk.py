"""Takagi-Sugeno-Kang systems learned from data, with the interface of scikit-learn."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from . import _fuzzion
from ._device import open_device
from ._documented import documented
from ._intervals import IntervalRegressor, SetClassifier
from ._learner import RuleLearner, Targets
from ._progress import progress_bar
from ._rule_reports import RuleReports
from ._system import System
from ._validation import choice, integer, real, renamed_settings, seed_of, valid_weights

# Names of the settings in messages of the library, and the names of the parameters.
_NAMES = {
    "rules": "n_rules",
    "max_rules": "n_rules",
    "iterations": "max_iter",
    "rate": "learning_rate",
    "validation": "validation_fraction",
    "patience": "n_iter_no_change",
    "ridge": "alpha",
    "resamples": "n_resamples",
}
_COMMON = """
    init : {"fcm", "gk", "subtractive", "grid", "tree"} or System, optional
        Initial rules; "grid" if only `n_sets` is given, "fcm" if only `n_rules` is given: one per cluster of fuzzy c-means, Gustafson-Kessel or subtractive clustering; one per combination of the
        sets of a uniform grid, for few inputs; or the rules of a Takagi-Sugeno system, whose input names are the features.
        With "tree", a sparse rule base with conditions on few inputs: cross-validation, whose folds depend on
        `random_state`, chooses the number of rules up to `n_rules` (10 is a good maximum), and predictions are bounded to
        the range of the target. Its sets are trapezoids, which
        are not tuned further: only `n_rules`, `max_conditions`, `order` (0 or 1), `validation_fraction`, `missing` and
        `random_state` apply.
    max_conditions : int, default=3
        Maximum number of conditions in a rule with ``init="tree"``.
    n_sets : int or list of int, optional
        Number of sets of each input with ``init="grid"`` (by default 3), or one number per input.
    radius : float, default=0.5
        Radius of subtractive clustering relative to the ranges of the inputs, in (0, 1]; a smaller radius gives more rules.
    form : {"gaussian", "two-sided", "bell", "triangle"}, default="gaussian"
        Form of the sets; triangles are only supported with ``max_iter=0``.
    order : int, default=1
        Degree of the polynomials in the consequents: 0 (constants), 1 (linear functions) or more.
    tied : bool, default=True
        Whether rules share their sets, which is easier to read; otherwise, each rule has its own sets, which fits better.
    readable : bool, default=False
        Whether the sets of each input stay ordered and overlapping; requires ``init="grid"`` or a system.
    solver : {"hybrid", "gradient", "lm", "rls"}, default="hybrid"
        Least squares for the consequents alternating with gradient steps for the sets; gradient steps for all parameters;
        Levenberg-Marquardt, for small problems; or recursive least squares in one pass over the rows.
    optimizer : {"adam", "jang", "plain"}, default="adam"
        Rule of the gradient steps.
    learning_rate : float, optional
        Defaults to a rate for the optimizer.
    forgetting : float, default=1.0
        Forgetting factor of recursive least squares, in (0, 1].
    alpha : float, None or "auto", default="auto"
        Ridge regularization of the consequents, relative to the data. Smaller values fit functions without noise better. With None,
        they are shrunk towards the linear model as much as generalized cross-validation recommends, so that rules with few rows do
        not predict arbitrary values. "auto" is 1e-3 for given rules, and None for rules chosen by cross-validation.
    max_iter : int, default=100
        Maximum number of iterations; 0 for least squares without changing the sets.
    validation_fraction : float, default=0.0
        Fraction of the rows held out for early stopping.
    n_iter_no_change : int, default=20
        Number of iterations without a lower validation error before training stops.
    missing : {"error", "drop"}, default="error"
        Whether NaN is an error, or missing inputs are omitted from the firing strengths.
    auto : bool, optional
        Whether to choose the rules, the order, the learning rate and the number of iterations (up to `max_iter`) by
        cross-validation, instead of the parameters. By default, if none of `n_rules`, `init` and `n_sets` is given.
    budget : float, default=20.0
        Time limit of the trials of `auto` in seconds.
    intervals : bool, optional
        Whether to calibrate prediction intervals (:meth:`TskRegressor.predict_interval`) or prediction sets
        (:meth:`TskClassifier.predict_set`) with the training rows in five folds, which takes five more fits of at most 20,000
        rows, or with the rows of `validation_fraction`, if they do not choose the number of iterations. By default with
        ``init="tree"``, whose cross-validation provides the folds, and with `auto`.
    random_state : int, RandomState or None, default=None
        An integer is the seed of the command line.
    words : dict, optional
        Names for the sets of inputs, in ascending order of the sets, such as ``{"income": ["low", "middle", "high"]}``.
    device : str, default="cpu"
        "cpu", "cuda", "cuda:N", "cuda:N,M" (several GPUs), "cuda:all" or "best" (a GPU if the problem is large enough).
    verbose : bool, default=False
        Whether to show a progress bar.

    Attributes
    ----------
    system_ : System
        The learned rules, in the units of the data. Columns with the same value in all rows are not inputs.
    n_rules_ : int
    n_iter_ : int
        Number of iterations, at least 1.
    loss_history_ : array
        Training loss of the least-squares solution and after each iteration, in scaled targets.
    validation_history_ : array
        Root mean squared validation error, only with a `validation_fraction`.
    trials_ : list of dict
        Results of the cross-validation, only with `auto`.
    path_ : list of dict
        Size and cross-validation error of each number of rules, only if the rules are a tree.
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only if X has column names.
"""


class TskLearner(RuleReports, RuleLearner):
    """Methods of both estimators."""

    _model_type = _fuzzion.TunedSystem
    _setting_names = _NAMES

    def __init__(
        self,
        n_rules: int | None = None,
        *,
        init: Any = None,
        max_conditions: int = 3,
        n_sets: Any = None,
        radius: float = 0.5,
        form: str = "gaussian",
        order: int = 1,
        tied: bool = True,
        readable: bool = False,
        solver: str = "hybrid",
        optimizer: str = "adam",
        learning_rate: float | None = None,
        forgetting: float = 1.0,
        alpha: Any = "auto",
        max_iter: int = 100,
        validation_fraction: float = 0.0,
        n_iter_no_change: int = 20,
        missing: str = "error",
        auto: bool | None = None,
        budget: float = 20.0,
        intervals: bool | None = None,
        random_state: Any = None,
        words: Any = None,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.n_rules = n_rules
        self.init = init
        self.max_conditions = max_conditions
        self.n_sets = n_sets
        self.radius = radius
        self.form = form
        self.order = order
        self.tied = tied
        self.readable = readable
        self.solver = solver
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.forgetting = forgetting
        self.alpha = alpha
        self.max_iter = max_iter
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.missing = missing
        self.auto = auto
        self.budget = budget
        self.intervals = intervals
        self.random_state = random_state
        self.words = words
        self.device = device
        self.verbose = verbose

    def _settings(self) -> dict[str, Any]:
        """The library's settings, without the rules and the inputs."""
        methods = {name: name for name in ("hybrid", "gradient", "lm")}
        methods["rls"] = {"rls": real("forgetting", self.forgetting)}
        return {
            "form": choice("form", self.form, {name: name for name in ("gaussian", "two-sided", "bell", "triangle")}),
            "order": integer("order", self.order),
            "untied": not self.tied,
            "readable": bool(self.readable),
            "method": choice("solver", self.solver, methods),
            "step": choice("optimizer", self.optimizer, {name: name for name in ("adam", "jang", "plain")}),
            "rate": None if self.learning_rate is None else real("learning_rate", self.learning_rate),
            "ridge": self._ridge(),
            "iterations": integer("max_iter", self.max_iter),
            "validation": real("validation_fraction", self.validation_fraction),
            "patience": integer("n_iter_no_change", self.n_iter_no_change),
            "missing": choice("missing", self.missing, {"error": "error", "drop": "drop"}),
            "bounded": self._source() in ("tree", "auto"),
            "budget": real("budget", self.budget),
            "intervals": self._calibrates(),
            "seed": seed_of(self.random_state),
        }

    def _source(self) -> str:
        """The source of the initial rules: `init` or "auto", or "system"."""
        if self._is_automatic():
            return "auto"
        if self.init is None:
            return "fcm" if self.n_sets is None else "grid"
        return "system" if isinstance(self.init, System) else self.init

    def _ridge(self) -> float | None:
        if isinstance(self.alpha, str) and self.alpha == "auto":
            return None if self._source() == "auto" else 1e-3
        return None if self.alpha is None else real("alpha", self.alpha)

    def _is_automatic(self) -> bool:
        return self.n_rules is self.init is self.n_sets is None if self.auto is None else bool(self.auto)

    def _calibrates(self) -> bool:
        return self._source() in ("tree", "auto") if self.intervals is None else bool(self.intervals)

    def _initial_rules(self, n_samples: int) -> dict[str, Any]:
        """The initial rules in the library's settings; there are not more clusters than training rows."""
        source = self._source()
        if source == "system":
            return {"system": json.loads(self.init.to_json())}
        if source == "auto":
            return {"grid": [2]}  # not used
        n_rules = (10 if source == "tree" else 3) if self.n_rules is None else integer("n_rules", self.n_rules)
        training = n_samples - round(n_samples * min(self.validation_fraction, 1))
        clusters = min(n_rules, max(training, 1))
        n_sets = 3 if self.n_sets is None else self.n_sets
        sets = [n_sets] if np.ndim(n_sets) == 0 else list(n_sets)
        rules = {
            "fcm": {"fcm": clusters},
            "gk": {"gk": clusters},
            "subtractive": {"subtractive": real("radius", self.radius)},
            "grid": {"grid": [integer("n_sets", count) for count in sets]},
            "tree": {
                "tree": {
                    "max_rules": n_rules,
                    "max_conditions": integer("max_conditions", self.max_conditions),
                }
            },
        }
        return choice("init", source, rules)

    def _all_settings(self, rows: np.ndarray, weights: np.ndarray | None, **settings: Any) -> str:
        """The library's settings as JSON."""
        settings = {**self._settings(), **settings}
        settings["initial_rules"] = self._initial_rules(len(rows) if weights is None else np.count_nonzero(weights))
        if not isinstance(self.init, System):
            settings["inputs"] = self._inputs(rows, weights)
        return json.dumps(settings)

    def _target_settings(self) -> dict[str, Any]:
        """The library's settings for the targets."""
        return {}

    def _fit(self, rows: np.ndarray, target_names: list[str], targets: Targets, sample_weight: Any) -> Any:
        weights = valid_weights(sample_weight, rows)
        settings = self._all_settings(rows, weights, **self._target_settings())
        if not isinstance(self.words, Mapping | None):
            raise TypeError('`words` must be a dictionary from inputs to lists of names, such as {"income": ["low", "high"]}')
        with renamed_settings(_NAMES), progress_bar(self.verbose, type(self).__name__) as progress:
            model = _fuzzion.fit_tuner(
                settings,
                self._names(),
                rows,
                target_names,
                targets,
                open_device(self.device),
                weights=weights,
                auto=self._source() == "auto",
                progress=progress,
            )
        for name, words in (self.words or {}).items():
            model = model.with_words(str(name), [str(word) for word in words])
        self._set_results(model)
        self._warn(model)
        return self


@documented(_COMMON)
class TskRegressor(IntervalRegressor, TskLearner):
    """Regression with a Takagi-Sugeno-Kang system: readable rules whose consequents are functions of the inputs, learned by
    least squares and gradient descent (ANFIS).

    Parameters
    ----------
    n_rules : int, optional
        Number of rules with ``init="fcm"`` or ``"gk"`` (by default 3); maximum number with ``init="tree"`` (by default 10).
    {common}

    Examples
    --------
    >>> import numpy as np
    >>> from fuzzion import TskRegressor
    >>> X = np.linspace(-3, 3, 100)[:, None]
    >>> model = TskRegressor(n_rules=3, random_state=0).fit(X, np.sin(X.ravel()))
    >>> bool(model.score(X, np.sin(X.ravel())) > 0.99)
    True
    >>> model.system_
    <System 'tuned', c1 → y, 3 rules>
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learns the rules.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        y : array of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        return self._fit(*self._training_data(X, y, reset=True), sample_weight)

    def _start_distributed(self, features: Any, targets: Any, device: _fuzzion.Device) -> _fuzzion.DistributedTuning:
        """Starts a fit of distributed rows; features and targets are numbers or names."""
        if self.auto:
            raise ValueError("`auto` is not supported for distributed rows; choose the parameters with a sample of the rows")
        if self.words:
            raise ValueError("`words` is not supported for distributed rows; remove it")
        # All rows are not in one process, so that rules cannot be chosen by cross-validation.
        learner = clone(self).set_params(auto=False)
        settings = {**learner._settings(), "initial_rules": learner._initial_rules(sys.maxsize)}
        named = not isinstance(features, int)
        self.n_features_in_ = len(features) if named else features
        self.__dict__.pop("feature_names_in_", None)
        if named:
            self.feature_names_in_ = np.array(features, dtype=object)
        self._flat = targets == 1
        count, names = (targets, []) if isinstance(targets, int) else (len(targets), list(targets))
        names = self._unused_names(names, count)
        with renamed_settings(_NAMES):
            return _fuzzion.DistributedTuning(json.dumps(settings), self._names(), names, device)


@documented(_COMMON)
class TskClassifier(SetClassifier, TskLearner):
    """Classification with a Takagi-Sugeno-Kang system, which has one output per class, in the order of `classes_`.

    The predicted class is the one with the largest output. With ``loss="log_loss"``, the probabilities are the softmax of the
    outputs: exp(yₖ) / Σ exp(yⱼ). With ``loss="squared_error"``, they are the outputs, limited to the range from 0 to 1 and
    divided by their sum.

    Parameters
    ----------
    n_rules : int, optional
        Number of rules with ``init="fcm"`` or ``"gk"`` (by default 3); maximum number with ``init="tree"`` (by default 10).
    loss : {"log_loss", "squared_error"}, default="log_loss"
        Cross-entropy of the softmax of the outputs, or least squares with the targets 0 and 1. The solvers "lm" and "rls"
        require "squared_error".
    {common}
    classes_ : array of shape (n_classes,)

    Examples
    --------
    >>> from fuzzion import TskClassifier
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> model = TskClassifier(n_rules=2, random_state=0).fit(X, y)
    >>> model.predict([[0.5], [9.5]]).tolist()
    ['low', 'high']
    """

    def __init__(
        self,
        n_rules: int | None = None,
        *,
        loss: str = "log_loss",
        init: Any = None,
        max_conditions: int = 3,
        n_sets: Any = None,
        radius: float = 0.5,
        form: str = "gaussian",
        order: int = 1,
        tied: bool = True,
        readable: bool = False,
        solver: str = "hybrid",
        optimizer: str = "adam",
        learning_rate: float | None = None,
        forgetting: float = 1.0,
        alpha: Any = "auto",
        max_iter: int = 100,
        validation_fraction: float = 0.0,
        n_iter_no_change: int = 20,
        missing: str = "error",
        auto: bool | None = None,
        budget: float = 20.0,
        intervals: bool | None = None,
        random_state: Any = None,
        words: Any = None,
        device: str = "cpu",
        verbose: bool = False,
    ):
        super().__init__(
            n_rules,
            init=init,
            max_conditions=max_conditions,
            n_sets=n_sets,
            radius=radius,
            form=form,
            order=order,
            tied=tied,
            readable=readable,
            solver=solver,
            optimizer=optimizer,
            learning_rate=learning_rate,
            forgetting=forgetting,
            alpha=alpha,
            max_iter=max_iter,
            validation_fraction=validation_fraction,
            n_iter_no_change=n_iter_no_change,
            missing=missing,
            auto=auto,
            budget=budget,
            intervals=intervals,
            random_state=random_state,
            words=words,
            device=device,
            verbose=verbose,
        )
        self.loss = loss

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learns the rules.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Classes: numbers or texts.
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        classify = self._classify()
        data = self._training_data(X, y, reset=True)
        self._fit(*data, sample_weight)
        self._softmax = classify == "cross-entropy"
        return self

    def _target_settings(self) -> dict[str, Any]:
        return {"classify": self._classify(), "classes": self._class_names()}

    def _has_softmax(self, file: dict[str, Any]) -> bool:
        return file["softmax"]
