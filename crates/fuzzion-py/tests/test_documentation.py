"""The examples of the documentation."""

import doctest
import pathlib
import re

import fuzzion
import pytest
from fuzzion import _clustering

HERE = pathlib.Path(__file__).parent
README = HERE.parent / "README.md"
MAIN_README = HERE.parents[2] / "README.md"


@pytest.mark.parametrize("path", [README, MAIN_README], ids=lambda path: path.parent.name)
def test_readme(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(block, names)


def test_docstrings():
    results = doctest.testmod(_clustering)
    assert results.attempted >= 4 and results.failed == 0


def test_all_names_exist_and_are_documented():
    for name in fuzzion.__all__:
        assert getattr(fuzzion, name).__doc__, name
        assert name in dir(fuzzion)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        fuzzion.nonsense
