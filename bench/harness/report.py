"""Markdown tables, made from results.json alone."""

import math
import os
import shutil

from .solvers import all_solvers

PENALTY = "Not here: Smile's logistic regression always fits an intercept that it does not penalise, and takes dense rows only."
TRIBUO = (
    "Tribuo's LIBLINEAR trainer adds a bias feature to every row, and its own linear trainers are stochastic gradients"
    " without this penalty. Neither minimises this objective."
)


def parse(cases):
    """(dataset, loss, lambda, solver) -> record, with solvers in the order of their list, not of their measurement."""
    known = [solver.key for solver in all_solvers()]
    parsed = {}
    for place, record in cases.items():
        dataset, loss, regularisation, solver = place.split("|")
        parsed[dataset, loss, float(regularisation), solver] = record
    return dict(sorted(parsed.items(), key=lambda item: known.index(item[0][3]) if item[0][3] in known else len(known)))


def ordered(values):
    return list(dict.fromkeys(values))


def number(seconds):
    for least, digits in ((100, 0), (10, 1), (1, 2), (0.01, 3)):
        if seconds >= least:
            return f"{seconds:.{digits}f}"
    return f"{seconds:.4f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def compare(content):
    sections = content["sections"]
    cases = parse(sections.get("cases", {}))
    parts = [machine(content), summary(cases), loading(sections, cases)]
    notes = []
    for loss in ordered(k[1] for k in cases):
        for regularisation in ordered(k[2] for k in cases if k[1] == loss):
            for target in ordered(t for k, r in cases.items() if k[1:3] == (loss, regularisation) for t in r["targets"]):
                parts.append(seconds(cases, loss, regularisation, target, notes))
    parts.append(footnotes(notes, sections))
    return "\n".join(part for part in parts if part)


def page(content):
    """What is published: the ratios, without the tables of what every solver took."""
    sections = content["sections"]
    cases = parse(sections.get("cases", {}))
    return "\n".join(part for part in (machine(content), summary(cases), loading(sections, cases)) if part)


def machine(content):
    facts = content.get("machine", {})
    options = content.get("options", {})
    return (
        f"Measured on {facts.get('processor')}, {facts.get('cores')} cores, {facts.get('memoryGB')} GB,"
        f" {facts.get('system')}; {facts.get('java')}; LIBLINEAR {facts.get('liblinear')},"
        f" scikit-learn {facts.get('scikit-learn')}, OpenBLAS {facts.get('openblas')},"
        f" glmnet {facts.get('glmnet')}, quantreg {facts.get('quantreg')},"
        f" conquer {facts.get('conquer')}, statsmodels {facts.get('statsmodels')} (Debian);"
        f" Starling {facts.get('starling')}; load average at the start {facts.get('loadAverageAtStart')};"
        f" {options.get('repeats')} repeats; written {content.get('written')}.\n"
    )


def best(record, target):
    one = record["targets"].get(target, {"status": "failed"})
    return one["best"] if one["status"] == "ok" else math.inf


def fastest(cases, place, target, wanted):
    found = [
        (best(record, target), record["label"])
        for (dataset, loss, regularisation, solver), record in cases.items()
        if (dataset, loss, regularisation) == place and wanted(solver)
    ]
    return min(found, default=(math.inf, ""))


def is_starling(solver):
    return solver.startswith("starling")


def ratio(other, own):
    if math.isinf(own):
        return "Starling failed"
    return "–" if math.isinf(other) else f"{other / own:.2f}"


def summary(cases):
    rows = []
    for place in ordered(k[:3] for k in cases):
        own_record = cases.get((*place, "starling-1"))
        if own_record is None:
            continue
        for target in own_record["targets"]:
            own = best(own_record, target)
            dual = fastest(cases, place, target, lambda solver: solver == "starling-1-dual")[0]
            searched = fastest(cases, place, target, lambda solver: solver == "starling-1-searched")[0]
            other, name = fastest(cases, place, target, lambda solver: not is_starling(solver))
            dataset, loss, regularisation = place
            rows.append(
                [
                    f"{dataset}, {loss}, {regularisation:g}, to {float(target):g}",
                    "–" if math.isinf(own) else number(own),
                    "–" if math.isinf(dual) else number(dual),
                    "–" if math.isinf(searched) else number(searched),
                    "none" if math.isinf(other) else f"{name} {number(other)}",
                    ratio(other, own),
                    ratio(other, dual) if not math.isinf(dual) else "",
                ]
            )
    if not rows:
        return ""
    head = ["problem", "Starling: s", "`--method dual`: s", "gap searched: s", "fastest other: s", "ratio", "dual's ratio"]
    text = "Seconds of solving, best of the repeats, and seconds of the fastest other solver divided by Starling's: above 1, Starling is faster. Starling has one node, its default, and proves the target, except where the gap it is asked for was searched like the tolerances of the others."
    return f"### Ratios\n\n{text}\n\n" + table(head, rows)


def seconds(cases, loss, regularisation, target, notes):
    chosen = {(k[0], k[3]): r for k, r in cases.items() if k[1:3] == (loss, regularisation)}
    names = ordered(dataset for dataset, _ in chosen)
    rows = []
    for solver in ordered(solver for _, solver in chosen):
        label = next(r["label"] for (_, s), r in chosen.items() if s == solver)
        row = [label]
        for name in names:
            row.append(cell(chosen.get((name, solver)), target, notes))
        rows.append(row)
    title = f"### {loss}, lambda {regularisation:g}, to {float(target):g}\n\nSeconds of solving: best (median).\n\n"
    return title + table(["solver", *names], rows)


def cell(record, target, notes):
    if record is None or target not in record["targets"]:
        return ""
    one = record["targets"][target]
    if one["status"] == "ok":
        return f"{number(one['best'])} ({number(one['median'])})"
    if one["reason"] not in notes:
        notes.append(one["reason"])
    return f"– [{notes.index(one['reason']) + 1}]"


def loading(sections, cases):
    names = ordered(sections.get("datasets", {}))
    loads = {}
    for place, value in sections.get("loading", {}).items():
        name, who = place.split("|")
        loads[who, name] = [value["best"]] if "best" in value else []
    for (name, _, _, solver), record in cases.items():
        who = "Starling" if is_starling(solver) else "liblinear-java" if "java" in solver else "Spark MLlib" if solver == "spark" else None
        if who:
            times = [t for one in record["targets"].values() if one["status"] == "ok" for t in one["loadSeconds"]]
            loads.setdefault((who, name), []).extend(times)
    rows = []
    for who in ordered(["Starling"] + [who for who, _ in loads]):
        rows.append([who] + [load_cell(loads.get((who, name))) for name in names])
    if not names:
        return ""
    return "### Loading\n\nSeconds from the text file to rows in memory, best.\n\n" + table(["", *names], rows)


def load_cell(times):
    return number(min(times)) if times else "–"


def footnotes(notes, sections):
    lines = [f"- [{index}] {note}" for index, note in enumerate(notes, 1)]
    lines += [f"- {name}: {problem}" for name, problem in sections.get("problems", {}).items()]
    lines += [f"- {PENALTY} {TRIBUO}"]
    optima = sections.get("optima", {})
    other = [f"{place.replace('|', ', ')}: {one['from']}" for place, one in optima.items() if one["from"] != "stored optimum"]
    if other:
        lines.append("- Optima not from the stored table: " + "; ".join(other))
    return "### Notes\n\n" + "\n".join(lines) + "\n"


def scaling(content):
    sections = content["sections"]
    sizes = ordered(place.split("|")[0] for place in sections.get("scaling", {}))
    labels = ordered(place.split("|")[1] for place in sections.get("scaling", {}))
    parts = [machine(content)]
    notes = []
    quantities = (
        ("solving, s", lambda one: number(one["seconds"])),
        ("reading and solving, s", lambda one: number(one["wallSeconds"])),
        ("peak memory, MB", lambda one: f"{one['peakBytes'] / 1e6:.0f}" if one["peakBytes"] else "–"),
    )
    for title, value in quantities:
        rows = []
        for label in labels:
            row = [label]
            for size in sizes:
                one = sections["scaling"].get(f"{size}|{label}")
                row.append("" if one is None else value(one) if "seconds" in one else note(one["reason"], notes))
            rows.append(row)
        parts.append(f"### {title}\n\n" + table(["rows", *sizes], rows))
    if notes:
        parts.append("\n".join(f"- [{index}] {text}" for index, text in enumerate(notes, 1)) + "\n")
    return "\n".join(parts)


def note(reason, notes):
    if reason not in notes:
        notes.append(reason)
    return f"– [{notes.index(reason) + 1}]"


def publish(root, name, text, pictures):
    """Puts a table between the markers in docs/benchmarks.md, and its pictures into docs/images."""
    page = os.path.join(root, "docs", "benchmarks.md")
    folder = os.path.join(root, "docs", "images")
    os.makedirs(folder, exist_ok=True)
    for path in pictures:
        shutil.copy(path, folder)
    shown = "".join(
        f"![{os.path.basename(path)[:-4]}](images/{os.path.basename(path)})\n\n" for path in pictures if path.endswith(".svg")
    )
    with open(page) as file:
        content = file.read()
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, rest = content.split(begin, 1)
    _, after = rest.split(end, 1)
    with open(page + ".part", "w") as file:
        file.write(before + begin + "\n\n" + shown + text.strip() + "\n\n" + end + after)
    os.replace(page + ".part", page)
