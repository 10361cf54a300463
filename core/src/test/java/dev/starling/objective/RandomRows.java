package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Loss;
import java.util.Random;

/** Random rows with labels that a loss takes. */
public final class RandomRows {

    private RandomRows() {}

    /** Returns rows, with random weights if they are to be weighted. */
    public static Dataset of(Loss loss, int rows, int features, boolean dense, boolean weighted, long seed) {
        Generator generator = loss.isClassification()
                ? Generator.classification(rows, features)
                : Generator.regression(rows, features);
        Dataset data = generator
                .density(dense ? 1 : 0.4)
                .noise(0.2)
                .seed(seed)
                .generate()
                .laidOut(dense);
        Random random = new Random(seed);
        return weighted ? data.withWeights(random.doubles(rows, 0.1, 3).toArray()) : data;
    }
}
