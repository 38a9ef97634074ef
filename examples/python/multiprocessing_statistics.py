"""Fuzzy c-means over several processes, without a framework.

Each process keeps its own chunks of rows. In every step, the state is sent to all processes, which return statistics of a few
kilobytes.
"""

import multiprocessing
from functools import reduce

import numpy as np
from fuzzion import DistributedFit, FuzzyCMeans, merge, partial_statistics

CHUNKS, ROWS, COLUMNS = 8, 5_000, 6


def read_chunk(i):
    """The rows of a chunk; in practice, a file or a part of a database."""
    random = np.random.default_rng(i)
    centers = 4 * np.random.default_rng(100).normal(size=(3, COLUMNS))
    return random.normal(size=(ROWS, COLUMNS)) + centers[random.integers(0, 3, ROWS)]


def worker(numbers, connection):
    """Reads its chunks once, and computes their statistics until there is no state."""
    chunks = {i: read_chunk(i) for i in numbers}
    while (state := connection.recv()) is not None:
        statistics = [partial_statistics(X, state, i, threads=1) for i, X in chunks.items()]
        connection.send(reduce(merge, statistics))


def main():
    context = multiprocessing.get_context("spawn")
    connections = []
    for process in range(2):
        ours, theirs = context.Pipe()
        numbers = range(process * CHUNKS // 2, (process + 1) * CHUNKS // 2)
        context.Process(target=worker, args=(numbers, theirs), daemon=True).start()
        connections.append(ours)

    fit = DistributedFit(FuzzyCMeans(n_clusters=3, random_state=0), features=COLUMNS)
    while fit.state is not None:
        for connection in connections:
            connection.send(fit.state)
        fit.update(reduce(merge, [connection.recv() for connection in connections]))  # always in the same order
    for connection in connections:
        connection.send(None)
    model = fit.finish()
    print(f"{model.n_iter_} iterations, centers:\n{model.cluster_centers_.round(3)}")

    together = np.concatenate([read_chunk(i) for i in range(CHUNKS)])
    expected = FuzzyCMeans(n_clusters=3, random_state=0).fit(together).cluster_centers_
    difference = np.abs(model.cluster_centers_ - expected).max()
    print(f"largest difference from the fit of one process: {difference:.1e}")
    assert difference < 1e-10


if __name__ == "__main__":
    main()
