"""The view Numbers: formulas, values, results, methods."""

import re
import shlex
import subprocess

import pytest
from conftest import binary
from playwright.sync_api import expect


@pytest.fixture
def numbers(studio):
    studio.view("Numbers")
    expect(studio.page.locator(".result-support")).to_have_text("[3.00, 18.00]")
    return studio


def command_output(studio):
    """What the command that the page shows prints."""
    line = studio.page.get_by_label("Command for this result", exact=True).inner_text()
    words = shlex.split(line)
    assert words[0] == "fuzzion"
    return subprocess.run([binary(), *words[1:]], cwd=studio.folder, capture_output=True, text=True, check=True).stdout


def shown_table(page):
    rows = page.locator(".cuts tr")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def example(studio, title, support):
    studio.page.get_by_role("button", name=title, exact=True).click()
    expect(studio.page.locator(".result-support")).to_have_text(support)


@pytest.mark.parametrize("title,support", [("Division", "[45.00000, 80.00000]"), ("Repeated variable", "[0.0000, 1.0000]"), ("Parallel resistors", re.compile(r"\[5"))])
@pytest.mark.parametrize("settings", [{}, {"Encoding": "mr", "Method": "vertex"}, {"Encoding": "mr", "Precision": "mixed"}, {"Precision": "f32", "Method": "affine"}])
def test_the_table_is_that_of_the_command(numbers, title, support, settings):
    page = numbers.page
    page.get_by_role("button", name=title, exact=True).click()
    for label, value in settings.items():
        page.get_by_role("combobox", name=label).select_option(value)
    options = [f"--{label.lower()} {value}" for label, value in settings.items()]
    command = page.get_by_label("Command for this result", exact=True)
    for option in options:
        expect(command).to_contain_text(option)
    if not settings:
        expect(page.locator(".result-support")).to_have_text(support)
    else:
        page.wait_for_timeout(300)
    printed = command_output(numbers)
    lines = [re.split(r"  +", line.strip()) for line in printed.split("\n\n")[0].splitlines()]
    assert shown_table(page) == lines
    centroid = re.search(r"centroid (.*)", printed).group(1)
    assert page.locator(".result-centroid").inner_text() == centroid
    quiet = subprocess.run([binary(), *shlex.split(command.inner_text())[1:], "--quiet"], capture_output=True, text=True, check=True).stdout
    assert page.get_by_label("Result as text", exact=True).inner_text() == quiet.strip()


def test_typing_updates_the_result_and_errors_are_marked(numbers):
    page = numbers.page
    formula = page.get_by_role("textbox", name="Formula")
    formula.fill("2 * a")
    expect(page.locator(".result-support")).to_have_text("[2.0, 8.0]")
    formula.fill("2 * * a")
    problem = page.get_by_role("region", name="Formula").locator(".problem")
    expect(problem).to_contain_text("Column 5:")
    expect(problem.locator("mark")).to_have_text("*")
    expect(formula).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("This is the last valid result.")).to_be_visible()
    formula.fill("2 + a")
    expect(page.locator(".result-core")).to_have_text("[4.0, 5.0]")
    expect(formula).to_have_attribute("aria-invalid", "false")
    formula.press("Control+z")
    expect(formula).not_to_have_value("2 + a")


def test_values_are_added_changed_and_deleted(numbers):
    page = numbers.page
    page.get_by_role("textbox", name="Formula").fill("a * price")
    page.get_by_role("button", name="Add price = tri(1, 2, 3)").click()
    expect(page.locator(".result-support")).to_have_text("[1.00, 12.00]")
    page.get_by_label("Number of price").fill("tri(1, 2")
    row = page.locator(".value-row").nth(1)
    expect(row.locator(".problem")).to_contain_text("expected `,` or `)`")
    expect(page.get_by_text("the value of `price` is missing or invalid")).to_be_visible()
    page.get_by_label("Number of price").fill("[2, 3]")
    expect(page.locator(".result-support")).to_have_text("[2.0, 12.0]")
    expect(row.locator("svg")).to_have_attribute("aria-label", "Membership of price")
    assert len(set(re.findall(r"[ML]([\d.]+) ", row.locator("path.curve").get_attribute("d")))) == 2
    page.get_by_role("button", name="Add value").click()
    page.keyboard.type("unused")
    page.get_by_label("Number of unused").fill("[1, 2]")
    expect(page.locator(".value-row").nth(2)).to_contain_text("not in the formula")
    page.get_by_role("button", name="Delete price").click()
    expect(page.locator(".value-row")).to_have_count(2)
    expect(page.get_by_text("the variable `price` has no value")).to_be_visible()


def test_the_methods_are_compared(numbers):
    page = numbers.page
    example(numbers, "Repeated variable", "[0.0000, 1.0000]")
    panel = page.get_by_role("region", name="Methods compared")
    expect(panel).to_contain_text("Vertex is narrower than direct")
    expect(panel).to_contain_text("`x` occurs 2 times")
    cells = panel.locator("tbody tr").nth(1).locator("td")
    expect(cells.first).to_have_text("0.25")
    curves = panel.locator("path.curve")
    visible = "paths => paths.filter(path => path.getAttribute('d')).length"
    assert curves.evaluate_all(visible) == 4
    panel.get_by_label("Show vertex, mr").check()
    assert curves.evaluate_all(visible) == 5
    panel.get_by_label("Show affine, lu").uncheck()
    assert curves.evaluate_all(visible) == 4
    page.get_by_role("combobox", name="Method").select_option("vertex")
    expect(page.locator(".result-support")).to_have_text(re.compile(r"\[0\S*, 0\.25\S*\]"))
    expect(panel.locator("tr.chosen")).to_contain_text("vertex, lu")


def test_the_number_of_cuts(numbers):
    page = numbers.page
    page.get_by_role("spinbutton", name="Cuts").fill("3")
    expect(page.locator(".cuts tbody tr")).to_have_count(3)
    page.get_by_role("spinbutton", name="Cuts").fill("5000")
    expect(page.get_by_role("spinbutton", name="Cuts")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".cuts tbody tr")).to_have_count(3)


def test_the_formula_is_kept_and_names_are_no_markup(numbers):
    page = numbers.page
    page.get_by_role("textbox", name="Formula").fill("a + <img src=x onerror=window.hacked=1>")
    expect(page.get_by_role("region", name="Formula").locator(".problem")).to_contain_text("unexpected character `<`")
    page.get_by_label("Name of a").fill("<img src=x onerror=window.hacked=1>")
    expect(page.locator(".value-row .problem")).to_contain_text("cannot be a name")
    numbers.view("Start")
    numbers.view("Numbers")
    expect(page.get_by_role("textbox", name="Formula")).to_have_value("a + <img src=x onerror=window.hacked=1>")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("width", [1280, 1024, 390])
def test_nothing_is_wider_than_the_window(studio, width):
    page = studio.open(viewport={"width": width, "height": 900})
    studio.view("Numbers", page)
    expect(page.locator(".result-support")).to_have_text("[3.00, 18.00]")
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    nameless = """() => [...document.querySelectorAll("button, input, select, textarea, canvas, svg[role]")]
        .filter(node => node.offsetParent !== null && !(node.getAttribute("aria-label") || node.textContent.trim() || node.closest("label")))
        .map(node => node.outerHTML)"""
    assert page.evaluate(nameless) == []
