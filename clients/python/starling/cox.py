"""Cox regression, proven."""

import math

import numpy as np

from . import _pipe
from ._base import BaseEstimator, Rows, keep, require
from .glm import _erfc, _quantile


class CoxPH(BaseEstimator):
    """Cox's proportional hazards model. `ties` is 'efron' or 'breslow'.

    `coefficient_error_` is what is proven: every coefficient is within this many of its standard errors of the exact one.
    """

    def __init__(self, *, ties="efron"):
        keep(self, locals())

    def fit(self, X, y, *, start=None, strata=None, sample_weight=None, offset=None):
        """Trains on rows X; y has two columns, until when a row was watched and whether its event was seen then (1 or 0).

        `start` says from when each row was watched; rows with different `strata` are not compared.
        """
        names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        X = np.asarray(X, float)
        y = np.asarray(y, float)
        if X.ndim != 2 or y.shape != (len(X), 2):
            raise ValueError("X must be a matrix, and y two columns of as many rows: times, and events (1 or 0)")
        if not np.isin(y[:, 1], (0, 1)).all():
            raise ValueError("events must be 1 or 0")
        rows = Rows(X)
        arrays = dict(rows.arrays, y=np.ascontiguousarray(y[:, 0]), events=y[:, 1].astype(np.int32))
        for name, values in (("start", start), ("weights", sample_weight), ("offsets", offset)):
            if values is not None:
                arrays[name] = np.ascontiguousarray(values, float)
        if strata is not None:
            self.strata_, codes = np.unique(np.asarray(strata), return_inverse=True)
            arrays["strata"] = codes.astype(np.int32)
        header = dict(rows.header, op="cox", ties=self.ties)
        if names is not None:
            header["names"] = names
        answer, numbers = _pipe.ask(header, arrays)
        self.n_features_in_ = X.shape[1]
        self.names_ = names or ["x%d" % (place + 1) for place in range(X.shape[1])]
        self.coef_ = np.array(numbers["weights"])
        kept = np.flatnonzero(~np.isnan(self.coef_))
        self.cov_params_ = np.full((X.shape[1],) * 2, np.nan)
        self.cov_params_[np.ix_(kept, kept)] = numbers["covariance"].reshape(len(kept), -1)
        self.bse_ = np.sqrt(np.diag(self.cov_params_))
        self.tvalues_ = self.coef_ / self.bse_
        self.pvalues_ = _erfc(np.abs(self.tvalues_) / math.sqrt(2))
        self.llf_, self.llnull_ = answer["logLik"], answer["nullLogLik"]
        self.concordance_, self.events_ = answer["concordance"], answer["events"]
        self.coefficient_error_ = math.inf if answer["coefficientError"] is None else answer["coefficientError"]
        self.baseline_ = {name: np.array(numbers["hazard." + name]) for name in ("stratum", "time", "cumulative")}
        return self

    def predict(self, X):
        """The score of each row: the logarithm of its hazard relative to that of a row of zeros."""
        X = np.asarray(X, float)
        require(X.ndim == 2 and X.shape[1] == self.n_features_in_,
                "X has shape %s; it must be a matrix of %d features, as in training" % (X.shape, self.n_features_in_))
        return X @ np.nan_to_num(self.coef_)

    def conf_int(self, alpha=0.05):
        """Intervals that hold the coefficients with probability 1 - alpha."""
        half = _quantile(1 - alpha / 2) * self.bse_
        return np.column_stack([self.coef_ - half, self.coef_ + half])

    def summary(self):
        """The coefficients with hazard ratios, standard errors, z-values and p-values, as text."""
        width = max([9] + [len(name) for name in self.names_])
        lines = ["Cox regression, %d events, concordance %.4f" % (self.events_, self.concordance_),
                 "%-*s %10s %10s %10s %10s %10s" % (width, "", "coef", "exp(coef)", "std err", "z", "P>|z|")]
        for row in zip(self.names_, self.coef_, np.exp(self.coef_), self.bse_, self.tvalues_, self.pvalues_):
            lines.append("%-*s %10.4f %10.4f %10.4f %10.3f %10.3f" % ((width,) + row))
        return "\n".join(lines + ["every coefficient is within %.2g of its standard errors of the exact one" % self.coefficient_error_])
