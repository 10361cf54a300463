package dev.starling.data;

import java.nio.file.Path;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Generates problems of known difficulty: Gaussian features, a given share of which is present in each row, with scales
 * that decay so that their covariance has a given condition number, and labels from a hidden linear model with noise.
 * The same settings generate the same rows on every machine. Immutable: each setting returns a new generator.
 *
 * <pre>{@code
 * Dataset easy = Generator.classification(10_000, 50).generate();
 * Generator.regression(1_000_000, 200).density(0.05).conditioning(1e4).seed(7).write(Path.of("big.gz"));
 * }</pre>
 *
 * @param kind classification with labels −1 and +1, or regression
 * @param rows number of rows
 * @param features number of columns
 * @param density the share of values that are not zero, in (0, 1]
 * @param conditioning ratio of the largest to the smallest eigenvalue of the features' covariance, at least 1
 * @param noise in classification the probability that a label is flipped (0: separable), in [0, 0.5]; in regression the
 *     standard deviation added to a signal of standard deviation 1
 * @param seed seed of the random numbers
 */
public record Generator(
        Kind kind, int rows, int features, double density, double conditioning, double noise, long seed) {

    private static final double USUAL_NOISE = 0.1;

    /** What labels to generate. */
    public enum Kind {
        /** −1 and +1. */
        CLASSIFICATION,
        /** Numbers. */
        REGRESSION
    }

    /** Checks every setting. */
    public Generator {
        require(rows >= 1, "rows " + rows, "at least 1");
        require(features >= 1, "features " + features, "at least 1");
        require(density > 0 && density <= 1, "density " + density, "above 0 and at most 1");
        require(conditioning >= 1 && conditioning <= 1e30, "conditioning " + conditioning, "between 1 and 1e30");
        boolean classes = kind == Kind.CLASSIFICATION;
        require(
                noise >= 0 && noise <= (classes ? 0.5 : Double.MAX_VALUE),
                "noise " + noise,
                classes ? "a probability of at most 0.5" : "zero or positive");
    }

    private static void require(boolean holds, String found, String right) {
        if (!holds) {
            throw new InvalidInputException(found + "; must be " + right);
        }
    }

    /** Dense, perfectly conditioned rows in two classes, one label in ten flipped. */
    public static Generator classification(int rows, int features) {
        return new Generator(Kind.CLASSIFICATION, rows, features, 1, 1, USUAL_NOISE, 0);
    }

    /** Dense, perfectly conditioned rows with a linear target and noise of a tenth of its size. */
    public static Generator regression(int rows, int features) {
        return new Generator(Kind.REGRESSION, rows, features, 1, 1, USUAL_NOISE, 0);
    }

    /** Returns a copy with this share of non-zero values. */
    public Generator density(double newDensity) {
        return new Generator(kind, rows, features, newDensity, conditioning, noise, seed);
    }

    /** Returns a copy with this condition number. */
    public Generator conditioning(double newConditioning) {
        return new Generator(kind, rows, features, density, newConditioning, noise, seed);
    }

    /** Returns a copy with this much noise. */
    public Generator noise(double newNoise) {
        return new Generator(kind, rows, features, density, conditioning, newNoise, seed);
    }

    /** Returns a copy with this seed. */
    public Generator seed(long newSeed) {
        return new Generator(kind, rows, features, density, conditioning, noise, newSeed);
    }

    /** Generates all rows in memory, in the layout that a reader would choose. */
    public Dataset generate() {
        Row row = new Row(this);
        RowBuffer stored = new RowBuffer(rows, (int) Math.min(1 << 24, (long) (1.1 * density * rows * features) + 64));
        for (int i = 0; i < rows; i++) {
            row.draw();
            for (int k = 0; k < row.length; k++) {
                stored.add(row.columns[k], row.values[k]);
            }
            stored.endRow(row.label);
        }
        Dataset sparse = stored.toDataset(features);
        return sparse.laidOut(Dataset.densePays(sparse.storedValues(), rows, features));
    }

    /** Writes the same rows as LIBSVM text, one at a time: memory does not grow with their number. */
    public void write(Path target) {
        LibsvmWriter.writeFile(target, out -> {
            LibsvmWriter.Lines lines = new LibsvmWriter.Lines(out);
            Row row = new Row(this);
            for (int i = 0; i < rows; i++) {
                row.draw();
                lines.label(row.label);
                for (int k = 0; k < row.length; k++) {
                    lines.value(row.columns[k], row.values[k]);
                }
                lines.end();
            }
            lines.flush();
        });
    }

    /** Draws one row at a time; the seed determines the whole sequence. */
    private static final class Row {
        private final Generator settings;
        private final UniformRandomProvider random;
        private final double[] scales;
        private final double[] hidden;
        private final double logAbsent;
        private double spare = Double.NaN;

        private final int[] columns;
        private final float[] values;
        private int length;
        private double label;

        Row(Generator settings) {
            this.settings = settings;
            random = RandomSource.XO_SHI_RO_256_PP.create(settings.seed);
            int features = settings.features;
            columns = new int[features];
            values = new float[features];
            logAbsent = StrictMath.log1p(-settings.density);
            scales = new double[features];
            hidden = new double[features];
            double variance = 0;
            for (int c = 0; c < features; c++) {
                // Covariance eigenvalues fall geometrically from 1 to 1/conditioning; scales are their square roots.
                double share = features == 1 ? 0 : (double) c / (features - 1);
                scales[c] = StrictMath.pow(settings.conditioning, -share / 2);
                hidden[c] = gaussian();
                variance += settings.density * scales[c] * scales[c] * hidden[c] * hidden[c];
            }
            for (int c = 0; c < features; c++) {
                hidden[c] /= Math.sqrt(variance);
            }
        }

        void draw() {
            length = 0;
            double signal = 0;
            for (long c = gap(); c < settings.features; c += 1 + gap()) {
                int column = (int) c;
                float value = (float) (scales[column] * gaussian());
                columns[length] = column;
                values[length++] = value;
                signal += value * hidden[column];
            }
            if (settings.kind == Kind.REGRESSION) {
                label = signal + settings.noise * gaussian();
            } else {
                boolean flip = random.nextDouble() < settings.noise;
                label = (signal >= 0) == flip ? -1 : 1;
            }
        }

        /** The number of absent columns before the next present one; it is geometrically distributed. */
        private long gap() {
            if (settings.density == 1) {
                return 0;
            }
            double steps = StrictMath.log1p(-random.nextDouble()) / logAbsent;
            return (long) Math.min(steps, Integer.MAX_VALUE);
        }

        /** Marsaglia's polar method, which makes two normal numbers at a time. */
        private double gaussian() {
            if (!Double.isNaN(spare)) {
                double kept = spare;
                spare = Double.NaN;
                return kept;
            }
            while (true) {
                double x = 2 * random.nextDouble() - 1;
                double y = 2 * random.nextDouble() - 1;
                double square = x * x + y * y;
                if (square > 0 && square < 1) {
                    double factor = Math.sqrt(-2 * StrictMath.log(square) / square);
                    spare = y * factor;
                    return x * factor;
                }
            }
        }
    }
}
