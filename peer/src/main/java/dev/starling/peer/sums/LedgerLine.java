package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.SumRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of a ledger: fields as {@code name=value}, separated by tabs, the chain last.
 *
 * @param fields all but the chain, in their order
 * @param chain digest of this line and all before it; empty if it is not known yet
 */
public record LedgerLine(Map<String, String> fields, String chain) {

    private static final String CHAIN = "chain";

    static LedgerLine ofSum(long line, long sum, SumRequest request, String question, String digest) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("line", Long.toString(line));
        fields.put("what", "sum");
        fields.put("sum", Long.toString(sum));
        fields.put("kind", request.kind());
        fields.put("problem", Integer.toString(request.problem()));
        fields.put("stride", Integer.toString(request.stride()));
        fields.put("rows", Long.toString(request.rows()));
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
                throw new InvalidInputException("'" + field + "' is no field of a ledger");
            }
            fields.put(field.substring(0, equals), field.substring(equals + 1));
        }
        String chain = fields.remove(CHAIN);
        if (chain == null) {
            throw new InvalidInputException("a line of a ledger without its chain");
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

    /** The line as it is written. */
    String with(String following) {
        return content() + "\t" + CHAIN + "=" + following;
    }

    /** The number of the line. */
    public long number() {
        return count("line");
    }

    /** The number of the sum; 0 if it is none. */
    public long sum() {
        return count("sum");
    }

    /** A field that is a whole number; 0 if it is not there. */
    long count(String field) {
        return Long.parseLong(fields.getOrDefault(field, "0"));
    }

    /** What it is about: "sum", or what a note is called. */
    public String what() {
        return fields.getOrDefault("what", "");
    }

    /** What a note says. */
    public String detail() {
        return fields.getOrDefault("detail", "");
    }

    /** The digest of what was asked for. */
    String question() {
        return fields.getOrDefault("question", "");
    }

    /** The keyed digest of what was answered. */
    String digest() {
        return fields.getOrDefault("addend", "");
    }
}
