"""Fuzzy computing at scale: scikit-learn estimators, fuzzy systems and images on CPUs and NVIDIA GPUs."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from ._fuzzion import VERSION as __version__

if TYPE_CHECKING:
    from . import sets
    from ._builder import Input, Output, Rule, else_rule, hedge, rule, somewhat, very
    from ._clustering import FuzzyCMeans, GathGeva, GustafsonKessel, PossibilisticCMeans
    from ._distributed import DistributedFit, merge, partial_statistics
    from ._formula import evaluate
    from ._images import edges, window
    from ._model_plots import plot_history, plot_memberships
    from ._numbers import FuzzyArray, FuzzyNumber
    from ._plots import plot_number, plot_rules, plot_sets, plot_surface
    from ._sonfin import SonfinClassifier, SonfinRegressor
    from ._system import Explanation, System, read
    from ._tsk import TskClassifier, TskRegressor

__all__ = [
    "DistributedFit",
    "Explanation",
    "FuzzyArray",
    "FuzzyCMeans",
    "FuzzyNumber",
    "GathGeva",
    "GustafsonKessel",
    "Input",
    "Output",
    "PossibilisticCMeans",
    "Rule",
    "SonfinClassifier",
    "SonfinRegressor",
    "System",
    "TskClassifier",
    "TskRegressor",
    "__version__",
    "edges",
    "else_rule",
    "evaluate",
    "hedge",
    "merge",
    "partial_statistics",
    "plot_history",
    "plot_memberships",
    "plot_number",
    "plot_rules",
    "plot_sets",
    "plot_surface",
    "read",
    "rule",
    "sets",
    "somewhat",
    "very",
    "window",
]

# Modules are imported when they are first used: the command `fuzzion` must not wait for scikit-learn.
_MODULES = {
    "_builder": ("Input", "Output", "Rule", "else_rule", "hedge", "rule", "somewhat", "very"),
    "_clustering": ("FuzzyCMeans", "GathGeva", "GustafsonKessel", "PossibilisticCMeans"),
    "_distributed": ("DistributedFit", "merge", "partial_statistics"),
    "_formula": ("evaluate",),
    "_images": ("edges", "window"),
    "_model_plots": ("plot_history", "plot_memberships"),
    "_numbers": ("FuzzyArray", "FuzzyNumber"),
    "_plots": ("plot_number", "plot_rules", "plot_sets", "plot_surface"),
    "_sonfin": ("SonfinClassifier", "SonfinRegressor"),
    "_system": ("Explanation", "System", "read"),
    "_tsk": ("TskClassifier", "TskRegressor"),
}


def __getattr__(name: str) -> object:
    if name in ("dask", "sets"):
        return _import_module(f".{name}", __name__)
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(_import_module(f".{module}", __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
