"""Systems built in Python."""

import math
import re

import fuzzion
import numpy as np
import pytest
from fuzzion import Input, Output, System, else_rule, hedge, rule, sets, somewhat, very


@pytest.fixture
def tipper(tipper_path):
    return fuzzion.read(tipper_path)


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
        System([service, service], [tip], [rule(service["poor"], tip["cheap"])])


def test_mistakes_are_plain_sentences():
    service, _, tip = variables()
    rules = [rule(service["poor"], tip["cheap"])]

    def system(inputs=(service,), outputs=(tip,), rules=rules, **settings):
        return System(inputs, outputs, rules, **settings)

    for mistake, kind, message in [
        (lambda: system(conjunction="Minimun"), ValueError, "`conjunction`: unknown conjunction `Minimun`; expected .*Minimum"),
        (lambda: system(conjunction="Maximum"), ValueError, "`conjunction`: unknown conjunction `Maximum`"),
        (lambda: system(disjunction="max"), ValueError, "`disjunction`: unknown s-norm `max`"),
        (lambda: system(implication="Min"), ValueError, "`implication`: unknown t-norm `Min`"),
        (lambda: system(activation="Generall"), ValueError, "`activation`: found `Generall`, expected `General`"),
        (lambda: system(conjunction=None), TypeError, '`conjunction` is None, but it must be a text, such as "Minimum"'),
        (lambda: system(dialect="matlap"), ValueError, "unknown dialect `matlap`; expected fuzzylite8"),
        (lambda: Output("y", 0, 1, aggregation="max"), ValueError, "`aggregation` of output `y`: unknown s-norm `max`"),
        (lambda: Output("y", 0, 1, defuzzifier="COG"), ValueError, "`defuzzifier` of output `y`: found `COG`, expected a defuzz"),
        (lambda: system(inputs=[]), ValueError, "the system has no inputs; add at least one"),
        (lambda: system(outputs=[]), ValueError, "the system has no outputs; add at least one"),
        (lambda: system(rules=[]), ValueError, "the system has no rules; add at least one"),
        (lambda: system(inputs=service), TypeError, "`inputs` is .*, but it must be a list of Input"),
        (lambda: system(inputs=[tip]), TypeError, "`inputs` contains .*, but it must be a list of Input"),
        (lambda: system(outputs=tip), TypeError, "`outputs` is .*, but it must be a list of Output"),
        (lambda: system(rules=rules[0]), TypeError, "`rules` is .*, but it must be a list of Rule"),
        (lambda: system(rules=["if service is poor then tip is cheap"]), TypeError, "must be a list of Rule"),
        (lambda: system(inputs=[Input("service", 10, 0)]), ValueError, "a rule uses `service`"),
        (lambda: system(inputs=[service, Input("z", 9, 0)]), ValueError, "input `z` has a range whose minimum exceeds its"),
        (lambda: system(outputs=[tip, Output("u")]), ValueError, "output `u` needs a finite range"),
        (lambda: system(outputs=[tip, Output("u", f=sets.function("2 * q"))]), ValueError, "uses the unknown variable `q`"),
        (lambda: system(outputs=[tip, Output("u", f=sets.linear([1, 2]))]), ValueError, "has 2 coefficients, but the system"),
    ]:  # fmt: skip
        with pytest.raises(kind, match=message) as raised:
            mistake()
        assert "JSON" not in str(raised.value) and "{" not in str(raised.value), raised.value


def test_invalid_sets_and_weights_are_rejected():
    for mistake, message in [
        (lambda: sets.triangle(2, 1, 0), "sets.triangle: `top` is 1, but it must be at least `left`"),
        (lambda: sets.triangle(0, math.nan, 1), "sets.triangle: `top` is NaN, but it must be finite"),
        (lambda: sets.s_shape(2, 1), "sets.s_shape: `end` is 1, but it must be at least `start`"),
        (lambda: sets.sigmoid_product(0, 1, math.inf, 2), "sets.sigmoid_product: `falling` is inf, but it must be finite"),
        (lambda: sets.gaussian(0, 0), "`standard_deviation` is 0, but it must be above 0"),
        (lambda: sets.gaussian(0, -1), "`standard_deviation` is -1, but it must be above 0"),
        (lambda: sets.gaussian(0, math.nan), "`standard_deviation` is nan, but it must be above 0"),
        (lambda: sets.gaussian_product(0, 1, 2, 0), "`standard_deviation_b` is 0, but it must be above 0"),
        (lambda: sets.bell(0, 0, 1), "`width` is 0, but it must be above 0"),
        (lambda: sets.cosine(0, 0), "`width` is 0, but it must be above 0"),
        (lambda: sets.spike(0, 0), "`width` is 0, but it must be above 0"),
        (lambda: sets.discrete([(0, 0), (1, 2)]), "the membership at x = 1 is 2, but it must be from 0 to 1"),
        (lambda: sets.discrete([]), "sets.discrete: "),
        (lambda: sets.constant(math.nan), "sets.constant: `value` is NaN, but it must be a number"),
        (lambda: sets.function("2 *"), "sets.function: "),
        (lambda: sets.triangle(0, 1, 2).with_height(2), "sets.triangle: `height` is 2, but it must be above 0 and at most 1"),
        (lambda: sets.triangle(0, 1, 2).with_height(math.nan), "sets.triangle: `height` is NaN, but"),
    ]:
        with pytest.raises(ValueError, match=re.escape(message)) as raised:
            mistake()
        assert "\n" not in str(raised.value) or "function" in message, raised.value
    service, _, tip = variables()
    for weight in (-0.5, math.nan, math.inf, 1.5):
        with pytest.raises(ValueError, match=f"the weight of a rule is {weight:g}, but it must be from 0 to 1"):
            rule(service["poor"], tip["cheap"], weight=weight)


def test_names_are_kept_in_files(tmp_path):
    room = Input("room temperature", 0, 40, sets={"very cold": sets.ramp(20, 16), "is": sets.ramp(16, 20)})
    valve = Output("Ventil öffnen", 0, 1, sets={"zu!": sets.triangle(0, 0, 1), "auf": sets.triangle(0, 1, 1)})
    system = System([room], [valve], [rule(room["very cold"], valve["auf"]), rule(room["is"], valve["zu!"])])
    system.save(tmp_path / "heating.fll")
    again = fuzzion.read(tmp_path / "heating.fll")
    assert again == system and again.inputs == ["room temperature"]
    assert list(again.explain([17]).memberships["room temperature"]) == ["very cold", "is"]
    matlab = system.with_dialect("matlab")
    matlab.save(tmp_path / "heating.fis")
    assert fuzzion.read(tmp_path / "heating.fis").inputs == ["room temperature"]
    fuzzylite = pytest.importorskip("fuzzylite")  # ignores the comments with the names
    engine = fuzzylite.FllImporter().from_file(tmp_path / "heating.fll")
    engine.input_variables[0].value = 17.5
    engine.process()
    assert engine.output_variables[0].value == pytest.approx(system.infer([[17.5]])[0, 0])
