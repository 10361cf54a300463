package dev.starling.lab.baseline;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.Labels;
import dev.starling.support.Fixtures;

/** The rows that the tests of the methods run on. */
final class Rows {

    private Rows() {}

    /** A fixture, its first class against the rest. */
    static Dataset fixture(String name) {
        Dataset all = Fixtures.read(name);
        Labels labels = Labels.classification(all);
        return labels.isBinary()
                ? labels.binary(all)
                : labels.binary(all, labels.classes().get(0));
    }

    static Dataset classification(int rows, int features) {
        return Generator.classification(rows, features).conditioning(10).seed(3).generate();
    }

    static Dataset regression(int rows, int features) {
        return Generator.regression(rows, features).conditioning(10).seed(3).generate();
    }
}
