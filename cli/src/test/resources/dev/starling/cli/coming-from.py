# Fits models to numbers.csv in a folder and prints name, intercept and coefficients: coming-from.py FOLDER
import sys
import numpy as np
from sklearn import linear_model as lm
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC, LinearSVR

table = np.genfromtxt(sys.argv[1] + "/numbers.csv", delimiter=",", names=True)
x = np.column_stack([table[n] for n in ("a", "b", "c")])
number, yes, count = table["number"], table["yes"], table["count"]


def show(name, model, target, rows=x, *more):
    model.fit(rows, target)
    print(name, float(np.ravel(model.intercept_)[0]), *np.ravel(model.coef_), *(more or ()))
    return model


show("LogisticRegression", lm.LogisticRegression(C=0.5, tol=1e-12, max_iter=100000), yes)
show("Ridge", lm.Ridge(alpha=3.0), number)
show("Lasso", lm.Lasso(alpha=0.2, tol=1e-14, max_iter=1000000), number)
show("ElasticNet", lm.ElasticNet(alpha=0.3, l1_ratio=0.4, tol=1e-14, max_iter=1000000), number)
show("LinearSVC", LinearSVC(C=0.05, tol=1e-12, max_iter=10000000, dual=False), yes)
show("PoissonRegressor", lm.PoissonRegressor(alpha=0.1, tol=1e-12, max_iter=100000), count)
show("QuantileRegressor", lm.QuantileRegressor(quantile=0.8, alpha=0.01, solver="highs"), number)
huber = lm.HuberRegressor(epsilon=1.35, alpha=0.5, tol=1e-10, max_iter=100000).fit(x, number)
print("HuberRegressor", huber.intercept_, *huber.coef_)
print("scale_", huber.scale_)
