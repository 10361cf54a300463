"""The objectives, computed independently of every solver: mean loss + ridge/2 |w|^2 + l1 |w|_1, no intercept."""

from dataclasses import dataclass

import numpy as np

# For problems that other solvers pose without a ridge, Starling uses one that is too small to matter at the targets.
HARDLY_A_RIDGE = 1e-10
PATH_VALUES = 50
LARGEST_OF_PATH = 0.1


@dataclass(frozen=True)
class Problem:
    """What lambda means in the tables, and which values of it are measured; quick runs use only the first."""

    loss: str
    lambdas: tuple
    # Whether lambda is the weight of the ridge, and whether it is the weight of the l1 term.
    ridge: bool = True
    l1: bool = False
    path: bool = False
    quantile: float = 0.0

    @property
    def regression(self):
        return self.quantile > 0

    def penalties(self, regularisation):
        """(ridge, l1) of the problem, or of all problems on a path, the largest first."""
        values = np.geomspace(LARGEST_OF_PATH, regularisation, PATH_VALUES) if self.path else [regularisation]
        return [(float(v) if self.ridge else HARDLY_A_RIDGE, float(v) if self.l1 else 0.0) for v in values]


PROBLEMS = {
    "logistic": Problem("logistic", (1e-4, 1e-6)),
    "squared-hinge": Problem("squared-hinge", (1e-4, 1e-6)),
    "hinge": Problem("hinge", (1e-4, 1e-6)),
    "l1-logistic": Problem("logistic", (1e-3, 1e-4), ridge=False, l1=True),
    "net-logistic": Problem("logistic", (1e-4, 1e-3), l1=True),
    "net-path-logistic": Problem("logistic", (1e-4,), l1=True, path=True),
    "median": Problem("quantile(0.5)", (1e-8,), quantile=0.5),
    "upper-decile": Problem("quantile(0.9)", (1e-8,), quantile=0.9),
}


def objective(x, y, problem, regularisation, weights):
    """The objective; for a path, the mean over its values, with weights that are one vector after another."""
    known = PROBLEMS.get(problem)
    if known is None:
        raise ValueError(f"problem {problem}")
    penalties = known.penalties(regularisation)
    vectors = np.reshape(weights, (len(penalties), -1))
    return float(np.mean([one(x, y, known, *penalty, w) for penalty, w in zip(penalties, vectors)]))


def one(x, y, problem, ridge, l1, weights):
    w = np.zeros(x.shape[1])
    length = min(len(weights), len(w))
    if np.any(np.asarray(weights)[length:]):
        raise ValueError(f"{len(weights)} weights, of which some beyond the {len(w)} features are not zero")
    w[:length] = weights[:length]
    predicted = x @ w
    margins = y * predicted
    if problem.regression:
        above = y - predicted
        losses = np.maximum(problem.quantile * above, (problem.quantile - 1) * above)
    elif problem.loss == "logistic":
        losses = np.logaddexp(0, -margins)
    elif problem.loss == "hinge":
        losses = np.maximum(0, 1 - margins)
    else:
        # The factor 1/2 is Starling's convention; LIBLINEAR and scikit-learn do not have it, see cost().
        losses = 0.5 * np.maximum(0, 1 - margins) ** 2
    return np.mean(losses) + 0.5 * ridge * (w @ w) + l1 * np.sum(np.abs(w))


def cost(problem, regularisation, rows):
    """The C for which penalty + C * (sum of LIBLINEAR's losses) has the same minimiser.

    The penalty is |w|^2/2, or |w|_1 if there is no ridge, or their weighted mean if there are both, as in scikit-learn.
    LIBLINEAR's squared hinge is max(0, 1 - yu)^2, without the factor 1/2, so its C is half as large.
    """
    known = PROBLEMS[problem]
    whole = 1 / ((known.ridge + known.l1) * regularisation * rows)
    return whole / 2 if problem == "squared-hinge" else whole
