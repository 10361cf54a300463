"""Estimators are scikit-learn's to those who use them, and agree with its own at their tightest tolerance."""

import os
import pickle
import subprocess
import sys
import unittest
import warnings
from types import SimpleNamespace
from unittest import mock

from . import support

import numpy as np

import starling

try:
    import scipy.sparse
    import sklearn.base
    from sklearn import linear_model, svm
    from sklearn.base import clone
    from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.utils.estimator_checks import check_estimator
except ImportError:
    linear_model = None

ESTIMATORS = [getattr(starling, name) for name in starling.__all__ if hasattr(getattr(starling, name), "fit")]


def scaled(load):
    X, y = load(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@unittest.skipIf(linear_model is None, "there is no scikit-learn")
class WithScikitLearn(unittest.TestCase):

    def same(self, ours, theirs, tolerance):
        size = np.abs(theirs.coef_).max()
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=tolerance * size)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=tolerance, atol=tolerance * size)
        self.assertTrue(ours.certified_)
        self.assertLessEqual(ours.gap_, ours.gap)

    def test_every_estimator_passes_all_checks(self):
        for estimator in ESTIMATORS:
            # In the checks' data a feature tells the order of all targets, so that without a penalty there is no estimate.
            settings = {"alpha": 0.01} if estimator is starling.CoxPH else {}
            for one, check in check_estimator(estimator(**settings), generate_only=True):
                with self.subTest(check=str(check)), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    check(one)

    def test_newer_releases_learn_that_rows_may_be_sparse_and_check_them_by_a_function(self):
        def told(*_):
            return SimpleNamespace(input_tags=SimpleNamespace(sparse=False))

        def checked(estimator, X, y=None, reset=True, **options):
            calls.append((type(estimator), reset))
            if y is None:
                return estimator._validate_data(X, reset=reset, **options)
            return estimator._validate_data(X, y, reset=reset, **options)

        X, y = scaled(load_breast_cancer)
        for estimator in ESTIMATORS:
            calls = []
            with self.subTest(estimator=estimator), \
                    mock.patch("sklearn.base.BaseEstimator.__sklearn_tags__", told, create=True), \
                    mock.patch("sklearn.utils.validation.validate_data", checked, create=True):
                self.assertTrue(estimator().__sklearn_tags__().input_tags.sparse)
                # Mixins of those releases ask the class after them, so they have to come first.
                order = estimator.__mro__
                mixins = {sklearn.base.ClassifierMixin, sklearn.base.RegressorMixin}.intersection(order)
                self.assertEqual(len(mixins), 0 if estimator is starling.CoxPH else 1)
                for mixin in mixins:
                    self.assertLess(order.index(mixin), order.index(sklearn.base.BaseEstimator))
                few = X[:60, :3]
                estimator().fit(few, y[:60] if hasattr(estimator, "decision_function") else 1.0 + y[:60]).predict(few)
                self.assertEqual(calls, [(estimator, True), (estimator, False)])

    def test_classifiers_agree(self):
        X, y = scaled(load_breast_cancer)
        weights = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
        for sample_weight in (None, weights):
            for class_weight in (None, "balanced", {0: 2.0, 1: 0.5}):
                with self.subTest(weighted=sample_weight is not None, class_weight=class_weight):
                    self.same(starling.LogisticRegression(C=0.7, class_weight=class_weight).fit(X, y, sample_weight),
                              linear_model.LogisticRegression(C=0.7, class_weight=class_weight, tol=1e-14, max_iter=10 ** 5,
                                                              solver="newton-cholesky").fit(X, y, sample_weight), 1e-8)
                    self.same(starling.LinearSVC(C=0.1, class_weight=class_weight).fit(X, y, sample_weight),
                              svm.LinearSVC(C=0.1, class_weight=class_weight, tol=1e-13, max_iter=10 ** 6, dual=False)
                              .fit(X, y, sample_weight), 1e-5)
        self.same(starling.LinearSVC(C=0.1, loss="hinge").fit(X, y),
                  svm.LinearSVC(C=0.1, loss="hinge", tol=1e-10, max_iter=10 ** 7).fit(X, y), 1e-7)
        self.same(starling.LogisticRegression("elasticnet", l1_ratio=0.4).fit(X, y),
                  linear_model.LogisticRegression(penalty="elasticnet", l1_ratio=0.4, tol=1e-10, max_iter=10 ** 6, solver="saga")
                  .fit(X, y), 1e-6)

    def test_several_classes_agree_whatever_they_are_called(self):
        X, y = scaled(load_wine)
        y = np.array(["b", "c", "a"])[y]
        for ours, theirs, tolerance in [
                (starling.LogisticRegression(), linear_model.LogisticRegression(solver="newton-cg",
                                                                                tol=1e-14, max_iter=10 ** 5), 1e-8),
                (starling.SoftmaxRegression(), linear_model.LogisticRegression(solver="newton-cg", tol=1e-14, max_iter=10 ** 5), 1e-5)]:
            self.same(ours.fit(X, y), theirs.fit(X, y), tolerance)
            np.testing.assert_array_equal(ours.classes_, theirs.classes_)
            np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=tolerance)
            np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))

    def test_regressors_agree(self):
        X, y = load_diabetes(return_X_y=True)
        weights = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
        exact = {"tol": 1e-14, "max_iter": 10 ** 6}
        for sample_weight in (None, weights):
            self.same(starling.Ridge(2.0).fit(X, y, sample_weight), linear_model.Ridge(2.0).fit(X, y, sample_weight), 1e-12)
            self.same(starling.Lasso(0.3).fit(X, y, sample_weight), linear_model.Lasso(0.3, **exact).fit(X, y, sample_weight), 1e-12)
            self.same(starling.ElasticNet(0.03).fit(X, y, sample_weight),
                      linear_model.ElasticNet(0.03, **exact).fit(X, y, sample_weight), 1e-12)
            Z = 20 * X
            self.same(starling.QuantileRegressor(quantile=0.8, alpha=0.1).fit(Z, y, sample_weight),
                      linear_model.QuantileRegressor(quantile=0.8, alpha=0.1, solver="highs").fit(Z, y, sample_weight), 1e-7)
        self.same(starling.Ridge(2.0, fit_intercept=False).fit(X, y), linear_model.Ridge(2.0, fit_intercept=False).fit(X, y), 1e-12)

    def test_hubers_regression_has_the_smaller_objective(self):
        X, y = scaled(load_diabetes)

        def objective(model):
            residuals = np.abs(y - model.predict(X)) / model.scale_
            rows = np.where(residuals < 1.35, residuals ** 2, 2 * 1.35 * residuals - 1.35 ** 2)
            return len(y) * model.scale_ + model.scale_ * rows.sum() + 0.1 * model.coef_ @ model.coef_

        ours = starling.HuberRegressor(alpha=0.1).fit(X, y)
        theirs = linear_model.HuberRegressor(alpha=0.1, tol=1e-12, max_iter=10 ** 5).fit(X, y)
        self.same(ours, theirs, 1e-4)
        self.assertLessEqual(objective(ours), objective(theirs))
        np.testing.assert_array_equal(ours.outliers_, theirs.outliers_)

    def test_cross_validation_tries_and_chooses_the_same(self):
        X, y = load_diabetes(return_X_y=True)
        for ours, theirs in [
                (starling.LassoCV(), linear_model.LassoCV(tol=1e-10, max_iter=10 ** 6)),
                (starling.ElasticNetCV(l1_ratio=[0.5, 0.9], cv=3),
                 linear_model.ElasticNetCV(l1_ratio=[0.5, 0.9], cv=3, tol=1e-10, max_iter=10 ** 6))]:
            self.same(ours.fit(X, y), theirs.fit(X, y), 1e-6)
            np.testing.assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-6)
            np.testing.assert_allclose(ours.alphas_, theirs.alphas_, rtol=1e-12)
            self.assertAlmostEqual(ours.alpha_, theirs.alpha_, 12)

    def test_sparse_rows_and_floats_make_the_same_model(self):
        X, y = scaled(load_breast_cancer)
        X[np.abs(X) < 0.5] = 0
        dense = starling.LogisticRegression().fit(X, y)
        for rows in (scipy.sparse.csr_matrix(X), scipy.sparse.csc_matrix(X), np.asfortranarray(X)):
            np.testing.assert_allclose(starling.LogisticRegression().fit(rows, y).coef_, dense.coef_, rtol=1e-6, atol=1e-9)
        floats = starling.LogisticRegression().fit(X.astype(np.float32), y)
        np.testing.assert_allclose(floats.coef_, dense.coef_, rtol=1e-2, atol=1e-4)
        np.testing.assert_allclose(dense.decision_function(scipy.sparse.csr_matrix(X)), dense.decision_function(X), atol=1e-12)

    def test_pipelines_searches_and_processes(self):
        X, y = load_breast_cancer(return_X_y=True)
        pipeline = make_pipeline(StandardScaler(), starling.LogisticRegression())
        search = GridSearchCV(pipeline, {"logisticregression__C": [0.01, 1]}, cv=3, n_jobs=2).fit(X, y)
        self.assertGreater(search.best_score_, 0.95)
        self.assertEqual(cross_val_score(clone(pipeline), X, y, cv=3).shape, (3,))


class Alone(unittest.TestCase):

    def setUp(self):
        random = np.random.default_rng(1)
        self.X = random.normal(size=(60, 3))
        self.y = (self.X[:, 0] + random.normal(size=60) > 0).astype(int)

    def test_same_input_same_bits(self):
        first = starling.LogisticRegression().fit(self.X, self.y)
        starling.close()
        again = starling.LogisticRegression().fit(self.X, self.y)
        self.assertEqual(first.hash_, again.hash_)
        self.assertEqual(first.coef_.tobytes(), again.coef_.tobytes())

    def test_the_certificate_holds(self):
        model = starling.LogisticRegression(C=2.0).fit(self.X, self.y)
        margins = (2 * self.y - 1) * model.decision_function(self.X)
        objective = np.log1p(np.exp(-margins)).mean() + model.coef_[0] @ model.coef_[0] / (2 * 2.0 * 60)
        self.assertAlmostEqual(model.certificate_["objective"], objective, 12)
        self.assertLessEqual(model.certificate_["dual"], objective)
        self.assertLessEqual(model.certificate_["bound"], objective)
        self.assertGreater(model.certificate_["bound"], objective * (1 - 2e-6))

    def test_pickles_predict_without_java(self):
        model = starling.LogisticRegression().fit(self.X, self.y)
        code = ("import sys, pickle; sys.path.insert(0, %r); import numpy as np\n"
                "model, X = pickle.load(sys.stdin.buffer)\n"
                "sys.stdout.buffer.write(pickle.dumps(model.predict_proba(X)))" % support.PACKAGE)
        done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps((model, self.X)), stdout=subprocess.PIPE,
                              env={"PATH": "/nonexistent", "JAVA_HOME": "/nonexistent"}, check=True)
        np.testing.assert_array_equal(pickle.loads(done.stdout), model.predict_proba(self.X))

    def test_works_without_scikit_learn(self):
        code = ("import sys; sys.modules['sklearn'] = None; sys.path.insert(0, %r); import numpy as np, starling\n"
                "X = np.arange(12.).reshape(6, 2) %% 5; y = np.array(list('aabbab'))\n"
                "model = starling.LogisticRegression().fit(X, y)\n"
                "print(model.score(X, y) > 0.3, starling.Ridge(alpha=2).set_params(alpha=1).fit(X, X[:, 0]).score(X, X[:, 0]) > 0.5)\n"
                "print(starling.CoxPH(alpha=1).fit(X, X[:, 1:]).score(X, X[:, 1]) > 0.5)\n"
                "try: model.fit(np.full((6, 2), np.nan), y)\n"
                "except ValueError as e: print(e)" % support.PACKAGE)
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True, env=os.environ)
        self.assertEqual(done.stdout, "True True\nTrue\nrows must be a matrix of finite numbers with at least one row and column\n")

    def test_a_remedy_has_the_names_of_parameters_here_and_works(self):
        apart = self.X[:, 0] > 0
        with self.assertRaisesRegex(ValueError, "told apart.* leave it out, or set penalty='l2'"):
            starling.LogisticRegression(penalty=None).fit(self.X, apart)
        self.assertTrue(starling.LogisticRegression(penalty="l2").fit(self.X, apart).certified_)
        with self.assertRaisesRegex(ValueError, "told apart.* leave it out, or give alpha a positive value"):
            starling.GLM("binomial").fit(self.X, apart.astype(float))
        self.assertTrue(starling.GLM("binomial", alpha=0.1).fit(self.X, apart.astype(float)).certified_)

    def test_the_saved_file_is_a_model_of_starlings(self):
        import json
        import tempfile
        model = starling.LogisticRegression().fit(self.X, self.y)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.json")
            model.save(path)
            with open(path, encoding="utf-8") as file:
                written = json.load(file)
        self.assertEqual(written["hash"], model.hash_)
        self.assertEqual(written["weights"][0], model.coef_[0].tolist())

    def test_saving_replaces_files_whole_and_nothing_else(self):
        import pathlib
        import resource
        import signal
        import tempfile
        import threading
        model = starling.Ridge().fit(self.X, self.y)
        with tempfile.TemporaryDirectory() as folder:
            pipe, path, read = os.path.join(folder, "pipe"), os.path.join(folder, "model.json"), []
            os.mkfifo(pipe)
            reader = threading.Thread(target=lambda: read.append(pathlib.Path(pipe).read_bytes()))
            reader.start()
            model.save(pipe)
            reader.join(60)
            self.assertEqual(read, [model.model_])
            with open(path, "w", encoding="ascii") as file:
                file.write("before")
            usual = resource.getrlimit(resource.RLIMIT_FSIZE)
            handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))  # as if the disk were full
            try:
                with self.assertRaisesRegex(OSError, "File too large: '.*model.json'$"):
                    model.save(path)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, usual)
                signal.signal(signal.SIGXFSZ, handler)
            with open(path, encoding="ascii") as file:
                self.assertEqual(file.read(), "before")
            self.assertEqual(sorted(os.listdir(folder)), ["model.json", "pipe"])

    def test_parameters_are_checked_in_words(self):
        for model, words in [(starling.LogisticRegression(C=-1), "C is -1"), (starling.Ridge(alpha=-1), "alpha is -1"),
                             (starling.LogisticRegression("l3"), "penalty is 'l3'"), (starling.GLM("beta"), "family is 'beta'"),
                             (starling.GLM("tweedie(x)"), r"family is 'tweedie\(x\)'; in the brackets there must be a number"),
                             (starling.QuantileRegressor(quantile=2), "quantile is 2"), (starling.Lasso(gap=-1), "gap")]:
            with self.assertRaisesRegex(ValueError, words):
                model.fit(self.X, self.y)

    def test_a_gap_that_cannot_be_reached_is_warned_of(self):
        with self.assertWarns(starling.ConvergenceWarning):
            model = starling.QuantileRegressor(gap=1e-14, alpha=0.01).fit(self.X, self.X[:, 0] + self.y)
        self.assertFalse(model.certified_)


if __name__ == "__main__":
    unittest.main()
