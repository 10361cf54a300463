package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What any site of a run knows about all of them: the totals in its folder, and which sums they are of.
 *
 * @param line what the ledger says about the sum
 * @param totals the totals, with their head
 */
public record RunTotals(LedgerLine line, double[] totals) {

    /** Whether it is a pass over all rows, of the run's first problem. */
    public boolean isPass() {
        return (line.tells() == SumKind.HESSIAN || line.tells() == SumKind.GRADIENT)
                && line.count("stride") == 1
                && line.count("problem") == 0;
    }

    /** Whether it has a Hessian. */
    public boolean isCurved() {
        return line.tells() == SumKind.HESSIAN;
    }

    /**
     * Reads the totals of a run.
     *
     * @param folder the run's folder in a site's state
     */
    public static List<RunTotals> read(Path folder) throws IOException {
        Path ledger = folder.resolve("ledger");
        Path file = folder.resolve("totals");
        if (!Files.exists(ledger) || !Files.exists(file)) {
            throw new InvalidInputException(folder + " is not the folder of a run, which has 'ledger' and 'totals'");
        }
        Transcript.Content content = Transcript.read(file);
        int seals = content.facts().size() * Seals.LENGTH;
        List<RunTotals> sums = new ArrayList<>();
        int next = 0;
        for (LedgerLine line : SumLedger.read(ledger)) {
            int length = HiddenSum.HEAD + (int) line.count("numbers");
            while (line.sum() > 0 && next < content.results().size()) {
                double[] result = content.results().get(next++);
                int rest = result.length - length - seals;
                if (rest >= 0
                        && rest <= Seals.SIGNATURE_LENGTH
                        && result[1] == content.facts().size()) {
                    sums.add(new RunTotals(line, Arrays.copyOf(result, length)));
                    break;
                }
            }
        }
        return sums;
    }
}
