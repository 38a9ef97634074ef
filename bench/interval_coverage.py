"""Coverage of the prediction intervals of tuned systems over random splits.

    OMP_NUM_THREADS=1 python bench/interval_coverage.py [--splits 50] [--level 0.9] [--learners linear,tree,auto] [--jobs 1]
    OMP_NUM_THREADS=1 python bench/interval_coverage.py --study [--data FOLDER] …

Each table is split 50 times into 80 % training rows and 20 % test rows; printed are the mean coverage of the test rows with
its standard error over the splits, the mean half width and the seconds of a fit. The tables are generated; with `--study`, they are
those of the study of learners (`bench/rules`) with a numeric target and 1,000 to 10,000 rows.
"""

import argparse
import functools
import multiprocessing
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from fuzzion import TskClassifier, TskRegressor
from sklearn.datasets import load_digits, make_friedman1
from sklearn.model_selection import train_test_split


def houses(rows, seed):
    random = np.random.default_rng(seed)
    income = np.clip(random.lognormal(1.2, 0.45, rows), 0.5, 15)
    rooms, age = random.uniform(2, 9, rows), random.uniform(1, 50, rows)
    price = 0.35 * income + 0.15 * rooms + 0.8 * ((income > 5) & (rooms > 6)) - 0.01 * age + random.normal(0, 0.25, rows)
    return np.column_stack([income, rooms, age]), price


def heteroscedastic(rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(0, 1, (rows, 4))
    return X, np.sin(4 * X[:, 0]) + X[:, 1] * X[:, 2] + (0.05 + X[:, 0]) * random.normal(0, 0.3, rows)


def heavy_tails(rows, seed):
    random = np.random.default_rng(seed)
    X = random.normal(0, 1, (rows, 6))
    return X, X[:, 0] - 2 * np.abs(X[:, 1]) + random.standard_t(2, rows)


def friedman1(rows, seed):
    return make_friedman1(rows, n_features=10, noise=1.0, random_state=seed)


TABLES = {"houses": houses, "friedman1": friedman1, "heteroscedastic": heteroscedastic, "heavy tails": heavy_tails}
LEARNERS = {
    "linear": dict(n_rules=1, init="tree"),
    "tree": dict(n_rules=10, init="tree"),
    "clusters": dict(n_rules=4, intervals=True),
    "validation": dict(n_rules=4, intervals=True, validation_fraction=0.2),
    "auto": dict(auto=True),
}


def line(name, learner, rows, results):
    coverages, widths, seconds = np.transpose(results)
    error = np.std(coverages, ddof=1) / len(coverages) ** 0.5
    print(
        f"{name:16} {rows:5} {learner:11} {100 * np.mean(coverages):6.2f} ± {100 * error:4.2f} "
        f"{np.mean(widths):9.4g} {np.mean(seconds):8.3f}",
        flush=True,
    )


def study_tables(folder):
    """Functions that return X and y of the tables of the study."""
    sys.path.insert(0, str(Path(__file__).parent / "rules"))
    from tables import tables

    loaded = {name: load() for name, (task, load) in tables(folder).items() if task == "regression"}
    return {name: rows for name, rows in loaded.items() if 1000 <= len(rows[1]) <= 10_000}


def split_result(X, y, learner, level, split):
    """Coverage, half width and seconds of one split."""
    warnings.simplefilter("ignore")
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=split)
    started = time.perf_counter()
    model = TskRegressor(random_state=split, **LEARNERS[learner]).fit(X_train, y_train)
    seconds = time.perf_counter() - started
    lower, upper = model.predict_interval(X_test, level).T
    return np.mean((lower <= y_test) & (y_test <= upper)), np.mean(upper - lower) / 2, seconds


def sets_of_digits(level, split):
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=split)
    started = time.perf_counter()
    model = TskClassifier(n_rules=2, loss="squared_error", max_iter=0, intervals=True, random_state=split).fit(X_train, y_train)
    seconds = time.perf_counter() - started
    sets = model.predict_set(X_test, level)
    return sets[np.arange(len(y_test)), y_test].mean(), sets.sum(axis=1).mean(), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=50)
    parser.add_argument("--level", type=float, default=0.9)
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 2000])
    parser.add_argument("--learners", default="linear,tree,clusters,validation")
    parser.add_argument("--study", action="store_true", help="the tables of the study of learners")
    parser.add_argument("--data", type=Path, help="folder with more tables of the study")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.study:
        all_tables = study_tables(arguments.data)
    else:
        names = [(name, rows) for rows in arguments.rows for name in TABLES]
        all_tables = {f"{name} {rows}": TABLES[name](rows, 0) for name, rows in names}
    splits, learners = range(arguments.splits), arguments.learners.split(",")
    print("table             rows learner     coverage in %  half width  seconds")
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool:
        for name, (X, y) in all_tables.items():
            for learner in learners:
                results = pool.map(functools.partial(split_result, X, y, learner, arguments.level), splits, chunksize=1)
                line(name, learner, len(y), results)
        if not arguments.study:
            results = pool.map(functools.partial(sets_of_digits, arguments.level), splits, chunksize=1)
            line("digits (sets)", "clusters", 1797, results)


if __name__ == "__main__":
    main()
