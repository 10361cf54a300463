package dev.starling;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Map;

/** What came of the runs of a loss and a method. */
final class Tally {
    private final String name;
    private int runs;
    private int certified;
    private int stalled;
    private double closest;

    Tally(String name) {
        this.name = name;
    }

    synchronized void add(Claim claim, BigDecimal excess) {
        runs++;
        certified += claim.fit().isCertified() ? 1 : 0;
        stalled += claim.fit().outcome() == Fit.Outcome.STALLED ? 1 : 0;
        if (claim.gap().signum() > 0) {
            closest = Math.max(
                    closest, excess.divide(claim.gap(), MathContext.DECIMAL64).doubleValue());
        }
    }

    /** How many runs of a method were certified, of all losses; of all methods for an empty name. */
    static int certified(Map<String, Tally> tallies, String method) {
        return tallies.values().stream()
                .filter(tally -> tally.name.contains(" | " + method))
                .mapToInt(tally -> tally.certified)
                .sum();
    }

    /** A line of a table. */
    String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %.6f |",
                name,
                runs,
                certified,
                stalled,
                runs - certified - stalled,
                closest);
    }
}
