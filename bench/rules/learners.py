"""Learners of the study, with their default settings: name -> function that returns an estimator for a task."""

from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

MAX_SVM_ROWS = 10_000
# The default of anfis-toolbox is a grid of three sets for each input.
MAX_GRID_INPUTS = 4


def linear(task, rows, inputs):
    return LinearRegression() if task == "regression" else make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def decision_tree(task, rows, inputs):
    return (DecisionTreeRegressor if task == "regression" else DecisionTreeClassifier)(max_depth=4, random_state=0)


def random_forest(task, rows, inputs):
    return (RandomForestRegressor if task == "regression" else RandomForestClassifier)(random_state=0)


def gradient_boosting(task, rows, inputs):
    return (GradientBoostingRegressor if task == "regression" else GradientBoostingClassifier)(random_state=0)


def standardized(task, regressor, classifier):
    """An estimator on standardized inputs, and targets in case of regression."""
    if task == "regression":
        return TransformedTargetRegressor(make_pipeline(StandardScaler(), regressor()), transformer=StandardScaler())
    return make_pipeline(StandardScaler(), classifier())


def svm(task, rows, inputs):
    return standardized(task, SVR, SVC) if rows <= MAX_SVM_ROWS else None


def ebm(task, rows, inputs):
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    return (ExplainableBoostingRegressor if task == "regression" else ExplainableBoostingClassifier)(n_jobs=1, random_state=0)


def rulefit(task, rows, inputs):
    from imodels import RuleFitRegressor

    return RuleFitRegressor(random_state=0) if task == "regression" else None


def figs(task, rows, inputs):
    from imodels import FIGSRegressor

    return FIGSRegressor(max_rules=12) if task == "regression" else None


def htsk(task, rows, inputs):
    from highfis import HTSKClassifier, HTSKRegressor

    return standardized(task, lambda: HTSKRegressor(random_state=0), lambda: HTSKClassifier(random_state=0))


def anfis(task, rows, inputs):
    if inputs > MAX_GRID_INPUTS:
        return None
    from anfis_toolbox import ANFISClassifier, ANFISRegressor

    return standardized(
        task, lambda: ANFISRegressor(random_state=0, verbose=False), lambda: ANFISClassifier(random_state=0, verbose=False)
    )


def fuzzion_sparse(task, rows, inputs):
    from fuzzion import TskClassifier, TskRegressor

    if task == "regression":
        return TskRegressor(10, init="tree", random_state=0)
    return TskClassifier(10, init="tree", random_state=0)


def fuzzion_auto(task, rows, inputs):
    from fuzzion import TskClassifier, TskRegressor

    if task == "regression":
        return TskRegressor(auto=True, random_state=0)
    return TskClassifier(auto=True, random_state=0)


def fuzzion_sonfin(task, rows, inputs):
    from fuzzion import SonfinClassifier, SonfinRegressor

    return (SonfinRegressor if task == "regression" else SonfinClassifier)(random_state=0)


LEARNERS = {
    "linear": linear,
    "decision tree": decision_tree,
    "random forest": random_forest,
    "gradient boosting": gradient_boosting,
    "SVM": svm,
    "EBM": ebm,
    "RuleFit": rulefit,
    "FIGS": figs,
    "highFIS HTSK": htsk,
    "anfis-toolbox": anfis,
    "Fuzzion sparse": fuzzion_sparse,
    "Fuzzion auto": fuzzion_auto,
    "Fuzzion SONFIN": fuzzion_sonfin,
}
