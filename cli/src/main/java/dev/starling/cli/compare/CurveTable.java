package dev.starling.cli.compare;

import dev.starling.cli.page.LineChart;
import dev.starling.internal.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Curves over one axis, in all output formats.
 *
 * @param axis what the first number of a point is
 * @param measured what the others are
 * @param names one name for each of the others
 * @param points the points, in the order of the axis
 * @param remarks lines below the table
 */
record CurveTable(
        String title, String axis, String measured, List<String> names, List<double[]> points, List<String> remarks)
        implements Measurements {

    /** Lines of the table for people: a fair selection of the points. */
    private static final int LINES = 20;

    @Override
    public void print(PrintWriter out) {
        out.println(title);
        out.println(measured);
        out.println();
        int last = points.size() - 1;
        int lines = Math.max(1, Math.min(LINES, last));
        Measurements.print(
                out,
                heads(),
                IntStream.rangeClosed(0, Math.min(LINES, last))
                        .mapToObj(line -> row(points.get((int) ((long) line * last / lines)))));
        out.println();
        remarks.forEach(out::println);
    }

    @Override
    public void csv(PrintWriter out) {
        Measurements.csv(out, heads(), points.stream().map(CurveTable::row));
    }

    private List<String> heads() {
        return Stream.concat(Stream.of(axis), names.stream()).toList();
    }

    private static List<Double> row(double[] point) {
        return Arrays.stream(point).boxed().toList();
    }

    @Override
    public void write(JsonObject json) {
        json.with("title", title);
        json.with("measured", measured);
        json.objects("points", points, (one, point) -> {
            one.with(axis, point[0]);
            for (int k = 1; k < point.length; k++) {
                one.with(names.get(k - 1), point[k]);
            }
        });
        json.with("remarks", remarks);
        Measurements.writeOrigin(json, true);
    }

    @Override
    public LineChart chart() {
        double[] x = points.stream().mapToDouble(point -> point[0]).toArray();
        List<LineChart.Series> series = new ArrayList<>();
        for (int k = 1; k <= names.size(); k++) {
            int column = k;
            series.add(LineChart.Series.of(
                    names.get(k - 1),
                    x,
                    points.stream().mapToDouble(point -> point[column]).toArray()));
        }
        return LineChart.of(title, axis, false, measured, true, series);
    }
}
