package dev.starling.cli.page;

import dev.starling.cli.console.NumberFormats;
import dev.starling.data.text.AtomicFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A line chart as an SVG picture for papers: its colours can be told apart by colour-blind readers, and for print in
 * black and white every curve has its own dashes and markers.
 */
public final class LineChart {

    /** The colours of Okabe and Ito without the palest, followed by grey. */
    static final List<String> COLOURS =
            List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7A7A7A");

    static final List<String> DASHES = List.of("", "7 3", "2 3", "9 3 2 3", "12 4", "5 2 1 2 1 2", "1 2", "4 4");

    private static final double WIDTH = 640;
    private static final double HEIGHT = 420;
    private static final double LEFT = 72;
    private static final double RIGHT = 16;
    private static final double TOP = 34;
    private static final double BOTTOM = 50;
    private static final double LEGEND_LINE = 17;
    private static final int MARKERS = 9;
    private static final double TOP_STRIDE = 34;

    /** A curve and the band around it; without a band, its bounds are the curve itself. */
    public record Series(String name, double[] x, double[] y, double[] low, double[] high) {
        public static Series of(String name, double[] x, double[] y) {
            return new Series(name, x, y, y, y);
        }
    }

    /** A text above the frame, at a place of the horizontal axis. */
    public record Top(double x, String text) {}

    private final String title;
    private final Axis horizontal;
    private final Axis vertical;
    private final List<Series> series;
    private final List<Top> top;

    private LineChart(String title, Axis horizontal, Axis vertical, List<Series> series, List<Top> top) {
        this.title = title;
        this.horizontal = horizontal;
        this.vertical = vertical;
        this.series = series;
        this.top = top;
    }

    /** Returns a copy with texts along the upper edge, as many of them as there is room for. */
    public LineChart withTop(List<Top> texts) {
        return new LineChart(title, horizontal, vertical, series, List.copyOf(texts));
    }

    /** Maps values to positions. */
    private static final class Axis {
        private final String label;
        private final boolean logarithmic;
        private final double low;
        private final double high;
        private final double from;
        private final double to;

        Axis(String label, boolean logarithmic, double low, double high, double from, double to) {
            this.label = label;
            this.logarithmic = logarithmic;
            this.low = low;
            this.high = high > low ? high : low + 1;
            this.from = from;
            this.to = to;
        }

        double at(double value) {
            double share = logarithmic
                    ? (StrictMath.log10(value) - StrictMath.log10(low))
                            / (StrictMath.log10(high) - StrictMath.log10(low))
                    : (value - low) / (high - low);
            return from + Math.max(-0.001, Math.min(1.001, share)) * (to - from);
        }

        List<Double> ticks() {
            List<Double> ticks = new ArrayList<>();
            if (logarithmic) {
                int first = (int) Math.ceil(StrictMath.log10(low) - 1e-9);
                int last = (int) Math.floor(StrictMath.log10(high) + 1e-9);
                int stride = Math.max(1, (last - first + 7) / 8);
                for (int k = first; k <= last; k += stride) {
                    ticks.add(StrictMath.pow(10, k));
                }
                return ticks.size() > 1 ? ticks : withinADecade();
            }
            double step = StrictMath.pow(10, Math.floor(StrictMath.log10((high - low) / 4)));
            while ((high - low) / step > 8) {
                step *= (high - low) / step > 16 ? 5 : 2;
            }
            for (double tick = Math.ceil(low / step) * step; tick <= high * (1 + 1e-9); tick += step) {
                ticks.add(tick);
            }
            return ticks;
        }

        private List<Double> withinADecade() {
            double unit = StrictMath.pow(10, Math.floor(StrictMath.log10(low) + 1e-9));
            return Stream.of(1, 2, 5, 10, 20, 50)
                    .map(times -> times * unit)
                    .filter(tick -> low * (1 - 1e-9) <= tick && tick <= high * (1 + 1e-9))
                    .toList();
        }
    }

    /** A chart whose axes span its curves. */
    public static LineChart of(
            String title,
            String xLabel,
            boolean xLogarithmic,
            String yLabel,
            boolean yLogarithmic,
            List<Series> given) {
        double lowX = Double.POSITIVE_INFINITY;
        double highX = 0;
        double lowY = Double.POSITIVE_INFINITY;
        double highY = 0;
        for (Series one : given) {
            for (int k = 0; k < one.x().length; k++) {
                if (usable(one.x()[k], xLogarithmic) && usable(one.y()[k], yLogarithmic)) {
                    lowX = Math.min(lowX, one.x()[k]);
                    highX = Math.max(highX, one.x()[k]);
                    lowY = Math.min(lowY, one.y()[k]);
                    highY = Math.max(highY, one.y()[k]);
                }
            }
        }
        if (!(lowX < Double.POSITIVE_INFINITY)) {
            lowX = xLogarithmic ? 1 : 0;
            highX = 10;
            lowY = 1;
            highY = 10;
        }
        Axis horizontal =
                new Axis(xLabel, xLogarithmic, xLogarithmic ? lowX : Math.min(0, lowX), highX, LEFT, WIDTH - RIGHT);
        Axis vertical = new Axis(
                yLabel,
                yLogarithmic,
                yLogarithmic ? StrictMath.pow(10, Math.floor(StrictMath.log10(lowY) + 1e-9)) : 0,
                yLogarithmic ? StrictMath.pow(10, Math.ceil(StrictMath.log10(highY) - 1e-9)) : highY,
                HEIGHT - BOTTOM,
                TOP);
        return new LineChart(title, horizontal, vertical, List.copyOf(given), List.of());
    }

    /**
     * A chart with a logarithmic horizontal axis, whose vertical axis runs from {@code low} to {@code high} so that
     * bands fit in.
     */
    public static LineChart between(
            String title, String xLabel, String yLabel, double low, double high, List<Series> given) {
        LineChart chart = of(title, xLabel, true, yLabel, false, given);
        return new LineChart(
                title,
                chart.horizontal,
                new Axis(yLabel, false, low, high, HEIGHT - BOTTOM, TOP),
                chart.series,
                List.of());
    }

    private static boolean usable(double value, boolean logarithmic) {
        return Double.isFinite(value) && (!logarithmic || value > 0);
    }

    public void write(Path target) {
        AtomicFiles.write(target, out -> out.write(svg().getBytes(StandardCharsets.UTF_8)));
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        int legendLines = (series.size() + 2) / 3;
        double height = HEIGHT + LEGEND_LINE * legendLines + 6;
        svg.append(String.format(
                Locale.US,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\""
                        + " style=\"max-width:100%%;height:auto\""
                        + " font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" role=\"img\">%n",
                WIDTH,
                height,
                WIDTH,
                height));
        svg.append("<title>").append(escaped(title)).append("</title>\n");
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        text(svg, WIDTH / 2.0, top.isEmpty() ? 20 : 14, "middle", title, " font-size=\"13\" font-weight=\"bold\"");
        frame(svg);
        top(svg);
        svg.append(String.format(
                Locale.US,
                "<clipPath id=\"frame\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></clipPath>%n",
                LEFT - 5,
                TOP - 5,
                WIDTH - LEFT - RIGHT + 10,
                HEIGHT - TOP - BOTTOM + 10));
        svg.append("<g clip-path=\"url(#frame)\">\n");
        for (int k = 0; k < series.size(); k++) {
            band(svg, series.get(k), k);
        }
        for (int k = 0; k < series.size(); k++) {
            curve(svg, series.get(k), k);
        }
        svg.append("</g>\n");
        legend(svg);
        return svg.append("</svg>\n").toString();
    }

    private void frame(StringBuilder svg) {
        for (double tick : horizontal.ticks()) {
            double x = horizontal.at(tick);
            line(svg, x, TOP, x, HEIGHT - BOTTOM, "#e3e3e3");
            text(svg, x, HEIGHT - BOTTOM + 16, "middle", tick(tick), "");
        }
        for (double tick : vertical.ticks()) {
            double y = vertical.at(tick);
            line(svg, LEFT, y, WIDTH - RIGHT, y, "#e3e3e3");
            text(svg, LEFT - 6, y + 4, "end", tick(tick), "");
        }
        line(svg, LEFT, TOP, LEFT, HEIGHT - BOTTOM, "#444444");
        line(svg, LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#444444");
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", horizontal.label, "");
        double middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        text(
                svg,
                16,
                middle,
                "middle",
                vertical.label,
                String.format(Locale.US, " transform=\"rotate(-90 16 %.1f)\"", middle));
    }

    private void top(StringBuilder svg) {
        double free = WIDTH;
        for (Top one : top) {
            double x = horizontal.at(one.x());
            if (x <= free) {
                text(svg, x, TOP - 6, "middle", one.text(), " font-size=\"11\"");
                free = x - TOP_STRIDE;
            }
        }
        if (!top.isEmpty()) {
            text(svg, LEFT - 22, TOP - 6, "end", "weights", " font-size=\"11\"");
        }
    }

    private static String tick(double value) {
        return NumberFormats.shortText(value);
    }

    private void band(StringBuilder svg, Series one, int index) {
        if (java.util.Arrays.equals(one.low(), one.high())) {
            return;
        }
        StringBuilder there = new StringBuilder();
        StringBuilder back = new StringBuilder();
        for (int k = 0; k < one.x().length; k++) {
            if (usable(one.x()[k], horizontal.logarithmic)
                    && usable(one.low()[k], vertical.logarithmic)
                    && usable(one.high()[k], vertical.logarithmic)) {
                there.append(place(one.x()[k], one.low()[k]));
                back.insert(0, place(one.x()[k], one.high()[k]));
            }
        }
        svg.append("<polygon points=\"")
                .append(there)
                .append(back)
                .append("\" fill=\"")
                .append(colour(index))
                .append("\" fill-opacity=\"0.15\"/>\n");
    }

    private void curve(StringBuilder svg, Series one, int index) {
        List<double[]> places = new ArrayList<>();
        StringBuilder points = new StringBuilder();
        for (int k = 0; k < one.x().length; k++) {
            if (usable(one.x()[k], horizontal.logarithmic) && usable(one.y()[k], vertical.logarithmic)) {
                places.add(new double[] {horizontal.at(one.x()[k]), vertical.at(one.y()[k])});
                points.append(place(one.x()[k], one.y()[k]));
            }
        }
        svg.append("<polyline points=\"")
                .append(points)
                .append("\" fill=\"none\" stroke=\"")
                .append(colour(index))
                .append("\" stroke-width=\"1.8\" stroke-linejoin=\"round\"")
                .append(dash(index))
                .append("/>\n");
        double next = Double.NEGATIVE_INFINITY;
        double gap = (WIDTH - LEFT - RIGHT) / MARKERS;
        for (double[] place : places) {
            if (place[0] >= next) {
                marker(svg, place[0], place[1], index);
                next = place[0] + gap;
            }
        }
    }

    private String place(double x, double y) {
        return String.format(Locale.US, "%.1f,%.1f ", horizontal.at(x), vertical.at(y));
    }

    private void legend(StringBuilder svg) {
        double column = (WIDTH - LEFT - RIGHT) / 3;
        for (int k = 0; k < series.size(); k++) {
            double x = LEFT + column * (k % 3);
            int line = k / 3;
            double y = HEIGHT + 4 + LEGEND_LINE * line;
            svg.append(String.format(
                    Locale.US,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"1.8\"%s/>%n",
                    x,
                    y,
                    x + 30,
                    y,
                    colour(k),
                    dash(k)));
            marker(svg, x + 15, y, k);
            text(svg, x + 37, y + 4, "start", series.get(k).name(), "");
        }
    }

    private static String colour(int index) {
        return COLOURS.get(index % COLOURS.size());
    }

    /** How many times all colours have been used already; dashes and markers change with each round. */
    private static int round(int index) {
        return index / COLOURS.size();
    }

    private static String dash(int index) {
        String dash = DASHES.get((index + 3 * round(index)) % DASHES.size());
        return dash.isEmpty() ? "" : " stroke-dasharray=\"" + dash + "\"";
    }

    /** Draws a circle, a square, a diamond or a triangle, filled the first time and hollow the next. */
    private static void marker(StringBuilder svg, double x, double y, int index) {
        String fill = (index / 4 + round(index)) % 2 == 0 ? colour(index) : "#ffffff";
        String style = "\" fill=\"" + fill + "\" stroke=\"" + colour(index) + "\" stroke-width=\"1.2\"/>\n";
        switch ((index + round(index)) % 4) {
            case 0 -> svg.append(String.format(Locale.US, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2%s", x, y, style));
            case 1 ->
                svg.append(String.format(
                        Locale.US, "<rect x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6%s", x - 3, y - 3, style));
            case 2 -> svg.append(String.format(Locale.US, "<path d=\"M%.1f %.1fl4 4l-4 4l-4 -4z%s", x, y - 4, style));
            default -> svg.append(String.format(Locale.US, "<path d=\"M%.1f %.1fl4 7h-8z%s", x, y - 4, style));
        }
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2, String colour) {
        svg.append(String.format(
                Locale.US,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text, String more) {
        svg.append(String.format(
                Locale.US, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222222\"%s>", x, y, anchor, more));
        svg.append(escaped(text)).append("</text>\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
