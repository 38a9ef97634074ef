"""Times one iteration of our fuzzy c-means (m = 2) beside its Python peers on uniform numbers, in turns, one thread.

Needs numpy and scikit-learn, and takes scikit-fuzzy (with packaging) and fuzzy-c-means where they are installed; run
from the project's root after `cargo build --release`. scikit-learn's clusters are hard and in single precision like
ours; the two fuzzy peers know double precision only. An iteration of theirs is the difference of long and short runs
over the difference of their iterations, so that checking and starting do not count.
"""
import os

os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})

import argparse
import importlib.metadata
import json
import statistics
import subprocess
import time
import warnings

import numpy
from sklearn.cluster import KMeans

try:
    import skfuzzy
except ImportError:
    skfuzzy = None
try:
    import fcmeans
except ImportError:
    fcmeans = None

SHAPES = [(64, 4096, 4), (64, 4096, 32), (16, 40960, 32), (4, 409600, 8), (64, 1_000_000, 32)]
LARGE = 10_000_000  # rows times clusters above which a peer that stores them all runs once only


def ours(threads):
    """Milliseconds of an iteration by shape."""
    command = ["target/release/fuzzion", "--threads", str(threads), "bench", "clustering", "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    seconds = {m["name"]: m["seconds"] for m in told["measurements"]}
    return {(c, n, f): 1e3 * seconds[f"clustering/fcm/f32/c{c}/{n}x{f}"] for c, n, f in SHAPES}


def scikit_learn(x, clusters, iterations):
    settings = {"init": x[:clusters], "n_init": 1, "tol": 0.0, "max_iter": iterations, "algorithm": "lloyd"}
    return KMeans(clusters, **settings).fit(x).n_iter_


def scikit_fuzzy(x, clusters, iterations):
    return skfuzzy.cmeans(x.T, clusters, 2.0, error=0.0, maxiter=iterations, seed=1)[5]


def fuzzy_c_means(x, clusters, iterations):
    fcmeans.FCM(n_clusters=clusters, m=2.0, max_iter=iterations, error=1e-9, random_state=1).fit(x)
    return iterations


class Peer:
    """Runs of a peer on one shape, short and long in turns."""

    def __init__(self, run, samples, clusters):
        self.once = run is not scikit_learn and len(samples) * clusters > LARGE
        self.run = run
        self.samples = samples if run is scikit_learn else samples.astype(numpy.float64)
        self.clusters = clusters
        self.lengths = (2, 3) if self.once else (2, 6) if len(samples) * clusters > LARGE else (2, 22)
        self.seconds = ([], [])
        self.iterations = [0, 0]

    def turn(self):
        if self.once and self.seconds[0]:
            return
        for which, length in enumerate(self.lengths):
            start = time.perf_counter()
            self.iterations[which] = self.run(self.samples, self.clusters, length)
            self.seconds[which].append(time.perf_counter() - start)

    def milliseconds(self, middle):
        short, long = (middle(seconds) for seconds in self.seconds)
        return 1e3 * (long - short) / (self.iterations[1] - self.iterations[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--hard-only", action="store_true", help="scikit-learn alone, which takes seconds not minutes")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")  # scikit-learn says that so few iterations do not converge
    runs = {"scikit-learn": scikit_learn}
    for name, module, run in [("scikit-fuzzy", skfuzzy, scikit_fuzzy), ("fuzzy-c-means", fcmeans, fuzzy_c_means)]:
        if arguments.hard_only:
            continue
        if module:
            runs[name] = run
        else:
            print(f"{name} cannot be imported and is left out")
    random = numpy.random.default_rng(1)
    samples = {shape: random.random(shape[1:], dtype=numpy.float32) for shape in SHAPES}
    peers = {(name, shape): Peer(run, samples[shape], shape[0]) for name, run in runs.items() for shape in SHAPES}
    cores = os.cpu_count()
    threads = {"fuzzion": 1, f"fuzzion, {cores} threads": cores}
    times = {(name, shape): [] for name in threads for shape in SHAPES}
    for _ in range(arguments.rounds):
        for name, count in threads.items():
            for shape, took in ours(count).items():
                times[name, shape].append(took)
        for peer in peers.values():
            peer.turn()
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in runs)
    print(f"ms per iteration, median and least of {arguments.rounds} rounds; {versions}")
    for shape in SHAPES:
        print("C={}, N={}, F={}".format(*shape))
        rows = [(name, statistics.median(times[name, shape]), min(times[name, shape])) for name in threads]
        rows += [(name, *map(peers[name, shape].milliseconds, (statistics.median, min))) for name in runs]
        for name, median, least in rows:
            ratios = f"{median / rows[0][1]:9.2f} {least / rows[0][2]:9.2f} times fuzzion's"
            print(f"  {name:20} {median:11.3f} {least:11.3f} {ratios}")


if __name__ == "__main__":
    main()
