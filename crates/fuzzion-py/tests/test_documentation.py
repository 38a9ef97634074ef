"""The examples of the documentation."""

import doctest
import pathlib
import re

import fuzzion
import pytest
from fuzzion import (
    _clustering,
    _distributed,
    _formula,
    _intervals,
    _model_plots,
    _numbers,
    _plots,
    _rule_reports,
    _sonfin,
    _tsk,
)

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
PAGES = [HERE.parent / "README.md", ROOT / "README.md", *sorted((ROOT / "docs/src").glob("*.md"))]
NO_PYTHON = {"index.md", "SUMMARY.md"}


@pytest.mark.parametrize(
    "path", [page for page in PAGES if page.name not in NO_PYTHON], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_page(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(block, names)


@pytest.mark.parametrize(
    ("module", "examples"),
    [
        (_clustering, 4),
        (_distributed, 4),
        (_formula, 4),
        (_intervals, 18),
        (_model_plots, 4),
        (_numbers, 11),
        (_plots, 2),
        (_rule_reports, 6),
        (_sonfin, 4),
        (_tsk, 4),
    ],
)
def test_docstrings(module, examples, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    results = doctest.testmod(module)
    assert results.attempted >= examples and results.failed == 0


def test_docstrings_of_dask():
    import fuzzion.dask

    results = doctest.testmod(fuzzion.dask)
    assert results.attempted >= 4 and results.failed == 0


def test_all_names_exist_and_are_documented():
    for name in fuzzion.__all__:
        documentation = getattr(fuzzion, name).__doc__
        assert documentation and "{common}" not in documentation, name
        if name.endswith(("Means", "Kessel", "Geva", "Regressor", "Classifier")):
            assert "\nrandom_state : int" in documentation and "\nn_iter_ : int" in documentation, name
        assert name in dir(fuzzion)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        fuzzion.nonsense
