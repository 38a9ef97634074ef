"""Progress of long operations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(verbose: bool, label: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback for the library that shows a progress bar: of tqdm if it is installed, otherwise a line of text."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def show(done: int, total: int) -> None:
            print(f"\r{label}: {done} of {total or '?'}", end="", file=sys.stderr, flush=True)

        try:
            yield show
        finally:
            print(file=sys.stderr)
        return
    with tqdm(desc=label) as bar:

        def update(done: int, total: int) -> None:
            bar.total = total or None
            bar.n = done
            bar.refresh()

        yield update
