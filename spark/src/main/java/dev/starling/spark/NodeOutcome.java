package dev.starling.spark;

import dev.starling.certificate.Certificate;
import dev.starling.method.Method;
import dev.starling.peer.node.Solved;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a task tells the driver at its end.
 *
 * @param objection why there is no result, if this node knows
 * @param result the model, from the first node only: it is the same at all
 */
record NodeOutcome(
        long rows,
        long updates,
        long rounds,
        long numbersSent,
        double seconds,
        int attempt,
        Optional<String> objection,
        Optional<Result> result) {

    /**
     * The model, on the scale of the rows as they came.
     *
     * @param classes number of classes; 0 in regression
     * @param method the method that was chosen
     * @param checkpoints the run's name among checkpoints; empty if there are none
     */
    record Result(
            int features,
            int classes,
            int nodes,
            String network,
            double delay,
            Method method,
            String checkpoints,
            List<Certificate> certificates,
            double[][] weights,
            double[] intercepts) {}

    /** A task that had nothing to do. */
    static NodeOutcome nothing(int attempt) {
        return new NodeOutcome(0, 0, 0, 0, 0, attempt, Optional.empty(), Optional.empty());
    }

    /** A task that cannot go on with its rows. */
    static NodeOutcome objecting(int attempt, String objection) {
        return new NodeOutcome(0, 0, 0, 0, 0, attempt, Optional.of(objection), Optional.empty());
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(rows);
            out.writeLong(updates);
            out.writeLong(rounds);
            out.writeLong(numbersSent);
            out.writeDouble(seconds);
            out.writeInt(attempt);
            out.writeUTF(objection.orElse(""));
            out.writeBoolean(result.isPresent());
            if (result.isPresent()) {
                write(out, result.get());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Result result) throws IOException {
        out.writeInt(result.features);
        out.writeInt(result.classes);
        out.writeInt(result.nodes);
        out.writeUTF(result.network);
        out.writeDouble(result.delay);
        out.writeUTF(result.method.name());
        out.writeUTF(result.checkpoints);
        out.writeInt(result.weights.length);
        for (int k = 0; k < result.weights.length; k++) {
            new Solved(result.certificates.get(k), result.weights[k], 0).save(out);
            out.writeDouble(result.intercepts[k]);
        }
    }

    static NodeOutcome decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            long rows = in.readLong();
            long updates = in.readLong();
            long rounds = in.readLong();
            long numbersSent = in.readLong();
            double seconds = in.readDouble();
            int attempt = in.readInt();
            String objection = in.readUTF();
            Optional<Result> result = in.readBoolean() ? Optional.of(readResult(in)) : Optional.empty();
            return new NodeOutcome(
                    rows,
                    updates,
                    rounds,
                    numbersSent,
                    seconds,
                    attempt,
                    objection.isEmpty() ? Optional.empty() : Optional.of(objection),
                    result);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Result readResult(DataInputStream in) throws IOException {
        int features = in.readInt();
        int classes = in.readInt();
        int nodes = in.readInt();
        String network = in.readUTF();
        double delay = in.readDouble();
        Method method = Method.valueOf(in.readUTF());
        String checkpoints = in.readUTF();
        int scores = in.readInt();
        List<Certificate> certificates = new ArrayList<>();
        double[][] weights = new double[scores][];
        double[] intercepts = new double[scores];
        for (int k = 0; k < scores; k++) {
            Solved one = Solved.restore(in);
            certificates.add(one.certificate());
            weights[k] = one.parameter();
            intercepts[k] = in.readDouble();
        }
        return new Result(
                features, classes, nodes, network, delay, method, checkpoints, certificates, weights, intercepts);
    }
}
