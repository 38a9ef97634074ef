"""Compares two builds of the command line, benchmark by benchmark.

    python3 bench/compare.py OLD NEW --device cpu --threads 1 --runs 7 sets arithmetic …

Runs the two binaries in alternation, each module pinned to a core of its own on the CPU, and prints for every
benchmark the minimum time of each binary and their ratio (new over old).
"""

import argparse
import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor


def run(binary, module, options, core):
    command = [binary, "bench", module, "--json", *options]
    if core is not None:
        command = ["taskset", "-c", str(core), *command]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {m["name"]: m["seconds"] for m in json.loads(output)["measurements"]}


def compare(arguments, module, core, deadline):
    options = ["--device", arguments.device]
    if arguments.threads:
        options += ["--threads", str(arguments.threads)]
    times = {binary: {} for binary in (arguments.old, arguments.new)}
    runs = 0
    while runs < arguments.runs and time.time() < deadline:
        for binary in (arguments.old, arguments.new) if runs % 2 == 0 else (arguments.new, arguments.old):
            for name, seconds in run(binary, module, options, core).items():
                times[binary].setdefault(name, []).append(seconds)
        runs += 1
    old, new = times[arguments.old], times[arguments.new]
    lines = [f"{module}: {runs} runs of each"]
    for name in old:
        if name in new:
            a, b = min(old[name]), min(new[name])
            lines.append(f"{b / a:6.3f}  {a:.3e} {b:.3e}  {name}")
    missing = sorted(set(old) ^ set(new))
    if missing:
        lines.append(f"only in one of them: {', '.join(missing)}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--limit", type=float, default=3600, help="seconds after which no further run starts")
    arguments = parser.parse_args()
    deadline = time.time() + arguments.limit
    on_cpu = arguments.device == "cpu"
    workers = min(len(arguments.modules), max(1, (os.cpu_count() or 1) - 1)) if on_cpu else 1
    with ThreadPoolExecutor(workers) as pool:
        jobs = [
            pool.submit(compare, arguments, module, 1 + i % workers if on_cpu else None, deadline)
            for i, module in enumerate(arguments.modules)
        ]
        for job in jobs:
            print("\n".join(job.result()), flush=True)


if __name__ == "__main__":
    main()
