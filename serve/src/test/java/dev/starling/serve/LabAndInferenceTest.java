package dev.starling.serve;

import static dev.starling.serve.Wire.f64;
import static dev.starling.serve.Wire.i32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.settings.Settings;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Standard errors, comparisons with methods of the client's own, and a client that cannot be answered. */
@Timeout(60)
class LabAndInferenceTest {

    private static final double[] X = {1, 0.5, 0, -1, 2, 0.25, 0, 3, 1, 1, -2, 0};
    private static final double[] Y = {0, 1, 2, 1, 4, 0};
    private static final String ROWS = ",\"arrays\":[{\"name\":\"x\",\"type\":\"f64\",\"length\":12},"
            + "{\"name\":\"y\",\"type\":\"f64\",\"length\":6}";

    private static String fit(String errors) {
        return "{\"op\":\"fit\",\"id\":1,\"nodes\":1,\"features\":2,\"settings\":{\"loss\":\"poisson\",\"lambda\":0,"
                + "\"intercept\":true,\"gap\":1e-10,\"standard-errors\":\"" + errors + "\"}" + ROWS;
    }

    private static LinearModel model(String errors, long... keys) {
        return Trainer.of(Settings.of(Map.of(
                        "loss",
                        "poisson",
                        "lambda",
                        "0",
                        "intercept",
                        "true",
                        "gap",
                        "1e-10",
                        "standard-errors",
                        errors)))
                .nodes(1)
                .fit(Dataset.dense(2, X.clone(), Y), keys)
                .model();
    }

    @Test
    void aFitAnswersWithTheStandardErrorsOfItsTable() throws IOException {
        try (Served served = new Served()) {
            Wire.Answer answer = served.ask(fit("model") + "]}", f64(X), f64(Y));
            List<Coefficient> lines = GlmTable.of(model("model"), 0.95).coefficients();
            double[] errors = answer.doubles("standardErrors");
            // The intercept is the table's first line, and the answer's last element.
            assertThat(errors)
                    .containsExactly(
                            lines.get(1).se().value(),
                            lines.get(2).se().value(),
                            lines.get(0).se().value());
            double[] covariance = answer.doubles("covariance");
            for (int k = 0; k < 3; k++) {
                assertThat(Math.sqrt(covariance[4 * k])).isEqualTo(errors[k], within(1e-12));
            }
            assertThat(Arrays.stream(answer.doubles("standardErrorErrors"))
                            .max()
                            .orElseThrow())
                    .isLessThan(1e-3);
        }
    }

    @Test
    void clustersBelongToRows() throws IOException {
        String header = fit("CR1") + ",{\"name\":\"clusters\",\"type\":\"i32\",\"length\":6}]}";
        try (Served served = new Served()) {
            Wire.Answer answer = served.ask(header, f64(X), f64(Y), i32(1, 1, 2, 2, 3, 3));
            assertThat(answer.doubles("covariance"))
                    .containsExactly(GlmTable.covariance(model("CR1", 1, 1, 2, 2, 3, 3)));
            Wire.Answer refused =
                    served.ask(header.replace("\"length\":6}]", "\"length\":2}]"), f64(X), f64(Y), i32(1, 1));
            assertThat(refused.text("message")).contains("'clusters' has 2 elements");
        }
    }

    private static String compare(String methods, String own) {
        return "{\"op\":\"compare\",\"id\":4,\"features\":2,\"loss\":\"squared\",\"lambda\":0.5,\"nodes\":2,\"tau\":3,"
                + "\"time\":50,\"points\":10,\"methods\":[" + methods + "],\"own\":[" + own + "]" + ROWS + "]}";
    }

    /** A method that stays where it is: its curve is flat, and its rounds cost what it says. */
    @Test
    void aMethodOfTheClientIsAskedForItsSteps() throws IOException {
        try (Served served = new Served()) {
            Wire.Answer answer = served.ask(compare("\"idle\",\"extra\"", "\"idle\""), f64(X), f64(Y));
            assertThat(answer.text("event")).isEqualTo("graph");
            assertThat(answer.doubles("sigma")).containsExactly(1.5, 1.5);
            int asked = 0;
            for (answer = served.receive(); answer.text("event").equals("step"); answer = served.receive()) {
                assertThat(answer.arrays()).hasSize(asked < 2 ? 0 : 1);
                served.send(
                        "{\"op\":\"reply\",\"id\":4,\"work\":2,\"arrays\":[{\"name\":\"message\",\"type\":\"f64\","
                                + "\"length\":3},{\"name\":\"estimate\",\"type\":\"f64\",\"length\":2}]}",
                        f64(1, 2, 3),
                        f64(0, 0));
                asked++;
            }
            assertThat(answer.text("event")).isEqualTo("compare");
            assertThat(answer.header().get("methods")).isEqualTo(List.of("idle", "extra"));
            // A round takes two gradients and a message: 2 + 3.
            assertThat(asked).isBetween(2 * 10, 2 * 13);
            double[] curve = answer.doubles("suboptimality");
            assertThat(curve[5]).isEqualTo(curve[0]);
            assertThat(curve[curve.length - 1]).isLessThan(curve[0]);
        }
    }

    @Test
    void aComparisonCanBeCancelledWhileItWaitsForAStep() throws IOException {
        try (Served served = new Served()) {
            served.ask(compare("\"idle\"", "\"idle\""), f64(X), f64(Y));
            assertThat(served.receive().text("event")).isEqualTo("step");
            Wire.Answer answer = served.ask("{\"op\":\"cancel\",\"id\":4}");
            assertThat(answer.text("kind")).isEqualTo("cancelled");
            assertThat(served.ask("{\"op\":\"hello\",\"id\":5}").text("event")).isEqualTo("hello");
        }
    }

    @Test
    void aPlanHasALowerBound() throws IOException {
        try (Served served = new Served()) {
            Wire.Answer answer = served.ask(
                    "{\"op\":\"plan\",\"id\":2,\"samples\":1000,\"kappa\":100,\"tau\":5,\"nodes\":4,\"topology\":\"ring\"}");
            assertThat(Arrays.stream(answer.doubles("timePerDigit")).min().orElseThrow())
                    .isGreaterThan(Double.parseDouble(answer.text("lowerBound")) / 10);
            assertThat(served.ask("{\"op\":\"plan\",\"id\":3,\"samples\":1000,\"kappa\":\"many\"}")
                            .text("message"))
                    .contains("\"kappa\" is 'many'");
        }
    }

    /** As when the file that answers go to is on a full disk. */
    @Test
    void aServerThatCannotAnswerEnds() throws Exception {
        Pipe requests = Pipe.open();
        Pipe answers = Pipe.open();
        answers.source().close();
        PipeServer server = new PipeServer(requests.source(), answers.sink(), 1 << 20);
        Thread thread = new Thread(() -> {
            try {
                server.serve();
            } catch (IOException e) {
                // What it says is read by nobody.
            }
        });
        thread.start();
        Channels.newOutputStream(requests.sink()).write(Wire.frame(fit("model") + "]}", f64(X), f64(Y)));
        thread.join(30_000);
        assertThat(thread.isAlive()).isFalse();
    }
}
