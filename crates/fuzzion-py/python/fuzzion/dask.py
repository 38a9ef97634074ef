"""Fuzzy clustering, regression and inference over dask arrays and dataframes.

:class:`FuzzyCMeans`, :class:`GustafsonKessel`, :class:`GathGeva` and :class:`TskRegressor` have the parameters and methods of the
estimators of :mod:`fuzzion` with the same names. Their ``fit`` loads the data once, into the memory of the workers, and moves
chunks between them if some have more data than others. In each step, it sends the centers or rules to the workers, one task per
worker (or per chunk, if there are more than 256) computes additive statistics of the chunks, and these are merged. The order of
merging depends only on the order of the chunks, so that the result does not depend on the number of workers, on their speed,
or on a worker that is lost during the fit: Dask computes the chunks of that worker again on the others.

The fit is that of the estimator of :mod:`fuzzion` to the concatenated rows, up to the order in which sums are rounded: with the
same parameters (including ``random_state`` or initial centers), the centers agree to about 1e-10. The ``init`` of clusters cannot
be memberships. There are no ``labels_``; use ``predict``, which is lazy.

``device`` is the device of the workers, for example ``"cuda"`` if each worker has a GPU of its own (see dask-cuda). Arrays of
CuPy stay in GPU memory; NumPy arrays are copied to the GPU in each iteration. On a CPU, a worker uses as many threads as it has
in the cluster, or ``FUZZION_THREADS``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import dask
    from dask import delayed
except ImportError as error:
    raise ImportError('`fuzzion.dask` needs Dask; install it with `pip install "fuzzion[dask]"`') from error

from sklearn.utils.validation import check_is_fitted

from . import _clustering, _tsk
from ._clusterer import FuzzyClusterer
from ._dask import Chunks, dtype_of, is_dask, is_frame, map_rows
from ._distributed import DistributedFit
from ._progress import progress_bar

__all__ = ["FuzzyCMeans", "GathGeva", "GustafsonKessel", "TskRegressor", "infer"]


def _fit_chunks(estimator: Any, chunks: Chunks, max_steps: int, **targets: Any) -> Any:
    """Fits an estimator to chunks; `max_steps` is 0 if it is not known."""
    chunks.group()
    features = chunks.n_features if chunks.names is None else chunks.names
    fit = DistributedFit(estimator, features, dtype=chunks.dtype, **targets)
    with progress_bar(estimator.verbose, type(estimator).__name__) as progress:
        while (state := fit.state) is not None:
            if progress is not None:
                progress(state.step, max_steps)
            fit.update(chunks.statistics(state, estimator.device))
    return fit.finish()


class _DaskClusterer(FuzzyClusterer):
    """Methods for collections of Dask; other data are handled by the base class."""

    def _fit(self, X: Any, sample_weight: Any, previous: Any) -> Any:
        if not is_dask(X):
            return super()._fit(X, sample_weight, previous)
        if previous is not None:
            raise ValueError("`partial_fit` cannot continue with a dask collection; use `fit`")
        return _fit_chunks(self, Chunks(X, sample_weight), self.max_iter)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fits the clusters and returns the labels of X, lazily for a dask collection."""
        return self.fit(X, sample_weight=sample_weight).predict(X)

    def predict(self, X: Any) -> Any:
        """The cluster with the largest membership of each row: a lazy array or series for a dask collection."""
        check_is_fitted(self)
        if not is_dask(X):
            return super().predict(X)
        return map_rows(X, self, "predict", np.dtype(np.int32), "cluster")

    def memberships(self, X: Any) -> Any:
        """The memberships of each row in each cluster: a lazy array or dataframe for a dask collection."""
        check_is_fitted(self)
        if not is_dask(X):
            return super().memberships(X)
        return map_rows(X, self, "memberships", dtype_of(X), [str(name) for name in self.get_feature_names_out()])

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The negative objective of the rows at the fitted clusters; larger is better."""
        check_is_fitted(self)
        if not is_dask(X):
            return super().score(X, y, sample_weight)
        chunks, model = Chunks(X, sample_weight), delayed(self)
        scores = [delayed(_score)(model, rows, weights) for rows, _, weights in chunks.parts]
        return float(sum(dask.compute(*scores)))


def _score(model: Any, rows: Any, weights: Any) -> float:
    return model.score(rows, sample_weight=weights) if len(rows) else 0.0


class FuzzyCMeans(_DaskClusterer, _clustering.FuzzyCMeans):
    """Fuzzy c-means over dask arrays and dataframes, with the parameters of :class:`fuzzion.FuzzyCMeans`.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from fuzzion.dask import FuzzyCMeans
    >>> X = da.from_array(np.array([[0.0], [0.1], [0.2], [9.8], [9.9], [10.0]]), chunks=(2, 1))
    >>> model = FuzzyCMeans(n_clusters=2, random_state=0).fit(X)
    >>> np.sort(model.cluster_centers_.ravel()).round(1)
    array([0.1, 9.9])
    >>> model.memberships(X).shape  # lazy
    (6, 2)
    """


class GustafsonKessel(_DaskClusterer, _clustering.GustafsonKessel):
    """Gustafson-Kessel clustering over dask arrays and dataframes, with the parameters of :class:`fuzzion.GustafsonKessel`."""


class GathGeva(_DaskClusterer, _clustering.GathGeva):
    """Gath-Geva clustering over dask arrays and dataframes, with the parameters of :class:`fuzzion.GathGeva`."""


class TskRegressor(_tsk.TskRegressor):
    """Regression with a Takagi-Sugeno-Kang system over dask arrays and dataframes, with the parameters of
    :class:`fuzzion.TskRegressor`.

    The ranges of the columns, the initial clusters, the normal equations of the consequents and the gradients of the sets are
    sums or extremes over the chunks. With ``max_iter=0``, the sets do not change, and the normal equations are solved once. Each
    iteration needs two passes over the data.

    The solvers are "hybrid" and "gradient"; `auto`, ``init="subtractive"`` and a `validation_fraction` are not supported.
    ``score`` loads the targets and the predictions into this process.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from fuzzion.dask import TskRegressor
    >>> X = da.from_array(np.linspace(-3, 3, 100)[:, None], chunks=(25, 1))
    >>> y = da.sin(X[:, 0])
    >>> model = TskRegressor(n_rules=4, max_iter=0, random_state=0).fit(X, y)
    >>> model.predict(X).shape  # lazy
    (100,)
    >>> bool(model.score(X, y) > 0.98)
    True
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learns the rules.

        Parameters
        ----------
        X : dask array of shape (n_samples, n_features), or dask dataframe
        y : dask array of shape (n_samples,) or (n_samples, n_targets), dask series or dataframe
            With the chunks of X.
        sample_weight : dask array or series of shape (n_samples,), optional

        Returns
        -------
        self
        """
        if not is_dask(X):
            return super().fit(X, y, sample_weight)
        chunks = Chunks(X, sample_weight, y, dtype=np.float64)
        if hasattr(y, "columns"):
            targets: Any = list(y.columns)
        elif hasattr(y, "to_frame"):  # a series
            targets = [y.name]
        else:
            targets = 1 if np.ndim(y) == 1 else np.shape(y)[1]
        _fit_chunks(self, chunks, 0, targets=targets)
        self._flat = np.ndim(y) == 1
        return self

    def predict(self, X: Any) -> Any:
        """Predicts the targets of each row: a lazy array, series or dataframe for a dask collection."""
        check_is_fitted(self)
        if not is_dask(X):
            return super().predict(X)
        names = self._model.targets
        return map_rows(X, self, "predict", np.dtype(np.float64), names[0] if self._flat else names)


def infer(system: Any, X: Any, *, device: str = "cpu") -> Any:
    """The outputs of a fuzzy system for every row of a dask array or dataframe, as a lazy collection of the same kind.

    ``system.infer(X)`` does the same.

    Parameters
    ----------
    system : System
    X : dask array of rows × inputs, or dask dataframe
        A dataframe has the inputs as columns, by name.
    device : str, default="cpu"
        The device of the workers.
    """
    if is_frame(X):
        meta = system.infer(X._meta_nonempty).iloc[:0]
        return X.map_partitions(_infer, system=delayed(system), device=device, meta=meta)
    X = X.rechunk({1: -1})
    chunks, meta = (X.chunks[0], (len(system.outputs),)), np.empty((0, 0), dtype_of(X))
    return X.map_blocks(_infer, system=delayed(system), device=device, chunks=chunks, meta=meta)


def _infer(part: Any, system: Any, device: str) -> Any:
    return system.infer(part, device=device)
