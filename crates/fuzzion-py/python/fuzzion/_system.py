"""Fuzzy systems."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _fuzzion
from ._arrays import cuda_rows, from_device, host_rows, is_cuda_array, require_gpu
from ._builder import Input, Output, Rule, list_of, system_json
from ._device import open_device
from ._frames import Frame
from ._progress import progress_bar


@dataclass(frozen=True)
class Explanation:
    """The explanation of the outputs of one row; ``print`` shows a report."""

    memberships: dict[str, dict[str, float]]
    """Memberships of each input in its sets."""
    firing_strengths: list[tuple[str, float]]
    """Each rule with its firing strength."""
    outputs: dict[str, float]
    text: str
    """The report."""

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from ._html import explanation_html

        return explanation_html(self)


class System:
    """A fuzzy system: Mamdani, Takagi-Sugeno, Tsukamoto or interval type-2.

    Created from variables and rules, or read from a file by :func:`read`::

        from fuzzion import Input, Output, System, rule, sets

        service = Input("service", 0, 10, poor=sets.gaussian(0, 1.5), good=sets.gaussian(10, 1.5))
        food = Input("food", 0, 10, rancid=sets.trapezoid(-2, 0, 1, 3), delicious=sets.trapezoid(7, 9, 10, 12))
        tip = Output("tip", 0, 30, cheap=sets.triangle(0, 5, 10), generous=sets.triangle(20, 25, 30))
        tipper = System([service, food], [tip], [
            rule(service["poor"] | food["rancid"], tip["cheap"]),
            rule(service["good"] & ~food["rancid"], tip["generous"]),
        ])
        tipper.infer([[3, 7.5], [8, 9]])

    Parameters
    ----------
    inputs, outputs : lists of Input and Output
        Their order is the order of the columns of arrays.
    rules : list of Rule
        Created by :func:`rule` and :func:`else_rule`.
    name, description : str
    conjunction, disjunction, implication : str
        T-norm of ``&``, s-norm of ``|``, and t-norm of the consequents, with the names of fuzzylite: ``"Minimum"``,
        ``"AlgebraicProduct"``, ...; ``"Maximum"``, ``"AlgebraicSum"``, .... The conjunction can also be ``"Mean"``.
    activation : str
        As in FLL.
    dialect : str
        The engine whose results are reproduced: ``"fuzzylite8"``, ``"fuzzylite6"``, ``"matlab"`` or ``"iec"``.
    """

    _system: _fuzzion.System

    def __init__(
        self,
        inputs: Iterable[Input],
        outputs: Iterable[Output],
        rules: Iterable[Rule],
        *,
        name: str = "",
        description: str = "",
        conjunction: str = "Minimum",
        disjunction: str = "Maximum",
        implication: str = "Minimum",
        activation: str = "General",
        dialect: str = "fuzzylite8",
    ):
        block = {
            "conjunction": conjunction,
            "disjunction": disjunction,
            "implication": implication,
            "activation": activation,
        }
        variables = list_of(Input, inputs, "inputs"), list_of(Output, outputs, "outputs")
        text = json.dumps(system_json(*variables, list_of(Rule, rules, "rules"), block, name, description))
        self._system = _fuzzion.System.parse(text, "json", dialect)

    @classmethod
    def _from(cls, system: _fuzzion.System) -> System:
        wrapped = cls.__new__(cls)
        wrapped._system = system
        return wrapped

    @classmethod
    def from_text(cls, text: str, format: str, *, dialect: str | None = None) -> System:
        """Parses a system in the format ``"fll"``, ``"fis"``, ``"fcl"`` or ``"json"``."""
        if format == "json" and dialect is None:
            try:
                dialect = json.loads(text).get("dialect")
            except (ValueError, AttributeError):
                pass  # reported by the parser, with the position
        return cls._from(_fuzzion.System.parse(text, format, dialect))

    @property
    def name(self) -> str:
        """Name of the system."""
        return self._system.name

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs, in the order of the columns of arrays."""
        return self._system.inputs

    @property
    def outputs(self) -> list[str]:
        """Names of the outputs."""
        return self._system.outputs

    @property
    def rules(self) -> list[str]:
        """Texts of the rules."""
        return self._system.rules

    @property
    def formulas(self) -> list[str]:
        """Texts of the rules with the rounded values or formulas of their consequents, for Takagi-Sugeno systems."""
        return self._system.formulas

    @property
    def dialect(self) -> str:
        """The engine whose results are reproduced."""
        return self._system.dialect

    @property
    def is_interval(self) -> bool:
        """Whether this is an interval type-2 system."""
        return self._system.is_interval

    def with_dialect(self, dialect: str) -> System:
        """The same system with another dialect."""
        return System._from(self._system.with_dialect(dialect))

    def infer(self, X: Any, *, device: str = "cpu", verbose: bool = False) -> Any:
        """Infers the outputs of every row.

        Parameters
        ----------
        X : array, dict, list of dict, DataFrame or Table
            An array with one column per input (NumPy, or PyTorch and CuPy in GPU memory); or columns by name: a dictionary of
            columns (or of numbers, for one row), a list of such rows, a DataFrame of pandas or polars, or a Table of pyarrow.
            Columns with other names are ignored. Missing values follow the rules of the dialect. The result is lazy for a dask array or
            dataframe.
        device : str
            ``"cpu"``, ``"cuda"``, ``"cuda:N"`` or ``"best"`` (a GPU if the problem is large enough for it).
        verbose : bool
            Whether to show a progress bar.

        Returns
        -------
        of the kind of `X`
            One column per output, in the precision of `X`.
        """
        if type(X).__module__.partition(".")[0] == "dask":
            from .dask import infer

            return infer(self, X, device=device)
        opened = open_device(device)
        if is_cuda_array(X):
            require_gpu(X, device)
            rows = cuda_rows(X)
            return from_device(self._system.infer_on_device(rows, opened), rows.owner)
        frame = Frame.of(X)
        with progress_bar(verbose, "inferring") as progress:
            outputs = self._system.infer(self._rows(X, frame), opened, progress=progress)
        return outputs if frame is None else frame.result(self.outputs, outputs)

    def infer_bounds(self, X: Any, *, device: str = "cpu") -> tuple[Any, Any]:
        """The lower and upper bounds of the outputs of an interval type-2 system, of the kind of `X`."""
        frame = Frame.of(X)
        bounds = self._system.infer_bounds(self._rows(X, frame), open_device(device))
        if frame is None:
            return bounds
        lower, upper = (frame.result(self.outputs, bound) for bound in bounds)
        return lower, upper

    def _rows(self, X: Any, frame: Frame | None) -> np.ndarray:
        """The columns of the inputs."""
        if frame is not None:
            return frame.rows(self.inputs, self._system.input_descriptions)
        rows = host_rows(X)
        if rows.shape[1] != len(self.inputs):
            names = ", ".join(f"`{name}`" for name in self.inputs)
            raise ValueError(
                f"the array has {rows.shape[1]} columns, but the system has {len(self.inputs)} inputs; pass the columns {names}"
            )
        return rows

    def explain(self, row: Mapping[str, float] | Sequence[float]) -> Explanation:
        """Explains the outputs of one row, given as a dictionary, as a Series of pandas, or in the order of the inputs."""
        if not isinstance(row, Mapping) and hasattr(row, "to_dict"):
            row = row.to_dict()
        if isinstance(row, Mapping):
            missing = [name for name in self.inputs if name not in row]
            if missing:
                raise ValueError(f"missing input `{missing[0]}`; available: {', '.join(f'`{name}`' for name in row)}")
            row = [row[name] for name in self.inputs]
        return Explanation(**self._system.explain([float(x) for x in row]))

    def to_fll(self) -> str:
        """The system in the FuzzyLite Language, which does not store the dialect: a warning says so if it is not fuzzylite8.
        Names that fuzzylite does not allow are replaced; a comment keeps the original, for :func:`read`."""
        return self._with_warning(self._system.to_fll(), "fll")

    def to_fis(self) -> str:
        """The system in the format of MATLAB, which does not store the dialect: a warning says so if it is not matlab."""
        return self._with_warning(self._system.to_fis(), "fis")

    def _with_warning(self, result: Any, format: str) -> Any:
        """The result, after a warning if a format changes the dialect."""
        dialect = _fuzzion.dialect_of_format(format)
        if dialect not in (None, self.dialect):
            warnings.warn(
                f"the system has the dialect {self.dialect}, but `.{format}` files are read with the dialect {dialect}, so that "
                f'its outputs can change; save it as JSON, or use `read(path).with_dialect("{self.dialect}")`',
                UserWarning,
                stacklevel=3,
            )
        return result

    def to_json(self) -> str:
        """The system in the JSON format of Fuzzion, which represents every system and its dialect."""
        return self._system.to_json()

    def to_c(self) -> str:
        """A C99 function that computes the outputs in double precision, without dependencies."""
        return self._system.export("c", "f64")

    def to_rust(self) -> str:
        """A Rust function that computes the outputs in double precision and requires only ``core``."""
        return self._system.export("rust", "f64")

    def to_cuda(self, *, precision: str = "f64") -> str:
        """A CUDA C++ kernel that computes the outputs of many rows, in the precision ``"f32"`` or ``"f64"``."""
        return self._system.export("cuda", precision)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the system as `.fll`, `.fis` or `.json`; only JSON keeps the dialect, and a warning says so if another format
        changes it."""
        self._system.save(path)
        self._with_warning(None, os.path.splitext(os.fspath(path))[1][1:].lower())

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        rules = len(self.rules)
        return f"<System {name}{', '.join(self.inputs)} → {', '.join(self.outputs)}, {rules} rule{'s' * (rules != 1)}>"

    def _repr_html_(self) -> str:
        from ._html import system_html

        return system_html(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, System):
            return NotImplemented
        return self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]


def read(path: str | os.PathLike[str], *, block: str | None = None) -> System:
    """Reads a system from a `.fll` (fuzzylite), `.fis` (MATLAB), `.fcl` (IEC 61131-7) or `.json` file, or a built-in
    system by its name. `block` selects a function block of an `.fcl` file that has several."""
    built_in = dict(_fuzzion.built_in_systems())
    name = os.fspath(path)
    if name in built_in:
        return System.from_text(built_in[name], "fll")
    if not os.path.splitext(name)[1] and not os.path.exists(name):
        raise ValueError(f"unknown system `{name}`; expected a file, or one of {', '.join(f'`{known}`' for known in built_in)}")
    return System._from(_fuzzion.System.load(path, block))
