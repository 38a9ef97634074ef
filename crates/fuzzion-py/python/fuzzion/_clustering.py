"""Fuzzy clustering with the interface of scikit-learn."""

from __future__ import annotations

from typing import Any

from ._clusterer import FuzzyClusterer
from ._documented import documented
from ._validation import choice, real

_COMMON = """
    init : {"k-means++", "random", "sample"} or array, default="k-means++"
        Initial centers: rows drawn by greedy k-means++, rows drawn at random, or centers of growing random samples. An array
        contains centers, of shape (n_clusters, n_features), or memberships, of shape (n_samples, n_clusters).
    n_init : int or "auto", default="auto"
        Number of random initializations; the fit with the lowest objective is kept. "auto" is ten for small data, and fewer
        for larger data.
    max_iter : int, default=300
        Maximum number of sweeps over the data.
    tol : float, default=1e-5
        Tolerance of the convergence criterion.
    criterion : {"centers", "objective", "memberships"}, default="centers"
        Convergence criterion: the largest shift of a center relative to the spread of the data, the relative change of
        the objective, or the largest change of a membership.
    accelerate : bool, default=True
        Whether to use accelerated steps, which have the same fixed points as plain alternating steps.
    missing : {"error", "partial"}, default="error"
        Whether NaN is an error, or distances are computed over the columns present in a row.
    random_state : int, RandomState or None, default=None
    device : str, default="cpu"
        "cpu", "cuda", "cuda:N", "cuda:N,M" (several GPUs), "cuda:all" or "best" (a GPU if the problem is large enough).
    verbose : bool, default=False
        Whether to show a progress bar.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    labels_ : array of shape (n_samples,)
        The cluster with the largest membership of each row.
    objective_ : float
        The objective at the final centers.
    objective_history_ : array
        The objective before each step.
    n_iter_ : int
        Number of sweeps over the data.
    converged_ : bool
    weights_ : array of shape (n_clusters,)
        Sum of the memberships of each cluster.
    validity_ : dict
        Cluster validity indices: partition coefficient, partition entropy, Xie-Beni, ...
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only if X has column names.
"""
_VARIANTS = {name: name for name in ("fcm", "hard", "noise", "pfcm")}
_METRICS = {
    "euclidean": "euclidean",
    "diagonal": {"diagonal": {"variances": None}},
    "mahalanobis": {"mahalanobis": {"covariance": None}},
}


@documented(_COMMON)
class FuzzyCMeans(FuzzyClusterer):
    """Fuzzy c-means: every row has a membership in each cluster, and they sum to 1.

    Parameters
    ----------
    n_clusters : int, default=8
    fuzzifier : float, default=2.0
        m > 1; larger values give softer clusters.
    metric : {"euclidean", "diagonal", "mahalanobis"}, default="euclidean"
        Squared distance to a center: Euclidean, divided by the variances of the columns, or with the covariance of the data.
    variant : {"fcm", "hard", "noise", "pfcm"}, default="fcm"
        Fuzzy c-means; hard c-means (k-means); noise clustering, in which the memberships of outliers are small because they
        belong to a noise cluster (Dave 1991); or possibilistic fuzzy c-means, which also has typicalities (Pal 2005).
    noise_distance : float, optional
        Distance of the noise cluster from every row; estimated by a preceding fuzzy fit by default.
    typicality_weight : float, default=1.0
        Weight of the typicalities relative to the memberships, for "pfcm".
    typicality_fuzzifier : float, default=2.0
        Fuzzifier of the typicalities, for "pfcm".
    {common}

    Examples
    --------
    >>> import numpy as np
    >>> from fuzzion import FuzzyCMeans
    >>> X = np.array([[0.0], [0.1], [0.2], [9.8], [9.9], [10.0]])
    >>> model = FuzzyCMeans(n_clusters=2, random_state=0).fit(X)
    >>> np.sort(model.cluster_centers_.ravel()).round(1)
    array([0.1, 9.9])
    >>> model.memberships([[5.0]]).round(2)
    array([[0.5, 0.5]])
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        fuzzifier: float = 2.0,
        metric: str = "euclidean",
        variant: str = "fcm",
        noise_distance: float | None = None,
        typicality_weight: float = 1.0,
        typicality_fuzzifier: float = 2.0,
        init: Any = "k-means++",
        n_init: int | str = "auto",
        max_iter: int = 300,
        tol: float = 1e-5,
        criterion: str = "centers",
        accelerate: bool = True,
        missing: str = "error",
        random_state: Any = None,
        device: str = "cpu",
        verbose: bool = False,
    ):
        super().__init__(
            n_clusters,
            fuzzifier=fuzzifier,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            criterion=criterion,
            accelerate=accelerate,
            missing=missing,
            random_state=random_state,
            device=device,
            verbose=verbose,
        )
        self.metric = metric
        self.variant = variant
        self.noise_distance = noise_distance
        self.typicality_weight = typicality_weight
        self.typicality_fuzzifier = typicality_fuzzifier

    def _variant(self) -> Any:
        variant = choice("variant", self.variant, _VARIANTS)
        if variant == "noise":
            distance = None if self.noise_distance is None else real("noise_distance", self.noise_distance)
            return {"noise": {"distance": distance}}
        if variant == "pfcm":
            weight = real("typicality_weight", self.typicality_weight)
            fuzzifier = real("typicality_fuzzifier", self.typicality_fuzzifier)
            return {"pfcm": {"membership": 1.0, "typicality": weight, "typicality_fuzzifier": fuzzifier}}
        return variant

    def _metric(self) -> Any:
        return choice("metric", self.metric, _METRICS)


@documented(_COMMON)
class GustafsonKessel(FuzzyClusterer):
    """Fuzzy c-means with an ellipsoid of fixed volume per cluster (Gustafson and Kessel 1979).

    Parameters
    ----------
    n_clusters : int, default=8
    fuzzifier : float, default=2.0
        m > 1; larger values give softer clusters.
    volumes : array of shape (n_clusters,), optional
        Volume of each cluster; defaults to 1.
    regularize : float, default=0.0
        From 0 (none) to 1 (spheres): shrinks the covariances toward a multiple of the identity.
    {common}
    covariances_ : array of shape (n_clusters, n_features, n_features)
    """

    _min_samples = 2  # a covariance needs two rows

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        fuzzifier: float = 2.0,
        volumes: Any = None,
        regularize: float = 0.0,
        init: Any = "k-means++",
        n_init: int | str = "auto",
        max_iter: int = 300,
        tol: float = 1e-5,
        criterion: str = "centers",
        accelerate: bool = True,
        missing: str = "error",
        random_state: Any = None,
        device: str = "cpu",
        verbose: bool = False,
    ):
        super().__init__(
            n_clusters,
            fuzzifier=fuzzifier,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            criterion=criterion,
            accelerate=accelerate,
            missing=missing,
            random_state=random_state,
            device=device,
            verbose=verbose,
        )
        self.volumes = volumes
        self.regularize = regularize

    def _metric(self) -> Any:
        volumes = None if self.volumes is None else [float(volume) for volume in self.volumes]
        return {"gk": {"volumes": volumes, "regularize": real("regularize", self.regularize)}}


@documented(_COMMON)
class GathGeva(FuzzyClusterer):
    """Fuzzy c-means with an ellipsoid and a prior per cluster (Gath and Geva 1989), a fuzzy Gaussian mixture.

    Parameters
    ----------
    n_clusters : int, default=8
    fuzzifier : float, default=2.0
        m > 1; larger values give softer clusters.
    {common}
    covariances_ : array of shape (n_clusters, n_features, n_features)
    """

    _min_samples = 2  # a covariance needs two rows

    def _metric(self) -> Any:
        return "gg"


@documented(_COMMON)
class PossibilisticCMeans(FuzzyClusterer):
    """Possibilistic c-means (Krishnapuram and Keller 1993): memberships are typicalities, which need not sum to 1, so that
    outliers belong to no cluster. The widths are estimated by a preceding fuzzy fit.

    Parameters
    ----------
    n_clusters : int, default=8
    fuzzifier : float, default=2.0
        m > 1; larger values give softer clusters.
    {common}
    """

    def _variant(self) -> Any:
        return "pcm"
