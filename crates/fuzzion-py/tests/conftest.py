"""Fixtures."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

TIPPER = """Engine: tipper
InputVariable: service
  range: 0 10
  term: poor Gaussian 0 1.5
  term: good Gaussian 5 1.5
  term: excellent Gaussian 10 1.5
InputVariable: food
  range: 0 10
  term: rancid Trapezoid -2 0 1 3
  term: delicious Trapezoid 7 9 10 12
OutputVariable: tip
  range: 0 30
  aggregation: Maximum
  defuzzifier: Centroid
  term: cheap Triangle 0 5 10
  term: average Triangle 10 15 20
  term: generous Triangle 20 25 30
RuleBlock:
  conjunction: Minimum
  disjunction: Maximum
  implication: Minimum
  activation: General
  rule: if service is poor or food is rancid then tip is cheap
  rule: if service is good then tip is average
  rule: if service is excellent or food is delicious then tip is generous
"""


@pytest.fixture
def iris():
    return load_iris().data


@pytest.fixture
def tipper_path(tmp_path):
    path = tmp_path / "tipper.fll"
    path.write_text(TIPPER)
    return path


@pytest.fixture
def meals():
    return np.array([[3, 7.5], [8, 9], [0, 0], [5, 5], [np.nan, 1]])
