"""Reports about the rules of learned systems."""

from __future__ import annotations

import json
from typing import Any

from ._device import open_device
from ._validation import integer, renamed_settings, require_fitted, valid_weights


class RuleReports:
    """The method of estimators that describes their rules."""

    _model: Any
    _setting_names: dict[str, str]
    device: str

    def rule_reports(self, X: Any, y: Any, sample_weight: Any = None, n_resamples: int = 0) -> list[dict[str, Any]]:
        """Describes each rule where it applies, at the mean of the rows weighted by its firing strength.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        y : array of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array of shape (n_samples,), optional
        n_resamples : int, default=0
            Number of bootstrap resamples to fit for the stability of the rules, for example 20.

        Returns
        -------
        list of dict
            One dictionary per rule. text: the rule with its conclusion and slopes, rounded to their standard errors; support:
            mean normalized firing strength; coverage: fraction of rows with a strength of at least 0.1; rmse, and accuracy for
            classifiers: errors of the model, weighted by the firing strength; examples: indices of typical rows; core: mean of
            the rows, weighted by the firing strength; conclusions: value and slopes at the core for each target or class, with
            standard errors; stability: fraction of resamples in which a similar rule was learned, with `n_resamples`.

        Examples
        --------
        >>> import numpy as np
        >>> from fuzzion import TskRegressor
        >>> X = np.random.default_rng(0).uniform(0, 10, (500, 2))
        >>> y = np.where(X[:, 0] < 5, 2 * X[:, 1], 30 - X[:, 1])
        >>> model = TskRegressor(2, init="tree", random_state=0, words={"c1": ["left", "right"]}).fit(X, y)
        >>> [report["text"].split(" about")[0] for report in model.rule_reports(X, y)]
        ['if c1 is left then y is', 'if c1 is right then y is']
        """
        require_fitted(self)
        rows, _, targets = self._training_data(X, y, reset=False)
        weights = valid_weights(sample_weight, rows)
        resamples = integer("n_resamples", n_resamples)
        settings = self._all_settings(rows, weights, **self._target_settings()) if resamples else None
        device = open_device(self.device)
        with renamed_settings(self._setting_names):
            reports = self._model.rule_reports(
                self._names(), rows, targets, device, weights=weights, settings=settings, resamples=resamples
            )
        return json.loads(reports)
