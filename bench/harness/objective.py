"""The objectives, computed apart from every solver: mean loss + ridge/2 |w|^2 + l1 |w|_1, no intercept."""

from dataclasses import dataclass

import numpy as np

# Where a solver of others has no ridge at all, Starling has one too small to be seen at the targets.
HARDLY_A_RIDGE = 1e-10
PATH_VALUES = 50
LARGEST_OF_PATH = 0.1


@dataclass(frozen=True)
class Problem:
    """What the number that tables call lambda means, and the values of it that are measured, the first in quick runs."""

    loss: str
    lambdas: tuple
    # Whether lambda is the weight of the ridge, and whether it is that of the l1 term.
    ridge: bool = True
    l1: bool = False
    path: bool = False
    quantile: float = 0.0

    @property
    def regression(self):
        return self.quantile > 0

    def penalties(self, regularisation):
        """(ridge, l1) of the problem, or of all problems of a path, the largest first."""
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
    """Of a path, the mean of the objectives of its values; weights are then one vector after another."""
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
        # The half is Starling's convention; LIBLINEAR and scikit-learn have none, see cost().
        losses = 0.5 * np.maximum(0, 1 - margins) ** 2
    return np.mean(losses) + 0.5 * ridge * (w @ w) + l1 * np.sum(np.abs(w))


def cost(problem, regularisation, rows):
    """The C for which penalty + C * (sum of LIBLINEAR's losses) has the same minimiser.

    The penalty is |w|^2/2, |w|_1 where there is no ridge, and where there are both their mean weighted by what they
    count for, as scikit-learn has it. LIBLINEAR's squared hinge is max(0, 1 - yu)^2, without the half, so its C is half
    as large.
    """
    known = PROBLEMS[problem]
    whole = 1 / ((known.ridge + known.l1) * regularisation * rows)
    return whole / 2 if problem == "squared-hinge" else whole
