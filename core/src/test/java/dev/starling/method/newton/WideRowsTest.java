package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.loss.SquaredHinge;
import dev.starling.method.LoneNode;
import dev.starling.method.MethodNode;
import dev.starling.method.StoppingRule;
import dev.starling.node.ReleaseLimits;
import dev.starling.problem.Problem;
import dev.starling.runtime.Simulator;
import dev.starling.support.ForgetfulProgram;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are fewer than features, as measurements of genes are: gradients alone take thousands of passes. */
class WideRowsTest {

    private static final int ROWS = 30;
    private static final int FEATURES = 1200;

    /** Features that go together in a few groups, and one row twice, so that rows are not independent. */
    private static Dataset genes() {
        Random random = new Random(3);
        double[][] rows = new double[ROWS][FEATURES];
        double[] labels = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            labels[i] = i % 3 == 0 ? 1 : -1;
            double[] groups = random.doubles(10, -3, 3).toArray();
            for (int c = 0; c < FEATURES; c++) {
                rows[i][c] = groups[c % 10] + 0.3 * random.nextGaussian() + (c < 20 ? 0.3 * labels[i] : 0);
            }
        }
        rows[ROWS - 1] = rows[ROWS - 2].clone();
        labels[ROWS - 1] = labels[ROWS - 2];
        return Dataset.of(rows, labels);
    }

    private static Trainer trainer(String loss) {
        return Trainer.of(Losses.named(loss)).lambda(1e-4).gap(1e-8).nodes(3).topology("line");
    }

    @ParameterizedTest
    @ValueSource(strings = {"squared-hinge", "squared-epsilon-insensitive(0.5)"})
    void slowGradientsAreReplacedByHessiansInTheSpanOfTheRows(String loss) {
        Fit fit = trainer(loss).fit(genes());

        assertThat(trainer(loss).maxEpochs(100).fit(genes()).gap()).isGreaterThan(1e-4);
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.epochs()).isBetween(100.0, 130.0);
        assertThat(trainer(loss).runner(new Simulator()).fit(genes()).model().hash())
                .isEqualTo(fit.model().hash());
    }

    @Test
    void aFreeInterceptHasItsOwnDirection() {
        Fit fit = trainer("squared-hinge").intercept(true).fit(genes());

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.epochs()).isBetween(100.0, 140.0);
    }

    @Test
    void aRestoredNodeFindsTheSameSpan() {
        MethodNode whole = node(LoneNode.ofOneOwner());
        ForgetfulProgram<MethodNode> forgetful = new ForgetfulProgram<>(() -> node(LoneNode.ofOneOwner()));

        LoneNode.run(whole);
        LoneNode.run(forgetful);

        assertThat(whole.result().certificate().relativeGap()).isLessThan(1e-8);
        assertThat(forgetful.program().result().parameter())
                .isEqualTo(whole.result().parameter());
        assertThat(forgetful.program().passes()).isEqualTo(whole.passes());
    }

    @Test
    void theSpanOfTheRowsIsNotRequestedBetweenOwners() {
        LoneNode oneOwner = LoneNode.ofOneOwner();
        LoneNode several = LoneNode.between(ReleaseLimits.NONE);

        LoneNode.run(node(oneOwner));
        LoneNode.run(node(several));

        assertThat(oneOwner.kinds()).contains("span", "hessian", "gradient");
        assertThat(several.kinds()).containsOnly("gradient").hasSize(200);
    }

    private static MethodNode node(LoneNode owner) {
        return owner.node(
                new NewtonMethod(), Problem.deal(genes(), new SquaredHinge(), 1e-4, 1), new StoppingRule(1e-8, 200));
    }
}
