package dev.starling.method.dual;

import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.method.adfs.AdfsMethod;
import dev.starling.method.adfs.TunedAdfs;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.network.Network;
import dev.starling.node.SumKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Dual coordinate steps on each node's own rows, with sums in between: for any loss with a ridge, and for so many
 * features that second derivatives cannot be computed.
 *
 * <p>What a node adds to a sum depends on its own rows in more ways than a gradient does, so that a site's rules cannot
 * judge it: like ADFS, it needs the consent of every owner.
 */
public final class DualMethod implements Method {

    /**
     * The expected pace of dual coordinate steps, which depends on the rows in ways that nobody knows beforehand: so
     * many passes for every factor e, until certificates show another pace.
     *
     * @param delay τ
     * @param samples the number of samples of a node, on average
     */
    private record Pace(double delay, double samples) implements StepForecast {

        private static final double EPOCHS_PER_FACTOR = 3;

        /** A pace slower than this part of the expected one is not extrapolated. */
        private static final double SLOWEST = 0.05;

        /** A step is a visit to a row; the few rounds between are not counted as steps. */
        @Override
        public double communicationProbability() {
            return 0;
        }

        @Override
        public double stepsFor(double factor) {
            return EPOCHS_PER_FACTOR * samples * StrictMath.log(factor);
        }

        @Override
        public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
            double expected = 1 / (EPOCHS_PER_FACTOR * samples);
            double seen = StrictMath.log(before / now) / (stepsNow - stepsBefore);
            return StrictMath.log(now / target)
                    / (Double.isFinite(seen) ? Math.max(seen, SLOWEST * expected) : expected);
        }

        @Override
        public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
            return true;
        }
    }

    @Override
    public String name() {
        return "dual";
    }

    @Override
    public String description() {
        return "dual coordinate steps on each node's rows, for many columns and a ridge";
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        return AdfsMethod.objectionOf(name(), objective);
    }

    /** Where losses have kinks; {@code newton} and {@code proximal-newton} come first where they have none. */
    /** However exactly nodes solve their own parts, the rounds they need grow like their number divided by λ. */
    @Override
    public boolean suitsSeveralNodes() {
        return false;
    }

    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return Stream.concat(
                        Stream.of(new TrainingSum(
                                SumKind.ESTIMATES, DualCoordinates.SUM, DualCoordinates.numbers(shape.features()))),
                        CertifiedProgram.trainingSums(shape.features()).stream())
                .toList();
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        Facts totals = Facts.total(facts);
        double samples = Math.max(1, (double) totals.samples() / network.size());
        return new TunedAdfs(
                name(),
                network.size(),
                shape.features(),
                totals,
                Theory.fixed(new Pace(delay, samples)),
                List.of(),
                List.of(new Constant("tau", "τ", "time of a message when visiting a row takes 1", delay)),
                (problem, place, seed) -> new DualCoordinates(problem, place, totals.sigma(), seed));
    }
}
