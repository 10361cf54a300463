# Computes with scikit-learn what Starling computes: reads labels, weights, scores and probabilities, prints names and values.
import sys
import numpy as np
from sklearn import metrics
from sklearn.calibration import calibration_curve

with open(sys.argv[1]) as lines:
    kind = lines.readline().strip()
    table = np.array([[float(cell) for cell in line.split()] for line in lines])
y, w = table[:, 0], table[:, 1]
found = {}


def delong(scores, positive):
    x, z = scores[positive], scores[~positive]
    wins = (x[:, None] > z[None, :]) + 0.5 * (x[:, None] == z[None, :])
    return np.sqrt(wins.mean(axis=1).var(ddof=1) / len(x) + wins.mean(axis=0).var(ddof=1) / len(z))


if kind == "numbers":
    p = table[:, 2]
    found["rmse"] = np.sqrt(metrics.mean_squared_error(y, p, sample_weight=w))
    found["mae"] = metrics.mean_absolute_error(y, p, sample_weight=w)
    found["r2"] = metrics.r2_score(y, p, sample_weight=w)
    found["pinball"] = metrics.mean_pinball_loss(y, p, sample_weight=w, alpha=0.8)
    found["deviance"] = w.sum() * metrics.mean_tweedie_deviance(y, p, sample_weight=w, power=0)
else:
    k = int(kind)
    scores = table[:, 2:-k]
    p = table[:, -k:]
    classes = np.unique(y)
    chosen = classes[(scores[:, 0] > 0).astype(int)] if k == 2 else classes[scores.argmax(axis=1)]
    found["accuracy"] = metrics.accuracy_score(y, chosen, sample_weight=w)
    found["logLoss"] = metrics.log_loss(y, p, sample_weight=w, labels=classes)
    one_hot = (y[:, None] == classes[None, :]).astype(float)
    if k == 2:
        found["brier"] = metrics.brier_score_loss(one_hot[:, 1], p[:, 1], sample_weight=w)
    else:
        found["brier"] = np.average(((p - one_hot) ** 2).sum(axis=1), weights=w)
    for average in [None, "macro"]:
        pr, re, f1, support = metrics.precision_recall_fscore_support(y, chosen, sample_weight=w, average=average, zero_division=0)
        if average:
            found["precision"], found["recall"], found["f1"] = pr, re, f1
        else:
            for c in range(k):
                found[f"precision{c}"], found[f"recall{c}"], found[f"f1{c}"] = pr[c], re[c], f1[c]
    for (i, j), count in np.ndenumerate(metrics.confusion_matrix(y, chosen, sample_weight=w)):
        found[f"confusion{i}{j}"] = count
    for s in range(scores.shape[1]):
        c = 1 if k == 2 else s
        found[f"auc{s}"] = metrics.roc_auc_score(y == classes[c], scores[:, s], sample_weight=w)
        found[f"averagePrecision{s}"] = metrics.average_precision_score(y == classes[c], scores[:, s], sample_weight=w)
        if (w == 1).all():
            found[f"standardError{s}"] = delong(scores[:, s], y == classes[c])
            observed, predicted = calibration_curve(y == classes[c], p[:, c], n_bins=10)
            for b in range(len(observed)):
                found[f"observed{s}{b}"], found[f"predicted{s}{b}"] = observed[b], predicted[b]
for name, value in found.items():
    print(name, repr(float(value)))
