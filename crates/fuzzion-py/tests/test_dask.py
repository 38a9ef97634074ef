"""Dask: equality with the fit of one process, a lost worker, dataframes, lazy predictions."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

import fuzzion
import joblib
import numpy as np
import pandas as pd
import pytest
from fuzzion import _device
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score

dask = pytest.importorskip("dask")
pytest.importorskip("distributed")

import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402
import fuzzion.dask as fd  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402
from fuzzion import _dask  # noqa: E402

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples" / "python"
ROWS, CHUNK = 20_000, 1_000  # 20 chunks, one task merges them
SHORT = {"random_state": 0, "max_iter": 4}

pytestmark = pytest.mark.filterwarnings("ignore:the fit did not converge")


@contextlib.contextmanager
def two_workers():
    with (
        dask.config.set({"distributed.scheduler.worker-ttl": None}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def client():
    with two_workers() as client:
        yield client


@pytest.fixture
def own_client():
    """Workers that a test may kill; they are not always started again."""
    with two_workers() as client, client.as_current():
        yield client


@pytest.fixture(scope="module")
def X():
    random = np.random.default_rng(0)
    centers = 6 * random.normal(size=(5, 4))
    return random.normal(size=(ROWS, 4)) + centers[random.integers(0, 5, ROWS)]


@pytest.mark.parametrize("name", ["FuzzyCMeans", "GustafsonKessel", "GathGeva"])
def test_20_chunks_equal_the_fit_of_one_process(client, X, name):
    whole = getattr(fuzzion, name)(5, random_state=0).fit(X)
    model = getattr(fd, name)(5, random_state=0).fit(da.from_array(X, chunks=(CHUNK, 4)))
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)
    assert model.n_iter_ == whole.n_iter_
    assert model.objective_ == pytest.approx(whole.objective_, rel=1e-10)
    if name != "FuzzyCMeans":
        np.testing.assert_allclose(model.covariances_, whole.covariances_, rtol=0, atol=1e-10)


def test_the_workers_use_their_own_number_of_threads(client):
    assert set(client.run(_dask.worker_threads).values()) == {None}  # not in a task
    futures = client.map(lambda _: _dask.worker_threads(), range(4), pure=False)
    assert set(client.gather(futures)) == {1}


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_a_worker_lost_during_the_fit_does_not_change_the_result(own_client, X, monkeypatch):
    whole = fuzzion.FuzzyCMeans(5, random_state=0).fit(X)
    chunks = da.from_array(X, chunks=(CHUNK, 4))
    undisturbed = fd.FuzzyCMeans(5, random_state=0).fit(chunks)
    statistics, killed = _dask.Chunks.statistics, []

    def statistics_of_fewer_workers(self, state, device):
        if state.step == 4:
            pids = own_client.run(os.getpid)
            held = {address for addresses in own_client.who_has().values() for address in addresses}
            assert held == set(pids)  # both have chunks
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)
        return statistics(self, state, device)

    monkeypatch.setattr(_dask.Chunks, "statistics", statistics_of_fewer_workers)
    model = fd.FuzzyCMeans(5, random_state=0).fit(chunks)
    assert killed and killed[0] not in own_client.run(os.getpid).values()
    np.testing.assert_array_equal(model.cluster_centers_, undisturbed.cluster_centers_)  # bit-identical
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)


def test_the_data_are_read_once(client, X, tmp_path):
    def read(block, block_info=None):
        (tmp_path / f"{block_info[0]['chunk-location'][0]}-{os.urandom(4).hex()}").touch()
        return block

    chunks = da.from_array(X, chunks=(CHUNK, 4)).map_blocks(read, dtype=X.dtype, meta=np.empty((0, 0)))
    model = fd.FuzzyCMeans(5, **SHORT).fit(chunks)
    assert model.n_iter_ == 4
    assert len(list(tmp_path.iterdir())) == 20


def test_trees_of_several_levels(client, X, monkeypatch):
    monkeypatch.setattr(_dask, "_MERGED_PER_TASK", 3)
    model = fd.FuzzyCMeans(5, **SHORT).fit(da.from_array(X, chunks=(CHUNK, 4)))
    whole = fuzzion.FuzzyCMeans(5, **SHORT).fit(X)
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)


def test_sample_weights_and_unknown_chunk_lengths(client, X):
    weights = np.random.default_rng(2).uniform(0, 2, ROWS)
    whole = fuzzion.FuzzyCMeans(5, **SHORT).fit(X, sample_weight=weights)
    chunks = da.from_array(X, chunks=(CHUNK, 2))  # also the columns are in chunks
    for given in (weights, da.from_array(weights, chunks=CHUNK)):
        model = fd.FuzzyCMeans(5, **SHORT).fit(chunks, sample_weight=given)
        np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)
    assert model.score(chunks, sample_weight=weights) == pytest.approx(whole.score(X, sample_weight=weights), rel=1e-10)
    selected = chunks[chunks[:, 0] > 0]  # of unknown length
    model = fd.FuzzyCMeans(5, **SHORT).fit(selected)
    whole = fuzzion.FuzzyCMeans(5, **SHORT).fit(X[X[:, 0] > 0])
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)
    with pytest.raises(ValueError, match="lengths of the chunks of X are not known"):
        fd.FuzzyCMeans(5).fit(selected, sample_weight=weights)


def test_dataframes(client, X):
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    partitions = dd.from_pandas(frame, npartitions=7)
    whole = fuzzion.FuzzyCMeans(5, random_state=0).fit(frame)
    model = fd.FuzzyCMeans(5, random_state=0).fit(partitions)
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)
    assert list(model.feature_names_in_) == list("abcd")
    labels, memberships = model.predict(partitions), model.memberships(partitions)
    assert dask.is_dask_collection(labels) and dask.is_dask_collection(memberships)  # lazy
    pd.testing.assert_series_equal(labels.compute(), pd.Series(whole.labels_, name="cluster"))
    memberships = memberships.compute()
    assert list(memberships.columns) == list(model.get_feature_names_out())
    np.testing.assert_allclose(memberships, whole.memberships(frame), rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="column `name` is not numeric"):
        fd.FuzzyCMeans(5).fit(partitions.assign(name="x"))


def test_lazy_predictions(client, X):
    chunks = da.from_array(X, chunks=(CHUNK, 4))
    model = fd.FuzzyCMeans(5, **SHORT).fit(chunks)
    labels, memberships = model.predict(chunks), model.memberships(chunks)
    assert labels.chunks == ((CHUNK,) * 20,) and memberships.chunks == ((CHUNK,) * 20, (5,))
    np.testing.assert_array_equal(labels.compute(), model.predict(X))
    np.testing.assert_array_equal(memberships.compute(), model.memberships(X))
    np.testing.assert_array_equal(model.transform(chunks)[:7].compute(), model.memberships(X[:7]))
    np.testing.assert_array_equal(model.fit_predict(chunks).compute(), labels.compute())
    empty = chunks[chunks[:, 0] > 1e9]
    assert model.memberships(empty).compute().shape == (0, 5) and model.predict(empty).compute().shape == (0,)


def test_inference(client, tipper_path, meals):
    system = fuzzion.read(tipper_path)
    expected = system.infer(meals)
    outputs = system.infer(da.from_array(meals, chunks=(2, 1)))
    assert dask.is_dask_collection(outputs) and outputs.shape == expected.shape
    np.testing.assert_array_equal(outputs.compute(), expected)
    frame = pd.DataFrame(meals, columns=["service", "food"])
    outputs = fd.infer(system, dd.from_pandas(frame, npartitions=2))
    pd.testing.assert_frame_equal(outputs.compute(), system.infer(frame))


def test_without_a_cluster(X):
    with dask.config.set(scheduler="threads"):
        model = fd.FuzzyCMeans(5, random_state=0).fit(da.from_array(X, chunks=(CHUNK, 4)))
    whole = fuzzion.FuzzyCMeans(5, random_state=0).fit(X)
    np.testing.assert_allclose(model.cluster_centers_, whole.cluster_centers_, rtol=0, atol=1e-10)


def test_errors(client, X):
    missing = X.copy()
    missing[3 * CHUNK + 17, 1] = np.nan
    chunks = da.from_array(missing, chunks=(CHUNK, 4))
    with pytest.raises(ValueError, match="chunk 3: row 18, column `c2`"):
        fd.FuzzyCMeans(5).fit(chunks)
    with pytest.raises(ValueError, match="use `reshape`"):
        fd.FuzzyCMeans(5).fit(chunks[:, 0])
    with pytest.raises(ValueError, match="`tol` is"):
        fd.FuzzyCMeans(5, tol=np.inf).fit(chunks)
    model = fd.FuzzyCMeans(5, random_state=0).fit(X)  # other arrays are fitted in this process
    with pytest.raises(ValueError, match="`partial_fit` cannot continue"):
        model.partial_fit(chunks)


@pytest.fixture(scope="module")
def surface(X):
    """A smooth function of the rows with noise."""
    return np.sin(X[:, 0]) + 0.1 * X[:, 1] * X[:, 2] + np.random.default_rng(3).normal(0, 0.1, ROWS)


@pytest.mark.parametrize("parameters", [{"n_rules": 4}, {"init": "gk"}, {"init": "grid", "n_sets": 2}])
def test_tsk_on_20_chunks_equals_the_fit_of_one_process(client, X, surface, parameters):
    chunks, targets = da.from_array(X, chunks=(CHUNK, 4)), da.from_array(surface, chunks=CHUNK)
    model = fd.TskRegressor(**parameters, max_iter=0, random_state=0).fit(chunks, targets)
    whole = fuzzion.TskRegressor(**parameters, max_iter=0, random_state=0).fit(X, surface)
    expected = whole.predict(X)
    scale = np.abs(expected).max()
    prediction = model.predict(chunks)
    assert prediction.chunks == ((CHUNK,) * 20,)  # lazy
    np.testing.assert_allclose(prediction.compute(), expected, rtol=0, atol=1e-10 * scale)
    same_sets = fuzzion.TskRegressor(init=model.system_, max_iter=0).fit(X, surface)
    np.testing.assert_allclose(model.predict(X), same_sets.predict(X), rtol=0, atol=1e-10 * scale)
    assert model.n_rules_ == whole.n_rules_ and model.score(chunks, targets) == pytest.approx(whole.score(X, surface))


def test_tsk_iterations_are_those_of_one_process(client, X, surface):
    chunks, targets = da.from_array(X, chunks=(5_000, 4)), da.from_array(surface, chunks=5_000)
    model = fd.TskRegressor(3, max_iter=4, random_state=0).fit(chunks, targets)
    whole = fuzzion.TskRegressor(3, max_iter=4, random_state=0).fit(X, surface)
    assert model.n_iter_ == 4
    np.testing.assert_allclose(model.loss_history_, whole.loss_history_, rtol=1e-9)


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_a_worker_lost_during_a_fit_of_tsk_does_not_change_the_result(own_client, X, surface, monkeypatch):
    chunks, targets = da.from_array(X, chunks=(CHUNK, 4)), da.from_array(surface, chunks=CHUNK)
    undisturbed = fd.TskRegressor(4, max_iter=0, random_state=0).fit(chunks, targets)
    statistics, killed = _dask.Chunks.statistics, []

    def statistics_of_fewer_workers(self, state, device):
        if state.step == 3:
            killed.append(next(iter(own_client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)
        return statistics(self, state, device)

    monkeypatch.setattr(_dask.Chunks, "statistics", statistics_of_fewer_workers)
    model = fd.TskRegressor(4, max_iter=0, random_state=0).fit(chunks, targets)
    assert killed and killed[0] not in own_client.run(os.getpid).values()
    np.testing.assert_array_equal(model.predict(X), undisturbed.predict(X))  # bit-identical


def test_tsk_with_dataframes_weights_and_several_targets(client, X, surface):
    frame = pd.DataFrame(X, columns=list("abcd")).assign(constant=1.0)
    targets = pd.DataFrame({"y": surface, "z": X[:, 0] - surface})
    weights = pd.Series(np.random.default_rng(2).uniform(0, 2, ROWS))
    lazy = [dd.from_pandas(table, npartitions=5) for table in (frame, targets, weights)]
    parameters = {"n_rules": 3, "max_iter": 0, "random_state": 0}
    model = fd.TskRegressor(**parameters).fit(lazy[0], lazy[1], sample_weight=lazy[2])
    whole = fuzzion.TskRegressor(**parameters).fit(frame, targets, sample_weight=weights)
    assert list(model.feature_names_in_) == [*"abcd", "constant"] and model.system_.inputs == list("abcd")
    prediction = model.predict(lazy[0])
    assert dask.is_dask_collection(prediction) and list(prediction.columns) == ["y", "z"]
    np.testing.assert_allclose(prediction.compute(), whole.predict(frame), rtol=0, atol=1e-9)
    series = fd.TskRegressor(**parameters).fit(lazy[0], lazy[1]["y"]).predict(lazy[0])
    assert series.name == "y" and series.compute().shape == (ROWS,)


def test_errors_of_tsk(client, X, surface):
    chunks, targets = da.from_array(X, chunks=(CHUNK, 4)), da.from_array(surface, chunks=CHUNK)
    with pytest.raises(ValueError, match="`auto` is not supported"):
        fd.TskRegressor(auto=True).fit(chunks, targets)
    with pytest.raises(ValueError, match=r"a distributed fit.*validation rows"):
        fd.TskRegressor(validation_fraction=0.1).fit(chunks, targets)
    with pytest.raises(ValueError, match=r"`y` has 10 chunks, but X has 20"):
        fd.TskRegressor().fit(chunks, targets.rechunk(2 * CHUNK))
    with pytest.raises(ValueError, match="`alpha` is -1"):
        fd.TskRegressor(alpha=-1).fit(chunks, targets)
    with pytest.raises(ValueError, match="the target `y` has the same value in every row"):
        fd.TskRegressor().fit(chunks, 0 * targets)
    missing = surface.copy()
    missing[3 * CHUNK + 17] = np.nan
    with pytest.raises(ValueError, match="chunk 3: row 18"):
        fd.TskRegressor().fit(chunks, missing)


def test_chunks_are_balanced_over_the_workers(client, X):
    workers = sorted(client.nthreads())
    rows = client.persist(da.from_array(X, chunks=(CHUNK, 4)), workers=workers[:1], allow_other_workers=False)
    chunks = _dask.Chunks(rows, None)
    chunks.group()
    held = client.who_has(chunks.groups)
    assert sorted(holders[0] for holders in held.values()) == workers
    assert sorted(len(group) for group in client.gather(chunks.groups)) == [10, 10]
    groups = {"a": [0, 1, 2, 3, 4, 5], "b": [], "c": [6]}
    _dask._balance(groups, [1, 1, 1, 1, 1, 1, 5], {"a": 1, "b": 2, "c": 1})
    assert {worker: len(group) for worker, group in groups.items()} == {"a": 3, "b": 2, "c": 2}  # at most 3 per thread


def test_large_states_and_statistics(client, X, monkeypatch):
    whole = fd.FuzzyCMeans(5, **SHORT).fit(da.from_array(X, chunks=(CHUNK, 4)))
    monkeypatch.setattr(_dask, "_SMALL_STATE", 0)  # passed on by the workers
    monkeypatch.setattr(_dask, "_MERGED_HERE", 0)  # merged by a worker
    model = fd.FuzzyCMeans(5, **SHORT).fit(da.from_array(X, chunks=(CHUNK, 4)))
    np.testing.assert_array_equal(model.cluster_centers_, whole.cluster_centers_)


def test_searches_and_folds_are_tasks_of_one_thread(client):
    X, y = load_iris(return_X_y=True)
    model, grid = fuzzion.SonfinClassifier(max_iter=3, random_state=0), {"n_rules": [3, 5]}
    expected = GridSearchCV(model, grid, cv=2).fit(X, y)
    with joblib.parallel_config(backend="dask"):
        search = GridSearchCV(model, grid, cv=2).fit(X, y)
        processes = cross_val_score(model, X, y, cv=4, scoring=lambda *_: float(os.getpid()))
        threads = cross_val_score(model, X, y, cv=2, scoring=lambda *_: float(_device._threads()))
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"])
    np.testing.assert_array_equal(search.predict(X), expected.predict(X))
    assert set(processes) <= {float(process) for process in client.run(os.getpid).values()}
    assert set(threads) == {1.0}


def test_example():
    run = subprocess.run([sys.executable, EXAMPLES / "dask_clustering.py"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert "largest difference" in run.stdout
