"""What all estimators share: checking rows, sending them to be trained on, and predicting with numpy alone."""

import numbers
import os

import numpy as np

from . import _pipe

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.validation import check_is_fitted, column_or_1d
    HAVE_SKLEARN = True
except ImportError:
    HAVE_SKLEARN = False
    import inspect

    class BaseEstimator:
        """The part of scikit-learn's class of this name that estimators need without it."""

        def get_params(self, deep=True):
            names = inspect.signature(type(self).__init__).parameters
            return {name: getattr(self, name) for name in names if name != "self"}

        def set_params(self, **params):
            unknown = set(params) - set(self.get_params())
            if unknown:
                raise ValueError("%s has no parameter %s" % (type(self).__name__, ", ".join(sorted(unknown))))
            for name, value in params.items():
                setattr(self, name, value)
            return self

        def __repr__(self):
            return "%s(%s)" % (type(self).__name__, ", ".join("%s=%r" % item for item in self.get_params().items()))

    def column_or_1d(y, warn=False):
        """The numbers of a single column."""
        y = np.asarray(y)
        if y.ndim != 1 and y.shape != (len(y), 1):
            raise ValueError("y should be a 1d array, got an array of shape %s instead" % (y.shape,))
        return y.ravel()

    class RegressorMixin:
        def score(self, X, y, sample_weight=None):
            """The share R² of the target's variance that is predicted."""
            y = np.asarray(y, float)
            missed = np.average((y - self.predict(X)) ** 2, weights=sample_weight)
            return 1 - missed / np.average((y - np.average(y, weights=sample_weight)) ** 2, weights=sample_weight)

    class ClassifierMixin:
        def score(self, X, y, sample_weight=None):
            """The share of rows whose class is predicted."""
            return np.average(np.asarray(y) == self.predict(X), weights=sample_weight)


def keep(estimator, arguments):
    """Keeps what a constructor was given under its names, untouched, as scikit-learn wants it."""
    for name, value in arguments.items():
        if name not in ("self", "__class__"):
            setattr(estimator, name, value)


def require(holds, text):
    if not holds:
        raise ValueError(text)


def is_sparse(X):
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def is_frame(X):
    return hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "iloc")


def _is_date(column):
    return getattr(column.dtype, "kind", "O") == "M"


def _is_words(column):
    if _is_date(column):
        return False
    return not (np.issubdtype(column.dtype, np.number) if isinstance(column.dtype, np.dtype) else
                getattr(column.dtype, "_is_numeric", False))


def _numbers(column):
    """A column of a DataFrame as doubles, NaN where it is missing; dates as days since 1970, in UTC."""
    if _is_date(column):
        dates = column.to_numpy("datetime64[ns]")
        return np.where(np.isnat(dates), np.nan, dates.astype(np.int64) / 86_400e9)
    return column.to_numpy(dtype=float, na_value=np.nan)


def _different(column):
    """The different values of a column, as text, and the place of each row's among them: -1 where it is missing."""
    if hasattr(column, "cat"):
        return [str(value) for value in column.cat.categories], column.cat.codes.to_numpy()
    places, values = column.factorize()
    if not all(isinstance(value, str) for value in values):
        # Values that are equal, such as 1 and True, may be written differently.
        there = column.notna().to_numpy()
        words = np.array([str(value) for value in column.astype(object).to_numpy()[there]], object)
        places = np.full(len(column), -1)
        values, places[there] = np.unique(words, return_inverse=True)
    return [str(value) for value in values], places


def _among(levels, words, places):
    """The places of these words among levels: -1 where one is missing, -2 where it is no level."""
    known = {level: place for place, level in enumerate(levels)}
    return np.array([known.get(word, -2) for word in words] + [-1], np.int32)[places]


class Rows:
    """Rows in the arrays of a request, and what its header says about them."""

    def __init__(self, X, missing="refuse"):
        self.header, self.arrays = {}, {}
        if is_frame(X):
            self._table(X, missing)
        elif is_sparse(X):
            X = X.tocsr()
            if not X.has_sorted_indices or not X.has_canonical_format:
                X = X.copy()
                X.sum_duplicates()
            if X.nnz >= 2 ** 31 - 8:
                raise ValueError("%d stored values; there may be at most 2147483639" % X.nnz)
            values = X.data if X.data.dtype == np.float32 else X.data.astype(float)
            self.arrays = {"starts": X.indptr.astype(np.int32), "columns": X.indices.astype(np.int32), "values": values}
            self.header = {"features": X.shape[1]}
        else:
            X = X if X.dtype == np.float32 else X.astype(float, copy=False)
            columns = X.flags.f_contiguous and not X.flags.c_contiguous
            self.header = {"features": X.shape[1], "order": "columns" if columns else "rows"}
            self.arrays = {"x": (X.T if columns else np.ascontiguousarray(X)).reshape(-1)}

    def _table(self, X, missing):
        columns = []
        for place, name in enumerate(X.columns):
            column = X.iloc[:, place]
            entry = {"name": str(name)}
            if _is_words(column):
                words, places = _different(column)
                category = hasattr(column, "cat")
                entry["levels"] = words if category else sorted(words)
                if category and column.cat.ordered:
                    entry["ordered"] = True
                array = _among(entry["levels"], words, places)
            else:
                array = _numbers(column)
            columns.append(entry)
            self.arrays[str(place)] = array
        self.header = {"table": columns, "missing": missing, "unknown": "reference"}


class Recipe:
    """What training made of the columns of a DataFrame, and makes of others again."""

    def __init__(self, members, names):
        self.columns = members["columns"]
        self.names = names

    def encode(self, X):
        """The features of the rows of a DataFrame."""
        features, indicators = [], []
        for column in self.columns:
            name = column["name"]
            found = [place for place, each in enumerate(X.columns) if str(each) == name]
            if not found:
                raise ValueError("the table has no column %r; columns are matched by name" % name)
            values = X.iloc[:, found[0]]
            gone = values.isna().to_numpy()
            fill = column.get("fill")
            if gone.any() and fill is None:
                raise ValueError("column %r has %d missing values, and the model was trained without any; fill them in"
                                 % (name, gone.sum()))
            if column["kind"] == "numeric":
                numbers_ = _numbers(values)
                features.append(np.where(gone, float(fill), numbers_) if gone.any() else numbers_)
            else:
                levels = column["levels"]
                codes = _among(levels, *_different(values))
                reference = levels.index(column.get("reference", levels[0]))
                codes = np.where(codes == -1, levels.index(fill) if fill in levels else reference, codes)
                codes = np.where(codes == -2, reference, codes)
                if column["kind"] == "ordered":
                    features.extend((codes >= place).astype(float) for place in range(1, len(levels)))
                else:
                    features.extend((codes == place).astype(float) for place in range(len(levels)) if place != reference)
            if column.get("indicator"):
                indicators.append(gone.astype(float))
        return np.column_stack(features + indicators)


class Linear(BaseEstimator):
    """An estimator whose prediction is a function of a row's scores, each a sum of weighted features."""

    _label_kind = "number"
    _regularise = "give alpha a positive value"

    # What scikit-learn asks of estimators, by 1.2 to 1.5 and from 1.6 on.
    def _more_tags(self):
        return {"X_types": ["2darray", "sparse"]}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _check_alpha(self):
        require(isinstance(self.alpha, numbers.Number) and self.alpha >= 0 and np.isfinite(self.alpha),
                "alpha is %r; it must be a number, 0 or more" % (self.alpha,))

    def _require_errors(self):
        if self.cov_params_ is None:
            raise ValueError("a model with alpha %r has no standard errors; they need alpha=0" % (self.alpha,))

    def _frame(self, X):
        """Whether rows are columns to be encoded rather than numbers already."""
        return is_frame(X) and (getattr(self, "missing", "refuse") != "refuse"
                                or any(_is_words(column) or _is_date(column) or column.isna().any() for _, column in X.items()))

    def _checked(self, X, y=None):
        """Rows, and labels, as arrays without anything that is not a finite number."""
        fitting = y is not None
        if not HAVE_SKLEARN:
            if not is_sparse(X):
                X = np.asarray(X)
                X = X if X.dtype == np.float32 else X.astype(float)
            values = X.data if is_sparse(X) else X
            if X.ndim != 2 or X.shape[0] == 0 or X.shape[1] == 0 or not np.isfinite(values).all():
                raise ValueError("rows must be a matrix of finite numbers with at least one row and column")
            if fitting:
                self.n_features_in_ = X.shape[1]
                if len(y) != X.shape[0]:
                    raise ValueError("%d rows and %d labels; there must be as many" % (X.shape[0], len(y)))
            elif X.shape[1] != self.n_features_in_:
                raise ValueError("rows have %d features, the model %d" % (X.shape[1], self.n_features_in_))
            return (X, np.asarray(y)) if fitting else X
        options = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "reset": fitting}
        if fitting:
            options.update(y_numeric=self._label_kind == "number", ensure_min_samples=2)
        try:
            from sklearn.utils.validation import validate_data
        except ImportError:
            return self._validate_data(X, y, **options) if fitting else self._validate_data(X, **options)
        return validate_data(self, X, y, **options) if fitting else validate_data(self, X, **options)

    def _encoded(self, X):
        """The features of rows to predict."""
        if HAVE_SKLEARN:
            check_is_fitted(self, "coef_")
        recipe = getattr(self, "recipe_", None)
        if recipe is not None:
            if not is_frame(X):
                raise ValueError("the model was trained on a DataFrame with words or missing values; give one to predict")
            return self._features(X)
        return self._checked(X)

    def _features(self, X):
        """The features of rows that have been checked."""
        return X if self.recipe_ is None else self.recipe_.encode(X)

    def _scores(self, X):
        return self._linear(self._encoded(X))

    def _linear(self, features):
        return np.asarray(features @ np.atleast_2d(self.coef_).T) + self.intercept_

    def _weights(self, count, sample_weight, more=None):
        """The weights of rows, and which of them count at all; None for both where all count the same."""
        weights = None
        if sample_weight is not None:
            if isinstance(sample_weight, numbers.Number):
                sample_weight = np.full(count, float(sample_weight))
            weights = np.asarray(sample_weight, float)
            if weights.ndim != 1 or len(weights) != count:
                raise ValueError("sample_weight has shape %s; there are %d rows. Sample weights must be 1D" % (weights.shape, count))
            if not np.isfinite(weights).all() or (weights < 0).any():
                raise ValueError("sample_weight must be finite and not negative")
        if more is not None:
            weights = more if weights is None else weights * more
        if weights is None:
            return None, None
        kept = weights > 0
        if not kept.any():
            raise ValueError("all weights are 0; at least one must be positive")
        return (weights[kept], kept) if not kept.all() else (weights, None)

    def _ask(self, rows, y, settings, weights=None, offsets=None):
        """Trains and returns the answer."""
        arrays = dict(rows.arrays, y=np.ascontiguousarray(y, float if y.dtype != np.int32 else None))
        if weights is not None:
            arrays["weights"] = np.ascontiguousarray(weights, float)
        if offsets is not None:
            arrays["offsets"] = np.ascontiguousarray(offsets, float)
        header = dict(rows.header, op="fit", nodes=self.nodes, progress=bool(self.verbose), file=True,
                      settings=dict({"gap": self.gap}, **settings))
        try:
            return _pipe.ask(header, arrays, self._show if self.verbose else None)
        except ValueError as error:
            # What Java calls lambda has another name here.
            raise ValueError(str(error).replace("give lambda a positive value", self._regularise)) from None

    @staticmethod
    def _show(progress):
        print("epochs %.1f, gap %s" % (progress["epochs"], progress["gap"]))

    def _keep(self, answer, arrays):
        """Keeps what an answer says of the model, without its coefficients."""
        self.certificate_ = {name: (-np.inf if name in ("dual", "bound") else np.inf) if value is None else value
                             for name, value in answer["certificate"].items()}
        self.gap_ = self.certificate_["gap"]
        self.certified_ = answer["outcome"] == "certified"
        self.hash_ = answer["hash"]
        self.model_ = arrays["file"].tobytes()
        self.recipe_ = Recipe(answer["recipe"], answer["names"]) if "recipe" in answer else None
        if self.recipe_ is not None:
            self.n_features_in_ = len(self.recipe_.columns)

    def save(self, path):
        """Writes the model's file, which `starling predict`, `verify` and `export` read."""
        # A device or a pipe is written to, never replaced by a file.
        special = os.path.exists(path) and not os.path.isfile(path)
        unfinished = path if special else "%s.%d" % (path, os.getpid())
        try:
            with open(unfinished, "wb") as file:
                file.write(self.model_)
            if not special:
                os.replace(unfinished, path)
        except OSError as error:
            if not special and os.path.exists(unfinished):
                os.remove(unfinished)
            raise OSError(error.errno, error.strerror, path) from None

    def get_feature_names(self):
        """The names of the features that coefficients belong to."""
        if getattr(self, "recipe_", None) is not None:
            return list(self.recipe_.names)
        names = getattr(self, "feature_names_in_", None)
        return list(names) if names is not None else ["x%d" % (place + 1) for place in range(self.n_features_in_)]

    def _trained(self, X, y, settings, weights=None, kept=None, offsets=None):
        """Trains on rows, of which some may not count, and keeps what the answer says."""
        frame = self._frame(X)
        if kept is not None:
            X = X.iloc[np.flatnonzero(kept)] if is_frame(X) else X[kept]
            y = y[kept]
            offsets = None if offsets is None else offsets[kept]
        rows = Rows(X, self.missing) if frame else Rows(X)
        if frame:
            rows.header["label"] = self._label(X)
        answer, arrays = self._ask(rows, y, settings, weights, offsets)
        self._keep(answer, arrays)
        answer["numbers"] = arrays
        features = answer["features"]
        return answer, arrays["weights"].reshape(-1, features), np.array(arrays["intercepts"])

    def _dropped(self, X, y, sample_weight):
        """The rows of a table, without those with missing values if these are to be dropped."""
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # those of an earlier fit
        whole = ~X.isna().any(axis=1).to_numpy()
        if self.missing != "drop" or whole.all():
            return X, y, sample_weight
        if sample_weight is not None and not isinstance(sample_weight, numbers.Number):
            sample_weight = np.asarray(sample_weight)[whole]
        return X.iloc[np.flatnonzero(whole)], y[whole], sample_weight

    def _label(self, X):
        name = "y"
        while name in map(str, X.columns):
            name += "_"
        return {"name": name}


class Regressor(RegressorMixin, Linear):
    """An estimator of a number."""

    def _target(self, X, y, sample_weight=None):
        """Rows, targets and weights, checked."""
        if y is None:
            raise ValueError("%s requires y to be passed, but the target y is None" % type(self).__name__)
        if self._frame(X):
            y = np.asarray(y, float)
            if len(y) != len(X) or not np.isfinite(y).all():
                raise ValueError("the target must be a finite number for each of %d rows" % len(X))
            return self._dropped(X, y, sample_weight)
        X, y = self._checked(X, y)
        return X, np.asarray(y, float), sample_weight

    def fit(self, X, y, sample_weight=None):
        """Trains on rows X with targets y."""
        self._check_alpha()
        X, y, sample_weight = self._target(X, y, sample_weight)
        weights, kept = self._weights(len(y), sample_weight)
        self._solve(X, y, self._problem(len(y) if weights is None else weights.sum()), weights, kept)
        return self

    def _solve(self, X, y, problem, weights, kept, offsets=None):
        """Trains, keeps the coefficients and returns the answer."""
        answer, coefficients, intercepts = self._trained(X, y, dict(problem, intercept=bool(self.fit_intercept)), weights, kept, offsets)
        self.coef_ = coefficients[0].copy()
        self.intercept_ = float(intercepts[0])
        return answer

    def predict(self, X):
        """The predicted number of each row."""
        return self._scores(X)[:, 0]


class Classifier(ClassifierMixin, Linear):
    """An estimator of a class."""

    _label_kind = "class"
    _regularise = "set penalty='l2'"

    def _target(self, X, y, sample_weight=None):
        """Rows, the positions of labels among the classes, which are kept, and weights."""
        if y is None:
            raise ValueError("%s requires y to be passed, but the target y is None" % type(self).__name__)
        if self._frame(X):
            y = np.asarray(y)
            if len(y) != len(X):
                raise ValueError("%d rows and %d labels; there must be as many" % (len(X), len(y)))
            X, y, sample_weight = self._dropped(X, y, sample_weight)
        else:
            X, y = self._checked(X, y)
        if HAVE_SKLEARN:
            from sklearn.utils.multiclass import check_classification_targets
            y = column_or_1d(y, warn=True)
            check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("the labels are all of one class, %r; at least two classes are needed" % self.classes_[0])
        return X, codes, sample_weight

    def _class_weights(self, codes):
        """The weight of each row by its class; None where all are 1."""
        if self.class_weight is None:
            return None
        counts = np.bincount(codes, minlength=len(self.classes_))
        if isinstance(self.class_weight, str):
            if self.class_weight != "balanced":
                raise ValueError("class_weight is %r; it must be 'balanced', a dict or None" % self.class_weight)
            by_class = len(codes) / (len(self.classes_) * counts)
        else:
            by_class = np.array([self.class_weight.get(label, 1.0) for label in self.classes_.tolist()])
        return by_class[codes]

    def _label(self, X):
        return dict(super()._label(X), levels=self._spellings())

    def _spellings(self):
        """The classes as the model's file has them: their names, or numbers from 0 if the names look like fractions."""
        names = [str(label) for label in self.classes_]
        try:
            fractions = any(float(name) != int(float(name)) for name in names)
        except (ValueError, OverflowError):
            return names
        return [str(place) for place in range(len(names))] if fractions else names

    def fit(self, X, y, sample_weight=None):
        """Trains on rows X with labels y."""
        require(isinstance(self.C, numbers.Number) and self.C > 0, "C is %r; it must be a positive number" % (self.C,))
        X, codes, sample_weight = self._target(X, y, sample_weight)
        weights, kept = self._weights(len(codes), sample_weight, self._class_weights(codes))
        problem = self._problem(len(codes) if weights is None else weights.sum())
        self._classified(X, codes, dict({"intercept": bool(self.fit_intercept)}, **problem), weights, kept)
        return self

    def _regularised_intercept(self):
        """An intercept as the coefficient of a feature that is `intercept_scaling` in every row."""
        return {"intercept": False, "bias": float(self.intercept_scaling) if self.fit_intercept else 0}

    def _classified(self, X, codes, settings, weights, kept):
        """Trains, and sorts the answer's scores by the classes."""
        present = np.unique(codes if kept is None else codes[kept])
        if len(present) < 2:
            raise ValueError("the labels of rows with positive weight are all of one class; at least two classes are needed")
        frame = self._frame(X)
        answer, coefficients, intercepts = self._trained(
            X, codes.astype(np.int32) if frame else codes.astype(float), settings, weights, kept)
        if frame:
            order = [self._spellings().index(label) for label in answer["spellings"]]
        else:
            order = [int(label) for label in answer["classes"]]
        count = len(self.classes_)
        if len(present) < count:
            # A class whose rows all have weight 0 is never predicted.
            full = np.zeros((count, coefficients.shape[1])), np.full(count, -np.inf)
            if len(order) == 2:
                coefficients, intercepts = np.vstack([-coefficients, coefficients]), np.concatenate([-intercepts, intercepts])
            full[0][order], full[1][order] = coefficients, intercepts
            coefficients, intercepts = full
        elif count == 2 and order[0] == 1:
            coefficients, intercepts = -coefficients, -intercepts
        elif count > 2:
            back = np.argsort(order)
            coefficients, intercepts = coefficients[back], intercepts[back]
        self.coef_ = np.array(coefficients)
        self.intercept_ = np.array(intercepts)

    def decision_function(self, X):
        """The scores of each row: one if there are two classes, positive for the second; otherwise one per class."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X):
        """The class of each row."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]


def sigmoid(scores):
    """1/(1 + e^-s), without overflow."""
    small = np.exp(-np.abs(scores))
    return np.where(scores >= 0, 1, small) / (1 + small)

