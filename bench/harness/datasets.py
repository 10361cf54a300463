"""The files all solvers read, and the same rows in memory for measuring objectives."""

import gzip
import os
from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Source:
    """A file of the shared data folder and which of its labels is +1."""

    file: str
    positive: str
    golden: str


SOURCES = {
    "covtype": Source("covtype.libsvm.binary.scale.gz", "2", "covtype.libsvm.binary.scale"),
    "higgs_204k": Source("higgs_204k_imbalanced.gz", "1", "higgs_204k_imbalanced"),
    "a9a": Source("a9a.gz", "1", "a9a"),
    "w8a": Source("w8a.gz", "1", "w8a"),
    "rcv1_cocoa_small": Source("rcv1_cocoa_small.train.gz", "1", "rcv1_cocoa_small.train"),
    "news20": Source("news20.gz", "1", "news20, class 1 against the rest"),
    "heart_scale": Source("heart_scale.gz", "1", "heart_scale"),
}


@dataclass
class Data:
    """One problem: the text file solvers load, and where its rows lie as arrays."""

    name: str
    file: str
    arrays: str
    rows: int
    features: int
    nonzeros: int

    @property
    def density(self):
        return self.nonzeros / (self.rows * self.features)

    def measured(self):
        """Rows rounded to float, as Starling and the stored optima have them, in double precision; and labels."""
        x, y = load_arrays(self.arrays)
        return sparse.csr_matrix((x.data.astype(np.float32).astype(np.float64), x.indices, x.indptr), shape=x.shape), y


def prepare(name, shared, work):
    """Unpacks a dataset with labels -1 and 1, once, and keeps its arrays beside it."""
    source = SOURCES[name]
    packed = os.path.join(shared, "data", source.file)
    if not os.path.exists(packed):
        raise FileNotFoundError(f"{packed} does not exist; say where the data are with --shared")
    text = os.path.join(work, name + ".txt")
    if not os.path.exists(text):
        with gzip.open(packed, "rb") as lines, open(text + ".part", "wb") as out:
            relabel(lines, source.positive.encode(), out)
        os.replace(text + ".part", text)
    return from_text(name, text)


def relabel(lines, positive, out):
    """Copies rows, replacing the label by 1 where it is the positive one and by -1 elsewhere."""
    wanted = float(positive)
    for line in lines:
        parts = line.split(None, 1)
        if not parts:
            continue
        label = b"1" if float(parts[0]) == wanted else b"-1"
        rest = parts[1].strip() if len(parts) > 1 else b""
        out.write(label + b" " + rest + b"\n")


def from_text(name, text):
    """A problem whose text file is there already."""
    arrays = text[: -len(".txt")] + ".npz"
    if not os.path.exists(arrays) or os.path.getmtime(arrays) < os.path.getmtime(text):
        x, y = parse(text)
        np.savez(arrays + ".part.npz", data=x.data, indices=x.indices, indptr=x.indptr, shape=x.shape, labels=y)
        os.replace(arrays + ".part.npz", arrays)
    with np.load(arrays) as stored:
        rows, features = (int(n) for n in stored["shape"])
        return Data(name, text, arrays, rows, features, int(stored["indptr"][-1]))


def load_arrays(arrays):
    """Rows in double precision as the text has them, and labels -1 and 1."""
    with np.load(arrays) as stored:
        shape = tuple(int(n) for n in stored["shape"])
        x = sparse.csr_matrix((stored["data"], stored["indices"], stored["indptr"]), shape=shape)
        return x, stored["labels"]


def parse(text):
    """Reads LIBSVM text with scikit-learn, or slowly without it."""
    try:
        from sklearn.datasets import load_svmlight_file

        x, y = load_svmlight_file(text, dtype=np.float64)
    except ImportError:
        x, y = parse_slowly(text)
    x.indices = x.indices.astype(np.int32)
    return x, y.astype(np.float64)


def parse_slowly(text):
    data, indices, offsets, labels = [], [], [0], []
    with open(text) as lines:
        for line in lines:
            label, *entries = line.split()
            labels.append(float(label))
            for entry in entries:
                index, value = entry.split(":")
                indices.append(int(index) - 1)
                data.append(float(value))
            offsets.append(len(indices))
    features = max(indices, default=-1) + 1
    matrix = sparse.csr_matrix((np.array(data), np.array(indices), np.array(offsets)), shape=(len(labels), features))
    return matrix, np.array(labels)


def golden_optimum(shared, name, loss, regularisation):
    """A stored optimum, or None."""
    path = os.path.join(shared, "golden", "optima.tsv")
    if name not in SOURCES or not os.path.exists(path):
        return None
    with open(path) as lines:
        next(lines)
        for line in lines:
            dataset, its_loss, its_lambda, _, objective, *_ = line.rstrip("\n").split("\t")
            if (dataset, its_loss, float(its_lambda)) == (SOURCES[name].golden, loss, regularisation):
                return float(objective)
    return None
