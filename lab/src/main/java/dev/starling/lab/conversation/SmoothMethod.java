package dev.starling.lab.conversation;

import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.method.adfs.AdfsMethod;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;

/** A variant of S-ADFS. It uses the same facts about nodes as {@link AdfsMethod}, and is never chosen automatically. */
public abstract class SmoothMethod implements Method {

    private static final AdfsMethod ADFS = AdfsMethod.standard();

    private final String name;
    private final String description;

    /** Creates a method with a name and a one-line description. */
    protected SmoothMethod(String name, String description) {
        this.name = name;
        this.description = description;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final Optional<String> objectionTo(Objective objective) {
        return objectionOf(name, objective);
    }

    /** Returns why a variant of S-ADFS cannot take an objective. */
    public static Optional<String> objectionOf(String method, Objective objective) {
        return objective.isSmooth() || AdfsMethod.isUnbounded(objective)
                ? AdfsMethod.objectionOf(method, objective)
                : Optional.of("method " + method + " cannot take " + objective.kinks() + ", which has kinks; adfs can");
    }

    @Override
    public final boolean suits(Objective objective, Shape shape) {
        return false;
    }

    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return ADFS.trainingSums(objective, shape);
    }

    @Override
    public final int factCount() {
        return ADFS.factCount();
    }

    @Override
    public final double[] facts(LocalProblem problem) {
        return ADFS.facts(problem);
    }

    @Override
    public final Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        return tune(network, objective, shape, facts, Timing.even(delay));
    }
}
