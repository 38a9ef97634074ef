"""Time OpenCV on one thread and print seconds per 640 x 480 frame as JSON: Sobel in both directions for each output type, and Canny."""

import json
import time

import cv2
import numpy as np

WIDTH, HEIGHT, RUNS = 640, 480, 25


def test_image() -> np.ndarray:
    """Return a noisy ramp with a bright square, like the image of `fuzzion bench image`."""
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


cv2.setNumThreads(1)
frame = test_image()
seconds = {f"sobel/{name}": median_seconds(sobel(frame, getattr(cv2, name))) for name in ["CV_16S", "CV_32F", "CV_64F"]}
seconds["canny"] = median_seconds(lambda: cv2.Canny(frame, 50, 150))
print(json.dumps({"version": cv2.__version__, "seconds": seconds}))
