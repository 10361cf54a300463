package dev.starling.lab.conversation;

import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.Tuned;
import dev.starling.method.adfs.AdfsMethod;
import dev.starling.method.adfs.TunedAdfs;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.network.EdgeWeights;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.List;

/** S-ADFS for networks on which it is better not to talk to all neighbours at once. */
abstract class Conversation extends SmoothMethod {

    Conversation(String name, String description) {
        super(name, description);
    }

    /** Returns the variant for a network with given edge weights. */
    abstract Variant on(Network network, List<Conditioning> nodes, Timing timing);

    @Override
    public final Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, Timing timing) {
        List<Conditioning> nodes = facts.stream().map(AdfsMethod::conditioning).toList();
        Variant variant =
                EdgeWeights.best(network, timing, weighted -> on(weighted, nodes, timing), Variant::timePerFactor);
        return new TunedAdfs(
                name(),
                network.size(),
                shape.features(),
                Facts.total(facts),
                Theory.fixed(variant.pace()),
                TunedAdfs.conditioning(nodes),
                variant.constants(),
                variant.maker());
    }

    /**
     * What is specific to a variant.
     *
     * @param pace how fast it is according to theory
     * @param constants the numbers that it uses
     * @param maker creates the program of a node
     */
    record Variant(StepForecast pace, List<Constant> constants, TunedAdfs.Maker maker) {

        /** The variant whose rounds use some of the edges. */
        static Variant on(EdgeSampling rounds, Network network, List<Conditioning> nodes, Timing timing) {
            PartialTuning tuning = rounds.tune(network, nodes, timing);
            return new Variant(
                    tuning,
                    TunedAdfs.constants(tuning.tuning()),
                    (problem, place, seed) -> new PartialAdfs(problem, network, place.node(), tuning, seed));
        }

        double timePerFactor() {
            return pace.timePerStep() * pace.stepsFor(Math.E);
        }
    }
}
