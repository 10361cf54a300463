package dev.starling.lab.apcg;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The error of generalized APCG, averaged over runs with different draws, beside what is proven about its expectation.
 *
 * @param form which of the guarantees
 * @param problem the problem solved
 * @param rate ρ, where the error falls by 1 − ρ per step; 0 where it falls more slowly
 * @param runs runs averaged
 * @param moments the errors after every step
 */
public record RateTrial(Form form, TrialProblem problem, double rate, int runs, List<Moment> moments) {

    /** After a step, the mean error and its bound. */
    public record Moment(int step, double error, double bound) {}

    /** What is proven, and under which assumptions. */
    public enum Form {
        /** Any A_0 and B_0: B_t E‖v_t − x*‖² + 2 A_t (E F(x_t) − F*) does not grow. */
        THEOREM_2("theorem-2", "B_t E|v_t - x*|^2 + 2 A_t (E F(x_t) - F*)"),
        /** σ_A &gt; 0: σ_A E‖v_t − x*‖² + 2 (E F(x_t) − F*) falls by 1 − ρ per step. */
        COROLLARY_1("corollary-1", "sigma_A E|v_t - x*|^2 + 2 (E F(x_t) - F*)"),
        /** Without strong convexity: E F(x_t) − F* falls like 1/t². */
        COROLLARY_2("corollary-2", "E F(x_t) - F*");

        private final String text;
        private final String error;

        Form(String text, String error) {
            this.text = text;
            this.error = error;
        }

        /** The name, as people type it. */
        public String text() {
            return text;
        }

        /** What the bound is about, in letters that every terminal has. */
        public String error() {
            return error;
        }

        /** Returns the form of a name. */
        public static Form named(String name) {
            return Arrays.stream(values())
                    .filter(form -> form.text.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new InvalidInputException("'" + name
                            + "' is none of the guarantees; there are: theorem-2, corollary-1, corollary-2"));
        }
    }

    /** How much the two parts of the error count after every step, and the bound. */
    private record Guarantee(Apcg method, double rate, double[] distance, double[] value, double[] bound) {}

    /**
     * Runs the method.
     *
     * @param problemSeed which problem
     * @param runs runs to average, each with draws of its own
     * @param steps steps of every run
     */
    public static RateTrial measure(Form form, long problemSeed, int runs, int steps) {
        TrialProblem problem = TrialProblem.of(problemSeed, form != Form.COROLLARY_2);
        double[] minimiser = problem.minimiser();
        double best = problem.problem().value(minimiser);
        Guarantee guarantee = guarantee(form, problem, minimiser, best, steps);
        double[] mean = new double[steps + 1];
        for (int run = 0; run < runs; run++) {
            UniformRandomProvider draws = RandomSource.XO_SHI_RO_256_PP.create(1000L + run);
            ApcgState state = guarantee.method().start();
            for (int t = 0; t <= steps; t++) {
                mean[t] += error(
                                problem,
                                state,
                                minimiser,
                                best,
                                guarantee.distance()[t],
                                guarantee.value()[t])
                        / runs;
                guarantee.method().step(state, problem.sampling().draw(draws));
            }
        }
        List<Moment> moments = new ArrayList<>();
        for (int t = 0; t <= steps; t++) {
            moments.add(new Moment(t, mean[t], guarantee.bound()[t]));
        }
        return new RateTrial(form, problem, guarantee.rate(), runs, List.copyOf(moments));
    }

    private static double error(
            TrialProblem problem, ApcgState state, double[] minimiser, double best, double distance, double value) {
        double[] away = state.anchor();
        Arrays.setAll(away, i -> away[i] - minimiser[i]);
        double gap = problem.problem().value(state.point()) - best;
        return distance * problem.smooth().squaredSeminorm(away) + 2 * value * gap;
    }

    private static Guarantee guarantee(Form form, TrialProblem problem, double[] minimiser, double best, int steps) {
        double constant = problem.samplingConstant();
        double convexity = problem.smooth().strongConvexity();
        double rate = Math.sqrt(convexity) / constant;
        double[] distance = new double[steps + 1];
        double[] value = new double[steps + 1];
        double[] bound = new double[steps + 1];
        Apcg method;
        switch (form) {
            case THEOREM_2 -> {
                distance[0] = convexity / 4;
                value[0] = 1;
                method = Apcg.general(problem.problem(), problem.sampling(), constant, value[0], distance[0]);
                double square = constant * constant - convexity;
                for (int t = 1; t <= steps; t++) {
                    // a² S² = (A + a)(B + σ a), its positive root.
                    double half = value[t - 1] * convexity + distance[t - 1];
                    double a =
                            (half + Math.sqrt(half * half + 4 * square * value[t - 1] * distance[t - 1])) / 2 / square;
                    value[t] = value[t - 1] + a;
                    distance[t] = distance[t - 1] + convexity * a;
                }
                Arrays.fill(bound, error(problem, method.start(), minimiser, best, distance[0], value[0]));
            }
            case COROLLARY_1 -> {
                method = Apcg.stronglyConvex(problem.problem(), problem.sampling(), constant);
                Arrays.fill(distance, convexity);
                Arrays.fill(value, 1);
                bound[0] = error(problem, method.start(), minimiser, best, convexity, 1);
                for (int t = 1; t <= steps; t++) {
                    bound[t] = bound[t - 1] * (1 - rate);
                }
            }
            default -> {
                method = Apcg.convex(problem.problem(), problem.sampling(), constant);
                Arrays.fill(value, 0.5);
                double gap = error(problem, method.start(), minimiser, best, 0, 0.5);
                double smallest = problem.smallestProbability();
                double at1 = 2
                        * (constant * constant * problem.smooth().squaredSeminorm(minimiser)
                                + 2 / (smallest * smallest) * gap);
                bound[0] = Double.POSITIVE_INFINITY;
                for (int t = 1; t <= steps; t++) {
                    bound[t] = at1 / t / t;
                }
            }
        }
        return new Guarantee(method, form == Form.COROLLARY_2 ? 0 : rate, distance, value, bound);
    }
}
