"""Pictures of results.json: a dot per solver and target, seconds on a logarithmic axis."""

import math
import os

from . import report

STARLING = "#c0392b"
OTHER = "#34495e"


def compare(content, folder):
    """Draws one picture per loss, with a row of panels per lambda and a panel per dataset; returns the files written."""
    cases = report.parse(content["sections"].get("cases", {}))
    written = []
    for loss in report.ordered(k[1] for k in cases):
        written += one_loss({k: r for k, r in cases.items() if k[1] == loss}, loss, folder)
    return written


def plotting():
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "starling"
    import matplotlib.pyplot

    return matplotlib.pyplot


def one_loss(cases, loss, folder):
    pyplot = plotting()
    names = report.ordered(k[0] for k in cases)
    lambdas = report.ordered(k[2] for k in cases)
    solvers = report.ordered(k[3] for k in cases)
    labels = [next(r["label"] for k, r in cases.items() if k[3] == solver) for solver in solvers]
    figure, panels = pyplot.subplots(
        len(lambdas),
        len(names),
        figsize=(3 + 2.3 * len(names), 1.2 + 0.3 * len(solvers) * len(lambdas) + 0.6 * len(lambdas)),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for row, regularisation in enumerate(lambdas):
        for column, name in enumerate(names):
            panel = panels[row][column]
            for place, solver in enumerate(solvers):
                record = cases.get((name, loss, regularisation, solver))
                if record:
                    dots(panel, len(solvers) - 1 - place, record, solver)
            dress(panel, len(solvers), labels)
            panel.set_title(f"{name}, λ = {regularisation:g}", fontsize=10)
    for panel in panels[-1]:
        panel.set_xlabel("seconds of solving")
    figure.suptitle(f"{loss}: seconds to a relative suboptimality of 1e-3 (hollow) and 1e-6 (filled); left is faster", fontsize=11)
    return save(figure, folder, f"compare-{loss}")


def dots(panel, height, record, solver):
    colour = STARLING if report.is_starling(solver) else OTHER
    times = {float(target): report.best(record, target) for target in record["targets"]}
    reached = {target: seconds for target, seconds in times.items() if seconds < float("inf")}
    if not reached:
        panel.text(0.02, height, "not reached", transform=panel.get_yaxis_transform(), fontsize=7, va="center", color="#999999")
        return
    panel.plot([max(1e-4, s) for s in reached.values()], [height] * len(reached), color=colour, linewidth=1)
    for target, seconds in sorted(reached.items(), reverse=True):
        # The hollow one is larger, so that both are visible if they coincide.
        face, size = (colour, 5) if target == min(times) else ("white", 8)
        panel.plot([max(1e-4, seconds)], [height], "o", color=colour, markerfacecolor=face, markersize=size)


def dress(panel, count, labels):
    panel.set_xscale("log")
    panel.tick_params(axis="x", which="minor", labelbottom=False)
    panel.set_xlim(*whole_decades(panel.get_xlim() if panel.lines else (0.1, 1)))
    panel.xaxis.set_major_formatter(lambda seconds, place: f"{seconds:g}")
    panel.tick_params(axis="x", labelsize=8)
    panel.set_ylim(-0.7, count - 0.3)
    panel.set_yticks(range(count))
    panel.set_yticklabels(labels[::-1], fontsize=9)
    panel.grid(axis="x", color="#dddddd", linewidth=0.8)
    panel.set_axisbelow(True)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)


def whole_decades(limits):
    """Limits at powers of ten, so that a panel always has at least two labels."""
    low, high = (math.log10(limit) for limit in limits)
    return 10 ** math.floor(low + 0.05), 10 ** math.ceil(high - 0.05)


def scaling(content, folder):
    """Draws seconds and memory against rows, with a line per solver; returns the files written."""
    pyplot = plotting()
    points = {}
    for place, one in content["sections"].get("scaling", {}).items():
        rows, label = place.split("|")
        if "seconds" in one:
            points.setdefault(label, []).append((int(rows), one["seconds"], one["peakBytes"] / 1e6))
    if not points:
        return []
    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    for index, title in ((1, "seconds of solving"), (2, "peak memory, MB")):
        panel = panels[index - 1]
        for label, line in points.items():
            line.sort()
            style = "o-" if label.startswith("Starling") else "s--"
            panel.plot([point[0] for point in line], [max(1e-3, point[index]) for point in line], style, label=label)
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xlabel("rows")
        panel.set_title(title)
        panel.grid(color="#dddddd", linewidth=0.8)
        panel.legend(fontsize=9)
    return save(figure, folder, "scaling")


def save(figure, folder, name):
    paths = [os.path.join(folder, f"{name}.{kind}") for kind in ("svg", "png")]
    figure.savefig(paths[0], metadata={"Date": None})
    figure.savefig(paths[1], dpi=110)
    plotting().close(figure)
    return paths
