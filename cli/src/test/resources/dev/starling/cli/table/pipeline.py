"""A pipeline of scikit-learn on the rows of a census: prints the label and the probability of >50K for each.

Usage: pipeline.py FILE LAMBDA
"""
import csv
import sys

import numpy
from sklearn.compose import ColumnTransformer
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

NUMBERS = ["age", "hours-per-week"]
WORDS = ["workclass", "education", "marital-status", "occupation", "sex"]

with open(sys.argv[1], newline="") as file:
    table = list(csv.DictReader(file))
labels = numpy.array([row["income"] for row in table])
features = numpy.array(
    [[numpy.nan if row[name] == "?" else float(row[name]) for name in NUMBERS]
     + [numpy.nan if row[name] == "?" else row[name] for name in WORDS] for row in table],
    dtype=object)

filled = SimpleImputer(strategy="most_frequent")
coded = Pipeline([("fill", filled), ("code", OneHotEncoder(drop="first"))])
columns = ColumnTransformer(
    [("numbers", filled, list(range(len(NUMBERS)))),
     ("words", coded, list(range(len(NUMBERS), len(NUMBERS) + len(WORDS))))],
    sparse_threshold=0)
model = Pipeline([
    ("features", FeatureUnion([("columns", columns), ("missing", MissingIndicator())])),
    ("scale", StandardScaler()),
    ("fit", LogisticRegression(C=1 / (float(sys.argv[2]) * len(table)), tol=1e-12, max_iter=10000,
                               solver="newton-cholesky"))])
model.fit(features, labels)
rich = list(model.classes_).index(">50K")
for label, chances in zip(model.predict(features), model.predict_proba(features)):
    print(label, repr(float(chances[rich])))
