package dev.starling.cli.train;

import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Line;
import java.util.BitSet;
import java.util.List;

/**
 * Finds the ends of a path where the loss hardly changes any more, which nobody needs to see in full. Ridge paths begin
 * and end with many such values of λ.
 */
final class FlatEnds {

    /** A loss hardly changes while it stays within this fraction of all losses' range. */
    private static final double LITTLE = 0.05;

    /** How many values next to the best and the chosen one are shown in any case. */
    private static final int NEIGHBOURS = 2;

    private FlatEnds() {}

    /** The lines between the flat ends, including one of each end. */
    static BitSet between(CrossValidation validation) {
        List<Line> lines = validation.lines();
        double low =
                lines.stream().mapToDouble(line -> line.loss().mean()).min().orElse(0);
        double high =
                lines.stream().mapToDouble(line -> line.loss().mean()).max().orElse(0);
        double little = LITTLE * (high - low);
        BitSet shown = new BitSet();
        for (int from = 0; from < lines.size(); ) {
            int to = from + 1;
            // Each share of the l1 term begins with its largest λ.
            while (to < lines.size() && strength(lines.get(to)) < strength(lines.get(to - 1))) {
                to++;
            }
            int first = end(lines, from, to - 1, little);
            int last = end(lines, to - 1, from, little);
            boolean flat = first >= last;
            shown.set(flat ? from : first, (flat ? to - 1 : last) + 1);
            for (int line : new int[] {validation.best(), validation.chosen()}) {
                if (line >= from && line < to) {
                    int near = Math.max(from, line - NEIGHBOURS);
                    shown.set(Math.min(near, shown.nextSetBit(from)), Math.min(to, line + NEIGHBOURS + 1));
                    shown.set(shown.nextSetBit(from), shown.previousSetBit(to - 1) + 1);
                }
            }
            from = to;
        }
        return shown;
    }

    /** λ + λ₁, which makes penalties with different shares of l1 comparable. */
    static double strength(Line line) {
        return line.lambda() + line.l1();
    }

    /** The last line, on the way from one end to the other, whose loss is still nearly that of the end. */
    private static int end(List<Line> lines, int from, int to, double little) {
        int step = to > from ? 1 : -1;
        int line = from;
        while (line != to
                && Math.abs(lines.get(line + step).loss().mean()
                                - lines.get(from).loss().mean())
                        <= little) {
            line += step;
        }
        return line;
    }
}
