"""Operators on images."""

import subprocess
import sys

import fuzzion
import numpy as np
import pytest


@pytest.fixture(params=[np.uint8, np.uint16])
def stack(request):
    top = np.iinfo(request.param).max
    return np.random.default_rng(3).integers(0, top, (3, 20, 30), dtype=request.param, endpoint=True)


def test_stacks_are_processed_frame_by_frame(stack):
    edges = fuzzion.edges(stack)
    assert edges.shape == stack.shape and edges.dtype == stack.dtype
    for frame, expected in zip(stack, edges, strict=True):
        np.testing.assert_array_equal(fuzzion.edges(frame), expected)
    np.testing.assert_array_equal(fuzzion.edges(stack[..., None]), edges)
    np.testing.assert_array_equal(fuzzion.window("fire-edges", stack), edges)


def test_a_step_is_an_edge():
    image = np.repeat(np.array([[50, 50, 200, 200]], dtype=np.uint8), 3, axis=0)
    edges = fuzzion.edges(image)
    assert (edges[:, [0, 3]] == 255).all() and (edges[:, [1, 2]] < 200).all()
    np.testing.assert_array_equal(fuzzion.edges(image, invert=True), 255 - edges)


def test_colors(stack):
    colors = np.stack([stack, stack[:, ::-1], stack[:, :, ::-1]], axis=3)
    gray = fuzzion.window("smooth", colors)
    assert gray.shape == stack.shape
    smooth = fuzzion.window("smooth", colors, per_channel=True)
    assert smooth.shape == colors.shape
    np.testing.assert_array_equal(smooth[..., 0], fuzzion.window("smooth", stack))
    np.testing.assert_array_equal(fuzzion.window("smooth", colors[0], channel_axis=-1), gray[0])
    np.testing.assert_array_equal(fuzzion.window("smooth", colors[0], channel_axis=-1, per_channel=True), smooth[0])


def test_other_systems(stack, tmp_path):
    system = fuzzion.read("contrast")
    expected = fuzzion.window("contrast", stack)
    np.testing.assert_array_equal(fuzzion.window(system, stack), expected)
    system.save(tmp_path / "mine.json")
    np.testing.assert_array_equal(fuzzion.window(tmp_path / "mine.json", stack), expected)
    assert (expected != stack).any()


def test_results_equal_those_of_the_command(tmp_path):
    image = np.random.default_rng(4).integers(0, 256, (15, 17), dtype=np.uint8)
    (tmp_path / "in.pgm").write_bytes(b"P5\n17 15\n255\n" + image.tobytes())
    options = ["--threshold", "40", "--thin", "--border", "128"]
    command = [sys.executable, "-m", "fuzzion", "edges", "in.pgm", "out.pgm", *options]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    expected = np.frombuffer((tmp_path / "out.pgm").read_bytes()[-image.size :], dtype=np.uint8).reshape(image.shape)
    np.testing.assert_array_equal(fuzzion.edges(image, threshold=40, thin=True, border=128), expected)


def test_errors():
    image = np.zeros((4, 4), dtype=np.uint8)
    with pytest.raises(ValueError, match="float64"):
        fuzzion.edges(image.astype(float))
    with pytest.raises(ValueError, match="expected \\(height, width\\)"):
        fuzzion.edges(image[0])
    with pytest.raises(ValueError, match="number of channels"):
        fuzzion.edges(np.zeros((1, 4, 4, 2), dtype=np.uint8))
    with pytest.raises(ValueError, match="`threshold` is 0"):
        fuzzion.edges(image, threshold=0)
    with pytest.raises(ValueError, match="border"):
        fuzzion.edges(image, border="wrap")
    with pytest.raises(ValueError, match="channels must be the last axis"):
        fuzzion.edges(np.zeros((3, 4, 4), dtype=np.uint8), channel_axis=0)
    with pytest.raises(ValueError, match="unknown system `sobel`; expected a file, or one of `fire-edges`"):
        fuzzion.window("sobel", image)


def test_a_color_image_needs_its_channel_axis():
    image = np.zeros((8, 9, 3), np.uint8)
    for operator in (fuzzion.edges, lambda image: fuzzion.window("smooth", image)):
        with pytest.raises(ValueError, match="channel_axis=-1"):
            operator(image)
    assert fuzzion.edges(image, channel_axis=-1).shape == (8, 9)
    assert fuzzion.edges(image[..., None]).shape == image.shape  # a stack of frames with a width of 3
