"""Seconds per frame of 640 x 480 of OpenCV on one thread, as JSON: Sobel in both directions into the types it knows, and Canny."""

import json
import time

import cv2
import numpy as np

WIDTH, HEIGHT, RUNS = 640, 480, 25


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


def sobel(image: np.ndarray, kind: int):
    return lambda: (cv2.Sobel(image, kind, 1, 0), cv2.Sobel(image, kind, 0, 1))


cv2.setNumThreads(1)
frame = picture()
found = {f"sobel/{name}": median_seconds(sobel(frame, getattr(cv2, name))) for name in ["CV_16S", "CV_32F", "CV_64F"]}
found["canny"] = median_seconds(lambda: cv2.Canny(frame, 50, 150))
print(json.dumps({"version": cv2.__version__, "seconds": found}))
