"""Progress of long operations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext


def progress_bar(verbose: bool, label: str) -> AbstractContextManager[Callable[[int, int], None] | None]:
    """A callback for the library that shows a progress bar: of tqdm if it is installed, otherwise a line of text."""
    return _visible(label) if verbose else nullcontext()


@contextmanager
def _visible(label: str) -> Iterator[Callable[[int, int], None]]:
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
