package dev.starling.cli.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.cli.Cli;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.model.Differences;
import dev.starling.model.StandardErrors;
import dev.starling.settings.Curves;
import dev.starling.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands print of a model file that several sites made. */
class ModelsOfSitesTest {

    private static final int ROWS = 240;

    @TempDir
    private Path folder;

    private final double[][] features = new double[ROWS][];
    private final double[] times = new double[ROWS];
    private final double[] counts = new double[ROWS];
    private final long[] sites = new long[ROWS];
    private final long[] patients = new long[ROWS];
    private final List<String> lines = new ArrayList<>(List.of("time,seen,visits,drug,age,site,patient"));

    ModelsOfSitesTest() {
        Random random = new Random(11);
        for (int i = 0; i < ROWS; i++) {
            features[i] = new double[] {random.nextInt(2), 40 + random.nextInt(40)};
            sites[i] = i % 3;
            patients[i] = i % 24;
            double time = 1 + random.nextInt(9);
            boolean seen = random.nextInt(4) > 0;
            times[i] = seen ? time : -time;
            counts[i] = random.nextInt((int) (3 + features[i][0] + patients[i] % 5));
            lines.add(String.join(
                    ",",
                    "" + time,
                    seen ? "1" : "0",
                    "" + counts[i],
                    "" + features[i][0],
                    "" + features[i][1],
                    "" + sites[i],
                    "" + patients[i]));
        }
    }

    private Path rows() {
        return Cli.file(folder, "rows.csv", lines.toArray(String[]::new));
    }

    private static Trainer trainer(String loss) {
        return Trainer.of(Losses.named(loss))
                .lambda(0)
                .gap(1e-9)
                .nodes(3)
                .intercept(!loss.equals("cox"))
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL);
    }

    private Path saved(Trainer trainer, double[] labels, long[] keys) {
        Path model = folder.resolve("model.json");
        Dataset data = Dataset.of(features, labels).withNames(List.of("drug", "age"));
        trainer.fit(data, keys).model().save(model);
        return model;
    }

    @Test
    void survivalCurvesByIntervalsAreThoseOfAllRows() throws IOException {
        Path model = saved(trainer("cox").with(Setting.CURVES, Curves.named("2,4,6,8 by drug")), times, sites);
        Path here = folder.resolve("here.csv");
        Path there = folder.resolve("there.csv");

        Cli ofSites = Cli.run("survival", model, "--json --curves " + there);
        Cli alone = Cli.run("survival", rows(), "Surv(time,seen)~drug", "--intervals 2,4,6,8 --json --curves " + here);

        assertThat(ofSites.code()).as(ofSites.err()).isZero();
        assertThat(ofSites.number("statistic")).isCloseTo(alone.number("statistic"), within(1e-9));
        assertThat(ofSites.number("median")).isEqualTo(alone.number("median"));
        List<String> expected = Files.readAllLines(here);
        List<String> found = Files.readAllLines(there);
        assertThat(found).hasSameSizeAs(expected).hasSizeGreaterThan(6);
        for (int k = 1; k < found.size(); k++) {
            assertThat(found.get(k).substring(found.get(k).indexOf(',')))
                    .isEqualTo(expected.get(k).substring(expected.get(k).indexOf(',')));
        }
        assertThat(Cli.run("survival", model).out()).contains("log-rank");
        assertThat(Cli.run("survival", model, "--intervals 2").err())
                .contains("needs rows")
                .hasLineCount(1);
        assertThat(Cli.run("survival", saved(trainer("cox"), times, sites)).err())
                .contains("curves")
                .hasLineCount(1);
    }

    @Test
    void thePageDrawsTheEstimatesOfEverySiteThatShowsThem() throws IOException {
        Path model = saved(trainer("poisson").with(Setting.HETEROGENEITY, Differences.named("by-site")), counts, sites);
        Path page = folder.resolve("page.html");

        Cli.ok("glm", model, "--page " + page);
        assertThat(Files.readString(page))
                .contains("\"by\":\"drug\"", "\"by\":\"age\"")
                .contains("\"feature\":\"site 1\"", "\"feature\":\"without site 3\"", "\"feature\":\"all sites\"");
        Cli.run("glm", saved(trainer("poisson"), counts, sites), "--page " + page);
        assertThat(Files.readString(page)).doesNotContain("\"by\":", "\"site 1\"");
    }

    @Test
    void randomInterceptsHaveTheTableOfAllRows() {
        Path model = saved(
                trainer("poisson").with(Setting.STANDARD_ERRORS, StandardErrors.RANDOM_INTERCEPT), counts, patients);

        Cli ofSites = Cli.run("glm", model, "--json");
        Cli alone = Cli.run("glm", rows(), "visits~drug+age+(1|patient)", "--family poisson --json");

        for (String name : List.of("estimate", "se", "p", "logLik", "aic", "bic", "deviation", "clusters")) {
            double expected = alone.number(name);
            assertThat(ofSites.number(name)).as(name).isCloseTo(expected, within(1e-9 * Math.abs(expected)));
        }
        assertThat(Cli.run("glm", model).out()).contains("24 clusters", "steps have converged");
        for (String command : List.of("predict", "evaluate")) {
            assertThat(Cli.run(command, model, rows()).err())
                    .as(command)
                    .contains("those of the fit without random intercepts; 'starling glm");
        }
        assertThat(Cli.run("show", model).err()).contains("those of the fit without random intercepts");
        Cli intervals = Cli.ended(2, "predict", model, rows(), "--interval 0.95");
        assertThat(intervals.err()).contains("has random intercepts, which intervals of predictions would leave out");
        assertThat(Cli.run("anova", model, model).err()).contains("which a comparison of deviances would leave out");
    }
}
