"""scikit-learn: arguments ARRAYS ESTIMATOR LAYOUT C."""

import sys
import time
import warnings

import numpy as np

from .datasets import load_arrays
from .serve import serve

MOST_ITERATIONS = 1_000_000


def estimator(name, cost, tolerance):
    if name.startswith("linear-svc"):
        from sklearn.svm import LinearSVC

        return LinearSVC(
            loss="squared_hinge",
            dual=name == "linear-svc-dual",
            C=cost,
            fit_intercept=False,
            tol=tolerance,
            max_iter=MOST_ITERATIONS,
            random_state=0,
        )
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(
        solver=name, C=cost, fit_intercept=False, tol=tolerance, max_iter=MOST_ITERATIONS, random_state=0
    )


def main(arrays, name, layout, cost):
    warnings.simplefilter("ignore")

    def load():
        x, y = load_arrays(arrays)
        # Importing takes a second and is not solving.
        estimator(name, float(cost), 1.0)
        return (np.ascontiguousarray(x.toarray()) if layout == "dense" else x), y

    def solve(rows, tolerance):
        fitted = estimator(name, float(cost), tolerance)
        start = time.perf_counter()
        fitted.fit(*rows)
        seconds = time.perf_counter() - start
        sign = 1 if fitted.classes_[1] > 0 else -1
        return seconds, sign * fitted.coef_.ravel()

    serve(load, solve)


if __name__ == "__main__":
    main(*sys.argv[1:])
