package dev.starling.lab.extending;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetBuilder;
import java.util.Arrays;
import java.util.List;

/** Rows as people type them: values, an arrow, the label. */
final class Plain {

    private Plain() {}

    /** Reads lines such as {@code 5.1 3.5 -> 1}. */
    static Dataset rows(List<String> lines) {
        DatasetBuilder rows = Dataset.builder(values(lines.get(0)).length);
        for (String line : lines) {
            rows.row(Double.parseDouble(line.substring(line.indexOf("->") + 2)), values(line));
        }
        return rows.build();
    }

    private static double[] values(String line) {
        String[] cells = line.substring(0, line.indexOf("->")).strip().split(" ");
        return Arrays.stream(cells).mapToDouble(Double::parseDouble).toArray();
    }
}
