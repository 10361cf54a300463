package dev.starling.lab.localised;

import dev.starling.lab.conversation.SmoothMethod;
import dev.starling.method.Assignment;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Forecast;
import dev.starling.method.MethodNode;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.method.adfs.AdfsMethod;
import dev.starling.method.adfs.TunedAdfs;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.network.Timing;
import dev.starling.node.Collectives;
import java.util.List;
import java.util.Optional;

/**
 * {@code adfs-localised}: ADFS with the curvature of all nodes in the weights of its edges. It has to send d(d+1)/2
 * numbers a few times in a run, where ADFS sends vectors only. With too many features for that, and for a loss whose
 * curvature may jump, so that nothing is known of it around a point, it is {@code adfs} itself, and says so by its
 * name.
 */
public final class LocalisedMethod extends SmoothMethod {

    private static final String NAME = "adfs-localised";
    private static final AdfsMethod ADFS = AdfsMethod.standard();

    /** With more features, matrices take too long to compute and to send. */
    private static final int MOST_FEATURES = 500;

    /** Creates the method. */
    public LocalisedMethod() {
        super(NAME, "ADFS around certified points, with matrices of curvature on the edges");
    }

    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return isPlain(objective, shape)
                ? super.trainingSums(objective, shape)
                : LocalisedNode.trainingSums(shape.features());
    }

    private static boolean isPlain(Objective objective, Shape shape) {
        return shape.features() > MOST_FEATURES || objective.loss().selfConcordance() == Double.POSITIVE_INFINITY;
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, Timing timing) {
        double delay = timing.delay();
        TunedAdfs plain = (TunedAdfs) ADFS.tune(network, objective, shape, facts, delay);
        if (isPlain(objective, shape)) {
            return plain;
        }
        return new TunedLocalised(network, Spectrum.of(network), delay, Facts.total(facts), plain);
    }

    /**
     * The method for a network. Its constants follow from points that are known only during the run; what ADFS would
     * take is the forecast, which it falls back to.
     */
    record TunedLocalised(Network network, Spectrum graph, double delay, Facts totals, TunedAdfs plain)
            implements Tuned {

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Forecast forecast() {
            return plain;
        }

        @Override
        public List<Constant> dataConstants() {
            return plain.dataConstants();
        }

        @Override
        public List<Constant> constants() {
            return plain.constants();
        }

        @Override
        public int longestMessage(Collectives nodes) {
            return LocalisedNode.longestMessage(nodes, plain.features());
        }

        @Override
        public MethodNode node(Assignment assignment, Optional<double[]> start) {
            return new LocalisedNode(this, assignment, start);
        }
    }
}
