package dev.starling.bench;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Generator;
import dev.starling.data.Labels;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The rows that kernels are measured on: real ones from the folder named by the system property
 * {@code starling.shared}, or generated ones of the same shape if there are none.
 */
public enum KernelData {
    /** 12 non-zeros of 54 features, too many rows for any cache. */
    COVTYPE("covtype.libsvm.binary.scale.gz", 581_012, 54, 0.22),
    /** 28 dense features. */
    HIGGS("higgs_204k_imbalanced.gz", 204_050, 28, 1);

    private final String file;
    private final int rows;
    private final int features;
    private final double density;

    KernelData(String file, int rows, int features, double density) {
        this.file = file;
        this.rows = rows;
        this.features = features;
        this.density = density;
    }

    /** All rows, with labels −1 and +1. */
    public Dataset all() {
        Path real = Path.of(System.getProperty("starling.shared", "../shared"), "data", file);
        if (!Files.isReadable(real)) {
            return generated(rows);
        }
        Dataset read = DatasetReader.standard().read(real);
        return Labels.classification(read).binary(read);
    }

    /** The first rows, in the same layout as all of them. */
    public Dataset first(int count) {
        return all().picked(Dataset.turns(count, 0, 1));
    }

    /** Generated rows of this shape, which need no file. */
    public Dataset generated(int count) {
        return Generator.classification(count, features)
                .density(density)
                .conditioning(100)
                .generate();
    }
}
