package dev.starling.cli.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.support.RScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random problems of every kind, fitted by R and its packages (beside.R) and here. R's own stops leave seven to nine
 * digits of estimates, and fewer where it searches for a variance.
 */
class BesideRTest {

    private static final Pattern LINE = Pattern.compile("\"estimate\":(null|[-+0-9.eE]+),\"se\":(null|[-+0-9.eE]+)");

    /**
     * A kind of model.
     *
     * @param command glm or cox
     * @param y how the response is made
     * @param tolerance how many standard errors estimates may differ by, and which part of itself a standard error
     */
    private record Kind(String name, String command, String y, String formula, String options, double tolerance) {}

    private static final String FEATURES = " ~ x1 + x2 + factor(g)";

    private static final List<Kind> KINDS = List.of(
            glm("gaussian", "number", ""),
            glm("gaussian-weights", "number", "--weights-column w"),
            glm("logit", "binary", "--family binomial"),
            glm("probit", "binary", "--family binomial --link probit"),
            glm("cloglog", "binary", "--family binomial --link cloglog"),
            new Kind("counts-of-two", "glm", "two", "cbind(y, other)" + FEATURES, "--family binomial", 1e-5),
            new Kind("poisson", "glm", "count", "y" + FEATURES + " + offset(o)", "--family poisson", 1e-5),
            glm("quasi-poisson", "count", "--family quasi-poisson"),
            glm("gamma", "positive", "--family gamma"),
            glm("inverse-gaussian", "positive", "--family inverse-gaussian"),
            glm("negative-binomial-given", "count", "--family negative-binomial(2)"),
            new Kind("negative-binomial", "glm", "spread", "y" + FEATURES, "--family negative-binomial", 1e-4),
            glm("tweedie", "zero", "--family tweedie(1.5)"),
            new Kind("multinomial", "glm", "class", "y ~ x1 + x2", "--family multinomial", 1e-5),
            new Kind("ordinal", "glm", "class", "y ~ x1 + x2", "--family ordinal", 1e-5),
            new Kind("firth", "glm", "binary", "y ~ x1 + x2", "--family binomial --firth", 1e-5),
            new Kind("cox-efron", "cox", "time", "Surv(y, status) ~ x1 + x2 + factor(g)", "--ties efron", 1e-5),
            new Kind("cox-breslow", "cox", "time", "Surv(y, status) ~ x1 + x2", "--ties breslow", 1e-5),
            new Kind("cox-late", "cox", "time", "Surv(start, y, status) ~ x1 + x2 + strata(g)", "--ties efron", 1e-5),
            new Kind("mixed-gaussian", "glm", "clustered", "y ~ x1 + x2 + (1 | c)", "--digits 6", 1e-3),
            new Kind("mixed-poisson", "glm", "clustered-count", "y ~ x1 + (1 | c)", "--family poisson", 2e-2),
            glm("HC0", "count", "--family poisson --robust HC0"),
            glm("HC3", "positive", "--family gamma --robust HC3"),
            glm("clusters", "count", "--family poisson --cluster c"),
            new Kind("geepack", "glm", "count", "y ~ x1 + x2", "--family poisson --cluster c", 1e-5),
            new Kind("aliased", "glm", "count", "y ~ x1 + x2 + x3 + o", "--family poisson --drop-aliased", 1e-5),
            new Kind("separated", "glm", "separated", "y ~ x1 + x2", "--family binomial", 1e-5));

    private static Kind glm(String name, String y, String options) {
        return new Kind(name, "glm", y, "y" + FEATURES, options.isEmpty() ? "--digits 6" : options, 1e-5);
    }

    @TempDir
    private Path folder;

    @Test
    @Tag("thorough")
    void hundredsOfProblemsAreThoseOfR() throws IOException, InterruptedException {
        compare(12);
    }

    private void compare(int each) throws IOException, InterruptedException {
        List<String> list = new ArrayList<>(List.of("id\tkind\tformula"));
        for (Kind kind : KINDS) {
            for (int k = 0; k < each; k++) {
                String id = kind.name + "-" + k;
                Files.write(
                        folder.resolve(id + ".csv"),
                        rows(kind, new SplittableRandom(k * 7919L + kind.name.hashCode())));
                list.add(id + "\t" + kind.name + "\t" + kind.formula);
            }
        }
        Files.write(folder.resolve("problems.tsv"), list);
        RScript.run(BesideRTest.class, "beside.R", folder, 600);
        Map<String, List<String[]>> theirs = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve("fits.tsv"))) {
            String[] cells = line.split("\t", -1);
            theirs.computeIfAbsent(cells[0], id -> new ArrayList<>()).add(cells);
        }
        Map<String, double[]> worst = new LinkedHashMap<>();
        List<String> wrong = new ArrayList<>();
        for (Kind kind : KINDS) {
            worst.put(kind.name, new double[2]);
            for (int k = 0; k < each; k++) {
                String id = kind.name + "-" + k;
                check(id, kind, theirs.getOrDefault(id, List.of()), worst.get(kind.name), wrong);
            }
        }
        worst.forEach((kind, off) -> System.out.printf(
                Locale.ROOT,
                "BESIDE R: %-24s %d problems, estimates %.1e standard errors, errors %.1e%n",
                kind,
                each,
                off[0],
                off[1]));
        assertThat(wrong).isEmpty();
    }

    private void check(String id, Kind kind, List<String[]> theirs, double[] worst, List<String> wrong) {
        Cli ours = Cli.run(kind.command, folder.resolve(id + ".csv"), kind.formula, kind.options + " --json");
        if (kind.name.equals("separated")) {
            // R warns, and prints numbers all the same.
            boolean warned = !theirs.isEmpty() && theirs.get(0)[1].equals("warned");
            if (!warned || ours.code() != 2 || !ours.err().contains("there is no best model")) {
                wrong.add(id + ": code " + ours.code() + " " + ours.err());
            }
            return;
        }
        if (theirs.isEmpty() || theirs.get(0)[1].equals("failed")) {
            wrong.add(id + ": R " + (theirs.isEmpty() ? "said nothing" : theirs.get(0)[2]));
            return;
        }
        if (ours.code() != 0) {
            boolean separated =
                    ours.err().contains("no best model") || ours.err().contains("no estimate exists");
            if (!separated || !theirs.get(0)[3].equals("warned")) {
                wrong.add(id + ": " + ours.err());
            }
            return;
        }
        Matcher line = LINE.matcher(ours.out());
        for (String[] their : theirs) {
            if (!line.find()) {
                wrong.add(id + ": too few coefficients");
                return;
            }
            if (their[1].equals("NA") || line.group(1).equals("null")) {
                if (!their[1].equals("NA") || !line.group(1).equals("null")) {
                    wrong.add(id + ": " + their[1] + " and " + line.group(1));
                }
                continue;
            }
            double estimate = Double.parseDouble(their[1]);
            double error = Double.parseDouble(their[2]);
            double off = Math.abs(Double.parseDouble(line.group(1)) - estimate) / error;
            double ofError = Math.abs(Double.parseDouble(line.group(2)) / error - 1);
            worst[0] = Math.max(worst[0], off);
            worst[1] = Math.max(worst[1], ofError);
            if (!(off <= kind.tolerance && ofError <= kind.tolerance) && !their[3].equals("warned")) {
                wrong.add(id + ": " + line.group() + " and " + their[1] + ", " + their[2]);
            }
        }
    }

    private static List<String> rows(Kind kind, SplittableRandom random) {
        List<String> lines = new ArrayList<>(List.of("y,other,x1,x2,x3,g,w,o,c,status,start"));
        int n = 60 + random.nextInt(60);
        double[] intercepts = new double[12];
        for (int c = 0; c < intercepts.length; c++) {
            intercepts[c] = 0.8 * normal(random);
        }
        for (int i = 0; i < n; i++) {
            double x1 = Math.rint(100 * normal(random)) / 100;
            double x2 = random.nextInt(5);
            int g = 1 + random.nextInt(3);
            double o = Math.rint(100 * random.nextDouble(-0.5, 0.5)) / 100;
            double score = 0.4 + 0.3 * x1 - 0.15 * x2 + 0.2 * (g == 2 ? 1 : 0);
            int c = random.nextInt(12);
            double other = 0;
            double y;
            switch (kind.y) {
                case "number" -> y = score + normal(random);
                case "binary" -> y = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
                case "two" -> {
                    int trials = 1 + random.nextInt(9);
                    y = 0;
                    for (int t = 0; t < trials; t++) {
                        y += random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
                    }
                    other = trials - y;
                }
                case "spread" -> y = poisson(Math.exp(1 + score) * -Math.log(random.nextDouble()), random);
                case "positive" -> y = Math.exp(score + 0.4 * normal(random));
                case "zero" -> y = random.nextInt(4) == 0 ? 0 : Math.exp(score + 0.4 * normal(random));
                case "class" -> y = Math.max(0, Math.min(2, Math.rint(1 + score + normal(random))));
                case "time" -> y = 1 + Math.floor(-Math.log(random.nextDouble()) * 12 * Math.exp(-score));
                case "clustered" -> y = score + intercepts[c] + normal(random);
                case "clustered-count" -> y = poisson(Math.exp(score + intercepts[c]), random);
                case "separated" -> y = x1 > 0.2 ? 1 : 0;
                default -> y = poisson(Math.exp(score + o), random);
            }
            double start = Math.floor(y * random.nextDouble() / 2);
            lines.add(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%s,%s,%d,%s,%s,c%d,%d,%s",
                    y,
                    other,
                    x1,
                    x2,
                    x1 + x2,
                    g,
                    1 + random.nextInt(3) / 2.0,
                    o,
                    c,
                    random.nextInt(4) == 0 ? 0 : 1,
                    start));
        }
        return lines;
    }

    private static double poisson(double mean, SplittableRandom random) {
        int count = 0;
        for (double product = random.nextDouble(); product > Math.exp(-mean); product *= random.nextDouble()) {
            count++;
        }
        return count;
    }

    private static double normal(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
