package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.loss.SquaredHinge;
import dev.starling.method.Assignment;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.NodeProgram;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumGuard;
import dev.starling.node.SumRequest;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.ForgetfulProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    void everyRuntimeScalesAlike(String loss) {
        Trainer trainer =
                Trainer.of(Losses.named(loss)).lambda(LAMBDA).gap(1e-6).nodes(3).topology("line");

        Fit fit = trainer.fit(TEXTS);

        assertThat(fit.isCertified()).isTrue();
        assertThat(trainer.runner(new Simulator()).fit(TEXTS).model().hash())
                .isEqualTo(fit.model().hash());
    }

    @Test
    void aNodeThatForgetsEndsWithTheSameBits() {
        MethodNode whole = node(TEXTS, new Requests(1));
        ForgetfulProgram<MethodNode> forgetful = new ForgetfulProgram<>(() -> node(TEXTS, new Requests(1)));

        run(whole);
        run(forgetful);

        assertThat(forgetful.program().result().parameter())
                .isEqualTo(whole.result().parameter());
        assertThat(forgetful.program().passes()).isEqualTo(whole.passes());
    }

    @Test
    void aDiagonalIsSummedUpOnceAndSavesAThirdOfThePasses() {
        Requests scaled = new Requests(1);
        Requests plain = new Requests(0);
        MethodNode withDiagonal = node(TEXTS, scaled);
        MethodNode without = node(TEXTS, plain);

        run(withDiagonal);
        run(without);

        assertThat(withDiagonal.result().certificate().relativeGap()).isLessThan(1e-6);
        assertThat(without.result().certificate().relativeGap()).isLessThan(1e-6);
        assertThat(scaled.kinds.get(0)).isEqualTo("diagonal");
        assertThat(scaled.kinds.subList(1, scaled.kinds.size())).containsOnly("gradient");
        assertThat(plain.kinds).containsOnly("gradient");
        assertThat(withDiagonal.passes()).isLessThan(without.passes() * 2 / 3);
    }

    @Test
    void fewerRowsThanFeaturesAreNotScaled() {
        Requests requests = new Requests(1);

        run(node(texts(WORDS - 1), requests));

        assertThat(requests.kinds).doesNotContain("diagonal");
    }

    @Test
    void whereFewNumbersMayBeToldTheyAreGradients() {
        int gradient = new PassLayout(WORDS, false).numbers(PassSums.GRADIENT);
        Requests requests = new Requests(new ReleaseLimits(20L * gradient, 1, 500, 500, 0));

        run(node(TEXTS, requests));

        assertThat(requests.kinds).containsOnly("gradient").hasSize(20);
    }

    /** Notes what is asked for, between owners whose rules allow so much. */
    private static final class Requests implements SumGuard {
        private final ReleaseLimits limits;
        private final List<String> kinds = new ArrayList<>();

        Requests(int curvatures) {
            this(new ReleaseLimits(Long.MAX_VALUE, curvatures, 500, 500, 0));
        }

        Requests(ReleaseLimits limits) {
            this.limits = limits;
        }

        @Override
        public boolean isBetweenOwners() {
            return true;
        }

        @Override
        public ReleaseLimits limits() {
            return limits;
        }

        @Override
        public void opened(SumRequest request, double[] totals) {
            kinds.add(request.kind());
        }
    }

    private static MethodNode node(Dataset texts, SumGuard guard) {
        Problem problem = Problem.deal(texts, new SquaredHinge(), LAMBDA, 1);
        Network alone = Topology.named("line").build(1, 1);
        return new NewtonMethod()
                .tune(
                        alone,
                        new Objective(new SquaredHinge(), problem.regulariser()),
                        Shape.of(texts),
                        List.of(Facts.of(problem.nodes().get(0), new double[0])),
                        1)
                .node(
                        new Assignment(
                                problem.nodes().get(0),
                                Collectives.apart(alone.spanningTree(), 0, 1, guard),
                                new StoppingRule(1e-6, 500),
                                1,
                                CertificateListener.NONE),
                        Optional.empty());
    }

    private static void run(NodeProgram node) {
        new Simulator().run(Topology.named("line").build(1, 1), List.of(node), Delays.uniform(1), StopSignal.manual());
    }
}
