package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.recipe.Factor.Function;
import dev.starling.recipe.Formula.Expression;
import dev.starling.table.CellParsing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parses formulas; an error message says at which character parsing failed. */
final class FormulaParser {

    private static final int LARGEST_POWER = 9;
    private static final Pattern QUOTED = Pattern.compile("`[^`]*`");
    private static final String SIGNS = "'+', '-', ':', '*', '^' or the end";

    private final String text;
    private int at;
    private String word = "";
    private boolean intercept = true;
    private final List<Factor> offsets = new ArrayList<>();
    private final List<String> strata = new ArrayList<>();
    private final List<String> clusters = new ArrayList<>();
    private final List<Formula.Open> open = new ArrayList<>();

    FormulaParser(String text) {
        this.text = text;
    }

    Formula formula() {
        at = QUOTED.matcher(text)
                .replaceAll(quoted -> "_".repeat(quoted.group().length()))
                .indexOf('|');
        if (at >= 0) {
            throw problem(
                    "random intercepts are written (1 | patient) for glm, with the rows of one machine; between sites,"
                            + " write cluster(patient) and give standard-errors random-intercept");
        }
        at = 0;
        Factor response;
        Optional<String> failures = Optional.empty();
        Optional<String> status = Optional.empty();
        Optional<String> entry = Optional.empty();
        String what = "the column of the label";
        int start = at;
        boolean quoted = peek() == '`';
        String name = name(what);
        if (!quoted && name.equals("cbind") && peek() == '(') {
            at++;
            response = Factor.of(name("the column of successes"));
            expect(',', "',' and the column of failures");
            failures = Optional.of(name("the column of failures"));
            expect(')', "')'");
        } else if (!quoted && name.equals("Surv") && peek() == '(') {
            at++;
            response = Factor.of(name("the column of times"));
            expect(',', "',' and the column that says whether the event was seen");
            status = Optional.of(name("the column that says whether the event was seen"));
            if (take(',')) {
                entry = Optional.of(response.column());
                response = Factor.of(status.get());
                status = Optional.of(name("the column that says whether the event was seen"));
            }
            expect(')', "')'");
        } else {
            at = start;
            response = factor(what);
            if (!response.function().isSingle() || response.function() == Function.SCALE) {
                at = start;
                throw problem(response + " cannot be predicted; a column, its log, sqrt or exp, or a power such as"
                        + " I(y^2) can");
            }
        }
        expect('~', "'~' after " + what);
        Expression right = sum(true);
        if (!atEnd()) {
            throw error(SIGNS);
        }
        return new Formula(text, response, failures, status, entry, strata, clusters, right, offsets, intercept, open);
    }

    /**
     * Parses terms that are added and removed.
     *
     * @param outermost whether this is the whole right side, which may have an intercept and offsets
     */
    private Expression sum(boolean outermost) {
        List<Expression> added = new ArrayList<>();
        List<Expression> removed = new ArrayList<>();
        boolean first = true;
        while (first || peek() == '+' || peek() == '-') {
            boolean add = !take('-');
            if (add && !take('+') && !first) {
                throw error(SIGNS);
            }
            if (outermost && (peek() == '0' || peek() == '1')) {
                intercept = (peek() == '1') == add;
                at++;
            } else if (!(outermost && add && (offset() || columns("strata", strata) || columns("cluster", clusters)))) {
                (add ? added : removed).add(star());
            }
            first = false;
        }
        return new Expression.Sum(added, removed);
    }

    /** Parses the name of a function and the parenthesis after it, if they are next. */
    private boolean opens(String function) {
        peek();
        int start = at;
        if (!text.startsWith(function, at) || isNamePart(at + function.length())) {
            return false;
        }
        at += function.length();
        if (!take('(')) {
            at = start;
            return false;
        }
        return true;
    }

    /** Parses the columns whose cells together name a row's stratum, or its cluster, if they are next. */
    private boolean columns(String function, List<String> names) {
        if (!opens(function)) {
            return false;
        }
        do {
            names.add(name("a column"));
        } while (take(','));
        expect(')', "')'");
        return true;
    }

    /** Parses an offset, if there is one. */
    private boolean offset() {
        int start = at;
        if (!opens("offset")) {
            return false;
        }
        Factor factor = factor("a column");
        if (!factor.function().isSingle()) {
            at = start;
            throw problem("offset(" + factor + ") is not a number; a column, its log, sqrt or exp is");
        }
        offsets.add(factor);
        expect(')', "')'");
        return true;
    }

    /** Parses products joined by stars, which stand for each of them and for all their products. */
    private Expression star() {
        Expression left = product();
        while (take('*')) {
            left = new Expression.Product(left, product(), true);
        }
        return left;
    }

    private Expression product() {
        Expression left = power();
        while (true) {
            if (peek() == '%' && text.startsWith("%in%", at)) {
                at += "%in%".length();
            } else if (!take(':')) {
                return left;
            }
            left = new Expression.Product(left, power(), false);
        }
    }

    private Expression power() {
        Expression base = primary();
        Expression result = base;
        if (take('^')) {
            for (int k = exponent(); k > 1; k--) {
                result = new Expression.Product(result, base, true);
            }
        }
        return result;
    }

    private int exponent() {
        int power = peek() - '0';
        if (power < 1 || power > LARGEST_POWER || isNamePart(at + 1)) {
            throw error("a power from 1 to " + LARGEST_POWER);
        }
        at++;
        return power;
    }

    private Expression primary() {
        if (take('(')) {
            Expression inner = sum(false);
            expect(')', "'+', '-', ':', '*', '^' or ')'");
            return inner;
        }
        if (peek() == '.' && !isNamePart(at + 1)) {
            at++;
            return new Expression.AllOthers();
        }
        return new Expression.One(factor("a column"));
    }

    private Factor factor(String what) {
        boolean quoted = peek() == '`';
        int start = at;
        String name = name(what);
        if (quoted || peek() != '(') {
            return Factor.of(name);
        }
        if (name.equals("offset")) {
            at = start;
            throw problem("an offset can only be added, as in y ~ a + offset(b)");
        }
        Function function = Arrays.stream(Function.values())
                .filter(known -> known != Function.NONE && known.text().equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    at = start;
                    return problem("there is no function '" + name + "'; there are "
                            + Arrays.stream(Function.values())
                                    .filter(known -> known != Function.NONE && known != Function.POWER)
                                    .map(Function::text)
                                    .collect(Collectors.joining(", "))
                            + ", offset and powers such as I(x^2)");
                });
        expect('(', "'('");
        String column = name("a column");
        if (function == Function.POWER) {
            expect('^', "'^' and a whole power, as in I(x^2)");
            int power = exponent();
            expect(')', "')'");
            return power == 1
                    ? Factor.of(column)
                    : new Factor(column, function, Map.of("degree", List.of((double) power)));
        }
        Factor factor = new Factor(column, function, arguments(function));
        factor.complaint().ifPresent(complaint -> {
            at = start;
            throw problem(complaint);
        });
        if (factor.isOpen()) {
            open.add(new Formula.Open(factor, at));
        }
        if ("+-*/".indexOf(peek()) >= 0) {
            throw problem("expected ')', but found '" + peek() + "'; " + name
                    + " takes one column, so make a column of anything else beforehand");
        }
        expect(')', "')'");
        return factor;
    }

    private Map<String, List<Double>> arguments(Function function) {
        Map<String, List<Double>> arguments = new LinkedHashMap<>();
        while (take(',')) {
            peek();
            int start = at;
            int equals = at;
            while (isNamePart(equals)) {
                equals++;
            }
            String name = text.substring(at, equals);
            at = equals;
            if (name.isEmpty() || name.equals("c") || peek() != '=') {
                at = start;
                name = "";
            } else {
                at++;
            }
            if (!function.arguments().contains(name) || arguments.containsKey(name)) {
                at = start;
                String known = function.arguments().stream()
                        .filter(one -> !one.isEmpty() && !one.equals(Factor.LEARNT))
                        .collect(Collectors.joining(", "));
                throw problem(function.text() + "() takes "
                        + (known.isEmpty() ? "nothing but a column" : "a column and " + known + ", each once"));
            }
            List<Double> values = values();
            if (function != Function.SCALE || !word.equals("TRUE")) {
                // Without scaling, the scale is 1; without centring, the centre is 0.
                arguments.put(name, word.equals("FALSE") && name.equals("scale") ? List.of(1.0) : values);
            }
        }
        return arguments;
    }

    private List<Double> values() {
        if (peek() != 'c') {
            return List.of(number());
        }
        at++;
        expect('(', "'('");
        List<Double> values = new ArrayList<>();
        do {
            values.add(number());
        } while (take(','));
        expect(')', "')'");
        return values;
    }

    private double number() {
        peek();
        int start = at;
        boolean negative = take('-');
        int from = at;
        while (isNamePart(at) || (at > from && "+-".indexOf(charAt(at)) >= 0 && "eE".indexOf(charAt(at - 1)) >= 0)) {
            at++;
        }
        word = text.substring(from, at);
        double number = switch (word) {
            case "TRUE" -> 1;
            case "FALSE" -> 0;
            case "Inf" -> Double.POSITIVE_INFINITY;
            default -> CellParsing.number(word);
        };
        if (Double.isNaN(number)) {
            at = start;
            throw error("a number, TRUE, FALSE or c(…)");
        }
        return negative ? -number : number;
    }

    private char charAt(int position) {
        return position < text.length() ? text.charAt(position) : 0;
    }

    private String name(String what) {
        if (peek() == '`') {
            int end = text.indexOf('`', at + 1);
            if (end < 0) {
                throw problem("this backtick is not closed");
            }
            String name = text.substring(at + 1, end);
            at = end + 1;
            return name;
        }
        int start = at;
        peek();
        start = Math.max(start, at);
        while (isNamePart(at)) {
            at++;
        }
        if (at == start || Character.isDigit(text.charAt(start))) {
            at = start;
            throw error(what
                    + " (put names with characters other than letters, digits, dots and underscores in backticks)");
        }
        return text.substring(start, at);
    }

    private boolean isNamePart(int position) {
        char c = charAt(position);
        return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    /** The next character that is not blank; 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return charAt(at);
    }

    private boolean atEnd() {
        return peek() == 0;
    }

    private boolean take(char c) {
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char c, String what) {
        if (!take(c)) {
            throw error(what);
        }
    }

    private InvalidInputException error(String expected) {
        if (text.matches("[^`]*\\([^()`]*\\|[^()]*\\).*")) {
            return new InvalidInputException("formula '" + text
                    + "': a random intercept is fitted by glm, of all rows at" + " one machine; leave it out here");
        }
        String found = atEnd() ? "the end" : "'" + text.charAt(at) + "'";
        return problem("expected " + expected + ", but found " + found);
    }

    private InvalidInputException problem(String problem) {
        return new InvalidInputException("formula '" + text + "', character " + (at + 1) + ": " + problem);
    }
}
