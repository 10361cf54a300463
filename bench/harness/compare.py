"""bench/compare: solvers side by side, to the same measured suboptimality, on the same files."""

import argparse
import os
import statistics
import sys
import time
import traceback

from . import datasets, solvers
from .measure import Limits, Measurement
from .objective import PROBLEMS, objective
from .processes import Failed, end_children_on_termination, run
from .results import Results, machine
from .solvers import BENCH, ROOT, Case, Glmnet, Liblinear, Quantreg, Starling
from .writing import log, write

FULL = ["covtype", "higgs_204k", "a9a", "w8a", "rcv1_cocoa_small", "news20", "cadata", "cpusmall"]
QUICK = ["a9a", "w8a", "cadata"]
REFERENCE_SECONDS = 120
REFERENCES = (
    (Starling(2), 1e-10),
    (Liblinear("primal"), 1e-11),
    (Glmnet(), 1e-14),
    (Quantreg(), 1e-12),
    (Starling(2), 1e-8),
)


def options(arguments):
    parser = argparse.ArgumentParser(prog="bench/compare", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only a9a, w8a and cadata, one lambda, one repeat, no Spark")
    parser.add_argument("--fresh", action="store_true", help="repeat measurements that are already in results.json")
    parser.add_argument("--retry", action="store_true", help="repeat measurements that failed")
    parser.add_argument("--datasets", type=words, help=f"of {','.join(datasets.names())}")
    parser.add_argument("--losses", type=words, default=list(PROBLEMS), help=f"of {','.join(PROBLEMS)}")
    parser.add_argument("--lambdas", type=numbers, help="instead of those of each loss")
    parser.add_argument("--targets", type=numbers, default=[1e-3, 1e-6], help="relative suboptimalities")
    parser.add_argument("--solvers", type=words, help="only those whose key starts with one of these words")
    parser.add_argument("--repeats", type=int)
    parser.add_argument("--timeout", type=float, help="seconds a solver may search for its tolerance on one case")
    parser.add_argument("--no-spark", action="store_true", help="leave Spark out: it is a large download")
    parser.add_argument("--shared", default=os.path.join(ROOT, "..", "shared"), help="folder with data/ and golden/")
    parser.add_argument("--work", default=os.path.join(BENCH, "target", "work"), help="folder for decompressed data")
    parser.add_argument("--out", help="folder for results.json, table and pictures")
    parser.add_argument("--publish", action=argparse.BooleanOptionalAction, help="write docs/benchmarks.md")
    parser.add_argument("--report-only", action="store_true", help="measure nothing, only rewrite the table and pictures")
    chosen = parser.parse_args(arguments)
    quick = chosen.quick
    chosen.datasets = chosen.datasets or (QUICK if quick else FULL)
    chosen.repeats = chosen.repeats or (1 if quick else 3)
    chosen.timeout = chosen.timeout or (10 if quick else 120)
    chosen.out = chosen.out or os.path.join(BENCH, "target", "quick" if quick else "results")
    chosen.spark = not (chosen.no_spark or quick)
    if chosen.publish is None:
        chosen.publish = not quick and chosen.datasets == FULL and chosen.solvers is None
    unknown = [name for name in chosen.datasets if name not in datasets.names()]
    unknown += [loss for loss in chosen.losses if loss not in PROBLEMS]
    if unknown:
        parser.error(f"{unknown[0]} is not known here")
    return chosen


def words(text):
    return text.split(",")


def numbers(text):
    return [float(word) for word in words(text)]


def key(*parts):
    return "|".join(part if isinstance(part, str) else repr(part) for part in parts)


class Comparison:
    def __init__(self, chosen):
        self.chosen = chosen
        os.makedirs(chosen.out, exist_ok=True)
        self.results = Results(os.path.join(chosen.out, "results.json"), chosen.fresh)
        self.limits = Limits(chosen.repeats, chosen.timeout)

    def solvers(self):
        for solver in solvers.all_solvers():
            wanted = self.chosen.solvers is None or any(solver.key.startswith(word) for word in self.chosen.solvers)
            if wanted and (self.chosen.spark or solver.key != "spark"):
                yield solver

    def measure(self):
        self.forget_other_versions(machine(ROOT))
        self.results.content["options"] = {
            "repeats": self.limits.repeats, "searchSeconds": self.limits.seconds, "targets": self.chosen.targets
        }
        self.results.save()
        solvers.build(self.chosen.spark, log)
        for name in self.chosen.datasets:
            try:
                self.dataset(name)
            except Exception as problem:  # the next dataset may still work
                log(f"{name}: {problem}")
                traceback.print_exc()
                self.results.put("problems", name, str(problem))
            write("compare", self.results.content, self.chosen)

    def forget_other_versions(self, present):
        """Drops results of other versions of Starling, since a table names only one; they are measured again."""
        version = present["starling"].removesuffix("-dirty")
        before = self.results.content.setdefault("machine", present)["starling"].removesuffix("-dirty")
        cases = self.results.section("cases")
        stale = [place for place in cases if place.split("|")[3].startswith("starling")] if before != version else []
        for place in stale:
            del cases[place]
        if stale:
            log(f"Starling was {before} and is {version}: its {len(stale)} results are measured again")
        if before != version:
            self.results.content["machine"] = present

    def dataset(self, name):
        data = datasets.prepare(name, self.chosen.shared, self.chosen.work)
        self.results.put("datasets", name, {"rows": data.rows, "features": data.features, "nonzeros": data.nonzeros})
        rows = data.measured()
        if not data.regression:
            self.loading(data)
        for loss in self.chosen.losses:
            problem = PROBLEMS[loss]
            if problem.regression != data.regression:
                continue
            for regularisation in self.chosen.lambdas or problem.lambdas[: 1 if self.chosen.quick else None]:
                self.case(Case(data, loss, regularisation), rows)

    def case(self, case, rows):
        optimum = self.optimum(case, rows)
        for solver in self.solvers():
            if not solver.applies(case):
                continue
            place = key(case.data.name, case.loss, case.regularisation, solver.key)
            if self.is_done(self.results.get("cases", place)):
                continue
            start = time.monotonic()
            try:
                measured = Measurement(solver, case, rows, optimum, self.limits, self.chosen.work)
                record = measured.measure(self.chosen.targets)
            except Exception as problem:  # a defect here must not end a run of hours
                traceback.print_exc()
                failed = {"status": "failed", "reason": f"{type(problem).__name__}: {problem}"}
                targets = {repr(target): failed for target in self.chosen.targets}
                record = {"label": solver.label(case.loss), "targets": targets, "runs": []}
            self.results.put("cases", place, record)
            log(f"{place}: {self.summary(record)}  ({time.monotonic() - start:.0f} s)")

    def is_done(self, record):
        if record is None or any(repr(target) not in record["targets"] for target in self.chosen.targets):
            return False
        return not (self.chosen.retry and any(one["status"] != "ok" for one in record["targets"].values()))

    @staticmethod
    def summary(record):
        texts = []
        for target, one in record["targets"].items():
            texts.append(f"{target} {one['best']:.3f} s" if one["status"] == "ok" else f"{target} {one['reason']}")
        return ", ".join(texts)

    def optimum(self, case, rows):
        """The stored optimum, or else the best one found by Starling at 1e-10 and by others at their tightest tolerances."""
        place = key(case.data.name, case.loss, case.regularisation)
        known = self.results.get("optima", place)
        if known:
            return known["objective"]
        golden = datasets.golden_optimum(self.chosen.shared, case.data.name, case.loss, case.regularisation)
        if golden is not None:
            self.results.put("optima", place, {"objective": golden, "from": "stored optimum"})
            return golden
        found = []
        for solver, tolerance in REFERENCES:
            if not solver.applies(case) or (found and solver.certified and tolerance > 1e-10):
                continue
            try:
                runs = solver.open(case, solver.layouts_for(case)[-1], self.chosen.work)
                try:
                    answer = runs.solve(tolerance, REFERENCE_SECONDS)
                finally:
                    runs.close()
                value = objective(*rows, case.loss, case.regularisation, answer.weights)
                found.append((value, f"{solver.label(case.loss)} at {tolerance:g}"))
            except Failed as failure:
                log(f"{place}: optimum from {solver.key}: {failure}")
        if not found:
            raise Failed(f"no optimum of {place} to compare with")
        value, source = min(found)
        self.results.put("optima", place, {"objective": value, "from": source, "all": found})
        return value

    def loading(self, data):
        """Loading times of solvers that do not load the text file in their measured runs."""
        if self.results.get("loading", key(data.name, "LIBLINEAR")) is None:
            self.record_loading(data, "LIBLINEAR", self.liblinear_loading)
        if self.results.get("loading", key(data.name, "scikit-learn")) is None:
            self.record_loading(data, "scikit-learn", self.sklearn_loading)

    def record_loading(self, data, who, measure):
        try:
            seconds = [measure(data) for _ in range(self.limits.repeats)]
            value = {"best": min(seconds), "median": statistics.median(seconds), "seconds": seconds}
        except (Failed, ValueError) as failure:
            value = {"reason": str(failure)}
        self.results.put("loading", key(data.name, who), value)

    def liblinear_loading(self, data):
        """The time of liblinear-train with a tolerance at which it stops at once, minus that of train() alone."""
        case = Case(data, "logistic", 1e-4)
        model = os.path.join(self.chosen.work, "loading.model")
        done = run(["liblinear-train", "-s", "0", "-e", "1e10", "-c", repr(case.cost), "-q", data.file, model], 600)
        if done.code != 0:
            raise Failed(f"liblinear-train ended with exit code {done.code}")
        runs = Liblinear("primal").open(case, "", self.chosen.work)
        try:
            alone = runs.solve(1e10, 600).seconds
        finally:
            runs.close()
        return max(0.0, done.seconds - alone)

    def sklearn_loading(self, data):
        script = (
            "import sys, time\nfrom sklearn.datasets import load_svmlight_file\n"
            "start = time.perf_counter()\nload_svmlight_file(sys.argv[1])\nprint(time.perf_counter() - start)"
        )
        done = run([sys.executable, "-c", script, data.file], 1200)
        if done.code != 0:
            raise Failed("scikit-learn is missing or failed")
        return float(done.out)


def main():
    end_children_on_termination()
    chosen = options(sys.argv[1:])
    comparison = Comparison(chosen)
    load = os.getloadavg()[0]
    if load > 0.5:
        log(f"the machine is busy (load {load:.1f}): times will be too long and uneven")
    if not chosen.report_only:
        comparison.measure()
    print(write("compare", comparison.results.content, chosen))


if __name__ == "__main__":
    main()
