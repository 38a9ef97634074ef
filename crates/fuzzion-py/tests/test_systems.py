"""Fuzzy systems."""

import pathlib
import subprocess
import sys
import warnings

import fuzzion
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from fuzzion import System


def examples():
    try:
        import fuzzylite
    except ImportError:
        return []
    return sorted((pathlib.Path(fuzzylite.__file__).parent / "examples").rglob("*.fll"))


def test_pyfuzzylite_is_installed_with_its_examples():
    pytest.importorskip("fuzzylite")
    assert len(examples()) == 61


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_systems_agree_with_pyfuzzylite(path):
    import fuzzylite

    engine = fuzzylite.FllImporter().from_file(path)
    inputs = len(engine.input_variables)
    rows = np.loadtxt(path.with_suffix(".fld"), skiprows=1, ndmin=2)[:, :inputs]
    engine.restart()
    for i, variable in enumerate(engine.input_variables):
        variable.value = rows[:, i]
    with np.errstate(all="ignore"):
        engine.process()
    expected = np.column_stack([np.broadcast_to(output.value, len(rows)) for output in engine.output_variables])
    np.testing.assert_allclose(fuzzion.read(path).infer(rows), expected, rtol=1e-9, atol=1e-9)


@pytest.fixture
def tipper(tipper_path):
    return fuzzion.read(tipper_path)


def test_properties(tipper):
    assert (tipper.name, tipper.inputs, tipper.outputs) == ("tipper", ["service", "food"], ["tip"])
    assert tipper.rules[0] == "if service is poor or food is rancid then tip is cheap"
    assert tipper.dialect == "fuzzylite8" and tipper.with_dialect("matlab").dialect == "matlab"
    assert repr(tipper) == "<System 'tipper', service, food → tip, 3 rules>"
    assert not tipper.is_interval


def test_arrays(tipper, meals):
    tips = tipper.infer(meals)
    assert tips.shape == (5, 1) and tips.dtype == np.float64
    assert tipper.infer(meals.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(tipper.infer(meals.astype(np.float32)), tips, rtol=1e-4)
    np.testing.assert_array_equal(tipper.infer(np.asfortranarray(meals)), tips)
    np.testing.assert_array_equal(tipper.infer([[3, 7], [8, 9]]), tipper.infer(np.array([[3.0, 7], [8, 9]])))
    assert tipper.infer(np.empty((0, 2))).shape == (0, 1)
    with pytest.raises(ValueError, match="3 columns, but the system has 2 inputs"):
        tipper.infer(np.zeros((1, 3)))
    with pytest.raises(ValueError, match="rows × columns"):
        tipper.infer([3, 7])


def test_tables_with_names(tipper, meals):
    expected = tipper.infer(meals)[:, 0]
    columns = {"food": meals[:, 1], "waiter": np.array(list("abcde")), "service": meals[:, 0]}
    result = tipper.infer(columns)
    assert list(result) == ["tip"]
    np.testing.assert_array_equal(result["tip"], expected)
    frame = pd.DataFrame(columns, index=list("vwxyz"))
    result = tipper.infer(frame)
    assert isinstance(result, pd.DataFrame) and list(result.index) == list("vwxyz")
    np.testing.assert_array_equal(result["tip"], expected)
    result = tipper.infer(pl.DataFrame(columns))
    assert isinstance(result, pl.DataFrame)
    np.testing.assert_array_equal(result["tip"].to_numpy(), expected)
    assert isinstance(tipper.infer(pl.LazyFrame(columns)), pl.DataFrame)
    result = tipper.infer(pa.table(columns))
    assert isinstance(result, pa.Table)
    np.testing.assert_array_equal(result.column("tip").to_numpy(), expected)
    result = tipper.infer(pa.RecordBatch.from_pydict(columns))
    assert isinstance(result, pa.RecordBatch)
    np.testing.assert_array_equal(result.column("tip").to_numpy(), expected)


def test_missing_values_and_integers_in_tables(tipper):
    service, food = [3, None, 8], [7, 1, 9]
    expected = tipper.infer([[3, 7], [np.nan, 1], [8, 9]])[:, 0]
    nullable = pd.DataFrame({"service": pd.array(service, dtype="Int64"), "food": food})
    np.testing.assert_array_equal(tipper.infer(nullable)["tip"], expected)
    np.testing.assert_array_equal(tipper.infer(pl.DataFrame({"service": service, "food": food}))["tip"].to_numpy(), expected)
    np.testing.assert_array_equal(tipper.infer(pa.table({"service": service, "food": food})).column("tip").to_numpy(), expected)


def test_lists_of_dictionaries(tipper, meals):
    rows = [{"food": food, "waiter": "a", "service": service} for service, food in meals]
    tips = tipper.infer(rows)
    np.testing.assert_array_equal([tip["tip"] for tip in tips], tipper.infer(meals)[:, 0])
    assert all(list(tip) == ["tip"] and type(tip["tip"]) is float for tip in tips)
    assert tipper.infer([{"service": 3, "food": 7}]) == [tipper.infer({"service": 3, "food": 7})]
    with pytest.raises(ValueError, match="row 1 of the list has no `food`"):
        tipper.infer([{"service": 3, "food": 7}, {"service": 3}])
    with pytest.raises(ValueError, match="missing column `food`; available columns: `service`"):
        tipper.infer([{"service": 3}])
    demand = fuzzion.evaluate("2 * x", [{"x": 1.0}, {"x": 2.5}], n_cuts=1)
    assert demand.cuts[:, 0, 0].tolist() == [2, 5]


def test_dates_are_no_numbers(tipper):
    dates = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[ns]")
    aware = pd.to_datetime(pd.Series(dates)).dt.tz_localize("UTC")
    for column in (dates, dates - dates[0]):
        columns = {"service": [1.0, 2.0], "food": column}
        for table in (columns, pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
            with pytest.raises(ValueError, match="column `food` contains dates, but numbers are needed; convert them"):
                tipper.infer(table)
    with pytest.raises(ValueError, match="column `food` contains dates"):
        tipper.infer(pd.DataFrame({"service": [1.0, 2.0], "food": aware}))
    with pytest.raises(ValueError, match="the array contains dates"):
        tipper.infer(np.stack([dates, dates], axis=1))


def test_one_row(tipper):
    tip = tipper.infer({"service": 3, "food": 7.5})
    assert tip == {"tip": pytest.approx(tipper.infer([[3, 7.5]])[0, 0])}
    explanation = tipper.explain({"food": 7.5, "service": 3})
    assert explanation.outputs == {"tip": pytest.approx(tip["tip"])}
    assert explanation.memberships["food"] == {"rancid": 0.0, "delicious": 0.25}
    assert explanation.firing_strengths[2] == (tipper.rules[2], 0.25)
    assert tipper.rules[0] in str(explanation) and str(tipper.explain([3, 7.5])) == str(explanation)


def test_errors_name_the_column(tipper):
    with pytest.raises(ValueError, match="missing column `food`; available columns: `service`, `x`"):
        tipper.infer({"service": [1.0], "x": [2.0]})
    with pytest.raises(ValueError, match="column `food` contains text"):
        tipper.infer(pd.DataFrame({"service": [1.0], "food": ["good"]}))
    with pytest.raises(ValueError, match="different lengths: 1, 2"):
        tipper.infer({"service": [1.0], "food": [1.0, 2.0]})
    with pytest.raises(ValueError, match="missing input `food`"):
        tipper.explain({"service": 1})


@pytest.mark.parametrize("extension", ["fll", "fis", "json"])
def test_files(tipper, meals, extension, tmp_path):
    path = tmp_path / f"saved.{extension}"
    expected = tipper if extension != "fis" else tipper.with_dialect("matlab")
    expected.save(path)
    np.testing.assert_array_equal(fuzzion.read(path).infer(meals), expected.infer(meals))
    text = getattr(expected, f"to_{extension}")()
    np.testing.assert_array_equal(System.from_text(text, extension).infer(meals), expected.infer(meals))
    command = [sys.executable, "-m", "fuzzion", "convert", path, tmp_path / "converted.json"]
    subprocess.run(command, check=True, capture_output=True)
    np.testing.assert_array_equal(fuzzion.read(tmp_path / "converted.json").infer(meals), expected.infer(meals))


def test_json_keeps_the_dialect(tipper, tmp_path):
    system = tipper.with_dialect("iec")
    system.save(tmp_path / "system.json")
    assert fuzzion.read(tmp_path / "system.json").dialect == "iec"
    assert (tmp_path / "system.json").read_text() == system.to_json()
    assert System.from_text(system.to_json(), "json") == system != tipper
    assert System.from_text(system.to_json(), "json").dialect == "iec"


def test_formats_without_the_dialect_warn(tipper, tmp_path):
    for extension, read_as, system in [("fis", "matlab", tipper), ("FLL", "fuzzylite8", tipper.with_dialect("matlab"))]:
        message = f"has the dialect {system.dialect}, but `.{extension.lower()}` files are read with the dialect {read_as}"
        with pytest.warns(UserWarning, match=message) as warned:
            system.save(tmp_path / f"x.{extension}")
        with pytest.warns(UserWarning, match=message) as warned_again:
            getattr(system, f"to_{extension.lower()}")()
        assert [len(warned), len(warned_again), warned[0].filename, warned_again[0].filename] == [1, 1, __file__, __file__]
        assert fuzzion.read(tmp_path / f"x.{extension}").dialect == read_as
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tipper.save(tmp_path / "x.fll")
        tipper.to_fll(), tipper.with_dialect("matlab").to_fis(), tipper.with_dialect("iec").to_json()


def test_source_code(tipper):
    assert "double" in tipper.to_c() and "pub fn infer" in tipper.to_rust()
    assert "__global__" in tipper.to_cuda() and "float" in tipper.to_cuda(precision="f32")


def test_files_may_contain_degenerate_sets(tipper_path):
    text = tipper_path.read_text().replace("good Gaussian 5 1.5", "good Gaussian 5 0").replace("is average", "is average with 2")
    assert np.isfinite(System.from_text(text, "fll").infer([[5, 5]])).all()  # as in fuzzylite


FAN = """# dialect: fuzzion
Engine: fan
  type-reduction: EIASC
InputVariable: heat
  range: 10 35
  term: warm Ramp 20 26
  upper: Ramp 18 24
OutputVariable: speed
  range: 0 1
  defuzzifier: WeightedAverage
  term: off Constant 0
  term: full Constant 1
RuleBlock:
  rule: if heat is warm then speed is full
  rule: if heat is not warm then speed is off
"""


def test_interval_systems(tmp_path):
    (tmp_path / "fan.fll").write_text(FAN)
    fan = fuzzion.read(tmp_path / "fan.fll")
    assert fan.is_interval
    heat = np.array([[15.0], [22.0], [30.0]])
    speed = fan.infer(heat)
    lower, upper = fan.infer_bounds(heat)
    assert (lower <= speed).all() and (speed <= upper).all() and lower[1, 0] < upper[1, 0]
    assert list(fan.infer_bounds({"heat": [22.0]})[0]) == ["speed"]
    with pytest.raises(NotImplementedError, match="interval type-2"):
        fan.explain([22.0])
    fan.save(tmp_path / "fan.json")
    np.testing.assert_array_equal(fuzzion.read(tmp_path / "fan.json").infer(heat), speed)


def test_a_row_of_a_data_frame_is_matched_by_name(tipper_path):
    system = fuzzion.read(tipper_path)
    frame = pd.DataFrame({"food": [9.0], "other": [0.0], "service": [1.0]})
    expected = system.infer({"service": 1.0, "food": 9.0})
    assert system.infer(frame.iloc[0]) == expected
    assert system.explain(frame.iloc[0]).outputs == pytest.approx(expected, rel=1e-12)
    mixed = system.infer({"service": [1.0, 1.0], "food": 9.0})
    assert mixed["tip"].tolist() == [expected["tip"]] * 2
    doubled = pd.DataFrame([[1.0, 9.0, 9.0]], columns=["service", "food", "food"])
    with pytest.raises(ValueError, match="several columns have the name `food`"):
        system.infer(doubled)


def test_function_blocks_and_ignored_parameters(tmp_path):
    block = """FUNCTION_BLOCK {0} VAR_INPUT a : REAL; END_VAR VAR_OUTPUT b : REAL; END_VAR FUZZIFY a TERM on := 1; END_FUZZIFY
        DEFUZZIFY b TERM on := {1}; END_DEFUZZIFY RULEBLOCK r RULE 1 : IF a IS on THEN b IS on; END_RULEBLOCK END_FUNCTION_BLOCK\n"""
    path = tmp_path / "two.fcl"
    path.write_text(block.format("one", 1) + block.format("two", 2))
    assert fuzzion.read(path, block="two").infer([[1.0]]) == [[2.0]]
    with pytest.raises(ValueError, match="several function blocks; select one of `one`, `two`"):
        fuzzion.read(path)
    path = tmp_path / "smf.fis"
    path.write_text(
        "[System]\nType='sugeno'\n[Input1]\nMF1='on':'smf',[40 85 100]\n[Output1]\nMF1='one':'constant',[1]\n[Rules]\n1, 1 (1) : 1\n"
    )
    with pytest.warns(UserWarning, match=r"smf\.fis, line 4: `\[40 85 100\]` has more than the 2 parameters of 'smf'"):
        fuzzion.read(path)
