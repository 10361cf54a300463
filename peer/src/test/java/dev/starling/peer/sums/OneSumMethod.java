package dev.starling.peer.sums;

import dev.starling.certificate.Certificate;
import dev.starling.method.Assignment;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Forecast;
import dev.starling.method.MethodNode;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.Solution;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.method.sums.SumsMethod;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import java.util.List;
import java.util.Optional;

/** A method of sums only that trains by a single sum, which it may announce or not. */
public abstract class OneSumMethod implements SumsMethod {

    /** Asks for a sum of a kind that no rule knows, and announces it. */
    public static final class Unknown extends OneSumMethod {

        /** Called by the service loader. */
        public Unknown() {
            super("unknown-sum", SumKind.OTHER, List.of(new TrainingSum(SumKind.OTHER, "mine", 1)));
        }
    }

    /** Announces a gradient without numbers, and asks for one of one number. */
    public static final class TooLong extends OneSumMethod {

        /** Called by the service loader. */
        public TooLong() {
            super("long-sum", SumKind.GRADIENT, List.of(new TrainingSum(SumKind.GRADIENT, "mine", 0)));
        }
    }

    /** Announces a count, and asks for a gradient under the same name. */
    public static final class Disguised extends OneSumMethod {

        /** Called by the service loader. */
        public Disguised() {
            super("disguised-sum", SumKind.GRADIENT, List.of(new TrainingSum(SumKind.COUNTS, "mine", 1)));
        }
    }

    /** Announces nothing. */
    public static final class Unannounced extends OneSumMethod {

        /** Called by the service loader. */
        public Unannounced() {
            super("unannounced-sum", SumKind.COUNTS, List.of());
        }
    }

    private final String name;
    private final SumKind kind;
    private final List<TrainingSum> announced;

    OneSumMethod(String name, SumKind kind, List<TrainingSum> announced) {
        this.name = name;
        this.kind = kind;
        this.announced = announced;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "a single sum";
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        return Optional.empty();
    }

    @Override
    public boolean suits(Objective objective, Shape shape) {
        return false;
    }

    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return announced;
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        Tuned newton = Methods.named("newton").tune(network, objective, shape, facts, delay);
        return new OfOneSum(newton, kind);
    }

    private record OfOneSum(Tuned newton, SumKind kind) implements Tuned {

        @Override
        public String name() {
            return "one-sum";
        }

        @Override
        public Forecast forecast() {
            return newton.forecast();
        }

        @Override
        public List<Constant> dataConstants() {
            return List.of();
        }

        @Override
        public List<Constant> constants() {
            return List.of();
        }

        @Override
        public int longestMessage(Collectives nodes) {
            return newton.longestMessage(nodes);
        }

        @Override
        public MethodNode node(Assignment assignment, Optional<double[]> start) {
            return new Node(assignment, kind);
        }
    }

    private static final class Node extends Sequence<Solution> implements MethodNode {

        private final Assignment assignment;
        private final SumKind kind;

        Node(Assignment assignment, SumKind kind) {
            super(new State.Owner(
                    assignment.place().node(),
                    assignment.problem().features(),
                    assignment.problem().samples()));
            this.assignment = assignment;
            this.kind = kind;
        }

        @Override
        protected Step<?> begin() {
            int features = assignment.problem().features();
            SumRequest request = SumRequest.atPoint(
                            kind,
                            0,
                            1,
                            new double[features],
                            assignment.problem().samples(),
                            1)
                    .named("mine");
            return next(
                    "mine",
                    assignment.place().sum(request, () -> new double[] {1}),
                    totals -> done(new Solution(new Certificate(1, 1, 1, 1), new double[features])));
        }

        @Override
        public long updates() {
            return 0;
        }

        @Override
        public double passes() {
            return 1;
        }

        @Override
        public void certifyNow() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void estimate(double[] estimate) {
            throw new UnsupportedOperationException();
        }
    }
}
