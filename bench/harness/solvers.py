"""The solvers: their names, how they are started, and which tolerances they accept."""

import json
import os
import sys
import time
from dataclasses import dataclass, field

import numpy as np

from .datasets import load_arrays
from .objective import PROBLEMS, cost
from .processes import Failed, Session, TimedOut, last_line, run, total_memory

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(BENCH)
LOAD_TIMEOUT = 600

JAVA = ["-XX:MaxRAMPercentage=80", "-XX:+UseSerialGC"]
SPARK_OPENS = [
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in (
        "java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent "
        "java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar"
    ).split()
]


@dataclass
class Case:
    """A problem to solve."""

    data: object
    loss: str
    regularisation: float

    @property
    def problem(self):
        return PROBLEMS[self.loss]

    @property
    def cost(self):
        return cost(self.loss, self.regularisation, self.data.rows)


@dataclass
class Answer:
    """The result of one run of a solver."""

    seconds: float
    load_seconds: float
    weights: np.ndarray
    details: dict = field(default_factory=dict)


def decades(first, last):
    return [10.0**k for k in range(first, last - 1, -1)]


class Solver:
    """Solves a case to a tolerance, whose meaning depends on the solver."""

    name = ""
    # Whether the tolerance is the relative suboptimality itself, which the solver certifies.
    certified = False
    layouts = ("",)

    def tolerances(self, case):
        raise NotImplementedError

    def applies(self, case):
        raise NotImplementedError

    def layouts_for(self, case):
        return self.layouts

    def open(self, case, layout, work):
        """Returns an object with solve(tolerance, timeout) and close()."""
        raise NotImplementedError


class SessionRuns:
    """Runs in one process that keeps the rows in memory, or each in a new process."""

    def __init__(self, start, work, cold):
        self.start = start
        self.cold = cold
        self.session = None
        self.file = os.path.join(work, f"weights-{os.getpid()}.bin")

    def solve(self, tolerance, timeout):
        try:
            if self.session is None:
                self.session = self.start()
            seconds = self.session.solve(tolerance, self.file, timeout)
            answer = Answer(seconds, self.session.load_seconds, np.fromfile(self.file, "<f8"))
        except Failed:
            self.close()
            raise
        if self.cold:
            self.close()
        return answer

    def close(self):
        if self.session is not None:
            self.session.close()
            self.session = None
        if os.path.exists(self.file):
            os.remove(self.file)


def python(module, *arguments):
    env = dict(os.environ, PYTHONPATH=BENCH)
    return Session(
        [sys.executable, "-m", f"harness.{module}", *map(str, arguments)],
        LOAD_TIMEOUT,
        memory_limit=int(0.9 * total_memory()),
        env=env,
    )


def classpath(libraries):
    folder = os.path.join(BENCH, "target", libraries)
    classes = os.path.join(BENCH, "target", "classes")
    if not os.path.isdir(folder):
        raise Failed(f"{folder} is missing: the build of the bench module failed")
    return classes + os.pathsep + os.path.join(folder, "*")


class Liblinear(Solver):
    """LIBLINEAR's C code; solver numbers as in its manual."""

    SOLVERS = {
        ("logistic", "primal"): 0,
        ("logistic", "dual"): 7,
        ("squared-hinge", "primal"): 2,
        ("squared-hinge", "dual"): 1,
        ("hinge", "dual"): 3,
        ("l1-logistic", "primal"): 6,
    }

    def __init__(self, form):
        self.form = form
        self.key = f"liblinear-{form}"
        self.dual = form == "dual"

    def label(self, loss):
        return f"LIBLINEAR -s {self.SOLVERS[loss, self.form]}"

    def applies(self, case):
        return (case.loss, self.form) in self.SOLVERS

    def tolerances(self, case):
        return decades(1, -9) if self.dual else decades(0, -10)

    def number(self, case):
        return self.SOLVERS[case.loss, self.form]

    def open(self, case, layout, work):
        def start():
            return python("liblinear_worker", case.data.arrays, self.number(case), repr(case.cost))

        return SessionRuns(start, work, cold=False)


class LiblinearJava(Liblinear):
    """The Java port of LIBLINEAR, from a cold JVM like Starling."""

    def __init__(self, form):
        super().__init__(form)
        self.key = f"liblinear-java-{form}"

    def label(self, loss):
        return f"liblinear-java -s {self.SOLVERS[loss, self.form]}"

    def open(self, case, layout, work):
        def start():
            command = ["java", *JAVA, "-cp", classpath("lib"), "dev.starling.bench.LiblinearJava"]
            return Session([*command, case.data.file, str(self.number(case)), repr(case.cost)], LOAD_TIMEOUT)

        return SessionRuns(start, work, cold=True)


class ScikitLearn(Solver):
    """An estimator of scikit-learn, or statsmodels' quantile regression, on sparse rows or, if that may be faster, on dense ones."""

    def __init__(self, estimator, *losses):
        self.estimator = estimator
        self.losses = losses
        self.key = f"sklearn-{estimator}"

    def label(self, loss):
        names = {
            "linear-svc-dual": "LinearSVC dual",
            "linear-svc-primal": "LinearSVC primal",
            "linear-svc-hinge": "LinearSVC hinge",
            "quantile": "QuantileRegressor",
        }
        if self.estimator == "quantreg":
            return "statsmodels QuantReg"
        return f"scikit-learn {names.get(self.estimator, self.estimator)}"

    def applies(self, case):
        return case.loss in self.losses

    def layouts_for(self, case):
        fits = 8 * case.data.rows * case.data.features <= 4e9
        if self.estimator in ("quantile", "quantreg"):
            return ("dense",)
        if self.estimator.startswith("linear-svc") or not fits or case.data.density < 0.03:
            return ("sparse",)
        return ("dense", "sparse")

    def tolerances(self, case):
        if self.estimator in ("lbfgs", "newton-cg"):
            # The tolerance is compared with the gradient of a sum over rows, so it is in units of their number.
            return [case.data.rows * tolerance for tolerance in decades(-1, -12)]
        if self.estimator == "newton-cholesky":
            return decades(-1, -12)
        if self.estimator in ("quantile", "quantreg"):
            return decades(-3, -10)
        if self.estimator in ("linear-svc-dual", "linear-svc-hinge"):
            return decades(1, -9)
        return decades(0, -10)

    def open(self, case, layout, work):
        needed = 8 * case.data.features**2
        if self.estimator == "newton-cholesky" and 2 * needed > 0.8 * total_memory():
            raise Failed(f"its Hessian of {case.data.features} x {case.data.features} needs {needed / 1e9:.0f} GB")

        def start():
            penalty = case.problem.quantile or case.problem.l1 / (case.problem.l1 + case.problem.ridge)
            return python("sklearn_worker", case.data.arrays, self.estimator, layout, repr(case.cost), repr(penalty))

        return SessionRuns(start, work, cold=False)


class RPackage(Solver):
    """An R package, which reads rows from binary files."""

    def open(self, case, layout, work):
        def start():
            files = r_files(case.data, work)
            command = ["Rscript", "--vanilla", os.path.join(BENCH, "harness", "r_worker.R"), files]
            size = [str(case.data.rows), str(case.data.features)]
            return Session([*command, *size, self.key, layout, *self.arguments(case)], LOAD_TIMEOUT)

        return SessionRuns(start, work, cold=False)

    def arguments(self, case):
        """The arguments that tell the script about the problem."""
        raise NotImplementedError


def r_files(data, work):
    """Writes the columns of a sparse matrix and the labels to files that R can read; returns their common prefix."""
    prefix = os.path.join(work, data.name)
    if not os.path.exists(prefix + ".labels"):
        x, y = load_arrays(data.arrays)
        columns = x.tocsc()
        for name, values in (("values", columns.data), ("rows", columns.indices), ("starts", columns.indptr)):
            kind = "<f8" if name == "values" else "<i4"
            values.astype(kind).tofile(f"{prefix}.{name}")
        y.astype("<f8").tofile(prefix + ".labels")
    return prefix


class Glmnet(RPackage):
    """R's glmnet at one lambda, with or without a path of larger ones before it as its manual advises; or on a whole path."""

    key = "glmnet"

    def label(self, loss):
        return "glmnet (R)"

    def applies(self, case):
        return case.problem.l1

    def layouts_for(self, case):
        return ("path",) if case.problem.path else ("single", "warm")

    def tolerances(self, case):
        return decades(-4, -20)

    def arguments(self, case):
        return [f"{ridge!r},{l1!r}" for ridge, l1 in case.problem.penalties(case.regularisation)]


class Quantreg(RPackage):
    """R's quantreg: the interior point method, the same on a sample and what it leaves open, or the exact simplex method."""

    key = "quantreg"

    def label(self, loss):
        return "quantreg (R)"

    def applies(self, case):
        return case.problem.regression

    def layouts_for(self, case):
        return ("fn", "pfn", "br")

    def tolerances(self, case):
        return decades(-2, -12)

    def arguments(self, case):
        return [repr(case.problem.quantile)]


class Conquer(Quantreg):
    """R's conquer, which smooths the loss over a bandwidth: that is its tolerance, in units of the labels' deviation."""

    key = "conquer"

    def label(self, loss):
        return "conquer (R)"

    def layouts_for(self, case):
        return ("",)

    def tolerances(self, case):
        return decades(0, -6)


class SparkMllib(Solver):
    """Spark MLlib in local mode; its runs share a session, so all but the first are warm."""

    key = "spark"

    def label(self, loss):
        return "Spark MLlib local"

    def applies(self, case):
        return case.loss == "logistic"

    def tolerances(self, case):
        return decades(-1, -12)

    def open(self, case, layout, work):
        def start():
            command = ["java", "-XX:MaxRAMPercentage=80", *SPARK_OPENS, "-cp", classpath("spark-lib")]
            cores = str(os.cpu_count() or 2)
            arguments = [case.data.file, cores, repr(case.regularisation)]
            return Session([*command, "dev.starling.bench.SparkMllib", *arguments], LOAD_TIMEOUT)

        return SessionRuns(start, work, cold=False)


class Starling(Solver):
    """Starling's command line, from a cold JVM; its tolerance is the gap that it certifies."""

    def __init__(self, nodes, searched=False, method=""):
        self.nodes = nodes
        # The method to ask for; empty for the default.
        self.method = method
        # Whether the gap to request is searched for, like the tolerances of other solvers.
        self.searched = searched
        self.certified = not searched
        self.key = f"starling-{nodes}{'-searched' if searched else ''}{'-' + method if method else ''}"

    def label(self, loss):
        how = ", gap searched" if self.searched else f", {self.method}" if self.method else ""
        return f"Starling, {self.nodes} node{'s' if self.nodes > 1 else ''}{how}"

    def tolerances(self, case):
        return decades(-1, -8)

    def applies(self, case):
        # Dual steps are for many features: with few they are not what anyone would ask for.
        return self.method != "dual" or (case.data.features > 500 and not case.problem.path and not case.problem.regression)

    def open(self, case, layout, work):
        return StarlingRuns(case, self.nodes, self.method or "auto", work)


class StarlingRuns:
    def __init__(self, case, nodes, method, work):
        self.case = case
        self.nodes = nodes
        self.method = method
        self.model = os.path.join(work, f"model-{os.getpid()}.json")

    def solve(self, tolerance, timeout):
        command = [os.path.join(ROOT, "starling"), "train", self.case.data.file, "--json", "-q"]
        command += ["--loss", self.case.problem.loss, *self.penalty(), "--gap", repr(tolerance)]
        command += ["--nodes", str(self.nodes), "--method", self.method, "--model", self.model, "--max-seconds", repr(float(timeout))]
        done = run(command, timeout + LOAD_TIMEOUT, env=dict(os.environ, STARLING_NO_BUILD="1"))
        try:
            report = json.loads(done.out)
        except ValueError as problem:
            raise Failed(f"ended with exit code {done.code}: {last_line(done.err)}") from problem
        if not report["certified"]:
            raise TimedOut(f"gap {report['gap']} after {report['seconds']:.0f} s: {report['outcome']}")
        details = {name: report[name] for name in ("gap", "objective", "dual", "epochs", "rounds")}
        details.update(wallSeconds=done.seconds, peakBytes=done.peak_bytes)
        return Answer(report["seconds"], report["loadSeconds"], self.weights(), details)

    def penalty(self):
        penalties = self.case.problem.penalties(self.case.regularisation)
        if self.case.problem.path:
            return ["--lambda-path", ",".join(repr(ridge) for ridge, _ in penalties), "--l1-ratios", "0.5"]
        [(ridge, l1)] = penalties
        return ["--lambda", repr(ridge)] + (["--l1", repr(l1)] if l1 else [])

    def weights(self):
        """The weights of the model, or of all models on the path one after another."""
        with open(self.model) as file:
            model = json.load(file)
        entries = model["path"] if self.case.problem.path else [model]
        vectors = [self.vector(entry["weights"][0], model["features"]) for entry in entries]
        sign = -1 if not self.case.problem.regression and model["classes"][1] < 0 else 1
        return sign * np.concatenate(vectors)

    @staticmethod
    def vector(weights, features):
        if isinstance(weights, dict):
            dense = np.zeros(features)
            dense[weights["columns"]] = weights["values"]
            return dense
        return np.asarray(weights, dtype=np.float64)

    def close(self):
        if os.path.exists(self.model):
            os.remove(self.model)


def all_solvers():
    logistic = [ScikitLearn(name, "logistic") for name in ("lbfgs", "newton-cholesky", "newton-cg")]
    nets = [ScikitLearn("saga", "logistic", "l1-logistic", "net-logistic"), Glmnet()]
    hinge = [ScikitLearn(name, "squared-hinge") for name in ("linear-svc-primal", "linear-svc-dual")]
    hinge.append(ScikitLearn("linear-svc-hinge", "hinge"))
    quantiles = [ScikitLearn(name, "median", "upper-decile") for name in ("quantile", "quantreg")]
    quantiles += [Quantreg(), Conquer()]
    liblinear = [Liblinear("primal"), Liblinear("dual"), LiblinearJava("primal"), LiblinearJava("dual")]
    starling = [Starling(1), Starling(1, method="dual"), Starling(1, searched=True), Starling(2)]
    return [*starling, *liblinear, *logistic, *nets, *hinge, *quantiles, SparkMllib()]


def build(spark, log):
    """Builds what is started from here; whatever fails to build is reported as missing later."""
    commands = [("starling", [os.path.join(ROOT, "starling"), "--version"])]
    maven = ["mvn", "-q", "-B", "-Dmaven.test.skip=true", "-pl", "bench", "-am", "package", "-P"]
    commands.append(("the Java port of LIBLINEAR", maven + ["bench,!checks"]))
    if spark:
        commands.append(("Spark", maven + ["bench,bench-spark,!checks"]))
    for what, command in commands:
        start = time.perf_counter()
        try:
            done = run(command, 1800, cwd=ROOT)
            problem = "" if done.code == 0 else last_line(done.out + done.err)
        except Failed as failure:
            problem = str(failure)
        log(f"build {what}: {problem or 'done'} ({time.perf_counter() - start:.0f} s)")
