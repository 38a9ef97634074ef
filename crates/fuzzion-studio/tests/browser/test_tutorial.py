"""The tutorial `docs/src/studio.md`. With the variable SCREENSHOTS, its pictures are written to that folder."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

ROOT = Path(__file__).parents[4]
INPUTS = [("temperature", 15, 35, "cold pleasant hot"), ("humidity", 20, 100, "dry normal humid")]
RULES = [
    "if temperature is cold then speed is slow",
    "if temperature is pleasant and humidity is humid then speed is medium",
    "if temperature is hot then speed is fast",
]
MISSING_RULES = [
    "if temperature is pleasant and humidity is normal then speed is slow",
    "if temperature is pleasant and humidity is dry then speed is slow",
]


def test_the_tutorial(studio):
    page = studio.page
    editor = page.get_by_role("region", name="Selected variable", exact=True)

    def picture(name, full=False):
        if "SCREENSHOTS" in os.environ:
            if full:
                page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(500)
            page.screenshot(path=Path(os.environ["SCREENSHOTS"]) / f"studio-{name}.png", full_page=full)

    def fill(locator, text):
        locator.fill(str(text))
        locator.press("Tab")

    def variable(kind, name, low, high, sets):
        page.get_by_role("button", name=f"+ {kind}").click()
        fill(editor.get_by_label(kind, exact=True), name)
        fill(editor.get_by_label("to", exact=True), high)
        fill(editor.get_by_label("from", exact=True), low)
        for i, set_name in enumerate(sets.split()):
            fill(page.get_by_label("Name of the set").nth(i), set_name)

    def add_rule(text):
        page.get_by_label("New rule").fill(text)
        page.get_by_label("New rule").press("Enter")

    picture("start")
    page.get_by_role("button", name="New system").click()
    for name, low, high, sets in INPUTS:
        variable("Input", name, low, high, sets)
    variable("Output", "speed", 0, 100, "slow medium fast")
    for rule in RULES:
        add_rule(rule)
    expect(page.get_by_role("heading", name="Rules (3)")).to_be_visible()
    page.get_by_role("button", name="temperature", exact=True).click()
    picture("design", full=True)

    studio.view("Understand")
    expect(page.get_by_text(re.compile("No rule fires at .* % of the points"))).to_be_visible()
    page.get_by_role("region", name="Checks").scroll_into_view_if_needed()
    picture("checks")
    studio.view("Design")
    for rule in MISSING_RULES:
        add_rule(rule)
    studio.view("Understand")
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    expect(page.get_by_text("A rule fires everywhere.")).to_be_visible()

    fill(page.get_by_label("Value of temperature as a number"), 31)
    fill(page.get_by_label("Value of humidity as a number"), 40)
    expect(page.locator(".output-value")).to_have_text("55.045")
    page.evaluate("scrollTo(0, 0)")
    picture("understand")
    page.get_by_role("region", name="Control surface").scroll_into_view_if_needed()
    picture("surface")

    page.get_by_role("button", name="Save as").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("File").fill("fan.fll")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    saved = (studio.folder / "fan.fll").read_text()
    assert saved == (ROOT / "examples/data/fan.fll").read_text()
    assert studio.output() == pytest.approx(float(studio.infer("fan.fll", temperature=31, humidity=40).split()[-1]), rel=1e-12)
