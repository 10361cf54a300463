package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.SourceOptions;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.LibsvmWriter;
import dev.starling.data.text.AtomicFiles;
import dev.starling.peer.setup.RowSplit;
import dev.starling.table.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Splits a data file, or the rows of a query, among sites. */
@Command(
        name = "split",
        description = {
            "Splits a file of rows, or the rows of a query, into one file per node.",
            "Rows go to the same nodes as in train: row r, counted from 0, to node r mod N. The parts are LIBSVM files"
                    + " or, with --table or --jdbc, CSV files."
        },
        footer = {
            "",
            "Examples:",
            "  starling split a9a.gz --nodes 4",
            "  starling split a9a.gz --names a,b,c,d --dir parts",
            "  starling split people.csv --table --names a,b,c,d",
            "  starling split --jdbc jdbc:postgresql://localhost/census --query 'select * from people' --nodes 4"
        })
public final class SplitCommand extends ConsoleCommand {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "File to split; '-' is standard input. Leave it out with --jdbc.")
    private Path file;

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes (default: the number of names).")
    private Integer nodes;

    @Option(
            names = "--names",
            split = ",",
            paramLabel = "NAME",
            description = "Names of the parts: NAME.libsvm or NAME.csv (default: node-0, node-1, ...).")
    private List<String> names;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "Directory for the parts (default: the current one).")
    private Path directory;

    @Option(
            names = "--table",
            description = "Keep the lines of a CSV file as they are: each part is a table with the same header.")
    private boolean table;

    @Mixin
    private SourceOptions.OfQuery data;

    @Override
    public Integer call() {
        if (data.isDatabase() && table) {
            throw new InvalidInputException("--table keeps the lines of a CSV file and takes no name; with --jdbc the"
                    + " parts are CSV files anyway, and a table is named in --query, as in 'select * from people'");
        }
        data.check(file);
        List<String> parts = parts();
        boolean lines = table || data.isDatabase();
        String extension = lines ? ".csv" : ".libsvm";
        List<Path> targets =
                parts.stream().map(part -> directory.resolve(part + extension)).toList();
        targets.stream()
                .filter(Files::exists)
                .forEach(target -> Outputs.requireWritable(
                        target, DataOptions.path(file).stream().toList()));
        if (lines) {
            splitLines(targets);
        } else {
            splitRows(targets);
        }
        return Main.DONE;
    }

    private void splitRows(List<Path> targets) {
        Dataset rows = data.read(file, 0, (bytes, total) -> {});
        // All parts are made before any file is written, so that an error leaves no files behind.
        List<Dataset> split = IntStream.range(0, targets.size())
                .mapToObj(node -> RowSplit.part(rows, node, targets.size()))
                .toList();
        for (int node = 0; node < targets.size(); node++) {
            Dataset part = split.get(node);
            Path target = targets.get(node);
            written(target, part.rows(), () -> LibsvmWriter.write(part, target));
        }
    }

    private void splitLines(List<Path> targets) {
        Table lines = data.readTable(file);
        List<String> split = IntStream.range(0, targets.size())
                .mapToObj(node -> RowSplit.part(lines, node, targets.size()))
                .toList();
        for (int node = 0; node < targets.size(); node++) {
            byte[] part = split.get(node).getBytes(StandardCharsets.UTF_8);
            Path target = targets.get(node);
            int rows = (lines.rows() - node + targets.size() - 1) / targets.size();
            written(target, rows, () -> AtomicFiles.write(target, out -> out.write(part)));
        }
    }

    private void written(Path target, int rows, Runnable writing) {
        Outputs.createFolder(directory);
        Outputs.write(writing);
        out().println(target + "  " + rows + " rows");
    }

    private List<String> parts() {
        if (names == null && nodes == null) {
            throw new InvalidInputException("how many parts? give --nodes N or --names a,b,c");
        }
        if (names != null) {
            if (nodes != null && nodes != names.size()) {
                throw new InvalidInputException("--nodes " + nodes + " and " + names.size()
                        + " --names; give one of them, or as many names as nodes");
            }
            if (Set.copyOf(names).size() < names.size()) {
                throw new InvalidInputException(
                        "--names " + String.join(",", names) + " has a name twice; every part needs its own");
            }
            for (String name : names) {
                if (name.isBlank() || name.contains("/") || name.contains("\\")) {
                    throw new InvalidInputException("--names '" + name
                            + "' cannot be the name of a part; use letters and digits, and --dir for another folder");
                }
            }
            return names;
        }
        if (nodes < 1) {
            throw new InvalidInputException("--nodes " + nodes + " must be at least 1");
        }
        return IntStream.range(0, nodes).mapToObj(node -> "node-" + node).toList();
    }
}
