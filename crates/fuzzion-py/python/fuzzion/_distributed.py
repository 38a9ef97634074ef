"""Fits of rows that are distributed over processes or machines, by any means of communication."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from . import _fuzzion
from ._arrays import cuda_rows, is_cuda_array, require_gpu, to_host
from ._clusterer import FuzzyClusterer
from ._device import open_device
from ._tsk import TskRegressor
from ._validation import renamed_settings

State = _fuzzion.ClusteringState | _fuzzion.TuningState
Statistics = _fuzzion.ClusteringStatistics | _fuzzion.TuningStatistics


def partial_statistics(
    X: Any,
    state: State,
    chunk: int = 0,
    *,
    y: Any = None,
    sample_weight: Any = None,
    device: str = "cpu",
    threads: int | None = None,
) -> Statistics:
    """The statistics of a chunk of rows, for :meth:`DistributedFit.update`.

    States and statistics can be pickled. The size of statistics does not depend on the number of rows.

    Parameters
    ----------
    X : array of shape (n_samples, n_features), or DataFrame
        The chunk, which may be empty. It is converted to the type of the fit. Arrays of PyTorch and CuPy in GPU memory stay
        there, with ``device="cuda"``.
    state : ClusteringState or TuningState
        The state of the fit.
    chunk : int
        Number of the chunk: each chunk has its own, and the same one in all steps.
    y : array of shape (n_samples,) or (n_samples, n_targets)
        The targets of the rows, for a regressor.
    sample_weight : array of shape (n_samples,), optional
    device : str, default="cpu"
    threads : int, optional
        Number of CPU threads; by default, those of all other operations.

    Returns
    -------
    ClusteringStatistics or TuningStatistics
    """
    opened = open_device(device, threads)
    weights = None if sample_weight is None else np.require(sample_weight, np.float64, "CA").reshape(-1)
    if isinstance(state, _fuzzion.TuningState):
        rows, targets = _rows_and_targets(X, y, state, chunk)
        return _with_chunk(chunk, lambda: state.partial_statistics(rows, targets, chunk, opened, weights=weights))
    dtype = np.float32 if state.single else np.float64
    if is_cuda_array(X):
        require_gpu(X, device)
        rows: Any = cuda_rows(X)
    else:
        rows = np.require(X, dtype, "CA")  # pickled arrays need not be aligned
        if rows.ndim != 2:
            raise ValueError(f"chunk {chunk} has the shape {rows.shape}, but it must be rows × columns; use `reshape`")
    return _with_chunk(chunk, lambda: state.partial_statistics(rows, chunk, opened, weights=weights))


def _with_chunk(chunk: int, compute: Callable[[], Any]) -> Any:
    """The result of a computation, whose errors name the chunk."""
    try:
        return compute()
    except ValueError as error:
        raise ValueError(f"chunk {chunk}: {error}") from None


def _rows_and_targets(X: Any, y: Any, state: _fuzzion.TuningState, chunk: int) -> tuple[np.ndarray, np.ndarray]:
    if y is None:
        raise ValueError(f"chunk {chunk} has no targets; pass them as `y`")
    rows, targets = np.require(to_host(X), np.float64, "CA"), np.require(to_host(y), np.float64, "CA")
    targets = targets.reshape(-1, 1) if targets.ndim == 1 else targets
    expected = tuple((len(rows), columns) for columns in state.shape)
    if (rows.shape, targets.shape) != expected:
        raise ValueError(f"chunk {chunk} has the shapes {rows.shape} and {targets.shape}, but they must be {expected}")
    return rows, targets


def merge(a: Statistics, b: Statistics) -> Statistics:
    """The statistics of two disjoint sets of rows at the same state.

    The order of merging changes results only by rounding errors; merge in a fixed order for bit-identical results.
    """
    return a.merge(b)


def merge_all(statistics: Iterable[Statistics]) -> Statistics:
    """Merges the statistics of several sets of rows in the given order."""
    merged = None
    for part in statistics:
        merged = part if merged is None else merge(merged, part)
    if merged is None:
        raise ValueError("there are no statistics to merge; pass those of at least one chunk")
    return merged


class DistributedFit:
    """A fit of rows that are distributed over processes or machines, by any means of communication.

    While there is a :attr:`state`, it is sent to all workers; each computes the :func:`partial_statistics` of its chunks of
    rows; these are merged by :func:`merge` and passed to :meth:`update`. Then :meth:`finish` returns the fitted estimator.
    :mod:`fuzzion.dask` does this with Dask.

    The result is that of ``estimator.fit`` with all rows, in the order in which the chunks were merged in the first step, up
    to the order in which sums are rounded: also the initial centers are the same. All parameters have the same meaning,
    except that ``init`` cannot be memberships, and ``device`` is that of :func:`partial_statistics`. There are no
    ``labels_``. A :class:`TskRegressor` can have the solvers "hybrid" and "gradient"; `auto`, ``init="subtractive"`` and a
    `validation_fraction` are not supported.

    Parameters
    ----------
    estimator : FuzzyCMeans, GustafsonKessel, GathGeva, PossibilisticCMeans or TskRegressor
        Its parameters are used; it is fitted by :meth:`finish`.
    features : int or list of str
        Number of features, or their names.
    dtype : dtype, default=float64
        The type of the rows and of the computation, float32 or float64; float64 for a regressor.
    targets : int or list of str, default=1
        Number of targets of a regressor, or their names.

    Examples
    --------
    >>> import numpy as np
    >>> from fuzzion import DistributedFit, FuzzyCMeans, merge, partial_statistics
    >>> X = np.array([[0.0], [0.1], [0.2], [9.8], [9.9], [10.0]])
    >>> fit = DistributedFit(FuzzyCMeans(n_clusters=2, random_state=0), features=1)
    >>> while fit.state is not None:
    ...     a = partial_statistics(X[:3], fit.state, 0)  # on one worker
    ...     b = partial_statistics(X[3:], fit.state, 1)  # on another worker
    ...     fit.update(merge(a, b))
    >>> np.sort(fit.finish().cluster_centers_.ravel()).round(1)
    array([0.1, 9.9])
    """

    def __init__(
        self,
        estimator: FuzzyClusterer | TskRegressor,
        features: int | Sequence[str],
        *,
        dtype: Any = np.float64,
        targets: int | Sequence[str] = 1,
    ):
        if np.dtype(dtype) not in (np.float32, np.float64):
            raise ValueError(f"`dtype` is {np.dtype(dtype)}, but it must be float32 or float64")
        named = not isinstance(features, (int, np.integer))
        names = [str(name) for name in features] if named else [f"x{i + 1}" for i in range(int(features))]
        self.estimator = estimator
        self._device = open_device("cpu")
        self._fit: Any
        if isinstance(estimator, TskRegressor):
            self._fit = estimator._start_distributed(names if named else len(names), targets, self._device)
            return
        settings = estimator._settings()
        estimator._set_features(names if named else None, len(names))
        initial, memberships = estimator._initial(n_samples=-1)
        assert not memberships  # no shape of memberships has -1 rows
        with renamed_settings(estimator._setting_names):
            self._fit = _fuzzion.DistributedClustering(
                json.dumps(settings), names, np.dtype(dtype) == np.float32, self._device, initial=initial
            )

    @property
    def state(self) -> State | None:
        """The state for which statistics are needed next; ``None`` when the fit is finished."""
        return self._fit.state

    def update(self, statistics: Statistics) -> None:
        """Continues the fit with the merged statistics of all rows at the current state.

        Raises a ValueError if these are not the statistics of all rows at the current state, for example because those of a
        chunk are missing; the fit can be continued with the right ones.
        """
        with renamed_settings(self.estimator._setting_names):
            self._fit.update(statistics, self._device)

    def finish(self) -> Any:
        """The fitted estimator."""
        model = self._fit.finish()
        self.estimator._set_results(model)
        self.estimator._warn(model)
        return self.estimator
