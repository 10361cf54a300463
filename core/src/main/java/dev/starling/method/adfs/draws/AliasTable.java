package dev.starling.method.adfs.draws;

import java.util.function.IntToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Draws indices with given probabilities in constant time (Walker's alias method, in Vose's construction): a draw picks
 * a cell uniformly and takes either the cell's own index or its alias. Eight bytes per index.
 */
public final class AliasTable {

    /** For cell k: the alias in the low half and the threshold for keeping k, out of 2³², in the high half. */
    private final long[] cells;

    /** Creates a table for probabilities proportional to the weights, which must not all be zero. */
    public AliasTable(int n, IntToDoubleFunction weight) {
        double total = 0;
        for (int k = 0; k < n; k++) {
            total += weight.applyAsDouble(k);
        }
        cells = new long[n];
        double[] scaled = new double[n];
        int[] small = new int[n];
        int[] large = new int[n];
        int smalls = 0;
        int larges = 0;
        for (int k = 0; k < n; k++) {
            cells[k] = cell(1, k);
            scaled[k] = weight.applyAsDouble(k) * n / total;
            if (scaled[k] < 1) {
                small[smalls++] = k;
            } else {
                large[larges++] = k;
            }
        }
        while (smalls > 0 && larges > 0) {
            int poor = small[--smalls];
            int rich = large[larges - 1];
            cells[poor] = cell(scaled[poor], rich);
            scaled[rich] -= 1 - scaled[poor];
            if (scaled[rich] < 1) {
                larges--;
                small[smalls++] = rich;
            }
        }
    }

    private static long cell(double keep, int alias) {
        long threshold = Math.min(0xFFFFFFFFL, Math.max(0, (long) (keep * 0x1p32)));
        return threshold << 32 | alias;
    }

    /** Fills {@code into[0..count)} with independent draws. */
    public void draw(UniformRandomProvider random, int[] into, int count) {
        long n = cells.length;
        for (int i = 0; i < count; i++) {
            long bits = random.nextLong();
            int k = (int) (((bits >>> 32) * n) >>> 32);
            long cell = cells[k];
            into[i] = (bits & 0xFFFFFFFFL) < cell >>> 32 ? k : (int) cell;
        }
    }
}
