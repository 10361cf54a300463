package dev.starling.peer.facts;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.starling.peer.wire.Measures;
import dev.starling.problem.NodeFacts;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/**
 * What a site says second: the facts about its data that the tuning needs, and what it measured.
 *
 * @param stepMicros what a proximal step takes, or with Newton's method a sample of a pass
 * @param linkMicros what a message takes, one way, on the slowest of its links
 */
public record SiteMeasures(NodeFacts facts, double stepMicros, double linkMicros) {

    /** A delay is at least this, in proximal steps. */
    private static final double SMALLEST_TAU = 1;

    byte[] encode() {
        return Measures.newBuilder()
                .setSamples(facts.samples())
                .setWeight(facts.weight())
                .setSigma(facts.sigma())
                .setRootSum(facts.rootSum())
                .setSmallestRoot(facts.smallestRoot())
                .setSmoothnessSum(facts.smoothnessSum())
                .setCurvature(facts.curvature())
                .setStepMicros(stepMicros)
                .setLinkMicros(linkMicros)
                .build()
                .toByteArray();
    }

    static SiteMeasures decode(byte[] body) throws InvalidProtocolBufferException {
        Measures measures = Measures.parseFrom(body);
        double[] positive = {
            measures.getSamples(),
            measures.getWeight(),
            measures.getSigma(),
            measures.getRootSum(),
            measures.getSmallestRoot(),
            measures.getStepMicros()
        };
        for (double value : positive) {
            if (!(value > 0) || Double.isInfinite(value)) {
                throw new InvalidProtocolBufferException("a measure that is not positive and finite");
            }
        }
        // Losses with kinks have no smoothness and Newton's method asks for none: their facts say infinite then.
        boolean sane = measures.getSmoothnessSum() >= 0
                && measures.getCurvature() >= 0
                && measures.getLinkMicros() >= 0
                && measures.getLinkMicros() < Double.POSITIVE_INFINITY;
        if (!sane) {
            throw new InvalidProtocolBufferException("a measure that is negative or not a number");
        }
        NodeFacts facts = new NodeFacts(
                measures.getSamples(),
                measures.getWeight(),
                measures.getSigma(),
                measures.getRootSum(),
                measures.getSmallestRoot(),
                measures.getSmoothnessSum(),
                measures.getCurvature());
        return new SiteMeasures(facts, measures.getStepMicros(), measures.getLinkMicros());
    }

    /** The delay of the slowest link, in microseconds. */
    public static double slowestLink(List<SiteMeasures> all) {
        return all.stream().mapToDouble(SiteMeasures::linkMicros).max().orElse(0);
    }

    /**
     * The delay τ that all sites agree on from what they measured: the slowest link in units of the slowest step, since
     * everyone waits for both, to two digits.
     */
    public static double agreedTau(List<SiteMeasures> all) {
        double step = all.stream().mapToDouble(SiteMeasures::stepMicros).max().orElse(1);
        double tau = Math.max(SMALLEST_TAU, slowestLink(all) / step);
        return new BigDecimal(tau).round(new MathContext(2)).doubleValue();
    }
}
