package dev.starling.peer.sums;

import dev.starling.node.HiddenSum;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/** Totals that the root of the tree has made up, under its own signature. */
public final class SignedLie {

    private SignedLie() {}

    /**
     * Changes the first number of a total a little, and signs that.
     *
     * @param root the root's session
     * @param ledger the root's ledger, which has the question
     * @param sum the number of the sum
     * @param before the digest of all before it
     * @param message what the root would tell
     * @param sites how many sites there are
     */
    public static double[] of(SumSession root, Path ledger, long sum, byte[] before, double[] message, int sites) {
        LedgerLine line;
        try {
            line = SumLedger.read(ledger).stream()
                    .filter(one -> one.sum() == sum)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        double[] told = Arrays.copyOf(message, HiddenSum.HEAD + (int) line.count("numbers") + sites * Seals.LENGTH);
        told[HiddenSum.HEAD] *= 1 + 1e-14;
        SumHistory history = new SumHistory(before);
        history.add(HexFormat.of().parseHex(line.question()), told);
        double[] signature = Seals.entries(root.sign(sum, history.digest()));
        double[] lie = Arrays.copyOf(told, told.length + signature.length);
        System.arraycopy(signature, 0, lie, told.length, signature.length);
        return lie;
    }
}
