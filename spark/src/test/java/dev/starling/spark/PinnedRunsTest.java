package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.settings.Setting;
import dev.starling.spark.params.StarlingEstimator;
import dev.starling.support.PinnedRun;
import dev.starling.support.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Spark's tasks end with the bits they have always ended with, which are those of one process. */
class PinnedRunsTest {

    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session(
                PinnedRun.possible().mapToInt(PinnedRun::nodes).max().orElseThrow());
    }

    static Stream<PinnedRun> runs() {
        return PinnedRun.possible();
    }

    static Stream<PinnedRun> ofTerms() {
        return PinnedRun.ofTerms();
    }

    private static <E extends StarlingEstimator<E>> E with(E estimator, PinnedRun run) {
        E set = estimator
                .setLoss(run.loss())
                .setOneVersusRest(run.trainer().settings().get(Setting.ONE_VERSUS_REST))
                .setMethod(run.method())
                .setRegParam(run.lambda())
                .setL1Param(run.l1())
                .setStandardization(!run.standardise().equals("none"))
                .setScaling(run.standardise().equals("centred") ? "standardize" : "scale")
                .setFitIntercept(run.bias() > 0 || run.intercept())
                .setWeightCol(run.rowWeights() ? "weight" : "")
                .setClassWeights(run.classWeights().entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(",")))
                .setNodes(run.nodes())
                .setTopology(run.topology())
                .setDelay(run.tau())
                .setTol(run.gap())
                .setMaxIter(run.maxEpochs())
                .setSeed(run.seed());
        return run.bias() > 0 ? set.setInterceptScaling(run.bias()) : set;
    }

    /** One partition, which is dealt out as a trainer deals out a file. */
    private static org.apache.spark.sql.Dataset<Row> frame(PinnedRun run) {
        Dataset data = run.data();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < data.rows(); i++) {
            rows.add(RowFactory.create(vector(data, i), data.label(i), data.weight(i)));
        }
        return TestRows.frame(spark, List.of(rows));
    }

    private static Vector vector(Dataset data, int row) {
        int length = data.end(row) - data.start(row);
        int[] columns = new int[length];
        double[] values = new double[length];
        for (int k = 0; k < length; k++) {
            columns[k] = data.isDense() ? k : data.column(row, data.start(row) + k);
            values[k] = Stored.value(data, row, k);
        }
        return data.isDense() ? Vectors.dense(values) : Vectors.sparse(data.features(), columns, values);
    }

    private static LinearModel fit(PinnedRun run) {
        return run.classes() > 0
                ? with(new StarlingClassifier(), run).fit(frame(run)).linearModel()
                : with(new StarlingRegressor(), run).fit(frame(run)).linearModel();
    }

    @ParameterizedTest
    @MethodSource("ofTerms")
    void tasksGiveThePinnedBitsOfCountsAndJointClasses(PinnedRun run) {
        tasksGiveThePinnedBits(run);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("runs")
    void tasksGiveThePinnedBits(PinnedRun run) {
        LinearModel model = fit(run);

        assertThat(model.provenance().graph().nodes()).isEqualTo(run.nodes());
        assertThat(PinnedRun.digest(model)).as(run.expectation()).isEqualTo(run.digest());
    }
}
