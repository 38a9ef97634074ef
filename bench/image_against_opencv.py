"""One CPU thread of `fuzzion bench image` beside OpenCV's Sobel and Canny on a frame of 640 x 480, in turns.

    pip install opencv-python-headless numpy
    cargo build --release
    python bench/image_against_opencv.py target/release/fuzzion

The bench itself times OpenCV with the `python3` it finds first; this takes the medians of several turns. Sobel is both
derivatives, into the types it knows; Canny has the thresholds 50 and 150. Ratios of one run count, absolute times do not.
"""

import json
import os
import subprocess
import sys

TURNS = 5


def turn(binary: str) -> tuple[dict[str, float], dict[str, float]]:
    """Seconds per frame, ours and OpenCV's."""
    first = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    words = [binary, "--threads", "1", "bench", "image", "--json"]
    run = subprocess.run(words, check=True, capture_output=True, text=True, env=os.environ | {"PATH": first})
    told = json.loads(run.stdout)
    ours = {m["name"]: 1 / m["throughput"] for m in told["measurements"] if "/640x480/" in m["name"]}
    return ours, {peer["name"]: peer["seconds"] for peer in told["peers"]}


def main() -> None:
    turns = [turn(sys.argv[1]) for _ in range(TURNS)]

    def middle(side: int) -> dict[str, float]:
        return {name: sorted(t[side][name] for t in turns)[TURNS // 2] for name in turns[0][side]}

    ours, theirs = middle(0), middle(1)
    print("640 x 480, one thread, milliseconds per frame")
    for name, seconds in theirs.items():
        print(f"    {name}: {1e3 * seconds:.3f}")
    for name, seconds in ours.items():
        ratios = ", ".join(f"{theirs[peer] / seconds:.2f} x {peer.removesuffix('/640x480')}" for peer in theirs)
        print(f"    {name}: {1e3 * seconds:.3f}, {ratios}")


main()
