"""The examples: scripts, and the notebooks made from them."""

import importlib.util
import pathlib

import nbclient
import nbformat
import pytest

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
_SPEC = importlib.util.spec_from_file_location("notebooks", EXAMPLES / "python/notebooks.py")
notebooks = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(notebooks)


def test_there_is_a_notebook_for_every_example():
    names = {path.stem.removeprefix("plot_") for path in notebooks.scripts()}
    assert names == {path.stem for path in notebooks.NOTEBOOKS.glob("*.ipynb")} and len(names) >= 5


@pytest.mark.parametrize("path", notebooks.scripts(), ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    """The notebook has the cells of the script, and runs."""
    expected = notebooks.notebook(path.read_text(encoding="utf-8"))
    file = notebooks.NOTEBOOKS / f"{path.stem.removeprefix('plot_')}.ipynb"
    assert file.read_text(encoding="utf-8") == expected, "run examples/python/notebooks.py"
    document = nbformat.reads(expected, as_version=4)
    nbformat.validate(document)
    nbclient.NotebookClient(document, resources={"metadata": {"path": tmp_path}}, timeout=120).execute()
    outputs = [output for cell in document.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)
