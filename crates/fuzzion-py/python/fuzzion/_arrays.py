"""Rows for the library: NumPy arrays without a copy where possible, and arrays in GPU memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._fuzzion import CudaArray

DATES = "mM"  # kinds of NumPy types, which convert to numbers of an arbitrary unit


class CudaRows(NamedTuple):
    """Address and shape of an array in GPU memory, and the array itself, which keeps the memory alive."""

    address: int
    rows: int
    columns: int
    double: bool
    owner: Any


class CudaFrames(NamedTuple):
    """Address and shape of images in GPU memory, and the array itself, which keeps the memory alive."""

    address: int
    frames: int
    height: int
    width: int
    channels: int
    bits: int
    owner: Any


def _library(X: Any) -> str:
    return type(X).__module__.partition(".")[0]


def is_cuda_array(X: Any) -> bool:
    """Whether an array is in GPU memory."""
    if isinstance(X, np.ndarray):
        return False
    if _library(X) == "torch":
        return bool(getattr(X, "is_cuda", False))
    return hasattr(X, "__cuda_array_interface__")


def host_rows(X: Any) -> np.ndarray:
    """A contiguous two-dimensional array of float32 or float64."""
    X = np.asarray(X)
    if X.dtype.kind in DATES:
        raise ValueError("the array contains dates, but numbers are needed; convert them, for example to days since a date")
    if X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float64)
    if X.ndim != 2:
        raise ValueError(f"expected an array of rows × columns, but it has the shape {X.shape}; use `reshape`")
    return np.require(X, requirements="CA")


def cuda_rows(X: Any) -> CudaRows:
    """The rows of an array in GPU memory, after waiting for the work that computes it."""
    if _library(X) == "torch":
        import torch

        X = X.detach()
        if X.dtype not in (torch.float32, torch.float64):
            X = X.to(torch.float32 if X.dtype == torch.float16 else torch.float64)
    elif _library(X) == "cupy" and X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float32 if X.dtype == np.float16 else np.float64)
    X, address, shape, dtype = _contiguous(X)
    if len(shape) != 2:
        raise ValueError(f"expected an array of rows × columns, but it has the shape {shape}; use `reshape`")
    if dtype not in (np.float32, np.float64):
        raise ValueError(f"expected an array of float32 or float64, but it has the type {dtype}; convert it")
    return CudaRows(address, shape[0], shape[1], dtype == np.float64, X)


def cuda_frames(X: Any) -> CudaFrames:
    """Images in GPU memory, frames × height × width × channels, after waiting for the work that computes them."""
    X, address, shape, dtype = _contiguous(X)
    return CudaFrames(address, *shape, 8 * dtype.itemsize, X)


def _contiguous(X: Any) -> tuple[Any, int, tuple[int, ...], np.dtype]:
    """A contiguous array in GPU memory, its address, shape and type, after waiting for the work that computes it."""
    if _library(X) == "torch":
        import torch

        X = X.contiguous()
        torch.cuda.current_stream(X.device).synchronize()
        return X, X.data_ptr(), tuple(X.shape), np.dtype(type_name(X))
    if _library(X) == "cupy":
        import cupy

        X = cupy.ascontiguousarray(X)
        cupy.cuda.get_current_stream().synchronize()
    interface = X.__cuda_array_interface__
    shape, dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
    strides = tuple(int(dtype.itemsize * np.prod(shape[i + 1 :], dtype=np.int64)) for i in range(len(shape)))
    if interface.get("strides") not in (None, strides):
        raise ValueError("expected a contiguous array; copy it")
    if interface.get("stream") is not None and _library(X) != "cupy":
        raise ValueError("the array is still being computed; synchronize its stream and set `stream` to None")
    return X, interface["data"][0], shape, dtype


def type_name(X: Any) -> str:
    """The name of the type of the values of an array of NumPy, PyTorch or CuPy."""
    return str(X.dtype).removeprefix("torch.")


def cuda_index(X: Any) -> int | None:
    """The index of the GPU of an array, if its library tells."""
    index = getattr(getattr(X, "device", None), "index" if _library(X) == "torch" else "id", None)
    return index if isinstance(index, int) else None


def require_gpu(X: Any, device: str) -> None:
    """Checks that an array in GPU memory is used by a device that has this GPU."""
    index = cuda_index(X) or 0
    if device not in ({"best", "cuda", "cuda:0"} if index == 0 else {f"cuda:{index}"}):
        raise ValueError(
            f"the array is in the memory of GPU {index}, but the device is `{device}`; "
            f'use device="cuda:{index}", or copy the array to host memory'
        )


def from_device(result: CudaArray, like: Any) -> Any:
    """A copy of results in GPU memory, as an array of the library of ``like``. The copy belongs to that library, because
    ours could reuse the memory while kernels of the other library still read it."""
    if _library(like) == "torch":
        import torch

        copy = torch.as_tensor(result, device=like.device).clone()
        torch.cuda.current_stream(like.device).synchronize()
        return copy
    import cupy

    copy = cupy.array(result, copy=True)
    cupy.cuda.get_current_stream().synchronize()
    return copy


def like_array(values: np.ndarray, like: Any) -> Any:
    """A NumPy array as an array of the library of ``like``, in the same memory."""
    if _library(like) == "torch":
        import torch

        return torch.from_numpy(values).to(like.device)
    if _library(like) == "cupy":
        import cupy

        return cupy.asarray(values)
    return values


def to_host(X: Any) -> Any:
    """An array in GPU memory as a NumPy array; other objects unchanged."""
    if not is_cuda_array(X):
        return X
    return X.detach().cpu().numpy() if _library(X) == "torch" else X.get()


def as_double(X: Any) -> Any:
    """A copy in double precision of an array of PyTorch or CuPy."""
    return X.double() if _library(X) == "torch" else X.astype(np.float64)


def is_finite(X: Any) -> bool:
    """Whether all values are finite, of an array of NumPy, PyTorch or CuPy."""
    return bool(X.isfinite().all() if _library(X) == "torch" else np.isfinite(X).all())


def softmax(X: Any) -> Any:
    """The softmax of each row of an array of NumPy, PyTorch or CuPy."""
    if _library(X) == "torch":
        return X.softmax(1)
    powers = np.exp(X - X.max(1)[:, None])
    return powers / powers.sum(1)[:, None]
