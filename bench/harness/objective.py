"""The objective, computed apart from every solver: mean loss + lambda/2 |w|^2, no intercept."""

import numpy as np


def objective(x, y, loss, regularisation, weights):
    w = np.zeros(x.shape[1])
    length = min(len(weights), len(w))
    if np.any(np.asarray(weights)[length:]):
        raise ValueError(f"{len(weights)} weights, of which some beyond the {len(w)} features are not zero")
    w[:length] = weights[:length]
    margins = y * (x @ w)
    if loss == "logistic":
        losses = np.logaddexp(0, -margins)
    elif loss == "squared-hinge":
        # The half is Starling's convention; LIBLINEAR and scikit-learn have none, see cost().
        losses = 0.5 * np.maximum(0, 1 - margins) ** 2
    else:
        raise ValueError(f"loss {loss}")
    return float(np.mean(losses) + 0.5 * regularisation * (w @ w))


def cost(loss, regularisation, rows):
    """The C for which |w|^2/2 + C * (sum of LIBLINEAR's losses) has the same minimiser.

    LIBLINEAR's squared hinge is max(0, 1 - yu)^2, without the half, so its C is half as large.
    """
    whole = 1 / (regularisation * rows)
    return whole / 2 if loss == "squared-hinge" else whole
