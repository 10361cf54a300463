"""The cost of having more nodes than cores, also on a busy machine: seconds of solving, medians.

    PYTHONPATH=bench python3 -m harness.nodes          # all problems, five runs of each
    PYTHONPATH=bench python3 -m harness.nodes 3 cadata # three runs of each on cadata

Every problem is solved to a certified gap of 1e-6 by one node, by four, and by four while eight other processes keep
all cores busy. The three alternate. The other processes belong to the same session, since Linux divides its
cores among sessions first.
"""

import json
import os
import statistics
import subprocess
import sys

from . import datasets
from .busy import STARLING, WORK
from .solvers import ROOT

OTHERS = 8
LIMIT = 600
PROBLEMS = [
    ("a9a", "--loss hinge --lambda 1e-4"),
    ("a9a", "--loss logistic --lambda 1e-4 --l1 1e-4"),
    ("w8a", "--loss hinge --lambda 1e-4"),
    ("w8a", "--loss logistic --lambda 1e-4"),
    ("cadata", "--loss quantile --quantile 0.5 --lambda 1e-8"),
    ("cpusmall", "--loss quantile --quantile 0.5 --lambda 1e-8"),
    ("covtype", "--loss hinge --lambda 1e-4"),
    ("covtype", "--loss logistic --lambda 1e-4"),
    ("higgs_204k", "--loss hinge --lambda 1e-4"),
]


def seconds(file, options, nodes):
    command = [*STARLING, "train", file, *options, "--gap", "1e-6", "--nodes", str(nodes), "--no-model", "--json", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    return json.loads(done.stdout)["seconds"]


def while_busy(file, options, nodes):
    others = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(OTHERS)]
    try:
        return seconds(file, options, nodes)
    finally:
        for other in others:
            other.kill()
            other.wait()


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    wanted = sys.argv[2:]
    print("| problem | one node: s | four nodes: s | ratio | four, busy: s | ratio |\n|---|---:|---:|---:|---:|---:|")
    for name, text in PROBLEMS:
        if wanted and name not in wanted:
            continue
        file = datasets.prepare(name, os.path.join(ROOT, "..", "shared"), WORK).file
        options = text.split()
        runs = [[], [], []]
        for _ in range(repeats):
            runs[0].append(seconds(file, options, 1))
            runs[1].append(seconds(file, options, 4))
            runs[2].append(while_busy(file, options, 4))
        one, four, busy = (statistics.median(times) for times in runs)
        shown = [f"{middle:.3f} ({min(times):.3f}–{max(times):.3f})" for middle, times in zip((one, four, busy), runs)]
        print(f"| {name}, `{text}` | {shown[0]} | {shown[1]} | {four / one:.2f} | {shown[2]} | {busy / four:.1f} |", flush=True)


if __name__ == "__main__":
    main()
