package dev.starling.peer.node;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Fingerprint;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.loss.Loss;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.facts.SiteShape;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.DoubleStream;

/** The rows of a site, before and after it knows what the other sites' look like. */
final class Site {

    private static final int MOST_LABELS = 1000;

    private final SiteConfig config;
    private final Dataset raw;
    private final SiteShape shape;
    private final double loadSeconds;

    private Site(SiteConfig config, Dataset raw, SiteShape shape, double loadSeconds) {
        this.config = config;
        this.raw = raw;
        this.shape = shape;
        this.loadSeconds = loadSeconds;
    }

    static Site load(SiteConfig config, String version) {
        long start = System.nanoTime();
        SiteConfig.Data data = config.data();
        DatasetReader reader = DatasetReader.standard().format(data.format());
        if (data.labelColumn().isPresent()) {
            reader = reader.labelColumn(data.labelColumn().get());
        }
        Dataset rows = reader.read(data.file());
        SiteConfig.Training training = config.training();
        Loss loss = training.loss();
        if (rows.features() > training.maxFeatures()) {
            throw new InvalidInputException(data.file() + " has " + rows.features()
                    + " features, training.max-features is " + training.maxFeatures() + "; raise it at all sites");
        }
        SiteShape shape = new SiteShape(
                version,
                loss.name(),
                training.method().lowerCase(),
                training.lambda(),
                training.seed(),
                training.rule().relativeGap(),
                training.rule().maxEpochs(),
                training.bias(),
                training.tau().orElse(0),
                rows.rows(),
                rows.nonZeros(),
                rows.features(),
                labels(config, rows),
                Fingerprint.of(rows));
        return new Site(config, rows, shape, (System.nanoTime() - start) * 1e-9);
    }

    private static List<Double> labels(SiteConfig config, Dataset rows) {
        if (!config.training().loss().isClassification()) {
            return List.of();
        }
        TreeSet<Double> found = new TreeSet<>();
        for (double label : rows.labels()) {
            found.add(label + 0.0);
            if (found.size() > MOST_LABELS) {
                throw new InvalidInputException(config.data().file() + " has more than " + MOST_LABELS
                        + " different labels; for numbers to predict use a regression loss, such as squared");
            }
        }
        List<Double> given = config.training().labels();
        if (given.isEmpty()) {
            return List.copyOf(found);
        }
        TreeSet<Double> declared = new TreeSet<>(given);
        if (!declared.containsAll(found)) {
            found.removeAll(declared);
            throw new InvalidInputException(config.data().file() + " has label " + found.first()
                    + ", which training.labels " + declared + " does not list");
        }
        return List.copyOf(declared);
    }

    SiteShape shape() {
        return shape;
    }

    /** The rows as they were read. */
    Dataset rows() {
        return raw;
    }

    double loadSeconds() {
        return loadSeconds;
    }

    /** What every site computes alike from all shapes. */
    Common common(List<String> sites, List<SiteShape> shapes) {
        SiteShape.requireAgreement(sites, shapes);
        int features = 0;
        long rows = 0;
        long nonZeros = 0;
        for (int k = 0; k < shapes.size(); k++) {
            SiteShape one = shapes.get(k);
            if (one.features() > config.training().maxFeatures()) {
                throw new InvalidInputException("site " + sites.get(k) + " has " + one.features()
                        + " features, training.max-features is "
                        + config.training().maxFeatures() + "; raise it at all sites");
            }
            features = Math.max(features, one.features());
            rows += one.rows();
            nonZeros += one.nonZeros();
        }
        List<Double> classes = SiteShape.commonLabels(sites, shapes);
        if (config.training().loss().isClassification() && classes.size() < 2) {
            throw new InvalidInputException("all sites have only the label " + classes + "; two are needed");
        }
        Labels labels = classes.isEmpty()
                ? Labels.regression()
                : Labels.of(DoubleStream.of(classes.stream()
                                .mapToDouble(Double::doubleValue)
                                .toArray())
                        .toArray());
        float bias = (float) config.training().bias();
        Dataset wide = raw.withFeatures(features);
        if (bias > 0) {
            wide = wide.withBias(bias);
            nonZeros += rows;
        }
        boolean dense = Dataset.densePays(nonZeros, rows, wide.features());
        return new Common(features, (double) nonZeros / rows, labels, wide.laidOut(dense));
    }

    /**
     * The site's rows as everyone lays them out.
     *
     * @param rawFeatures features without the intercept's
     * @param valuesPerRow values of a row that are not zero, the intercept's included, on average over all sites
     */
    record Common(int rawFeatures, double valuesPerRow, Labels labels, Dataset rows) {

        /** One, or one per class when there are more than two. */
        int problems() {
            return labels.classes().size() > 2 ? labels.classes().size() : 1;
        }

        LocalProblem problem(int index, Loss loss, double lambda) {
            Dataset targets;
            if (labels.isRegression()) {
                targets = rows;
            } else if (labels.isBinary()) {
                targets = labels.binary(rows);
            } else {
                targets = labels.binary(rows, labels.classes().get(index));
            }
            return LocalProblem.of(targets, loss, lambda);
        }
    }
}
