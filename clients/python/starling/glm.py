"""Generalised linear models with standard errors, certified."""

import math

import numpy as np

from ._base import Regressor, keep, sigmoid

_erfc = np.vectorize(math.erfc, otypes=[float])

# The means of scores.
_LINKS = {
    "identity": lambda scores: scores,
    "log": np.exp,
    "logit": sigmoid,
    "probit": lambda scores: _erfc(-scores / math.sqrt(2)) / 2,
    "cloglog": lambda scores: -np.expm1(-np.exp(scores)),
}
_FAMILIES = {"gaussian": ("squared", "identity"), "binomial": ("binomial", "logit"), "binomial(probit)": ("binomial(probit)", "probit"),
             "binomial(cloglog)": ("binomial(cloglog)", "cloglog"), "quasi-binomial": ("quasi-binomial", "logit"),
             "poisson": ("poisson", "log"), "quasi-poisson": ("quasi-poisson", "log"), "negative-binomial": ("negative-binomial", "log"),
             "gamma": ("gamma", "log"), "inverse-gaussian": ("inverse-gaussian", "log"), "tweedie": ("tweedie", "log")}


class GLM(Regressor):
    """A generalised linear model: the mean of half the unit deviance + alpha/2 |w|², as in scikit-learn's `PoissonRegressor`.

    `family` is gaussian, binomial (shares of successes, weighted by trials), binomial(probit), binomial(cloglog), poisson, gamma,
    inverse-gaussian (these with the log link), negative-binomial(2), tweedie(1.5), quasi-binomial or quasi-poisson. Without alpha
    there are standard errors, `bse_`, proven to `bse_error_`, with `cov_params_` and `summary()`.
    """

    def __init__(self, family="gaussian", *, alpha=0.0, fit_intercept=True, gap=1e-12, missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def _family(self):
        name, _, rest = str(self.family).partition("(")
        known = _FAMILIES.get(self.family) or _FAMILIES.get(name)
        if known is None:
            raise ValueError("family is %r; there are: %s" % (self.family, ", ".join(sorted(_FAMILIES))))
        try:
            parameter = float(rest.rstrip(")")) if rest and self.family not in _FAMILIES else {"tweedie": 1.5}.get(name, 1.0)
        except ValueError:
            raise ValueError("family is %r; in the brackets there must be a number" % self.family) from None
        return known[0] + ("(%r)" % parameter if name in ("negative-binomial", "tweedie") else ""), _LINKS[known[1]]

    def fit(self, X, y, sample_weight=None, offset=None):
        """Trains on rows X with targets y; `offset` is added to the scores."""
        self._check_alpha()
        X, y, sample_weight = self._target(X, y, sample_weight)
        weights, kept = self._weights(len(y), sample_weight)
        offset = None if offset is None else np.asarray(offset, float)
        settings = {"loss": self._family()[0], "lambda": self.alpha, "standard-errors": "none" if self.alpha > 0 else "model"}
        answer = self._solve(X, y, settings, weights, kept, offset)
        ones = 1 if self.fit_intercept else 0
        self.nobs_ = len(y) if kept is None else int(kept.sum())
        self.df_model_ = len(self.coef_) - len(answer["aliased"])
        self.df_resid_ = self.nobs_ - self.df_model_ - ones
        total = self.nobs_ if weights is None else weights.sum()
        self.deviance_ = 2 * total * (self.certificate_["objective"] - self.alpha / 2 * float(self.coef_ @ self.coef_))
        self.cov_params_ = None
        if self.alpha == 0:
            self._infer(answer["inference"], answer["numbers"], ones)
        return self

    def _infer(self, found, numbers, ones):
        """Keeps the covariance that Java has found; features come first there, then the intercept."""
        size = len(self.coef_) + ones
        order = np.roll(np.arange(size), ones)
        self.cov_params_ = numbers["covariance"].reshape(size, size)[np.ix_(order, order)]
        self.bse_ = numbers["standardErrors"][order]
        self.bse_error_ = numbers["standardErrorErrors"][order]
        self.params_ = np.concatenate([[self.intercept_] * ones, self.coef_])
        self.tvalues_ = self.params_ / self.bse_
        self.pvalues_ = _erfc(np.abs(self.tvalues_) / math.sqrt(2))
        self.deviance_, self.pearson_chi2_ = found["deviance"], found["pearson"]
        self.scale_ = np.nan if found["dispersion"] is None else found["dispersion"]
        self.llf_ = np.nan if found["logLik"] is None else found["logLik"]

    def predict(self, X, offset=None):
        """The predicted mean of each row."""
        scores = super().predict(X)
        return self._family()[1](scores if offset is None else scores + np.asarray(offset, float))

    def conf_int(self, alpha=0.05):
        """Intervals that hold the coefficients with probability 1 - alpha, the intercept first."""
        self._require_errors()
        half = _quantile(1 - alpha / 2) * self.bse_
        return np.column_stack([self.params_ - half, self.params_ + half])

    def summary(self):
        """The coefficients with standard errors, z-values, p-values and 95% intervals, as text."""
        self._require_errors()
        names = ["const"] * (len(self.params_) - len(self.coef_)) + self.get_feature_names()
        width = max([9] + [len(name) for name in names])
        rule = "=" * (width + 68)
        lines = ["Generalized linear model, family %s" % self.family, rule]
        facts = [("No. Observations:", "%d" % self.nobs_), ("Df Residuals:", "%d" % self.df_resid_),
                 ("Df Model:", "%d" % self.df_model_), ("Scale:", "%.5g" % self.scale_), ("Deviance:", "%.6g" % self.deviance_),
                 ("Pearson chi2:", "%.4g" % self.pearson_chi2_), ("Gap:", "%.2g" % self.gap_), ("Certified:", str(self.certified_))]
        lines += ["%-18s%14s    %-18s%14s" % (left + right) for left, right in zip(facts[::2], facts[1::2])]
        heads = ("", "coef", "std err", "z", "P>|z|", "[0.025", "0.975]")
        lines += [rule, "%-*s %10s %10s %10s %10s %11s %11s" % ((width,) + heads), "-" * len(rule)]
        for name, row in zip(names, np.column_stack([self.params_, self.bse_, self.tvalues_, self.pvalues_, self.conf_int()])):
            lines.append("%-*s %10.4f %10.3f %10.3f %10.3f %11.3f %11.3f" % ((width, name) + tuple(row)))
        return "\n".join(lines + [rule])


def _quantile(probability):
    """The quantile of the normal distribution, by bisection."""
    low, high = -40.0, 40.0
    for _ in range(200):
        middle = (low + high) / 2
        if math.erfc(-middle / math.sqrt(2)) / 2 < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2
