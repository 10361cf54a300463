package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of a ledger: fields as {@code name=value}, separated by tabs, with the chain as the last field.
 *
 * @param fields all fields except the chain, in order
 * @param chain the digest of this line and all before it; empty if it is not known yet
 */
public record LedgerLine(Map<String, String> fields, String chain) {

    private static final String CHAIN = "chain";

    static LedgerLine ofSum(long line, long sum, SumRequest request, String question, String digest) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("line", Long.toString(line));
        fields.put("what", "sum");
        fields.put("sum", Long.toString(sum));
        fields.put("kind", request.name());
        fields.put("tells", request.kind().text());
        fields.put("problem", Integer.toString(request.problem()));
        fields.put("stride", Integer.toString(request.stride()));
        fields.put("rows", Long.toString(request.fewestRows()));
        fields.put("numbers", Integer.toString(request.numbers()));
        fields.put("question", question);
        fields.put("addend", digest);
        return new LedgerLine(fields, "");
    }

    static LedgerLine ofNote(long line, String what, String detail) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("line", Long.toString(line));
        fields.put("what", what);
        fields.put("detail", detail.replaceAll("[\\p{Cntrl}]", " "));
        return new LedgerLine(fields, "");
    }

    static LedgerLine parse(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : text.split("\t")) {
            int equals = field.indexOf('=');
            if (equals < 1) {
                throw new InvalidInputException("'" + field + "' is not a field of a ledger");
            }
            fields.put(field.substring(0, equals), field.substring(equals + 1));
        }
        String chain = fields.remove(CHAIN);
        if (chain == null) {
            throw new InvalidInputException("a line of a ledger has no chain");
        }
        return new LedgerLine(fields, chain);
    }

    /** Everything that the chain covers. */
    String content() {
        StringBuilder text = new StringBuilder();
        fields.forEach((name, value) ->
                text.append(text.isEmpty() ? "" : "\t").append(name).append('=').append(value));
        return text.toString();
    }

    /** Formats the line with its chain, as it is written. */
    String with(String following) {
        return content() + "\t" + CHAIN + "=" + following;
    }

    /** The number of the line. */
    public long number() {
        return count("line");
    }

    /** The number of the sum; 0 if the line is not about a sum. */
    public long sum() {
        return count("sum");
    }

    /** What the sum tells about rows; a kind that is not known is {@link SumKind#OTHER}. */
    public SumKind tells() {
        String text = fields.getOrDefault("tells", "");
        return Arrays.stream(SumKind.values())
                .filter(kind -> kind.text().equals(text))
                .findFirst()
                .orElse(SumKind.OTHER);
    }

    /** Whether the line is about a sum of a kind that is called by a name. */
    public boolean isOf(SumKind kind, String name) {
        return tells() == kind && name.equals(fields.get("kind"));
    }

    /** The smallest number of the site's rows that any number of the sum covers. */
    public long rows() {
        return count("rows");
    }

    /** The value of an integer field; 0 if it is absent. */
    long count(String field) {
        return Long.parseLong(fields.getOrDefault(field, "0"));
    }

    /** What the line is about: "sum", or the name of a note. */
    public String what() {
        return fields.getOrDefault("what", "");
    }

    /** The text of a note. */
    public String detail() {
        return fields.getOrDefault("detail", "");
    }

    /** The digest of the request. */
    String question() {
        return fields.getOrDefault("question", "");
    }

    /** The keyed digest of the addend. */
    String digest() {
        return fields.getOrDefault("addend", "");
    }
}
