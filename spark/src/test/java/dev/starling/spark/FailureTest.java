package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.spark.node.OpenInboxes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks fail, jobs are cancelled, and what comes out is the same bits or nothing. */
@Tag("thorough")
class FailureTest {

    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session();
        spark.sparkContext().hadoopConfiguration().set("fs.failing.impl", FailingFileSystem.class.getName());
    }

    private static StarlingClassifier classifier() {
        return new StarlingClassifier()
                .setMethod("adfs")
                .setRegParam(1e-4)
                .setTol(1e-9)
                .setFitIntercept(false);
    }

    private static StarlingClassifier newton() {
        return classifier().setMethod("newton").setTol(1e-12);
    }

    @Test
    void aFailedStageIsRetriedWithTheSameResult() {
        List<List<Row>> parts = TestRows.cut(TestRows.random(200, 4, 2, false, 41), 2);
        Dataset<Row> steady = TestRows.frame(spark, parts);
        Dataset<Row> shaky = spark.createDataFrame(
                JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(List.of(0, 1), 2)
                        .flatMap(k -> {
                            if (k == 1 && TaskContext.get().stageAttemptNumber() == 0) {
                                throw new IllegalStateException("asked to fail");
                            }
                            return parts.get(k).iterator();
                        }),
                TestRows.SCHEMA);

        StarlingClassificationModel expected = classifier().fit(steady);
        StarlingClassificationModel model = classifier().fit(shaky);

        assertThat(model.linearModel().hash()).isEqualTo(expected.linearModel().hash());
        assertThat(model.summary().attempts()).isEqualTo(2);
    }

    @Test
    void aFailedTaskResumesFromTheLastCommonCheckpoint(@TempDir Path directory) throws IOException {
        Dataset<Row> rows = TestRows.frame(spark, TestRows.cut(TestRows.random(200, 4, 2, false, 42), 2));
        StarlingClassificationModel expected = classifier().fit(rows);
        FailingFileSystem.failOn(3, 1);

        StarlingClassificationModel model = classifier()
                .setCheckpointDir("failing://" + directory)
                .setCheckpointInterval(1)
                .fit(rows);

        assertThat(model.linearModel().hash()).isEqualTo(expected.linearModel().hash());
        assertThat(model.summary().rounds()).isEqualTo(expected.summary().rounds());
        assertThat(model.summary().attempts()).isEqualTo(2);
        assertThat(FailingFileSystem.STATES_READ.get()).isEqualTo(2);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).as("checkpoints of a run that ended").isEmpty();
        }
    }

    /** Half of all passes are behind in the middle of the second class: all take about as many. */
    private static void failInTheSecondOfThreeClasses(StarlingClassificationModel expected) {
        FailingFileSystem.failOn((long) (expected.summary().passes() / 2), 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void severalClassesResumeAtTheCurrentClass(boolean newton, @TempDir Path directory) {
        Dataset<Row> rows = TestRows.frame(spark, TestRows.cut(TestRows.random(200, 4, 3, false, 43), 2));
        StarlingClassifier classifier = newton ? newton() : classifier();
        StarlingClassificationModel expected = classifier.fit(rows);
        failInTheSecondOfThreeClasses(expected);

        StarlingClassificationModel model = classifier
                .setCheckpointDir("failing://" + directory)
                .setCheckpointInterval(1)
                .fit(rows);

        assertThat(model.linearModel().hash()).isEqualTo(expected.linearModel().hash());
        assertThat(model.summary().updates()).isEqualTo(expected.summary().updates());
        assertThat(FailingFileSystem.STATES_READ.get()).isEqualTo(2);
    }

    /** Whatever the pass, what a parent has heard is what its child has said. */
    @ParameterizedTest
    @CsvSource({"4,1", "4,2", "4,3", "4,4", "120,2", "120,5"})
    void newtonsMethodResumesFromTheLastCommonPass(int features, int pass, @TempDir Path directory) {
        Dataset<Row> rows = TestRows.frame(spark, TestRows.cut(TestRows.random(200, features, 2, false, 45), 2));
        StarlingClassificationModel expected = newton().fit(rows);
        FailingFileSystem.failOn(pass, 1);

        StarlingClassificationModel model = newton().setCheckpointDir("failing://" + directory)
                .setCheckpointInterval(1)
                .fit(rows);

        assertThat(model.linearModel().hash()).isEqualTo(expected.linearModel().hash());
        assertThat(model.summary().updates()).isEqualTo(expected.summary().updates());
        assertThat(model.summary().rounds()).isEqualTo(expected.summary().rounds());
        assertThat(model.summary().attempts()).isEqualTo(2);
        assertThat(FailingFileSystem.STATES_READ.get()).isEqualTo(pass == 1 ? 0 : 2);
    }

    @Test
    void cancellingAJobEndsItsTasks() throws Exception {
        Dataset<Row> rows = TestRows.frame(spark, TestRows.cut(TestRows.random(2000, 30, 2, false, 44), 2));
        EndlessJob endless = EndlessJob.start(rows);
        endless.await("both nodes train", () -> endless.runningTasks() == 2 && OpenInboxes.count() == 2);
        Thread.sleep(1000);
        assertThat(endless.model()).isNotDone();

        endless.cancel();

        assertThatThrownBy(() -> endless.model().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("cancelled");
        endless.await("tasks end", () -> endless.runningTasks() == 0 && OpenInboxes.count() == 0);
        StarlingClassificationModel next = classifier().setTol(1e-3).fit(rows);
        assertThat(next.summary().certified()).isTrue();
    }
}
