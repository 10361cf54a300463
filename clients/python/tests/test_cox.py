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
        for alpha in (0, 0.3):
            model = starling.CoxPH(ties="breslow", alpha=alpha).fit(self.X, self.y)
            risk = np.exp(model.predict(self.X))
            slope = -alpha * len(self.y) * model.coef_
            for row, (time, event) in zip(self.X, self.y):
                if event:
                    at_risk = self.y[:, 0] >= time
                    slope += row - risk[at_risk] @ self.X[at_risk] / risk[at_risk].sum()
            np.testing.assert_allclose(slope, 0, atol=1e-9)
            self.assertLess(model.coefficient_error_, 1e-6)
        self.assertIn("every coefficient is within", starling.CoxPH().fit(self.X, self.y).summary())

    def test_outcomes_may_be_written_in_several_ways(self):
        fields = np.array([(event == 1, time) for time, event in self.y], [("seen", bool), ("until", float)])
        model = starling.CoxPH().fit(self.X, self.y)
        np.testing.assert_array_equal(starling.CoxPH().fit(self.X, fields).coef_, model.coef_)
        seen = self.y[:, 1] == 1
        # Of times, only their order matters.
        np.testing.assert_array_equal(starling.CoxPH().fit(self.X[seen], self.y[seen, 0] - 100).coef_,
                                      starling.CoxPH().fit(self.X[seen], self.y[seen]).coef_)

    def test_a_penalty_leaves_an_estimate_where_there_is_none_without(self):
        model = starling.CoxPH(alpha=0.01).fit(self.X, self.X[:, 0])
        self.assertLess(model.coef_[0], -1)
        self.assertLess(model.coefficient_error_, 1e-6)
        self.assertEqual(model.score(self.X, self.X[:, 0]), model.concordance_)

    def test_scores_are_the_concordance(self):
        model = starling.CoxPH().fit(self.X, self.y)
        self.assertAlmostEqual(model.score(self.X, self.y), model.concordance_, 12)

    def test_rows_of_weight_0_do_not_count(self):
        weights = np.arange(150) % 3
        weighted = starling.CoxPH().fit(self.X, self.y, sample_weight=weights, strata=np.arange(150) % 2)
        some = weights > 0
        fewer = starling.CoxPH().fit(self.X[some], self.y[some], sample_weight=weights[some], strata=np.arange(150)[some] % 2)
        np.testing.assert_array_equal(weighted.coef_, fewer.coef_)

    def test_refuses_in_words(self):
        for y, words in [(np.column_stack([self.y, self.y]), "1d array"), (self.y * [1, 2], "events must be 1 or 0"),
                         (self.y * [1, 0], "no row ends with an event")]:
            with self.assertRaisesRegex(ValueError, words):
                starling.CoxPH().fit(self.X, y)
        model = starling.CoxPH(alpha=0.1).fit(self.X, self.y)
        for refused, words in [(lambda: model.predict(self.X[:, :2]), "2 features"), (model.summary, "alpha=0"),
                               (lambda: model.fit(self.X, self.y, strata=[1, 2]), "strata has shape"),
                               (lambda: starling.CoxPH(alpha=-1).fit(self.X, self.y), "alpha is -1"),
                               (lambda: starling.CoxPH().fit(self.X, self.X[:, 0]), "no estimate exists.*give alpha a positive value")]:
            with self.assertRaisesRegex(ValueError, words):
                refused()


if __name__ == "__main__":
    unittest.main()
