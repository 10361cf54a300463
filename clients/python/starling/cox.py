"""Cox regression, proven."""

import math

import numpy as np

from . import _pipe
from ._base import Linear, Rows, column_or_1d, keep, require
from .glm import _erfc, _quantile


def _outcome(y):
    """Until when rows were watched, and whether their events were seen then."""
    require(y is not None, "CoxPH requires y to be passed, but the target y is None")
    names = getattr(getattr(y, "dtype", None), "names", None)
    if names is not None:
        seen = [name for name in names if y.dtype[name] == bool]
        require(len(names) == 2 and len(seen) == 1,
                "y has the fields %s; there must be two, one of them of the type bool: whether the event was seen" % ", ".join(names))
        y = np.column_stack([y[name].astype(float) for name in names if name not in seen] + [y[seen[0]].astype(float)])
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 2:
        times, events = y.T
        require(np.isin(events, (0, 1)).all(), "events must be 1 or 0")
        return times, events.astype(np.int32)
    times = column_or_1d(y, warn=True)
    return times, np.ones(len(times), np.int32)


class CoxPH(Linear):
    """Cox's proportional hazards model. `ties` is 'efron' or 'breslow'.

    It minimises minus the logarithm of the partial likelihood, divided by the weight of the rows, + alpha/2 |w|². Without alpha
    there are standard errors, but no estimate if a feature, or a sum of some, tells the order of all events.
    `coefficient_error_` is what is proven: every coefficient is within this many of its standard errors of the exact one.
    """

    def __init__(self, *, ties="efron", alpha=0.0):
        keep(self, locals())

    def fit(self, X, y, *, start=None, strata=None, sample_weight=None, offset=None):
        """Trains on rows X; y has two columns, until when a row was watched and whether its event was seen then (1 or 0).

        A single column is that of times, at all of which an event was seen; of two fields, the one of the type bool says whether
        it was. `start` says from when each row was watched; rows with different `strata` are not compared.
        """
        self._check_alpha()
        times, events = _outcome(y)
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # those of an earlier fit
        X, times = self._checked(X, times)
        weights, kept = self._weights(len(times), sample_weight)
        numbers = {"y": times, "events": events}
        for name, values in (("start", start), ("offsets", offset)):
            if values is not None:
                numbers[name] = np.asarray(values, float)
        if strata is not None:
            self.strata_, codes = np.unique(np.asarray(strata), return_inverse=True)
            numbers["strata"] = codes.astype(np.int32).reshape(np.shape(strata))
        for name, values in numbers.items():
            require(values.shape == (len(times),), "%s has shape %s; there are %d rows" % (name, values.shape, len(times)))
        if kept is not None:
            X, numbers = X[kept], {name: values[kept] for name, values in numbers.items()}
        if weights is not None:
            numbers["weights"] = weights
        rows = Rows(X)
        header = dict(rows.header, op="cox", names=[str(name) for name in self.get_feature_names()])
        header["lambda"] = float(self.alpha)
        header["ties"] = self.ties
        arrays = dict(rows.arrays, **numbers)
        arrays["y"] = np.ascontiguousarray(arrays["y"], float)
        try:
            answer, found = _pipe.ask(header, arrays)
        except ValueError as error:
            if "no estimate exists" in str(error):
                raise ValueError("%s; or %s" % (error, self._regularise)) from None
            raise
        self.coef_ = np.array(found["weights"])
        self.cov_params_ = None
        if self.alpha == 0:
            self._infer(found["covariance"])
        self.llf_, self.llnull_ = answer["logLik"], answer["nullLogLik"]
        self.concordance_, self.events_ = answer["concordance"], answer["events"]
        self.coefficient_error_ = math.inf if answer["coefficientError"] is None else answer["coefficientError"]
        self.baseline_ = {name: np.array(found["hazard." + name]) for name in ("stratum", "time", "cumulative")}
        return self

    def _infer(self, covariance):
        """Keeps the covariance that Java has found, which is that of the coefficients that are estimated."""
        kept = np.flatnonzero(~np.isnan(self.coef_))
        self.cov_params_ = np.full((len(self.coef_),) * 2, np.nan)
        self.cov_params_[np.ix_(kept, kept)] = covariance.reshape(len(kept), -1)
        self.bse_ = np.sqrt(np.diag(self.cov_params_))
        self.tvalues_ = self.coef_ / self.bse_
        self.pvalues_ = _erfc(np.abs(self.tvalues_) / math.sqrt(2))

    def predict(self, X):
        """The score of each row: the logarithm of its hazard relative to that of a row of zeros."""
        return np.asarray(self._encoded(X) @ np.nan_to_num(self.coef_))

    def score(self, X, y):
        """The concordance: for how many pairs of rows the one with the earlier event has the greater score; equal ones count half."""
        scores, (times, events) = self.predict(X), _outcome(y)
        right = pairs = 0
        for score, time in zip(scores[events == 1], np.asarray(times, float)[events == 1]):
            later = scores[(times > time) | ((times == time) & (events == 0))]
            right += np.count_nonzero(score > later) + np.count_nonzero(score == later) / 2
            pairs += len(later)
        return right / pairs if pairs else math.nan

    def conf_int(self, alpha=0.05):
        """Intervals that hold the coefficients with probability 1 - alpha."""
        self._require_errors()
        half = _quantile(1 - alpha / 2) * self.bse_
        return np.column_stack([self.coef_ - half, self.coef_ + half])

    def summary(self):
        """The coefficients with hazard ratios, standard errors, z-values and p-values, as text."""
        self._require_errors()
        names = self.get_feature_names()
        width = max([9] + [len(name) for name in names])
        lines = ["Cox regression, %d events, concordance %.4f" % (self.events_, self.concordance_),
                 "%-*s %10s %10s %10s %10s %10s" % (width, "", "coef", "exp(coef)", "std err", "z", "P>|z|")]
        for row in zip(names, self.coef_, np.exp(self.coef_), self.bse_, self.tvalues_, self.pvalues_):
            lines.append("%-*s %10.4f %10.4f %10.4f %10.3f %10.3f" % ((width,) + row))
        return "\n".join(lines + ["every coefficient is within %.2g of its standard errors of the exact one" % self.coefficient_error_])
