"""Fuzzy c-means over a dask array, on a cluster of two processes."""

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster
from fuzzion import FuzzyCMeans
from fuzzion import dask as fuzzion_dask


def main():
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        # 20 chunks of rows around three centers; in practice, da.from_zarr, dask.dataframe.read_parquet, ...
        random = da.random.default_rng(0)
        centers = np.array([[0.0, 0.0, 0.0], [5.0, 0.0, 2.0], [0.0, 6.0, 1.0]])
        nearest = random.integers(0, 3, size=60_000, chunks=3_000)
        X = random.normal(size=(60_000, 3), chunks=(3_000, 3)) + nearest.map_blocks(
            lambda k: centers[k], new_axis=1, chunks=(nearest.chunks[0], (3,)), dtype=float
        )

        model = fuzzion_dask.FuzzyCMeans(n_clusters=3, random_state=0).fit(X)
        print(f"{model.n_iter_} iterations, centers:\n{model.cluster_centers_.round(3)}")
        sizes = da.bincount(model.predict(X), minlength=3)  # lazy, chunk by chunk
        print("rows of the clusters:", sizes.compute())

        expected = FuzzyCMeans(n_clusters=3, random_state=0).fit(X.compute()).cluster_centers_
        difference = np.abs(model.cluster_centers_ - expected).max()
        print(f"largest difference from the fit of one process: {difference:.1e}")
        assert difference < 1e-10


if __name__ == "__main__":
    main()
