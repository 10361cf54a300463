package dev.starling.lab.localised;

import dev.starling.certificate.Certificate;
import dev.starling.internal.Vectors;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.method.TrainingSum;
import dev.starling.method.adfs.TunedAdfs;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
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
import java.util.Arrays;
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
 *
 * <p>It is longer than most classes, and has more fields than most, because what a stage agreed on must outlast a
 * restart in the middle of any other step.
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

    /** Approaches end when one lowers the objective by no more than this part of it. */
    private static final double NEAR = 0.4;

    private static final double FIRST_RADIUS = 2;
    private static final double LARGEST_RADIUS = 64;

    private final Network network;
    private final Spectrum graph;
    private final double delay;
    private final Facts totals;
    private final LocalProblem problem;
    private final Collectives nodes;
    private final StoppingRule rule;
    private final long seed;
    private final CertificateListener listener;
    private final TunedAdfs plain;
    private final Optional<double[]> start;
    private final State.Owner owner;
    private final int stride;
    private final Exchange exchange = new Exchange();

    private Stage stage = Stage.SUM;
    private int number;
    private double radius = FIRST_RADIUS;
    private final double[] centre;
    private final double[] centreBefore;
    private double objective = Double.POSITIVE_INFINITY;
    private boolean near;
    private final double[] best;
    private Certificate proof = Certificate.NONE;
    private boolean stalled;
    private boolean gaveWay;
    private long stepsBefore;
    private long updatesBefore;
    private double passesBefore;

    private Surroundings around;
    private HiddenSum sum;
    private LocalisedAdfs algorithm;
    private long approachEnds;
    private double[] summed = {};
    private Phase<double[]> agreement;
    private double[] maxima = {};
    private Turned turned;
    private EdgeMatrix edges;
    private CertifiedProgram run;

    LocalisedNode(
            Network network,
            Spectrum graph,
            double delay,
            Facts totals,
            Assignment assignment,
            Optional<double[]> start,
            TunedAdfs plain) {
        this.network = network;
        this.graph = graph;
        this.delay = delay;
        this.totals = totals;
        this.problem = assignment.problem().shuffled();
        this.nodes = assignment.place();
        this.rule = assignment.rule();
        this.seed = assignment.seed();
        this.listener = assignment.listener();
        this.plain = plain;
        this.start = start;
        this.owner = new State.Owner(nodes.node(), problem.features(), problem.samples());
        this.stride = stride(problem);
        this.centre = start.map(double[]::clone).orElseGet(() -> new double[problem.features()]);
        this.centreBefore = centre.clone();
        this.best = centre.clone();
    }

    /** Curvature from so few rows that it takes less time than their gradients, but from some for every feature. */
    private static int stride(LocalProblem problem) {
        double affordable = problem.valuesPerRow();
        double known = problem.samples() / (4.0 * problem.features());
        return (int) Math.max(1, Math.min(affordable, known));
    }

    private static int numbers(int features) {
        return 1 + features + features * (features + 1) / 2;
    }

    /** The sums that such a run adds up. */
    static List<TrainingSum> trainingSums(int features) {
        return Stream.concat(
                        Stream.of(
                                new TrainingSum(SumKind.HESSIAN, CURVATURE, numbers(features)),
                                new TrainingSum(SumKind.ESTIMATES, POINTS, features)),
                        CertifiedProgram.trainingSums(features).stream())
                .toList();
    }

    static int longestMessage(Collectives nodes, int features) {
        return Math.max(
                HiddenSum.longestMessage(nodes, numbers(features)), CertifiedProgram.longestMessage(nodes, features));
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
                    maxima = agreement.result();
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
                            points ? new double[0] : centre.clone(),
                            problem.samples(),
                            points ? centre.length : numbers(centre.length))
                    .named(points ? POINTS : CURVATURE);
            double work = points ? 0 : problem.samples() * (1 + problem.valuesPerRow() / (4 * stride));
            sum = new HiddenSum(nodes, request.name() + " " + number, Exchange.Kind.ROUND)
                    .of(points ? request : request.withShares(this::shares), points ? this::point : this::addend, work);
        }
        return sum;
    }

    private double[] point() {
        double[] point = new double[centre.length];
        algorithm.estimate(point);
        return HiddenSum.addend(point);
    }

    /** Takes the sums around a point, or the points whose mean is the next one. */
    private void take(double[] totalled) {
        boolean tooLarge = HiddenSum.isTooLarge(totalled);
        if (stage == Stage.SUM) {
            if (tooLarge && objective == Double.POSITIVE_INFINITY) {
                HiddenSum.requireNotTooLarge(totalled); // at the very start, the rows are to blame
            }
            summed = Arrays.copyOfRange(totalled, HiddenSum.HEAD, totalled.length);
            judge(tooLarge);
            return;
        }
        System.arraycopy(centre, 0, centreBefore, 0, centre.length);
        for (int c = 0; c < centre.length && !tooLarge; c++) {
            centre[c] = totalled[HiddenSum.HEAD + c] / nodes.size();
        }
        leave();
        stage = Stage.SUM;
        if (tooLarge) {
            widen();
        }
    }

    /** Counts what the stage has done, and begins the next one. */
    private void leave() {
        double perEpoch = (double) totals.samples() / nodes.size();
        passesBefore += algorithm.steps() * tuning().computationProbability() / perEpoch + 1 + 1.0 / stride;
        updatesBefore += algorithm.updates() + problem.samples();
        stepsBefore += algorithm.steps();
        number++;
        around = null;
        algorithm = null;
        run = null;
    }

    /** Makes the next sums with twice the radius. */
    private void widen() {
        radius = 2 * radius > LARGEST_RADIUS ? Double.POSITIVE_INFINITY : 2 * radius;
        around = null;
        objective = Double.MAX_VALUE;
        near = false;
    }

    /** Accepts the point, or returns to the one before and doubles the radius. */
    private void judge(boolean tooLarge) {
        double value = (summed[0] + totals.sigma() / 2 * Vectors.dot(centre, centre)) / totals.weight();
        if (tooLarge || value > objective) {
            System.arraycopy(centreBefore, 0, centre, 0, centre.length);
            widen(); // the sums around that point are made again, with the other radius
            return;
        }
        near |= objective - value <= NEAR * value || radius == Double.POSITIVE_INFINITY;
        objective = value;
        stage = Stage.AGREE;
    }

    private SumRequest.Shares shares() {
        double[] slopes = new double[problem.samples()];
        double[] curvatures = new double[problem.samples()];
        for (int j = 0; j < slopes.length; j++) {
            slopes[j] = around().slope(j);
            curvatures[j] = around().moved(j);
        }
        return new SumRequest.Shares(List.of(slopes), List.of(curvatures));
    }

    private Surroundings around() {
        if (around == null) {
            around = new Surroundings(problem, centre, radius, stride);
        }
        return around;
    }

    private double[] addend() {
        double[] addend = new double[HiddenSum.HEAD + numbers(problem.features())];
        addend[HiddenSum.HEAD] = problem.lossSum(centre);
        around().sums(addend, HiddenSum.HEAD + 1);
        return addend;
    }

    private Phase<double[]> agreement() {
        if (agreement == null) {
            agreement = nodes.max(this::compare, EdgeMatrix.NUMBERS, Exchange.Kind.ROUND);
        }
        return agreement;
    }

    private double[] compare() {
        prepare();
        double rootSum = 0;
        double smallest = Double.POSITIVE_INFINITY;
        for (int j = 0; j < problem.samples(); j++) {
            double root = turned.root(j, around().left(j));
            rootSum += root;
            smallest = root > 0 ? Math.min(smallest, root) : smallest;
        }
        return edges.compare(around().ownMatrix(), around().leftMatrix(), rootSum, smallest);
    }

    /** Makes what follows from the point, the radius and the sums. */
    private void prepare() {
        int d = problem.features();
        turned = Turned.of(problem, around().ownMatrix());
        double[] mean = new double[d * d];
        for (int row = 0, at = d; row < d; at += ++row) {
            for (int column = 0; column <= row; column++) {
                mean[row * d + column] = summed[1 + at + column] / nodes.size();
            }
            mean[row * d + row] += totals.sigma() / nodes.size();
        }
        edges = new EdgeMatrix(mean, d);
    }

    private Tuning tuning() {
        return EdgeMatrix.tune(maxima, graph, delay);
    }

    private void begin() {
        if (turned == null) {
            prepare();
        }
        Tuning tuning = tuning();
        if (number == 0 && tuning.stepsFor(Math.E) * tuning.timePerStep() > plain.idealisedTimeFor(Math.E)) {
            giveWay();
            return;
        }
        double[] gradient = new double[problem.features()];
        for (int c = 0; c < gradient.length; c++) {
            gradient[c] = (summed[1 + c] + totals.sigma() * centre[c]) / nodes.size();
        }
        algorithm = new LocalisedAdfs(
                problem,
                network,
                nodes.node(),
                around(),
                turned,
                edges.whole(),
                tuning,
                centre.clone(),
                gradient,
                seed + number);
        turned = null;
        edges = null;
        approachEnds = (long) Math.ceil(APPROACH_FACTORS / tuning.rate());
        stage = near ? Stage.RUN : Stage.APPROACH;
        run = near ? certified(algorithm, tuning) : null;
    }

    /** Goes on as plain ADFS, from its own start: what was summed up says that it is faster. */
    private void giveWay() {
        gaveWay = true;
        passesBefore = 1 + 1.0 / stride;
        updatesBefore = problem.samples();
        turned = null;
        edges = null;
        around = null;
        stage = Stage.RUN;
        run = plainRun();
    }

    private DualProgram plainProgram() {
        return plain.maker().program(problem, nodes, seed);
    }

    private CertifiedProgram plainRun() {
        DualProgram program = plainProgram();
        start.ifPresent(program::beginAt);
        double left = Math.max(Double.MIN_NORMAL, rule.maxEpochs() - passesBefore);
        StoppingRule rest = new StoppingRule(rule.relativeGap(), left, rule.timed());
        return new CertifiedProgram(program, nodes, totals, plain.theory(), rest, this::report);
    }

    private CertifiedProgram certified(DualProgram program, Tuning tuning) {
        boolean everywhere = radius == Double.POSITIVE_INFINITY;
        double perEpoch = (double) totals.samples() / nodes.size() / tuning.computationProbability();
        double left = Math.max(Double.MIN_NORMAL, rule.maxEpochs() - passesBefore);
        double most = everywhere ? left : PATIENCE * tuning.stepsFor(1 / Math.min(0.5, rule.relativeGap())) / perEpoch;
        StoppingRule ofStage = new StoppingRule(rule.relativeGap(), Math.min(most, left), rule.timed());
        return new CertifiedProgram(program, nodes, totals, new Pace(tuning, !everywhere), ofStage, this::report);
    }

    /** The pace of a stage. */
    private record Pace(StepForecast pace, boolean endsWhenBehind) implements Theory {
        @Override
        public StepForecast pace(Belief belief) {
            return pace;
        }

        @Override
        public boolean relaxes() {
            return false;
        }

        @Override
        public int mostRaises() {
            return 0;
        }
    }

    private void report(Certificate certificate, long nextCheck) {
        listener.onCertificate(sinceTheStart(certificate), nextCheck == 0 ? 0 : stepsBefore + nextCheck);
    }

    private Certificate sinceTheStart(Certificate of) {
        return new Certificate(
                of.objective(),
                of.dual(),
                of.error(),
                of.scale(),
                stepsBefore + of.steps(),
                passesBefore + of.epochs());
    }

    private void conclude() {
        Solution solution = run.result();
        Certificate latest = sinceTheStart(solution.certificate());
        if (latest.betterThan(proof)) {
            proof = latest;
            System.arraycopy(solution.parameter(), 0, best, 0, best.length);
        }
        stalled = solution.stalled();
        boolean ended = gaveWay || rule.isMet(proof) || run.wasStopped() || stalled || passes() >= rule.maxEpochs();
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
                EdgeMatrix.tune(new double[EdgeMatrix.NUMBERS], new Spectrum(0, 0), delay));
    }

    @Override
    public Solution result() {
        return new Solution(proof, best, stalled);
    }

    @Override
    public int longestMessage() {
        return longestMessage(nodes, problem.features());
    }

    @Override
    public double passes() {
        return passesBefore + (run != null ? run.passes() : 0);
    }

    @Override
    public long updates() {
        return updatesBefore + (algorithm != null ? algorithm.updates() : run != null ? run.updates() : 0);
    }

    @Override
    public boolean isDone() {
        return stage == Stage.DONE;
    }

    @Override
    public void estimate(double[] theta) {
        if (algorithm != null) {
            algorithm.estimate(theta);
        } else if (gaveWay) {
            run.estimate(theta);
        } else {
            System.arraycopy(centre, 0, theta, 0, theta.length);
        }
    }

    @Override
    public void state(State s) throws IOException {
        owner.state(s);
        Stage saved = s.choice(stage);
        number = s.number(number);
        radius = s.number(radius);
        s.vector(centre);
        s.vector(centreBefore);
        objective = s.number(objective);
        near = s.flag(near);
        s.vector(best);
        proof = proof.state(s);
        stalled = s.flag(stalled);
        gaveWay = s.flag(gaveWay);
        stepsBefore = s.number(stepsBefore);
        updatesBefore = s.number(updatesBefore);
        passesBefore = s.number(passesBefore);
        summed = s.vector(summed, numbers(problem.features()));
        maxima = s.vector(maxima, EdgeMatrix.NUMBERS);
        boolean runs = s.flag(algorithm != null);
        boolean certifies = s.flag(run != null);
        boolean summing = s.flag(sum != null);
        boolean agreeing = s.flag(agreement != null);
        if (s.isRestoring()) {
            around = null;
            sum = null;
            agreement = null;
            algorithm = null;
            run = null;
            turned = null;
            if (runs) {
                begin();
            }
            if (certifies && run == null) {
                run = gaveWay ? plainRun() : cutShort();
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
