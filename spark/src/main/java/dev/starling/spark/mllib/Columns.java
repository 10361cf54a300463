package dev.starling.spark.mllib;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/** The columns that an estimator of MLlib's was told to use; names that are empty stand for none. */
record Columns(String features, String label, Optional<String> weight, Optional<String> offset) {

    static Columns of(String features, String label, String weight, String offset) {
        return new Columns(
                features,
                label,
                Optional.of(weight).filter(name -> !name.isEmpty()),
                Optional.of(offset).filter(name -> !name.isEmpty()));
    }

    /** These columns alone; all but the features as doubles. */
    Dataset<Row> used(Dataset<?> rows) {
        List<Column> used = new ArrayList<>();
        used.add(rows.col(features).as(features));
        used.add(number(rows, label));
        weight.ifPresent(name -> used.add(number(rows, name)));
        offset.ifPresent(name -> used.add(number(rows, name)));
        return rows.select(used.toArray(new Column[0]));
    }

    private static Column number(Dataset<?> rows, String name) {
        return rows.col(name).cast("double").as(name);
    }

    /** The weights of rows, 1 where they have none. */
    Column weights() {
        return weight.map(functions::col).orElse(functions.lit(1.0));
    }

    /** The offsets of rows, 0 where they have none. */
    Column offsets() {
        return offset.map(functions::col).orElse(functions.lit(0.0));
    }
}
