package dev.starling.cli.database;

import dev.starling.table.Kind;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Puts CSV files into databases. */
final class Copies {

    private Copies() {}

    /** Makes a table {@code people}: numbers become integers, words words, and what is missing null. */
    static void people(Path csv, Connection connection) throws SQLException {
        Table table = TableReader.standard().read(csv);
        Survey survey = Survey.of(table);
        List<Boolean> numeric = survey.columns().stream()
                .map(column -> column.kind() == Kind.NUMERIC)
                .toList();
        String columns = IntStream.range(0, numeric.size())
                .mapToObj(c -> '"' + table.names().get(c) + "\" " + (numeric.get(c) ? "integer" : "varchar(100)"))
                .collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table people (" + columns + ")");
        }
        String places = numeric.stream().map(any -> "?").collect(Collectors.joining(", "));
        try (PreparedStatement insert = connection.prepareStatement("insert into people values (" + places + ")")) {
            for (Table.Cursor row = table.cursor(); row.next(); ) {
                for (int c = 0; c < numeric.size(); c++) {
                    String cell = row.text(c);
                    if (cell.isEmpty() || cell.equals("?")) {
                        insert.setNull(c + 1, numeric.get(c) ? Types.INTEGER : Types.VARCHAR);
                    } else if (numeric.get(c)) {
                        insert.setInt(c + 1, Integer.parseInt(cell));
                    } else {
                        insert.setString(c + 1, cell);
                    }
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
