"""The solver's end of processes.Session."""

import sys
import time


def serve(load, solve):
    out = sys.stdout
    sys.stdout = sys.stderr
    start = time.perf_counter()
    state = load()
    print(f"loaded {time.perf_counter() - start:.6f}", file=out, flush=True)
    for line in sys.stdin:
        tolerance, file = line.rstrip("\n").split(" ", 1)
        seconds, weights = solve(state, float(tolerance))
        weights.astype("<f8").tofile(file)
        print(f"solved {seconds:.6f}", file=out, flush=True)
