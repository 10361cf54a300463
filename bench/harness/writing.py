"""What bench/compare and bench/scaling tell: lines on the way, a table and pictures at the end."""

import os
import sys

from . import picture, report
from .solvers import ROOT


def log(text):
    print(text, file=sys.stderr, flush=True)


def write(name, content, chosen):
    """The table and pictures of `compare` or `scaling`, published if that is chosen; returns the file of the table."""
    table = getattr(report, name)(content)
    path = os.path.join(chosen.out, f"{name}.md")
    with open(path, "w") as file:
        file.write(table)
    try:
        pictures = getattr(picture, name)(content, chosen.out)
    except Exception as problem:  # numbers count more than pictures
        log(f"no picture: {problem}")
        pictures = []
    if chosen.publish:
        report.publish(ROOT, name, table, pictures)
    return path
