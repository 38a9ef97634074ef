"""The methods that all fuzzy clusterers have."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning

from . import _fuzzion
from ._arrays import CudaRows, from_device, like_array
from ._device import open_device
from ._progress import progress_bar
from ._saving import SavedModel
from ._validation import (
    choice,
    integer,
    real,
    renamed_settings,
    require_fitted,
    seed_of,
    valid_rows,
    valid_weights,
)

# Names of the settings in messages of the library, and the names of the parameters.
_NAMES = {
    "clusters": "n_clusters",
    "max_iterations": "max_iter",
    "tolerance": "tol",
    "distance": "noise_distance",
    "typicality": "typicality_weight",
}
_CRITERIA = {"centers": "moves", "objective": "objective", "memberships": "memberships"}
_MISSING = {"error": "error", "partial": "partial"}
_INITIALIZATIONS = ("k-means++", "random", "sample")


class FuzzyClusterer(SavedModel, ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """Methods of all fuzzy clusterers."""

    _model_type = _fuzzion.Partition
    _setting_names = _NAMES
    _min_samples = 1  # of a fit

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        fuzzifier: float = 2.0,
        init: Any = "k-means++",
        n_init: int | str = "auto",
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

    @property
    def _missing_choice(self) -> str | None:
        """The value of the parameter `missing` for rows with NaN."""
        metric = self._metric()
        return "partial" if metric == "euclidean" or "diagonal" in metric else None

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
        return self._fit(X, sample_weight, previous=getattr(self, "_model", None))

    def _fit(self, X: Any, sample_weight: Any, previous: _fuzzion.Partition | None) -> Any:
        settings = self._settings()
        rows = self._rows(X, reset=previous is None)
        n_samples = len(rows) if isinstance(rows, np.ndarray) else rows.rows
        if previous is None and n_samples < self.n_clusters:
            raise ValueError(f"n_samples={n_samples} should be >= n_clusters={self.n_clusters}.")
        initial, memberships = self._initial(n_samples)
        names = getattr(self, "feature_names_in_", None)
        with renamed_settings(_NAMES), progress_bar(self.verbose, type(self).__name__) as progress:
            partition, labels = _fuzzion.fit_clusters(
                json.dumps(settings),
                rows,
                open_device(self.device),
                names=None if names is None else list(names),
                weights=valid_weights(sample_weight, rows),
                initial=initial,
                initial_memberships=memberships,
                previous=previous,
                progress=progress,
            )
        self._set_results(partition)
        self.labels_ = like_array(labels, rows.owner) if isinstance(rows, CudaRows) else labels
        self._warn(partition)
        return self

    def _restore(self, model: _fuzzion.Partition, file: dict[str, Any]) -> None:
        if "estimator" not in file:
            self.set_params(n_clusters=len(model.centers))
            self._set_columns(model.columns)
        self._set_results(model)

    def _set_results(self, partition: _fuzzion.Partition) -> None:
        self._model = partition
        self.cluster_centers_ = partition.centers
        self.weights_ = partition.weights
        self.n_iter_, self.objective_, self.converged_, self.objective_history_ = partition.summary
        covariances = partition.covariances
        if covariances is not None:
            self.covariances_ = covariances

    @property
    def validity_(self) -> dict[str, float]:
        """Cluster validity indices."""
        require_fitted(self)
        return json.loads(self._model.report)["indices"]

    def _warn(self, partition: _fuzzion.Partition) -> None:
        for message in partition.warnings:
            # The library counts clusters from 1, labels count from 0.
            message = re.sub(r"\bcluster(\d+)\b", lambda number: f"cluster {int(number[1]) - 1}", message)
            warnings.warn(message, ConvergenceWarning, stacklevel=4)
        if not self.converged_:
            message = f"the fit did not converge in {self.max_iter} iterations; increase `max_iter` or `tol`"
            warnings.warn(message, ConvergenceWarning, stacklevel=4)

    def _settings(self) -> dict[str, Any]:
        """The library's settings."""
        n_init = None if self.n_init == "auto" else integer("n_init", self.n_init)
        return {
            "clusters": integer("n_clusters", self.n_clusters),
            "fuzzifier": real("fuzzifier", self.fuzzifier),
            "metric": self._metric(),
            "variant": self._variant(),
            "initial_centers": self.init if isinstance(self.init, str) else "random",
            "n_init": n_init if isinstance(self.init, str) else 1,
            "seed": seed_of(self.random_state),
            "max_iterations": integer("max_iter", self.max_iter),
            "tolerance": real("tol", self.tol),
            "criterion": choice("criterion", self.criterion, _CRITERIA),
            "plain": not self.accelerate,
            "missing": choice("missing", self.missing, _MISSING),
        }

    def _set_features(self, names: list[str] | None, n_features: int) -> None:
        """The features of the rows of a distributed fit."""
        self.n_features_in_ = n_features
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _initial(self, n_samples: int) -> tuple[np.ndarray | None, bool]:
        """Initial centers or memberships, and whether they are memberships, for which `n_samples` must be known."""
        if isinstance(self.init, str):
            if self.init not in _INITIALIZATIONS:
                raise ValueError(f"unknown `init` `{self.init}`; expected {', '.join(_INITIALIZATIONS)} or an array")
            return None, False
        initial = np.ascontiguousarray(self.init, dtype=np.float64)
        centers = (self.n_clusters, self.n_features_in_)
        memberships = (n_samples, self.n_clusters)
        if initial.shape not in (centers, memberships):
            expected = f"{centers} (centers)" + (f" or {memberships} (memberships)" if n_samples >= 0 else "")
            raise ValueError(f"`init` has the shape {initial.shape}, but it must be {expected}")
        return initial, initial.shape != centers

    def _rows(self, X: Any, reset: bool = False) -> np.ndarray | CudaRows:
        """The rows, as the library needs them."""
        min_samples = self._min_samples if reset else 1
        return valid_rows(self, X, reset=reset, allow_nan=self.missing == "partial", min_samples=min_samples)

    def predict(self, X: Any) -> Any:
        """The cluster with the largest membership of each row.

        Returns
        -------
        array of shape (n_samples,)
        """
        require_fitted(self)
        rows = self._rows(X)
        labels = self._model.labels(rows, open_device(self.device))
        return like_array(labels, rows.owner) if isinstance(rows, CudaRows) else labels

    def memberships(self, X: Any) -> Any:
        """The memberships of each row in each cluster.

        Returns
        -------
        array of shape (n_samples, n_clusters)
            In the precision of X, and in the same library and memory.
        """
        require_fitted(self)
        rows = self._rows(X)
        device = open_device(self.device)
        if isinstance(rows, CudaRows):
            return from_device(self._model.memberships_on_device(rows, device), rows.owner)
        return self._model.memberships(rows, device)

    def typicalities(self, X: Any) -> Any:
        """How well each row fits each cluster, independently of the other clusters; for the variants "pfcm" and "pcm".

        Returns
        -------
        array of shape (n_samples, n_clusters)
        """
        require_fitted(self)
        rows = self._rows(X)
        typicalities = self._model.typicalities(rows, open_device(self.device))
        return like_array(typicalities, rows.owner) if isinstance(rows, CudaRows) else typicalities

    def transform(self, X: Any) -> Any:
        """Same as :meth:`memberships`, for pipelines."""
        return self.memberships(X)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fits the clusters and returns the memberships of X."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The negative objective of the rows at the fitted clusters; larger is better."""
        require_fitted(self)
        rows = self._rows(X)
        return -self._model.objective(rows, open_device(self.device), weights=valid_weights(sample_weight, rows))

    def _html_repr(self) -> str:
        """The diagram of scikit-learn, and the clusters after a fit."""
        from ._html import clusters_html

        diagram = super()._html_repr()
        return diagram + clusters_html(self) if hasattr(self, "cluster_centers_") else diagram

    @property
    def _n_features_out(self) -> int:
        return self.cluster_centers_.shape[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "partial"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
