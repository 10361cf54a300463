"""Two builds of Starling, compared as processes that run in turn: wall time, processor time and seconds of solving.

    PYTHONPATH=bench python3 -m harness.versions ../before/starling ./starling      # seven runs of each
    PYTHONPATH=bench python3 -m harness.versions ../before/starling ./starling 15 a9a

The two arguments are launchers of checkouts that are built; nothing is built here. The first run of each is not
counted. Files are read as they are shipped, compressed.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time

from .solvers import ROOT

LIMIT = 600
FILES = {
    "covtype": "covtype.libsvm.binary.scale.gz",
    "higgs_204k": "higgs_204k_imbalanced.gz",
    "a9a": "a9a.gz",
    "w8a": "w8a.gz",
}
OPTIONS = "--lambda 1e-4 --gap 1e-6 --nodes 2 --no-model --json -q".split()


def once(launcher, file):
    """Returns wall seconds, processor seconds and seconds of solving."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(
        [launcher, "train", file, *OPTIONS],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
        env={**os.environ, "STARLING_NO_BUILD": "1"},
    )
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, processor, json.loads(done.stdout)["seconds"]


def main():
    launchers = sys.argv[1:3]
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    wanted = sys.argv[4:]
    print("| | wall, s: first | second | ratio | processor: ratio | solving, ms: first | second | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, file in FILES.items():
        if wanted and name not in wanted:
            continue
        path = os.path.join(ROOT, "..", "shared", "data", file)
        runs = [[], []]
        for turn in range(repeats + 1):
            for which in (0, 1) if turn % 2 else (1, 0):
                measured = once(launchers[which], path)
                if turn:
                    runs[which].append(measured)
        (wall, processor, solving) = zip(*(zip(*times) for times in runs))
        middle = [[statistics.median(times) for times in pair] for pair in (wall, processor, solving)]
        ratio = [second / first for first, second in middle]
        walls = [f"{m:.2f} ({min(t):.2f}–{max(t):.2f})" for m, t in zip(middle[0], wall)]
        solved = [f"{1e3 * m:.0f} ({1e3 * min(t):.0f}–{1e3 * max(t):.0f})" for m, t in zip(middle[2], solving)]
        print(
            f"| {name} | {walls[0]} | {walls[1]} | {ratio[0]:.2f} | {ratio[1]:.2f} |"
            f" {solved[0]} | {solved[1]} | {ratio[2]:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
