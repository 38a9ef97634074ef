"""One CPU thread of `fuzzion bench image` beside OpenCV's Sobel and Canny on a frame of 640 x 480, in turns.

    pip install opencv-python-headless numpy
    cargo build --release
    python bench/image_against_opencv.py target/release/fuzzion

Sobel is both derivatives, into the types it knows; Canny with the thresholds 50 and 150 on a drawn picture with a little
noise. Both write to memory of their own each time, as ours does. Ratios of one run count, absolute times do not.
"""

import json
import subprocess
import sys
import time

import cv2
import numpy as np

WIDTH, HEIGHT = 640, 480
TURNS = 5
RUNS = 25


def picture() -> np.ndarray:
    """A slope with a little noise, and a bright square: as the bench's own."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    square = (x // (WIDTH // 6) == 2) & (y // (HEIGHT // 6) == 2)
    noise = np.random.default_rng(1).uniform(0, 40, (HEIGHT, WIDTH))
    return (128 * x / WIDTH + noise + 80 * square).astype(np.uint8)


def median_seconds(work) -> float:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[RUNS // 2]


def peers(image: np.ndarray) -> dict[str, float]:
    def sobel(kind: int):
        return lambda: (cv2.Sobel(image, kind, 1, 0), cv2.Sobel(image, kind, 0, 1))

    return {
        "Sobel CV_16S": median_seconds(sobel(cv2.CV_16S)),
        "Sobel CV_32F": median_seconds(sobel(cv2.CV_32F)),
        "Sobel CV_64F": median_seconds(sobel(cv2.CV_64F)),
        "Canny": median_seconds(lambda: cv2.Canny(image, 50, 150)),
    }


def ours(binary: str) -> dict[str, float]:
    words = [binary, "--threads", "1", "bench", "image", "--json"]
    told = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    size = f"/{WIDTH}x{HEIGHT}/"
    return {m["name"]: 1 / m["throughput"] for m in told["measurements"] if size in m["name"]}


def main() -> None:
    cv2.setNumThreads(1)
    image = picture()
    theirs: dict[str, list[float]] = {}
    found: dict[str, list[float]] = {}
    for _ in range(TURNS):
        for name, seconds in peers(image).items():
            theirs.setdefault(name, []).append(seconds)
        for name, seconds in ours(sys.argv[1]).items():
            found.setdefault(name, []).append(seconds)
    middle = {name: sorted(times)[len(times) // 2] for name, times in (theirs | found).items()}
    print(f"OpenCV {cv2.__version__}, {WIDTH} x {HEIGHT}, one thread, milliseconds per frame")
    for name in theirs:
        print(f"    {name}: {1e3 * middle[name]:.3f}")
    for name in found:
        ratios = ", ".join(f"{middle[peer] / middle[name]:.2f} x {peer}" for peer in theirs)
        print(f"    {name}: {1e3 * middle[name]:.3f}, {ratios}")


main()
