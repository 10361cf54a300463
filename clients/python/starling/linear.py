"""Estimators with the parameters and objectives of scikit-learn's, each answered with a proof of how good it is."""

import numbers
import warnings

import numpy as np

from ._base import Classifier, Regressor, Rows, keep, require, sigmoid
from ._pipe import ConvergenceWarning

# With a loss that has kinks and no ridge, this much of one makes the answer unique.
_TINY_RIDGE = 1e-10


def _is_ratio(ratio):
    require(ratio is not None and 0 <= ratio <= 1, "l1_ratio is %r; it must be between 0 and 1" % (ratio,))


def _net(alpha, ratio):
    """The problem of an elastic net."""
    return {"loss": "squared", "lambda": alpha * (1 - ratio), "l1": alpha * ratio}


class LogisticRegression(Classifier):
    """Logistic regression: C times the sum of losses, plus half the squared length of the coefficients.

    The penalty is 'l2', 'l1', 'elasticnet' (with `l1_ratio`) or None. The intercept is not regularised. More than two
    classes are told apart all at once, by one multinomial model.
    """

    def __init__(self, penalty="l2", *, C=1.0, fit_intercept=True, class_weight=None, l1_ratio=None, gap=1e-10,
                 missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def _problem(self, total):
        require(self.penalty in ("l2", "l1", "elasticnet", None),
                "penalty is %r; it must be 'l2', 'l1', 'elasticnet' or None" % (self.penalty,))
        ratio = {"l2": 0, "l1": 1, None: 0}.get(self.penalty, self.l1_ratio)
        _is_ratio(ratio)
        scale = 1 / (self.C * total)
        return {"loss": "logistic", "lambda": 0 if self.penalty is None else scale * (1 - ratio), "l1": scale * ratio}

    def predict_proba(self, X):
        """The probability of each class, in the order of `classes_`."""
        scores = self._scores(X)
        if scores.shape[1] == 1:
            second = sigmoid(scores[:, 0])
            return np.column_stack([1 - second, second])
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def predict_log_proba(self, X):
        """The logarithms of the probabilities."""
        return np.log(self.predict_proba(X))


class SoftmaxRegression(Classifier):
    """Multinomial logistic regression: C times the sum of losses, plus half the squared length of the coefficients.

    As in LIBLINEAR, an intercept is the coefficient of a feature whose value is `intercept_scaling`, and regularised: with the
    default so little that it makes no difference to six digits.
    """

    def __init__(self, *, C=1.0, fit_intercept=True, intercept_scaling=1000, class_weight=None, gap=1e-10,
                 missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def _problem(self, total):
        return dict({"loss": "softmax", "lambda": 1 / (self.C * total)}, **self._regularised_intercept())

    predict_proba = LogisticRegression.predict_proba
    predict_log_proba = LogisticRegression.predict_log_proba


class LinearSVC(Classifier):
    """A linear support vector machine: half the squared length of the coefficients, plus C times the sum of losses.

    The loss is 'squared_hinge' or 'hinge'. As in LIBLINEAR, the intercept is the coefficient of a feature whose value is
    `intercept_scaling`, and regularised like the others.
    """

    def __init__(self, *, loss="squared_hinge", C=1.0, fit_intercept=True, intercept_scaling=1, class_weight=None, gap=1e-10,
                 missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def _problem(self, total):
        require(self.loss in ("hinge", "squared_hinge"), "loss is %r; it must be 'hinge' or 'squared_hinge'" % (self.loss,))
        halved = 2 if self.loss == "squared_hinge" else 1
        return dict({"loss": self.loss.replace("_", "-"), "lambda": 1 / (halved * self.C * total)}, **self._regularised_intercept())


class Ridge(Regressor):
    """Ridge regression: the sum of squared residuals plus alpha times the squared length of the coefficients."""

    def __init__(self, alpha=1.0, *, fit_intercept=True, gap=1e-10, missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def _problem(self, total):
        return {"loss": "squared", "lambda": self.alpha / total}


class ElasticNet(Regressor):
    """An elastic net: half the mean squared residual + alpha (l1_ratio |w|_1 + (1 - l1_ratio)/2 |w|²)."""

    def __init__(self, alpha=1.0, *, l1_ratio=0.5, fit_intercept=True, gap=1e-10, missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def _problem(self, total):
        ratio = getattr(self, "l1_ratio", 1)
        _is_ratio(ratio)
        return _net(self.alpha, ratio)


class Lasso(ElasticNet):
    """The lasso: half the mean squared residual + alpha |w|_1."""

    def __init__(self, alpha=1.0, *, fit_intercept=True, gap=1e-10, missing="refuse", nodes=1, verbose=0):
        keep(self, locals())


class ElasticNetCV(Regressor):
    """An elastic net whose alpha, and l1_ratio if several are given, have the smallest error in cross-validation.

    Alphas and folds are those of scikit-learn; each fold's path is certified. `alpha_`, `l1_ratio_`, `alphas_` and `mse_path_`
    say what was tried and chosen.
    """

    def __init__(self, *, l1_ratio=0.5, eps=1e-3, n_alphas=100, alphas=None, fit_intercept=True, cv=None, gap=1e-8,
                 missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def fit(self, X, y, sample_weight=None):
        """Chooses by cross-validation and trains on all rows X with targets y."""
        X, y, sample_weight = self._target(X, y, sample_weight)
        require(not self._frame(X), "cross-validation takes rows of numbers; encode the table first")
        weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
        ratios = np.atleast_1d(getattr(self, "l1_ratio", 1.0)).astype(float)
        folds = self._folds(X, y)
        grids = [self._alphas(X, y, weights, ratio) for ratio in ratios]
        errors = np.array([[self._errors(X, y, weights, train, test, ratio, grid) for train, test in folds]
                           for ratio, grid in zip(ratios, grids)])
        mean = np.average(errors, axis=1, weights=[weights[test].sum() for _, test in folds] if sample_weight is not None else None)
        chosen = np.unravel_index(mean.argmin(), mean.shape)
        self.l1_ratio_ = float(ratios[chosen[0]])
        self.alpha_ = float(grids[chosen[0]][chosen[1]])
        self.alphas_ = np.array(grids) if len(grids) > 1 and self.alphas is None else grids[0]
        self.mse_path_ = np.squeeze(errors.transpose(0, 2, 1), axis=0) if len(ratios) == 1 else errors.transpose(0, 2, 1)
        used, kept = self._weights(len(y), sample_weight)
        self._solve(X, y, _net(self.alpha_, self.l1_ratio_), used, kept)
        return self

    def _folds(self, X, y):
        if self.cv is not None and not isinstance(self.cv, numbers.Integral):
            return list(self.cv.split(X, y) if hasattr(self.cv, "split") else self.cv)
        count = 5 if self.cv is None else self.cv
        require(2 <= count <= len(y), "%d folds of %d rows; there must be at least 2, and a row for each" % (count, len(y)))
        parts = np.array_split(np.arange(len(y)), count)
        return [(np.setdiff1d(np.arange(len(y)), part), part) for part in parts]

    def _alphas(self, X, y, weights, ratio):
        if self.alphas is not None:
            return np.sort(np.asarray(self.alphas, float))[::-1]
        require(ratio > 0, "l1_ratio is 0, for which no alphas follow from the data; give alphas")
        share = weights / weights.sum()
        if self.fit_intercept:
            y = y - share @ y
        slopes = np.abs(np.asarray((share * y) @ X).ravel() - (share @ X if not self.fit_intercept else 0) * (share @ y))
        largest = max(slopes.max() / ratio, np.finfo(float).resolution)
        return np.geomspace(largest, largest * self.eps, self.n_alphas)

    def _errors(self, X, y, weights, train, test, ratio, alphas):
        train = train[weights[train] > 0]
        values = alphas * (1 - ratio) if ratio < 1 else alphas
        settings = {"loss": "squared", "lambda-path": ",".join(map(repr, values.tolist())), "l1-ratios": ratio,
                    "intercept": bool(self.fit_intercept)}
        _, arrays = self._ask(Rows(X[train]), y[train], settings, weights[train])
        coefficients = arrays["path.weights"].reshape(len(arrays["path.lambda"]), -1)
        missed = (np.asarray(X[test] @ coefficients.T) + arrays["path.intercepts"] - y[test][:, None]) ** 2
        order = np.argsort(-(arrays["path.l1"] + arrays["path.lambda"]), kind="stable")
        return np.average(missed[:, order], axis=0, weights=weights[test])


class LassoCV(ElasticNetCV):
    """A lasso whose alpha has the smallest error in cross-validation: see `ElasticNetCV`."""

    def __init__(self, *, eps=1e-3, n_alphas=100, alphas=None, fit_intercept=True, cv=None, gap=1e-8, missing="refuse",
                 nodes=1, verbose=0):
        keep(self, locals())


class QuantileRegressor(Regressor):
    """Quantile regression: the mean pinball loss + alpha |w|_1, with a ridge of 1e-10 that makes the answer unique."""

    def __init__(self, *, quantile=0.5, alpha=1.0, fit_intercept=True, gap=1e-10, missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def _problem(self, total):
        require(isinstance(self.quantile, numbers.Number) and 0 < self.quantile < 1,
                "quantile is %r; it must be between 0 and 1" % (self.quantile,))
        return {"loss": "quantile(%r)" % float(self.quantile), "lambda": _TINY_RIDGE, "l1": self.alpha}


class HuberRegressor(Regressor):
    """Huber's regression with its scale: sum of s + H(r/s) s over the rows, plus alpha |w|².

    H(z) is z² up to epsilon, then linear. For each scale s the coefficients are certified; s is the root of the slope.
    """

    def __init__(self, *, epsilon=1.35, alpha=0.0001, fit_intercept=True, gap=1e-12, missing="refuse", nodes=1, verbose=0):
        keep(self, locals())

    def fit(self, X, y, sample_weight=None):
        """Trains on rows X with targets y."""
        self._check_alpha()
        require(isinstance(self.epsilon, numbers.Number) and self.epsilon > 1,
                 "epsilon is %r; it must be above 1" % (self.epsilon,))
        X, y, sample_weight = self._target(X, y, sample_weight)
        weights, kept = self._weights(len(y), sample_weight)
        each = np.ones(len(y)) if sample_weight is None else np.broadcast_to(np.asarray(sample_weight, float), len(y))

        def slope(scale):
            """The slope of the objective by the scale, where the coefficients are the best for it; NaN if they are not."""
            settings = {"loss": "huber(%r)" % float(self.epsilon * scale), "lambda": self.alpha * scale / each.sum(),
                        "max-epochs": 2000}
            self._solve(X, y, settings, weights, kept)
            residuals = (y - self._linear(self._features(X))[:, 0]) / scale
            return float(each @ (1 - np.minimum(residuals ** 2, self.epsilon ** 2))) if self.gap_ < 1e-6 else np.nan

        middle = np.median(y[each > 0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.scale_ = _root(slope, float(np.median(np.abs(y[each > 0] - middle))) or float(np.std(y[each > 0])) or 1.0)
        slope(self.scale_)
        self.outliers_ = np.abs(y - self._linear(self._features(X))[:, 0]) > self.scale_ * self.epsilon
        return self


def _root(slope, start):
    """Where an increasing function of a positive number is 0: secants within a bracket (the Illinois rule)."""
    low = high = start
    below = above = slope(start)
    while below > 0:
        high, above = low, below
        low /= 8
        below = slope(low)
        if np.isnan(below) or low < 1e-12 * start:
            return high  # rows that are fitted exactly have no scale
    while above < 0:
        low, below = high, above
        high *= 8
        above = slope(high)
    side = 0
    for _ in range(100):
        if high - low <= 1e-13 * high or below == above:
            break
        middle = (low * above - high * below) / (above - below)
        if not low < middle < high:
            middle = (low + high) / 2
        at = slope(middle)
        if at == 0:
            return middle
        if at < 0:
            low, below = middle, at
            above = above / 2 if side < 0 else above
            side = -1
        else:
            high, above = middle, at
            below = below / 2 if side > 0 else below
            side = 1
    return high if abs(above) < abs(below) else low
