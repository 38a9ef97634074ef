"""Times our CSV reader beside pandas' C parser on one file of 1,000,000 x 16 normal numbers, in turns.

Needs numpy and pandas; run from the project's root after `cargo build --release -p fuzzion --example read_table`.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import pandas

ROUNDS = 9
EXAMPLE = "target/release/examples/read_table"


def ours(path, threads):
    told = subprocess.run([EXAMPLE, path, str(threads)], capture_output=True, text=True, check=True).stdout
    return float(told.split()[-2])


def theirs(path):
    start = time.perf_counter()
    pandas.read_csv(path, engine="c")
    return time.perf_counter() - start


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "normal.csv")
        numbers = numpy.random.default_rng(1).normal(size=(1_000_000, 16))
        pandas.DataFrame(numbers, columns=[f"x{i}" for i in range(16)]).to_csv(path, index=False)
        cores = os.cpu_count()
        readers = {
            "fuzzion, 1 thread": lambda: ours(path, 1),
            f"fuzzion, {cores} threads": lambda: ours(path, cores),
            f"pandas {pandas.__version__}, engine c": lambda: theirs(path),
        }
        times = {name: [] for name in readers}
        for _ in range(ROUNDS):
            for name, read in readers.items():
                times[name].append(read())
        print(f"{os.path.getsize(path) / 1e6:.0f} MB, {ROUNDS} rounds, python {sys.version.split()[0]}")
        for name, seconds in times.items():
            print(f"{name:28} least {min(seconds):.3f} s   median {statistics.median(seconds):.3f} s")


if __name__ == "__main__":
    main()
