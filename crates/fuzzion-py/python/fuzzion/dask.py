"""Fuzzy clustering and inference over dask arrays and dataframes.

:class:`FuzzyCMeans`, :class:`GustafsonKessel` and :class:`GathGeva` have the parameters and methods of the estimators of
:mod:`fuzzion` with the same names. Their ``fit`` loads the data once, into the memory of the workers. In each iteration, it
sends the centers to the workers, one task per worker (or per chunk, if there are more than 256) computes additive statistics of
the chunks, and these are merged. The order of
merging depends only on the order of the chunks, so that the result does not depend on the number of workers, on their speed,
or on a worker that is lost during the fit: Dask computes the chunks of that worker again on the others.

The fit is that of the estimator of :mod:`fuzzion` to the concatenated rows, up to the order in which sums are rounded: with the
same parameters (including ``random_state`` or initial centers), the centers agree to about 1e-10. ``init`` cannot be
memberships. There are no ``labels_``; use ``predict``, which is lazy.

``device`` is the device of the workers, for example ``"cuda"`` if each worker has a GPU of its own (see dask-cuda). Arrays of
CuPy stay in GPU memory; NumPy arrays are copied to the GPU in each iteration. On a CPU, a worker uses as many threads as it has
in the cluster, or ``FUZZION_THREADS``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

try:
    import dask
    import dask.array as da
    from dask import delayed
except ImportError as error:
    raise ImportError('`fuzzion.dask` needs Dask; install it with `pip install "fuzzion[dask]"`') from error

from sklearn.utils.validation import check_is_fitted

from . import _clustering
from ._clusterer import FuzzyClusterer
from ._distributed import DistributedFit, merge_all, partial_statistics
from ._progress import progress_bar

__all__ = ["FuzzyCMeans", "GathGeva", "GustafsonKessel", "infer"]

# Number of statistics that one task merges: they are small, so that a further level of tasks takes longer than a few merges.
_MERGED_PER_TASK = 32
# Up to this number of chunks, a step has one task per worker: the statistics of all chunks are sent to the task that merges them.
_GROUPED_CHUNKS = 256


def _is_dask(X: Any) -> bool:
    return dask.is_dask_collection(X)


def _is_frame(X: Any) -> bool:
    return hasattr(X, "map_partitions") and hasattr(X, "columns")


class _Chunks:
    """The chunks of a collection and of its sample weights, persisted in the memory of the workers."""

    def __init__(self, X: Any, sample_weight: Any):
        if _is_frame(X):
            self.names: list[str] | None = [str(name) for name in X.columns]
            text = [name for name, dtype in X.dtypes.items() if not _is_numeric(dtype)]
            if text:
                raise ValueError(f"column `{text[0]}` is not numeric; drop it or convert it")
            self.dtype = _dtype(*X.dtypes)
            self.n_features = len(self.names)
            parts = X.to_delayed()
        else:
            if X.ndim != 2:
                raise ValueError(f"expected an array of rows × columns, but it has the shape {X.shape}; use `reshape`")
            self.names = None
            self.dtype = _dtype(X.dtype)
            self.n_features = X.shape[1]
            parts = X.rechunk({1: -1}).to_delayed().ravel()
        weights = _weight_parts(sample_weight, X, len(parts))
        rows = [delayed(_rows)(part, self.dtype) for part in parts]
        # Persisted, so that the data are read and converted only once.
        persisted = dask.persist(*rows, *weights)
        self.rows, self.weights = persisted[: len(rows)], persisted[len(rows) :] or [None] * len(rows)
        self.groups = _chunks_of_workers(self.rows) if len(rows) <= _GROUPED_CHUNKS else None

    def statistics(self, state: Any, device: str) -> Any:
        """The merged statistics of all chunks. The order of merging depends only on the number of chunks."""
        state = delayed(state)  # one node of the graph, which the workers pass on to each other
        if self.groups is not None:
            parts = [
                delayed(_statistics_of_group)(
                    [self.rows[i] for i in group], [self.weights[i] for i in group], state, group, device
                )
                for group in self.groups
            ]
            return delayed(_merge_groups)(parts).compute()
        compute = delayed(_statistics)
        level = [compute(rows, weights, state, i, device) for i, (rows, weights) in enumerate(self.zipped())]
        while len(level) > 1:
            groups = range(0, len(level), _MERGED_PER_TASK)
            level = [delayed(merge_all)(level[i : i + _MERGED_PER_TASK]) for i in groups]
        return level[0].compute()

    def zipped(self) -> Any:
        """Pairs of rows and weights."""
        return zip(self.rows, self.weights, strict=True)


def _is_numeric(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "fiub"


def _dtype(*dtypes: Any) -> np.dtype:
    """The type of the computation: float32 if all columns have it, otherwise float64."""
    return np.dtype(np.float32 if all(dtype == np.float32 for dtype in dtypes) else np.float64)


def _rows(part: Any, dtype: np.dtype) -> Any:
    """The rows of a chunk. Arrays in GPU memory stay there."""
    if hasattr(part, "to_numpy"):
        part = part.to_numpy(dtype=dtype, na_value=np.nan)
    if hasattr(part, "__cuda_array_interface__"):
        return part.astype(dtype, copy=False)
    return np.require(part, dtype, "CA")


def _weight_parts(sample_weight: Any, X: Any, parts: int) -> list[Any]:
    if sample_weight is None:
        return []
    if not _is_dask(sample_weight):
        if _is_frame(X) or np.isnan(X.chunks[0]).any():
            raise ValueError("`sample_weight` must be a dask collection, because the lengths of the chunks of X are not known")
        weights = np.asarray(sample_weight, dtype=np.float64)
        if weights.shape != (X.shape[0],):
            raise ValueError(f"`sample_weight` has the shape {weights.shape}, but it must be ({X.shape[0]},)")
        sample_weight = da.from_array(weights, chunks=(X.chunks[0],))
    weights = np.asarray(sample_weight.to_delayed(), dtype=object).ravel()
    if len(weights) != parts:
        raise ValueError(f"`sample_weight` has {len(weights)} chunks, but X has {parts}; rechunk it like X")
    return [delayed(np.asarray)(part) for part in weights]


def _worker_threads() -> int | None:
    """Number of threads of this worker, which run its tasks at the same time and share the threads of the device."""
    if "FUZZION_THREADS" in os.environ:
        return None
    try:
        from distributed import get_worker

        return int(get_worker().state.nthreads)
    except (ImportError, ValueError):
        return None  # not in a worker


def _chunks_of_workers(rows: Any) -> list[list[int]] | None:
    """The numbers of the chunks in the memory of each worker; ``None`` without a cluster."""
    try:
        from distributed import futures_of, get_client, wait
    except ImportError:
        return None
    try:
        client = get_client()
    except ValueError:
        return None  # the scheduler of this process
    futures = futures_of(rows)
    if len(futures) != len(rows):
        return None  # persisted by another scheduler
    wait(futures)
    holders = client.who_has(futures)
    groups: dict[Any, list[int]] = {}
    for i, future in enumerate(futures):
        groups.setdefault(min(holders.get(future.key) or ("",)), []).append(i)
    return list(groups.values())


def _statistics(rows: Any, weights: Any, state: Any, chunk: int, device: str) -> Any:
    return partial_statistics(rows, state, chunk, sample_weight=weights, device=device, threads=_worker_threads())


def _statistics_of_group(rows: list[Any], weights: list[Any], state: Any, chunks: list[int], device: str) -> list[Any]:
    """The numbers and statistics of the chunks of a worker."""
    return [(i, _statistics(x, w, state, i, device)) for x, w, i in zip(rows, weights, chunks, strict=True)]


def _merge_groups(groups: list[list[Any]]) -> Any:
    """Merges the statistics of all chunks, with the tree of single tasks."""
    level = [statistics for _, statistics in sorted(chain.from_iterable(groups), key=lambda part: part[0])]
    while len(level) > 1:
        level = [merge_all(level[i : i + _MERGED_PER_TASK]) for i in range(0, len(level), _MERGED_PER_TASK)]
    return level[0]


class _DaskClusterer(FuzzyClusterer):
    """Methods for collections of Dask; other data are handled by the base class."""

    def _fit(self, X: Any, sample_weight: Any, previous: Any) -> Any:
        if not _is_dask(X):
            return super()._fit(X, sample_weight, previous)
        if previous is not None:
            raise ValueError("`partial_fit` cannot continue with a dask collection; use `fit`")
        chunks = _Chunks(X, sample_weight)
        features = chunks.n_features if chunks.names is None else chunks.names
        fit = DistributedFit(self, features, dtype=chunks.dtype)
        with progress_bar(self.verbose, type(self).__name__) as progress:
            while (state := fit.state) is not None:
                if progress is not None:
                    progress(state.step, self.max_iter)
                fit.update(chunks.statistics(state, self.device))
        return fit.finish()

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fits the clusters and returns the labels of X, lazily for a dask collection."""
        return self.fit(X, sample_weight=sample_weight).predict(X)

    def predict(self, X: Any) -> Any:
        """The cluster with the largest membership of each row: a lazy array or series for a dask collection."""
        check_is_fitted(self)
        if not _is_dask(X):
            return super().predict(X)
        return _map_rows(X, self, _predict, None, np.dtype(np.int32))

    def memberships(self, X: Any) -> Any:
        """The memberships of each row in each cluster: a lazy array or dataframe for a dask collection."""
        check_is_fitted(self)
        if not _is_dask(X):
            return super().memberships(X)
        dtype = _dtype(*X.dtypes) if _is_frame(X) else _dtype(X.dtype)
        return _map_rows(X, self, _memberships, [str(name) for name in self.get_feature_names_out()], dtype)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The negative objective of the rows at the fitted clusters; larger is better."""
        check_is_fitted(self)
        if not _is_dask(X):
            return super().score(X, y, sample_weight)
        chunks, model = _Chunks(X, sample_weight), delayed(self)
        scores = [delayed(_score)(model, rows, weights) for rows, weights in chunks.zipped()]
        return float(sum(dask.compute(*scores)))


def _map_rows(X: Any, model: Any, compute: Callable, columns: list[str] | None, dtype: np.dtype) -> Any:
    """A lazy collection of the kind of X with the results of each chunk: with `columns`, or one value per row."""
    if _is_frame(X):
        import pandas as pd

        index = X._meta.index
        if columns is None:
            meta: Any = pd.Series(index=index, dtype=dtype, name="cluster")
        else:
            meta = pd.DataFrame({column: pd.Series(index=index, dtype=dtype) for column in columns}, index=index)
        return X.map_partitions(compute, model=delayed(model), meta=meta)
    X = X.rechunk({1: -1})
    if columns is None:
        return X.map_blocks(compute, model=delayed(model), drop_axis=1, meta=np.empty(0, dtype))
    chunks = (X.chunks[0], (len(columns),))
    return X.map_blocks(compute, model=delayed(model), chunks=chunks, meta=np.empty((0, 0), dtype))


def _predict(part: Any, model: Any) -> Any:
    labels = model.predict(part) if len(part) else np.empty(0, np.int32)
    if hasattr(part, "columns"):
        import pandas as pd

        return pd.Series(labels, index=part.index, name="cluster")
    return labels


def _memberships(part: Any, model: Any) -> Any:
    frame, names = hasattr(part, "columns"), [str(name) for name in model.get_feature_names_out()]
    dtype = _dtype(*part.dtypes) if frame else _dtype(part.dtype)
    memberships = model.memberships(part) if len(part) else np.empty((0, len(names)), dtype)
    if frame:
        import pandas as pd

        return pd.DataFrame(memberships, index=part.index, columns=names)
    return memberships


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
    if _is_frame(X):
        meta = system.infer(X._meta_nonempty).iloc[:0]
        return X.map_partitions(_infer, system=delayed(system), device=device, meta=meta)
    X = X.rechunk({1: -1})
    chunks, dtype = (X.chunks[0], (len(system.outputs),)), _dtype(X.dtype)
    meta = np.empty((0, 0), dtype)
    return X.map_blocks(_infer, system=delayed(system), device=device, chunks=chunks, meta=meta)


def _infer(part: Any, system: Any, device: str) -> Any:
    return system.infer(part, device=device)
