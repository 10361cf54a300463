package dev.starling.statistics;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.loss.Cox;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.settings.Curves;
import dev.starling.settings.Setting;
import dev.starling.support.Stored;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Survival curves by agreed intervals, beside R's {@code survfit} and {@code survdiff} of times rounded up to their
 * ends.
 */
class IntervalCurvesTest {

    private static final Curves CUTS = Curves.named("100,200,300,450,700 by sex");

    /** Of sex=1, then of sex=2. */
    private static final double[][] SURVIVAL = {
        {0.850393700787402, 0.637795275590551, 0.467716535433071, 0.305032523108524, 0.109811708319069},
        {0.918604651162791, 0.824388789505069, 0.710242649419751, 0.490405638885066, 0.334367481058000}
    };

    private static final double[][] LOWER = {
        {0.7905680954978787, 0.5594496781644626, 0.3870855407147072, 0.2297455595191226, 0.0605941519378706},
        {0.8625936410642381, 0.7474981656266697, 0.6186005797963599, 0.3837954579947117, 0.2295180379397497}
    };

    private static final double LOG_RANK = 14.1751368504312;

    private static void compare(SurvivalCurves found) {
        assertThat(found.curves()).hasSize(2);
        for (int group = 0; group < 2; group++) {
            SurvivalCurves.Curve curve = found.curves().get(group);
            assertThat(curve.times()).containsExactly(100, 200, 300, 450, 700);
            assertThat(curve.survival()).containsExactly(SURVIVAL[group], offset(1e-14));
            assertThat(curve.lower()).containsExactly(LOWER[group], offset(1e-12));
        }
        assertThat(found.curves().get(0).atRisk()).containsExactly(127, 108, 75, 46, 25);
        assertThat(found.curves().get(1).events()).containsExactly(7, 8, 9, 13, 7);
        assertThat(found.logRank().orElseThrow().test().statistic()).isCloseTo(LOG_RANK, offset(1e-11));
    }

    @Test
    void rowsOfOneMachineHaveTheValuesOfR() {
        Golden golden = Golden.read("lung-cox-efron-site");
        Dataset rows = golden.rows();
        Survival survival = golden.survival();
        Survival pooled = new Survival(survival.start(), survival.stop(), survival.events(), new int[rows.rows()]);
        int[] groups = IntStream.range(0, rows.rows())
                .map(i -> (int) Stored.value(rows, i, 1) - 1)
                .toArray();

        compare(SurvivalCurves.of(IntervalCurves.of(pooled, CUTS), groups, List.of("1", "2"), 0.95));
    }

    /** The same rows with sex as 0 and 1, and labels that are times. */
    private static Dataset labelled(Golden golden) {
        Dataset rows = golden.rows();
        Survival survival = golden.survival();
        Dataset moved = rows.changed((column, value) -> column == 1 ? value - 1 : value);
        double[] labels = IntStream.range(0, rows.rows())
                .mapToDouble(i -> survival.events()[i] ? survival.stop()[i] : -survival.stop()[i])
                .toArray();
        return Dataset.dense(rows.features(), Stored.values(moved), labels).withNames(rows.names());
    }

    private static Trainer trainer(int nodes, Curves curves) {
        return Trainer.of(new Cox())
                .lambda(0)
                .gap(1e-9)
                .nodes(nodes)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .with(Setting.CURVES, curves);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void countsOfNodesHaveTheSameValues(int nodes) {
        Golden golden = Golden.read("lung-cox-efron-site");

        LinearModel model =
                trainer(nodes, CUTS).fit(labelled(golden), golden.sites()).model();

        compare(IntervalCurves.of(model, 0.95));
        assertThat(IntervalCurves.of(model, 0.95).curves())
                .extracting(SurvivalCurves.Curve::group)
                .containsExactly("other sex", "sex");
    }

    @Test
    void refusalsNameTheSettingAndARemedy() {
        Golden golden = Golden.read("lung-cox-efron-site");
        Dataset rows = labelled(golden);

        assertThatRefused(() -> Curves.named("300,200"))
                .hasMessageContaining("ascending order, for example 90,180,365");
        assertThatRefused(() -> trainer(3, Curves.named("100 by age")).fit(rows, golden.sites()))
                .hasMessageContaining("curves by 'age', which is a number");
        assertThatRefused(() -> trainer(3, Curves.named("100 by six")).fit(rows, golden.sites()))
                .hasMessageContaining("curves: unknown column 'six'");
        assertThatRefused(() -> Trainer.of(new Squared())
                        .lambda(0)
                        .with(Setting.CURVES, Curves.named("100"))
                        .fit(rows))
                .hasMessageContaining("curves 100.0 goes with times to an event");
        assertThatRefused(() -> IntervalCurves.of(
                        trainer(3, Curves.NONE).fit(rows, golden.sites()).model(), 0.95))
                .hasMessageContaining("the model has no survival curves");
    }
}
