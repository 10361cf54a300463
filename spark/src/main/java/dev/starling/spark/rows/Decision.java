package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;

/** What is decided about a job once all nodes know something about all rows: the same at every node. */
public interface Decision extends Serializable {

    /** Everything stays as it was asked for. */
    Decision NONE = new Decision() {
        private static final long serialVersionUID = 1;

        @Override
        public double[] facts(Dataset rows) {
            return new double[0];
        }

        @Override
        public double[] merged(double[] one, double[] other) {
            return one;
        }

        @Override
        public Decided of(double[] facts, Map<String, String> settings) {
            return new Decided(settings);
        }

        private Object readResolve() {
            return NONE;
        }
    };

    /**
     * What was decided.
     *
     * @param settings the settings
     * @param scales what each feature is multiplied by; nothing if features stay as they are
     */
    record Decided(Map<String, String> settings, double... scales) {

        /** The rows with their features multiplied. */
        public Dataset scaled(Dataset rows) {
            if (Arrays.stream(scales).allMatch(scale -> scale == 1)) {
                return rows;
            }
            return rows.changed((column, value) -> value * scales[column]);
        }
    }

    /** What has to be known about a node's rows. */
    double[] facts(Dataset rows);

    /**
     * The facts about the rows of several nodes.
     *
     * @throws dev.starling.data.InvalidInputException if they do not belong together
     */
    double[] merged(double[] one, double[] other);

    /**
     * Decides.
     *
     * @param facts those about all rows
     * @param settings those that were asked for
     * @throws dev.starling.data.InvalidInputException if such rows are not to be trained on
     */
    Decided of(double[] facts, Map<String, String> settings);
}
