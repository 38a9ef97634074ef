"""Self-constructing neural fuzzy inference networks, with the interface of scikit-learn."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _fuzzion
from ._arrays import softmax
from ._device import open_device
from ._documented import documented
from ._learner import RuleClassifier, RuleLearner, RuleRegressor, Targets
from ._progress import progress_bar
from ._validation import choice, integer, real, seed_of, with_parameter_names

# Names of the settings in messages of the library, and the names of the parameters.
_NAMES = {
    "rules": "n_rules",
    "epochs": "max_iter",
    "batch": "batch_size",
    "rate": "learning_rate",
    "rate_w": "learning_rate",
    "rate_m": "learning_rate",
    "rate_s": "learning_rate",
    "rate_decay": "learning_rate_decay",
    "validation": "validation_fraction",
}
_COMMON = """
    gamma : float, optional
        Instead of `n_rules`: minimum width of a new rule relative to the width of the nearest rule, in (0, 1); a smaller value
        gives more rules.
    threshold : float, optional
        Instead of `n_rules`: a row adds a rule if no firing strength exceeds the threshold, in (0, 1).
    threshold_decay : float, default=0.9
        Factor of the threshold after each pass over the rows.
    max_rules : int, default=4096
        Maximum number of rules.
    beta : float, default=0.5
        Width of a new rule relative to its distance from the nearest rule.
    width_rule : {"distance", "log-firing", "thesis"}, default="distance"
        Width of a new rule: by the distance, by the logarithm of the largest firing strength (Juang and Lin 1998) or by the
        squared distance (Tseng 2012).
    solver : {"online", "adam", "thesis"}, default="online"
        Steps after each row, Adam on batches, or plain gradient descent after each row (Tseng 2012).
    learning_rate : float or (float, float, float), optional
        Of the consequents, the centers and the widths, which can only differ for the solver "online". Defaults to 0.3 for
        "online" and 0.01 otherwise.
    learning_rate_decay : float, default=0.93
        Factor of the learning rates after each pass over the rows; Adam has its own schedule.
    batch_size : int, default=64
        Number of rows per step of Adam.
    gates : bool, default=False
        Whether Adam learns a weight for each input.
    dim_scale : bool, default=False
        Whether the logarithm of each firing strength is divided by the number of inputs, for very many inputs.
    max_iter : int, default=30
        Number of passes over the rows.
    validation_fraction : float, default=0.0
        Fraction of the rows held out to select the best pass.
    missing : {"error", "drop"}, default="error"
        Whether NaN is an error, or missing inputs are omitted from the firing strengths.
    auto : bool, default=False
        Whether to choose the number of rules, the solver and its rates by a search on held-out rows, instead of the parameters.
    random_state : int, RandomState or None, default=None
        An integer is the seed of the command line.
    device : str, default="cpu"
        "cpu", "cuda", "cuda:N" or "best" (a GPU if the problem is large enough). A search uses several GPUs.
    verbose : bool, default=False
        Whether to show a progress bar.

    Attributes
    ----------
    system_ : System
        The learned rules, in the units of the data. Columns with the same value in all rows are not inputs.
    n_rules_ : int
    n_iter_ : int
        Number of passes over the rows.
    loss_history_ : array
        Mean loss of each pass, in scaled targets.
    validation_history_ : array
        Error of the validation rows after each pass, only with a `validation_fraction`.
    trials_ : list of dict
        What was tried with its error on held-out rows, only with `auto` or without a number of rules.
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only if X has column names.
"""


class SonfinLearner(RuleLearner):
    """Methods of both estimators."""

    _model_type = _fuzzion.Network

    def __init__(
        self,
        n_rules: int | None = None,
        *,
        gamma: float | None = None,
        threshold: float | None = None,
        threshold_decay: float = 0.9,
        max_rules: int = 4096,
        beta: float = 0.5,
        width_rule: str = "distance",
        solver: str = "online",
        learning_rate: Any = None,
        learning_rate_decay: float = 0.93,
        batch_size: int = 64,
        gates: bool = False,
        dim_scale: bool = False,
        max_iter: int = 30,
        validation_fraction: float = 0.0,
        missing: str = "error",
        auto: bool = False,
        random_state: Any = None,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.n_rules = n_rules
        self.gamma = gamma
        self.threshold = threshold
        self.threshold_decay = threshold_decay
        self.max_rules = max_rules
        self.beta = beta
        self.width_rule = width_rule
        self.solver = solver
        self.learning_rate = learning_rate
        self.learning_rate_decay = learning_rate_decay
        self.batch_size = batch_size
        self.gates = gates
        self.dim_scale = dim_scale
        self.max_iter = max_iter
        self.validation_fraction = validation_fraction
        self.missing = missing
        self.auto = auto
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    def _growth(self) -> dict[str, Any]:
        """The criterion for adding rules in the library's settings."""
        if self.gamma is not None and self.threshold is not None:
            raise ValueError("`gamma` and `threshold` exclude each other; set one of them to None")
        if self.gamma is not None:
            return {"gamma": real("gamma", self.gamma)}
        if self.threshold is not None:
            decay = real("threshold_decay", self.threshold_decay)
            return {"threshold": {"threshold": real("threshold", self.threshold), "decay": decay}}
        if self.n_rules is not None:
            return {"budget": integer("n_rules", self.n_rules)}
        return {"budget": 256} if self.auto or self._is_explicit() else "auto"

    def _is_explicit(self) -> bool:
        """Whether a parameter of the rules or the training is given, so that they are not chosen by cross-validation."""
        return self.learning_rate is not None or self.solver != "online"

    def _settings(self) -> dict[str, Any]:
        """The library's settings, without the inputs."""
        online = self.solver == "online"
        given = (0.3 if online else 0.01) if self.learning_rate is None else self.learning_rate
        rates = [real("learning_rate", rate) for rate in ([given] * 3 if np.ndim(given) == 0 else given)]
        if len(rates) != 3 or not (online or rates[0] == rates[1] == rates[2]):
            raise ValueError(f"`learning_rate` is {given!r}, but it must be one number, or three for the solver `online`")
        batch = integer("batch_size", self.batch_size)
        optimizers = {"online": "online", "adam": {"adam": {"batch": batch, "rate": rates[0]}}, "thesis": {"thesis": rates[0]}}
        return {
            "growth": self._growth(),
            "max_rules": max(
                integer("max_rules", self.max_rules),
                1 if self.auto or self.n_rules is None else integer("n_rules", self.n_rules),
            ),
            "beta": real("beta", self.beta),
            "width_rule": choice("width_rule", self.width_rule, {name: name for name in ("distance", "log-firing", "thesis")}),
            "optimizer": choice("solver", self.solver, optimizers),
            "rate_w": rates[0],
            "rate_m": rates[1],
            "rate_s": rates[2],
            "rate_decay": real("learning_rate_decay", self.learning_rate_decay),
            "gates": bool(self.gates),
            "dim_scale": bool(self.dim_scale),
            "epochs": integer("max_iter", self.max_iter),
            "validation": real("validation_fraction", self.validation_fraction),
            "missing": choice("missing", self.missing, {"error": "error", "drop": "drop"}),
            "seed": seed_of(self.random_state),
        }

    def _fit(self, mode: str, rows: np.ndarray, target_names: list[str], targets: Targets, **settings: Any) -> Any:
        """Fits a network; `mode` is "fit" or "stream"."""
        mode = "auto" if mode == "fit" and self.auto else mode
        try:
            with progress_bar(self.verbose, type(self).__name__) as progress:
                model = _fuzzion.fit_network(
                    json.dumps({**self._settings(), **settings}),
                    self._names(),
                    rows,
                    target_names,
                    targets,
                    open_device(self.device),
                    mode=mode,
                    progress=progress,
                )
        except ValueError as error:
            raise with_parameter_names(error, _NAMES) from None
        self._set_results(model)
        self._warn(model)
        return self

    def _continue(self, rows: np.ndarray, _: list[str], targets: Targets) -> Any:
        """Continues training with more rows."""
        self._set_results(self._model.partial_fit(self._names(), rows, targets, open_device(self.device)))
        return self


@documented(_COMMON)
class SonfinRegressor(RuleRegressor, SonfinLearner):
    """Regression with a self-constructing neural fuzzy inference network (Juang and Lin 1998), which adds rules where it has
    none and learns from one row at a time.

    Parameters
    ----------
    n_rules : int, optional
        Approximate number of rules, which is not exceeded; there are never more rules than rows. By default, the number of rules,
        their training and slopes shared by all rules are chosen by cross-validation, unless another parameter of the rules or
        the training is given (`gamma` … `dim_scale`, `validation_fraction`) or the rows are a stream: then 256 rules.
    {common}

    Examples
    --------
    >>> import numpy as np
    >>> from fuzzion import SonfinRegressor
    >>> X = np.linspace(-3, 3, 100)[:, None]
    >>> model = SonfinRegressor(n_rules=10, random_state=0).fit(X, np.sin(X.ravel()))
    >>> bool(model.score(X, np.sin(X.ravel())) > 0.99)
    True
    """

    def fit(self, X: Any, y: Any) -> Any:
        """Trains the network.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        y : array of shape (n_samples,) or (n_samples, n_targets)

        Returns
        -------
        self
        """
        return self._fit("fit", *self._training_data(X, y, reset=True))

    def partial_fit(self, X: Any, y: Any) -> Any:
        """Trains on the next rows of a stream, once each and in order, and adds rules as needed. The first rows, at least two,
        determine the ranges of the columns. Not for the solver "adam".

        Parameters and result are those of :meth:`fit`.
        """
        if "_model" not in self.__dict__:
            return self._fit("stream", *self._training_data(X, y, reset=True))
        return self._continue(*self._training_data(X, y, reset=False))


@documented(_COMMON)
class SonfinClassifier(RuleClassifier, SonfinLearner):
    """Classification with a self-constructing neural fuzzy inference network (Juang and Lin 1998), which adds rules where it
    has none and learns from one row at a time.

    Parameters
    ----------
    n_rules : int, optional
        Approximate number of rules, which is not exceeded; there are never more rules than rows. By default, the number of rules,
        their training and slopes shared by all rules are chosen by cross-validation, unless another parameter of the rules or
        the training is given (`gamma` … `dim_scale`, `validation_fraction`) or the rows are a stream: then 256 rules.
    loss : {"log_loss", "squared_error"}, default="log_loss"
        Cross-entropy of the softmax of the outputs, or squared errors with the targets 0 and 1.
    {common}
    classes_ : array of shape (n_classes,)

    Examples
    --------
    >>> from fuzzion import SonfinClassifier
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> model = SonfinClassifier(n_rules=2, random_state=0).fit(X, y)
    >>> model.predict([[0.5], [9.5]]).tolist()
    ['low', 'high']
    """

    def __init__(
        self,
        n_rules: int | None = None,
        *,
        loss: str = "log_loss",
        gamma: float | None = None,
        threshold: float | None = None,
        threshold_decay: float = 0.9,
        max_rules: int = 4096,
        beta: float = 0.5,
        width_rule: str = "distance",
        solver: str = "online",
        learning_rate: Any = None,
        learning_rate_decay: float = 0.93,
        batch_size: int = 64,
        gates: bool = False,
        dim_scale: bool = False,
        max_iter: int = 30,
        validation_fraction: float = 0.0,
        missing: str = "error",
        auto: bool = False,
        random_state: Any = None,
        device: str = "cpu",
        verbose: bool = False,
    ):
        super().__init__(
            n_rules,
            gamma=gamma,
            threshold=threshold,
            threshold_decay=threshold_decay,
            max_rules=max_rules,
            beta=beta,
            width_rule=width_rule,
            solver=solver,
            learning_rate=learning_rate,
            learning_rate_decay=learning_rate_decay,
            batch_size=batch_size,
            gates=gates,
            dim_scale=dim_scale,
            max_iter=max_iter,
            validation_fraction=validation_fraction,
            missing=missing,
            auto=auto,
            random_state=random_state,
            device=device,
            verbose=verbose,
        )
        self.loss = loss

    def fit(self, X: Any, y: Any) -> Any:
        """Trains the network.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Classes: numbers or texts.

        Returns
        -------
        self
        """
        return self._start("fit", *self._training_data(X, y, reset=True))

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Any:
        """Trains on the next rows of a stream, once each and in order, and adds rules as needed. The first rows, at least two,
        determine the ranges of the columns. Not for the solver "adam".

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        classes : array of shape (n_classes,)
            All classes; required in the first call. A classifier whose :meth:`fit` has chosen the number of rules cannot be
            trained further: give `n_rules`.

        Returns
        -------
        self
        """
        if "_model" in self.__dict__:
            if classes is not None and not np.array_equal(np.unique(classes), self.classes_):
                raise ValueError(f"`classes` is {classes!r}, but the classes of previous calls are {self.classes_!r}")
            return self._continue(*self._training_data(X, y, reset=False))
        if classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        return self._start("stream", *self._training_data(X, y, reset=True, classes=classes))

    def _start(self, mode: str, rows: np.ndarray, names: list[str], targets: Targets) -> Any:
        classify = self._classify()
        self._fit(mode, rows, names, targets, classify=classify, classes=self._class_names())
        # A search chooses the loss itself.
        searched = mode == "fit" and (self.auto or self._growth() == "auto")
        self._softmax = self._has_softmax(json.loads(self._model.to_json())) if searched else classify == "cross-entropy"
        return self

    def _outputs_of(self, rows: np.ndarray) -> np.ndarray:
        outputs = super()._outputs_of(rows)
        return softmax(outputs) if self._softmax else outputs

    def _has_softmax(self, file: dict[str, Any]) -> bool:
        return file["state"]["settings"]["classify"] == "cross-entropy"
