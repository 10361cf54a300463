package dev.starling.spark;

import dev.starling.certificate.CertificateListener;
import dev.starling.data.Dataset;
import dev.starling.data.Fingerprint;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Standardizer;
import dev.starling.data.Standardizer.Moments;
import dev.starling.method.CertifiedNode;
import dev.starling.method.Method;
import dev.starling.method.Solver;
import dev.starling.method.Solver.Agreement;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.peer.node.Solved;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.NodeFacts;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node's part of a run, from its rows and links to the model that all nodes end with. */
final class NodeSession {

    private static final Logger LOGGER = LoggerFactory.getLogger("dev.starling.spark");

    /** A state's number is its problem and, in the lower bits, its place in the run of that problem. */
    private static final int PLACE_BITS = 40;

    private final JobPlan plan;
    private final Settings settings;
    private final Network network;
    private final int node;
    private final int longestVector;
    private final Tree tree;
    private final LinkLoop loop;
    private final PackedRows raw;
    private final int attempt;
    private final Optional<Checkpoints> checkpoints;
    private final List<Solved> solved = new ArrayList<>();

    private NodeShape.Common common;
    private Optional<Standardizer> standardizer = Optional.empty();
    private Dataset rows;
    private Agreement agreement;
    private String runName = "";
    private Optional<CertifiedNode> resumed = Optional.empty();
    private long place;
    private double stepsPerPlace;

    NodeSession(JobPlan plan, Neighbourhood neighbours, Network network, PackedRows raw, int attempt) {
        this.plan = plan;
        this.settings = plan.settings();
        this.network = network;
        this.node = neighbours.node();
        this.longestVector = neighbours.longestVector();
        this.tree = new Tree(neighbours, network.spanningTree(), node, network.size());
        this.loop = new LinkLoop(neighbours);
        this.raw = raw;
        this.attempt = attempt;
        this.checkpoints = plan.checkpoints();
    }

    NodeOutcome run() throws IOException {
        List<NodeShape> shapes = shapes();
        if (raw.objection().isPresent()) {
            return NodeOutcome.objecting(attempt, raw.objection().get());
        }
        if (!shapes.stream().allMatch(NodeShape::sound)) {
            return NodeOutcome.nothing(attempt);
        }
        common = NodeShape.common(shapes, settings.bias());
        layOut();
        tune();
        long start = System.nanoTime();
        solve();
        return outcome((System.nanoTime() - start) * 1e-9);
    }

    private List<NodeShape> shapes() {
        NodeShape own =
                raw.objection().isPresent() ? NodeShape.unsound() : NodeShape.of(raw.data(), plan.classification());
        return Arrays.stream(tree.gather(own.encode())).map(NodeShape::decode).toList();
    }

    /** Brings the rows into the form that all nodes give theirs. */
    private void layOut() {
        Dataset prepared = raw.data();
        if (settings.standardize()) {
            double[] all = tree.fold(
                    Moments.of(prepared).toArray(),
                    (one, other) -> Moments.fromArray(one)
                            .merge(Moments.fromArray(other))
                            .toArray());
            Standardizer scaled = Standardizer.scaled(Moments.fromArray(all));
            standardizer = Optional.of(scaled);
            prepared = scaled.apply(prepared);
        }
        if (settings.bias() > 0) {
            prepared = prepared.withBias(settings.bias());
        }
        rows = prepared.laidOut(common.dense());
    }

    private void tune() {
        LocalProblem first = problem(0);
        Solver solver = Solver.of(
                settings.method(), settings.loss(), first.regulariser(), rows.features(), common.nonZerosPerRow());
        requireShortMessages(solver);
        if (node == 0) {
            LOGGER.info("method {}", solver.name());
        }
        List<NodeFacts> facts = Arrays.stream(tree.gather(encode(solver.facts(first))))
                .map(NodeSession::decode)
                .toList();
        double delay = settings.delayFor(rows.features(), common.valuesPerRow());
        agreement = solver.agree(network, facts, delay);
        stepsPerPlace = settings.checkpointPasses()
                * (double) common.rows()
                / network.size()
                / agreement.pace().computationProbability();
    }

    private void requireShortMessages(Solver solver) {
        int longest = solver.longestMessage(rows.features());
        if (network.size() > 1 && longest > longestVector) {
            throw new InvalidInputException("method " + solver.name() + " would send vectors of " + longest
                    + " entries for " + rows.features() + " features, executors send up to " + longestVector
                    + "; use fewer features");
        }
    }

    private LocalProblem problem(int index) {
        return LocalProblem.of(common.targets(rows, index), settings.loss(), settings.lambda());
    }

    private static double[] encode(NodeFacts facts) {
        return new double[] {
            facts.samples(),
            facts.weight(),
            facts.sigma(),
            facts.rootSum(),
            facts.smallestRoot(),
            facts.smoothnessSum(),
            facts.curvature()
        };
    }

    private static NodeFacts decode(double[] numbers) {
        return new NodeFacts((long) numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]);
    }

    private void solve() throws IOException {
        long newest = newestCommonState();
        if (newest >= 0) {
            checkpoints.orElseThrow().read(runName, node, newest, in -> resume(in, newest));
        }
        if (resumed.isPresent()) {
            finish(resumed.get());
        }
        while (solved.size() < common.problems()) {
            if (!solved.isEmpty() && checkpoints.isPresent()) {
                save(Optional.empty());
            }
            place = 0;
            finish(program(solved.size()));
        }
    }

    private void resume(DataInputStream in, long number) throws IOException {
        loop.restore(in);
        int count = in.readInt();
        for (int k = 0; k < count; k++) {
            solved.add(Solved.restore(in));
        }
        place = number & ((1L << PLACE_BITS) - 1);
        LOGGER.info("node {} resumes at state {} of problem {}", node, place, count);
        if (place > 0) {
            CertifiedNode program = program(count);
            program.restore(in);
            resumed = Optional.of(program);
        }
    }

    private void finish(CertifiedNode program) {
        loop.run(program, kindBeforeRest(), () -> saveIfDue(program));
        solved.add(new Solved(program.bestCertificate(), program.bestParameter().clone(), program.updates()));
    }

    /**
     * The exchanges after which the states of nodes that have taken as many steps belong together, since nothing is
     * under way between them: rounds, in which neighbours swap vectors. In Newton's method rounds go up the tree, so
     * that a parent has what its child has yet to say; it is when an order has been passed on that all are at rest.
     */
    private Exchange.Kind kindBeforeRest() {
        return agreement.method() == Method.NEWTON ? Exchange.Kind.CONTROL : Exchange.Kind.ROUND;
    }

    private CertifiedNode program(int index) {
        CertificateListener listener = node > 0
                ? CertificateListener.NONE
                : (certificate, next) -> LOGGER.info(
                        "gap {} after {} passes, objective {}",
                        certificate.relativeGap(),
                        certificate.epochs(),
                        certificate.objective());
        return agreement.program(problem(index), node, settings.rule(), settings.seed(), listener);
    }

    /** The number of the newest state that every node has; −1 if there is none. Names the run on the way. */
    private long newestCommonState() throws IOException {
        if (checkpoints.isEmpty()) {
            return -1;
        }
        runName = runName();
        double[] own = Arrays.stream(checkpoints.get().numbers(runName, node))
                .asDoubleStream()
                .toArray();
        List<Double> inCommon = new ArrayList<>(Arrays.stream(own).boxed().toList());
        for (double[] other : tree.gather(own)) {
            inCommon.retainAll(Arrays.stream(other).boxed().toList());
        }
        return inCommon.stream().mapToLong(Double::longValue).max().orElse(-1);
    }

    /** A digest of everything the run is a function of. */
    private String runName() {
        byte[] own = HexFormat.of().parseHex(Fingerprint.of(raw.data()));
        double[] words = new double[own.length];
        Arrays.setAll(words, k -> own[k]);
        MessageDigest digest = sha256();
        for (double[] fingerprint : tree.gather(words)) {
            for (double word : fingerprint) {
                digest.update((byte) word);
            }
        }
        digest.update((settings + " " + dev.starling.internal.Version.current()).getBytes(StandardCharsets.UTF_8));
        digest.update(ByteBuffer.allocate(Double.BYTES)
                .putDouble(agreement.pace().delay())
                .array());
        return HexFormat.of().formatHex(digest.digest(), 0, 16);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Saves the state where the steps, of which all nodes take the same number, say so. */
    private void saveIfDue(CertifiedNode program) {
        if (checkpoints.isEmpty()) {
            return;
        }
        long due = (long) (program.steps() / stepsPerPlace);
        if (due > place) {
            place = due;
            save(Optional.of(program));
        }
    }

    private void save(Optional<CertifiedNode> program) {
        long number = ((long) solved.size() << PLACE_BITS) + (program.isPresent() ? place : 0);
        try {
            checkpoints.orElseThrow().write(runName, node, number, out -> write(out, program));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(DataOutputStream out, Optional<CertifiedNode> program) throws IOException {
        loop.save(out);
        out.writeInt(solved.size());
        for (Solved one : solved) {
            one.save(out);
        }
        if (program.isPresent()) {
            program.get().save(out);
        }
    }

    private NodeOutcome outcome(double seconds) {
        return new NodeOutcome(
                raw.data().rows(),
                solved.stream().mapToLong(Solved::updates).sum(),
                loop.rounds(),
                loop.numbersSent(),
                seconds,
                attempt,
                Optional.empty(),
                node == 0 ? Optional.of(result()) : Optional.empty());
    }

    private NodeOutcome.Result result() {
        int features = common.features();
        double[][] weights = new double[solved.size()][];
        double[] intercepts = new double[weights.length];
        for (int k = 0; k < weights.length; k++) {
            double[] parameter = solved.get(k).parameter();
            weights[k] = Arrays.copyOf(parameter, features);
            intercepts[k] = settings.bias() > 0 ? settings.bias() * parameter[features] : 0;
            if (standardizer.isPresent()) {
                Standardizer.RawModel onRaw = standardizer.get().toRaw(weights[k], intercepts[k]);
                weights[k] = onRaw.weights();
                intercepts[k] = onRaw.intercept();
            }
        }
        return new NodeOutcome.Result(
                features,
                common.labels().classes().size(),
                network.size(),
                network.description(),
                agreement.pace().delay(),
                agreement.method(),
                runName,
                solved.stream().map(Solved::certificate).toList(),
                weights,
                intercepts);
    }
}
