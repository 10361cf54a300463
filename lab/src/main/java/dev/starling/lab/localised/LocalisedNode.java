package dev.starling.lab.localised;

import dev.starling.internal.Vectors;
import dev.starling.method.Assignment;
import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.method.TrainingSum;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Spectrum;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.HiddenSum;
import dev.starling.node.Phase;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A node of localised ADFS: stages, each of which begins with the best point so far. All nodes sum up gradients and
 * curvatures around it, agree on constants, and run {@link LocalisedAdfs} until a certificate says that the stage is
 * over.
 *
 * <p>The answer never depends on whether the losses could be trusted: certificates are about the original losses. If
 * the minimiser's margins lie within the radius, the stage's minimiser is that of the original problem; if the gap
 * stops falling, the next stage begins around the best point, and with twice the radius if the gap has not fallen
 * enough. From some radius on it is infinite, which is S-ADFS, and converges by the paper's theorem. Where the
 * constants of the first stage promise less than those of plain ADFS, as for nodes that differ much, the run is one of
 * plain ADFS.
 */
final class LocalisedNode implements MethodNode {

    private enum Stage {
        /** Sums of gradients and curvatures around a point. */
        SUM,
        /** The constants of all nodes. */
        AGREE,
        /** Steps that end with a new point; no certificate would be worth its pass there. */
        APPROACH,
        /** Steps that end with a certificate. */
        RUN,
        /** The mean of the nodes' points. */
        MEET,
        DONE
    }

    private static final String CURVATURE = "curvature around a point";
    private static final String POINTS = "points of the nodes";

    /** An approach is this many times the time in which theory expects the error to shrink by a factor e. */
    private static final double APPROACH_FACTORS = 2;

    /** A stage that is certified takes at most so many times as long as theory says. */
    private static final double PATIENCE = 1.5;

    private final LocalisedMethod.TunedLocalised method;
    private final Assignment assignment;
    private final Collectives nodes;
    private final LocalProblem problem;
    private final Optional<double[]> start;
    private final State.Owner owner;
    private final int stride;
    private final Exchange exchange = new Exchange();

    private Stage stage = Stage.SUM;
    private final Centre centre;
    private final Progress progress;
    private final Surveyed surveyed;

    private HiddenSum sum;
    private Phase<double[]> agreement;
    private LocalisedAdfs algorithm;
    private long approachEnds;
    private CertifiedProgram run;

    LocalisedNode(LocalisedMethod.TunedLocalised method, Assignment assignment, Optional<double[]> start) {
        this.method = method;
        this.assignment = assignment;
        this.nodes = assignment.place();
        this.problem = assignment.problem().shuffled();
        this.start = start;
        this.owner = new State.Owner(nodes.node(), problem.features(), problem.samples());
        this.stride = stride(problem);
        double[] first = start.orElseGet(() -> new double[problem.features()]);
        this.centre = new Centre(first);
        this.progress = new Progress(assignment.listener(), first.clone());
        this.surveyed = new Surveyed(problem, centre, stride, nodes.size(), method.totals());
    }

    /** Curvature from so few rows that it takes less time than their gradients, but from some for every feature. */
    private static int stride(LocalProblem problem) {
        double affordable = problem.valuesPerRow();
        double known = problem.samples() / (4.0 * problem.features());
        return (int) Math.max(1, Math.min(affordable, known));
    }

    /** The sums that such a run adds up. */
    static List<TrainingSum> trainingSums(int features) {
        return Stream.concat(
                        Stream.of(
                                new TrainingSum(SumKind.HESSIAN, CURVATURE, Surveyed.numbers(features)),
                                new TrainingSum(SumKind.ESTIMATES, POINTS, features)),
                        CertifiedProgram.trainingSums(features).stream())
                .toList();
    }

    static int longestMessage(Collectives nodes, int features) {
        return Math.max(
                HiddenSum.longestMessage(nodes, Surveyed.numbers(features)),
                CertifiedProgram.longestMessage(nodes, features));
    }

    @Override
    public Exchange advance() {
        return switch (stage) {
            case SUM, MEET -> sum().advance();
            case AGREE -> agreement().advance();
            case APPROACH -> algorithm.advance();
            case RUN -> run.advance();
            case DONE -> exchange.end();
        };
    }

    @Override
    public void absorb(double[][] messages) {
        switch (stage) {
            case SUM, MEET -> {
                sum.absorb(messages);
                if (sum.isDone()) {
                    double[] totalled = sum.totals();
                    sum = null;
                    take(totalled);
                }
            }
            case AGREE -> {
                agreement.absorb(messages);
                if (agreement.isDone()) {
                    surveyed.maxima = agreement.result();
                    agreement = null;
                    begin();
                }
            }
            case APPROACH -> {
                algorithm.absorb(messages);
                if (algorithm.steps() >= approachEnds) {
                    stage = Stage.MEET;
                }
            }
            case RUN -> {
                run.absorb(messages);
                if (run.isDone()) {
                    conclude();
                }
            }
            default -> throw new IllegalStateException("absorbed while " + stage);
        }
    }

    private HiddenSum sum() {
        if (sum == null) {
            boolean points = stage == Stage.MEET;
            SumRequest request = SumRequest.atPoint(
                            points ? SumKind.ESTIMATES : SumKind.HESSIAN,
                            nodes.problem(),
                            1,
                            points ? new double[0] : centre.point.clone(),
                            problem.samples(),
                            points ? problem.features() : Surveyed.numbers(problem.features()))
                    .named(points ? POINTS : CURVATURE);
            double work = points ? 0 : problem.samples() * (1 + problem.valuesPerRow() / (4 * stride));
            sum = new HiddenSum(nodes, request.name() + " " + centre.number, Exchange.Kind.ROUND)
                    .of(
                            points ? request : request.withShares(surveyed::shares),
                            points ? this::point : surveyed::addend,
                            work);
        }
        return sum;
    }

    private double[] point() {
        double[] point = new double[problem.features()];
        algorithm.estimate(point);
        return HiddenSum.addend(point);
    }

    /** Takes the sums around a point, or the points whose mean is the next one. */
    private void take(double[] totalled) {
        boolean tooLarge = HiddenSum.isTooLarge(totalled);
        if (stage == Stage.SUM) {
            if (tooLarge && centre.isFirst()) {
                HiddenSum.requireNotTooLarge(totalled); // at the very start, the rows are to blame
            }
            surveyed.take(totalled);
            if (centre.accepts(tooLarge ? Double.NaN : surveyed.objective())) {
                stage = Stage.AGREE;
            } else {
                surveyed.forget(); // the sums around the point before are made again, with the other radius
            }
            return;
        }
        progress.count(
                algorithm.steps(),
                algorithm.updates() + problem.samples(),
                algorithm.steps() * tuning().computationProbability() / samplesPerNode() + 1 + 1.0 / stride);
        centre.move(totalled, nodes.size(), tooLarge);
        surveyed.forget();
        algorithm = null;
        run = null;
        stage = Stage.SUM;
    }

    private double samplesPerNode() {
        return (double) method.totals().samples() / nodes.size();
    }

    private Phase<double[]> agreement() {
        if (agreement == null) {
            agreement = nodes.max(surveyed::compare, EdgeMatrix.NUMBERS, Exchange.Kind.ROUND);
        }
        return agreement;
    }

    private Tuning tuning() {
        return EdgeMatrix.tune(surveyed.maxima, method.graph(), method.delay());
    }

    private void begin() {
        Tuning tuning = tuning();
        if (centre.number == 0
                && tuning.stepsFor(Math.E) * tuning.timePerStep()
                        > method.plain().idealisedTimeFor(Math.E)) {
            giveWay();
            return;
        }
        algorithm = surveyed.algorithm(method.network(), nodes.node(), tuning, assignment.seed() + centre.number);
        approachEnds = (long) Math.ceil(APPROACH_FACTORS / tuning.rate());
        stage = centre.near ? Stage.RUN : Stage.APPROACH;
        run = centre.near ? certified(algorithm, tuning) : null;
    }

    /** Goes on as plain ADFS, from its own start: what was summed up says that it is faster. */
    private void giveWay() {
        progress.gaveWay = true;
        progress.count(0, problem.samples(), 1 + 1.0 / stride);
        surveyed.forget();
        stage = Stage.RUN;
        run = plainRun();
    }

    private DualProgram plainProgram() {
        return method.plain().maker().program(problem, nodes, assignment.seed());
    }

    private CertifiedProgram plainRun() {
        DualProgram program = plainProgram();
        start.ifPresent(program::beginAt);
        return certified(program, method.plain().theory(), Double.POSITIVE_INFINITY);
    }

    private CertifiedProgram certified(DualProgram program, Tuning tuning) {
        boolean everywhere = centre.isEverywhere();
        double perEpoch = samplesPerNode() / tuning.computationProbability();
        double gap = assignment.rule().relativeGap();
        double most =
                everywhere ? Double.POSITIVE_INFINITY : PATIENCE * tuning.stepsFor(1 / Math.min(0.5, gap)) / perEpoch;
        return certified(program, new Pace(tuning, !everywhere), most);
    }

    private CertifiedProgram certified(DualProgram program, Theory theory, double mostEpochs) {
        StoppingRule rule = assignment.rule();
        double left = Math.max(Double.MIN_NORMAL, rule.maxEpochs() - progress.passes);
        StoppingRule ofStage = new StoppingRule(rule.relativeGap(), Math.min(mostEpochs, left), rule.timed());
        return new CertifiedProgram(program, nodes, method.totals(), theory, ofStage, progress::report);
    }

    /** The pace of a stage. */
    private record Pace(StepForecast pace, boolean endsWhenBehind) implements Theory {
        @Override
        public StepForecast pace(Belief belief) {
            return pace;
        }
    }

    private void conclude() {
        progress.take(run.result());
        boolean ended = progress.gaveWay
                || assignment.rule().isMet(progress.result().certificate())
                || run.wasStopped()
                || progress.result().stalled()
                || passes() >= assignment.rule().maxEpochs();
        stage = ended ? Stage.DONE : Stage.MEET;
    }

    @Override
    public void certifyNow() {
        if (stage == Stage.DONE) {
            return;
        }
        run = run == null ? cutShort() : run;
        stage = Stage.RUN;
        run.certifyNow();
    }

    /** Any dual point can be certified, also one that other nodes have left or have not reached yet. */
    private CertifiedProgram cutShort() {
        return certified(
                algorithm == null ? plainProgram() : algorithm,
                EdgeMatrix.tune(new double[EdgeMatrix.NUMBERS], new Spectrum(0, 0), method.delay()));
    }

    @Override
    public Solution result() {
        return progress.result();
    }

    @Override
    public int longestMessage() {
        return longestMessage(nodes, problem.features());
    }

    @Override
    public double passes() {
        return progress.passes + (run != null ? run.passes() : 0);
    }

    @Override
    public long updates() {
        return progress.updates + (algorithm != null ? algorithm.updates() : run != null ? run.updates() : 0);
    }

    @Override
    public boolean isDone() {
        return stage == Stage.DONE;
    }

    @Override
    public void estimate(double[] theta) {
        if (algorithm != null) {
            algorithm.estimate(theta);
        } else if (progress.gaveWay) {
            run.estimate(theta);
        } else {
            Vectors.copy(centre.point, theta);
        }
    }

    @Override
    public void state(State s) throws IOException {
        owner.state(s);
        Stage saved = s.choice(stage);
        centre.state(s);
        progress.state(s);
        surveyed.state(s);
        boolean runs = s.flag(algorithm != null);
        boolean certifies = s.flag(run != null);
        boolean summing = s.flag(sum != null);
        boolean agreeing = s.flag(agreement != null);
        if (s.isRestoring()) {
            surveyed.forget();
            sum = null;
            agreement = null;
            algorithm = null;
            run = null;
            if (runs) {
                begin();
            }
            if (certifies && run == null) {
                run = progress.gaveWay ? plainRun() : cutShort();
            }
            stage = saved;
        }
        if (runs || certifies) {
            (certifies ? run : algorithm).state(s);
        }
        if (summing) {
            sum().state(s);
        }
        if (agreeing) {
            agreement().state(s);
        }
    }
}
