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
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.problem.Problem;
import dev.starling.runtime.Simulator;
import dev.starling.support.ForgetfulProgram;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts, in which a few words are frequent and most are rare: too many features for a Hessian. */
class ScaledGradientsTest {

    private static final int WORDS = 1100;
    private static final double LAMBDA = 1e-4;
    private static final Dataset TEXTS = texts(3000);

    /** Rows of a length of about 1, the k-th word with a k-th of the first one's probability. */
    private static Dataset texts(int count) {
        Random random = new Random(7);
        double[] meanings = random.doubles(WORDS, -1, 1).toArray();
        double[][] rows = new double[count][WORDS];
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            double meaning = 0.3 * random.nextGaussian();
            for (int k = 0; k < 20; k++) {
                int word = (int) Math.pow(WORDS, random.nextDouble()) - 1;
                rows[i][word] = 0.25;
                meaning += meanings[word];
            }
            labels[i] = meaning > 0 ? 1 : -1;
        }
        return Dataset.of(rows, labels).laidOut(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "squared-hinge"})
    void everyRuntimeScalesTheSame(String loss) {
        Trainer trainer =
                Trainer.of(Losses.named(loss)).lambda(LAMBDA).gap(1e-6).nodes(3).topology("line");

        Fit fit = trainer.fit(TEXTS);

        assertThat(fit.isCertified()).isTrue();
        assertThat(trainer.runner(new Simulator()).fit(TEXTS).model().hash())
                .isEqualTo(fit.model().hash());
    }

    @Test
    void aRestoredNodeEndsWithTheSameBits() {
        MethodNode whole = node(TEXTS, LoneNode.allowing(1));
        ForgetfulProgram<MethodNode> forgetful = new ForgetfulProgram<>(() -> node(TEXTS, LoneNode.allowing(1)));

        LoneNode.run(whole);
        LoneNode.run(forgetful);

        assertThat(forgetful.program().result().parameter())
                .isEqualTo(whole.result().parameter());
        assertThat(forgetful.program().passes()).isEqualTo(whole.passes());
    }

    @Test
    void aDiagonalIsSummedUpOnceAndSavesAThirdOfThePasses() {
        LoneNode scaled = LoneNode.allowing(1);
        LoneNode plain = LoneNode.allowing(0);
        MethodNode withDiagonal = node(TEXTS, scaled);
        MethodNode without = node(TEXTS, plain);

        LoneNode.run(withDiagonal);
        LoneNode.run(without);

        assertThat(withDiagonal.result().certificate().relativeGap()).isLessThan(1e-6);
        assertThat(without.result().certificate().relativeGap()).isLessThan(1e-6);
        assertThat(scaled.kinds().get(0)).isEqualTo("diagonal");
        assertThat(scaled.kinds().subList(1, scaled.kinds().size())).containsOnly("gradient");
        assertThat(plain.kinds()).containsOnly("gradient");
        assertThat(withDiagonal.passes()).isLessThan(without.passes() * 2 / 3);
    }

    @Test
    void fewerRowsThanFeaturesAreNotScaled() {
        LoneNode requests = LoneNode.allowing(1);

        LoneNode.run(node(texts(WORDS - 1), requests));

        assertThat(requests.kinds()).doesNotContain("diagonal");
    }

    @Test
    void limitedNumbersAreSpentOnGradients() {
        int gradient = new PassLayout(WORDS, false).numbers(PassSums.GRADIENT);
        LoneNode requests = LoneNode.between(new ReleaseLimits(20L * gradient, 1, 500, 500, 0));

        LoneNode.run(node(TEXTS, requests));

        assertThat(requests.kinds()).containsOnly("gradient").hasSize(20);
    }

    private static MethodNode node(Dataset texts, LoneNode owner) {
        return owner.node(
                new NewtonMethod(), Problem.deal(texts, new SquaredHinge(), LAMBDA, 1), new StoppingRule(1e-6, 500));
    }
}
