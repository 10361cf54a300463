package dev.starling.serve;

import static dev.starling.serve.Wire.f32;
import static dev.starling.serve.Wire.f64;
import static dev.starling.serve.Wire.i32;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.loss.Poisson;
import dev.starling.loss.Squared;
import dev.starling.loss.Ties;
import dev.starling.model.LinearModel;
import dev.starling.model.ModelFormat;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.statistics.CoxTable;
import dev.starling.table.Kind;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A process is asked through its pipes and answers what the library does, whatever comes. */
@Timeout(60)
class PipeServerTest {

    private static final double[] X = {1, 0.5, 0, -1, 2, 0.25, 0, 3, 1, 1, -2, 0};
    private static final double[] Y = {0, 1, 2, 1, 4, 0};
    private static final String ARRAYS = ",\"arrays\":[{\"name\":\"x\",\"type\":\"f64\",\"length\":12},"
            + "{\"name\":\"y\",\"type\":\"f64\",\"length\":6}]}";
    private static final String COUNTS = "{\"op\":\"fit\",\"id\":7,\"nodes\":1,\"features\":2,"
            + "\"settings\":{\"loss\":\"poisson\",\"lambda\":0.1,\"intercept\":true,\"gap\":1e-10}";

    private static LinearModel expected() {
        return Trainer.of(new Poisson())
                .lambda(0.1)
                .intercept(true)
                .gap(1e-10)
                .nodes(1)
                .fit(Dataset.dense(2, X.clone(), Y))
                .model();
    }

    @Test
    void saysHelloAndEndsWithItsInput() throws IOException {
        try (Served served = new Served()) {
            Wire.Answer hello = served.ask("{\"op\":\"hello\",\"id\":3}");
            assertThat(hello.text("event")).isEqualTo("hello");
            assertThat(hello.text("id")).isEqualTo("3");
            assertThat(hello.text("protocol")).isEqualTo("1");
            assertThat(served.end()).isEmpty();
        }
    }

    static Stream<Arguments> layouts() {
        double[] byColumn = {1, 0, 2, 0, 1, -2, 0.5, -1, 0.25, 3, 1, 0};
        String sparse = ",\"arrays\":[{\"name\":\"starts\",\"type\":\"i32\",\"length\":7},"
                + "{\"name\":\"columns\",\"type\":\"i32\",\"length\":12},{\"name\":\"values\",\"type\":\"%s\",\"length\":12},"
                + "{\"name\":\"y\",\"type\":\"f64\",\"length\":6}]}";
        byte[] starts = i32(0, 2, 4, 6, 8, 10, 12);
        byte[] columns = i32(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
        String floats = ARRAYS.replace("\"x\",\"type\":\"f64\"", "\"x\",\"type\":\"f32\"");
        return Stream.of(
                Arguments.of(COUNTS + ARRAYS, new byte[][] {f64(X), f64(Y)}),
                Arguments.of(COUNTS + ",\"order\":\"columns\"" + ARRAYS, new byte[][] {f64(byColumn), f64(Y)}),
                Arguments.of(COUNTS + floats, new byte[][] {f32(X), f64(Y)}),
                Arguments.of(COUNTS + ",\"order\":\"columns\"" + floats, new byte[][] {f32(byColumn), f64(Y)}),
                Arguments.of(COUNTS + sparse.formatted("f64"), new byte[][] {starts, columns, f64(X), f64(Y)}),
                Arguments.of(COUNTS + sparse.formatted("f32"), new byte[][] {starts, columns, f32(X), f64(Y)}));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void trainsToTheBitsOfTheLibrary(String header, byte[]... arrays) throws IOException {
        try (Served served = new Served()) {
            Wire.Answer answer = served.ask(header, arrays);
            LinearModel model = expected();
            assertThat(answer.text("event")).isEqualTo("fit");
            assertThat(answer.text("outcome")).isEqualTo("certified");
            assertThat(answer.doubles("weights")).containsExactly(model.weights(0));
            assertThat(answer.doubles("intercepts")).containsExactly(model.intercept(0));
            assertThat(answer.text("hash")).isEqualTo(model.hash());
        }
    }

    @Test
    void takesWeightsOffsetsAndNames() throws IOException {
        double[] weights = {1, 2, 1, 3, 1, 0.5};
        double[] offsets = {0, 0.1, -0.3, 0, 0.2, 0};
        String more = ",\"names\":[\"age\",\"wage\"]"
                + ARRAYS.replace(
                        "]}",
                        ",{\"name\":\"weights\",\"type\":\"f64\",\"length\":6},"
                                + "{\"name\":\"offsets\",\"type\":\"f64\",\"length\":6}]}");
        try (Served served = new Served()) {
            Wire.Answer answer = served.ask(COUNTS + more, f64(X), f64(Y), f64(weights), f64(offsets));
            Dataset rows = Dataset.dense(2, X.clone(), Y)
                    .withNames(List.of("age", "wage"))
                    .withWeights(weights)
                    .withOffsets(offsets);
            Trainer trainer = Trainer.of(new Poisson())
                    .lambda(0.1)
                    .intercept(true)
                    .gap(1e-10)
                    .nodes(1);
            assertThat(answer.text("hash")).isEqualTo(trainer.fit(rows).model().hash());
        }
    }

    @Test
    void answersWithPathValidationAndFile(@TempDir Path folder) throws IOException {
        double[] x = new SplittableRandom(1).doubles(120, -1, 1).toArray();
        double[] y = new SplittableRandom(2).doubles(60, -1, 1).toArray();
        String header = "{\"op\":\"fit\",\"nodes\":1,\"features\":2,\"file\":true,\"settings\":{\"loss\":\"squared\","
                + "\"lambda-path\":\"1e-1,1e-2,1e-3\",\"cv\":5}"
                + ARRAYS.replace("12", "120").replace(":6}", ":60}");
        Trainer trainer = Trainer.of(new Squared())
                .nodes(1)
                .lambdaPath(LambdaPath.values(1e-1, 1e-2, 1e-3))
                .crossValidation(Folds.of(5));
        LinearModel model = trainer.fit(Dataset.dense(2, x.clone(), y)).model();
        try (Served served = new Served()) {
            Wire.Answer answer = served.ask(header, f64(x), f64(y));
            assertThat(answer.doubles("path.lambda")).containsExactly(1e-1, 1e-2, 1e-3);
            assertThat(answer.doubles("path.weights"))
                    .containsExactly(model.path().stream()
                            .flatMapToDouble(one -> Arrays.stream(one.weights(0)))
                            .toArray());
            assertThat(answer.text("chosen"))
                    .isEqualTo(
                            "" + model.provenance().validation().orElseThrow().chosen());
            assertThat(answer.doubles("cvLoss")).hasSize(3);
            Path file = Files.write(folder.resolve("m.json"), answer.arrays().get("file"));
            assertThat(LinearModel.load(file).hash()).isEqualTo(model.hash());
        }
    }

    @Test
    void learnsARecipeFromATable(@TempDir Path folder) throws IOException {
        String header = "{\"op\":\"fit\",\"nodes\":1,\"file\":true,\"missing\":\"median\","
                + "\"settings\":{\"loss\":\"logistic\",\"lambda\":0.1,\"intercept\":true},"
                + "\"table\":[{\"name\":\"age\"},{\"name\":\"town\",\"levels\":[\"Ulm\",\"Bern, CH\",\"7\"]}],"
                + "\"label\":{\"name\":\"ill\",\"levels\":[\"no\",\"yes\"]},"
                + "\"arrays\":[{\"name\":\"0\",\"type\":\"f64\",\"length\":5},{\"name\":\"1\",\"type\":\"i32\",\"length\":5},"
                + "{\"name\":\"y\",\"type\":\"i32\",\"length\":5}]}";
        Path csv = Files.writeString(
                folder.resolve("t.csv"),
                "age,town,ill\n30.5,Ulm,no\n,\"Bern, CH\",yes\n41,7,no\n22,,yes\n60,Ulm,yes\n");
        Table table = TableReader.standard().read(csv);
        Recipe recipe = Recipe.builder()
                .label("ill")
                .missing(Missing.MEDIAN)
                .kind("age", Kind.NUMERIC)
                .kind("town", Kind.CATEGORICAL)
                .levels("town", List.of("Ulm", "Bern, CH", "7"))
                .learn(table);
        LinearModel model = Trainer.logistic()
                .lambda(0.1)
                .intercept(true)
                .nodes(1)
                .fit(recipe.encode(table).rows())
                .with(recipe)
                .model();
        try (Served served = new Served()) {
            Wire.Answer answer =
                    served.ask(header, f64(30.5, Double.NaN, 41, 22, 60), i32(0, 1, 2, -1, 0), i32(0, 1, 0, 1, 1));
            assertThat(answer.header().get("names")).isEqualTo(model.names());
            assertThat(answer.header().get("spellings")).isEqualTo(List.of("no", "yes"));
            assertThat(answer.text("hash")).isEqualTo(model.hash());
            LinearModel read = ModelFormat.named("json")
                    .read(new ByteArrayInputStream(answer.arrays().get("file")), "the answer");
            assertThat(read.recipe().orElseThrow().toMap()).isEqualTo(recipe.toMap());
        }
    }

    @Test
    void fitsACoxRegressionAsTheLibraryDoes() throws IOException {
        int[] events = {1, 0, 1, 1, 0, 1};
        double[] times = {5, 6, 2, 9, 3, 4};
        String header = "{\"op\":\"cox\",\"id\":4,\"features\":2,\"ties\":\"breslow\""
                + ARRAYS.replace("]}", ",{\"name\":\"events\",\"type\":\"i32\",\"length\":6}]}");
        boolean[] seen = {true, false, true, true, false, true};
        CoxTable expected =
                CoxTable.of(Dataset.dense(2, X.clone(), times), Survival.of(times, seen), Ties.BRESLOW, 0.95);
        try (Served served = new Served()) {
            Wire.Answer answer = served.ask(header, f64(X), f64(times), i32(events));
            assertThat(answer.text("event")).isEqualTo("cox");
            assertThat(answer.doubles("weights"))
                    .containsExactly(expected.table().coefficients().stream()
                            .mapToDouble(line -> line.estimate().value())
                            .toArray());
            assertThat(answer.doubles("covariance")).containsExactly(expected.covariance());
            assertThat(answer.doubles("hazard.time")).containsExactly(2, 4, 5, 9);
            Wire.Answer ridge =
                    served.ask(header.replace("\"ties\"", "\"lambda\":0.5,\"ties\""), f64(X), f64(times), i32(events));
            assertThat(ridge.doubles("weights"))
                    .containsExactly(CoxTable.Ridge.of(
                                    Dataset.dense(2, X.clone(), times), Survival.of(times, seen), Ties.BRESLOW, 0.5)
                            .model()
                            .weights(0));
            assertThat(ridge.arrays()).doesNotContainKey("covariance");
            assertThat(served.ask(header.replace("\"ties\"", "\"lambda\":-1,\"ties\""), f64(X), f64(times), i32(events))
                            .text("message"))
                    .contains("lambda is -1.0; it must be a number, 0 or more");
            assertThat(served.ask(header, f64(X), f64(times), i32(1, 0, 2, 1, 0, 1))
                            .text("message"))
                    .contains("row 3 has the event 2");
            assertThat(served.ask(
                                    header.replace("\"i32\",\"length\":6", "\"i32\",\"length\":5"),
                                    f64(X),
                                    f64(times),
                                    i32(1, 0, 1, 1, 0))
                            .text("message"))
                    .contains("there must be one per row");
            assertThat(served.ask(header.replace("events", "event"), f64(X), f64(times), i32(events))
                            .text("message"))
                    .contains("there is no array 'events'; it is needed");
        }
    }

    static Stream<Arguments> badRequests() {
        byte[] x = f64(X);
        byte[] y = f64(Y);
        double[] holed = X.clone();
        holed[3] = Double.NaN;
        String sparse = ",\"arrays\":[{\"name\":\"starts\",\"type\":\"i32\",\"length\":3},"
                + "{\"name\":\"columns\",\"type\":\"i32\",\"length\":2},{\"name\":\"values\",\"type\":\"f64\",\"length\":2},"
                + "{\"name\":\"y\",\"type\":\"f64\",\"length\":2}]}";
        String table =
                "{\"op\":\"fit\",\"settings\":{\"loss\":\"squared\"},\"table\":[{\"name\":\"a\",\"levels\":[\"u\"]}],"
                        + "\"label\":{\"name\":\"b\"},\"arrays\":[{\"name\":\"0\",\"type\":\"i32\",\"length\":2},"
                        + "{\"name\":\"y\",\"type\":\"f64\",\"length\":2}]}";
        return Stream.of(
                Arguments.of("this is not JSON", Wire.frame("{\"op\":")),
                Arguments.of("this is not JSON", Wire.frame("{\"op\":" + "[".repeat(5000))),
                Arguments.of("must be an object", Wire.frame("[1]")),
                Arguments.of("has no \"op\"", Wire.frame("{}")),
                Arguments.of("unknown op 'train'", Wire.frame("{\"op\":\"train\"}")),
                Arguments.of("\"id\" is '-1'", Wire.frame("{\"op\":\"hello\",\"id\":-1}")),
                Arguments.of("unknown member of the header 'lambda'", Wire.frame("{\"op\":\"fit\",\"lambda\":1}")),
                Arguments.of("unknown setting 'lamda'", Wire.frame("{\"op\":\"fit\",\"settings\":{\"lamda\":1}}")),
                Arguments.of(
                        "lambda -1.0 must be 0 or from 1e-60 to 1e45",
                        Wire.frame("{\"op\":\"fit\",\"settings\":{\"lambda\":-1}}")),
                Arguments.of("there is no array 'y'", Wire.frame("{\"op\":\"fit\"}")),
                Arguments.of("but 152 follow it", Wire.frame(COUNTS + ARRAYS, x, y, f64(1))),
                Arguments.of("but 136 follow it", Wire.frame(COUNTS + ARRAYS, x, f64(0, 1, 2, 1, 4))),
                Arguments.of("unknown type of array 'f16'", Wire.frame(COUNTS + ARRAYS.replace("f64", "f16"), x, y)),
                Arguments.of("two arrays 'x'", Wire.frame(COUNTS + ARRAYS.replace("\"y\"", "\"x\""), x, y)),
                Arguments.of("an array of 99999999999", Wire.frame(COUNTS + ARRAYS.replace("12", "99999999999"), x, y)),
                Arguments.of(
                        "'x' has 12 elements",
                        Wire.frame(COUNTS.replace("features\":2", "features\":3") + ARRAYS, x, y)),
                Arguments.of("unknown order 'both'", Wire.frame(COUNTS + ",\"order\":\"both\"" + ARRAYS, x, y)),
                Arguments.of("column 1 holds NaN", Wire.frame(COUNTS + ARRAYS, f64(holed), y)),
                Arguments.of("-1", Wire.frame(COUNTS + ARRAYS, x, f64(-1, 1, 2, 1, 4, 0))),
                Arguments.of("1 names for 2 features", Wire.frame(COUNTS + ",\"names\":[\"a\"]" + ARRAYS, x, y)),
                Arguments.of(
                        "starts must ascend",
                        Wire.frame(COUNTS + sparse, i32(0, 3, 2), i32(0, 1), f64(1, 2), f64(1, 1))),
                Arguments.of(
                        "starts must ascend",
                        Wire.frame(COUNTS + sparse, i32(0, -5, 2), i32(0, 1), f64(1, 2), f64(1, 1))),
                Arguments.of("column", Wire.frame(COUNTS + sparse, i32(0, 1, 2), i32(0, 9), f64(1, 2), f64(1, 1))),
                Arguments.of("the code 1; there are 1 levels", Wire.frame(table, i32(0, 1), f64(1, 2))),
                Arguments.of("at least one is needed", Wire.frame(table, i32(0, 0), f64(1, 2))));
    }

    @ParameterizedTest
    @MethodSource("badRequests")
    void refusesABadRequestInWordsAndGoesOn(String words, byte[] frame) throws IOException {
        try (Served served = new Served()) {
            served.send(frame);
            Wire.Answer refusal = served.receive();
            assertThat(refusal.text("event")).isEqualTo("error");
            assertThat(refusal.text("kind")).isEqualTo("input");
            assertThat(refusal.text("message")).contains(words).doesNotContain("\n");
            assertThat(served.ask(COUNTS + ARRAYS, f64(X), f64(Y)).text("event"))
                    .isEqualTo("fit");
        }
    }

    /** What begins with some bytes, goes on with very many zeros, and ends with other bytes. */
    private static final class ManyZeros implements ReadableByteChannel {
        private final ReadableByteChannel first;
        private long zeros;
        private final ReadableByteChannel last;

        ManyZeros(byte[] first, long zeros, byte[] last) {
            this.first = Channels.newChannel(new ByteArrayInputStream(first));
            this.zeros = zeros;
            this.last = Channels.newChannel(new ByteArrayInputStream(last));
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            int begun = first.read(to);
            if (begun > 0) {
                return begun;
            }
            if (zeros == 0) {
                return last.read(to);
            }
            int some = (int) Math.min(zeros, to.remaining());
            zeros -= some;
            to.position(to.position() + some);
            return some;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void refusesTenGigabytesOnASmallHeapAndGoesOn() throws IOException {
        long bytes = 10_000_000_000L;
        String header =
                "{\"op\":\"fit\",\"id\":1,\"features\":1000,\"arrays\":[{\"name\":\"x\",\"type\":\"f64\",\"length\":"
                        + bytes / 8 + "}]}";
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        byte[] begun = Arrays.copyOf(Wire.prefix(text.length, bytes), 16 + text.length);
        System.arraycopy(text, 0, begun, 16, text.length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PipeServer(
                        new ManyZeros(begun, bytes, Wire.frame("{\"op\":\"hello\",\"id\":2}")),
                        Channels.newChannel(out),
                        1L << 26)
                .serve();
        InputStream answers = new ByteArrayInputStream(out.toByteArray());
        Wire.Answer refusal = Wire.read(answers);
        assertThat(refusal.text("kind")).isEqualTo("memory");
        assertThat(refusal.text("message")).contains("arrays of 10.0 GB", "at least 21g");
        assertThat(Wire.read(answers).text("event")).isEqualTo("hello");
    }

    @Test
    void skipsAHeaderThatIsTooLong() throws IOException {
        try (Served served = new Served()) {
            Thread sender = new Thread(() -> {
                try {
                    served.send(Wire.frame(" ".repeat(17_000_000)));
                    served.send("{\"op\":\"hello\"}");
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            assertThat(served.receive().text("message")).contains("a header of 17000000 bytes");
            assertThat(served.receive().text("event")).isEqualTo("hello");
        }
    }

    @Test
    void endsWhereFramesCannotBeFound() throws IOException {
        try (Served served = new Served()) {
            served.send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(served.receive().text("kind")).isEqualTo("lost");
            assertThat(served.ending()).isPresent();
        }
        try (Served served = new Served()) {
            served.send(Wire.prefix(2, -1));
            assertThat(served.receive().text("kind")).isEqualTo("lost");
            assertThat(served.ending()).isPresent();
        }
    }

    @Test
    void endsWhereInputEndsInTheMidstOfAFrame() throws IOException {
        byte[] frame = Wire.frame(COUNTS + ARRAYS, f64(X), f64(Y));
        for (int length : new int[] {1, 15, 16, 40, frame.length - 1}) {
            try (Served served = new Served()) {
                served.send(Arrays.copyOf(frame, length));
                assertThat(served.end().orElseThrow()).isInstanceOf(EOFException.class);
            }
        }
    }

    /** A fit that takes many minutes if nobody cancels it. */
    private static void startLongFit(Served served, int id) throws IOException {
        double[] x = new SplittableRandom(1).doubles(400_000, -1, 1).toArray();
        double[] y = new SplittableRandom(2).ints(20_000, 0, 2).asDoubleStream().toArray();
        String header = "{\"op\":\"fit\",\"id\":" + id + ",\"nodes\":4,\"features\":20,\"progress\":true,\"settings\":{"
                + "\"loss\":\"hinge\",\"method\":\"adfs\",\"lambda\":1e-9,\"gap\":1e-12,\"max-epochs\":1e9}"
                + ARRAYS.replace("12", "400000").replace(":6}", ":20000}");
        served.send(header, f64(x), f64(y));
    }

    private static Wire.Answer afterProgress(Served served) throws IOException {
        Wire.Answer answer = served.receive();
        while (answer.text("event").equals("progress")) {
            answer = served.receive();
        }
        return answer;
    }

    @Test
    void cancelsAFitInTheMiddleAndGoesOn() throws IOException {
        try (Served served = new Served()) {
            startLongFit(served, 1);
            assertThat(served.receive().text("event")).isEqualTo("progress");
            served.send("{\"op\":\"cancel\",\"id\":2}");
            served.send("{\"op\":\"hello\",\"id\":9}");
            assertThat(afterProgress(served).text("id")).isEqualTo("9");
            served.send("{\"op\":\"cancel\",\"id\":1}");
            Wire.Answer cancelled = afterProgress(served);
            assertThat(cancelled.text("kind")).isEqualTo("cancelled");
            assertThat(cancelled.text("id")).isEqualTo("1");
            assertThat(served.ask(COUNTS + ARRAYS, f64(X), f64(Y)).text("event"))
                    .isEqualTo("fit");
        }
    }

    @Test
    void refusesASecondFitWhileOneRunsAndTellsOfProgress() throws IOException {
        try (Served served = new Served()) {
            startLongFit(served, 1);
            Wire.Answer progress = served.receive();
            assertThat(progress.text("event")).isEqualTo("progress");
            assertThat(Double.parseDouble(progress.text("gap"))).isPositive();
            served.send(COUNTS + ARRAYS, f64(X), f64(Y));
            Wire.Answer refusal = afterProgress(served);
            assertThat(refusal.text("id")).isEqualTo("7");
            assertThat(refusal.text("message")).contains("fit 1 is running");
        }
    }

    @Test
    void stopsTheFitWhenInputEnds() throws Exception {
        try (Served served = new Served()) {
            startLongFit(served, 1);
            assertThat(served.receive().text("event")).isEqualTo("progress");
            assertThat(served.end()).isEmpty();
            assertThat(afterProgress(served).text("kind")).isEqualTo("cancelled");
        }
    }

    @Test
    void endsAsAProcessWithItsInput() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            process.getOutputStream().write(Wire.frame("{\"op\":\"hello\",\"id\":1}"));
            process.getOutputStream().flush();
            assertThat(Wire.read(process.getInputStream()).text("event")).isEqualTo("hello");
            process.getOutputStream().close();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
