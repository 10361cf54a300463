"""Cox regression agrees with statsmodels and satisfies the conditions of its optimum."""

import unittest

from . import support  # noqa: F401

import numpy as np

import starling

try:
    from statsmodels.duration.hazard_regression import PHReg
except ImportError:
    PHReg = None


class Cox(unittest.TestCase):

    def setUp(self):
        random = np.random.default_rng(3)
        self.X = random.normal(size=(150, 3))
        times = np.ceil(20 * random.exponential(np.exp(-self.X @ [0.5, -0.3, 0])))
        ends = np.ceil(30 * random.random(150))
        self.y = np.column_stack([np.minimum(times, ends), times <= ends])

    @unittest.skipIf(PHReg is None, "there is no statsmodels")
    def test_agrees_with_statsmodels(self):
        strata = np.arange(150) % 2
        for ties in ("efron", "breslow"):
            for groups in (None, strata):
                ours = starling.CoxPH(ties=ties).fit(self.X, self.y, strata=groups)
                theirs = PHReg(self.y[:, 0], self.X, self.y[:, 1], ties=ties, strata=groups).fit()
                np.testing.assert_allclose(ours.coef_, theirs.params, rtol=1e-5, atol=1e-6)
                np.testing.assert_allclose(ours.bse_, theirs.bse, rtol=1e-4)
                self.assertAlmostEqual(ours.llf_ / theirs.llf, 1, 8)
                self.assertLess(ours.coefficient_error_, 1e-6)

    def test_slopes_are_zero_where_they_should_be(self):
        model = starling.CoxPH(ties="breslow").fit(self.X, self.y)
        risk = np.exp(model.predict(self.X))
        slope = np.zeros(3)
        for row, (time, event) in zip(self.X, self.y):
            if event:
                at_risk = self.y[:, 0] >= time
                slope += row - risk[at_risk] @ self.X[at_risk] / risk[at_risk].sum()
        np.testing.assert_allclose(slope, 0, atol=1e-9)
        self.assertIn("every coefficient is within", model.summary())

    def test_refuses_in_words(self):
        for y, words in [(self.y[:, 0], "two columns"), (self.y * [1, 2], "events must be 1 or 0"),
                         (self.y * [1, 0], "no row ends with an event")]:
            with self.assertRaisesRegex(ValueError, words):
                starling.CoxPH().fit(self.X, y)
        with self.assertRaisesRegex(ValueError, r"X has shape \(150, 2\); it must be a matrix of 3 features"):
            starling.CoxPH().fit(self.X, self.y).predict(self.X[:, :2])


if __name__ == "__main__":
    unittest.main()
