"""Devices, opened once per process and name."""

from __future__ import annotations

import os
import sys

from ._fuzzion import Device, leak

_devices: dict[tuple[str, int | None], Device] = {}


def open_device(name: str, threads: int | None = None) -> Device:
    """The device ``cpu``, ``cuda``, ``cuda:N``, ``cuda:N,M``, ``cuda:all`` or ``best``, with this number of CPU threads."""
    if not isinstance(name, str):
        raise TypeError(f'`device` is {name!r}, but it must be a text, such as "cpu", "cuda" or "best"')
    device = _devices.get((name, threads))
    if device is None:
        if name != "cpu" and sys.prefix != sys.base_prefix:
            # NVRTC is also searched for in the active virtual environment, which this variable names only after `activate`.
            os.environ.setdefault("VIRTUAL_ENV", sys.prefix)
        device = _devices.setdefault((name, threads), Device(name, threads or _threads()))
    return device


def _threads() -> int:
    """Number of threads: FUZZION_THREADS, else OMP_NUM_THREADS (which joblib sets in its workers), else one per core."""
    for variable in ("FUZZION_THREADS", "OMP_NUM_THREADS"):
        text = os.environ.get(variable, "").split(",")[0].strip()  # OMP_NUM_THREADS may list nested levels
        if text:
            if not text.isdecimal():
                raise ValueError(f"invalid number of threads `{variable}={text}`; expected an integer from 1 to 4096")
            return int(text)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _after_fork() -> None:
    """Forgets the devices of the parent process, whose threads do not exist in the child."""
    for device in _devices.values():
        leak(device)
    _devices.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
