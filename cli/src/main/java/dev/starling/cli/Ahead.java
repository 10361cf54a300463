package dev.starling.cli;

import dev.starling.Trainer;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/**
 * Trains on a few rows while options are still being parsed. In a new process most of what a small command does is
 * loading and linking classes, and on two cores this does half of it at the same time: a small command ends a tenth
 * sooner. No two classes of ours need each other to be initialised, so the two threads cannot wait for each other.
 */
final class Ahead {

    private static final String ROWS = "number,word,label\n1,a,no\n2,b,yes\n3.5,a,no\n?,b,yes\n2,c,no\n";

    private Ahead() {}

    /** Starts on a thread that no process waits for, and whose failures the command itself will have and report. */
    static void start() {
        Thread ahead = new Thread(Ahead::train, "starling-ahead");
        ahead.setDaemon(true);
        ahead.setUncaughtExceptionHandler((thread, failure) -> {});
        ahead.start();
    }

    /** Reads a table, makes rows of it and trains on them. */
    static void train() {
        Table table =
                TableReader.standard().read(new ByteArrayInputStream(ROWS.getBytes(StandardCharsets.UTF_8)), "rows");
        Recipe recipe =
                Recipe.builder().label("label").missing(Missing.MOST_FREQUENT).learn(table);
        Trainer.logistic().fit(recipe.encode(table).rows());
    }
}
