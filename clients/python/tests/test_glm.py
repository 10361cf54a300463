"""Generalised linear models agree with statsmodels."""

import unittest

from . import support  # noqa: F401

import numpy as np

import starling

try:
    import statsmodels.api as sm
except ImportError:
    sm = None


@unittest.skipIf(sm is None, "there is no statsmodels")
class Glm(unittest.TestCase):

    def setUp(self):
        random = np.random.default_rng(0)
        self.X = random.normal(size=(200, 3))
        score = 0.3 + self.X @ [0.5, -0.2, 0]
        self.offset = 0.2 * random.normal(size=200)
        self.weights = random.integers(1, 4, 200).astype(float)
        events = (random.random(200) < 1 / (1 + np.exp(-score))).astype(float)
        counts = random.poisson(np.exp(score)).astype(float)
        links = sm.families.links
        log, probit, cloglog = links.log(), links.probit(), links.cloglog()
        self.cases = {
            "gaussian": (score + random.normal(size=200), sm.families.Gaussian(), 1e-12),
            "poisson": (counts, sm.families.Poisson(), 1e-8),
            "binomial": (events, sm.families.Binomial(), 1e-8),
            "binomial(probit)": (events, sm.families.Binomial(probit), 1e-6),
            "binomial(cloglog)": (events, sm.families.Binomial(cloglog), 1e-8),
            "gamma": (random.gamma(2, np.exp(score)), sm.families.Gamma(log), 1e-8),
            "inverse-gaussian": (random.wald(np.exp(score), 2), sm.families.InverseGaussian(log), 1e-8),
            "tweedie(1.5)": (counts, sm.families.Tweedie(var_power=1.5), 1e-8),
            "negative-binomial(2)": (counts, sm.families.NegativeBinomial(alpha=0.5), 1e-7),
        }

    def test_every_family_agrees(self):
        for family, (y, theirs, tolerance) in self.cases.items():
            with self.subTest(family=family):
                ours = starling.GLM(family).fit(self.X, y, offset=self.offset)
                other = sm.GLM(y, sm.add_constant(self.X), family=theirs, offset=self.offset).fit(tol=1e-14, maxiter=500)
                np.testing.assert_allclose(ours.params_, other.params, rtol=tolerance)
                np.testing.assert_allclose(ours.cov_params_, other.cov_params(), rtol=0, atol=tolerance * other.cov_params().max())
                np.testing.assert_allclose(ours.pvalues_, other.pvalues, rtol=1e-4)
                np.testing.assert_allclose(ours.conf_int(), other.conf_int(), rtol=1e-5)
                self.assertAlmostEqual(ours.deviance_ / other.deviance, 1, 10)
                self.assertAlmostEqual(ours.scale_ / other.scale, 1, 7)
                np.testing.assert_allclose(ours.predict(self.X, self.offset), other.predict(offset=self.offset), rtol=1e-6)
                self.assertTrue(ours.certified_)

    def test_weights_are_like_repeated_rows(self):
        y = self.cases["poisson"][0]
        ours = starling.GLM("poisson").fit(self.X, y, sample_weight=self.weights)
        other = sm.GLM(y, sm.add_constant(self.X), family=sm.families.Poisson(), freq_weights=self.weights).fit(tol=1e-14)
        np.testing.assert_allclose(ours.params_, other.params, rtol=1e-8)
        np.testing.assert_allclose(ours.bse_, other.bse, rtol=1e-7)

    def test_a_column_that_depends_on_others_has_no_standard_error(self):
        X = np.column_stack([self.X, self.X[:, 0] - self.X[:, 1]])
        ours = starling.GLM().fit(X, self.cases["gaussian"][0])
        self.assertEqual(np.isnan(ours.bse_).sum(), 1)
        self.assertIn("nan", ours.summary())

    def test_the_penalised_have_no_standard_errors(self):
        with self.assertRaisesRegex(ValueError, "no standard errors"):
            starling.GLM("poisson", alpha=1.0).fit(self.X, self.cases["poisson"][0]).summary()


if __name__ == "__main__":
    unittest.main()
