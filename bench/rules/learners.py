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


def linear(task, rows):
    return LinearRegression() if task == "regression" else make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def decision_tree(task, rows):
    return (DecisionTreeRegressor if task == "regression" else DecisionTreeClassifier)(max_depth=4, random_state=0)


def random_forest(task, rows):
    return (RandomForestRegressor if task == "regression" else RandomForestClassifier)(random_state=0)


def gradient_boosting(task, rows):
    return (GradientBoostingRegressor if task == "regression" else GradientBoostingClassifier)(random_state=0)


def svm(task, rows):
    if rows > MAX_SVM_ROWS:
        return None
    if task == "regression":
        return TransformedTargetRegressor(make_pipeline(StandardScaler(), SVR()), transformer=StandardScaler())
    return make_pipeline(StandardScaler(), SVC())


def ebm(task, rows):
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    return (ExplainableBoostingRegressor if task == "regression" else ExplainableBoostingClassifier)(n_jobs=1, random_state=0)


def rulefit(task, rows):
    from imodels import RuleFitRegressor

    return RuleFitRegressor(random_state=0) if task == "regression" else None


def figs(task, rows):
    from imodels import FIGSRegressor

    return FIGSRegressor(max_rules=12) if task == "regression" else None


def fuzzion_sparse(task, rows):
    from fuzzion import TskClassifier, TskRegressor

    if task == "regression":
        return TskRegressor(10, init="tree", random_state=0)
    return TskClassifier(10, init="tree", loss="squared_error", random_state=0)


def fuzzion_auto(task, rows):
    from fuzzion import TskClassifier, TskRegressor

    if task == "regression":
        return TskRegressor(auto=True, random_state=0)
    return TskClassifier(auto=True, loss="squared_error", random_state=0)


def fuzzion_sonfin(task, rows):
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
    "Fuzzion sparse": fuzzion_sparse,
    "Fuzzion auto": fuzzion_auto,
    "Fuzzion SONFIN": fuzzion_sonfin,
}
