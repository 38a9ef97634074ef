"""The view Data: tables, plots, the outputs of the system for all rows, and clusters."""

import gzip
import math
import random
import re
import struct
import subprocess
from array import array
from pathlib import Path

import pytest
from conftest import binary
from playwright.sync_api import expect
from test_understand import pixels

TIPPER = Path(__file__).parents[2] / "page/examples/tipper.fll"
FLOWERS = "kind,length,width\nrose,1.5,2\ntulip,2.5,\nrose,3.5,4\n,4.5,-1\nlily,5.5,0\nrose,6.5,1\n"


def npy(rows, columns):
    """An NPY file of numbers in double precision, row by row."""
    values = array("d", (x for row in rows for x in row))
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(values) // columns}, {columns}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values.tobytes()


def groups(n=40):
    """Three groups of rows."""
    generator = random.Random(1)
    lines = ["x,y,group"]
    for name, x, y in [("a", 0, 0), ("b", 10, 0), ("c", 5, 9)]:
        lines += [f"{x + generator.gauss(0, 0.7)},{y + generator.gauss(0, 0.7)},{name}" for _ in range(n)]
    return "\n".join(lines) + "\n"


def meals(n=300):
    """Service, food and a tip that is roughly that of the system."""
    generator = random.Random(2)
    rows = [(round(generator.uniform(0, 10), 3), round(generator.uniform(0, 10), 3)) for _ in range(n)]
    return "Food,given,SERVICE\n" + "".join(f"{food},{5 + service + food / 2:.2f},{service}\n" for service, food in rows)


def choose(studio, name, content):
    """Opens a file with the button."""
    files = [{"name": name, "mimeType": "application/octet-stream", "buffer": content if isinstance(content, bytes) else content.encode()}]
    studio.page.get_by_label("From another folder").set_input_files(files)


def view(studio):
    """The view Data, when it has been loaded."""
    studio.view("Data")
    expect(studio.page.get_by_label("In the folder")).to_be_visible()


def opened(studio, name, content):
    view(studio)
    choose(studio, name, content)
    expect(studio.page.get_by_role("status").filter(has_text=f"{name}: ")).to_be_visible()


def menu(page, name):
    return page.get_by_role("combobox", name=name, exact=True)


def scatter(page, label="Scatter plot"):
    return page.get_by_role("img", name=re.compile(f"^{label}: "))


def test_a_dropped_table_is_described(studio):
    view(studio)
    studio.drop("flowers.csv", FLOWERS)
    page = studio.page
    expect(page.get_by_text("flowers.csv: 6 rows, 3 columns.")).to_be_visible()
    rows = page.locator("table.columns tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("rose (3), tulip (1), lily (1)")
    expect(rows.nth(1).locator("td.number")).to_have_text(["1.5", "4", "6.5", "0", ""])
    expect(rows.nth(2).locator("td.number")).to_have_text(["−1", "1.2", "4", "1", ""])
    expect(page.get_by_label("Histogram of length from 1.5 to 6.5").first).to_be_visible()


def test_tables_are_opened_in_every_format(studio, tmp_path):
    (tmp_path / "some.tsv").write_text("a\tb\n1\t2\n3\t4\n")
    opened(studio, "small.npy", npy([(1, 2), (3, 5)], 2))
    expect(studio.page.locator("table.columns tbody tr").nth(1)).to_contain_text("3.5")
    opened(studio, "packed.csv.gz", gzip.compress(FLOWERS.encode()))
    expect(studio.page.get_by_text("packed.csv.gz: 6 rows, 3 columns.")).to_be_visible()
    studio.page.get_by_label("In the folder").select_option("some.tsv")
    expect(studio.page.get_by_text("some.tsv: 2 rows, 2 columns.")).to_be_visible()
    assert [path.name for path in tmp_path.iterdir()] == ["some.tsv"]


def test_errors_of_the_file_are_shown(studio):
    view(studio)
    studio.drop("bad.csv", "x,y\n1,2\n3\n")
    expect(studio.page.get_by_text("bad.csv, line 3: expected 2 fields, found 1")).to_be_visible()
    choose(studio, "image.png", b"\x89PNG")
    expect(studio.page.get_by_text("image.png: unsupported format; supported formats: `.csv`")).to_be_visible()
    # A system is opened as in every view.
    studio.drop("tipper.fll", TIPPER.read_text())
    expect(studio.page.get_by_role("tab", name="Design")).to_have_attribute("aria-selected", "true")


def test_names_with_markup_do_not_run(studio):
    markup = '<img src=x onerror="window.hacked=1">'
    opened(studio, f"{markup}.csv", f"{markup},b,t\n1,2,{markup}\n3,4,x\n")
    menu(studio.page, "Color").select_option("2")
    expect(studio.page.locator(".legend li").first).to_have_text(markup)
    assert studio.page.evaluate("window.hacked") is None
    assert studio.page.locator("main img").count() == 0


def test_two_columns_are_plotted_and_colored(studio):
    opened(studio, "groups.csv", groups())
    page = studio.page
    expect(scatter(page)).to_have_attribute("aria-label", re.compile(r"^Scatter plot: y from .* over x from .*; 120 rows$"))
    plain = pixels(page, "Scatter plot")
    menu(page, "Color").select_option("2")
    expect(page.locator("section[aria-label='Scatter plot'] .legend li")).to_have_text(["a", "b", "c"])
    assert pixels(page, "Scatter plot") > plain
    menu(page, "Color").select_option("0")
    expect(scatter(page)).to_have_attribute("aria-label", re.compile("colored by x$"))
    assert pixels(page, "Scatter plot") > 100
    menu(page, "Horizontal").select_option("2")
    expect(scatter(page)).to_have_attribute("aria-label", re.compile(r"over group \(3 texts\)"))


def test_all_pairs_are_plotted(studio):
    opened(studio, "groups.csv", groups())
    page = studio.page
    page.get_by_text("Scatter plots of all pairs").click()
    expect(page.locator(".matrix-grid canvas")).to_have_count(1)
    expect(page.locator(".matrix-name")).to_have_count(2)
    page.wait_for_function("() => performance.getEntriesByName('scatter matrix').length > 0")
    assert pixels(page, "Small scatter plot") > 2


def test_a_million_rows_are_counted_in_cells(studio, tmp_path):
    generator = random.Random(3)
    rows = ((generator.gauss(0, 1), generator.gauss(0, 1), i % 7) for i in range(1_000_000))
    (tmp_path / "large.npy").write_bytes(npy(rows, 3))
    view(studio)
    page = studio.page
    page.get_by_label("In the folder").select_option("large.npy")
    caption = page.get_by_text("1,000,000 rows in 200 × 200 cells; color: number of rows, logarithmic")
    expect(caption).to_be_visible(timeout=60_000)
    page.evaluate("performance.clearMeasures('scatter plot')")
    for label, value in [("Vertical", "2"), ("Color", "1"), ("Vertical", "0")]:
        before = page.evaluate("performance.getEntriesByName('scatter plot').length")
        menu(page, label).select_option(value)
        page.wait_for_function("before => performance.getEntriesByName('scatter plot').length > before", arg=before)
    times = page.evaluate("performance.getEntriesByName('scatter plot').map(entry => entry.duration)")
    print("scatter plot of 1,000,000 rows: " + ", ".join(f"{time:.0f} ms" for time in times))
    expect(page.get_by_text("color: mean of c2")).to_be_visible()
    assert pixels(page, "Scatter plot") > 100


def test_the_system_is_run_for_all_rows_and_saved(studio, tmp_path):
    text = meals()
    (tmp_path / "meals.csv").write_text(text)
    studio.example("Tipper")
    view(studio)
    page = studio.page
    page.get_by_label("In the folder").select_option("meals.csv")
    # The columns are found by name.
    expect(page.get_by_label("Column of service")).to_have_value("2")
    expect(page.get_by_label("Column of food")).to_have_value("0")
    page.get_by_role("button", name="Run", exact=True).click()
    table = page.get_by_role("table", name="Outputs of 300 rows")
    expect(table).to_be_visible()
    expect(scatter(page, "Plot of the output")).to_have_attribute("aria-label", re.compile(r"tip from .* over Food from .*300 rows"))
    page.get_by_role("button", name="Save outputs").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox")).to_have_value("meals-outputs.csv")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved meals-outputs.csv")).to_be_visible()
    # The command matches the case of names.
    (tmp_path / "same.csv").write_text(text.replace("Food", "food").replace("SERVICE", "service"))
    command = [binary(), "infer", str(TIPPER), "--data", "same.csv", "--out", "-", "--quiet"]
    expected = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert (tmp_path / "meals-outputs.csv").read_text() == expected
    # An existing file is replaced only after a question.
    page.get_by_role("button", name="Save outputs").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    question = page.get_by_role("dialog", name="Replace meals-outputs.csv?")
    question.get_by_role("button", name="Cancel").click()
    # Errors against a target.
    page.get_by_label("Target (correct values)").select_option("1")
    outputs = [float(x) for x in expected.split()[1:]]
    targets = [float(line.split(",")[1]) for line in text.split()[1:]]
    errors = [y - t for y, t in zip(outputs, targets)]
    rmse = math.sqrt(sum(e * e for e in errors) / len(errors))
    row = max(range(len(errors)), key=lambda i: abs(errors[i])) + 1
    shown = page.locator(".errors")
    expect(shown).to_contain_text("300 rows compared")
    assert float(re.search(r"RMSE ([\d.]+)", shown.inner_text())[1]) == pytest.approx(rmse, rel=1e-4)
    assert f"in row {row} " in shown.inner_text()
    expect(scatter(page, "Plot of the errors")).to_have_attribute("aria-label", re.compile("tip − given from"))


def test_inputs_without_a_column_are_named(studio):
    studio.example("Tipper")
    opened(studio, "groups.csv", groups())
    page = studio.page
    expect(page.get_by_text("Choose a column for service, food.")).to_be_visible()
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_be_disabled()
    page.get_by_label("Column of service").select_option("0")
    page.get_by_label("Column of food").select_option("1")
    run.click()
    expect(page.get_by_role("table", name="Outputs of 120 rows")).to_be_visible()


def test_clusters_are_found_and_saved(studio, tmp_path):
    opened(studio, "groups.csv", groups())
    page = studio.page
    page.get_by_role("button", name="Find clusters").click()
    expect(page.get_by_text("Recommended: 3 clusters, the best number by")).to_be_visible()
    expect(page.get_by_label(re.compile("^Xie-Beni over clusters; at 3 it is"))).to_be_visible()
    rows = page.locator("table.centers tbody tr")
    expect(rows).to_have_count(3)
    centers = sorted([float(x.replace("−", "-")) for x in row.locator("td.number").all_inner_texts()[1:]] for row in rows.all())
    for found, expected in zip(centers, [(0, 0), (5, 9), (10, 0)]):
        assert math.dist(found, expected) < 0.6
    panel = page.get_by_role("region", name="Clusters")
    expect(panel.locator(".legend li")).to_have_count(3)
    menu(panel, "Horizontal").select_option("2")
    expect(scatter(page, "Clusters")).to_have_attribute("aria-label", re.compile("over principal axis 1"))
    menu(panel, "Shown number of clusters").select_option("4")
    expect(rows).to_have_count(4)
    menu(panel, "Shown number of clusters").select_option("3")
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Save clusters").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved groups-clusters.csv")).to_be_visible()
    lines = (tmp_path / "groups-clusters.csv").read_text().split()
    assert lines[0] == "cluster,cluster1,cluster2,cluster3" and len(lines) == 121
    labels = [line.split(",")[0] for line in lines[1:]]
    assert len({tuple(labels[i : i + 40]) for i in (0, 40, 80)}) == 3 and len(set(labels[:40])) == 1


@pytest.mark.parametrize("metric", ["gk", "gg"])
def test_one_number_of_clusters_with_another_metric(studio, metric):
    opened(studio, "groups.csv", groups())
    page = studio.page
    page.get_by_label("Compare 2 to 10 clusters").uncheck()
    page.get_by_label("Clusters", exact=True).and_(page.locator("input")).fill("3")
    page.get_by_label("Metric").select_option(metric)
    page.get_by_role("button", name="Find clusters").click()
    expect(page.locator("table.centers tbody tr")).to_have_count(3)


def test_a_clustering_is_cancelled(studio, tmp_path):
    generator = random.Random(4)
    (tmp_path / "noise.npy").write_bytes(npy(([generator.random() for _ in range(6)] for _ in range(200_000)), 6))
    view(studio)
    page = studio.page
    page.get_by_label("In the folder").select_option("noise.npy")
    page.get_by_role("button", name="Find clusters").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled.")).to_be_visible()
    expect(page.get_by_role("button", name="Find clusters")).to_be_enabled()


@pytest.mark.parametrize("width", [1024, 390])
def test_nothing_is_wider_than_the_window(studio, width):
    studio.example("Tipper")
    opened(studio, "groups.csv", groups())
    page = studio.page
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_text("Scatter plots of all pairs").click()
    page.get_by_label("Column of service").select_option("0")
    page.get_by_label("Column of food").select_option("1")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_label("Target (correct values)").select_option("1")
    page.get_by_role("button", name="Find clusters").click()
    expect(page.locator("table.centers tbody tr")).to_have_count(3)
    expect(scatter(page, "Plot of the errors")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    nameless = """() => [...document.querySelectorAll("button, input, select, textarea, canvas, svg[role]")]
        .filter(node => node.offsetParent !== null && !(node.getAttribute("aria-label") || node.textContent.trim() || node.closest("label")))
        .map(node => node.outerHTML)"""
    assert page.evaluate(nameless) == []
