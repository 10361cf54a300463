package dev.starling.verify;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Hinge;
import dev.starling.loss.Softmax;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.support.Snippets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerifierTest {

    private final Dataset rows = rows();

    private static Dataset rows() {
        double[][] values = new double[60][2];
        double[] labels = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = new double[] {i % 7 - 3, (i * i) % 11 - 5};
            labels[i] = (values[i][0] + values[i][1] / 2 + (i % 3 - 1)) > 0 ? 1 : -1;
        }
        return Dataset.of(values, labels);
    }

    @Test
    void confirmsWhatTrainingProved() {
        Fit fit = Trainer.logistic().lambda(0.01).fit(rows);
        Verification found = Verifier.verify(fit.model(), rows);
        assertThat(found.holds()).as(found.model().reason()).isTrue();
        assertThat(found.problem().rows()).isEqualTo(60);
        assertThat(found.model().statedObjective()).isEqualTo(fit.objective());
        assertThat(found.model().verdict().gap())
                .isLessThanOrEqualTo(found.model().statedGap());
    }

    @Test
    void refutesAModelOfOtherRows() {
        LinearModel model = Trainer.logistic().lambda(0.01).fit(rows).model();
        double[] flipped = rows.labels().clone();
        flipped[0] = -flipped[0];
        Verification found = Verifier.verify(model, rows.withLabels(flipped));
        assertThat(found.model().verdict().outcome()).isEqualTo(Verdict.Outcome.FALSE);
        assertThat(found.holds()).isFalse();
    }

    @Test
    void leavesAClaimUnconfirmedThatNoPassMayProve() {
        LinearModel model =
                Trainer.of(new Hinge()).lambda(0.01).gap(1e-8).fit(rows).model();
        assertThat(Verifier.of(model).passes(0).verify(rows).holds()).isFalse();
        assertThat(Verifier.verify(model, rows).holds()).isTrue();
    }

    private static Dataset line(double error) {
        double[][] x = new double[30][1];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i][0] = i / 10.0;
            y[i] = 2 * x[i][0] + 1 + (i % 2 == 0 ? error : -error);
        }
        return Dataset.of(x, y);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-14, 1e-10, 1e-6})
    void confirmsPerfectFits(double error) {
        Fit fit = Trainer.of(new Squared()).lambda(0).intercept(true).fit(line(error));
        assertThat(fit.isCertified()).isTrue();
        Verification found = Verifier.verify(fit.model(), line(error));
        assertThat(found.holds()).as(found.model().reason()).isTrue();
    }

    /** Or else any model would be perfect. */
    @Test
    void refusesAGapThatIsRelativeToMoreThanAPerfectFitAllows() {
        Fit fit = Trainer.of(new Squared()).lambda(1e-9).intercept(true).fit(line(0.1));
        Provenance made = fit.model().provenance();
        LinearModel forged = new LinearModel(
                "squared",
                List.of(),
                new double[][] {fit.model().weights(0)},
                new double[] {fit.model().intercept(0)},
                new Provenance(
                        made.version(),
                        made.settings(),
                        made.method(),
                        made.graph(),
                        made.delay(),
                        made.certificate().relativeTo(1),
                        true,
                        ""));
        assertThat(Verifier.verify(forged, line(0.1)).model().reason())
                .startsWith("the gap is relative to 1.0, more than the objective");
        assertThat(Verifier.verify(fit.model(), line(0.1)).holds()).isTrue();
    }

    private Dataset classes(int count) {
        double[] labels = new double[rows.rows()];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = Math.floorMod((int) (rows.label(i) + i % 5), count);
        }
        return rows.withLabels(labels);
    }

    @ParameterizedTest
    @CsvSource({"2,false", "3,false", "4,true"})
    void confirmsWhatTrainingProvedAboutAllClassesAtOnce(int count, boolean scaled) {
        Trainer trainer = Trainer.of(new Softmax()).lambda(0.01).gap(1e-10).nodes(2);
        trainer = scaled ? trainer.standardize(true).bias(1) : trainer;
        Dataset classes = classes(count);
        Fit fit = trainer.fit(classes);
        Verification found = Verifier.verify(fit.model(), classes);

        assertThat(fit.isCertified()).isTrue();
        assertThat(found.holds()).as(found.model().reason()).isTrue();
    }

    /** A free intercept, an l1 term, both beside a ridge, and a lasso alone. */
    @ParameterizedTest
    @CsvSource({
        "2,0.01,0,true",
        "3,0.01,0,true",
        "4,0.01,0,true",
        "3,0.01,0.02,false",
        "3,0.001,0.02,true",
        "4,0,0.03,true",
        "3,0,0.02,false",
        "2,0.01,0.02,true",
        "2,0,0.03,true"
    })
    void confirmsClassesWithInterceptsAndNets(int count, double lambda, double l1, boolean intercept) {
        Dataset classes = classes(count);
        Fit fit = Trainer.of(new Softmax())
                .lambda(lambda)
                .l1(l1)
                .intercept(intercept)
                .gap(1e-9)
                .nodes(2)
                .fit(classes);
        Verification found = Verifier.verify(fit.model(), classes);

        assertThat(fit.isCertified()).isTrue();
        assertThat(found.holds()).as(found.model().reason()).isTrue();
    }

    @Test
    void refutesAChangedInterceptOfOneClass() {
        Dataset classes = classes(3);
        LinearModel model = Trainer.of(new Softmax())
                .lambda(0.01)
                .l1(0.01)
                .intercept(true)
                .gap(1e-10)
                .fit(classes)
                .model();
        double[][] weights = {model.weights(0), model.weights(1), model.weights(2)};
        double[] changed = {model.intercept(0) + 1e-3, model.intercept(1), model.intercept(2)};
        LinearModel other = new LinearModel("softmax", model.classes(), weights, changed, model.provenance());

        assertThat(Verifier.verify(other, classes).model().verdict().outcome()).isEqualTo(Verdict.Outcome.FALSE);
    }

    @Test
    void refutesAChangedWeightOfOneClass() {
        Dataset classes = classes(3);
        LinearModel model =
                Trainer.of(new Softmax()).lambda(0.01).gap(1e-10).fit(classes).model();
        double[][] changed = {model.weights(0), model.weights(1).clone(), model.weights(2)};
        changed[1][0] += 1e-3;
        LinearModel other = new LinearModel("softmax", model.classes(), changed, new double[3], model.provenance());

        assertThat(Verifier.verify(other, classes).model().verdict().outcome()).isEqualTo(Verdict.Outcome.FALSE);
    }

    @Test
    void refusesAModelWithoutACertificate() {
        LinearModel bare = new LinearModel(
                "logistic", List.of(-1.0, 1.0), new double[][] {{1, 2}}, new double[] {0}, Provenance.UNKNOWN);
        assertThatRefused(() -> Verifier.of(bare)).hasMessageContaining("states no certificate");
    }

    @Test
    void everySnippetCompiles(@TempDir Path output) {
        Snippets snippets =
                new Snippets().using("dev.starling.data", "dev.starling.model").javadoc(Path.of("src", "main", "java"));
        assertThat(snippets.complaints("Dataset rows;", output)).isEmpty();
    }
}
