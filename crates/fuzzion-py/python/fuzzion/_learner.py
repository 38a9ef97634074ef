"""The methods that all estimators of learned rules have."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from ._arrays import as_double, cuda_rows, from_device, is_cuda_array, is_finite, like_array, softmax, to_host
from ._device import open_device
from ._saving import SavedModel, default_names
from ._system import System
from ._validation import (
    choice,
    explain_data_errors,
    has_finite_values,
    is_valid_array,
    require_fitted,
    set_features,
    valid_cuda_rows,
    valid_rows,
)

Targets = np.ndarray | tuple[np.ndarray, list[str]]


class RuleLearner(SavedModel, BaseEstimator):
    """Methods of all estimators whose model is a fuzzy system."""

    missing: str
    device: str
    _missing_choice = "drop"  # of the parameter `missing`, for rows with NaN

    @property
    def system_(self) -> System:
        """The learned rules, in the units of the data: one output per target, or per class in the order of `classes_`."""
        require_fitted(self)
        return System._from(self._model.system)

    def _names(self) -> list[str]:
        """Names of the columns."""
        names = getattr(self, "feature_names_in_", None)
        return default_names(self.n_features_in_) if names is None else [str(name) for name in names]

    def _inputs(self, X: np.ndarray, weights: np.ndarray | None = None) -> list[str]:
        """Names of the columns that vary; the others cannot be inputs."""
        rows = X if weights is None else X[weights > 0]
        if len(rows) == 0:
            return []
        varies = np.fmin.reduce(rows) < np.fmax.reduce(rows)
        return [name for name, varies in zip(self._names(), varies, strict=True) if varies]

    def _outputs(self, X: Any) -> Any:
        """The outputs of the model, one column per target or class, in the library and memory of X."""
        require_fitted(self)
        if is_cuda_array(X):
            outputs = self._outputs_on_device(X)
            if outputs is not None:
                return outputs
            return like_array(self._outputs_of(valid_rows(self, to_host(X), allow_nan=self.missing == "drop")), X)
        return self._outputs_of(valid_rows(self, X, allow_nan=self.missing == "drop"))

    def _outputs_of(self, rows: np.ndarray) -> np.ndarray:
        return self._model.outputs(self._names(), rows, open_device(self.device))

    def _outputs_on_device(self, X: Any) -> Any | None:
        """The outputs of the system, in GPU memory. ``None`` if it does not have the outputs of the model in all rows: without
        the logarithms that the model computes with, no rule fires far from all rules."""
        rows = valid_cuda_rows(self, X)
        if self.missing != "error" or len(self._model.inputs) != self.n_features_in_:
            return None
        double = rows if rows.double else cuda_rows(as_double(rows.owner))
        outputs = from_device(self._model.system.infer_on_device(double, open_device(self.device)), double.owner)
        return self._link(outputs) if is_finite(outputs) else None

    def _link(self, outputs: Any) -> Any:
        """The outputs of the model for outputs of the system."""
        return outputs

    def _set_results(self, model: Any) -> None:
        report = json.loads(model.report)
        self._model = model
        self.n_rules_ = report["rules"]
        # A solution without iterations counts as one, as scikit-learn expects.
        self.n_iter_ = max(report["iterations"] if "iterations" in report else report["epochs"], 1)
        self.loss_history_ = _floats(report["history"], "loss")
        validation = "validation_rmse" if "iterations" in report else "validation_error"
        self.__dict__.pop("validation_history_", None)
        if any(point[validation] is not None for point in report["history"]):
            self.validation_history_ = _floats(report["history"], validation)
        for name in ("trials", "path"):
            self.__dict__.pop(f"{name}_", None)
            if report.get(name):
                setattr(self, f"{name}_", report[name])

    def _warn(self, model: Any) -> None:
        for message in model.warnings:
            if "the same value in every row" not in message:  # as in other estimators, such columns are not worth a warning
                warnings.warn(message, UserWarning, stacklevel=4)

    def _restore(self, model: Any, file: dict[str, Any]) -> None:
        if "estimator" not in file:
            self._set_columns(model.inputs)
        self._set_results(model)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "drop"
        return tags

    def _valid_training_data(self, X: Any, y: Any, reset: bool, **checks: Any) -> tuple[np.ndarray, np.ndarray]:
        min_samples = 2 if reset else 1
        if self._is_valid_target(y) and getattr(X, "dtype", None) == np.float64 and len(X) == len(y):
            if is_valid_array(self, X, reset, min_samples):  # takes less time than `validate_data`
                if reset:
                    set_features(self, X)
                return X, y
        X = to_host(X)
        with explain_data_errors(self, X):
            return validate_data(
                self,
                X,
                to_host(y),
                reset=reset,
                dtype=np.float64,
                order="C",
                ensure_all_finite="allow-nan" if self.missing == "drop" else True,
                ensure_min_samples=min_samples,
                **checks,
            )

    def _is_valid_target(self, y: Any) -> bool:
        """Whether a target needs no conversion and passes all checks."""
        raise NotImplementedError


class RuleRegressor(MultiOutputMixin, RegressorMixin, RuleLearner):
    """Methods of regressors."""

    def _training_data(self, X: Any, y: Any, reset: bool) -> tuple[np.ndarray, list[str], np.ndarray]:
        """The rows, and the names and values of the targets."""
        rows, targets = self._valid_training_data(X, y, reset, multi_output=True, y_numeric=True)
        if reset:
            self._flat = targets.ndim == 1
        targets = np.ascontiguousarray(targets.reshape(len(rows), -1), dtype=np.float64)
        return rows, self._target_names(y, targets.shape[1]), targets

    def _is_valid_target(self, y: Any) -> bool:
        return type(y) is np.ndarray and y.dtype == np.float64 and y.ndim == 1 and has_finite_values(y)

    def _target_names(self, y: Any, count: int) -> list[str]:
        names = getattr(y, "columns", None)
        names = [getattr(y, "name", None)] if names is None else list(names)
        return self._unused_names(names, count)

    def _unused_names(self, names: list[Any], count: int) -> list[str]:
        """Names of the targets that differ from each other and from those of the features."""
        if len(names) != count or None in names or len({str(name) for name in names}) != count:
            names = ["y"] if count == 1 else [f"y{i + 1}" for i in range(count)]
        taken = set(self._names())
        return [_unused(str(name), taken) for name in names]

    def predict(self, X: Any) -> Any:
        """Predicts the targets of each row.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Also an array of PyTorch or CuPy in GPU memory, with ``device="cuda"``.

        Returns
        -------
        array of shape (n_samples,) or (n_samples, n_targets)
            In the library and memory of X.
        """
        outputs = self._outputs(X)
        return outputs.reshape(-1) if self._flat else outputs

    def _restore(self, model: Any, file: dict[str, Any]) -> None:
        if model.classes:
            raise ValueError(f"the model predicts classes; use `{type(self).__name__.replace('Regressor', 'Classifier')}.load`")
        super()._restore(model, file)
        self._flat = file["estimator"]["flat"] if "estimator" in file else len(model.targets) == 1

    def _state(self) -> dict[str, Any]:
        return {"flat": self._flat}


class RuleClassifier(ClassifierMixin, RuleLearner):
    """Methods of classifiers."""

    loss: str
    _softmax: bool

    def _training_data(
        self, X: Any, y: Any, reset: bool, classes: Any = None
    ) -> tuple[np.ndarray, list[str], tuple[np.ndarray, list[str]]]:
        """The rows, the name of the target, and the index of the class of each row with the names of the classes."""
        name = getattr(y, "name", None)
        valid = self._is_valid_target(y)
        rows, y = self._valid_training_data(X, y, reset)
        if not valid:
            check_classification_targets(y)
            y = column_or_1d(y, warn=True)
        if reset:
            self.classes_ = np.unique(y if classes is None else classes)
            if len(self.classes_) < 2:
                raise ValueError(f"y contains only the class {self.classes_[0]}; a classifier needs at least two classes")
        codes = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        unknown = np.flatnonzero(self.classes_[codes] != y)
        if len(unknown):
            raise ValueError(f"y contains the class {y[unknown[0]]}, but the classes are {self.classes_.tolist()}")
        target = _unused("y" if name is None else str(name), set(self._names()))
        return rows, [target], (codes.astype(np.int64), self._class_names())

    def _is_valid_target(self, y: Any) -> bool:
        return type(y) is np.ndarray and y.dtype.kind in "biuU" and y.ndim == 1

    def _classify(self) -> str:
        """The loss in the library's settings."""
        return choice("loss", self.loss, {"log_loss": "cross-entropy", "squared_error": "one-hot"})

    def _class_names(self) -> list[str]:
        return [str(name) for name in self.classes_]

    def _set_results(self, model: Any) -> None:
        super()._set_results(model)
        names = model.classes
        self._order = [names.index(name) for name in self._class_names()]  # of the outputs

    def predict(self, X: Any) -> Any:
        """Predicts the class of each row: the one with the largest output.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Also an array of PyTorch or CuPy in GPU memory, with ``device="cuda"``.

        Returns
        -------
        array of shape (n_samples,)
            In the library and memory of X, if the classes are numbers.
        """
        codes = self._outputs(X)[:, self._order].argmax(1)
        if not is_cuda_array(codes):
            return self.classes_[codes]
        if self.classes_.dtype.kind in "biuf":
            return like_array(self.classes_, codes)[codes]
        return self.classes_[to_host(codes)]

    def predict_proba(self, X: Any) -> Any:
        """Predicts the probability of each class: with ``loss="log_loss"``, the softmax of the outputs of `system_`,
        exp(yₖ) / Σ exp(yⱼ); otherwise the outputs, limited to the range from 0 to 1 and divided by their sum.

        Returns
        -------
        array of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        outputs = self._outputs(X)[:, self._order]
        if self._softmax:
            return outputs
        outputs = outputs.clip(1e-12, 1.0)  # rows without a positive output have equal probabilities
        return outputs / outputs.sum(1)[:, None]

    def _link(self, outputs: Any) -> Any:
        return softmax(outputs) if self._softmax else outputs

    def _restore(self, model: Any, file: dict[str, Any]) -> None:
        if not model.classes:
            raise ValueError(f"the model predicts numbers; use `{type(self).__name__.replace('Classifier', 'Regressor')}.load`")
        if "estimator" in file:
            self.classes_ = np.array(file["estimator"]["classes"], dtype=file["estimator"]["classes_type"])
        else:
            self.classes_ = _parsed(model.classes)
        self._softmax = self._has_softmax(file)
        super()._restore(model, file)

    def _has_softmax(self, file: dict[str, Any]) -> bool:
        """Whether the model in a file was trained with cross-entropy."""
        raise NotImplementedError

    def _state(self) -> dict[str, Any]:
        return {"classes": self.classes_.tolist(), "classes_type": self.classes_.dtype.str}


def _floats(history: list[dict[str, Any]], name: str) -> np.ndarray:
    return np.array([np.inf if point[name] is None else point[name] for point in history], dtype=np.float64)


def _unused(name: str, taken: set[str]) -> str:
    """A name that is not taken."""
    while name in taken:
        name += "_"
    return name


def _parsed(names: Sequence[str]) -> np.ndarray:
    """Sorted classes: integers if all names are integers, as in tables of the command line."""
    try:
        numbers = [int(name) for name in names]
    except ValueError:
        return np.unique(names)
    return np.unique(numbers) if [str(number) for number in numbers] == list(names) else np.unique(names)
