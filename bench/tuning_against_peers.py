"""Times one iteration of hybrid learning (least squares for consequents, a gradient for tied Gaussian sets) against an
equivalent NumPy implementation and anfis-toolbox, alternating, with one thread.

Requires numpy, and uses anfis-toolbox if it is installed; run from the project's root after `cargo build --release`.
The NumPy implementation is optimized: no loop over rows, BLAS for all large products, moments instead of gradients per
row. If anfis-toolbox would take too long, it is trained on fewer rows, and its time is scaled accordingly.
"""
import os

os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})

import argparse
import importlib.metadata
import json
import statistics
import subprocess
import time

import numpy

try:
    import anfis_toolbox
    from anfis_toolbox.membership import GaussianMF
    from anfis_toolbox.model import TSKANFIS
    from anfis_toolbox.optim import HybridTrainer
except ImportError:
    anfis_toolbox = None

# The name of our line, sets per input, order, rows.
MACKEY_GLASS = ("mackey-glass/16r/o1/100000x4", (2, 2, 2, 2), 1, 100_000)
PAPER = ("paper/35r/o0/65536x2", (5, 7), 0, 65_536)
PEER_ROWS = 5000  # of anfis-toolbox, which processes rows one by one


def ours(threads):
    """Milliseconds of an iteration by problem."""
    command = ["target/release/fuzzion", "--threads", str(threads), "bench", "tuning", "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    seconds = {m["name"]: m["seconds"] for m in told["measurements"]}
    return {name: 1e3 * seconds[f"tuning/{name}"] for name, *_ in (MACKEY_GLASS, PAPER)}


def mackey_glass(rows):
    """x(t−18), x(t−12), x(t−6), x(t) and x(t+6) for t = 118 … 617, as often as it takes; inputs scaled to 0 … 1."""
    step, delay = 0.1, 170
    x = [1.2]

    def slope(now, then):
        return 0.2 * then / (1 + then**10) - 0.1 * now

    for i in range(12_000):
        then, later = (x[i - delay + k] if i - delay + k >= 0 else 0.0 for k in (0, 1))
        middle = 0.5 * (then + later)
        a = slope(x[i], then)
        b = slope(x[i] + 0.5 * step * a, middle)
        c = slope(x[i] + 0.5 * step * b, middle)
        d = slope(x[i] + step * c, later)
        x.append(x[i] + step / 6 * (a + 2 * b + 2 * c + d))
    series = numpy.array(x)[::10]
    times = numpy.arange(118, 618)
    inputs = numpy.stack([series[times - back] for back in (18, 12, 6, 0)], axis=1)
    inputs = (inputs - inputs.min(0)) / (inputs.max(0) - inputs.min(0))
    often = -(-rows // len(times))
    return numpy.tile(inputs, (often, 1))[:rows], numpy.tile(series[times + 6], often)[:rows]


def surface(rows):
    """A smooth surface over two random inputs."""
    inputs = numpy.random.default_rng(1).random((rows, 2))
    return inputs, numpy.sin(5 * inputs).sum(1)


class Numpy:
    """Hybrid learning of a grid of Gaussian sets; inputs lie in 0 … 1."""

    def __init__(self, sets, order):
        self.order = order
        self.centers = [numpy.linspace(0, 1, n) for n in sets]
        self.widths = [numpy.full(n, 1 / (n - 1) / 2.355) for n in sets]
        grid = numpy.indices(sets).reshape(len(sets), -1)
        self.uses = grid.T  # rules × inputs

    def iterate(self, x, y, rate=1e-4):
        rows, inputs = x.shape
        # Equation (1): ln μ of every set once, added up over the grid.
        ln = None
        for j in range(inputs):
            z = (x[:, j, None] - self.centers[j]) / self.widths[j]
            term = -0.5 * z * z
            ln = term if ln is None else (ln[:, :, None] + term[:, None, :]).reshape(rows, -1)
        ln -= ln.max(1, keepdims=True)
        phi = numpy.exp(ln, out=ln)
        phi /= phi.sum(1, keepdims=True)
        # Equation (3).
        if self.order == 0:
            one, design = None, phi
        else:
            one = numpy.concatenate([numpy.ones((rows, 1)), x], axis=1)
            design = (phi[:, :, None] * one[:, None, :]).reshape(rows, -1)
        gram, cross = design.T @ design, design.T @ y
        gram[numpy.diag_indices_from(gram)] *= 1 + 1e-9
        self.theta = numpy.linalg.solve(gram, cross)
        # Equation (4) by moments.
        if self.order == 0:
            predicted = phi @ self.theta
            parts = self.theta - predicted[:, None]
        else:
            parts = one @ self.theta.reshape(-1, inputs + 1).T
            predicted = numpy.einsum("ik,ik->i", phi, parts)
            parts -= predicted[:, None]
        error = predicted - y
        parts *= phi
        parts *= (2 / rows * error)[:, None]
        zeroth, first, second = parts.sum(0), parts.T @ x, parts.T @ (x * x)
        for j in range(inputs):
            used = self.uses[:, j]
            c, w = self.centers[j][used], self.widths[j][used]
            slope_c = (first[:, j] - zeroth * c) / w**2
            slope_w = (second[:, j] - 2 * c * first[:, j] + c * c * zeroth) / w**3
            self.centers[j] -= rate * numpy.bincount(used, slope_c)
            self.widths[j] -= rate * numpy.bincount(used, slope_w)
        return numpy.sqrt(numpy.mean(error**2))


class Toolbox:
    """anfis-toolbox with the same grid; order 1 is all it has."""

    def __init__(self, sets):
        places = [numpy.linspace(0, 1, n) for n in sets]
        named = {f"x{j}": [GaussianMF(c, 1 / (len(p) - 1) / 2.355) for c in p] for j, p in enumerate(places)}
        self.model = TSKANFIS(named)
        self.trainer = HybridTrainer(learning_rate=1e-4)

    def iterate(self, x, y):
        loss, _ = self.trainer.train_step(self.model, x, y[:, None], None)
        return numpy.sqrt(loss)


def timed(work):
    start = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    cores = os.cpu_count()
    threads = {"fuzzion": 1, f"fuzzion, {cores} threads": cores}
    data = {MACKEY_GLASS: mackey_glass(MACKEY_GLASS[3]), PAPER: surface(PAPER[3])}
    numpys = {problem: Numpy(problem[1], problem[2]) for problem in data}
    times = {}

    def note(problem, name, milliseconds):
        times.setdefault((problem[0], name), []).append(milliseconds)

    toolbox = Toolbox(MACKEY_GLASS[1]) if anfis_toolbox else None
    if not toolbox:
        print("anfis-toolbox cannot be imported and is left out")
    for _ in range(arguments.rounds):
        for name, count in threads.items():
            took = ours(count)
            for problem in data:
                note(problem, name, took[problem[0]])
        for problem, (x, y) in data.items():
            turns = [timed(lambda: numpys[problem].iterate(x, y)) for _ in range(5)]
            note(problem, "NumPy", statistics.median(turns))
        if toolbox:
            x, y = (part[:PEER_ROWS] for part in data[MACKEY_GLASS])
            scale = MACKEY_GLASS[3] / PEER_ROWS
            note(MACKEY_GLASS, f"anfis-toolbox, {PEER_ROWS} rows × {scale:g}", scale * timed(lambda: toolbox.iterate(x, y)))
    versions = [f"numpy {numpy.__version__}"]
    versions += [f"anfis-toolbox {importlib.metadata.version('anfis-toolbox')}"] if toolbox else []
    print(f"ms per iteration, median and least of {arguments.rounds} rounds; {', '.join(versions)}")
    for problem in data:
        print(f"{problem[0]} (rmse of NumPy {numpys[problem].iterate(*data[problem]):.5f})")
        base = times[problem[0], "fuzzion"]
        for (which, name), took in times.items():
            if which == problem[0]:
                median, least = statistics.median(took), min(took)
                ratios = f"{median / statistics.median(base):9.2f} {least / min(base):9.2f} times fuzzion's"
                print(f"  {name:32} {median:11.3f} {least:11.3f} {ratios}")


if __name__ == "__main__":
    main()
