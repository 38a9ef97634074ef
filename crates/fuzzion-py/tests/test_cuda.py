"""Arrays in GPU memory; skipped without a GPU and PyTorch or CuPy."""

import fuzzion
import numpy as np
import pytest
from fuzzion import FuzzyCMeans
from fuzzion._arrays import cuda_rows, is_cuda_array, require_gpu


class Fake:
    """An object that claims to be an array in GPU memory; nothing reads it."""

    def __init__(self, **interface):
        self.__cuda_array_interface__ = {
            "shape": (4, 2),
            "typestr": "<f4",
            "data": (4096, False),
            "version": 3,
            **interface,
        }


def test_the_interface_is_checked():
    assert is_cuda_array(Fake()) and not is_cuda_array(np.zeros(3)) and not is_cuda_array([1, 2])
    assert cuda_rows(Fake())[:4] == (4096, 4, 2, False)
    assert cuda_rows(Fake(typestr="<f8", strides=(16, 8)))[:4] == (4096, 4, 2, True)
    for interface, message in [
        ({"shape": (4,)}, "rows × columns"),
        ({"typestr": "<i4"}, "float32 or float64"),
        ({"strides": (4, 16)}, "contiguous"),
        ({"stream": 2}, "synchronize"),
    ]:
        with pytest.raises(ValueError, match=message):
            cuda_rows(Fake(**interface))


def test_arrays_in_gpu_memory_need_a_gpu_device(tipper_path):
    require_gpu(Fake(), "cuda")
    with pytest.raises(ValueError, match='in the memory of GPU 0, but the device is `cpu`; use device="cuda:0"'):
        FuzzyCMeans(2).fit(Fake())
    with pytest.raises(ValueError, match="the device is `cpu`"):
        fuzzion.read(tipper_path).infer(Fake())


@pytest.fixture(params=["torch", "cupy"])
def on_gpu(request):
    library = pytest.importorskip(request.param)
    if not library.cuda.is_available():
        pytest.skip("there is no GPU")
    if request.param == "torch":
        return (lambda X: library.from_numpy(X).cuda()), (lambda X: X.cpu().numpy()), library.Tensor
    return library.asarray, library.asnumpy, library.ndarray


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_clustering_of_arrays_in_gpu_memory(on_gpu, dtype):
    to_gpu, to_host, kind = on_gpu
    X = np.random.default_rng(0).normal(size=(20_000, 8)).astype(dtype)
    X[::2] += 3
    settings = {"n_clusters": 4, "random_state": 0, "fuzzifier": 1.5}
    expected = FuzzyCMeans(**settings).fit(X)
    model = FuzzyCMeans(**settings, device="cuda").fit(to_gpu(X))
    np.testing.assert_allclose(model.objective_, expected.objective_, rtol=1e-3)
    memberships = model.memberships(to_gpu(X))
    assert isinstance(memberships, kind) and isinstance(model.labels_, kind) and isinstance(model.predict(to_gpu(X)), kind)
    np.testing.assert_allclose(to_host(memberships).sum(axis=1), 1, rtol=1e-4)
    np.testing.assert_array_equal(to_host(model.labels_), to_host(memberships).argmax(axis=1))
    np.testing.assert_allclose(model.score(to_gpu(X)), -model.objective_, rtol=1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inference_of_arrays_in_gpu_memory(on_gpu, dtype, tipper_path):
    to_gpu, to_host, kind = on_gpu
    system = fuzzion.read(tipper_path)
    rows = np.random.default_rng(0).uniform(0, 10, (10_000, 2)).astype(dtype)
    tips = system.infer(to_gpu(rows), device="cuda")
    assert isinstance(tips, kind)
    np.testing.assert_allclose(to_host(tips), system.infer(rows), rtol=1e-4)
