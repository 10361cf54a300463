package dev.starling.peer.sums;

import dev.starling.node.HiddenSum;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Compares every addend that is recorded with what a ledger says has left the site. */
public final class LedgerComparison implements SumBook {

    /**
     * A sum that was recomputed.
     *
     * @param line the line that would have been recorded for it
     * @param difference how it differs from what has left the site; empty if it does not
     */
    public record Compared(LedgerLine line, String difference) {

        /** Whether it is the same as what has left the site. */
        public boolean isSame() {
            return difference.isEmpty();
        }
    }

    private final Map<Long, LedgerLine> remaining = new HashMap<>();
    private final byte[] key;
    private final List<Compared> compared = new ArrayList<>();

    /**
     * Creates a comparison with a ledger.
     *
     * @param key the ledger's key in its run
     */
    public LedgerComparison(List<LedgerLine> lines, byte[] key) {
        lines.stream().filter(line -> line.sum() > 0).forEach(line -> remaining.put(line.sum(), line));
        this.key = key;
    }

    @Override
    public void record(long number, byte[] question, SumRequest request, double[] words) {
        LedgerLine line = remaining.remove(number);
        String asked = HexFormat.of().formatHex(question);
        LedgerLine recomputed = LedgerLine.ofSum(
                line == null ? 0 : line.number(), number, request, asked, SumLedger.digest(key, question, words));
        compared.add(new Compared(
                recomputed, line == null ? "it has not left the site" : difference(line, recomputed, question, words)));
    }

    private String difference(LedgerLine line, LedgerLine recomputed, byte[] question, double[] words) {
        for (String field : List.of("kind", "tells", "problem", "stride", "rows", "numbers")) {
            String before = line.fields().get(field);
            if (!recomputed.fields().get(field).equals(before)) {
                return field + " was " + before + " and is now "
                        + recomputed.fields().get(field);
            }
        }
        if (!line.question().equals(recomputed.question())) {
            return "it was requested at another point, or after other totals";
        }
        // Whether the site wished to stop does not depend on its rows and is not kept, so both are accepted.
        boolean same = line.digest().equals(recomputed.digest())
                || line.digest().equals(SumLedger.digest(key, question, wishingToStop(words)));
        return same ? "" : "the numbers were different";
    }

    /** The words of the same addend, with the wish that the run ends. */
    static double[] wishingToStop(double[] words) {
        double[] wishing = words.clone();
        SumWords.encode(1, wishing, SumWords.LIMBS * (HiddenSum.STOPS - 1));
        return wishing;
    }

    /** The recomputed sums, in order. */
    public List<Compared> compared() {
        return List.copyOf(compared);
    }

    /** The sums of the ledger that were not recomputed, in order. */
    public List<LedgerLine> remaining() {
        return remaining.values().stream()
                .sorted((one, other) -> Long.compare(one.sum(), other.sum()))
                .toList();
    }
}
