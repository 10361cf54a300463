"""CPU seconds of whole processes, Starling and LIBLINEAR in turn: comparable even on a machine that is doing other work.

    PYTHONPATH=bench python3 -m harness.busy zipf_100k logistic,squared-hinge 1e-6

LIBLINEAR is run with tolerances 0.1, 0.01, … until its objective is at most 1e-6 above the one that Starling certifies to 1e-6.
Seconds are user and system time together, including start-up and loading; those of a run that stops at once follow.
"""

import json
import os
import shlex
import subprocess
import sys

import numpy as np

from . import datasets
from .objective import objective
from .solvers import BENCH, ROOT, Case, Liblinear

TARGET = 1e-6
WORK = os.path.join(BENCH, "target", "work")
STARLING = shlex.split(os.environ.get("STARLING", os.path.join(ROOT, "starling")))


def seconds_of(command):
    """The output of a command, and the CPU seconds it took."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    # 1 is the exit code of a run that was ended by its limit.
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} ended with status {status}")
    return text, usage.ru_utime + usage.ru_stime


def starling(case, *more):
    text, seconds = seconds_of([
        *STARLING, "train", case.data.file, "--loss", case.loss, "--lambda", repr(case.regularisation),
        "--gap", repr(TARGET), "--nodes", "1", "--no-model", "--json", "-q", *more,
    ])
    return json.loads(text), seconds


def liblinear(case, form, tolerance, rows):
    model = os.path.join(WORK, f"busy-{os.getpid()}.model")
    solver = str(Liblinear(form).number(case))
    command = ["liblinear-train", "-q", "-s", solver, "-c", repr(case.cost), "-e", repr(tolerance), case.data.file, model]
    _, seconds = seconds_of(command)
    with open(model) as lines:
        head, weights = lines.read().split("\nw\n")
    os.remove(model)
    # The weights belong to the label that is listed first.
    sign = 1 if head.split("label ")[1].split()[0] == "1" else -1
    return objective(*rows, case.loss, case.regularisation, sign * np.array(weights.split(), float)), seconds


def compare(case, rows):
    print(f"{case.data.name}, {case.loss}, {case.regularisation:g}", flush=True)
    found, seconds = starling(case)
    _, start = starling(case, "--max-epochs", "1")
    print(f"  Starling: {seconds:.2f} s, {start:.2f} to start; {found['epochs']:g} passes, gap {found['gap']:.1e}", flush=True)
    for form in ("primal", "dual"):
        label = Liblinear(form).label(case.loss)
        _, start = liblinear(case, form, 1e10, rows)
        for tolerance in (0.1, 0.01, 1e-3, 1e-4, 1e-5):
            value, seconds = liblinear(case, form, tolerance, rows)
            above = value / found["objective"] - 1
            print(f"  {label} -e {tolerance:g}: {seconds:.2f} s, {start:.2f} to start; {above:.1e} above", flush=True)
            if above <= TARGET:
                break


def main():
    names, losses, lambdas = (argument.split(",") for argument in sys.argv[1:4])
    for name in names:
        data = datasets.prepare(name, os.path.join(ROOT, "..", "shared"), WORK)
        rows = data.measured()
        for loss in losses:
            for regularisation in lambdas:
                compare(Case(data, loss, float(regularisation)), rows)


if __name__ == "__main__":
    main()
