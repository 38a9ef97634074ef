"""Interruption, forks, threads, errors, and the command."""

import multiprocessing
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
import types
from concurrent.futures import ThreadPoolExecutor

import fuzzion
import numpy as np
import pytest
from fuzzion import FuzzyCMeans, SonfinRegressor, TskRegressor, _fuzzion
from fuzzion._device import _threads, open_device

LONG = {"tol": 0.0, "max_iter": 1_000_000, "accelerate": False, "fuzzifier": 1.2, "random_state": 0}


def large_table():
    random = np.random.default_rng(0)
    centers = 3 * random.normal(size=(16, 16))
    return (random.normal(size=(200_000, 16)) + centers[random.integers(0, 16, 200_000)]).astype(np.float32)


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
@pytest.mark.parametrize("small", [False, True])  # few rows are processed on the calling thread
@pytest.mark.parametrize("estimator", [FuzzyCMeans, TskRegressor, SonfinRegressor])
def test_ctrl_c_interrupts_a_fit(estimator, small):
    rows = 100_000 if estimator is FuzzyCMeans else 20_000
    X = large_table()[: 100 if small else rows]
    if estimator is FuzzyCMeans:  # restarts share their iterations
        model = FuzzyCMeans(16, **{**LONG, "init": "random", "n_init": 1000 if small else 20})
    elif estimator is TskRegressor:
        model = TskRegressor(2, max_iter=100_000_000, order=0, random_state=0)
    else:
        model = SonfinRegressor(32, max_iter=100_000_000, random_state=0)
    FuzzyCMeans(2, fuzzifier=1.2, random_state=0).fit(X[:100])  # opens the device
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)  # after the initialization
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, X[:, 0])
    finally:
        timer.cancel()
    assert time.perf_counter() - sent[0] < 0.2
    assert FuzzyCMeans(3, fuzzifier=1.2, random_state=0).fit(X[:100]).converged_  # still usable


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_ctrl_c_interrupts_the_initialization(init):
    X = np.random.default_rng(0).normal(size=(100_000, 16))
    model = FuzzyCMeans(1500, fuzzifier=1.2, init=init, n_init=10 if init == "k-means++" else 30, random_state=0)
    open_device("cpu")
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)  # the initialization takes several seconds
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            model.fit(X)
    finally:
        timer.cancel()
    assert time.perf_counter() - sent[0] < 0.2


def test_an_exception_of_the_progress_callback_cancels():
    calls = []

    def progress(done, total):
        calls.append((done, total))
        raise LookupError("stop")

    settings = '{"clusters": 16, "tolerance": 0, "max_iterations": 1000000, "plain": true, "fuzzifier": 1.2}'
    with pytest.raises(LookupError, match="stop"):
        _fuzzion.fit_clusters(settings, large_table(), open_device("cpu"), progress=progress)
    assert len(calls) == 1


def test_verbose_shows_progress(capsys, iris):
    FuzzyCMeans(3, random_state=0, verbose=True).fit(iris)
    assert "FuzzyCMeans" in capsys.readouterr().err


def test_progress_without_tqdm(capsys, iris, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    FuzzyCMeans(3, random_state=0, verbose=True).fit(iris)
    assert re.search(r"\rFuzzyCMeans: [1-9]\d* of 300\n$", capsys.readouterr().err)


def test_progress_with_tqdm(capsys, iris, monkeypatch):
    bars = []

    class Bar:
        def __init__(self, desc):
            self.desc, self.closed, self.shown = desc, False, []
            bars.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.closed = True

        def refresh(self):
            self.shown.append((self.n, self.total))

    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    model = FuzzyCMeans(3, random_state=0, verbose=True).fit(iris)
    (bar,) = bars
    assert bar.desc == "FuzzyCMeans" and bar.closed and bar.shown[-1][1] == 300
    assert 0 < bar.shown[-1][0] <= model.n_iter_
    assert capsys.readouterr().err == ""


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_interpreter_runs_during_a_fit():
    X = large_table()
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    started = time.perf_counter()
    FuzzyCMeans(8, **{**LONG, "max_iter": 20}).fit(X)
    seconds = time.perf_counter() - started
    stop.set()
    thread.join()
    assert np.diff(ticks).max() < max(0.2, 0.5 * seconds)


def test_threads_share_a_device(iris):
    expected = FuzzyCMeans(3, random_state=0).fit(iris).cluster_centers_
    with ThreadPoolExecutor(8) as pool:
        results = pool.map(lambda _: FuzzyCMeans(3, random_state=0).fit(iris).cluster_centers_, range(64))
    assert all(np.array_equal(result, expected) for result in results)


def fitted_centers(X):
    return FuzzyCMeans(3, fuzzifier=1.2, random_state=0).fit(X).cluster_centers_


@pytest.mark.skipif(not hasattr(os, "fork"), reason="has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a fork of a process with threads
def test_a_forked_process_has_its_own_threads():
    X = large_table()[:50_000]
    expected = fitted_centers(X)
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        result = pool.apply_async(fitted_centers, (X,)).get(timeout=60)
    np.testing.assert_array_equal(result, expected)
    child = os.fork()
    if child == 0:  # a child that ends without the clean-up of multiprocessing
        code = 1
        try:
            code = 0 if np.array_equal(fitted_centers(X), expected) else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    np.testing.assert_array_equal(fitted_centers(X), expected)


def test_the_number_of_threads(monkeypatch):
    monkeypatch.setenv("FUZZION_THREADS", "3")
    monkeypatch.setenv("OMP_NUM_THREADS", "2,1")
    assert _threads() == 3
    monkeypatch.delenv("FUZZION_THREADS")
    assert _threads() == 2
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    with pytest.raises(ValueError, match="OMP_NUM_THREADS=many"):
        _threads()
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert _threads() >= 1
    assert _fuzzion.Device("cpu", 2).threads == 2


def worker_threads(_):
    from fuzzion._device import open_device

    return open_device("cpu").threads


def test_workers_of_joblib_do_not_oversubscribe():
    from joblib import Parallel, cpu_count, delayed

    threads = Parallel(n_jobs=2)(delayed(worker_threads)(i) for i in range(2))
    assert sum(threads) <= max(2, cpu_count())


def test_errors_have_built_in_types(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"missing\.fll"):
        fuzzion.read(tmp_path / "missing.fll")
    (tmp_path / "folder.fll").mkdir()
    with pytest.raises(IsADirectoryError):
        fuzzion.read(tmp_path / "folder.fll")
    (tmp_path / "wrong.fll").write_text("Engine: x\nInputVariable y")
    with pytest.raises(ValueError, match=r"wrong\.fll"):
        fuzzion.read(tmp_path / "wrong.fll")
    (tmp_path / "system.txt").write_text("Engine: x")
    with pytest.raises(NotImplementedError, match="supported formats"):
        fuzzion.read(tmp_path / "system.txt")
    with pytest.raises(ValueError, match="unknown device `gpu`"):
        open_device("gpu")


def test_an_unavailable_gpu_is_a_runtime_error():
    try:
        open_device("cuda:77")
    except RuntimeError as error:
        assert str(error)
    else:
        pytest.fail("there is no GPU 77")


def test_low_level_objects_are_pickled(tipper_path):
    system = fuzzion.read(tipper_path)
    assert pickle.loads(pickle.dumps(system)) == system


def command():
    installed = shutil.which("fuzzion", path=sysconfig.get_path("scripts"))
    assert installed, "the wheel installs the command"
    return installed


@pytest.mark.parametrize("as_module", [False, True])
def test_the_command(as_module, tmp_path, tipper_path):
    start = [sys.executable, "-m", "fuzzion"] if as_module else [command()]
    (tmp_path / "meals.csv").write_text("service,food\n3,7.5\n")
    done = subprocess.run([*start, "infer", tipper_path, "--data", "meals.csv"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    expected = fuzzion.read(tipper_path).infer([[3, 7.5]])[0, 0]
    assert float(done.stdout.split()[1]) == pytest.approx(expected)
    failed = subprocess.run([*start, "infer", "missing.fll", "--data", "-"], cwd=tmp_path, capture_output=True, text=True)
    assert failed.returncode == 1 and "missing.fll" in failed.stderr
    assert subprocess.run([*start, "nonsense"], capture_output=True).returncode == 2
    version = subprocess.run([*start, "--version"], check=True, capture_output=True, text=True).stdout
    assert version.splitlines()[0] == f"fuzzion {fuzzion.__version__}"
