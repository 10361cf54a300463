"""The files that all solvers read, and the same rows in memory for computing objectives."""

import gzip
import os
from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Source:
    """A file in the shared data folder, and which of its labels is +1; empty if labels are numbers to predict."""

    file: str
    positive: str
    golden: str

    @property
    def regression(self):
        return not self.positive


SOURCES = {
    "covtype": Source("covtype.libsvm.binary.scale.gz", "2", "covtype.libsvm.binary.scale"),
    "higgs_204k": Source("higgs_204k_imbalanced.gz", "1", "higgs_204k_imbalanced"),
    "a9a": Source("a9a.gz", "1", "a9a"),
    "w8a": Source("w8a.gz", "1", "w8a"),
    "rcv1_cocoa_small": Source("rcv1_cocoa_small.train.gz", "1", "rcv1_cocoa_small.train"),
    "news20": Source("news20.gz", "1", "news20, class 1 against the rest"),
    "heart_scale": Source("heart_scale.gz", "1", "heart_scale"),
    "cadata": Source("cadata.gz", "", ""),
    "cpusmall": Source("cpusmall.gz", "", ""),
}


# Generated texts: rows of 70 words each, from 100,000 words of which a few are frequent and most are rare.
GENERATED = {"zipf_100k": 100_000, "zipf_1m": 1_000_000}
WORDS = 100_000
WORDS_PER_ROW = 70
ROWS_AT_ONCE = 10_000


@dataclass
class Data:
    """One problem: the text file that solvers load, and the file with its rows as arrays."""

    name: str
    file: str
    arrays: str
    rows: int
    features: int
    nonzeros: int
    regression: bool = False

    @property
    def density(self):
        return self.nonzeros / (self.rows * self.features)

    def measured(self):
        """The rows and the labels."""
        x, y = load_arrays(self.arrays)
        return sparse.csr_matrix((x.data.astype(np.float64), x.indices, x.indptr), shape=x.shape), y


def names():
    return [*SOURCES, *GENERATED]


def prepare(name, shared, work):
    """Decompresses a dataset once, with labels -1 and 1, or standardised for regression; keeps its arrays next to it."""
    os.makedirs(work, exist_ok=True)
    if name in GENERATED:
        text = os.path.join(work, name + ".txt")
        if not os.path.exists(text):
            with open(text + ".part", "w") as out:
                generate(GENERATED[name], out)
            os.replace(text + ".part", text)
        return from_text(name, text)
    source = SOURCES[name]
    compressed = os.path.join(shared, "data", source.file)
    if not os.path.exists(compressed):
        raise FileNotFoundError(f"{compressed} does not exist; use --shared to say where the data are")
    text = os.path.join(work, name + ".txt")
    if not os.path.exists(text):
        with gzip.open(compressed, "rb") as lines, open(text + ".part", "wb") as out:
            if source.regression:
                standardise(lines, out)
            else:
                relabel(lines, source.positive.encode(), out)
        os.replace(text + ".part", text)
    return from_text(name, text, source.regression)


def generate(rows, out, words=WORDS, seed=1):
    """Rows of norm 1 whose columns are drawn with the frequencies of words: the k-th has 1/k of the first's probability."""
    random = np.random.default_rng(seed)
    cumulative = np.cumsum(1 / np.arange(1, words + 1))
    meaning = random.normal(size=words)
    for start in range(0, rows, ROWS_AT_ONCE):
        count = min(ROWS_AT_ONCE, rows - start)
        draws = np.searchsorted(cumulative, cumulative[-1] * random.random((count, WORDS_PER_ROW)))
        noise = random.normal(size=count)
        for row, error in zip(draws, noise):
            columns = np.unique(np.minimum(row, words - 1))
            value = 1 / np.sqrt(len(columns))
            label = 1 if value * meaning[columns].sum() + 0.5 * error > 0 else -1
            entries = " ".join(f"{c}:{value:.6g}" for c in columns + 1)
            out.write(f"{label} {entries}\n")


def relabel(lines, positive, out):
    """Copies rows, replacing the label with 1 if it is the positive one and with -1 otherwise."""
    wanted = float(positive)
    for line in lines:
        parts = line.split(None, 1)
        if not parts:
            continue
        label = b"1" if float(parts[0]) == wanted else b"-1"
        rest = parts[1].strip() if len(parts) > 1 else b""
        out.write(label + b" " + rest + b"\n")


def standardise(lines, out):
    """Writes dense rows whose features have mean 0 and deviation 1, plus a last one that is always 1; labels have deviation 1."""
    x, y = parse_slowly(lines)
    x = x.toarray()
    x = np.column_stack([(x - x.mean(axis=0)) / np.maximum(x.std(axis=0), 1e-300), np.ones(len(y))])
    for row, label in zip(x, y / y.std()):
        entries = " ".join(f"{c}:{value:.9g}" for c, value in enumerate(row, 1))
        out.write(f"{label:.17g} {entries}\n".encode())


def from_text(name, text, regression=False):
    """A problem whose text file exists already."""
    arrays = text[: -len(".txt")] + ".npz"
    if not os.path.exists(arrays) or os.path.getmtime(arrays) < os.path.getmtime(text):
        x, y = parse(text)
        np.savez(arrays + ".part.npz", data=x.data, indices=x.indices, indptr=x.indptr, shape=x.shape, labels=y)
        os.replace(arrays + ".part.npz", arrays)
    with np.load(arrays) as stored:
        rows, features = (int(n) for n in stored["shape"])
        return Data(name, text, arrays, rows, features, int(stored["indptr"][-1]), regression)


def load_arrays(arrays):
    """The rows in double precision, as in the text, and the labels."""
    with np.load(arrays) as stored:
        shape = tuple(int(n) for n in stored["shape"])
        x = sparse.csr_matrix((stored["data"], stored["indices"], stored["indptr"]), shape=shape)
        return x, stored["labels"]


def parse(text):
    """Reads LIBSVM text with scikit-learn, or more slowly without it."""
    try:
        from sklearn.datasets import load_svmlight_file

        x, y = load_svmlight_file(text, dtype=np.float64)
    except ImportError:
        with open(text) as lines:
            x, y = parse_slowly(lines)
    x.indices = x.indices.astype(np.int32)
    return x, y.astype(np.float64)


def parse_slowly(lines):
    data, indices, offsets, labels = [], [], [0], []
    for line in lines:
        label, *entries = line.split()
        labels.append(float(label))
        for entry in entries:
            index, value = (float(part) for part in entry.split(":" if isinstance(entry, str) else b":"))
            indices.append(int(index) - 1)
            data.append(value)
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
