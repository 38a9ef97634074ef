"""Fuzzy operators on images."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _fuzzion
from ._arrays import cuda_frames, from_device, is_cuda_array, like_array, require_gpu, to_host, type_name
from ._device import open_device
from ._system import System, read


def edges(
    image: Any,
    *,
    threshold: float = 64.0,
    spread: float = 16.0,
    thin: bool = False,
    invert: bool = False,
    border: str | float = "replicate",
    channel_axis: int | None = None,
    device: str = "cpu",
) -> Any:
    """Detects edges with FIRE, a fuzzy system with nine rules.

    Parameters
    ----------
    image : array of uint8 or uint16
        An image (height, width), a stack (frames, height, width), or a stack of color images (frames, height, width, 3 or
        4), which are converted to gray. Arrays of PyTorch and CuPy in GPU memory stay there, with ``device="cuda"``.
    threshold : float
        Brightness difference of a full-strength edge, above 0 and at most 255.
    spread : float
        Width of the output sets black and white, above 0 and at most 255.
    thin : bool
        Whether to thin the lines to a width of one pixel, on the CPU.
    invert : bool
        Whether to draw light lines on a black background.
    border : {"replicate", "reflect"} or float
        Pixels outside the image: the nearest pixel, the mirrored image, or a brightness from 0 to 255.
    channel_axis : int, optional
        -1 for a single color image (height, width, channels).
    device : str
        ``"cpu"``, ``"cuda"``, ``"cuda:N"`` or ``"best"``.

    Returns
    -------
    array of the type of `image`, in the same library and memory
        One channel: dark lines on white, of the shape of `image` without channels.
    """
    if is_cuda_array(image):
        require_gpu(image, device)
        if thin:
            options = {"threshold": threshold, "spread": spread, "border": border, "channel_axis": channel_axis}
            return like_array(edges(to_host(image), **options, thin=True, invert=invert, device=device), image)
        frames = cuda_frames(_frames(image, channel_axis))
        found = _fuzzion.apply_edges_on_device(frames, open_device(device), float(threshold), float(spread), str(border))
        result = _reshaped(from_device(found, image), image, channel_axis)
        return _inverted(result) if invert else result
    frames = _frames(image, channel_axis)
    result = _fuzzion.apply_edges(
        frames, open_device(device), float(threshold), float(spread), str(border), bool(thin), bool(invert)
    )
    return _reshaped(result, image, channel_axis)


def window(
    system: System | str | os.PathLike[str],
    image: Any,
    *,
    border: str | float = "replicate",
    per_channel: bool = False,
    channel_axis: int | None = None,
    device: str = "cpu",
) -> Any:
    """Applies a fuzzy system to the window around every pixel.

    The inputs of the system are named after the pixels of the window: ``c`` is the pixel itself, ``p_nw p_n p_ne p_e p_se
    p_s p_sw p_w`` are its neighbors, ``d_nw ...`` their differences from the pixel, and ``p_00 ... p_44``, ``d_00 ...
    d_44`` those of a window of 5 × 5. Brightness ranges from 0 to 255. The last output is the new pixel.

    Parameters
    ----------
    system : System, path, or name
        ``"fire-edges"``, ``"fire-denoise"``, ``"contrast"`` and ``"smooth"`` are built in.
    image : array of uint8 or uint16
        As in :func:`edges`.
    border : {"replicate", "reflect"} or float
        As in :func:`edges`.
    per_channel : bool
        Whether to process the channels of a color image separately instead of converting it to gray.
    channel_axis : int, optional
        -1 for a single color image (height, width, channels).
    device : str
        As in :func:`edges`.

    Returns
    -------
    array of the type of `image`, in the same library and memory
        Of the shape of `image`, without channels unless `per_channel` is set.
    """
    if not isinstance(system, System):
        system = read(system)
    if is_cuda_array(image):
        require_gpu(image, device)
        frames = cuda_frames(_frames(image, channel_axis))
        found = _fuzzion.apply_window_on_device(system._system, frames, open_device(device), str(border), bool(per_channel))
        return _reshaped(from_device(found, image), image, channel_axis)
    frames = _frames(image, channel_axis)
    result = _fuzzion.apply_window(system._system, frames, open_device(device), str(border), bool(per_channel))
    return _reshaped(result, image, channel_axis)


def _frames(image: Any, channel_axis: int | None) -> Any:
    """The image as frames × height × width × channels, in the same library."""
    on_gpu = is_cuda_array(image)
    image = image if on_gpu else np.asarray(image)
    if not hasattr(image, "ndim"):
        raise TypeError(f"the image is of the type {type(image).__name__}; pass a tensor of PyTorch or an array of CuPy")
    if type_name(image) not in ("uint8", "uint16"):
        raise ValueError(f"expected an image of uint8 or uint16, but it has the type {type_name(image)}; convert it")
    if channel_axis not in (None, -1, image.ndim - 1):
        raise ValueError(f"`channel_axis` is {channel_axis}, but channels must be the last axis; use `numpy.moveaxis`")
    if image.ndim == 2:
        frames = image[None, :, :, None]
    elif image.ndim == 3:
        if channel_axis is None and image.shape[2] in (3, 4):
            raise ValueError(
                f"the image has the shape {image.shape}; pass `channel_axis=-1` for one color image, or "
                "`image[..., None]` for a stack of narrow frames"
            )
        frames = image[:, :, :, None] if channel_axis is None else image[None]
    elif image.ndim == 4:
        frames = image
    else:
        raise ValueError(
            f"the image has the shape {image.shape}; expected (height, width), (frames, height, width) or "
            "(frames, height, width, channels)"
        )
    return frames if on_gpu else np.ascontiguousarray(frames)


def _inverted(image: Any) -> Any:
    """The negative of an image in GPU memory."""
    if type_name(image) == "uint16" and hasattr(image, "data_ptr"):  # PyTorch has few operations for uint16
        import torch

        return (~image.view(torch.int16)).view(torch.uint16)
    return ~image


def _reshaped(result: Any, image: Any, channel_axis: int | None) -> Any:
    """The result without the axes that the image does not have, and without a single channel."""
    ndim = np.ndim(image)
    if result.shape[3] == 1:
        result = result[:, :, :, 0]
    return result[0] if ndim == 2 or (ndim == 3 and channel_axis is not None) else result
