package dev.starling.cli.options;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;

/** How rows are read, and where from: a file or, if the file is null, a database. */
public class SourceOptions extends DataOptions {

    @Mixin
    private QueryOptions database;

    /** Creates options for a file, or for a table or a query of a database. */
    public SourceOptions() {
        this(new DatabaseOptions());
    }

    private SourceOptions(QueryOptions database) {
        this.database = database;
    }

    /** Options for a file or a query of a database, for a command whose {@code --table} means something else. */
    public static final class OfQuery extends SourceOptions {

        /** Creates options for a file or a query. */
        public OfQuery() {
            super(new QueryOptions());
        }
    }

    /** Whether rows come from a database. */
    public boolean isDatabase() {
        return database.isGiven();
    }

    /**
     * Refuses, without reading anything, options that do not go together.
     *
     * @param file null if none was given
     */
    public void check(Path file) {
        if (isNone(file)) {
            throw new InvalidInputException("there is no data; give a file, or --jdbc with --query");
        }
        if (database.isGiven() && file != null) {
            throw new InvalidInputException("both the file " + name(file) + " and --jdbc; give one of them");
        }
        if (database.isGiven() && !columnNames().isEmpty()) {
            throw new InvalidInputException("--column-names names the columns of a file; a query names its own, as in"
                    + " 'select a as age from t'");
        }
    }

    /** Whether neither a file nor a database was given; refuses database options without {@code --jdbc}. */
    public boolean isNone(Path file) {
        database.check(System.getenv());
        return file == null && !database.isGiven();
    }

    @Override
    public String source(Path file) {
        return file == null ? database.name() : super.source(file);
    }

    @Override
    public Dataset read(Path file, int atLeastFeatures, DatasetReader.Progress progress, TableReader.Encoder encoder) {
        return file == null
                ? encoder.encode(database.read(System.getenv()))
                : super.read(file, atLeastFeatures, progress, encoder);
    }

    @Override
    public Dataset readNamed(Path file, int atLeastFeatures, TableReader.Encoder encoder) {
        return file == null
                ? encoder.encode(database.read(System.getenv()))
                : super.readNamed(file, atLeastFeatures, encoder);
    }

    @Override
    public Table readTable(Path file, DatasetReader.Progress progress) {
        return file == null ? database.read(System.getenv()) : super.readTable(file, progress);
    }
}
