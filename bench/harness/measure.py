"""How long a solver takes to reach a measured relative suboptimality."""

import math
import statistics
from dataclasses import dataclass, field

from .objective import objective
from .processes import Failed, TimedOut


@dataclass
class Limits:
    """The number of repeats, and how long a solver may search for its tolerance on one case."""

    repeats: int = 3
    seconds: float = 120


@dataclass
class Search:
    """The runs of one solver on one case so far."""

    runs: list = field(default_factory=list)
    reason: str = ""
    spent: float = 0.0


class Measurement:
    """One solver on one case."""

    def __init__(self, solver, case, rows, optimum, limits, work):
        self.solver = solver
        self.case = case
        self.x, self.y = rows
        self.optimum = optimum
        self.limits = limits
        self.work = work

    def measure(self, targets):
        """A record for results.json: every run, and for every target the best of them with its repeats."""
        search = Search()
        opened = {}
        try:
            if self.solver.certified:
                self.certified(opened, search, targets)
            else:
                self.sweep(opened, search, targets)
            reached = {repr(target): self.repeat(opened, search, target) for target in targets}
        except Failed as failure:
            search.reason = str(failure)
            reached = {repr(target): self.missed(search, target) for target in targets}
        finally:
            for runs in opened.values():
                runs.close()
        return {"label": self.solver.label(self.case.loss), "targets": reached, "runs": search.runs}

    def once(self, opened, layout, tolerance, timeout):
        if layout not in opened:
            opened[layout] = self.solver.open(self.case, layout, self.work)
        answer = opened[layout].solve(tolerance, timeout)
        value = objective(self.x, self.y, self.case.loss, self.case.regularisation, answer.weights)
        return {
            "tolerance": tolerance,
            "layout": layout,
            "seconds": answer.seconds,
            "loadSeconds": answer.load_seconds,
            "objective": value,
            "suboptimality": value / self.optimum - 1,
            **answer.details,
        }

    def tried(self, opened, search, layout, tolerance, share=1.0):
        """One run of the search in a share of the remaining time; None if there is none left or the solver fails."""
        left = share * (self.limits.seconds - search.spent)
        if left <= 0:
            search.reason = f"not reached in {self.limits.seconds:.0f} s of search"
            return None
        try:
            result = self.once(opened, layout, tolerance, left)
        except TimedOut as failure:
            search.reason = f"not reached: tolerance {tolerance:.3g} {failure}"
            search.spent += left
            return None
        except Failed as failure:
            search.reason = str(failure)
            return None
        # Starting and loading do not count: they have their own limit.
        search.spent += result["seconds"]
        search.runs.append(result)
        return result

    def certified(self, opened, search, targets):
        for target in sorted(targets, reverse=True):
            self.tried(opened, search, "", target)
            # A run for one target says nothing about the time of another.
            search.spent = 0

    def sweep(self, opened, search, targets):
        """Tries tolerances from loose to tight until the hardest target is met, then one in between to refine the choice."""
        layouts = list(self.solver.layouts_for(self.case))
        last = None
        for tolerance in self.solver.tolerances(self.case):
            share = 1 / len(layouts)
            results = [self.tried(opened, search, layout, tolerance, share) for layout in layouts]
            results = [result for result in results if result]
            if not results:
                break
            layouts = self.promising(results, last)
            last = min(result["suboptimality"] for result in results)
            if last <= min(targets):
                break
        else:
            search.reason = search.reason or "not reached at its tightest tolerance"
        for target in targets:
            self.refine(opened, search, target, layouts[0])

    @staticmethod
    def promising(results, last):
        """The layouts to continue with: only the faster one, once runs are long enough to tell."""
        fast = min(results, key=lambda result: result["seconds"])
        slow = max(result["seconds"] for result in results)
        progress = last is not None and fast["suboptimality"] < 0.9 * last
        clear = slow > 0.5 and slow > 3 * fast["seconds"]
        return [fast["layout"]] if progress or clear else [result["layout"] for result in results]

    def refine(self, opened, search, target, layout):
        hits = [run for run in search.runs if run["suboptimality"] <= target]
        misses = [run["tolerance"] for run in search.runs if run["suboptimality"] > target]
        if not hits or not misses:
            return
        loosest = max(run["tolerance"] for run in hits)
        tighter_misses = [tolerance for tolerance in misses if tolerance > loosest]
        if tighter_misses:
            reason = search.reason
            self.tried(opened, search, layout, math.sqrt(loosest * min(tighter_misses)))
            search.reason = reason

    def repeat(self, opened, search, target):
        hits = [run for run in search.runs if run["suboptimality"] <= target]
        if self.solver.certified:
            hits = [run for run in hits if run["tolerance"] == target]
        if not hits:
            return self.missed(search, target)
        best = min(hits, key=lambda run: run["seconds"])
        seconds = [best["seconds"]]
        loads = [best["loadSeconds"]]
        worst = best["suboptimality"]
        for _ in range(self.limits.repeats - 1):
            again = self.once(opened, best["layout"], best["tolerance"], 10 * best["seconds"] + self.limits.seconds)
            seconds.append(again["seconds"])
            loads.append(again["loadSeconds"])
            worst = max(worst, again["suboptimality"])
        return {
            "status": "ok",
            "tolerance": best["tolerance"],
            "layout": best["layout"],
            "seconds": seconds,
            "best": min(seconds),
            "median": statistics.median(seconds),
            "loadSeconds": loads,
            "suboptimality": worst,
        }

    def missed(self, search, target):
        reached = min((run["suboptimality"] for run in search.runs), default=math.inf)
        if reached <= target:
            reason = search.reason or "failed when repeated"
        else:
            reason = search.reason or "certified, but the measured objective is above the target"
            if math.isfinite(reached):
                reason += f"; best suboptimality {reached:.1e}"
        return {"status": "failed", "reason": reason}
