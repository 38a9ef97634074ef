"""Opening, saving, exporting, dropping files, and unsaved changes."""

import re
import shutil
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

ROOT = Path(__file__).parents[4]
TIPPER = (ROOT / "examples/data/tipper.fll").read_text()
SYSTEMS = sorted(
    path for folder in ("crates/fuzzion/examples/systems", "crates/fuzzion-cli/tests/saved") for path in (ROOT / folder).glob("*.f??")
)


def test_a_file_given_on_the_command_line_is_shown(start, tmp_path):
    (tmp_path / "tipper.fll").write_text(TIPPER)
    studio = start("tipper.fll")
    expect(studio.page.locator(".variable-name")).to_have_text(["service", "food", "tip"])
    assert "closing the tab leaves the server running" in studio.note


def test_a_file_is_opened_changed_and_saved(studio, tmp_path):
    (tmp_path / "tipper.fll").write_text(TIPPER)
    page = studio.page
    page.get_by_role("button", name="Open", exact=True).first.click()
    page.get_by_role("button", name="tipper.fll").click()
    page.get_by_role("button", name="Delete rule 3").click()
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status").filter(has_text="Saved tipper.fll")).to_be_visible()
    assert (tmp_path / "tipper.fll").read_text().count("rule:") == 2


@pytest.mark.parametrize(("format", "extension", "content"), [("fis", "fis", "[Rules]"), ("json", "json", '"fuzzion"'), ("c", "c", "tipper_infer"), ("python", "py", "from fuzzion import")])
def test_a_system_is_saved_in_other_formats(studio, tmp_path, format, extension, content):
    studio.example("Tipper")
    studio.page.get_by_role("button", name="Save as").click()
    dialog = studio.page.get_by_role("dialog")
    dialog.get_by_label("Format").select_option(format)
    dialog.get_by_role("button", name="Save").click()
    expect(studio.page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    assert content in (tmp_path / f"tipper.{extension}").read_text()


def test_an_existing_file_is_replaced_only_after_a_question(studio, tmp_path):
    (tmp_path / "tipper.fll").write_text("precious")
    studio.example("Tipper")
    studio.page.get_by_role("button", name="Save as").click()
    studio.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    question = studio.page.get_by_role("dialog", name="Replace tipper.fll?")
    question.get_by_role("button", name="Cancel").click()
    assert (tmp_path / "tipper.fll").read_text() == "precious"


def test_code_is_exported(studio):
    studio.example("Tipper")
    studio.page.get_by_role("button", name="Export").click()
    text = studio.page.get_by_label("Text of the system")
    for format, expected in [("python", "from fuzzion import"), ("rust-builder", "System::new"), ("cuda", "__global__"), ("rust", "pub fn infer")]:
        studio.page.get_by_role("dialog").get_by_label("As", exact=False).select_option(format)
        expect(text).to_have_value(re.compile(expected))
    with studio.page.expect_download() as download:
        studio.page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "tipper.rs"


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: path.name)
def test_a_dropped_file_is_shown(studio, path):
    studio.drop(path.name, path.read_text())
    expect(studio.page.locator(".variable-name").first).to_be_visible()
    expect(studio.page.locator(".chart.editable")).to_be_visible()


def test_a_dropped_file_with_an_error_is_explained(studio):
    studio.drop("broken.fll", TIPPER.replace("is cheap", "is cheep"))
    expect(studio.page.get_by_text(re.compile("line 23, column .*`cheep`"))).to_be_visible()


def test_one_of_several_function_blocks_is_chosen(studio):
    text = (ROOT / "crates/fuzzion/examples/systems/tipper.fcl").read_text()
    (studio.folder / "both.fcl").write_text(text + text.replace("FUNCTION_BLOCK tipper", "FUNCTION_BLOCK other"))
    studio.page.get_by_role("button", name="Open", exact=True).click()
    studio.page.get_by_role("button", name="both.fcl").click()
    studio.page.get_by_role("dialog", name="Choose a function block").get_by_role("button", name="other").click()
    expect(studio.page.locator(".variable-name").first).to_be_visible()
    expect(studio.page.locator(".file-name")).to_have_text("both.fcl")


def test_unsaved_changes_are_offered_again(studio):
    studio.example("Tipper", "Design")
    studio.page.get_by_role("button", name="Delete rule 3").click()
    studio.page.wait_for_function("() => Object.keys(localStorage).some(key => localStorage[key].includes('tipper'))")
    studio.page.close()
    page = studio.open_again()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("heading", name="Rules (2)")).to_be_visible()


def test_the_result_equals_that_of_the_command(studio, tmp_path):
    shutil.copy(ROOT / "examples/data/tipper.fll", tmp_path)
    studio.example("Tipper")
    for name, value in (("service", "3.25"), ("food", "7.5")):
        field = studio.page.get_by_label(f"Value of {name} as a number")
        field.fill(value)
        field.press("Enter")
    expected = float(studio.infer("tipper.fll", service=3.25, food=7.5).split()[-1].split(",")[-1])
    close = "expected => Math.abs(Number(document.querySelector('.output-value').dataset.value) - expected) < 1e-9"
    studio.page.wait_for_function(close, arg=expected)


def shown(studio, text, name, first):
    """Drops a system and opens it in the view Understand."""
    studio.drop(name, text)
    if not first:
        studio.page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    expect(studio.page.get_by_role("tab", name="Design")).to_have_attribute("aria-selected", "true")
    studio.view("Understand")


def test_the_systems_of_pyfuzzylite_show_what_the_command_computes(studio, tmp_path):
    fuzzylite = pytest.importorskip("fuzzylite")
    random = Random(1)
    paths = sorted((Path(fuzzylite.__file__).parent / "examples").rglob("*.fll"))
    assert len(paths) >= 60
    for number, path in enumerate(paths):
        try:
            compare(studio, path.read_text(), path.name, number == 0, random)
        except Exception as error:
            raise AssertionError(f"system {number}, {path.name}") from error


def compare(studio, text, name, first, random):
    """Compares the shown outputs of a system at random inputs with those of the command."""
    (studio.folder / "system.fll").write_text(text)
    shown(studio, text, name, first)
    inputs = [name.strip() for name in re.findall(r"^InputVariable: *(.*)$", text, re.MULTILINE)]
    blocks = studio.page.locator(".input-block")
    expect(blocks.locator("h3")).to_have_text(inputs)
    values = {}
    for i, name in enumerate(inputs):
        field = blocks.nth(i).locator("input[type=number]")
        before = field.input_value()
        blocks.nth(i).locator("input[type=range]").fill(str(random.randint(1, 450)))
        expect(field).not_to_have_value(before)
        # The field shows a rounded number; another one is typed.
        values[name] = 0.999 * float(field.input_value()) + 1e-6
        field.fill(repr(values[name]))
        field.press("Enter")
    row = studio.infer("system.fll", **values).splitlines()[-1].split(",")
    expected = [None if value.lower() in ("", "nan") else float(value) for value in row]
    equal = """expected => {
        const values = [...document.querySelectorAll(".output-value")].map(node => Number(node.dataset.value.replace("null", "NaN")));
        return values.length === expected.length && values.every((value, i) => expected[i] === null
            ? Number.isNaN(value) : Math.abs(value - expected[i]) <= 1e-9 * Math.max(1, Math.abs(value)));
    }"""
    studio.page.wait_for_function(equal, arg=expected)
