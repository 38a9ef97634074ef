"""Formulas over columns of fuzzy numbers."""

import subprocess
import sys

import fuzzion
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from fuzzion import FuzzyArray, FuzzyNumber, evaluate

PLAN = {"demand": ["tri(90, 100, 120)", "[50, 60]", None], "price": [2.0, 2.5, 3.0], "pieces": [1, 2, 3]}
FORMULA = "demand * price + pieces - cost"
COST = {"cost": "tri(30, 40, 50)"}


@pytest.fixture
def expected():
    demand = FuzzyArray(PLAN["demand"])
    return demand * np.array(PLAN["price"]) + np.array(PLAN["pieces"]) - FuzzyNumber(COST["cost"])


@pytest.mark.parametrize("kind", [dict, pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_columns_of_tables(kind, expected):
    result = evaluate(FORMULA, kind(PLAN), constants=COST)
    assert isinstance(result, FuzzyArray) and (result == expected).all() and np.isinf(result[2].support).all()


def test_results_become_columns():
    plan = pandas.DataFrame(PLAN, index=[5, 6, 7])
    profit = evaluate(FORMULA, plan, constants=COST)
    table = plan.assign(**profit.to_columns("profit"))
    assert list(table.columns[3:]) == ["profit", "profit_lower", "profit_upper", "profit_centroid"]
    again = evaluate("profit + 0", table)
    assert (again == profit).all()
    assert polars.DataFrame(PLAN).with_columns(**{k: polars.Series(v) for k, v in profit.to_columns().items()}).width == 7


def test_results_equal_those_of_the_command(tmp_path, expected):
    pandas.DataFrame(PLAN).to_csv(tmp_path / "plan.csv", index=False)
    options = ["--let", "cost=tri(30, 40, 50)", "--data", "plan.csv", "--out", "profit.csv", "--cuts", "11"]
    command = [sys.executable, "-m", "fuzzion", "calc", FORMULA, *options]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    table = pandas.read_csv(tmp_path / "profit.csv")
    assert list(table["result"]) == expected.to_texts()
    np.testing.assert_array_equal(table["result_lower"], expected.support[:, 0])
    single = [sys.executable, "-m", "fuzzion", "calc", "sqrt([2, 3])", "--quiet"]
    printed = subprocess.run(single, check=True, capture_output=True, text=True).stdout
    assert str(evaluate("sqrt([2, 3])", n_cuts=4)) == printed.strip()


def test_repeated_variables():
    x = FuzzyNumber("tri(0, 0.25, 0.5)")
    direct, vertex, affine = (evaluate("x * (1 - x)", {"x": x}, method=method) for method in ("direct", "vertex", "affine"))
    assert direct == x * (1 - x) and direct.support.tolist() == [0, 0.5] and vertex.support.tolist() == [0, 0.25]
    # x·(1 − x) is monotone on [0, ½], so the exact cuts are its values at the bounds.
    exact = np.sort(x.cuts * (1 - x.cuts), axis=1)
    assert (vertex.cuts[:, 0] <= exact[:, 0]).all() and (vertex.cuts[:, 1] >= exact[:, 1]).all()
    np.testing.assert_allclose(vertex.cuts, exact, atol=1e-15)
    assert direct.encloses(vertex) and direct.encloses(affine)
    assert evaluate("x - x", {"x": x}, method="affine").support == pytest.approx([0, 0], abs=1e-15)
    with pytest.raises(ValueError, match="unknown evaluation method `exact`"):
        evaluate("x", {"x": x}, method="exact")


def test_encodings_follow_the_operands():
    x = FuzzyArray(["tri(1, 2, 3)"], n_cuts=3, encoding="mr", precision="f32")
    result = evaluate("2 * x + tri(0, 1, 2)", {"x": x})
    assert (result.n_cuts, result.encoding, result.precision) == (3, "mr", "f32")
    result = evaluate("2 * x", {"x": [1.0]}, n_cuts=5, encoding="mr", precision="mixed", device="best")
    assert (result.n_cuts, result.encoding, result.precision, result.device) == (5, "mr", "mixed", "best")
    assert isinstance(evaluate("a + b", {"a": 1, "b": "[1, 2]"}), FuzzyNumber)
    assert isinstance(evaluate("a + b", {"a": [1], "b": "[1, 2]"}), FuzzyArray)
    assert evaluate("fma(a, a, 1) + min(a, 2) ^ 2", {"a": 3}) == 14


def test_progress_is_shown(capsys):
    evaluate("x * x", {"x": np.ones(10)}, verbose=True)
    assert "evaluating" in capsys.readouterr().err


def test_errors():
    with pytest.raises(ValueError, match="missing column `c`; available columns and constants: `a`, `b`"):
        evaluate("a + c", {"a": [1]}, constants={"b": 1})
    with pytest.raises(ValueError, match="missing column `a`; available columns and constants: none"):
        evaluate("a")
    with pytest.raises(ValueError, match="column `a`: number 2: expected a number"):
        evaluate("a", {"a": ["1", "tri(1, )"]})
    with pytest.raises(ValueError, match="the variable `b` has 3 numbers, but 2 are needed"):
        evaluate("a + b", {"a": [1, 2], "b": [1, 2, 3]})
    with pytest.raises(ValueError, match="sin"):
        evaluate("sin(a)", {"a": 1})
    with pytest.raises(TypeError, match="`data` is of the type ndarray"):
        evaluate("a", np.ones(3))
    with pytest.raises(TypeError, match="column `a`: True is not a number"):
        evaluate("a", {"a": [True]})
    with pytest.raises(ValueError, match="n_cuts"):
        fuzzion.evaluate("a", {"a": 1}, n_cuts=-1)
