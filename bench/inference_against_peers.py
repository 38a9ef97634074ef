"""One CPU thread of `fuzzion bench inference` beside pyfuzzylite 8 on the same systems, in turns.

    pip install pyfuzzylite==8.0.6 'numpy<2'
    cargo build --release
    python bench/inference_against_peers.py target/release/fuzzion

pyfuzzylite takes whole columns; its best chunk of those below counts. Ratios of one run count, absolute times do not.
"""

import json
import subprocess
import sys
import time

import fuzzylite as fl
import numpy as np

ROWS = 307_200
CHUNKS = [1_000, 4_000, 16_000, 64_000]
TURNS = 3
WORDS = ["low", "middle", "high"]


def mamdani(samples: int) -> fl.Engine:
    """The bench's Mamdani system."""
    def triangles() -> list[fl.Term]:
        return [fl.Triangle(name, 0.5 * i - 0.5, 0.5 * i, 0.5 * i + 0.5) for i, name in enumerate(WORDS)]

    rules = [
        fl.Rule.create(f"if a is {WORDS[i]} and b is {WORDS[j]} then y is {WORDS[(i + j) // 2]}")
        for i in range(3)
        for j in range(3)
    ]
    engine = fl.Engine(
        "mamdani",
        input_variables=[fl.InputVariable(name, minimum=0, maximum=1, terms=triangles()) for name in "ab"],
        output_variables=[
            fl.OutputVariable(
                "y", minimum=0, maximum=1, aggregation=fl.Maximum(), defuzzifier=fl.Centroid(samples), terms=triangles()
            )
        ],
        rule_blocks=[
            fl.RuleBlock(
                conjunction=fl.Minimum(), implication=fl.Minimum(), activation=fl.General(), rules=rules
            )
        ],
    )
    return engine


def takagi_sugeno(linear: bool) -> fl.Engine:
    """The bench's Takagi-Sugeno system."""
    def gaussians(name: str, count: int) -> list[fl.Term]:
        step = 1 / (count - 1)
        return [fl.Gaussian(f"{name}{i}", i * step, 0.45 * step) for i in range(count)]

    def consequent(rule: int) -> fl.Term:
        z = (rule * 11 % 35) / 35
        return fl.Linear(f"y{rule}", [z, 1 - z, z - 0.5]) if linear else fl.Constant(f"y{rule}", z)

    rules = [
        fl.Rule.create(f"if a is a{i} and b is b{j} then y is y{5 * i + j}") for i in range(7) for j in range(5)
    ]
    return fl.Engine(
        "takagi-sugeno",
        input_variables=[
            fl.InputVariable(name, minimum=0, maximum=1, terms=gaussians(name, count)) for name, count in [("a", 7), ("b", 5)]
        ],
        output_variables=[
            fl.OutputVariable(
                "y",
                minimum=0,
                maximum=1,
                defuzzifier=fl.WeightedAverage("TakagiSugeno"),
                terms=[consequent(rule) for rule in range(35)],
            )
        ],
        rule_blocks=[fl.RuleBlock(conjunction=fl.AlgebraicProduct(), activation=fl.General(), rules=rules)],
    )


def prepared(engine: fl.Engine) -> fl.Engine:
    for output in engine.output_variables:
        for term in output.terms:
            term.update_reference(engine)
    for block in engine.rule_blocks:
        block.load_rules(engine)
    return engine


def rows_per_second(engine: fl.Engine, chunk: int, rows: np.ndarray) -> float:
    start = time.perf_counter()
    for first in range(0, len(rows), chunk):
        piece = rows[first : first + chunk]
        for variable, column in zip(engine.input_variables, piece.T):
            variable.value = column
        engine.process()
    return len(rows) / (time.perf_counter() - start)


def ours(binary: str) -> dict[str, float]:
    words = [binary, "--threads", "1", "bench", "inference", "--json"]
    told = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return {m["name"].removeprefix("inference/"): m["throughput"] for m in told["measurements"]}


def main() -> None:
    binary = sys.argv[1]
    systems = {f"mamdani/{samples}": prepared(mamdani(samples)) for samples in [100, 256, 1000]}
    for linear in [False, True]:
        name = "takagi-sugeno/" + ("linear" if linear else "constant")
        systems[name] = prepared(takagi_sugeno(linear))
    rows = np.random.default_rng(1).uniform(0, 1, (ROWS, 2))
    best: dict[str, float] = {}
    found: dict[str, list[float]] = {}
    single: dict[str, float] = {}
    for _ in range(TURNS):
        for name, engine in systems.items():
            for chunk in CHUNKS:
                part = rows[: max(chunk, 16_000)]
                best[name] = max(best.get(name, 0), rows_per_second(engine, chunk, part))
            one = rows[:300]
            single[name] = max(single.get(name, 0), rows_per_second(engine, 1, one))
        for name, throughput in ours(binary).items():
            found.setdefault(name, []).append(throughput)
    for name, peer in best.items():
        print(f"{name}: pyfuzzylite {peer / 1e3:.0f} k rows/s in its best chunk, {single[name] / 1e3:.2f} k row by row")
        for which, throughputs in found.items():
            if which.startswith(name + "/"):
                middle = sorted(throughputs)[len(throughputs) // 2]
                print(f"    {which}: {middle / 1e6:.2f} M rows/s, {middle / peer:.0f} times the best chunk")


main()
