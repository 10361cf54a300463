package dev.starling.peer.cohort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/** People with identities and numbers in columns, whom a test may change. */
final class People {

    private final List<Long> ids = new ArrayList<>();
    private final List<String> columns = new ArrayList<>();
    private final List<double[]> cells = new ArrayList<>();
    private int[] parts;
    private boolean identified = true;

    /** This many people, with numbers 0, 1, …, and random cells that are the same for the same number. */
    static People of(int first, int count, String... names) {
        People people = new People();
        for (int k = 0; k < count; k++) {
            people.ids.add((long) first + k);
        }
        people.parts = new int[count];
        for (String name : names) {
            people.with(name, k -> new Random(31L * (first + k) + name.hashCode()).nextGaussian());
        }
        return people;
    }

    /** Adds a column. */
    People with(String name, IntToDoubleFunction cell) {
        double[] column = new double[ids.size()];
        Arrays.setAll(column, cell);
        columns.add(name);
        cells.add(column);
        return this;
    }

    /** Adds something to the first cells of a column. */
    People corrected(String name, int from, int count) {
        double[] column = cells.get(columns.indexOf(name));
        for (int k = from; k < from + count; k++) {
            column[k] += 1;
        }
        return this;
    }

    /** Puts rows into folds, or holds them out. */
    People inParts(IntToDoubleFunction part) {
        Arrays.setAll(parts, k -> (int) part.applyAsDouble(k));
        return this;
    }

    /** Only some of these people. */
    People only(int from, int to) {
        People some = new People();
        some.ids.addAll(ids.subList(from, to));
        some.columns.addAll(columns);
        cells.forEach(column -> some.cells.add(Arrays.copyOfRange(column, from, to)));
        some.parts = Arrays.copyOfRange(parts, from, to);
        some.identified = identified;
        return some;
    }

    /** These people and others. */
    People and(People others) {
        People all = new People();
        all.ids.addAll(ids);
        all.ids.addAll(others.ids);
        all.columns.addAll(columns);
        for (int c = 0; c < cells.size(); c++) {
            double[] joined = Arrays.copyOf(cells.get(c), all.ids.size());
            System.arraycopy(others.cells.get(c), 0, joined, ids.size(), others.ids.size());
            all.cells.add(joined);
        }
        all.parts = Arrays.copyOf(parts, all.ids.size());
        System.arraycopy(others.parts, 0, all.parts, parts.length, others.parts.length);
        all.identified = identified;
        return all;
    }

    /** The same rows, of which nobody knows whose they are. */
    People nameless() {
        People same = only(0, ids.size());
        same.identified = false;
        return same;
    }

    /** The same rows under other identities. */
    People renamed() {
        People same = only(0, ids.size());
        same.ids.replaceAll(id -> id + 1_000_000);
        return same;
    }

    /** As a register sees them. */
    Cells cells() {
        long[] known = ids.stream().mapToLong(Long::longValue).toArray();
        return new Cells(identified ? known : new long[0], parts.clone(), List.of(), columns, (first, count) -> {
            long[][] block = new long[count][];
            for (int c = 0; c < count; c++) {
                block[c] = Arrays.stream(cells.get(first + c))
                        .mapToLong(Double::doubleToLongBits)
                        .toArray();
            }
            return block;
        });
    }
}
