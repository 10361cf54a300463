package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.page.LineChart;
import dev.starling.internal.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

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
        out.printf("%10s", axis);
        names.forEach(name -> out.printf("  %14s", name));
        out.println();
        int last = points.size() - 1;
        for (int line = 0; line <= Math.min(LINES, last); line++) {
            double[] point = points.get((int) ((long) line * last / Math.max(1, Math.min(LINES, last))));
            out.printf("%10s", NumberFormats.shortText(point[0]));
            for (int k = 1; k < point.length; k++) {
                out.printf("  %14s", NumberFormats.shortText(point[k]));
            }
            out.println();
        }
        out.println();
        remarks.forEach(out::println);
        out.flush();
    }

    @Override
    public void csv(PrintWriter out) {
        out.println(axis + "," + String.join(",", names));
        for (double[] point : points) {
            List<String> cells = new ArrayList<>();
            for (double number : point) {
                cells.add(Double.isFinite(number) ? Json.text(number) : "");
            }
            out.println(String.join(",", cells));
        }
        out.flush();
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
