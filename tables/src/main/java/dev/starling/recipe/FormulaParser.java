package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.recipe.Formula.Factor;
import dev.starling.recipe.Formula.Function;
import dev.starling.recipe.Formula.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses formulas; an error message says at which character parsing failed. */
final class FormulaParser {

    private static final List<String> FUNCTIONS = List.of("log", "sqrt", "exp", "I");
    private static final int LARGEST_POWER = 9;

    private final String text;
    private int at;
    private boolean intercept = true;
    private final List<Term> added = new ArrayList<>();
    private final List<Term> removed = new ArrayList<>();

    FormulaParser(String text) {
        this.text = text;
    }

    Formula formula() {
        String label = name("the column of the label");
        expect('~', "'~' after the column of the label");
        if (peek() != '-') {
            take('+');
            term(true);
        }
        while (!atEnd()) {
            if (take('+')) {
                term(true);
            } else if (take('-')) {
                term(false);
            } else {
                throw error("'+', '-', ':', '*' or the end");
            }
        }
        return new Formula(label, added, removed, intercept);
    }

    /** Parses products joined by stars, which stand for each of them and for all their products. */
    private void term(boolean add) {
        if (peek() == '0' || peek() == '1') {
            intercept = (peek() == '1') == add;
            at++;
            return;
        }
        if (peek() == '.' && !isNamePart(at + 1)) {
            at++;
            (add ? added : removed).add(Term.ALL_OTHERS);
            return;
        }
        List<Term> terms = new ArrayList<>(List.of(product()));
        while (take('*')) {
            Term next = product();
            List<Term> all = new ArrayList<>(terms);
            all.add(next);
            terms.forEach(term -> all.add(term.times(next)));
            terms = all;
        }
        (add ? added : removed).addAll(terms);
    }

    private Term product() {
        Term term = new Term(List.of(factor()));
        while (take(':')) {
            term = term.times(new Term(List.of(factor())));
        }
        return term;
    }

    private Factor factor() {
        boolean quoted = peek() == '`';
        int start = at;
        String name = name("a column");
        if (quoted || peek() != '(') {
            return Factor.of(name);
        }
        if (name.equals("offset")) {
            at = start;
            throw problem("offset() is not a term; leave it out and name the column as the offset");
        }
        if (!FUNCTIONS.contains(name)) {
            at = start;
            throw problem("there is no function '" + name + "'; there are log, sqrt, exp, and powers such as I(x^2)");
        }
        expect('(', "'('");
        String column = name("a column");
        if (!name.equals("I")) {
            expect(')', "')'");
            return new Factor(column, Function.valueOf(name.toUpperCase(Locale.ROOT)), 1);
        }
        expect('^', "'^' and a whole power, as in I(x^2)");
        int power = peek() - '0';
        if (power < 1 || power > LARGEST_POWER) {
            throw error("a power from 1 to " + LARGEST_POWER);
        }
        at++;
        expect(')', "')'");
        return power == 1 ? Factor.of(column) : new Factor(column, Function.POWER, power);
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
        if (position >= text.length()) {
            return false;
        }
        char c = text.charAt(position);
        return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    /** The next character that is not blank; 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
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
        String found = atEnd() ? "the end" : "'" + text.charAt(at) + "'";
        return problem("expected " + expected + ", but found " + found);
    }

    private InvalidInputException problem(String problem) {
        return new InvalidInputException("formula '" + text + "', character " + (at + 1) + ": " + problem);
    }
}
