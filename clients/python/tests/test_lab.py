"""Methods side by side, among them one that is written here and does what Java's own does."""

import inspect
import unittest

from . import support  # noqa: F401

import numpy as np

import starling


class Extra:
    """EXTRA of Shi, Ling, Wu and Yin."""

    def __init__(self, node):
        self.node = node
        self.mixing, self.size = 1 / node.largest, 0.5 / max(node.smoothness)
        self.x = np.zeros(node.X.shape[1])
        self.ahead, self.last, self.steps = self.x.copy(), np.zeros_like(self.x), 0

    def send(self):
        self.gradient = self.node.gradient(self.x)
        return self.ahead, len(self.node.y)

    def receive(self, messages):
        difference = sum(-self.node.laplacian[k] * (self.ahead - messages[k]) for k in messages)
        mixing = self.mixing if self.steps == 0 else self.mixing / 2
        following = self.ahead - mixing * difference - self.size * (self.gradient - self.last)
        self.ahead, self.x, self.last = 2 * following - self.x, following, self.gradient
        self.steps += 1


class Broken:
    def __init__(self, node):
        self.x = np.zeros(node.X.shape[1])

    def send(self):
        raise ZeroDivisionError("in a method")


def columns(frame, method):
    names = np.asarray(frame["method"])
    return {name: np.asarray(frame[name])[names == method] for name in ("time", "rounds", "bytes", "suboptimality")}


class Lab(unittest.TestCase):

    def setUp(self):
        random = np.random.default_rng(5)
        self.X = random.normal(size=(120, 4))
        self.y = np.sign(self.X @ [1, -1, 0.5, 0] + 0.3 * random.normal(size=120))

    def test_a_method_in_fifty_lines_has_the_curve_of_javas_own(self):
        self.assertLessEqual(len(inspect.getsource(Extra).splitlines()), 50)
        found = starling.compare(self.X, self.y, ["adfs", "extra", Extra], penalty=0.05, topology="ring", tau=3, time=5000, points=40)
        own, java = columns(found, "Extra"), columns(found, "extra")
        np.testing.assert_allclose(own["suboptimality"], java["suboptimality"], rtol=1e-6)
        self.assertLess(own["suboptimality"][-1], 0.1 * own["suboptimality"][0])
        for name in ("time", "rounds", "bytes"):
            np.testing.assert_array_equal(own[name], java[name])
        self.assertLess(columns(found, "adfs")["suboptimality"][-1], 1e-6)

    def test_a_method_that_fails_fails_the_comparison_and_nothing_else(self):
        with self.assertRaisesRegex(ZeroDivisionError, "in a method"):
            starling.compare(self.X, self.y, [Broken], nodes=2, time=100)
        self.assertTrue(starling.Ridge().fit(self.X, self.y).certified_)

    def test_wrong_settings_are_refused_in_words(self):
        with self.assertRaisesRegex(ValueError, "algorithm"):
            starling.compare(self.X, self.y, ["nonsense"], time=100)
        with self.assertRaisesRegex(ValueError, "two"):
            starling.compare(self.X, np.arange(120), ["adfs"])

    def test_a_plan_is_a_frame_with_the_lower_bound(self):
        found = starling.plan(1e5, 1e4, nodes=16, topology="grid", tau=10)
        methods, times = list(found["method"]), np.asarray(found["time_per_digit"])
        self.assertEqual(methods[-1], "lower bound")
        self.assertLess(times[methods.index("adfs")], times[methods.index("msda")])
        self.assertTrue((times > 0).all())


if __name__ == "__main__":
    unittest.main()
