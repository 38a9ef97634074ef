"""Arrays in GPU memory; skipped without a GPU and PyTorch or CuPy."""

import fuzzion
import numpy as np
import pytest
from fuzzion import FuzzyArray, FuzzyCMeans, SonfinClassifier, SonfinRegressor, TskClassifier, TskRegressor, evaluate
from fuzzion._arrays import cuda_frames, cuda_rows, is_cuda_array, require_gpu
from fuzzion._device import open_device


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


def test_the_interface_of_images_is_checked():
    shape = (2, 5, 4, 3)
    assert cuda_frames(Fake(shape=shape, typestr="|u1"))[:6] == (4096, 2, 5, 4, 3, 8)
    assert cuda_frames(Fake(shape=shape, typestr="<u2", strides=(120, 24, 6, 2)))[:6] == (4096, 2, 5, 4, 3, 16)
    with pytest.raises(ValueError, match="contiguous"):
        cuda_frames(Fake(shape=shape, typestr="|u1", strides=(60, 12, 1, 3)))
    for operator in (fuzzion.edges, lambda image, **options: fuzzion.window("smooth", image, **options)):
        with pytest.raises(ValueError, match="in the memory of GPU 0, but the device is `cpu`"):
            operator(Fake())
        with pytest.raises(TypeError, match="pass a tensor of PyTorch or an array of CuPy"):
            operator(Fake(), device="cuda")


def test_arrays_in_gpu_memory_need_a_gpu_device(tipper_path):
    require_gpu(Fake(), "cuda")
    with pytest.raises(ValueError, match='in the memory of GPU 0, but the device is `cpu`; use device="cuda:0"'):
        FuzzyCMeans(2).fit(Fake())
    X = np.arange(8.0).reshape(4, 2)
    with pytest.raises(ValueError, match="the device is `cpu`"):
        TskRegressor(1).fit(X, X[:, 0]).predict(Fake())
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


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_images_in_gpu_memory(on_gpu, dtype):
    to_gpu, to_host, kind = on_gpu
    stack = np.random.default_rng(0).integers(0, np.iinfo(dtype).max, (3, 50, 70, 4), dtype=dtype, endpoint=True)
    gray, colors = np.ascontiguousarray(stack[..., 0]), np.ascontiguousarray(stack[..., :3])

    def check(operator, image, **options):
        expected, found = operator(image, **options), operator(to_gpu(image), **options, device="cuda")
        assert isinstance(found, kind)
        np.testing.assert_array_equal(to_host(found), expected)

    for image in (gray, gray[1], colors, stack):
        check(fuzzion.edges, image)
    check(fuzzion.edges, gray, invert=True, threshold=30, border="reflect")
    check(fuzzion.edges, gray, thin=True, invert=True)
    check(fuzzion.edges, colors[0], channel_axis=-1)
    system = fuzzion.read("contrast")
    for image in (gray, colors, stack):
        for per_channel in (False, True):
            check(lambda X, **options: fuzzion.window(system, X, **options), image, per_channel=per_channel, border=9)
    strided = to_gpu(gray)[:, ::2, 1:]  # neither contiguous nor aligned
    np.testing.assert_array_equal(to_host(fuzzion.edges(strided, device="cuda")), fuzzion.edges(gray[:, ::2, 1:]))
    with pytest.raises(ValueError, match="expected an image of uint8 or uint16, but it has the type float32"):
        fuzzion.edges(to_gpu(gray.astype(np.float32)), device="cuda")
    with pytest.raises(ValueError, match="channel_axis=-1"):
        fuzzion.edges(to_gpu(colors[0]), device="cuda")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inference_of_arrays_in_gpu_memory(on_gpu, dtype, tipper_path):
    to_gpu, to_host, kind = on_gpu
    system = fuzzion.read(tipper_path)
    rows = np.random.default_rng(0).uniform(0, 10, (10_000, 2)).astype(dtype)
    tips = system.infer(to_gpu(rows), device="cuda")
    assert isinstance(tips, kind)
    np.testing.assert_allclose(to_host(tips), system.infer(rows), rtol=1e-4)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("estimator", [TskRegressor(3, random_state=0), SonfinRegressor(20, random_state=0)])
def test_regression_of_arrays_in_gpu_memory(on_gpu, dtype, estimator):
    to_gpu, to_host, kind = on_gpu
    X = np.random.default_rng(0).uniform(-2, 2, (5000, 3)).astype(dtype)
    y = (np.sin(X[:, 0]) * X[:, 1]).astype(np.float64)
    expected = estimator.fit(X, y).predict(X)
    model = estimator.set_params(device="cuda")
    predicted = model.predict(to_gpu(X))
    assert isinstance(predicted, kind)
    np.testing.assert_allclose(to_host(predicted), expected, rtol=1e-3, atol=1e-3)
    far = np.full((2, 3), 1e3, dtype)  # no rule of the system fires
    np.testing.assert_allclose(to_host(model.predict(to_gpu(far))), model.predict(far), rtol=1e-3)
    with pytest.raises(ValueError, match="NaN"):
        model.predict(to_gpu(np.full((2, 3), np.nan, dtype)))
    fitted = model.fit(to_gpu(X), to_gpu(y))
    assert fitted.score(X, y) > 0.9


@pytest.mark.parametrize("loss", ["log_loss", "squared_error"])
@pytest.mark.parametrize("estimator", [TskClassifier(3, random_state=0), SonfinClassifier(20, random_state=0)])
def test_classification_of_arrays_in_gpu_memory(on_gpu, loss, estimator, iris):
    to_gpu, to_host, kind = on_gpu
    y = np.arange(150) // 50
    model = estimator.set_params(loss=loss, device="cpu").fit(iris, y)
    expected, probabilities = model.predict(iris), model.predict_proba(iris)
    model.set_params(device="cuda")
    predicted = model.predict(to_gpu(iris))
    assert isinstance(predicted, kind)
    assert (to_host(predicted) == expected).mean() > 0.99
    np.testing.assert_allclose(to_host(model.predict_proba(to_gpu(iris))), probabilities, atol=1e-3)
    names = estimator.fit(iris, np.array(["a", "b", "c"])[y]).predict(to_gpu(iris))
    assert isinstance(names, np.ndarray) and (names == np.array(["a", "b", "c"])[expected]).mean() > 0.99


def test_fuzzy_numbers_stay_in_gpu_memory():
    try:
        open_device("cuda")
    except RuntimeError:
        pytest.skip("there is no GPU")
    random = np.random.default_rng(0)
    host = FuzzyArray.triangular(random.random(5000), 2, 2 + random.random(5000), n_cuts=4)
    x = host.to(device="cuda")
    result = np.exp(x / 3) * x - 1
    assert result.device == "cuda" and (result + host).device == "cuda"
    assert (result.to(device="cpu") == np.exp(host / 3) * host - 1).all()
    assert result.sum().to(device="cpu") == (np.exp(host / 3) * host - 1).sum()
    assert (x[::-1].to(device="cpu") == host[::-1]).all() and (x.sort() == host.sort()).all()
    with pytest.raises(NotImplementedError, match="vertex"):
        evaluate("x * (1 - x)", {"x": x}, method="vertex")
