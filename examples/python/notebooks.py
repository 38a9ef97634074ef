"""Writes the examples `plot_*.py` as notebooks: `python examples/python/notebooks.py`."""

import json
import pathlib

HERE = pathlib.Path(__file__).parent
NOTEBOOKS = HERE.parent / "notebooks"


def notebook(script: str) -> str:
    """The notebook of a script whose cells begin with `# %%`, each with an optional text in comments."""
    header, *cells = script.split("# %%\n")
    title, _, text = header.strip().strip('"').strip().split("\n", 2)
    content = [_cell("markdown", f"# {title}\n\n{text.strip()}")]
    for cell in cells:
        lines = cell.strip().split("\n")
        comments = lines[: next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))]
        if comments:
            content.append(_cell("markdown", "\n".join(line[2:] for line in comments).replace("``", "`")))
        content.append(_cell("code", "\n".join(lines[len(comments) :])))
    for i, cell in enumerate(content):
        cell["id"] = f"cell{i}"
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    document = {"cells": content, "metadata": {"kernelspec": python}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, source: str) -> dict:
    cell = {"cell_type": kind, "id": "", "metadata": {}, "source": source.splitlines(keepends=True)}
    return cell if kind == "markdown" else {**cell, "execution_count": None, "outputs": []}


def scripts() -> list[pathlib.Path]:
    """The examples."""
    return sorted(HERE.glob("plot_*.py"))


if __name__ == "__main__":
    NOTEBOOKS.mkdir(exist_ok=True)
    for path in scripts():
        name = path.stem.removeprefix("plot_")
        (NOTEBOOKS / f"{name}.ipynb").write_text(notebook(path.read_text(encoding="utf-8")), encoding="utf-8")
