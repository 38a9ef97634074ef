"""Docstrings of estimators with common parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable


def documented(common: str) -> Callable[[type], type]:
    """A decorator that replaces ``{common}`` in the docstring of a class."""

    def decorate(cls: type) -> type:
        # Python 3.13 removes the indentation of docstrings, earlier versions do not.
        cls.__doc__ = inspect.cleandoc(cls.__doc__ or "").replace("{common}", inspect.cleandoc(common))
        return cls

    return decorate
