package dev.starling.method.adfs;

import dev.starling.method.Assignment;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Forecast;
import dev.starling.method.MethodNode;
import dev.starling.method.Tuned;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.node.Collectives;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * A member of the ADFS family, or another method that keeps a slope per row, tuned for a network.
 *
 * @param name the name of the method
 * @param nodes n, the number of nodes
 * @param features d, the number of features
 * @param totals the facts of all nodes, added up
 * @param theory how fast it is, under every belief about its constants
 * @param dataConstants numbers about the nodes' data, to be shown to people who want to see them
 * @param constants the numbers that it uses
 * @param maker creates the program of a node
 */
public record TunedAdfs(
        String name,
        int nodes,
        int features,
        Facts totals,
        Theory theory,
        List<Constant> dataConstants,
        List<Constant> constants,
        Maker maker)
        implements Tuned, Forecast {

    /** Creates the program of a node at the start of its run. */
    public interface Maker {
        /** Creates it from what the node has and the seed of the run, the same on every node. */
        DualProgram program(LocalProblem problem, Collectives place, long seed);
    }

    private StepForecast pace() {
        return theory.pace(Belief.THEORY);
    }

    @Override
    public Forecast forecast() {
        return this;
    }

    @Override
    public double delay() {
        return pace().delay();
    }

    @Override
    public double epochsFor(double factor) {
        return pace().stepsFor(factor) * pace().computationProbability() * nodes / totals.samples();
    }

    @Override
    public double roundsFor(double factor) {
        return pace().stepsFor(factor) * pace().communicationProbability();
    }

    @Override
    public double idealisedTimeFor(double factor) {
        return pace().stepsFor(factor) * pace().timePerStep();
    }

    @Override
    public List<Constant> details(double gap) {
        double factor = 1 / gap;
        return List.of(
                new Constant("predictedSteps", "K", "steps until then, by the rate", pace().stepsFor(factor)),
                new Constant("predictedEpochs", "", "proximal steps per row in them", epochsFor(factor)),
                new Constant("predictedRounds", "", "communication rounds in them", roundsFor(factor)),
                new Constant(
                        "predictedIdealisedTime",
                        "",
                        "idealised time: 1 per proximal step, τ per round",
                        idealisedTimeFor(factor)));
    }

    @Override
    public int longestMessage(Collectives place) {
        return CertifiedProgram.longestMessage(place, features);
    }

    @Override
    public MethodNode node(Assignment assignment, Optional<double[]> start) {
        Collectives place = assignment.place();
        DualProgram program = maker.program(assignment.problem().shuffled(), place, assignment.seed());
        start.ifPresent(program::beginAt);
        return new CertifiedProgram(program, place, totals, theory, assignment.rule(), assignment.listener());
    }

    public static List<Constant> conditioning(List<Conditioning> facts) {
        List<Constant> constants = new ArrayList<>();
        perNode(constants, facts, "rootSum", "S_i", "Σ_j √(1 + L_ij/σ_i) over a node's rows", Conditioning::rootSum);
        perNode(
                constants,
                facts,
                "curvature",
                "M_i",
                "curvature of a node's loss, λmax(Σ_j β x xᵀ)",
                Conditioning::curvature);
        perNode(
                constants,
                facts,
                "batchConditioning",
                "κ_b",
                "conditioning that a batch method sees",
                Conditioning::batchConditioning);
        perNode(
                constants,
                facts,
                "stochasticConditioning",
                "κ_s",
                "conditioning that a stochastic method sees",
                Conditioning::stochasticConditioning);
        return constants;
    }

    private static void perNode(
            List<Constant> constants,
            List<Conditioning> facts,
            String name,
            String symbol,
            String meaning,
            ToDoubleFunction<Conditioning> value) {
        double[] values = facts.stream().mapToDouble(value).toArray();
        constants.addAll(Constant.ofNodes(name, symbol, meaning, values));
    }

    public static List<Constant> constants(Tuning tuning) {
        List<Constant> constants = new ArrayList<>();
        constants.add(delay(tuning));
        constants.add(new Constant(
                "balance", "c", "balance of computation and communication, chosen for τ", tuning.balance()));
        constants.add(new Constant(
                "strongConvexity", "σ_A", "strong convexity of the dual on the graph", tuning.strongConvexity()));
        constants.add(new Constant(
                "computationConstant",
                "C_comp",
                "proximal steps of a node per factor e in the error",
                tuning.computationConstant()));
        constants.add(new Constant(
                "communicationConstant", "C_comm", "rounds per factor e in the error", tuning.communicationConstant()));
        constants.addAll(probabilities(tuning));
        constants.add(new Constant("rate", "ρ", "share of the expected error that a step takes away", tuning.rate()));
        constants.add(new Constant("stepSize", "η", "step size, ρ/σ_A", tuning.stepSize()));
        constants.add(
                new Constant("momentumDecay", "φ", "momentum kept at every step, (1−ρ)/(1+ρ)", tuning.momentumDecay()));
        constants.add(new Constant(
                "timePerFactor", "", "idealised time per factor e, C_comp + τ C_comm", tuning.timePerFactor()));
        return constants;
    }

    /**
     * The constants with the paper's own c = 1/2, and what its Theorem 4 says of p_comm and the time; none for a single
     * node, which does not communicate.
     */
    static List<Constant> paper(Network network, List<Conditioning> facts, double delay) {
        if (network.size() == 1) {
            return List.of();
        }
        Tuning half = Tuning.of(network, facts, delay, 0.5);
        double gamma = Spectrum.of(network).gamma();
        double conditioning = half.communicationConstant() * half.communicationConstant() * gamma;
        double samples = facts.stream().mapToDouble(Conditioning::samples).max().orElseThrow();
        double stochastic = facts.stream()
                .mapToDouble(Conditioning::stochasticConditioning)
                .max()
                .orElseThrow();
        double computing = Math.sqrt(2) * (samples + Math.sqrt(samples * stochastic));
        double communicating = Math.sqrt(conditioning / gamma);
        return List.of(
                new Constant("communicationConditioning", "κ_comm", "the paper's, with its c = 1/2", conditioning),
                new Constant(
                        "paperCommunicationProbability",
                        "p_comm",
                        "as in its Theorem 4",
                        communicating / (communicating + computing)),
                new Constant("paperTimePerFactor", "", "time per factor e with its c = 1/2", half.timePerFactor()),
                new Constant(
                        "theoremTimePerFactor",
                        "",
                        "time per factor e by its Theorem 4",
                        computing + delay * communicating));
    }

    static List<Constant> constants(NonSmoothTuning tuning) {
        List<Constant> constants = new ArrayList<>();
        constants.add(delay(tuning));
        constants.addAll(probabilities(tuning));
        constants.add(new Constant(
                "scaledEigenvalue", "Λ", "largest eigenvalue of Aᵀ diag(σ)⁻¹ A", tuning.largestEigenvalue()));
        constants.add(new Constant(
                "smallestProbability",
                "p_min",
                "least probability of a row in a step; the first momentum a_0",
                tuning.smallestProbability()));
        constants.add(
                new Constant("stepsUntilRestart", "", "steps until the first restart", tuning.stepsBetweenRestarts(0)));
        return constants;
    }

    private static Constant delay(StepForecast pace) {
        return new Constant("tau", "τ", "time of a message when a proximal step takes 1", pace.delay());
    }

    private static List<Constant> probabilities(StepForecast pace) {
        return List.of(
                new Constant(
                        "communicationProbability",
                        "p_comm",
                        "probability that a step is a round",
                        pace.communicationProbability()),
                new Constant(
                        "computationProbability",
                        "p_comp",
                        "probability that a step is a proximal step",
                        pace.computationProbability()));
    }
}
