"""Model files of fitted estimators, in the formats of the command line."""

from __future__ import annotations

import json
import os
import pathlib
from numbers import Integral, Real
from typing import Any

import numpy as np

from ._validation import require_fitted


class SavedModel:
    """Saves and loads fitted estimators. The file is the one of the command line, with an additional entry for the parameters
    of the estimator, which the command line ignores.

    An estimator has its fitted model in `_model`, of the type `_model_type`.
    """

    _model_type: Any

    def _restore(self, model: Any, file: dict[str, Any]) -> None:
        """Sets the fitted attributes from a model and the contents of its file."""
        raise NotImplementedError

    def _state(self) -> dict[str, Any]:
        """What the model does not contain."""
        return {}

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in self.__dict__

    def to_json(self) -> str:
        """The fitted model in the file format of the command line, with the parameters of the estimator."""
        require_fitted(self)
        parameters = {
            name: plain for name, value in self.get_params(deep=False).items() if (plain := _plain(value)) is not Ellipsis
        }
        names = getattr(self, "feature_names_in_", None)
        estimator = {
            "class": type(self).__name__,
            "parameters": parameters,
            "n_features": self.n_features_in_,
            "feature_names": None if names is None else list(names),
            **self._state(),
        }
        text = self._model.to_json()
        return f'{text.rstrip()[:-1]},"estimator":{json.dumps(estimator)}}}'

    @classmethod
    def from_json(cls, text: str) -> Any:
        """The estimator in a text of :meth:`to_json`, or of a model file of the command line."""
        model = cls._model_type.from_json(text)
        file = json.loads(text)
        saved = file.get("estimator")
        if saved is None:
            estimator = cls()
        else:
            if saved["class"] != cls.__name__:
                raise ValueError(f"the model is a {saved['class']}, not a {cls.__name__}; use `{saved['class']}.load`")
            estimator = cls(**saved["parameters"])
            estimator.n_features_in_ = saved["n_features"]
            if saved["feature_names"] is not None:
                estimator.feature_names_in_ = np.array(saved["feature_names"], dtype=object)
        estimator._restore(model, file)
        return estimator

    def _set_columns(self, names: list[str]) -> None:
        """Sets the features of a model of the command line from its columns."""
        self.n_features_in_ = len(names)
        if names != default_names(len(names)):
            self.feature_names_in_ = np.array(names, dtype=object)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the fitted model as a JSON file, which the command line can read.

        Parameters that JSON cannot represent, such as a random number generator, are not saved.
        """
        temporary = pathlib.Path(f"{os.fspath(path)}.{os.getpid()}.tmp")
        try:
            temporary.write_text(self.to_json() + "\n", encoding="utf-8")
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Any:
        """Loads a model that was saved by :meth:`save` or by the command line."""
        text = pathlib.Path(path).read_text(encoding="utf-8")
        try:
            return cls.from_json(text)
        except ValueError as error:
            raise ValueError(f"cannot load `{os.fspath(path)}`: {error}") from None


def default_names(count: int) -> list[str]:
    """The names of the columns of a table without names."""
    return [f"c{i + 1}" for i in range(count)]


def _plain(value: Any) -> Any:
    """A value for JSON, or Ellipsis if there is none."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        values = [_plain(item) for item in value]
        return Ellipsis if any(item is Ellipsis for item in values) else values
    return Ellipsis
