"""Debian's LIBLINEAR, the shared library that liblinear-train calls: arguments ARRAYS SOLVER C.

Calling train() in this process excludes the time to read the file, which the tool itself does not report separately.
"""

import ctypes
import sys
import time

import numpy as np

from .datasets import load_arrays
from .serve import serve

NODE = np.dtype([("index", np.int32), ("value", np.float64)], align=True)


class Problem(ctypes.Structure):
    _fields_ = [
        ("l", ctypes.c_int),
        ("n", ctypes.c_int),
        ("y", ctypes.c_void_p),
        ("x", ctypes.c_void_p),
        ("bias", ctypes.c_double),
    ]


def parameter_type(version):
    fields = [
        ("solver_type", ctypes.c_int),
        ("eps", ctypes.c_double),
        ("C", ctypes.c_double),
        ("nr_weight", ctypes.c_int),
        ("weight_label", ctypes.c_void_p),
        ("weight", ctypes.c_void_p),
        ("p", ctypes.c_double),
    ]
    if version >= 240:
        fields += [("nu", ctypes.c_double), ("init_sol", ctypes.c_void_p), ("regularize_bias", ctypes.c_int)]
    else:
        fields += [("init_sol", ctypes.c_void_p)]
    return type("Parameter", (ctypes.Structure,), {"_fields_": fields})


def model_type(parameter):
    fields = [
        ("param", parameter),
        ("nr_class", ctypes.c_int),
        ("nr_feature", ctypes.c_int),
        ("w", ctypes.POINTER(ctypes.c_double)),
        ("label", ctypes.POINTER(ctypes.c_int)),
        ("bias", ctypes.c_double),
    ]
    return type("Model", (ctypes.Structure,), {"_fields_": fields})


class Liblinear:
    def __init__(self, arrays):
        self.library = ctypes.CDLL("liblinear.so.4")
        version = ctypes.c_int.in_dll(self.library, "liblinear_version").value
        if not 210 <= version < 250:
            raise SystemExit(f"LIBLINEAR {version}: its structures are not known here")
        self.parameter = parameter_type(version)
        self.library.train.restype = ctypes.POINTER(model_type(self.parameter))
        self.library.train.argtypes = [ctypes.POINTER(Problem), ctypes.POINTER(self.parameter)]
        self.silent = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: None)
        self.library.set_print_string_function(self.silent)
        self.lay_out(arrays)

    def lay_out(self, arrays):
        """Lays rows out like read_problem(): nodes one after another, each row terminated by index -1."""
        x, self.labels = load_arrays(arrays)
        rows, features = x.shape
        self.nodes = np.zeros(x.nnz + rows, NODE)
        places = np.arange(x.nnz) + np.repeat(np.arange(rows), np.diff(x.indptr))
        self.nodes["index"][places] = x.indices + 1
        self.nodes["value"][places] = x.data
        self.nodes["index"][x.indptr[1:] + np.arange(rows)] = -1
        starts = x.indptr[:-1].astype(np.int64) + np.arange(rows)
        self.pointers = (self.nodes.ctypes.data + NODE.itemsize * starts).astype(np.uintp)
        self.problem = Problem(rows, features, self.labels.ctypes.data, self.pointers.ctypes.data, -1.0)

    def solve(self, solver, cost, tolerance):
        parameter = self.parameter(solver_type=solver, eps=tolerance, C=cost, p=0.1)
        if hasattr(parameter, "regularize_bias"):
            parameter.regularize_bias = 1
        start = time.perf_counter()
        model = self.library.train(ctypes.byref(self.problem), ctypes.byref(parameter))
        seconds = time.perf_counter() - start
        weights = np.ctypeslib.as_array(model.contents.w, (model.contents.nr_feature,)).copy()
        if model.contents.label[0] < 0:
            weights = -weights
        self.library.free_and_destroy_model(ctypes.byref(model))
        return seconds, weights


def main(arrays, solver, cost):
    serve(lambda: Liblinear(arrays), lambda solvers, tolerance: solvers.solve(int(solver), float(cost), tolerance))


if __name__ == "__main__":
    main(*sys.argv[1:])
