"""The laboratory: methods side by side in idealised time, among them methods written in Python."""

import numpy as np

from . import _pipe
from ._base import Rows, is_sparse, sigmoid

# The slopes of losses by the score, for labels -1 and 1 or numbers.
_SLOPES = {
    "logistic": lambda scores, labels: -labels * sigmoid(-labels * scores),
    "squared": lambda scores, labels: scores - labels,
    "squared-hinge": lambda scores, labels: -2 * labels * np.maximum(0, 1 - labels * scores),
    "poisson": lambda scores, labels: np.exp(scores) - labels,
}


def frame(columns):
    """Columns as a DataFrame, or as they are where there is no pandas."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


class Node:
    """What a node knows: its rows `X` and labels `y`, its `neighbours`, its row of the graph's `laplacian`, and the objective.

    Its part of the objective is the sum of its rows' losses + sigma/2 |x|², whose slope is `gradient(x)`. `index` is its number. What
    step sizes follow from: `smoothness` of every node's part, and the extreme eigenvalues of the Laplacian, `smallest` (but for 0) and
    `largest`.
    """

    def __init__(self, index, X, y, facts, laplacian, loss):
        self.index, self.X, self.y, self.sigma = index, X, y, facts["sigma"][index]
        self.smoothness = facts["sigma"] + facts["curvature"]
        self.laplacian = laplacian[index]
        self.neighbours = [int(k) for k in np.flatnonzero(self.laplacian < 0)]
        values = np.linalg.eigvalsh(laplacian)
        self.smallest, self.largest = (values[1], values[-1]) if len(values) > 1 else (1.0, 1.0)
        self._slope = _SLOPES.get(loss)
        self._loss = loss

    def gradient(self, x):
        """The slope of the node's part of the objective."""
        if self._slope is None:
            raise ValueError("there is no gradient of the loss %r here; compute it from node.X and node.y" % self._loss)
        return self.X.T @ self._slope(self.X @ x, self.y) + self.sigma * x


class _Steps:
    """Answers what Java asks of the methods that are written here."""

    def __init__(self, methods, X, y, nodes, loss):
        self.methods, self.X, self.y, self.nodes, self.loss = methods, X, y, nodes, loss
        self.running = {}

    def __call__(self, event, arrays):
        if event["event"] == "graph":
            self.facts = arrays
            self.laplacian = np.zeros((self.nodes, self.nodes))
            for tail, head, weight in zip(arrays["tails"], arrays["heads"], arrays["weights"]):
                self.laplacian[[tail, head], [head, tail]] -= weight
                self.laplacian[[tail, head], [tail, head]] += weight
            return None
        key = event["method"], event["node"]
        if key not in self.running:
            index = event["node"]
            node = Node(index, self.X[index::self.nodes], self.y[index::self.nodes], self.facts, self.laplacian, self.loss)
            self.running[key] = node, self.methods[event["method"]](node)
        node, program = self.running[key]
        if arrays:
            program.receive({k: arrays[str(place)] for place, k in enumerate(node.neighbours)})
        message, work = program.send()
        return {"work": float(work)}, {"message": np.asarray(message, float).ravel(), "estimate": np.asarray(program.x, float).ravel()}


def compare(X, y, methods, *, loss="logistic", penalty=1e-4, l1=0.0, nodes=4, topology="complete", tau=1.0, gap=None, time=None,
            points=80, seed=1):
    """Runs methods on the same rows and graph in idealised time, where a gradient of one row takes 1 and a message `tau`.

    `methods` are names, or classes of your own: `Method(node)` starts a node; `send()` returns a vector for its neighbours and what it
    computed for it, in gradients of single rows; `receive(messages)` takes theirs, by number; `x` is the node's parameter. Returns a
    frame of points: how far above the certified optimum nodes are at which time, relative to it.
    """
    if not is_sparse(X):
        X = np.asarray(X, float)
    y = np.asarray(y, float) if not np.issubdtype(np.asarray(y).dtype, np.str_) else np.asarray(y)
    if loss in ("logistic", "squared-hinge", "hinge") or loss.startswith("smoothed-hinge"):
        classes = np.unique(y)
        if len(classes) != 2:
            raise ValueError("%d classes; a comparison needs two" % len(classes))
        y = np.where(y == classes[1], 1.0, -1.0)
    own = {method.__name__: method for method in methods if not isinstance(method, str)}
    rows = Rows(X)
    header = dict(rows.header, op="compare", loss=loss, nodes=nodes, topology=topology, seed=seed, points=points, own=list(own),
                  methods=[method if isinstance(method, str) else method.__name__ for method in methods])
    for name, value in (("lambda", penalty), ("tau", tau), ("l1", l1 or None), ("gap", gap), ("time", time)):
        if value is not None:
            header[name] = value
    answer, numbers = _pipe.ask(header, dict(rows.arrays, y=y), steps=_Steps(own, X, y, nodes, loss))
    columns = {"method": [answer["methods"][k] for k in numbers["method"]]}
    columns.update((name, numbers[name]) for name in ("time", "steps", "rounds", "bytes", "suboptimality", "worst"))
    return frame(columns)


def plan(samples, kappa, *, kappa_batch=None, tau=1.0, nodes=4, topology="complete"):
    """What theory predicts: the idealised time in which the error of methods shrinks to a tenth, beside the lower bound of any."""
    header = {"op": "plan", "samples": samples, "kappa": kappa, "kappa-batch": kappa if kappa_batch is None else kappa_batch, "tau": tau,
              "nodes": nodes, "topology": topology}
    answer, numbers = _pipe.ask(header)
    return frame({"method": answer["methods"] + ["lower bound"],
                  "time_per_digit": np.append(numbers["timePerDigit"], answer["lowerBound"]), "remark": answer["remarks"] + [""]})
