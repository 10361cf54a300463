package dev.starling.cli.make;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * An invented census: a table with numbers, categories, missing values ({@code ?}) and the label {@code >50K}, modelled
 * on the well-known "adult" data. The label depends, with noise, on all other columns.
 */
final class CensusTable {

    /** A category, how often it is drawn, and what it adds to the log-odds of earning more. */
    private record Level(String name, double share, double effect) {}

    private static final List<Level> WORK = List.of(
            new Level("Private", 0.70, 0),
            new Level("Self-employed", 0.12, 0.3),
            new Level("Government", 0.14, 0.4),
            new Level("Without-pay", 0.04, -2));
    private static final List<Level> EDUCATION = List.of(
            new Level("School", 0.15, -1.5),
            new Level("High-school", 0.45, -0.5),
            new Level("Bachelors", 0.25, 0.7),
            new Level("Masters", 0.11, 1.2),
            new Level("Doctorate", 0.04, 1.9));
    private static final List<Level> STATUS = List.of(
            new Level("Married", 0.47, 1.2), new Level("Never-married", 0.33, -1), new Level("Divorced", 0.20, -0.6));
    private static final List<Level> OCCUPATION = List.of(
            new Level("Craft-repair", 0.18, 0),
            new Level("Sales", 0.16, 0.2),
            new Level("Exec, managerial", 0.18, 0.9),
            new Level("Clerical", 0.20, -0.1),
            new Level("Service", 0.20, -0.9),
            new Level("Farming", 0.08, -0.8));
    private static final List<Level> SEX = List.of(new Level("Female", 0.48, -0.3), new Level("Male", 0.52, 0.1));
    private static final double UNKNOWN_WORK = 0.03;
    private static final double UNKNOWN_HOURS = 0.01;

    private final SplittableRandom random;

    CensusTable(long seed) {
        this.random = new SplittableRandom(seed);
    }

    void write(int rows, Writer out) throws IOException {
        out.write("age,workclass,education,marital-status,occupation,sex,hours-per-week,income\n");
        for (int i = 0; i < rows; i++) {
            out.write(row());
        }
    }

    private String row() {
        int age = 17 + (int) (60 * Math.sqrt(random.nextDouble()) * random.nextDouble());
        int hours = Math.max(5, Math.min(80, (int) Math.round(40 + 10 * gauss())));
        Level work = drawn(WORK);
        Level education = drawn(EDUCATION);
        Level status = drawn(STATUS);
        Level occupation = drawn(OCCUPATION);
        Level sex = drawn(SEX);
        double odds = -2.0
                + 0.04 * (age - 38)
                + 0.03 * (hours - 40)
                + work.effect
                + education.effect
                + status.effect
                + occupation.effect
                + sex.effect;
        boolean rich = random.nextDouble() < 1 / (1 + StrictMath.exp(-odds));
        boolean unknown = random.nextDouble() < UNKNOWN_WORK;
        return String.format(
                Locale.US,
                "%d,%s,%s,%s,%s,%s,%s,%s\n",
                age,
                unknown ? "?" : work.name,
                education.name,
                status.name,
                unknown ? "?" : quoted(occupation.name),
                sex.name,
                random.nextDouble() < UNKNOWN_HOURS ? "?" : Integer.toString(hours),
                rich ? ">50K" : "<=50K");
    }

    private static String quoted(String cell) {
        return cell.indexOf(',') < 0 ? cell : '"' + cell + '"';
    }

    /** Roughly normal with mean 0 and standard deviation 1, and the same on every machine. */
    private double gauss() {
        double sum = -6;
        for (int i = 0; i < 12; i++) {
            sum += random.nextDouble();
        }
        return sum;
    }

    private Level drawn(List<Level> levels) {
        double left = random.nextDouble();
        for (Level level : levels) {
            left -= level.share;
            if (left < 0) {
                return level;
            }
        }
        return levels.get(levels.size() - 1);
    }
}
