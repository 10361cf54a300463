package dev.starling.peer.sums;

import dev.starling.node.HiddenSum;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A book that compares what is entered with what a ledger says has left the site. */
public final class LedgerComparison implements SumBook {

    /**
     * A sum that was computed again.
     *
     * @param line what it would have been entered as
     * @param difference how what has left the site differs; empty if it does not
     */
    public record Compared(LedgerLine line, String difference) {

        /** Whether it is what has left the site. */
        public boolean isSame() {
            return difference.isEmpty();
        }
    }

    private final Map<Long, LedgerLine> left = new HashMap<>();
    private final byte[] key;
    private final List<Compared> compared = new ArrayList<>();

    /**
     * Compares with a ledger.
     *
     * @param key the ledger's, of its run
     */
    public LedgerComparison(List<LedgerLine> lines, byte[] key) {
        lines.stream().filter(line -> line.sum() > 0).forEach(line -> left.put(line.sum(), line));
        this.key = key;
    }

    @Override
    public void record(long number, byte[] question, SumRequest request, double[] words) {
        LedgerLine line = left.remove(number);
        String asked = HexFormat.of().formatHex(question);
        LedgerLine again = LedgerLine.ofSum(
                line == null ? 0 : line.number(), number, request, asked, SumLedger.digest(key, question, words));
        compared.add(new Compared(
                again, line == null ? "it has not left the site" : difference(line, again, question, words)));
    }

    private String difference(LedgerLine line, LedgerLine again, byte[] question, double[] words) {
        for (String field : List.of("kind", "problem", "stride", "rows", "numbers")) {
            String before = line.fields().get(field);
            if (!again.fields().get(field).equals(before)) {
                return field + " was " + before + ", and is " + again.fields().get(field);
            }
        }
        if (!line.question().equals(again.question())) {
            return "it was asked for at another point, or after other totals";
        }
        // Whether the site wished to stop is not a matter of its rows, and is not kept.
        boolean same = line.digest().equals(again.digest())
                || line.digest().equals(SumLedger.digest(key, question, wishingToStop(words)));
        return same ? "" : "the numbers were others";
    }

    private static double[] wishingToStop(double[] words) {
        double[] wishing = words.clone();
        SumWords.encode(1, wishing, SumWords.LIMBS * (HiddenSum.STOPS - 1));
        return wishing;
    }

    /** What was computed again, in its order. */
    public List<Compared> compared() {
        return List.copyOf(compared);
    }

    /** Sums of the ledger that were not computed again, in their order. */
    public List<LedgerLine> left() {
        return left.values().stream()
                .sorted((one, other) -> Long.compare(one.sum(), other.sum()))
                .toList();
    }
}
