package dev.starling.peer.sums;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sums of one kind that a ledger has.
 *
 * @param kind what was added up
 * @param sums how many there were
 * @param numbers how many numbers, all together
 * @param fewestRows rows of the site in the one that covered the fewest
 */
public record Released(String kind, int sums, long numbers, long fewestRows) {

    /** All sums among the lines of a ledger, by kind, in the order in which kinds were first asked for. */
    public static List<Released> of(Collection<LedgerLine> lines) {
        Map<String, Released> kinds = new LinkedHashMap<>();
        lines.stream()
                .filter(line -> line.sum() > 0)
                .map(line -> new Released(line.fields().get("kind"), 1, line.count("numbers"), line.count("rows")))
                .forEach(one -> kinds.merge(one.kind, one, Released::plus));
        return List.copyOf(kinds.values());
    }

    private Released plus(Released other) {
        return new Released(kind, sums + other.sums, numbers + other.numbers, Math.min(fewestRows, other.fewestRows));
    }
}
