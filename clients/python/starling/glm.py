"""Generalised linear models with standard errors, certified."""

import math

import numpy as np

from ._base import Regressor, is_sparse, sigmoid

_erfc = np.vectorize(math.erfc, otypes=[float])
_LOG = (np.exp, np.exp)


def _normal_density(scores):
    return np.exp(-scores ** 2 / 2) / math.sqrt(2 * math.pi)


# The mean of a score, its slope, and the variance of a mean; whether the dispersion is known.
_LINKS = {
    "identity": (lambda scores: scores, np.ones_like),
    "log": _LOG,
    "logit": (sigmoid, lambda scores: sigmoid(scores) * sigmoid(-scores)),
    "probit": (lambda scores: _erfc(-scores / math.sqrt(2)) / 2, _normal_density),
    "cloglog": (lambda scores: -np.expm1(-np.exp(scores)), lambda scores: np.exp(scores - np.exp(scores))),
}
_FAMILIES = {
    "gaussian": ("squared", "identity", lambda mean, _: np.ones_like(mean), False),
    "binomial": ("binomial", "logit", lambda mean, _: mean * (1 - mean), True),
    "binomial(probit)": ("binomial(probit)", "probit", lambda mean, _: mean * (1 - mean), True),
    "binomial(cloglog)": ("binomial(cloglog)", "cloglog", lambda mean, _: mean * (1 - mean), True),
    "quasi-binomial": ("quasi-binomial", "logit", lambda mean, _: mean * (1 - mean), False),
    "poisson": ("poisson", "log", lambda mean, _: mean, True),
    "quasi-poisson": ("quasi-poisson", "log", lambda mean, _: mean, False),
    "negative-binomial": ("negative-binomial", "log", lambda mean, theta: mean + mean ** 2 / theta, True),
    "gamma": ("gamma", "log", lambda mean, _: mean ** 2, False),
    "inverse-gaussian": ("inverse-gaussian", "log", lambda mean, _: mean ** 3, False),
    "tweedie": ("tweedie", "log", lambda mean, power: mean ** power, False),
}


class GLM(Regressor):
    """A generalised linear model: the mean of half the unit deviance + alpha/2 |w|², as in scikit-learn's `PoissonRegressor`.

    `family` is gaussian, binomial (shares of successes, weighted by trials), binomial(probit), binomial(cloglog), poisson, gamma,
    inverse-gaussian (these with the log link), negative-binomial(2), tweedie(1.5), quasi-binomial or quasi-poisson. Without alpha
    there are standard errors: `bse_`, `cov_params_`, `summary()`.
    """

    def __init__(self, family="gaussian", *, alpha=0.0, fit_intercept=True, gap=1e-12, missing="refuse", nodes=1, verbose=0):
        self.family = family
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.gap = gap
        self.missing = missing
        self.nodes = nodes
        self.verbose = verbose

    def _family(self):
        name, _, rest = str(self.family).partition("(")
        known = _FAMILIES.get(self.family) or _FAMILIES.get(name)
        if known is None:
            raise ValueError("family is %r; there are: %s" % (self.family, ", ".join(sorted(_FAMILIES))))
        parameter = float(rest.rstrip(")")) if rest and self.family not in _FAMILIES else {"tweedie": 1.5}.get(name, 1.0)
        loss = known[0] + ("(%r)" % parameter if name in ("negative-binomial", "tweedie") else "")
        return loss, _LINKS[known[1]], (lambda mean: known[2](mean, parameter)), known[3]

    def fit(self, X, y, sample_weight=None, offset=None):
        """Trains on rows X with targets y; `offset` is added to the scores."""
        if not self.alpha >= 0:
            raise ValueError("alpha is %r; it must be 0 or more" % (self.alpha,))
        loss, (mean_of, slope_of), variance_of, known = self._family()
        X, y, sample_weight = self._target(X, y, sample_weight)
        weights, kept = self._weights(len(y), sample_weight)
        offset = None if offset is None else np.asarray(offset, float)
        settings = {"loss": loss, "lambda": self.alpha, "intercept": bool(self.fit_intercept)}
        answer, coefficients, intercepts = self._trained(X, y, settings, weights, kept, offset)
        self._set(coefficients, intercepts)
        self._infer(X, y, answer, weights, kept, offset, mean_of, slope_of, variance_of, known)
        return self

    def _infer(self, X, y, answer, weights, kept, offset, mean_of, slope_of, variance_of, known):
        features = self._features(X)
        scores = self._linear(features)[:, 0] + (0 if offset is None else offset)
        if kept is not None:
            features, y, scores = features[kept], y[kept], scores[kept]
        each = np.ones(len(y)) if weights is None else weights
        mean = mean_of(scores)
        free = np.setdiff1d(np.arange(len(self.coef_)), answer["aliased"])
        ones = 1 if self.fit_intercept else 0
        self.nobs_ = len(y)
        self.df_model_ = len(free)
        self.df_resid_ = len(y) - len(free) - ones
        penalty = self.alpha / 2 * float(self.coef_ @ self.coef_)
        self.deviance_ = 2 * each.sum() * (self.certificate_["objective"] - penalty)
        with np.errstate(all="ignore"):
            pearson = float(each @ ((y - mean) ** 2 / variance_of(mean)))
        self.pearson_chi2_ = pearson
        self.scale_ = 1.0 if known else pearson / self.df_resid_ if self.df_resid_ > 0 else np.nan
        self.cov_params_ = None
        if self.alpha > 0:
            return
        with np.errstate(all="ignore"):
            information = each * slope_of(scores) ** 2 / variance_of(mean)
        matrix = features.toarray() if is_sparse(features) else np.asarray(features, float)
        matrix = np.column_stack([np.ones(len(y)), matrix[:, free]] if ones else [matrix[:, free]])
        covariance = np.full((ones + len(self.coef_),) * 2, np.nan)
        places = np.concatenate([np.arange(ones), free + ones]).astype(int)
        triangle = np.linalg.qr(matrix * np.sqrt(information)[:, None], mode="r")
        if triangle.shape[0] == triangle.shape[1] and (np.abs(np.diag(triangle)) > 0).all():
            inverse = np.linalg.inv(triangle)
            covariance[np.ix_(places, places)] = inverse @ inverse.T * self.scale_
        self.cov_params_ = covariance
        self.bse_ = np.sqrt(np.diag(covariance))
        self.params_ = np.concatenate([[self.intercept_] * ones, self.coef_])
        self.tvalues_ = self.params_ / self.bse_
        self.pvalues_ = _erfc(np.abs(self.tvalues_) / math.sqrt(2))

    def predict(self, X, offset=None):
        """The predicted mean of each row."""
        scores = super().predict(X)
        return self._family()[1][0](scores if offset is None else scores + np.asarray(offset, float))

    def conf_int(self, alpha=0.05):
        """Intervals that hold the coefficients with probability 1 - alpha, the intercept first."""
        self._require_errors()
        half = _quantile(1 - alpha / 2) * self.bse_
        return np.column_stack([self.params_ - half, self.params_ + half])

    def _require_errors(self):
        if self.cov_params_ is None:
            raise ValueError("a model with alpha %r has no standard errors; they need alpha=0" % (self.alpha,))

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
