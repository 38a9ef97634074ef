"""Plots and HTML."""

import html.parser
import sys
from types import SimpleNamespace

import fuzzion
import numpy as np
import pandas
import pytest
from fuzzion import FuzzyArray, FuzzyCMeans, FuzzyNumber, GustafsonKessel, Input, Output, System, rule, sets
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


@pytest.fixture(scope="module")
def plt():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


@pytest.fixture
def tipper(tipper_path):
    return fuzzion.read(tipper_path)


def test_sets(plt, tipper):
    axes = fuzzion.plot_sets(tipper)
    assert [ax.get_xlabel() for ax in axes] == ["service", "food", "tip"]
    assert [[line.get_label() for line in ax.lines] for ax in axes][1] == ["rancid", "delicious"]
    x, y = axes[0].lines[1].get_data()  # good: Gaussian 5 1.5
    expected = np.exp(-((x - 5) ** 2) / (2 * 1.5**2))
    np.testing.assert_allclose(y[expected > 0.002], expected[expected > 0.002], atol=1e-12)
    assert (x[0], x[-1]) == axes[0].get_xlim() == (0, 10) and axes[0].get_ylabel() == "membership"
    own = plt.figure().subplots()
    assert fuzzion.plot_sets(tipper, "tip", ax=own) is own and len(own.lines) == 3
    service = Input("service", 0, 10, poor=sets.gaussian(0, 1.5))
    assert len(fuzzion.plot_sets(service).lines) == 1
    tip = fuzzion.plot_sets(Output("tip", 0, 30, low=sets.constant(5), own=sets.linear([1.0], 2.0)))
    assert tip.lines[0].get_xdata().tolist() == [5, 5] and "own" in tip.get_title(loc="left")
    with pytest.raises(ValueError, match="has no variable `wine`; available: `service`, `food`, `tip`"):
        fuzzion.plot_sets(tipper, "wine")
    with pytest.raises(ValueError, match="`ax` has 1 axes, but the system has 3 variables"):
        fuzzion.plot_sets(tipper, ax=own)


def test_surface(plt, tipper):
    ax = fuzzion.plot_surface(tipper, points=21)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("service", "food")
    mesh = plt.figure().add_subplot(projection="3d")
    assert fuzzion.plot_surface(tipper, "food", "service", points=11, ax=mesh).get_zlabel() == "tip"
    one = Input("x", 0, 1, low=sets.ramp(1, 0), high=sets.ramp(0, 1))
    out = Output("out", 0, 1, low=sets.constant(0), high=sets.constant(1))
    identity = System([one], [out], [rule(one["low"], out["low"]), rule(one["high"], out["high"])])
    curve = fuzzion.plot_surface(identity).lines[0]
    np.testing.assert_allclose(curve.get_ydata().ravel(), curve.get_xdata().ravel(), atol=1e-12)
    with pytest.raises(ValueError, match="has no input `wine`; available: `service`, `food`"):
        fuzzion.plot_surface(tipper, "wine")
    with pytest.raises(ValueError, match="has no output `wine`; available: `tip`"):
        fuzzion.plot_surface(tipper, output="wine")
    with pytest.raises(ValueError, match="`x` and `y` are both `food`"):
        fuzzion.plot_surface(tipper, "food", "food")
    for points in (0, 1, -3):
        with pytest.raises(ValueError, match=f"`points` is {points}, but it must be at least 2"):
            fuzzion.plot_surface(tipper, points=points)


def test_fixed_inputs_of_a_surface(plt):
    variables = [Input(name, 0, 1, low=sets.ramp(1, 0), high=sets.ramp(0, 1)) for name in "abc"]
    out = Output("out", 0, 1, low=sets.constant(0), high=sets.constant(1))
    rules = [rule(variables[2]["low"], out["low"]), rule(variables[2]["high"], out["high"])]
    system = System(variables, [out], rules)  # the output equals c
    assert fuzzion.plot_surface(system, "a", "b").get_title(loc="left") == "c = 0.5"
    ax = fuzzion.plot_surface(system, "a", "b", fixed={"c": 0.25})
    assert ax.get_title(loc="left") == "c = 0.25"
    np.testing.assert_allclose(ax.collections[0].get_array(), 0.25)


def test_rules(plt, tipper):
    row = {"service": 3, "food": 7.5}
    ax = fuzzion.plot_rules(tipper, row)
    strengths = [strength for _, strength in tipper.explain(row).firing_strengths]
    assert [bar.get_width() for bar in ax.patches] == strengths
    assert f"tip = {tipper.infer(row)['tip']:.4g}" == ax.get_title(loc="left") and ax.get_xlabel() == "firing strength"


@pytest.mark.parametrize("shape", [(4.0, 3.0), (12.0, 3.0)])
def test_texts_of_rules_are_not_cut_off(plt, tipper, shape):
    figure, axes = plt.subplots(1, 2, figsize=shape)  # without a layout that makes room for labels
    fuzzion.plot_rules(tipper, [3, 7.5], ax=axes[1])
    figure.canvas.draw()
    texts = [text for text in axes[1].texts + axes[1].get_yticklabels() if len(text.get_text()) > 10]
    assert [" ".join(text.get_text().split()) for text in texts] == tipper.rules
    box = axes[1].get_window_extent()
    for text in texts:
        extent = text.get_window_extent()
        assert box.x0 <= extent.x0 and extent.x1 <= box.x1 and box.y0 <= extent.y0 and extent.y1 <= box.y1


def test_memberships_of_a_pipeline(plt, iris):
    frame = pandas.DataFrame(iris, columns=["a", "b", "c", "d"])
    pipeline = make_pipeline(StandardScaler(), FuzzyCMeans(3, random_state=0)).fit(frame)
    ax = fuzzion.plot_memberships(pipeline, frame, columns=("c", "d"))
    points = [collection.get_offsets() for collection in ax.collections if len(collection.get_offsets())]
    np.testing.assert_array_equal(points[-1], pipeline[-1].cluster_centers_[:, 2:])
    assert ax.get_xlabel() == "c" and abs(np.concatenate(points[:3]).mean()) < 1e-9  # standardized
    principal = make_pipeline(PCA(2), FuzzyCMeans(3, random_state=0)).fit(frame)
    assert fuzzion.plot_memberships(principal, frame).get_xlabel() == "pca0"
    assert fuzzion.plot_memberships(principal, iris).get_xlabel() == "column 0"
    only = make_pipeline(FuzzyCMeans(3, random_state=0)).fit(iris)
    assert fuzzion.plot_memberships(only, iris).get_xlabel() == "column 0"
    for wrong in (make_pipeline(StandardScaler(), PCA(2)).fit(iris), PCA(2).fit(iris)):
        with pytest.raises(TypeError, match="PCA has no memberships; pass a fitted clusterer"):
            fuzzion.plot_memberships(wrong, iris)


def test_memberships(plt, iris):
    frame = pandas.DataFrame(iris, columns=["a", "b", "c", "d"])
    model = FuzzyCMeans(3, random_state=0).fit(frame)
    ax = fuzzion.plot_memberships(model, frame, columns=("c", "d"))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("c", "d")
    points = [collection.get_offsets() for collection in ax.collections if len(collection.get_offsets())]
    assert sum(map(len, points[:3])) == 150
    np.testing.assert_array_equal(points[-1], model.cluster_centers_[:, 2:])
    plane = iris[:, 2:]
    planar = fuzzion.plot_memberships(GustafsonKessel(3, random_state=0).fit(plane), plane)
    assert len(planar.collections) > len(ax.collections)  # with contours
    with pytest.raises(ValueError, match="missing column `e`; available columns: `a`"):
        fuzzion.plot_memberships(model, frame, columns=("a", "e"))
    with pytest.raises(ValueError, match="column 4 is out of range"):
        fuzzion.plot_memberships(model, frame, columns=(0, 4))


def test_numbers(plt):
    x = FuzzyNumber("tri(1, 2, 4)", n_cuts=3)
    ax = fuzzion.plot_number(x, x * 2, "gauss(3, 0.5)", labels=["x", "2x", "gaussian"])
    assert ax.lines[0].get_xdata().tolist() == [1, 1.5, 2, 2, 3, 4] and ax.lines[0].get_ydata().tolist() == [0, 0.5, 1, 1, 0.5, 0]
    assert len(ax.lines) == 3 and np.isfinite(ax.lines[2].get_xdata()).all()
    assert len(fuzzion.plot_number(FuzzyArray([x, 3], n_cuts=3)).lines) == 2
    assert fuzzion.plot_number(FuzzyNumber("[1, 2]", n_cuts=1)).lines[0].get_ydata().max() == 1
    with pytest.raises(ValueError, match="1 labels were given for 2 numbers"):
        fuzzion.plot_number(x, x, labels=["x"])


def test_history(plt, iris):
    model = FuzzyCMeans(3, random_state=0).fit(iris)
    ax = fuzzion.plot_history(model)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), model.objective_history_)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("iteration", "objective")
    learned = SimpleNamespace(loss_history_=np.array([100, 10, 1.0]), validation_history_=np.array([110, 20, 5.0]))
    ax = fuzzion.plot_history(learned)
    assert (len(ax.lines), ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale()) == (2, "epoch", "loss", "log")
    with pytest.raises(ValueError, match="FuzzyCMeans has no history; call `fit` first"):
        fuzzion.plot_history(FuzzyCMeans(3))


def test_a_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'plots need matplotlib; install it with `pip install "fuzzion\[plot\]"`'):
        fuzzion.plot_number(1)


class Balanced(html.parser.HTMLParser):
    """Checks that every tag is closed, and collects texts and tags."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.texts = [], set(), []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_html_is_escaped():
    bad = "<script>alert('1')</script> & \"x\""
    name = Input(bad, 0, 1, sets={bad: sets.ramp(0, 1)})
    out = Output("out", 0, 1, sets={bad: sets.triangle(0, 0.5, 1)})
    system = System([name], [out], [rule(name[bad], out[bad])], name=bad)
    frame = pandas.DataFrame({bad: [0.0, 1.0, 5.0, 6.0]})
    model = FuzzyCMeans(2, random_state=0).fit(frame)
    from fuzzion._html import clusters_html

    for page in (system._repr_html_(), system.explain([0.3])._repr_html_(), clusters_html(model)):
        parsed = Balanced(page)
        assert "script" not in parsed.seen and "alert('1')" in "".join(parsed.texts)


def test_html_of_everything(tipper, iris):
    parsed = Balanced(tipper._repr_html_())
    assert {"service", "food", "tip"} <= set(parsed.texts) and any("3 rules" in text for text in parsed.texts)
    assert "svg" in parsed.seen and sum("if service is" in text for text in parsed.texts) == 3
    many = FuzzyArray(np.arange(100.0))
    for numbers, expected in ((many, "… 89 more"), (many[3], "FuzzyNumber"), (FuzzyArray([]), "FuzzyArray of 0 numbers")):
        assert expected in Balanced(numbers._repr_html_()).texts
    Balanced(FuzzyNumber("gauss(1, 2)", n_cuts=1)._repr_html_())
    # Displayed bounds are rounded outward; the float next to -2.5e-10 is a little smaller.
    assert "[0.333333, 0.333334]" in Balanced((FuzzyNumber(1) / 3)._repr_html_()).texts
    assert "[-2.50001e-10, inf]" in Balanced(FuzzyNumber("[-2.5e-10, inf]")._repr_html_()).texts
    assert "[-0.333334, -0.333333]" in Balanced((FuzzyNumber(-1) / 3)._repr_html_()).texts
    Balanced(tipper.explain([3, 7.5])._repr_html_())
    unfitted, fitted = FuzzyCMeans(3), FuzzyCMeans(3, random_state=0).fit(iris)
    assert "sum of memberships" not in unfitted._repr_html_()
    assert "sum of memberships" in fitted._repr_html_() and "xie beni" in fitted._repr_html_()
