"""Prediction intervals, prediction sets, and rows outside of the training data."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import is_cuda_array, like_array, to_host
from ._device import open_device
from ._learner import RuleClassifier, RuleLearner, RuleRegressor
from ._validation import real, require_fitted, valid_rows


class RangeChecker(RuleLearner):
    """Methods about rows outside of the training data."""

    def outside_range(self, X: Any) -> np.ndarray:
        """Whether each value is outside the range of its feature in the training data. Features that are constant in the
        training data are not inputs, and always within their range.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)

        Returns
        -------
        bool array of shape (n_samples, n_features)

        Examples
        --------
        >>> from fuzzion import TskRegressor
        >>> model = TskRegressor(n_rules=1).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0])
        >>> model.outside_range([[1.5], [8.0]]).tolist()
        [[False], [True]]
        """
        outside, _ = self._outside(X)
        inputs = self._model.inputs
        found = np.zeros((len(outside), self.n_features_in_), dtype=bool)
        for feature, name in enumerate(self._names()):
            if name in inputs:
                found[:, feature] = outside[:, inputs.index(name)]
        return found

    def is_outside(self, X: Any) -> np.ndarray:
        """Whether each row is unlike the training data, so that its prediction is an extrapolation: a feature is outside its
        range, or all rules fire more weakly than the strongest rule of any training row.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)

        Returns
        -------
        bool array of shape (n_samples,)
        """
        outside, far_from_rules = self._outside(X)
        return outside.any(axis=1) | far_from_rules

    def _outside(self, X: Any) -> list[np.ndarray]:
        return self._model.outside(self._names(), self._host_rows(X), open_device(self.device))

    def _host_rows(self, X: Any) -> np.ndarray:
        require_fitted(self)
        return valid_rows(self, to_host(X), allow_nan=self.missing == "drop")


class IntervalRegressor(RuleRegressor, RangeChecker):
    """A regressor with prediction intervals."""

    def predict_interval(self, X: Any, level: float = 0.9) -> Any:
        """Predicts an interval that contains the target with probability `level` (conformal prediction).

        All intervals of a target have the same width, a quantile of its errors in rows that were held out from training
        (parameter `intervals`), and :meth:`predict` in their middle. The probability is that of the average over rows like
        those of the training data, and not of each row.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        level : float, default=0.9
            Above 0 and below 1.

        Returns
        -------
        array of shape (n_samples, 2) or (n_samples, n_targets, 2)
            Lower and upper ends.

        Examples
        --------
        >>> import numpy as np
        >>> from fuzzion import TskRegressor
        >>> random = np.random.default_rng(0)
        >>> X = random.uniform(0, 1, (500, 1))
        >>> y = X[:, 0] + random.normal(0, 0.1, 500)
        >>> model = TskRegressor(n_rules=5, init="tree", random_state=0).fit(X, y)
        >>> lower, upper = model.predict_interval([[0.5]], level=0.95)[0]
        >>> bool(0.35 < upper - lower < 0.45)  # ±1.96 standard deviations
        True
        """
        rows = self._host_rows(X)
        ends = self._model.intervals(self._names(), rows, real("level", level), open_device(self.device))
        found = np.stack(ends, axis=-1)
        found = found[:, 0] if self._flat else found
        return like_array(found, X) if is_cuda_array(X) else found


class SetClassifier(RuleClassifier, RangeChecker):
    """A classifier with prediction sets."""

    def predict_set(self, X: Any, level: float = 0.9) -> np.ndarray:
        """Predicts a set of classes that contains the correct class with a probability of at least `level` (conformal
        prediction). It contains the predicted class, and all classes whose output is at least a threshold, which rows that
        were held out from training determine (parameter `intervals`).

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        level : float, default=0.9
            Above 0 and below 1.

        Returns
        -------
        bool array of shape (n_samples, n_classes)
            Whether the set contains each class, in the order of `classes_`.

        Examples
        --------
        >>> import numpy as np
        >>> from fuzzion import TskClassifier
        >>> X = np.arange(200)[:, None] / 200
        >>> y = np.where(np.arange(200) % 2, "odd", "even")
        >>> y[X[:, 0] < 0.5] = "low"
        >>> model = TskClassifier(n_rules=2, intervals=True, random_state=0).fit(X, y)
        >>> model.classes_.tolist(), model.predict_set([[0.1], [0.9]]).tolist()
        (['even', 'low', 'odd'], [[False, True, False], [True, False, True]])
        """
        rows = self._host_rows(X)
        found = self._model.sets(self._names(), rows, real("level", level), open_device(self.device))
        return found[:, self._order]
