"""DataFrames with words and missing values are encoded by a recipe, and encoded again to predict."""

import pickle
import unittest

from . import support  # noqa: F401

import numpy as np

import starling

try:
    import pandas as pd
except ImportError:
    pd = None


@unittest.skipIf(pd is None, "there is no pandas")
class Frames(unittest.TestCase):

    def setUp(self):
        random = np.random.default_rng(2)
        n = 120
        self.frame = pd.DataFrame({
            "age": random.integers(20, 80, n).astype(float),
            "town": random.choice(["Ulm", "Bern", "Köln"], n),
            "size": pd.Categorical(random.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True),
            "smoker": random.random(n) < 0.3,
        })
        self.y = 0.1 * self.frame["age"] + (self.frame["town"] == "Ulm") + random.normal(size=n)

    def dummies(self, frame):
        sizes = frame["size"].cat.codes.to_numpy()
        return np.column_stack([frame["age"], frame["town"] == "Köln", frame["town"] == "Ulm", sizes >= 1, sizes >= 2,
                                frame["smoker"]]).astype(float)

    def test_categories_become_features(self):
        model = starling.Ridge().fit(self.frame, self.y)
        plain = starling.Ridge().fit(self.dummies(self.frame), self.y)
        np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9)
        self.assertEqual(model.get_feature_names(), ["age", "town=Köln", "town=Ulm", "size>=M", "size>=L", "smoker=True"])
        np.testing.assert_allclose(model.predict(self.frame[::-1]), plain.predict(self.dummies(self.frame[::-1])))
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict(self.frame[["smoker", "town", "size", "age"]]), model.predict(self.frame))

    def test_dates_are_days_since_1970_in_utc(self):
        days = np.arange(120) * 1.25
        zoned = pd.Series(pd.to_datetime(days, unit="D", utc=True).tz_convert("Asia/Tokyo"))
        plain = starling.Ridge().fit(days[:, None], self.y)
        for dates in (zoned, zoned.dt.tz_convert(None)):
            model = starling.Ridge().fit(pd.DataFrame({"seen": dates}), self.y)
            self.assertEqual(model.get_feature_names(), ["seen"])
            np.testing.assert_array_equal(model.coef_, plain.coef_)
            np.testing.assert_array_equal(model.predict(pd.DataFrame({"seen": dates})), plain.predict(days[:, None]))
            dates = dates.copy()
            dates[7] = pd.NaT
            dropped = starling.Ridge(missing="drop").fit(pd.DataFrame({"seen": dates}), self.y)
            np.testing.assert_allclose(dropped.coef_, starling.Ridge().fit(np.delete(days, 7)[:, None], np.delete(self.y.to_numpy(), 7)).coef_)

    def test_missing_numbers_are_refused_by_column(self):
        with self.assertRaisesRegex(ValueError, r"the table has missing values in 'age' \(1\)"):
            starling.Ridge().fit(self.frame[["age"]].mask(np.arange(120)[:, None] == 3), self.y)

    def test_missing_values_are_refused_filled_or_dropped(self):
        self.frame.loc[3, "age"] = np.nan
        self.frame.loc[[5, 6], "town"] = None
        with self.assertRaisesRegex(ValueError, "age"):
            starling.Ridge().fit(self.frame, self.y)
        model = starling.Ridge(missing="median").fit(self.frame, self.y)
        self.assertEqual(model.get_feature_names()[-2:], ["age=(missing)", "town=(missing)"])
        filled = self.frame.copy()
        filled["age"] = filled["age"].fillna(filled["age"].median())
        filled["town"] = filled["town"].fillna(filled["town"].mode()[0])
        features = np.column_stack([self.dummies(filled), self.frame["age"].isna(), self.frame["town"].isna()])
        plain = starling.Ridge().fit(features, self.y)
        np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9)
        np.testing.assert_allclose(model.predict(self.frame), plain.predict(features))
        dropped = starling.Ridge(missing="drop").fit(self.frame, self.y)
        whole = self.frame.dropna()
        np.testing.assert_allclose(dropped.coef_, starling.Ridge().fit(whole, self.y[whole.index]).coef_, rtol=1e-9)

    def test_classes_may_be_words_in_any_order(self):
        y = np.where(self.y > np.median(self.y), "no", "yes")
        model = starling.LogisticRegression().fit(self.frame, y)
        plain = starling.LogisticRegression().fit(self.dummies(self.frame), y)
        np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-6)
        np.testing.assert_array_equal(model.predict(self.frame), plain.predict(self.dummies(self.frame)))
        three = pd.cut(self.y, 3, labels=["10", "9", "2.5"]).astype(str)
        model = starling.LogisticRegression().fit(self.frame, three)
        plain = starling.LogisticRegression().fit(self.dummies(self.frame), three)
        np.testing.assert_allclose(model.predict_proba(self.frame), plain.predict_proba(self.dummies(self.frame)), atol=1e-6)

    def test_a_glm_takes_frames(self):
        model = starling.GLM("poisson").fit(self.frame, np.round(np.abs(self.y)))
        self.assertIn("town=Ulm", model.summary())

    def test_unknown_columns_and_levels(self):
        model = starling.Ridge().fit(self.frame, self.y)
        with self.assertRaisesRegex(ValueError, "no column 'age'"):
            model.predict(self.frame.drop(columns="age"))
        other = self.frame.assign(town="Rom")
        np.testing.assert_allclose(model.predict(other), model.predict(self.frame.assign(town="Bern")))
        with self.assertRaisesRegex(ValueError, "DataFrame"):
            model.predict(self.dummies(self.frame))


if __name__ == "__main__":
    unittest.main()
