package dev.starling.cli.statistics;

import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.SourceOptions;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonObject;
import dev.starling.method.SeparationException;
import dev.starling.table.Table;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that reads a table, or a model instead, and prints what statistics makes of it. */
abstract class StatisticsCommand extends ConsoleCommand {

    @Parameters(index = "0", paramLabel = "FILE", description = "CSV or Parquet file, or - for standard input.")
    Path file;

    @Mixin
    SourceOptions data;

    @Mixin
    private JsonOption json;

    /** What to call the data in messages. */
    final String source() {
        return data.source(file);
    }

    final Table table() {
        return data.readTable(file);
    }

    /** Does some work whose refusals are about the data, and lets them name it. */
    final <T> T inData(Supplier<T> work) {
        try {
            return work.get();
        } catch (InvalidInputException e) {
            String message = e instanceof SeparationException separation
                    ? separation.messageOr("train with a penalty ('starling train --lambda 1e-3')")
                    : e.getMessage();
            throw message.startsWith(source()) ? e : new InvalidInputException(source() + ": " + message, e);
        }
    }

    /** Prints a result, as JSON if that was asked for. */
    final void print(Consumer<JsonObject> content, Runnable text) {
        if (json.isGiven()) {
            Json.print(out(), content);
        } else {
            text.run();
        }
    }
}
