"""Systems written in Python: variables with sets, and rules with operators."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from . import _fuzzion
from .sets import Set, _number

_KEYWORDS = {"if", "then", "is", "and", "or", "not", "else", "with", "any", "very", "somewhat", "extremely", "seldom"}
_EXAMPLES = {
    "conjunction": "Minimum",
    "disjunction": "Maximum",
    "implication": "Minimum",
    "aggregation": "Maximum",
    "activation": "General",
    "defuzzifier": "Centroid",
}
_HEDGES = ("not", "very", "somewhat", "extremely", "seldom")


class _Variable:
    """A variable with named sets; ``variable["set"]`` is the proposition that it is in this set."""

    def __init__(self, name: str, minimum: float, maximum: float, sets: Mapping[str, Set], description: str):
        self.name = name
        self.minimum, self.maximum = float(minimum), float(maximum)
        self.sets = dict(sets)
        self.description = description
        for set_name, value in self.sets.items():
            if not isinstance(value, Set):
                raise TypeError(f"set `{set_name}` of `{name}` is {value!r}; expected a set such as `sets.triangle(0, 5, 10)`")

    def __getitem__(self, name: str) -> Proposition:
        if name not in self.sets:
            known = ", ".join(f"`{known}`" for known in self.sets)
            raise KeyError(f"`{self.name}` has no set `{name}`; available sets: {known}")
        return Proposition(self, name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.minimum:g}, {self.maximum:g}, {', '.join(self.sets)})"

    def _json(self, word: str) -> dict[str, Any]:
        words = _words(self.sets, "set")
        sets = [{"name": name, "word": words[name], **value._json()} for name, value in self.sets.items()]
        span = [_number(self.minimum), _number(self.maximum)]
        return {"name": self.name, "word": word, "description": self.description, "range": span, "sets": sets}


class Input(_Variable):
    """An input of a system.

    Sets are keyword arguments, or a dictionary ``sets`` for names that are not identifiers::

        service = Input("service", 0, 10, poor=sets.gaussian(0, 1.5), good=sets.gaussian(5, 1.5))
    """

    def __init__(
        self,
        name: str,
        minimum: float = -math.inf,
        maximum: float = math.inf,
        /,
        *,
        sets: Mapping[str, Set] | None = None,
        description: str = "",
        **named_sets: Set,
    ):
        super().__init__(name, minimum, maximum, {**(sets or {}), **named_sets}, description)


class Output(_Variable):
    """An output of a system, with sets as in :class:`Input`.

    Parameters
    ----------
    defuzzifier : str, optional
        As in FLL: ``"Centroid"``, ``"Centroid 500"`` (samples), ``"Bisector"``, ``"SmallestOfMaximum"``,
        ``"MeanOfMaximum"``, ``"LargestOfMaximum"``, ``"WeightedAverage"`` or ``"WeightedSum"``. The default is
        ``"WeightedAverage"`` if all sets are constants or functions, otherwise ``"Centroid"``.
    aggregation : str
        The s-norm that combines rules, such as ``"Maximum"``.
    default : float
        The value if no rule fires.
    lock_previous : bool
        Whether to keep the value of the previous row if no rule fires.
    lock_range : bool
        Whether to clamp the value to the range.
    """

    def __init__(
        self,
        name: str,
        minimum: float = -math.inf,
        maximum: float = math.inf,
        /,
        *,
        sets: Mapping[str, Set] | None = None,
        defuzzifier: str | None = None,
        aggregation: str = "Maximum",
        default: float = math.nan,
        lock_previous: bool = False,
        lock_range: bool = False,
        description: str = "",
        **named_sets: Set,
    ):
        super().__init__(name, minimum, maximum, {**(sets or {}), **named_sets}, description)
        weighted = bool(self.sets) and all(value.is_consequent for value in self.sets.values())
        self.defuzzifier = defuzzifier or ("WeightedAverage" if weighted else "Centroid")
        self.aggregation = aggregation
        check_setting("defuzzifier", self.defuzzifier, f" of output `{name}`")
        check_setting("aggregation", aggregation, f" of output `{name}`")
        self.default = float(default)
        self.lock_previous, self.lock_range = lock_previous, lock_range

    def _json(self, word: str) -> dict[str, Any]:
        fields = {
            **super()._json(word),
            "defuzzifier": self.defuzzifier,
            "aggregation": self.aggregation,
            "lock_previous": self.lock_previous,
            "lock_range": self.lock_range,
        }
        if not math.isnan(self.default):
            fields["default"] = _number(self.default)
        return fields


def check_setting(name: str, value: Any, where: str = "") -> None:
    """Checks the name of a norm, defuzzifier or activation."""
    if not isinstance(value, str):
        raise TypeError(f'`{name}`{where} is {value!r}, but it must be a text, such as "{_EXAMPLES[name]}"')
    try:
        _fuzzion.check_setting(name, value)
    except ValueError as error:
        raise ValueError(f"`{name}`{where}: {error}") from None


class Antecedent:
    """The condition of a rule: propositions combined by ``&`` (and), ``|`` (or) and ``~`` (not)."""

    def __and__(self, other: Antecedent) -> Antecedent:
        return _Combined("and", self, _antecedent(other))

    def __or__(self, other: Antecedent) -> Antecedent:
        return _Combined("or", self, _antecedent(other))

    def __invert__(self) -> Antecedent:
        return _Not(self)

    def __bool__(self) -> bool:
        raise TypeError("combine propositions with `&`, `|` and `~` instead of `and`, `or` and `not`")

    def __repr__(self) -> str:
        return self._text(None)

    def _text(self, names: _Names | None) -> str:
        raise NotImplementedError

    def _variables(self) -> list[_Variable]:
        raise NotImplementedError


class Proposition(Antecedent):
    """A variable is in a set, possibly with hedges; also the consequent of a rule."""

    def __init__(self, variable: _Variable, set_name: str, hedges: tuple[str, ...] = ()):
        self.variable, self.set_name, self.hedges = variable, set_name, hedges

    def __invert__(self) -> Proposition:
        return hedge("not", self)

    def _text(self, names: _Names | None) -> str:
        variable = self.variable.name if names is None else names.variable(self.variable)
        name = self.set_name if names is None else names.set(self.variable, self.set_name)
        return " ".join([variable, "is", *self.hedges, name])

    def _variables(self) -> list[_Variable]:
        return [self.variable]


class _Combined(Antecedent):
    def __init__(self, operator: str, left: Antecedent, right: Antecedent):
        self.operator, self.left, self.right = operator, left, right

    def _text(self, names: _Names | None) -> str:
        def part(operand: Antecedent) -> str:
            text = operand._text(names)
            return f"( {text} )" if isinstance(operand, _Combined) and operand.operator != self.operator else text

        return f"{part(self.left)} {self.operator} {part(self.right)}"

    def _variables(self) -> list[_Variable]:
        return self.left._variables() + self.right._variables()


class _Not(Antecedent):
    def __init__(self, operand: Antecedent):
        self.operand = operand

    def _text(self, names: _Names | None) -> str:
        return f"not ( {self.operand._text(names)} )"

    def _variables(self) -> list[_Variable]:
        return self.operand._variables()


def _antecedent(value: object) -> Antecedent:
    if not isinstance(value, Antecedent):
        raise TypeError(f'{value!r} is no proposition; use a set of a variable, such as `service["poor"]`')
    return value


def hedge(name: str, proposition: Proposition) -> Proposition:
    """A proposition with the hedge ``not``, ``very``, ``somewhat``, ``extremely`` or ``seldom``."""
    if name not in _HEDGES:
        raise ValueError(f"unknown hedge `{name}`; expected {', '.join(_HEDGES[:-1])} or {_HEDGES[-1]}")
    if not isinstance(proposition, Proposition):
        raise TypeError(f'a hedge applies to one proposition, such as `service["poor"]`, but not to `{proposition}`')
    return Proposition(proposition.variable, proposition.set_name, (name, *proposition.hedges))


def very(proposition: Proposition) -> Proposition:
    """A proposition with squared membership."""
    return hedge("very", proposition)


def somewhat(proposition: Proposition) -> Proposition:
    """A proposition with the square root of the membership."""
    return hedge("somewhat", proposition)


class Rule:
    """A rule of a system; created by :func:`rule` and :func:`else_rule`."""

    def __init__(self, antecedent: Antecedent | None, consequents: tuple[Proposition, ...], weight: float):
        self.antecedent, self.consequents, self.weight = antecedent, consequents, float(weight)
        if not 0 <= self.weight <= 1:
            raise ValueError(f"the weight of a rule is {self.weight:g}, but it must be from 0 to 1")
        if not consequents:
            raise TypeError('a rule needs a consequent, such as `tip["cheap"]`')
        for consequent in consequents:
            if not (isinstance(consequent, Proposition) and isinstance(consequent.variable, Output)):
                raise TypeError(f"the consequent `{consequent}` is no set of an output")

    def __repr__(self) -> str:
        return self._text(None)

    def _text(self, names: _Names | None) -> str:
        start = "else" if self.antecedent is None else f"if {self.antecedent._text(names)} then"
        consequents = " and ".join(consequent._text(names) for consequent in self.consequents)
        return f"{start} {consequents}" + (f" with {self.weight!r}" if self.weight != 1.0 else "")

    def _variables(self) -> list[_Variable]:
        variables = [] if self.antecedent is None else self.antecedent._variables()
        return variables + [consequent.variable for consequent in self.consequents]


def rule(antecedent: Antecedent, *consequents: Proposition, weight: float = 1.0) -> Rule:
    """If the antecedent holds, then the consequents hold: ``rule(service["poor"] & ~food["rancid"], tip["cheap"])``."""
    return Rule(_antecedent(antecedent), consequents, weight)


def else_rule(*consequents: Proposition, weight: float = 1.0) -> Rule:
    """A rule that fires as far as no other rule fires."""
    return Rule(None, consequents, weight)


def _words(names: Iterable[str], prefix: str) -> dict[str, str]:
    """A unique name for rules for each name, which may be any text."""
    words: dict[str, str] = {}
    for i, name in enumerate(names, 1):
        usable = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) and name.lower() not in _KEYWORDS
        words[name] = name if usable else f"_{prefix}{i}"
    return words


class _Names:
    """Names of variables and sets in the texts of rules."""

    def __init__(self, inputs: list[Input], outputs: list[Output]):
        self.variables: list[_Variable] = [*inputs, *outputs]
        names = [variable.name for variable in self.variables]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two variables have the name `{name}`; every variable needs its own name")
        self.words = _words(names, "variable")

    def variable(self, variable: _Variable) -> str:
        if not any(known is variable for known in self.variables):
            raise ValueError(
                f"a rule uses `{variable.name}`, which is no variable of the system; add it to the inputs or outputs"
            )
        return self.words[variable.name]

    def set(self, variable: _Variable, name: str) -> str:
        return _words(variable.sets, "set")[name]


def list_of(kind: type, items: Any, argument: str) -> list[Any]:
    """The items of an argument of `System`, all of this kind."""
    if isinstance(items, (_Variable, Rule, str)) or not isinstance(items, Iterable):
        raise TypeError(f"`{argument}` is {items!r}, but it must be a list of {kind.__name__}")
    found = list(items)
    for item in found:
        if not isinstance(item, kind):
            raise TypeError(f"`{argument}` contains {item!r}, but it must be a list of {kind.__name__}")
    return found


def system_json(
    inputs: list[Input],
    outputs: list[Output],
    rules: list[Rule],
    block: dict[str, str],
    name: str,
    description: str,
) -> dict[str, Any]:
    """The system in the JSON format of the library."""
    for name, value in block.items():
        check_setting(name, value)
    for what, items in (("inputs", inputs), ("outputs", outputs), ("rules", rules)):
        if not items:
            raise ValueError(f"the system has no {what}; add at least one")
    names = _Names(inputs, outputs)
    return {
        "fuzzion": "system",
        "version": 1,
        "name": name,
        "description": description,
        "inputs": [variable._json(names.words[variable.name]) for variable in inputs],
        "outputs": [variable._json(names.words[variable.name]) for variable in outputs],
        "blocks": [{**block, "rules": [rule._text(names) for rule in rules]}],
    }
