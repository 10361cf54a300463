package dev.starling.job;

import dev.starling.job.folds.HeldOutScores;
import dev.starling.method.PriorKnowledge;
import dev.starling.method.Solution;
import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.Line;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a job has solved so far: the solutions in the order of the problems, and what follows from them. */
final class Solutions {

    /**
     * Forecasts the optimum of the next problem of a path by extrapolation: a parabola or a line through the optima of
     * the previous problems, entry by entry, as a function of log λ.
     *
     * @param points the previous problems, latest first
     * @param optima their optima
     */
    private record Forecast(List<LambdaPath.Point> points, List<double[]> optima) {

        /** The largest number of problems that a forecast uses. */
        static final int MOST = 3;

        /**
         * The parameter from which a problem starts. With an l1 term it is the last optimum: the weights that are 0
         * there say more than a line through the others.
         */
        double[] at(LambdaPath.Point next) {
            double[] forecast = optima.get(0).clone();
            if (next.l1() > 0) {
                return forecast;
            }
            double[] shares = shares(next);
            for (int c = 0; c < forecast.length; c++) {
                double sum = 0;
                for (int k = 0; k < shares.length; k++) {
                    sum = Math.fma(shares[k], optima.get(k)[c], sum);
                }
                forecast[c] = sum;
            }
            return forecast;
        }

        /** The coefficients of the problems in the polynomial through all of them. */
        private double[] shares(LambdaPath.Point next) {
            double[] shares = new double[optima.size()];
            for (int k = 0; k < shares.length; k++) {
                shares[k] = 1;
                for (int j = 0; j < shares.length; j++) {
                    if (j != k) {
                        shares[k] *=
                                (place(next) - place(points.get(j))) / (place(points.get(k)) - place(points.get(j)));
                    }
                }
            }
            return shares;
        }

        private static double place(LambdaPath.Point point) {
            return StrictMath.log(point.lambda());
        }
    }

    private final Settings settings;
    private final Problems problems;
    private final List<SolvePhase.Ended> ended = new ArrayList<>();
    private HeldOutScores heldOut;

    Solutions(Settings settings, Problems problems) {
        this.settings = settings;
        this.problems = problems;
    }

    private Agreement agreement() {
        return problems.agreement();
    }

    private ProblemOrder order() {
        return agreement().order();
    }

    /** The number of problems that are solved: the index of the next one. */
    int count() {
        return ended.size();
    }

    void add(SolvePhase.Ended one) {
        ended.add(one);
    }

    Solution solution(int index) {
        return ended.get(index).solved();
    }

    /** The passes over the samples in all of them. */
    double passes() {
        double passes = 0;
        for (SolvePhase.Ended one : ended) {
            passes += one.solved().certificate().epochs();
        }
        return passes;
    }

    /** The scores on held-out rows, if there are folds. */
    Optional<HeldOutScores> heldOut() {
        return Optional.ofNullable(heldOut);
    }

    /**
     * What earlier problems tell us about a problem before it is solved. Its start is forecast from the problems of the
     * same class that leave out the same fold, for the previous values of λ. The solution on all rows would be closer,
     * but then the rows of the fold would influence the model that they are meant to evaluate.
     */
    PriorKnowledge priorKnowledge(int index, Optional<double[]> given) {
        List<Integer> earlier = given.isPresent() ? List.of() : earlier(index);
        Optional<Integer> before = earlier.stream().findFirst();
        ProblemOrder order = order();
        Stream<Integer> ofAllRows = order.fold(index) < 0
                ? Stream.empty()
                : Stream.concat(Stream.of(index), before.stream()).map(order::ofAllRows);
        return new PriorKnowledge(
                given.or(() -> before.map(any -> forecast(index, earlier))),
                before.map(this::solution),
                ofAllRows.map(this::solution).toList());
    }

    private List<Integer> earlier(int index) {
        ProblemOrder order = order();
        return settings.path().isPresent()
                ? settings.path().before(order.point(index), Forecast.MOST).stream()
                        .map(point -> order.atPoint(index, point))
                        .toList()
                : List.of();
    }

    private double[] forecast(int index, List<Integer> earlier) {
        return new Forecast(
                        earlier.stream().map(agreement()::point).toList(),
                        earlier.stream().map(one -> solution(one).parameter()).toList())
                .at(agreement().point(index));
    }

    /** Drops what a solution knows that only a problem that starts from it needs. */
    void dropWarmStart(int index) {
        ended.set(index, ended.get(index).withoutWarmStart());
    }

    /** Scores the models of a λ on the folds that they were trained without. */
    void measure(int point) {
        heldOut = heldOut == null ? problems.heldOut() : heldOut;
        ProblemOrder order = order();
        List<Integer> ofAllRows = IntStream.range(0, order.classes())
                .mapToObj(label -> order.first(point) + label)
                .toList();
        heldOut.add(
                point,
                ofAllRows.stream().map(problems::problem).toList(),
                IntStream.range(0, order.folds())
                        .mapToObj(fold -> ofAllRows.stream()
                                .map(index ->
                                        solution(order.without(fold, index)).parameter())
                                .toList())
                        .toList());
    }

    /**
     * The result of cross-validation.
     *
     * @param totals the totals of the scores on held-out rows
     * @param points the number of points of the path that are complete
     */
    CrossValidation validation(double[] totals, int points, int nodes) {
        List<Map<String, Estimate>> estimates = heldOut.estimates(totals);
        List<Line> lines = new ArrayList<>();
        int best = 0;
        for (int k = 0; k < points; k++) {
            LambdaPath.Point point = agreement().point(order().first(k));
            lines.add(new Line(point.lambda(), point.l1(), estimates.get(k)));
            best = lines.get(k).loss().mean() < lines.get(best).loss().mean() ? k : best;
        }
        Folds folds = settings.folds();
        List<Solution> solutions = IntStream.range(0, ended.size())
                .filter(index -> order().fold(index) >= 0 && order().point(index) < points)
                .mapToObj(this::solution)
                .toList();
        int chosen = folds.rule().chosen(lines, settings.path().firstOfShare(best), best);
        return new CrossValidation(
                folds.among(nodes),
                folds.basis(),
                folds.rule().text(),
                solutions.stream().allMatch(one -> settings.rule().isMet(one.certificate())),
                solutions.stream()
                        .anyMatch(one -> one.stalled() && !settings.rule().isMet(one.certificate())),
                solutions.stream()
                        .mapToDouble(one -> one.certificate().epochs())
                        .sum(),
                lines,
                best,
                chosen,
                heldOut.ofFolds(totals, chosen));
    }

    /** The result of a point of the path. */
    JobResult result(
            int point, TrainingPlan plan, List<JobResult> path, Optional<CrossValidation> validation, long updates) {
        int from = order().first(point);
        LambdaPath.Point one = agreement().point(from);
        return new JobResult(
                settings.with(Setting.LAMBDA, one.lambda()).with(Setting.L1, one.l1()),
                plan,
                agreement(),
                ended.subList(from, from + order().classes()).stream()
                        .map(SolvePhase.Ended::solved)
                        .toList(),
                path,
                validation,
                updates,
                Optional.empty(),
                Optional.empty());
    }
}
