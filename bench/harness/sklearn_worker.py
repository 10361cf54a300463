"""scikit-learn and statsmodels: arguments ARRAYS ESTIMATOR LAYOUT C PENALTY; the last is the share of the l1 term, or a quantile."""

import sys
import time
import warnings

import numpy as np

from .datasets import load_arrays
from .serve import serve

MOST_ITERATIONS = 1_000_000
MOST_REWEIGHTINGS = 10_000


class QuantReg:
    """statsmodels' quantile regression, by reweighted least squares."""

    def __init__(self, quantile, tolerance):
        from statsmodels.regression import quantile_regression

        self.module = quantile_regression
        self.quantile = quantile
        self.tolerance = tolerance

    def fit(self, x, y):
        model = self.module.QuantReg(y, x)
        self.coef_ = model.fit(q=self.quantile, p_tol=self.tolerance, max_iter=MOST_REWEIGHTINGS).params


def estimator(name, cost, penalty, tolerance):
    if name == "quantreg":
        return QuantReg(penalty, tolerance)
    if name.startswith("linear-svc"):
        from sklearn.svm import LinearSVC

        return LinearSVC(
            loss="hinge" if name == "linear-svc-hinge" else "squared_hinge",
            dual=name != "linear-svc-primal",
            C=cost,
            fit_intercept=False,
            tol=tolerance,
            max_iter=MOST_ITERATIONS,
            random_state=0,
        )
    if name == "quantile":
        from sklearn.linear_model import QuantileRegressor

        options = {"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance}
        return QuantileRegressor(
            quantile=penalty, alpha=0, fit_intercept=False, solver="highs", solver_options=options
        )
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(
        solver=name,
        penalty="elasticnet" if penalty > 0 else "l2",
        l1_ratio=penalty if penalty > 0 else None,
        C=cost,
        fit_intercept=False,
        tol=tolerance,
        max_iter=MOST_ITERATIONS,
        random_state=0,
    )


def main(arrays, name, layout, cost, penalty):
    warnings.simplefilter("ignore")

    def load():
        x, y = load_arrays(arrays)
        # Importing takes a second and should not count as solving.
        estimator(name, float(cost), float(penalty), 1.0)
        return (np.ascontiguousarray(x.toarray()) if layout == "dense" else x), y

    def solve(rows, tolerance):
        fitted = estimator(name, float(cost), float(penalty), tolerance)
        start = time.perf_counter()
        fitted.fit(*rows)
        seconds = time.perf_counter() - start
        sign = -1 if hasattr(fitted, "classes_") and fitted.classes_[1] < 0 else 1
        return seconds, sign * fitted.coef_.ravel()

    serve(load, solve)


if __name__ == "__main__":
    main(*sys.argv[1:])
