package dev.starling.peer.facts;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.wire.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * What a site says first: its settings, which must be everyone's, and the size of its data.
 *
 * @param method how the optimum is looked for, as the site's file says: {@code auto} is a choice of its own
 * @param labels the classes it knows, ascending; none in regression
 * @param fingerprint SHA-256 of its rows
 */
public record SiteShape(
        String program,
        String loss,
        String method,
        double lambda,
        long seed,
        double gap,
        double maxEpochs,
        double bias,
        double tau,
        long rows,
        long nonZeros,
        int features,
        List<Double> labels,
        String fingerprint) {

    /** Copies the labels. */
    public SiteShape {
        labels = List.copyOf(labels);
    }

    byte[] encode() {
        return Shape.newBuilder()
                .setProgram(program)
                .setLoss(loss)
                .setMethod(method)
                .setLambda(lambda)
                .setSeed(seed)
                .setGap(gap)
                .setMaxEpochs(maxEpochs)
                .setBias(bias)
                .setTau(tau)
                .setRows(rows)
                .setNonZeros(nonZeros)
                .setFeatures(features)
                .addAllLabels(labels)
                .setFingerprint(ByteString.copyFromUtf8(fingerprint))
                .build()
                .toByteArray();
    }

    static SiteShape decode(byte[] body) throws InvalidProtocolBufferException {
        Shape shape = Shape.parseFrom(body);
        if (shape.getRows() < 1 || shape.getFeatures() < 0 || shape.getNonZeros() < 0) {
            throw new InvalidProtocolBufferException("a shape without rows");
        }
        return new SiteShape(
                shape.getProgram(),
                shape.getLoss(),
                shape.getMethod(),
                shape.getLambda(),
                shape.getSeed(),
                shape.getGap(),
                shape.getMaxEpochs(),
                shape.getBias(),
                shape.getTau(),
                shape.getRows(),
                shape.getNonZeros(),
                shape.getFeatures(),
                shape.getLabelsList(),
                shape.getFingerprint().toStringUtf8());
    }

    /**
     * Checks that the sites mean the same; labels are {@link #commonLabels}' business, which needs all sites.
     *
     * @throws InvalidInputException naming two sites that do not, and what they say
     */
    public static void requireAgreement(List<String> sites, List<SiteShape> shapes) {
        for (int k = 1; k < shapes.size(); k++) {
            Pair pair = new Pair(sites.get(0), shapes.get(0), sites.get(k), shapes.get(k));
            pair.same("version", SiteShape::program);
            pair.same("loss", SiteShape::loss);
            pair.same("method", SiteShape::method);
            pair.same("lambda", SiteShape::lambda);
            pair.same("seed", SiteShape::seed);
            pair.same("gap", SiteShape::gap);
            pair.same("max-epochs", SiteShape::maxEpochs);
            pair.same("bias", SiteShape::bias);
            pair.same("tau", shape -> shape.tau() == 0 ? "measured" : String.valueOf(shape.tau()));
        }
    }

    /** The classes of all sites: those of the site that knows most, which must know all. */
    public static List<Double> commonLabels(List<String> sites, List<SiteShape> shapes) {
        List<Integer> order = new ArrayList<>();
        for (int k = 0; k < shapes.size(); k++) {
            order.add(k);
        }
        order.sort(Comparator.comparingInt(k -> -shapes.get(k).labels().size()));
        int most = order.get(0);
        TreeSet<Double> union = new TreeSet<>(shapes.get(most).labels());
        for (int k = 0; k < shapes.size(); k++) {
            if (!union.containsAll(shapes.get(k).labels())) {
                throw new InvalidInputException("site " + sites.get(most) + " has labels "
                        + shapes.get(most).labels() + ", site " + sites.get(k) + " "
                        + shapes.get(k).labels()
                        + "; labels must mean the same everywhere (list them under training.labels at all sites)");
            }
        }
        return List.copyOf(union);
    }

    private record Pair(String firstSite, SiteShape first, String secondSite, SiteShape second) {
        void same(String what, java.util.function.Function<SiteShape, Object> part) {
            Object one = part.apply(first);
            Object other = part.apply(second);
            if (!one.equals(other)) {
                throw new InvalidInputException("site " + firstSite + " has " + what + " " + one + ", site "
                        + secondSite + " " + other + "; it must be the same at all sites");
            }
        }
    }
}
