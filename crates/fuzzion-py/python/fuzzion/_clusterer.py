"""The methods that all fuzzy clusterers have."""

from __future__ import annotations

import json
import re
import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import _fuzzion
from ._arrays import CudaRows, cuda_rows, from_device, is_cuda_array, like_array, require_gpu
from ._device import open_device
from ._progress import progress_bar

# Names of the settings in messages of the library, and the names of the parameters.
_NAMES = {"clusters": "n_clusters", "max_iterations": "max_iter", "tolerance": "tol"}
_CRITERIA = {"centers": "moves", "objective": "objective", "memberships": "memberships"}
_INITIALIZATIONS = ("k-means++", "random", "sample")


class FuzzyClusterer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """Methods of all fuzzy clusterers."""

    _min_samples = 1  # of a fit

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        fuzzifier: float = 2.0,
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = 300,
        tol: float = 1e-5,
        criterion: str = "centers",
        accelerate: bool = True,
        missing: str = "error",
        random_state: Any = None,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.n_clusters = n_clusters
        self.fuzzifier = fuzzifier
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.criterion = criterion
        self.accelerate = accelerate
        self.missing = missing
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    def _metric(self) -> Any:
        """The metric in the library's settings."""
        return "euclidean"

    def _variant(self) -> Any:
        """The variant in the library's settings."""
        return "fcm"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fits the clusters.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            float32 and float64 are used without a copy. Arrays of PyTorch and CuPy in GPU memory stay there, with
            ``device="cuda"``.
        y : ignored
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        return self._fit(X, sample_weight, previous=None)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Continues the fit with another batch of rows; the clusters of previous batches are weighted rows.

        Parameters and result are those of :meth:`fit`.
        """
        return self._fit(X, sample_weight, previous=getattr(self, "_partition", None))

    def _fit(self, X: Any, sample_weight: Any, previous: _fuzzion.Partition | None) -> Any:
        settings = self._settings()
        rows = self._validate(X, reset=previous is None)
        n_samples = rows.rows if isinstance(rows, CudaRows) else rows.shape[0]
        if previous is None and n_samples < self.n_clusters:
            raise ValueError(f"n_samples={n_samples} should be >= n_clusters={self.n_clusters}.")
        weights = _weights(sample_weight, rows, n_samples)
        initial, memberships = self._initial(n_samples)
        names = getattr(self, "feature_names_in_", None)
        try:
            with progress_bar(self.verbose, type(self).__name__) as progress:
                partition = _fuzzion.fit_clusters(
                    json.dumps(settings),
                    rows,
                    open_device(self.device),
                    names=None if names is None else list(names),
                    weights=weights,
                    initial=initial,
                    initial_memberships=memberships,
                    previous=previous,
                    progress=progress,
                )
        except ValueError as error:
            message = re.sub(r"`(\w+)`", lambda name: f"`{_NAMES.get(name[1], name[1])}`", str(error))
            raise ValueError(message) from None
        self._set_results(partition)
        labels = partition.labels(rows, open_device(self.device))
        self.labels_ = like_array(labels, rows.owner) if isinstance(rows, CudaRows) else labels
        return self

    def _set_results(self, partition: _fuzzion.Partition) -> None:
        report = json.loads(partition.report)
        self._partition = partition
        self.cluster_centers_ = partition.centers
        self.weights_ = partition.weights
        self.n_iter_ = report["iterations"]
        self.objective_ = report["objective"]
        self.objective_history_ = np.array(report["history"])
        self.validity_ = report["indices"]
        self.converged_ = report["stop"] == "converged"
        if partition.covariances is not None:
            self.covariances_ = partition.covariances
        for message in partition.warnings:
            warnings.warn(message, ConvergenceWarning, stacklevel=4)
        if not self.converged_:
            message = f"the fit did not converge in {self.max_iter} iterations; increase `max_iter` or `tol`"
            warnings.warn(message, ConvergenceWarning, stacklevel=4)

    def _settings(self) -> dict[str, Any]:
        """The library's settings."""
        for name in ("n_clusters", "n_init", "max_iter"):
            value = getattr(self, name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < 0:
                raise ValueError(f"`{name}` is {value!r}, but it must be a positive integer")
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        return {
            "clusters": int(self.n_clusters),
            "fuzzifier": real("fuzzifier", self.fuzzifier),
            "metric": self._metric(),
            "variant": self._variant(),
            "initial_centers": self.init if isinstance(self.init, str) else "random",
            "n_init": int(self.n_init) if isinstance(self.init, str) else 1,
            "seed": int(seed),
            "max_iterations": int(self.max_iter),
            "tolerance": real("tol", self.tol),
            "criterion": choice("criterion", self.criterion, _CRITERIA),
            "plain": not self.accelerate,
            "missing": choice("missing", self.missing, {"error": "error", "partial": "partial"}),
        }

    def _initial(self, n_samples: int) -> tuple[np.ndarray | None, bool]:
        """Initial centers or memberships, and whether they are memberships."""
        if isinstance(self.init, str):
            if self.init not in _INITIALIZATIONS:
                raise ValueError(f"unknown `init` `{self.init}`; expected {', '.join(_INITIALIZATIONS)} or an array")
            return None, False
        initial = np.ascontiguousarray(self.init, dtype=np.float64)
        centers = (self.n_clusters, self.n_features_in_)
        memberships = (n_samples, self.n_clusters)
        if initial.shape not in (centers, memberships):
            raise ValueError(
                f"`init` has the shape {initial.shape}, but it must be {centers} (centers) or {memberships} (memberships)"
            )
        return initial, initial.shape != centers

    def _validate(self, X: Any, reset: bool = False) -> np.ndarray | CudaRows:
        """The rows, as the library needs them."""
        if is_cuda_array(X):
            require_gpu(X, self.device)
            rows = cuda_rows(X)
            if reset:
                self.n_features_in_ = rows.columns
            elif rows.columns != self.n_features_in_:
                raise ValueError(
                    f"X has {rows.columns} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                    "features as input."
                )
            return rows
        finite = "allow-nan" if self.missing == "partial" else True
        return validate_data(
            self,
            X,
            reset=reset,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite=finite,
            ensure_min_samples=self._min_samples if reset else 1,
        )

    def predict(self, X: Any) -> Any:
        """The cluster with the largest membership of each row.

        Returns
        -------
        array of shape (n_samples,)
        """
        check_is_fitted(self)
        rows = self._validate(X)
        labels = self._partition.labels(rows, open_device(self.device))
        return like_array(labels, rows.owner) if isinstance(rows, CudaRows) else labels

    def memberships(self, X: Any) -> Any:
        """The memberships of each row in each cluster.

        Returns
        -------
        array of shape (n_samples, n_clusters)
            In the precision of X, and in the same library and memory.
        """
        check_is_fitted(self)
        rows = self._validate(X)
        device = open_device(self.device)
        if isinstance(rows, CudaRows):
            return from_device(self._partition.memberships_on_device(rows, device), rows.owner)
        return self._partition.memberships(rows, device)

    def transform(self, X: Any) -> Any:
        """Same as :meth:`memberships`, for pipelines."""
        return self.memberships(X)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fits the clusters and returns the memberships of X."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The negative objective of the rows at the fitted clusters; larger is better."""
        check_is_fitted(self)
        rows = self._validate(X)
        n_samples = rows.rows if isinstance(rows, CudaRows) else rows.shape[0]
        weights = _weights(sample_weight, rows, n_samples)
        return -self._partition.objective(rows, open_device(self.device), weights=weights)

    def to_json(self) -> str:
        """The fitted clusters in the file format of ``fuzzion cluster --model``."""
        check_is_fitted(self)
        return self._partition.to_json()

    @property
    def _n_features_out(self) -> int:
        return self.cluster_centers_.shape[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "partial"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def real(name: str, value: Any) -> float:
    """A finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise ValueError(f"`{name}` is {value!r}, but it must be a finite number")
    return number


def choice(name: str, value: Any, choices: dict[str, Any]) -> Any:
    """The value of one of the choices."""
    if not isinstance(value, str) or value not in choices:
        *first, last = choices
        raise ValueError(f"unknown `{name}` `{value}`; expected {', '.join(first)} or {last}")
    return choices[value]


def _weights(sample_weight: Any, rows: np.ndarray | CudaRows, n_samples: int) -> np.ndarray | None:
    if sample_weight is None:
        return None
    X = np.empty((n_samples, 1)) if isinstance(rows, CudaRows) else rows
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    return np.ascontiguousarray(weights)
