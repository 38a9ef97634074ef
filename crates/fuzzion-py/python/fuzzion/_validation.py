"""Checks of parameters and data that all estimators share."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, validate_data

from ._arrays import DATES, CudaRows, cuda_rows, is_cuda_array, require_gpu

_TYPES = (np.dtype(np.float64), np.dtype(np.float32))
_MISSING_CHOICES = {
    "partial": "distances without the missing values",
    "drop": "firing strengths without the missing values",
}


def real(name: str, value: Any) -> float:
    """A finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"`{name}` is {value!r}, but it must be a finite number")
    return number


def integer(name: str, value: Any) -> int:
    """A nonnegative integer."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 0:
        raise ValueError(f"`{name}` is {value!r}, but it must be a positive integer")
    return int(value)


def choice(name: str, value: Any, choices: dict[str, Any]) -> Any:
    """The value of one of the choices."""
    if not isinstance(value, str) or value not in choices:
        *first, last = choices
        raise ValueError(f"unknown `{name}` `{value}`; expected {', '.join(first)} or {last}")
    return choices[value]


def seed_of(random_state: Any) -> int:
    """The seed of the library: an integer is the value of `--seed` of the command line."""
    if isinstance(random_state, Integral) and not isinstance(random_state, bool) and 0 <= random_state < 2**32:
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def with_parameter_names(error: ValueError, names: dict[str, str]) -> ValueError:
    """The error with the names of the parameters instead of those of the library's settings."""
    return ValueError(re.sub(r"`(\w+)`", lambda name: f"`{names.get(name[1], name[1])}`", str(error)))


@contextmanager
def renamed_settings(names: dict[str, str]) -> Iterator[None]:
    """Replaces the names of the library's settings in messages by the names of the parameters."""
    try:
        yield
    except ValueError as error:
        raise with_parameter_names(error, names) from None


def require_fitted(estimator: Any) -> None:
    """Raises NotFittedError before `fit`; takes less time than `check_is_fitted`, which computes the tags."""
    if "_model" not in estimator.__dict__:
        name = type(estimator).__name__
        raise NotFittedError(f"This {name} instance is not fitted yet; call `fit` before using it")


def valid_rows(
    estimator: Any, X: Any, *, reset: bool = False, allow_nan: bool = False, min_samples: int = 1
) -> np.ndarray | CudaRows:
    """The rows of X as the library needs them: a contiguous array of float64 or float32, or an array in GPU memory."""
    if is_cuda_array(X):
        return valid_cuda_rows(estimator, X, reset=reset)
    if is_valid_array(estimator, X, reset, min_samples):
        if reset:
            set_features(estimator, X)
        return X
    with explain_data_errors(estimator, X):
        rows = validate_data(
            estimator,
            X,
            reset=reset,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite="allow-nan" if allow_nan else True,
            ensure_min_samples=min_samples,
        )
    return np.require(rows, requirements="CA")  # the memory of other processes need not be aligned


@contextmanager
def explain_data_errors(estimator: Any, X: Any) -> Iterator[None]:
    """Rejects dates, which scikit-learn converts to numbers of an arbitrary unit, and names the parameter for missing values."""
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        types = [(f"column `{name}`", dtype) for name, dtype in zip(X.columns, X.dtypes, strict=True)]
    else:
        types = [("the array", getattr(X, "dtype", None))]
    for where, dtype in types:
        temporal = getattr(dtype, "is_temporal", bool)  # of polars
        if getattr(dtype, "kind", "") in tuple(DATES) or temporal():
            raise ValueError(f"{where} contains dates, but numbers are needed; convert them, for example to days since a date")
    try:
        yield
    except ValueError as error:
        if "Input X contains NaN" not in str(error):
            raise
        choice = estimator._missing_choice
        use = f'use `missing="{choice}"` ({_MISSING_CHOICES[choice]}), or ' if choice else ""
        raise ValueError(f"Input X contains NaN; {use}fill in or drop the missing values") from None


def set_features(estimator: Any, X: np.ndarray) -> None:
    """Sets the attributes that `validate_data` sets for an array."""
    estimator.n_features_in_ = X.shape[1]
    estimator.__dict__.pop("feature_names_in_", None)


def is_valid_array(estimator: Any, X: Any, reset: bool, min_samples: int) -> bool:
    """Whether an array needs no conversion and passes all checks of `validate_data`, which takes longer than a prediction of
    few rows."""
    if type(X) is not np.ndarray or X.dtype not in _TYPES or X.ndim != 2 or not (X.flags.c_contiguous and X.flags.aligned):
        return False
    rows, columns = X.shape
    if rows < min_samples or columns < 1:
        return False
    if not reset and (columns != estimator.n_features_in_ or "feature_names_in_" in estimator.__dict__):
        return False
    return has_finite_values(X)


def has_finite_values(X: np.ndarray) -> bool:
    """Whether all values are finite; false also if they are very large, so that `validate_data` has to examine each one."""
    return math.isfinite(np.vdot(X, X))


def valid_cuda_rows(estimator: Any, X: Any, *, reset: bool = False) -> CudaRows:
    """The rows of an array in GPU memory."""
    require_gpu(X, estimator.device)
    rows = cuda_rows(X)
    if reset:
        estimator.n_features_in_ = rows.columns
    elif rows.columns != estimator.n_features_in_:
        raise ValueError(
            f"X has {rows.columns} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} "
            "features as input."
        )
    return rows


def valid_weights(sample_weight: Any, rows: np.ndarray | CudaRows) -> np.ndarray | None:
    """Sample weights as a contiguous array."""
    if sample_weight is None:
        return None
    X = np.empty((rows.rows, 1)) if isinstance(rows, CudaRows) else rows
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    return np.require(weights, requirements="CA")
