"""Certified linear models: estimators like scikit-learn's, each with a proof of how far it can be from the optimum."""

from ._pipe import ConvergenceWarning, StarlingError, close
from .cox import CoxPH
from .glm import GLM
from .lab import compare, plan
from .linear import (ElasticNet, ElasticNetCV, HuberRegressor, Lasso, LassoCV, LinearSVC, LogisticRegression, QuantileRegressor,
                     Ridge, SoftmaxRegression)

__version__ = "0.1.0.dev0"

__all__ = ["ConvergenceWarning", "CoxPH", "ElasticNet", "ElasticNetCV", "GLM", "HuberRegressor", "Lasso", "LassoCV", "LinearSVC",
           "LogisticRegression", "QuantileRegressor", "Ridge", "SoftmaxRegression", "StarlingError", "close", "compare",
           "plan"]
