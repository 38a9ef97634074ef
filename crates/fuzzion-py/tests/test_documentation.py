"""The examples of the documentation."""

import doctest
import os
import pathlib
import re
import shutil
import subprocess
import sys

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
PAGES = [HERE.parent / "README.md", ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs/src").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Blocks that are not run: a part of their text, and the reason.
NOT_RUN = {
    "pip install": "installs packages",
    "./test": "builds the workspace and runs this test",
    "cargo ": "builds the workspace",
    "fuzzion studio": "waits for a browser; run by crates/fuzzion-studio/tests/browser/test_tutorial.py",
    "$ tail -n +1 -f": "never ends; run by crates/fuzzion-cli/tests/suite/streams.rs",
    "--device cuda": "needs an NVIDIA GPU",
    "import torch": "needs an NVIDIA GPU",
    "import ray": "needs Ray",
    "from pyspark": "needs Spark",
}
# Languages of blocks that are never run.
OTHER_LANGUAGES = {"", "text", "matlab", "bibtex", "c", "cuda", "toml"}


def runs(language: str, code: str) -> bool:
    """Whether a test runs the block; Rust is run by `cargo test --doc`."""
    return language in {"python", "sh"} and not any(part in code for part in NOT_RUN)


def transcript(block: str) -> list[tuple[str, str]]:
    """The commands after `$ `, each with the output that is printed below it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def matches(output: str, expected: str) -> bool:
    """Whether `output` is as printed; `…` stands for any text, and for any lines if it is alone on a line."""
    lines = ("(?s:.*?)" if line == "…" else r"[^\n]*".join(map(re.escape, line.split("…"))) for line in expected.split("\n"))
    return re.fullmatch(r"\n".join(lines).rstrip(r"\n"), re.sub(r"[ \t]+$", "", output, flags=re.MULTILINE).rstrip("\n")) is not None


def run_shell(script: str) -> str:
    folder = pathlib.Path(sys.executable).parent  # with the command `fuzzion` of this environment
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert result.returncode == 0, f"{script}\n{result.stdout}"
    return result.stdout


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_page(path, tmp_path, monkeypatch):
    """Runs the blocks of a page in order, in a folder that contains the data of the examples."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    shutil.copytree(ROOT / "examples/data", "data")
    names = {}
    for language, code in BLOCK.findall(path.read_text(encoding="utf-8")):
        if not runs(language, code):
            continue
        if language == "python":
            exec(compile(code, str(path), "exec"), names)
        elif os.name == "nt":
            continue  # the commands are for Unix shells
        elif code.startswith("$ "):
            for command, expected in transcript(code):
                output = run_shell(command)
                assert not expected.strip() or matches(output, expected), f"{command}\n{output}"
        else:
            run_shell(code)


def test_all_blocks_are_run_or_listed():
    pages = {path: BLOCK.findall(path.read_text(encoding="utf-8")) for path in PAGES}
    texts = [code for blocks in pages.values() for language, code in blocks if language in {"python", "sh"}]
    for part in NOT_RUN:
        assert any(part in text for text in texts), f"no block contains {part!r}"
    languages = {language for blocks in pages.values() for language, _ in blocks}
    assert languages <= {"python", "rust", "sh"} | OTHER_LANGUAGES
    documentation = (ROOT / "examples/rust/documentation.rs").read_text(encoding="utf-8")
    for path, blocks in pages.items():
        if any(language == "rust" for language, _ in blocks):
            assert f"/{path.name}\"" in documentation, f"{path.name} is missing in examples/rust/documentation.rs"
    linked = re.findall(r"\]\((\S+?\.md)\)", (ROOT / "docs/src/SUMMARY.md").read_text(encoding="utf-8"))
    assert sorted(linked) == sorted(path.name for path in (ROOT / "docs/src").glob("*.md") if path.name != "SUMMARY.md")


def test_links_of_the_pages_exist():
    for path in PAGES:
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)|src=\"([^\"]+)\"", path.read_text(encoding="utf-8")):
            target = "".join(link)
            assert "://" in target or (path.parent / target).exists(), f"{path.name}: {target}"


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
