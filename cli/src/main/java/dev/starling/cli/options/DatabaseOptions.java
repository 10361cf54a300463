package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** A table or a query of a database, instead of a file. */
@Under(Section.DATABASE)
public final class DatabaseOptions extends QueryOptions {

    private static final String NAME = "[\\p{L}_][\\p{L}\\p{N}_$]*";

    @Option(names = "--table", paramLabel = "NAME", description = "Table to take all rows from, instead of --query.")
    private String table;

    @Override
    List<String> given() {
        List<String> given = new ArrayList<>();
        if (table != null) {
            given.add("--table");
        }
        given.addAll(super.given());
        return given;
    }

    @Override
    void requireRows() {
        String query = super.query();
        if ((query == null) == (table == null)) {
            throw new InvalidInputException(
                    "--jdbc needs " + (query == null ? "" : "only one of ") + "--query or --table; give one of them");
        }
        if (table != null && !table.matches(NAME + "(\\." + NAME + ")*")) {
            throw new InvalidInputException("--table '" + table
                    + "' is not a plain name, as in people or census.people; write a --query instead");
        }
    }

    @Override
    String query() {
        return table == null ? super.query() : "select * from " + table;
    }
}
