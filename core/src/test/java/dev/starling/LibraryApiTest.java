package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.evaluation.Evaluation;
import dev.starling.loss.Logistic;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a user of the library relies on. */
class LibraryApiTest {

    private static final Dataset ROWS = Generator.regression(60, 3).seed(4).generate();
    private static final Dataset NAMED = ROWS.withNames(List.of("age", "dose", "height"));

    @Test
    void namedColumnsGetAFreeInterceptByDefaultAndRowsWithoutNamesNone() {
        Trainer trainer = Trainer.of(new Squared()).nodes(2);

        assertThat(trainer.settingsFor(NAMED).intercept()).isTrue();
        assertThat(trainer.settingsFor(ROWS).intercept()).isFalse();
        assertThat(trainer.fit(NAMED).model().hash())
                .isEqualTo(trainer.intercept(true).fit(NAMED).model().hash());
        assertThat(trainer.intercept(false).settingsFor(NAMED).intercept()).isFalse();
        assertThat(trainer.bias(1).settingsFor(NAMED).intercept()).isFalse();
        assertThat(trainer.method("adfs").settingsFor(NAMED).intercept()).isFalse();
    }

    @Test
    void cIsLambdaTimesTheNumberOfRows() {
        assertThat(Trainer.of(new Logistic()).c(2).settingsFor(ROWS).lambda()).isEqualTo(1.0 / (2 * 60));
        assertThat(Trainer.of(new Squared()).c(2).settingsFor(ROWS).lambda()).isEqualTo(1.0 / (2 * 60 * 2));
        assertThatThrownBy(() -> Trainer.logistic().c(2).lambda(0.1).settingsFor(ROWS))
                .hasMessage("lambda 0.1 and c 2.0 both say how much to regularise; give one of them");
        assertThatThrownBy(() -> Trainer.logistic().c(0)).hasMessageStartingWith("c 0.0 must be positive");
    }

    @Test
    void predictsWholeDatasetsAndRowsByName() {
        LinearModel model = Trainer.of(new Squared()).fit(NAMED).model();
        double[] all = model.predict(NAMED);

        assertThat(all).hasSize(60);
        for (int i = 0; i < all.length; i++) {
            assertThat(all[i]).isEqualTo(model.predict(NAMED, i));
        }
        Map<String, Double> coefficients = model.coefficients();
        assertThat(coefficients.keySet()).containsExactly("age", "dose", "height");
        double byHand = model.intercept(0) + 2 * coefficients.get("age") - coefficients.get("height");
        assertThat(model.predict(Map.of("height", -1, "age", 2, "dose", 0))).isCloseTo(byHand, within(1e-12));
        assertThatThrownBy(() -> model.predict(Map.of("height", -1, "age", 2)))
                .hasMessageStartingWith("feature 'dose' is null; the model needs a number");
        assertThatThrownBy(() -> model.predict(Map.of("heigth", -1)))
                .hasMessageStartingWith("unknown feature 'heigth'; did you mean 'height'?");
        assertThatRefused(() -> model.predict(Generator.regression(5, 4).generate()))
                .hasMessage("the data has 4 features, the model 3; use data with at most that many");
    }

    @Test
    void whatAModelHandsOutCannotChangeIt() {
        LinearModel model = Trainer.of(new Squared()).fit(ROWS).model();
        String hash = model.hash();
        model.weights(0)[0] = 7;

        assertThat(model.hash()).isEqualTo(hash);
        assertThatThrownBy(() -> model.coefficients().put("feature 1", 7.0))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void whatAModelIsMadeFromCannotChangeItLater() {
        double[][] weights = {{1, 2}};
        double[] intercepts = {3};
        List<String> names = new ArrayList<>(List.of("a", "b"));
        LinearModel model = new LinearModel("squared", List.of(), names, weights, intercepts, Provenance.UNKNOWN);
        String hash = model.hash();
        weights[0][1] = 7;
        intercepts[0] = 7;
        names.set(0, "c");

        assertThat(model.hash()).isEqualTo(hash);
        assertThat(model.coefficients()).containsOnlyKeys("a", "b").containsEntry("b", 2.0);
        assertThat(model.intercept(0)).isEqualTo(3);
    }

    @Test
    void measuresArePrintedInALine() {
        LinearModel model = Trainer.of(new Squared()).fit(ROWS).model();

        assertThat(Evaluation.of(model, ROWS).toString()).matches("60 rows, .*rmse [0-9.e-]+.*");
    }

    @Test
    void everySettingHasALineOfHelpAndADefaultThatReadsBack() {
        for (Setting<?> setting : Setting.all()) {
            assertThat(setting.help()).as(setting.name()).isNotBlank();
            assertThat(setting.parse(setting.usualText())).as(setting.name()).isEqualTo(setting.usual());
            assertThat(Setting.named(setting.name())).isSameAs(setting);
        }
    }
}
