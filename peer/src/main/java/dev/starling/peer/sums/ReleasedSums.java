package dev.starling.peer.sums;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sums of one kind that a ledger records.
 *
 * @param kind what was added up
 * @param sums how many there were
 * @param numbers how many numbers they held altogether
 * @param fewestRows the smallest number of the site's rows that one of them covered
 */
public record ReleasedSums(String kind, int sums, long numbers, long fewestRows) {

    /** Groups all sums among the lines of a ledger by kind, in the order in which the kinds first occur. */
    public static List<ReleasedSums> of(Collection<LedgerLine> lines) {
        Map<String, ReleasedSums> kinds = new LinkedHashMap<>();
        lines.stream()
                .filter(line -> line.sum() > 0)
                .map(line -> new ReleasedSums(line.fields().get("kind"), 1, line.count("numbers"), line.count("rows")))
                .forEach(one -> kinds.merge(one.kind, one, ReleasedSums::plus));
        return List.copyOf(kinds.values());
    }

    private ReleasedSums plus(ReleasedSums other) {
        return new ReleasedSums(
                kind, sums + other.sums, numbers + other.numbers, Math.min(fewestRows, other.fewestRows));
    }
}
