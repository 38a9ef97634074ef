"""Compares one CPU thread of `fuzzion bench image` with OpenCV's Sobel and Canny on a 640 x 480 frame.

    pip install opencv-python-headless numpy
    cargo build --release
    python bench/image_against_opencv.py target/release/fuzzion

Runs both in alternation and prints the medians. Sobel computes both derivatives, for each output type; Canny has the
thresholds 50 and 150. Only ratios within one run are meaningful.
"""

import json
import subprocess
import sys
import time

import cv2
import numpy as np

ROUNDS, WIDTH, HEIGHT, RUNS = 5, 640, 480, 25


def test_image() -> np.ndarray:
    """Returns a noisy ramp with a bright square, like the image of `fuzzion bench image`."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    square = (x // (WIDTH // 6) == 2) & (y // (HEIGHT // 6) == 2)
    noise = np.random.default_rng(1).uniform(0, 40, (HEIGHT, WIDTH))
    return (128 * x / WIDTH + noise + 80 * square).astype(np.uint8)


def median_seconds(function) -> float:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return sorted(times)[RUNS // 2]


def sobel(image: np.ndarray, depth: int):
    return lambda: (cv2.Sobel(image, depth, 1, 0), cv2.Sobel(image, depth, 0, 1))


def opencv(frame: np.ndarray) -> dict[str, float]:
    """Returns the seconds per frame of OpenCV's operators."""
    types = ["CV_16S", "CV_32F", "CV_64F"]
    seconds = {f"sobel/{name}": median_seconds(sobel(frame, getattr(cv2, name))) for name in types}
    return seconds | {"canny": median_seconds(lambda: cv2.Canny(frame, 50, 150))}


def fuzzion(binary: str) -> dict[str, float]:
    """Returns the seconds per frame of Fuzzion's operators."""
    command = [binary, "--threads", "1", "bench", "image", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {m["name"]: 1 / m["throughput"] for m in report["measurements"] if "/640x480/" in m["name"]}


def main() -> None:
    cv2.setNumThreads(1)
    frame = test_image()
    rounds = [(fuzzion(sys.argv[1]), opencv(frame)) for _ in range(ROUNDS)]

    def median(side: int) -> dict[str, float]:
        return {name: sorted(r[side][name] for r in rounds)[ROUNDS // 2] for name in rounds[0][side]}

    ours, theirs = median(0), median(1)
    print(f"OpenCV {cv2.__version__}, 640 x 480, one thread, milliseconds per frame")
    for name, seconds in theirs.items():
        print(f"    {name}: {1e3 * seconds:.3f}")
    for name, seconds in ours.items():
        ratios = ", ".join(f"{theirs[peer] / seconds:.2f} x {peer}" for peer in theirs)
        print(f"    {name}: {1e3 * seconds:.3f}, {ratios}")


main()
