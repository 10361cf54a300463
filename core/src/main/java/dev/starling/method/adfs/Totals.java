package dev.starling.method.adfs;

import dev.starling.problem.NodeFacts;
import java.util.List;

/** What the whole network is, as far as a certificate needs it. */
public record Totals(double sigma, double weight, long samples) {

    /** The sums of what the nodes are, in node order. */
    public static Totals of(List<NodeFacts> facts) {
        double sigma = 0;
        double weight = 0;
        long samples = 0;
        for (NodeFacts node : facts) {
            sigma += node.sigma();
            weight += node.weight();
            samples += node.samples();
        }
        return new Totals(sigma, weight, samples);
    }
}
