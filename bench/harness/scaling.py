"""bench/scaling: how time and memory grow with the number of rows, on generated data."""

import argparse
import os
import shutil
import sys
import traceback

from . import datasets, solvers
from .measure import Limits, Measurement
from .objective import objective
from .processes import Failed, end_children_on_termination, run
from .results import Results, machine
from .solvers import BENCH, LOAD_TIMEOUT, ROOT, Case, Liblinear, Starling
from .writing import log, write

LOSS = "logistic"
BYTES_PER_ROW = 400


def options(arguments):
    parser = argparse.ArgumentParser(prog="bench/scaling", description=__doc__)
    parser.add_argument("--rows", type=lambda text: [int(float(word)) for word in text.split(",")])
    parser.add_argument("--quick", action="store_true", help="10^4 and 10^5 rows")
    parser.add_argument("--fresh", action="store_true", help="repeat measurements that are already there")
    parser.add_argument("--features", type=int, default=54)
    parser.add_argument("--density", type=float, default=0.22)
    parser.add_argument("--conditioning", type=float, default=100)
    parser.add_argument("--lambda", dest="regularisation", type=float, default=1e-4)
    parser.add_argument("--target", type=float, default=1e-6, help="relative suboptimality")
    parser.add_argument("--timeout", type=float, default=900, help="seconds a solver may search for its tolerance")
    parser.add_argument("--work", default=os.path.join(BENCH, "target", "work"))
    parser.add_argument("--out")
    parser.add_argument("--publish", action=argparse.BooleanOptionalAction, help="write docs/benchmarks.md")
    chosen = parser.parse_args(arguments)
    if chosen.publish is None:
        chosen.publish = not chosen.quick and chosen.rows is None
    chosen.rows = chosen.rows or ([10**4, 10**5] if chosen.quick else [10**4, 10**5, 10**6, 10**7])
    chosen.out = chosen.out or os.path.join(BENCH, "target", "quick-scaling" if chosen.quick else "scaling")
    return chosen


class Scaling:
    def __init__(self, chosen):
        self.chosen = chosen
        os.makedirs(chosen.work, exist_ok=True)
        os.makedirs(chosen.out, exist_ok=True)
        self.results = Results(os.path.join(chosen.out, "results.json"), chosen.fresh)

    def measure(self):
        self.results.content.setdefault("machine", machine(ROOT))
        self.results.content["options"] = {"repeats": 1, **{k: v for k, v in vars(self.chosen).items() if k != "out"}}
        self.results.save()
        solvers.build(False, log)
        for rows in self.chosen.rows:
            try:
                self.size(rows)
            except Exception as problem:  # the results of smaller sizes are kept
                traceback.print_exc()
                self.results.put("problems", str(rows), str(problem))
            write("scaling", self.results.content, self.chosen)

    def generate(self, rows):
        text = os.path.join(self.chosen.work, f"generated-{rows}.txt")
        if not os.path.exists(text):
            free = shutil.disk_usage(self.chosen.work).free
            if free < 3 * BYTES_PER_ROW * rows:
                raise Failed(f"{free / 1e9:.0f} GB free, {3 * BYTES_PER_ROW * rows / 1e9:.0f} GB needed")
            command = [os.path.join(ROOT, "starling"), "generate", text + ".part", "--rows", str(rows)]
            command += ["--features", str(self.chosen.features), "--density", str(self.chosen.density)]
            command += ["--conditioning", str(self.chosen.conditioning), "--seed", "1"]
            done = run(command, 3600)
            if done.code != 0:
                raise Failed(f"generate: {done.err.strip()}")
            os.replace(text + ".part", text)
        return datasets.from_text(f"generated-{rows}", text)

    def size(self, rows):
        chosen = [Starling(2), Starling(1), Liblinear("primal"), Liblinear("dual")]
        if all(self.results.get("scaling", f"{rows}|{solver.label(LOSS)}") for solver in chosen):
            return
        data = self.generate(rows)
        case = Case(data, LOSS, self.chosen.regularisation)
        arrays = data.measured()
        optimum = self.optimum(case, arrays)
        for solver in chosen:
            place = f"{rows}|{solver.label(LOSS)}"
            if self.results.get("scaling", place):
                continue
            limits = Limits(1, self.chosen.timeout)
            record = Measurement(solver, case, arrays, optimum, limits, self.chosen.work).measure([self.chosen.target])
            self.results.put("scaling", place, self.grown(solver, case, record))
            log(f"{place}: {self.results.get('scaling', place)}")

    def optimum(self, case, arrays):
        place = case.data.name
        known = self.results.get("optima", place)
        if known is None:
            runs = Starling(2).open(case, "", self.chosen.work)
            try:
                answer = runs.solve(1e-9, self.chosen.timeout)
            finally:
                runs.close()
            known = objective(*arrays, case.loss, case.regularisation, answer.weights)
            self.results.put("optima", place, known)
        return known

    def grown(self, solver, case, record):
        reached = record["targets"][repr(self.chosen.target)]
        if reached["status"] != "ok":
            return {"reason": reached["reason"]}
        if solver.certified:
            used = next(one for one in record["runs"] if one["tolerance"] == self.chosen.target)
            return {name: used[name] for name in ("seconds", "loadSeconds", "wallSeconds", "peakBytes", "epochs")}
        model = os.path.join(self.chosen.work, "scaling.model")
        command = ["liblinear-train", "-s", str(solver.number(case)), "-c", repr(case.cost), "-q"]
        try:
            done = run([*command, "-e", repr(reached["tolerance"]), case.data.file, model], self.chosen.timeout + LOAD_TIMEOUT)
        except Failed as failure:
            return {"reason": str(failure)}
        if done.code != 0:
            return {"reason": f"liblinear-train ended with exit code {done.code}"}
        return {
            "seconds": reached["best"],
            "wallSeconds": done.seconds,
            "peakBytes": done.peak_bytes,
            "tolerance": reached["tolerance"],
        }


def main():
    end_children_on_termination()
    chosen = options(sys.argv[1:])
    scaling = Scaling(chosen)
    scaling.measure()
    print(write("scaling", scaling.results.content, chosen))


if __name__ == "__main__":
    main()
