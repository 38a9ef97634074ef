"""Fuzzy c-means: one process with one and two threads, and Dask with two workers of one thread each, in one run.

Also measures the sizes of states and statistics, and the times of merging, broadcasting and scheduling, and estimates the time
of an iteration on 100 workers from them. Usage: `python bench/dask_workers.py [--rows 2000000] [--rounds 5]`.
"""

import argparse
import json
import os
import pickle
import platform
import subprocess
import sys
import time

import numpy as np

COLUMNS, CLUSTERS, CHUNKS, ITERATIONS = 32, 32, 20, 20
SHAPES = [("FuzzyCMeans", 32, 32), ("FuzzyCMeans", 64, 32), ("GustafsonKessel", 16, 32), ("GustafsonKessel", 64, 32)]


def block(i, rows):
    """The rows of a chunk, in single precision."""
    random = np.random.default_rng(i)
    centers = 2 * np.random.default_rng(1000).normal(size=(CLUSTERS, COLUMNS))
    return (random.normal(size=(rows, COLUMNS)) + centers[random.integers(0, CLUSTERS, rows)]).astype(np.float32)


def settings():
    start = block(0, CLUSTERS).astype(np.float64)
    return {"n_clusters": CLUSTERS, "init": start, "fuzzifier": 1.3, "tol": 0.0, "max_iter": ITERATIONS, "accelerate": False}


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def serve(rows):
    """Fits in this process, once per line of the input, with FUZZION_THREADS threads."""
    import warnings

    from fuzzion import FuzzyCMeans

    warnings.simplefilter("ignore")  # the fits do not converge
    X = np.concatenate([block(i, rows // CHUNKS) for i in range(CHUNKS)])
    FuzzyCMeans(**settings()).fit(X[:10_000])
    print("ready", flush=True)
    for _ in sys.stdin:
        seconds, model = timed(lambda: FuzzyCMeans(**settings()).fit(X))
        print(json.dumps([seconds, float(model.cluster_centers_.sum())]), flush=True)


class Process:
    """A process that fits with this number of threads."""

    def __init__(self, threads, rows):
        command = [sys.executable, __file__, "--serve", "--rows", str(rows)]
        environment = {**os.environ, "FUZZION_THREADS": str(threads)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout.readline() == "ready\n"

    def fit(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def compare(client, rows, rounds):
    """Best times of all rounds; the three kinds of fits alternate."""
    import dask.array as da
    from dask import delayed
    from fuzzion import dask as fd

    parts = [da.from_delayed(delayed(block)(i, rows // CHUNKS), (rows // CHUNKS, COLUMNS), np.float32) for i in range(CHUNKS)]
    X = da.concatenate(parts).persist()
    X.sum().compute()
    client.run(lambda: np.zeros(1))
    processes = {"1 thread": Process(1, rows), "2 threads": Process(2, rows)}
    times = {"1 thread": [], "2 threads": [], "2 workers": []}
    sums = set()
    for _ in range(rounds):
        for name, process in processes.items():
            seconds, centers = process.fit()
            times[name].append(seconds)
            sums.add(round(centers, 6))
        seconds, model = timed(lambda: fd.FuzzyCMeans(**settings()).fit(X))
        times["2 workers"].append(seconds)
        sums.add(round(float(model.cluster_centers_.sum()), 6))
    print(f"sums of the centers: {sums}")
    best = {name: min(seconds) for name, seconds in times.items()}
    threads, workers = best["1 thread"] / best["2 threads"], best["1 thread"] / best["2 workers"]
    for name, seconds in times.items():
        print(f"{name}: best {best[name]:.3f} s of {', '.join(f'{s:.3f}' for s in seconds)}")
    print(f"gain of two threads {threads:.2f}, of two workers {workers:.2f}: {workers / threads:.2f} of it")


def statistics_of(name, clusters, columns):
    """A state in the middle of a fit, and statistics of few rows, which have the same size as those of many."""
    import fuzzion

    X = np.random.default_rng(0).normal(size=(20 * columns * clusters, columns))
    fit = fuzzion.DistributedFit(getattr(fuzzion, name)(clusters, init=X[:clusters].copy(), max_iter=50), columns)
    for _ in range(3):
        fit.update(fuzzion.partial_statistics(X, fit.state))
    return fit.state, fuzzion.partial_statistics(X, fit.state)


def repeated(work, seconds=0.3):
    """Median time of one call."""
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        times.append(timed(work)[0])
    return float(np.median(times))


def measure(client):
    """Sizes and times of what is exchanged, for several shapes."""
    from dask import delayed

    client.wait_for_workers(2)
    workers = list(client.scheduler_info()["workers"])

    def tasks(count):
        nodes = [delayed(int)(i) for i in range(count)]
        return repeated(lambda: delayed(sum)(nodes).compute(), 1.0)

    few, many = tasks(20), tasks(220)
    per_task = (many - few) / 200
    print(f"Dask: {few * 1e3:.1f} ms for 21 empty tasks, {per_task * 1e3:.2f} ms per further task")
    print("estimator        C   F  state B  statistics B  merge ms  pickle ms  broadcast ms  reduction of 20 ms  100 workers ms")
    for shape in SHAPES:
        measure_shape(client, workers, per_task, *shape)


def measure_shape(client, workers, per_task, name, clusters, columns):
    from dask import delayed
    from fuzzion import merge
    from fuzzion._distributed import merge_all

    state, statistics = statistics_of(name, clusters, columns)
    sizes = len(pickle.dumps(state)), len(pickle.dumps(statistics))
    merging = repeated(lambda: merge(statistics, statistics))
    pickling = repeated(lambda: pickle.loads(pickle.dumps(statistics)))

    def broadcast():
        shared = delayed(state)
        nodes = [delayed(_step)(shared) for _ in workers for _ in range(5)]
        return delayed(len)(nodes).compute()

    level = list(client.persist([delayed(_same)(statistics) for _ in range(CHUNKS)]))

    def reduction():
        nodes = [delayed(merge_all)(level[i : i + 32]) for i in range(0, CHUNKS, 32)]
        return nodes[0].compute()

    broadcasting, reducing = repeated(broadcast, 1.0), repeated(reduction, 1.0)
    estimate = estimate_100(per_task, sizes, merging, pickling)
    print(
        f"{name:16} {clusters:3} {columns:3} {sizes[0]:8} {sizes[1]:13} {merging * 1e3:9.3f} {pickling * 1e3:10.3f} "
        f"{broadcasting * 1e3:13.1f} {reducing * 1e3:19.1f} {estimate * 1e3:15.1f}"
    )


def _step(state):
    return state.step


def _same(x):
    return x


def estimate_100(per_task, sizes, merging, pickling, bandwidth=1.25e9, latency=5e-4):
    """Overhead of one iteration with 100 workers and one chunk each, in seconds, for a network of 10 Gbit/s.

    All tasks pass the scheduler one after the other: 100 of chunks, 4 + 1 of the tree. The state is sent to one worker and
    passed on, which at least doubles the number of copies in each of 7 rounds. On the longest path of the tree, one task receives
    31 statistics and another one 3, unpickles and merges them; the last result is sent to the client.
    """
    state, statistics = sizes
    scheduling = (1 + 100 + 4 + 1) * per_task
    broadcast = 7 * (latency + state / bandwidth)
    reduction = 2 * latency + (31 + 3) * (statistics / bandwidth + pickling + merging)
    reduction += latency + statistics / bandwidth + pickling
    return scheduling + broadcast + reduction


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.rows)
        return
    import warnings

    import dask
    import distributed
    import fuzzion

    warnings.simplefilter("ignore")
    print(f"fuzzion {fuzzion.__version__}, dask {dask.__version__}, Python {platform.python_version()}, {os.cpu_count()} cores")
    print(f"load before: {', '.join(f'{load:.2f}' for load in os.getloadavg())}")
    print(f"{arguments.rows} rows × {COLUMNS} (f32), {CLUSTERS} clusters, {ITERATIONS} plain iterations, {CHUNKS} chunks")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        compare(client, arguments.rows, arguments.rounds)
        measure(client)
    print(f"load after: {', '.join(f'{load:.2f}' for load in os.getloadavg())}")


if __name__ == "__main__":
    main()
