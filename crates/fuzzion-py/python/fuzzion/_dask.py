"""The chunks of dask collections: their statistics, and results per chunk."""

from __future__ import annotations

import os
import pickle
from itertools import chain
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask import delayed

from ._distributed import merge_all, partial_statistics

# Number of statistics that one task merges: they are small, so that a further level of tasks takes longer than a few merges.
_MERGED_PER_TASK = 32
# Up to this number of chunks, a step has one task per worker: the statistics of all chunks are sent to one process.
_GROUPED_CHUNKS = 256
# Largest state that is sent with each task, in bytes; the workers pass larger ones on to each other.
_SMALL_STATE = 1 << 16
# Largest size of the statistics of all chunks that this process merges, in bytes; a worker merges larger ones.
_MERGED_HERE = 1 << 22


def is_dask(X: Any) -> bool:
    """Whether X is a collection of Dask."""
    return dask.is_dask_collection(X)


def is_frame(X: Any) -> bool:
    """Whether X is a dask dataframe."""
    return hasattr(X, "map_partitions") and hasattr(X, "columns")


def dtype_of(X: Any) -> np.dtype:
    """The type of the computation: float32 if all columns have it, otherwise float64."""
    dtypes = X.dtypes if hasattr(X, "dtypes") else [X.dtype]
    return np.dtype(np.float32 if all(dtype == np.float32 for dtype in dtypes) else np.float64)


class Chunks:
    """The chunks of a collection and of its targets and sample weights, persisted in the memory of the workers."""

    def __init__(self, X: Any, sample_weight: Any, y: Any = None, dtype: Any = None):
        if is_frame(X):
            self.names: list[str] | None = [str(name) for name in X.columns]
            text = [name for name, dtype in X.dtypes.items() if getattr(dtype, "kind", "O") not in "fiub"]
            if text:
                raise ValueError(f"column `{text[0]}` is not numeric; drop it or convert it")
            self.n_features = len(self.names)
            parts = X.to_delayed()
        else:
            if X.ndim != 2:
                raise ValueError(f"expected an array of rows × columns, but it has the shape {X.shape}; use `reshape`")
            self.names = None
            self.n_features = X.shape[1]
            parts = X.rechunk({1: -1}).to_delayed().ravel()
        self.dtype = dtype_of(X) if dtype is None else np.dtype(dtype)
        columns = [[delayed(_rows)(part, self.dtype) for part in parts]]
        for name, values in (("y", y), ("sample_weight", sample_weight)):
            columns.append([None] * len(parts) if values is None else _aligned(name, values, X, len(parts)))
        # Persisted, so that the data are read and converted only once.
        persisted = iter(dask.persist(*[part for column in columns for part in column if part is not None]))
        columns = [[None if part is None else next(persisted) for part in column] for column in columns]
        self.parts = list(zip(*columns, strict=True))
        self.groups: list[Any] | None = None

    def group(self) -> None:
        """Makes one object of all chunks of a worker, so that a step has one task per worker with one dependency."""
        client = _client()
        futures = None if client is None or len(self.parts) > _GROUPED_CHUNKS else _futures(self.parts)
        if futures is None:
            return
        from distributed import wait

        rows = [part[0] for part in futures]
        wait([future for future in chain.from_iterable(futures) if future is not None])
        holders, sizes, threads = client.who_has(rows), client.nbytes([row.key for row in rows], summary=False), client.nthreads()
        chunks: dict[Any, list[int]] = {worker: [] for worker in threads}
        for i, row in enumerate(rows):
            holder = next((worker for worker in sorted(holders.get(row.key) or ()) if worker in chunks), min(chunks, default=""))
            chunks.setdefault(holder, []).append(i)
        _balance(chunks, [sizes.get(row.key, 1) for row in rows], threads)
        self.groups = [
            client.submit(_group, group, [futures[i] for i in group], workers=[worker], allow_other_workers=True, pure=False)
            for worker, group in chunks.items()
            if group
        ]
        wait(self.groups)
        self.parts, self.count = [], len(rows)  # the groups have references to the chunks

    def statistics(self, state: Any, device: str) -> Any:
        """The merged statistics of all chunks. The order of merging depends only on the number of chunks."""
        if self.groups is not None:
            return self._statistics_of_groups(state, device)
        state = delayed(state)  # one node of the graph, which the workers pass on to each other
        level = [delayed(_statistics)(part, state, i, device) for i, part in enumerate(map(list, self.parts))]
        while len(level) > 1:
            groups = range(0, len(level), _MERGED_PER_TASK)
            level = [delayed(merge_all)(level[i : i + _MERGED_PER_TASK]) for i in groups]
        return level[0].compute()

    def _statistics_of_groups(self, state: Any, device: str) -> Any:
        client = _client()
        size = len(pickle.dumps(state))
        if size > _SMALL_STATE:
            state = client.scatter(state, hash=False)
        tasks = [client.submit(_statistics_of_group, group, state, device, pure=False) for group in self.groups]
        if size * self.count > _MERGED_HERE:
            return client.submit(_merge_groups, tasks, pure=False).result()
        return _merge_groups(client.gather(tasks))


def _rows(part: Any, dtype: np.dtype) -> Any:
    """The rows of a chunk. Arrays in GPU memory stay there."""
    if hasattr(part, "to_numpy"):
        part = part.to_numpy(dtype=dtype, na_value=np.nan)
    if hasattr(part, "__cuda_array_interface__"):
        return part.astype(dtype, copy=False)
    return np.require(part, dtype, "CA")


def _aligned(name: str, values: Any, X: Any, parts: int) -> list[Any]:
    """The chunks of the targets or weights of the rows of X."""
    if not is_dask(values):
        if is_frame(X) or np.isnan(X.chunks[0]).any():
            raise ValueError(f"`{name}` must be a dask collection, because the lengths of the chunks of X are not known")
        values = np.asarray(values, dtype=np.float64)
        if values.shape[:1] != (X.shape[0],) or (name == "sample_weight" and values.ndim != 1):
            raise ValueError(f"`{name}` has the shape {values.shape}, but it must be ({X.shape[0]},)")
        values = da.from_array(values, chunks=(X.chunks[0], *values.shape[1:]))
    if getattr(values, "ndim", 1) == 2 and not is_frame(values):
        values = values.rechunk({1: -1})
    chunks = np.asarray(values.to_delayed(), dtype=object).ravel()
    if len(chunks) != parts:
        raise ValueError(f"`{name}` has {len(chunks)} chunks, but X has {parts}; rechunk it like X")
    return [delayed(_rows)(chunk, np.dtype(np.float64)) for chunk in chunks]


def worker_threads() -> int | None:
    """Number of threads of this worker, which run its tasks at the same time and share the threads of the device."""
    if "FUZZION_THREADS" in os.environ:
        return None
    try:
        from distributed import get_worker

        return int(get_worker().state.nthreads)
    except (ImportError, ValueError):
        return None  # not in a worker


def _client() -> Any | None:
    """The client of the cluster; ``None`` for a scheduler of this process."""
    try:
        from distributed import get_client

        return get_client()
    except (ImportError, ValueError):
        return None


def _futures(parts: list[Any]) -> list[Any] | None:
    """The futures of the chunks; ``None`` if they were persisted by another scheduler."""
    from distributed import futures_of

    futures = []
    for part in parts:
        found = [None if column is None else futures_of(column) for column in part]
        if any(column is not None and len(column) != 1 for column in found):
            return None
        futures.append([None if column is None else column[0] for column in found])
    return futures


def _balance(chunks: dict[Any, list[int]], sizes: list[int], threads: dict[Any, int]) -> None:
    """Moves chunks from the workers with the most data per thread to those with the least, while that reduces the maximum."""
    load = {worker: sum(sizes[i] for i in group) / threads.get(worker, 1) for worker, group in chunks.items()}
    while True:
        most, least = max(load, key=load.__getitem__), min(load, key=load.__getitem__)
        smallest = min(chunks[most], key=sizes.__getitem__, default=None)
        if smallest is None or load[least] + sizes[smallest] / threads.get(least, 1) >= load[most]:
            return
        chunks[most].remove(smallest)
        chunks[least].append(smallest)
        for worker in (most, least):
            load[worker] = sum(sizes[i] for i in chunks[worker]) / threads.get(worker, 1)


def _group(numbers: list[int], parts: list[Any]) -> list[Any]:
    """The numbers and values of the chunks of a worker."""
    return list(zip(numbers, parts, strict=True))


def _statistics(part: Any, state: Any, chunk: int, device: str) -> Any:
    rows, targets, weights = part
    options = {"device": device, "threads": worker_threads()}
    return partial_statistics(rows, state, chunk, y=targets, sample_weight=weights, **options)


def _statistics_of_group(group: list[Any], state: Any, device: str) -> list[Any]:
    """The numbers and statistics of the chunks of a worker."""
    return [(chunk, _statistics(part, state, chunk, device)) for chunk, part in group]


def _merge_groups(groups: list[list[Any]]) -> Any:
    """Merges the statistics of all chunks, with the tree of single tasks."""
    level = [statistics for _, statistics in sorted(chain.from_iterable(groups), key=lambda part: part[0])]
    while len(level) > 1:
        level = [merge_all(level[i : i + _MERGED_PER_TASK]) for i in range(0, len(level), _MERGED_PER_TASK)]
    return level[0]


def map_rows(X: Any, model: Any, method: str, dtype: np.dtype, names: str | list[str]) -> Any:
    """A lazy collection of the kind of X with the results of a method for each chunk: one value per row, or one per name in a
    list."""
    empty = np.empty(0 if isinstance(names, str) else (0, len(names)), dtype)
    options = {"model": delayed(model), "method": method, "empty": empty, "names": names}
    if is_frame(X):
        return X.map_partitions(_apply, **options, meta=_framed(empty, X._meta.index[:0], names))
    X = X.rechunk({1: -1})
    if isinstance(names, str):
        return X.map_blocks(_apply, **options, drop_axis=1, meta=np.empty(0, dtype))
    return X.map_blocks(_apply, **options, chunks=(X.chunks[0], (len(names),)), meta=np.empty((0, 0), dtype))


def _apply(part: Any, model: Any, method: str, empty: np.ndarray, names: str | list[str]) -> Any:
    values = getattr(model, method)(part) if len(part) else empty
    return _framed(values, part.index, names) if hasattr(part, "columns") else values


def _framed(values: Any, index: Any, names: str | list[str]) -> Any:
    import pandas as pd

    if isinstance(names, str):
        return pd.Series(values, index=index, name=names)
    return pd.DataFrame(values, index=index, columns=names)
