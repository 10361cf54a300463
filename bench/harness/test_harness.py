"""python3 -m unittest discover -s bench -t bench"""

import io
import os
import tempfile
import unittest

import numpy as np
from scipy import optimize, sparse

from harness import datasets, measure, picture, processes, report
from harness.objective import cost, objective
from harness.results import Results
from harness.solvers import Answer, Case, Liblinear, ScikitLearn


def problem():
    random = np.random.default_rng(1)
    x = sparse.csr_matrix(random.normal(size=(200, 7)) * (random.random((200, 7)) < 0.5))
    y = np.where(x @ random.normal(size=7) + random.normal(size=200) > 0, 1.0, -1.0)
    return x, y


class ObjectiveTest(unittest.TestCase):
    def test_squared_hinge_has_a_half_and_liblinear_half_the_cost(self):
        x, y = problem()
        w = np.linspace(-1, 1, 7)
        c = cost("squared-hinge", 0.01, 200)
        liblinear = w @ w / 2 + c * np.sum(np.maximum(0, 1 - y * (x @ w)) ** 2)
        self.assertAlmostEqual(objective(x, y, "squared-hinge", 0.01, w), 0.01 * liblinear, places=14)

    def test_logistic_agrees_with_liblinears_form(self):
        x, y = problem()
        w = np.linspace(-1, 1, 7)
        c = cost("logistic", 0.01, 200)
        liblinear = w @ w / 2 + c * np.sum(np.log1p(np.exp(-y * (x @ w))))
        self.assertAlmostEqual(objective(x, y, "logistic", 0.01, w), 0.01 * liblinear, places=14)

    def test_weights_beyond_the_features_are_refused(self):
        x, y = problem()
        with self.assertRaises(ValueError):
            objective(x, y, "logistic", 0.01, np.ones(8))


class SolversTest(unittest.TestCase):
    """Every solver that is installed reaches the optimum found by an independent minimiser."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        x, y = problem()
        text = os.path.join(self.folder.name, "rows.txt")
        with open(text, "w") as file:
            for row, label in zip(x, y):
                entries = " ".join(f"{c + 1}:{v!r}" for c, v in zip(row.indices, map(float, row.data)))
                file.write(f"{int(label)} {entries}\n")
        self.data = datasets.from_text("rows", text)

    def test_reach_the_same_optimum(self):
        solvers = [Liblinear("primal"), Liblinear("dual")]
        solvers += [ScikitLearn(name, "logistic") for name in ("lbfgs", "newton-cholesky", "newton-cg", "saga")]
        solvers += [ScikitLearn(name, "squared-hinge") for name in ("linear-svc-primal", "linear-svc-dual")]
        rows = self.data.measured()
        for loss in ("logistic", "squared-hinge"):
            case = Case(self.data, loss, 1e-3)
            found = optimize.minimize(lambda w: objective(*rows, loss, 1e-3, w), np.zeros(7), options={"gtol": 1e-9})
            for solver in solvers:
                if solver.applies(case):
                    with self.subTest(solver=solver.key, loss=loss):
                        limits = measure.Limits(1, 60)
                        measured = measure.Measurement(solver, case, rows, found.fun, limits, self.folder.name)
                        record = measured.measure([1e-3, 1e-6])
                        self.assertEqual([one["status"] for one in record["targets"].values()], ["ok", "ok"], record)
                        self.assertGreater(min(run["suboptimality"] for run in record["runs"]), -1e-7)


class FakeSolver:
    """Its suboptimality is its tolerance; a looser one is faster, and below a limit it breaks."""

    certified = False

    def __init__(self, breaks_below=0.0):
        self.breaks_below = breaks_below

    def label(self, loss):
        return "fake"

    def tolerances(self, case):
        return [10.0**-k for k in range(10)]

    def layouts_for(self, case):
        return ("",)

    def open(self, case, layout, work):
        return self

    def solve(self, tolerance, timeout):
        if tolerance < self.breaks_below:
            raise processes.Failed("it broke")
        # One feature that is always 0: the objective is log 2 + w^2/2.
        return Answer(1 / tolerance, 0.5, np.array([np.sqrt(2 * np.log(2) * tolerance)]))

    def close(self):
        pass


class MeasurementTest(unittest.TestCase):
    def record(self, solver):
        x, y = sparse.csr_matrix((4, 1)), np.array([1.0, -1, 1, -1])
        case = Case(None, "logistic", 1.0)
        limits = measure.Limits(3, 1e12)
        return measure.Measurement(solver, case, (x, y), np.log(2), limits, "").measure([2e-3, 2e-6])

    def test_takes_the_fastest_run_that_meets_the_target(self):
        targets = self.record(FakeSolver())["targets"]
        self.assertAlmostEqual(targets["0.002"]["tolerance"], 1e-3)
        self.assertAlmostEqual(targets["2e-06"]["tolerance"], 1e-6)
        self.assertEqual(len(targets["2e-06"]["seconds"]), 3)

    def test_a_failure_leaves_what_was_reached_and_says_why(self):
        targets = self.record(FakeSolver(breaks_below=1e-4))["targets"]
        self.assertEqual(targets["0.002"]["status"], "ok")
        self.assertEqual(targets["2e-06"]["status"], "failed")
        self.assertIn("it broke; best suboptimality", targets["2e-06"]["reason"])


class ProcessesTest(unittest.TestCase):
    def test_a_missing_program_is_a_failure_with_a_reason(self):
        with self.assertRaisesRegex(processes.Failed, "cannot start no-such-program"):
            processes.run(["no-such-program"], 1)

    @unittest.skipUnless(os.path.exists(processes.TIME), "no /usr/bin/time")
    def test_peak_memory_is_the_childs_and_not_ours(self):
        ours = np.ones(30_000_000)
        self.assertLess(processes.run(["true"], 10).peak_bytes, 1e8, ours[0])
        done = processes.run(["/usr/bin/python3", "-c", "x = bytearray(b'1') * 200_000_000"], 10)
        self.assertGreater(done.peak_bytes, 2e8)

    def test_a_process_that_takes_too_long_is_ended(self):
        with self.assertRaises(processes.TimedOut):
            processes.run(["sleep", "60"], 0.2)

    def test_a_solver_that_dies_tells_its_last_words(self):
        with self.assertRaisesRegex(processes.Failed, "exit code 3: no rows"):
            processes.Session(["sh", "-c", "echo no rows >&2; exit 3"], 10)

    def test_a_solver_that_hangs_is_ended(self):
        session = processes.Session(["sh", "-c", "echo loaded 1.5; sleep 60"], 10)
        self.assertEqual(session.load_seconds, 1.5)
        with self.assertRaises(processes.TimedOut):
            session.solve(0.1, "none", 0.2)


class FilesTest(unittest.TestCase):
    def test_labels_become_minus_one_and_one(self):
        out = io.BytesIO()
        datasets.relabel([b"2 1:0.5 3:1\n", b"+1.0 2:1 \r\n", b"\n", b"1\n"], b"2", out)
        self.assertEqual(out.getvalue(), b"1 1:0.5 3:1\n-1 2:1\n-1 \n")

    def test_results_survive_being_cut_short(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.json")
            Results(path, fresh=False).put("cases", "a", {"x": 1})
            self.assertEqual(Results(path, fresh=False).get("cases", "a"), {"x": 1})
            self.assertIsNone(Results(path, fresh=True).get("cases", "a"))

    def test_the_slow_parser_agrees_with_scikit_learns(self):
        with tempfile.TemporaryDirectory() as folder:
            text = os.path.join(folder, "rows.txt")
            with open(text, "w") as file:
                file.write("1 1:0.5 3:1e-3\n-1\n-1 2:-4\n")
            x, y = datasets.parse(text)
            slow_x, slow_y = datasets.parse_slowly(text)
            np.testing.assert_array_equal(x.toarray(), slow_x.toarray())
            np.testing.assert_array_equal(y, slow_y)


class ReportTest(unittest.TestCase):
    def content(self):
        ok = {"status": "ok", "best": 0.5, "median": 0.6, "loadSeconds": [0.1], "seconds": [0.5]}
        slow = dict(ok, best=1.25, median=1.5)
        failed = {"status": "failed", "reason": "it broke"}
        cases = {
            "a9a|logistic|0.0001|starling-2": {"label": "Starling, 2 nodes", "targets": {"0.001": ok, "1e-06": ok}},
            "a9a|logistic|0.0001|starling-2-searched": {
                "label": "Starling, 2 nodes, gap searched",
                "targets": {"0.001": dict(ok, best=0.25), "1e-06": failed},
            },
            "a9a|logistic|0.0001|other": {"label": "Other", "targets": {"0.001": slow, "1e-06": failed}},
        }
        return {"sections": {"cases": cases, "datasets": {"a9a": {}}}}

    def test_tables_show_best_median_ratio_and_reasons(self):
        text = report.compare(self.content())
        self.assertIn("| Other | 1.25 (1.50) |", text)
        self.assertIn("| a9a, logistic, 0.0001, to 0.001 | 0.500 | Other 1.25 | 2.50 | – | – | 5.00 | – |", text)
        self.assertIn("| Other | – [1] |", text)
        self.assertIn("- [1] it broke", text)

    def test_pictures_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            written = picture.compare(self.content(), folder)
            self.assertEqual([os.path.basename(path) for path in written], ["compare-logistic.svg", "compare-logistic.png"])
            self.assertTrue(all(os.path.getsize(path) > 1000 for path in written))

    def test_publishing_replaces_what_is_between_the_markers_only(self):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "docs"))
            page = os.path.join(root, "docs", "benchmarks.md")
            with open(page, "w") as file:
                file.write("a\n<!-- compare:begin -->\nold\n<!-- compare:end -->\nb\n")
            report.publish(root, "compare", "new", [])
            report.publish(root, "compare", "new", [])
            with open(page) as file:
                self.assertEqual(file.read(), "a\n<!-- compare:begin -->\n\nnew\n\n<!-- compare:end -->\nb\n")


if __name__ == "__main__":
    unittest.main()
