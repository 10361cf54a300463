package dev.starling.method.adfs;

import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tunings;
import dev.starling.network.Network;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * ADFS, an accelerated, decentralized and stochastic method: nodes take proximal steps on their samples and exchange
 * vectors with their neighbours. {@code adfs} is S-ADFS if the objective is smooth and NS-ADFS if it has kinks;
 * {@code ns-adfs} is always NS-ADFS.
 */
public final class AdfsMethod implements Method {

    private static final String SMOOTH = "adfs";
    private static final String NON_SMOOTH = "ns-adfs";

    private final boolean alwaysNonSmooth;

    private AdfsMethod(boolean alwaysNonSmooth) {
        this.alwaysNonSmooth = alwaysNonSmooth;
    }

    /** Returns ADFS in the form that the objective requires. */
    public static AdfsMethod standard() {
        return new AdfsMethod(false);
    }

    /** Returns NS-ADFS, whatever the objective. */
    public static AdfsMethod nonSmooth() {
        return new AdfsMethod(true);
    }

    @Override
    public String name() {
        return alwaysNonSmooth ? NON_SMOOTH : SMOOTH;
    }

    @Override
    public String description() {
        return alwaysNonSmooth ? "NS-ADFS, for losses with kinks" : "S-ADFS that adapts, all edges in every round";
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        // Steps on a row need a bound for that row's label only.
        boolean bounded =
                objective.isSmooth() && !alwaysNonSmooth && objective.loss().smoothness(1) < Double.POSITIVE_INFINITY;
        return bounded ? unregularised(name(), objective) : objectionOf(name(), objective);
    }

    /**
     * Returns why a method of this family cannot take an objective: its steps need a bound on the curvature of a loss
     * without kinks, its dual a strongly convex regulariser of every weight.
     */
    public static Optional<String> objectionOf(String method, Objective objective) {
        if (isUnbounded(objective)) {
            return Optional.of("method " + method + " needs a bound on the curvature of the loss, and that of "
                    + objective.loss().name() + " has none; "
                    + (objective.regulariser().isSmooth() ? "newton" : "proximal-newton") + " can do without");
        }
        return unregularised(method, objective);
    }

    private static Optional<String> unregularised(String method, Objective objective) {
        if (!objective.isRegularised()) {
            return Optional.of("method " + method + " cannot do without regularisation; "
                    + (objective.isSmooth() ? "newton can, or " : "") + "give lambda a positive value");
        }
        return objective.intercept()
                ? Optional.of("method " + method + " cannot leave an intercept unregularised; "
                        + freeIntercept(objective) + "give a bias instead")
                : Optional.empty();
    }

    /** Returns whether the loss has no kinks and no bound on its curvature either. */
    public static boolean isUnbounded(Objective objective) {
        return objective.loss().isDifferentiable() && !objective.loss().hasBoundedCurvature();
    }

    private static String freeIntercept(Objective objective) {
        if (objective.isSmooth()) {
            return "newton can, or ";
        }
        return objective.loss().isDifferentiable()
                ? "proximal-newton can, or "
                : objective.regulariser().isSmooth() ? "multipliers can, or " : "";
    }

    @Override
    public boolean suits(Objective objective, Shape shape) {
        return !alwaysNonSmooth;
    }

    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return CertifiedProgram.trainingSums(shape.features());
    }

    @Override
    public int factCount() {
        return 4;
    }

    @Override
    public double[] facts(LocalProblem problem) {
        Conditioning facts = alwaysNonSmooth ? Conditioning.uniform(problem) : Conditioning.of(problem);
        return new double[] {facts.rootSum(), facts.smallestRoot(), facts.smoothnessSum(), facts.curvature()};
    }

    /** Returns the facts in the form in which the formulas of the paper use them. */
    public static Conditioning conditioning(Facts facts) {
        double[] own = facts.own();
        return new Conditioning(facts.samples(), facts.weight(), facts.sigma(), own[0], own[1], own[2], own[3]);
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        List<Conditioning> nodes = facts.stream().map(AdfsMethod::conditioning).toList();
        if (alwaysNonSmooth || !objective.isSmooth()) {
            NonSmoothTuning tuning = NonSmoothTuning.of(network, nodes, delay);
            return new TunedAdfs(
                    NON_SMOOTH,
                    network.size(),
                    shape.features(),
                    Facts.total(facts),
                    Theory.fixed(tuning),
                    List.of(),
                    TunedAdfs.constants(tuning),
                    (problem, place, seed) ->
                            new NonSmoothAdfs(problem, nodes.get(place.node()), network, place.node(), tuning, seed));
        }
        Tunings tunings = Tunings.best(network, nodes, delay);
        return new TunedAdfs(
                SMOOTH,
                network.size(),
                shape.features(),
                Facts.total(facts),
                tunings,
                TunedAdfs.conditioning(nodes),
                Stream.concat(
                                TunedAdfs.constants(tunings.smooth(Belief.THEORY)).stream(),
                                TunedAdfs.paper(network, nodes, delay).stream())
                        .toList(),
                (problem, place, seed) -> new AdaptiveAdfs(
                        problem.withSigma(tunings.sigma(place.node())),
                        nodes.get(place.node()),
                        place.node(),
                        tunings,
                        seed));
    }
}
