"""The output of bench/compare and bench/scaling: log lines during a run, a table and pictures at its end."""

import os
import sys

from . import picture, report
from .solvers import ROOT


def log(text):
    print(text, file=sys.stderr, flush=True)


def write(name, content, chosen):
    """Writes the tables and pictures of `compare` or `scaling`, and publishes the main ones if requested; returns the tables' file."""
    table = getattr(report, name)(content)
    path = os.path.join(chosen.out, f"{name}.md")
    with open(path, "w") as file:
        file.write(table)
    try:
        pictures = getattr(picture, name)(content, chosen.out)
    except Exception as problem:  # numbers matter more than pictures
        log(f"no picture: {problem}")
        pictures = []
    if chosen.publish:
        report.publish(ROOT, name, report.page(content) if name == "compare" else table, pictures)
    return path
