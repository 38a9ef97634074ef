"""Fuzzy systems."""

import pathlib
import subprocess
import sys

import fuzzion
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from fuzzion import Input, Output, System, else_rule, hedge, rule, sets, somewhat, very


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
    tipper.save(path)
    expected = tipper if extension != "fis" else tipper.with_dialect("matlab")
    np.testing.assert_array_equal(fuzzion.read(path).infer(meals), expected.infer(meals))
    text = getattr(tipper, f"to_{extension}")()
    np.testing.assert_array_equal(System.from_text(text, extension).infer(meals), expected.infer(meals))
    command = [sys.executable, "-m", "fuzzion", "convert", path, tmp_path / "converted.json"]
    subprocess.run(command, check=True, capture_output=True)
    np.testing.assert_array_equal(fuzzion.read(tmp_path / "converted.json").infer(meals), expected.infer(meals))


def test_json_keeps_the_dialect(tipper, tmp_path):
    tipper.with_dialect("iec").save(tmp_path / "system.json")
    assert fuzzion.read(tmp_path / "system.json").dialect == "iec"
    assert System.from_text((tmp_path / "system.json").read_text(), "json").dialect == "iec"


def test_source_code(tipper):
    assert "double" in tipper.to_c() and "pub fn infer" in tipper.to_rust()
    assert "__global__" in tipper.to_cuda() and "float" in tipper.to_cuda(precision="f32")


def variables():
    service = Input("service", 0, 10, poor=sets.gaussian(0, 1.5), good=sets.gaussian(5, 1.5), excellent=sets.gaussian(10, 1.5))
    food = Input("food", 0, 10, rancid=sets.trapezoid(-2, 0, 1, 3), delicious=sets.trapezoid(7, 9, 10, 12))
    tip = Output(
        "tip",
        0,
        30,
        cheap=sets.triangle(0, 5, 10),
        average=sets.triangle(10, 15, 20),
        generous=sets.triangle(20, 25, 30),
    )
    return service, food, tip


def test_a_system_of_python_objects(tipper, meals):
    service, food, tip = variables()
    built = System(
        [service, food],
        [tip],
        [
            rule(service["poor"] | food["rancid"], tip["cheap"]),
            rule(service["good"], tip["average"]),
            rule(service["excellent"] | food["delicious"], tip["generous"]),
        ],
        name="tipper",
    )
    assert built.rules == tipper.rules
    np.testing.assert_array_equal(built.infer(meals), tipper.infer(meals))


def test_operators_and_hedges():
    service, food, tip = variables()
    poor, rancid, delicious = service["poor"], food["rancid"], food["delicious"]
    rules = [
        rule((poor | rancid) & ~delicious, tip["cheap"], weight=0.5),
        rule(~(poor & rancid), tip["average"]),
        rule(very(poor) & somewhat(rancid) & hedge("extremely", ~delicious), very(tip["cheap"])),
        else_rule(tip["generous"]),
    ]
    system = System([service, food], [tip], rules)
    assert system.rules == [
        "if (service is poor or food is rancid) and food is not delicious then tip is cheap with 0.5",
        "if not (service is poor and food is rancid) then tip is average",
        "if service is very poor and food is somewhat rancid and food is extremely not delicious then tip is very cheap",
        "else tip is generous",
    ]


def test_a_takagi_sugeno_system():
    x = Input("z", 0, 1, low=sets.ramp(1, 0), high=sets.ramp(0, 1))
    y = Output("y", low=sets.constant(2), high=sets.linear([3], 1), sum=sets.function("z + 5"))
    system = System([x], [y], [rule(x["low"], y["low"]), rule(x["high"], y["high"])])
    np.testing.assert_allclose(system.infer([[0.25]]), [[0.75 * 2 + 0.25 * (3 * 0.25 + 1)]])
    function = System([x], [y], [rule(x["low"], y["sum"])])
    np.testing.assert_allclose(function.infer([[0.25]]), [[5.25]])


def test_names_can_be_any_text():
    room = Input("room temperature", sets={"very cold": sets.ramp(20, 16), "is": sets.ramp(16, 20)})
    valve = Output("Ventil öffnen", sets={"zu!": sets.constant(0), "auf": sets.constant(1)}, default=0.5)
    system = System([room], [valve], [rule(room["very cold"], valve["auf"]), rule(room["is"], valve["zu!"])])
    assert system.inputs == ["room temperature"]
    assert system.infer({"room temperature": 17}) == {"Ventil öffnen": 0.75}
    assert system.infer({"room temperature": np.nan}) == {"Ventil öffnen": 0.5}


def test_every_shape_is_valid():
    shapes = [
        sets.triangle(0, 1, 2), sets.trapezoid(-np.inf, 0, 1, 2), sets.rectangle(0, 1), sets.discrete([(0, 0), (1, 1)]),
        sets.semi_ellipse(0, 1), sets.bell(0, 1, 2), sets.cosine(0, 1), sets.gaussian(0, 1),
        sets.gaussian_product(0, 1, 2, 1), sets.pi_shape(0, 1, 2, 3), sets.sigmoid_difference(0, 1, 2, 3),
        sets.sigmoid_product(0, 1, -1, 3), sets.spike(0, 1), sets.arc(0, 1), sets.binary(0, np.inf), sets.concave(0, 1),
        sets.ramp(0, 1), sets.sigmoid(0, 1), sets.s_shape(0, 1), sets.z_shape(0, 1), sets.triangle(0, 1, 2).with_height(0.5),
    ]  # fmt: skip
    x = Input("x", sets={f"s{i}": shape for i, shape in enumerate(shapes)})
    y = Output("y", a=sets.constant(1))
    system = System([x], [y], [rule(x[name], y["a"]) for name in x.sets])
    assert len(system.rules) == len(shapes) == len(sets.__all__) - 3


def test_errors_of_the_builder():
    service, food, tip = variables()
    with pytest.raises(KeyError, match="`service` has no set `bad`; available sets: `poor`, `good`, `excellent`"):
        service["bad"]
    with pytest.raises(TypeError, match="combine propositions with `&`"):
        service["poor"] and food["rancid"]
    with pytest.raises(TypeError, match="is no set of an output"):
        rule(service["poor"], food["rancid"])
    with pytest.raises(TypeError, match="is no proposition"):
        service["poor"] & True
    with pytest.raises(TypeError, match="needs a consequent"):
        rule(service["poor"])
    with pytest.raises(ValueError, match="unknown hedge `quite`"):
        hedge("quite", service["poor"])
    with pytest.raises(ValueError, match="`food`, which is no variable of the system"):
        System([service], [tip], [rule(food["rancid"], tip["cheap"])])
    with pytest.raises(ValueError, match="two variables have the name"):
        System([service, service], [tip], [])
    with pytest.raises(ValueError, match="Triangle"):
        System([Input("x", bad=sets.triangle(2, 1, 0))], [tip], [])
    with pytest.raises(ValueError, match="Minimun"):
        System([service], [tip], [], conjunction="Minimun")


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
