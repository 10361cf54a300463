"""python3 -m unittest discover -s bench -t bench"""

import io
import os
import shutil
import tempfile
import unittest

import numpy as np
from scipy import optimize, sparse

from harness import datasets, measure, picture, processes, report
from harness.objective import PATH_VALUES, PROBLEMS, cost, objective
from harness.results import Results
from harness.solvers import Answer, Case, RPackage, all_solvers


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


    def test_a_path_is_the_mean_of_its_problems(self):
        x, y = problem()
        vectors = np.random.default_rng(2).normal(size=(PATH_VALUES, 7))
        penalties = PROBLEMS["net-path-logistic"].penalties(1e-3)
        expected = [
            np.mean(np.logaddexp(0, -y * (x @ w))) + ridge / 2 * (w @ w) + l1 * np.sum(np.abs(w))
            for (ridge, l1), w in zip(penalties, vectors)
        ]
        self.assertAlmostEqual(objective(x, y, "net-path-logistic", 1e-3, vectors.ravel()), np.mean(expected), places=12)
        self.assertEqual(penalties[0], (0.1, 0.1))
        self.assertAlmostEqual(penalties[-1][0], 1e-3)

    def test_the_pinball_loss_weighs_what_is_above_by_the_quantile(self):
        x, y = sparse.csr_matrix(np.ones((2, 1))), np.array([3.0, -1.0])
        self.assertAlmostEqual(objective(x, y, "upper-decile", 0.0, np.array([1.0])), (0.9 * 2 + 0.1 * 2) / 2)


def minimum(x, y, name, regularisation):
    """The minimum of an objective, found by SciPy's general-purpose minimisers."""
    rows, features = x.shape
    known = PROBLEMS[name]
    [(ridge, l1)] = known.penalties(regularisation)
    tight = {"maxiter": 100_000, "maxfun": 1_000_000, "ftol": 1e-15, "gtol": 1e-10}
    if known.regression:
        # Two slack variables for each row; the ridge is too small to matter.
        slacks = np.repeat([known.quantile, 1 - known.quantile], rows) / rows
        equations = sparse.hstack([x, sparse.eye(rows), -sparse.eye(rows)])
        bounds = [(None, None)] * features + [(0, None)] * (2 * rows)
        found = optimize.linprog(np.append(np.zeros(features), slacks), A_eq=equations, b_eq=y, bounds=bounds)
        return objective(x, y, name, regularisation, found.x[:features])
    if name == "hinge":
        signed = sparse.diags(y) @ x

        def negative_dual(a):
            v = signed.T @ a / rows
            return v @ v / (2 * ridge) - a.mean(), (signed @ v / ridge - 1) / rows

        found = optimize.minimize(negative_dual, np.zeros(rows), jac=True, bounds=[(0, 1)] * rows, options=tight)
        return -found.fun

    def split(parts):
        w = parts[:features] - parts[features:]
        return objective(x, y, name, regularisation, w) + l1 * (parts.sum() - np.sum(np.abs(w)))

    return optimize.minimize(split, np.zeros(2 * features), bounds=[(0, None)] * (2 * features), options=tight).fun


class SolversTest(unittest.TestCase):
    """Every solver that is installed reaches the optimum found by an independent minimiser."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def data(self, regression):
        x, y = problem()
        if regression:
            # conquer cannot do without an intercept.
            x = x.tolil()
            x[:, 6] = 1
            x = x.tocsr()
        labels = x @ np.arange(7) + np.random.default_rng(3).normal(size=200) if regression else y.astype(int)
        name = "numbers" if regression else "classes"
        text = os.path.join(self.folder.name, name + ".txt")
        with open(text, "w") as file:
            for row, label in zip(x, labels):
                entries = " ".join(f"{c + 1}:{v!r}" for c, v in zip(row.indices, map(float, row.data)))
                file.write(f"{label} {entries}\n")
        return datasets.from_text(name, text, regression)

    def test_reach_the_same_optimum(self):
        kinds = {"liblinear-primal", "liblinear-dual", "glmnet", "quantreg"}
        solvers = [one for one in all_solvers() if one.key in kinds or one.key.startswith("sklearn")]
        for loss, known in PROBLEMS.items():
            if known.path:
                continue
            data = self.data(known.regression)
            rows = data.measured()
            regularisation = 1e-8 if known.regression else 1e-3
            case = Case(data, loss, regularisation)
            least = minimum(*rows, loss, regularisation)
            for solver in solvers:
                if solver.applies(case):
                    with self.subTest(solver=solver.key, loss=loss):
                        if missing(solver):
                            self.skipTest(f"R's {solver.key} is not installed")
                        limits = measure.Limits(1, 60)
                        measured = measure.Measurement(solver, case, rows, least, limits, self.folder.name)
                        record = measured.measure([1e-3, 1e-6])
                        self.assertEqual([one["status"] for one in record["targets"].values()], ["ok", "ok"], record)
                        self.assertGreater(min(run["suboptimality"] for run in record["runs"]), -1e-7)


def missing(solver):
    """Whether a solver is an R package that is not installed."""
    if not isinstance(solver, RPackage):
        return False
    if shutil.which("Rscript") is None:
        return True
    return processes.run(["Rscript", "--vanilla", "-e", f"library({solver.key})"], 60).code != 0


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
        # The only feature is always 0, so the objective is log 2 + w^2/2.
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

    def test_a_solver_that_dies_reports_its_last_line_of_output(self):
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

    def test_rows_for_regression_are_standardised_and_have_a_constant(self):
        out = io.BytesIO()
        datasets.standardise([b"1 1:1 2:5\n", b"3 1:3 2:5\n"], out)
        self.assertEqual(out.getvalue(), b"1 1:-1 2:0 3:1\n3 1:1 2:0 3:1\n")

    def test_generated_rows_have_length_one_and_frequent_words(self):
        out = io.StringIO()
        datasets.generate(200, out, words=1000)
        x, y = datasets.parse_slowly(out.getvalue().splitlines())
        np.testing.assert_allclose(np.asarray(x.multiply(x).sum(axis=1)).ravel(), 1, rtol=1e-4)
        self.assertEqual(set(y), {-1.0, 1.0})
        often = np.diff(x.tocsc().indptr)
        self.assertGreater(often[0], 190)
        self.assertLess(often[500:].max(), 60)

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
            with open(text) as lines:
                slow_x, slow_y = datasets.parse_slowly(lines)
            np.testing.assert_array_equal(x.toarray(), slow_x.toarray())
            np.testing.assert_array_equal(y, slow_y)


class ReportTest(unittest.TestCase):
    def content(self):
        ok = {"status": "ok", "best": 0.5, "median": 0.6, "loadSeconds": [0.1], "seconds": [0.5]}
        slow = dict(ok, best=1.25, median=1.5)
        failed = {"status": "failed", "reason": "it broke"}
        cases = {
            "a9a|logistic|0.0001|starling-1": {"label": "Starling, 1 node", "targets": {"0.001": ok, "1e-06": ok}},
            "a9a|logistic|0.0001|starling-1-searched": {
                "label": "Starling, 1 node, gap searched",
                "targets": {"0.001": dict(ok, best=0.25), "1e-06": failed},
            },
            "a9a|logistic|0.0001|other": {"label": "Other", "targets": {"0.001": slow, "1e-06": failed}},
        }
        return {"sections": {"cases": cases, "datasets": {"a9a": {}}}}

    def test_tables_show_best_median_ratio_and_reasons(self):
        text = report.compare(self.content())
        self.assertIn("| Other | 1.25 (1.50) |", text)
        self.assertIn("| a9a, logistic, 0.0001, to 0.001 | 0.500 | – | 0.250 | Other 1.25 | 2.50 |  |", text)
        self.assertIn("| Other | – [1] |", text)
        self.assertIn("- [1] it broke", text)

    def test_the_page_has_the_ratios_but_not_what_every_solver_took(self):
        text = report.page(self.content())
        self.assertIn("| a9a, logistic, 0.0001, to 0.001 | 0.500 |", text)
        self.assertNotIn("| Other | 1.25", text)

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
