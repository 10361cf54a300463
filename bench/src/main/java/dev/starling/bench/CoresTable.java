package dev.starling.bench;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Generator;
import dev.starling.data.LibsvmWriter;
import dev.starling.loss.Hinge;
import dev.starling.runtime.Threads;
import dev.starling.settings.Folds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * How training and reading scale with cores: every line is a process of its own, so that its first run is a cold start;
 * further runs in the same process are warm. Prints a table in Markdown.
 *
 * <p>Arguments: {@code --scale S} divides all numbers of rows by S; {@code --threads 1,4,16} are the numbers of threads,
 * and of nodes; {@code --parts newton,hinge,cv,load,alone,adfs} are what to measure, where {@code alone} is as many
 * trainings of one node at once as there are nodes in {@code adfs}, which is what the machine allows it; {@code --java OPTION} adds an option of
 * the JVM to all lines; {@code --limit SECONDS} ends the table when the time is up.
 */
public final class CoresTable {

    private static final int FEATURES = 50;
    private static final int ROWS_OF_A_NODE = 50_000;
    private static final List<String> PARTS = List.of("newton", "hinge", "cv", "load", "alone", "adfs");
    private static final long START = System.nanoTime();

    private final int scale;
    private final int[] threads;
    private final List<String> java;
    private final double limit;
    private final Path folder;

    private CoresTable(int scale, int[] threads, List<String> java, double limit, Path folder) {
        this.scale = scale;
        this.threads = threads;
        this.java = java;
        this.limit = limit;
        this.folder = folder;
    }

    /** Makes the table, or one of its lines. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length > 0 && args[0].equals("run")) {
            run(args[1], Path.of(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]), args[5]);
            return;
        }
        int scale = 1;
        int[] threads = powersOfTwo(Runtime.getRuntime().availableProcessors());
        List<String> parts = PARTS;
        List<String> java = new ArrayList<>();
        double limit = 3600;
        for (int k = 0; k + 1 < args.length; k += 2) {
            switch (args[k]) {
                case "--scale" -> scale = Integer.parseInt(args[k + 1]);
                case "--threads" ->
                    threads = Arrays.stream(args[k + 1].split(","))
                            .mapToInt(Integer::parseInt)
                            .toArray();
                case "--parts" -> parts = List.of(args[k + 1].split(","));
                case "--java" -> java.add(args[k + 1]);
                case "--limit" -> limit = Double.parseDouble(args[k + 1]);
                default -> throw new IllegalArgumentException("unknown option " + args[k]);
            }
        }
        Path folder = Files.createTempDirectory("starling-cores");
        try {
            new CoresTable(scale, threads, java, limit, folder).print(parts);
        } finally {
            try (var files = Files.list(folder)) {
                files.forEach(file -> file.toFile().delete());
            }
            Files.delete(folder);
        }
    }

    private static int[] powersOfTwo(int most) {
        List<Integer> powers = new ArrayList<>();
        for (int k = 1; k < most; k *= 2) {
            powers.add(k);
        }
        powers.add(most);
        return powers.stream().mapToInt(Integer::intValue).toArray();
    }

    private void print(List<String> parts) throws IOException, InterruptedException {
        say("cores " + Runtime.getRuntime().availableProcessors() + ", Java " + Runtime.version() + ", options " + java
                + ", rows divided by " + scale);
        say("");
        say("| what | rows | threads | nodes | cold, s | ratio | warm, s | ratio | hash |");
        say("|---|---:|---:|---:|---:|---:|---:|---:|---|");
        for (String part : parts) {
            switch (part) {
                case "newton" -> lines("newton", 4_000_000 / scale, threads);
                case "hinge" -> lines("hinge", 800_000 / scale, threads);
                case "cv" -> lines("cv", 800_000 / scale, new int[] {threads[0], threads[threads.length - 1]});
                case "load" -> lines("load", 1_000_000 / scale, threads);
                case "alone", "adfs" -> weak(part);
                default -> throw new IllegalArgumentException("unknown part " + part);
            }
        }
        say("");
        say(String.format(Locale.ROOT, "%.0f seconds in all", (System.nanoTime() - START) * 1e-9));
    }

    private void lines(String what, int rows, int[] counts) throws IOException, InterruptedException {
        Path file = data(what, rows);
        double[] one = {};
        for (int count : counts) {
            one = line(what, file, rows, count, 1, one);
        }
    }

    /** Weak scaling: every node has as many rows as the only one, or every training, if they have nothing to do with each other. */
    private void weak(String what) throws IOException, InterruptedException {
        double[] one = {};
        for (int nodes : threads) {
            int rows = nodes * ROWS_OF_A_NODE / scale;
            Path file = data("adfs", what.equals("alone") ? ROWS_OF_A_NODE / scale : rows);
            one = line(what, file, rows, nodes, nodes, one);
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private Path data(String what, int rows) throws IOException {
        boolean text = what.equals("load");
        Path file = folder.resolve((text ? "text-" : "rows-") + rows);
        if (Files.exists(file)) {
            return file;
        }
        Dataset data = Generator.classification(rows, FEATURES)
                .conditioning(100)
                .seed(3)
                .generate();
        if (text) {
            LibsvmWriter.write(data, file);
        } else {
            save(data, file);
        }
        return file;
    }

    /** Prints a line and returns its seconds, or those of the first line if that is given. */
    private double[] line(String what, Path file, int rows, int threads, int nodes, double[] first)
            throws IOException, InterruptedException {
        String head = "| " + what + " | " + rows + " | " + threads + " | " + nodes + " | ";
        if ((System.nanoTime() - START) * 1e-9 > limit) {
            say(head + "no time left | | | | |");
            return first;
        }
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:MaxRAMPercentage=60",
                "-XX:LoopUnrollLimit=20",
                "-XX:Tier3BackEdgeThreshold=2000",
                "-XX:-UsePerfData"));
        command.addAll(java);
        if (what.equals("load")) {
            command.add("-XX:ActiveProcessorCount=" + threads);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), CoresTable.class.getName(), "run", what));
        command.addAll(List.of(file.toString(), "" + threads, "" + nodes, what.equals("cv") ? "0" : "4"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(process.getInputStream().readAllBytes()).strip();
        if (process.waitFor() != 0 || answer.isEmpty()) {
            say(head + "failed: " + answer + " | | | | |");
            return first;
        }
        String[] parts = answer.split(" ");
        double[] seconds = {Double.parseDouble(parts[0]), Double.parseDouble(parts[1])};
        double[] base = first.length == 0 ? seconds : first;
        boolean weak = what.equals("adfs") || what.equals("alone");
        say(head
                + number(seconds[0]) + " | "
                + number(weak ? seconds[0] / base[0] : base[0] / seconds[0]) + " | "
                + number(seconds[1]) + " | "
                + number(weak ? seconds[1] / base[1] : base[1] / seconds[1]) + " | "
                + parts[2] + " |");
        return base;
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%.3g", value);
    }

    /** Runs once cold and then some times warm; prints the seconds of the first and the median of the others. */
    private static void run(String what, Path file, int threads, int nodes, String warm) {
        Dataset data = what.equals("load") ? null : load(file);
        Threads runner = new Threads(threads);
        List<Double> seconds = new ArrayList<>();
        String hash = "";
        for (int k = 0; k <= Integer.parseInt(warm); k++) {
            if (what.equals("load")) {
                long start = System.nanoTime();
                hash = "" + DatasetReader.standard().read(file).rows();
                seconds.add((System.nanoTime() - start) * 1e-9);
            } else if (what.equals("alone")) {
                hash = "slowest";
                seconds.add(slowest(data, threads));
            } else {
                Fit fit = trainer(what, nodes).runner(runner).fit(data);
                hash = fit.model().hash().substring(0, 12);
                seconds.add(fit.seconds());
            }
        }
        double[] rest = seconds.stream()
                .skip(1)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        say(seconds.get(0) + " " + (rest.length == 0 ? Double.NaN : rest[rest.length / 2]) + " " + hash);
    }

    /** The seconds of the slowest of some trainings at once, each of one node on one thread. */
    private static double slowest(Dataset data, int trainings) {
        List<CompletableFuture<Double>> all = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> trainer("adfs", 1)
                                .runner(new Threads(1))
                                .fit(data)
                                .seconds(),
                        task -> new Thread(task).start()))
                .limit(trainings)
                .toList();
        return all.stream().mapToDouble(CompletableFuture::join).max().orElseThrow();
    }

    private static Trainer trainer(String what, int nodes) {
        Trainer usual = Trainer.logistic().lambda(1e-4).gap(1e-6).nodes(nodes);
        return switch (what) {
            case "newton" -> usual.method("newton");
            case "hinge" -> Trainer.of(new Hinge()).lambda(1e-4).gap(1e-6).nodes(nodes);
            case "cv" -> Trainer.logistic().crossValidation(Folds.of(10)).nodes(nodes);
            case "adfs" -> usual.method("adfs");
            default -> throw new IllegalArgumentException(what);
        };
    }

    /** Writes dense rows as they are in memory, so that reading them warms up nothing that is measured. */
    private static void save(Dataset data, Path file) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer row =
                    ByteBuffer.allocate(Double.BYTES + Float.BYTES * FEATURES).order(ByteOrder.nativeOrder());
            ByteBuffer many = ByteBuffer.allocateDirect(row.capacity() * 4096).order(ByteOrder.nativeOrder());
            for (int i = 0; i < data.rows(); i++) {
                row.clear();
                row.putDouble(data.label(i));
                for (int c = 0; c < FEATURES; c++) {
                    row.putFloat((float) data.value(i, data.start(i) + c));
                }
                many.put(row.flip());
                if (!many.hasRemaining() || i + 1 == data.rows()) {
                    for (many.flip(); many.hasRemaining(); ) {
                        out.write(many);
                    }
                    many.clear();
                }
            }
        }
    }

    private static Dataset load(Path file) {
        try (FileChannel in = FileChannel.open(file)) {
            int bytes = Double.BYTES + Float.BYTES * FEATURES;
            int rows = (int) (in.size() / bytes);
            float[] values = new float[rows * FEATURES];
            double[] labels = new double[rows];
            ByteBuffer many = ByteBuffer.allocateDirect(bytes * 4096).order(ByteOrder.nativeOrder());
            for (int i = 0; in.read(many) >= 0 || many.position() > 0; many.compact()) {
                for (many.flip(); many.remaining() >= bytes; i++) {
                    labels[i] = many.getDouble();
                    many.asFloatBuffer().get(values, i * FEATURES, FEATURES);
                    many.position(many.position() + Float.BYTES * FEATURES);
                }
            }
            return Dataset.dense(FEATURES, values, labels);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
