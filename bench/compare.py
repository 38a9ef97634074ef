"""Compares two builds of the command line, benchmark by benchmark.

    python3 bench/compare.py OLD NEW --device cpu --threads 1 --runs 7 sets arithmetic …

Runs the two binaries in alternation. On the CPU every module is pinned to a core of its own (`--workers` cores per
module). Prints for every benchmark the minimum time of each binary and their ratio, new over old.
"""

import argparse
import json
import subprocess
import threading
import time


class Comparison:
    """Times of one module, shared by its workers."""

    def __init__(self, arguments, module):
        self.arguments, self.module = arguments, module
        self.times = {arguments.old: {}, arguments.new: {}}
        self.runs, self.lock = 0, threading.Lock()

    def work(self, worker, core, deadline):
        """Runs both binaries in turn until there are enough runs or time is up."""
        order = [self.arguments.old, self.arguments.new][:: 1 if worker % 2 == 0 else -1]
        while self.runs < self.arguments.runs and time.time() < deadline:
            for binary in order:
                measured = self.run(binary, core, deadline)
                if measured is None:
                    return
                with self.lock:
                    for name, seconds in measured.items():
                        self.times[binary].setdefault(name, []).append(seconds)
            with self.lock:
                self.runs += 1

    def run(self, binary, core, deadline):
        command = [binary, "bench", self.module, "--json", "--device", self.arguments.device]
        if self.arguments.threads:
            command += ["--threads", str(self.arguments.threads)]
        if core is not None:
            command = ["taskset", "-c", str(core), *command]
        try:
            left = max(1.0, deadline + self.arguments.grace - time.time())
            output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=left).stdout
        except subprocess.TimeoutExpired:
            return None
        return {m["name"]: m["seconds"] for m in json.loads(output)["measurements"]}

    def report(self):
        old, new = self.times[self.arguments.old], self.times[self.arguments.new]
        lines = [f"{self.module}: {self.runs} runs of each"]
        both = [name for name in old if name in new]
        lines += [f"{min(new[n]) / min(old[n]):6.3f}  {min(old[n]):.3e} {min(new[n]):.3e}  {n}" for n in both]
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--workers", type=int, default=1, help="workers per module, on the CPU")
    parser.add_argument("--first-core", type=int, default=1, help="core of the first worker, on the CPU")
    parser.add_argument("--limit", type=float, default=3600, help="seconds after which no further run starts")
    parser.add_argument("--grace", type=float, default=60, help="seconds that a started run may take beyond that")
    arguments = parser.parse_args()
    comparisons = [Comparison(arguments, module) for module in arguments.modules]
    start = time.time()
    if arguments.device == "cpu":
        jobs = [(c, w) for w in range(arguments.workers) for c in comparisons]
        deadline = start + arguments.limit
        cores = enumerate(jobs, arguments.first_core)
        threads = [threading.Thread(target=c.work, args=(w, core, deadline)) for core, (c, w) in cores]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    else:
        # One module after the other, each with its part of the time.
        for i, comparison in enumerate(comparisons):
            comparison.work(0, None, start + arguments.limit * (i + 1) / len(comparisons))
            print(comparison.report(), flush=True)
        return
    for comparison in comparisons:
        print(comparison.report(), flush=True)


if __name__ == "__main__":
    main()
