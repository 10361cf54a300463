package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Hinge;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a trainer says, word for word, when it refuses settings, or data that do not fit them. */
class RefusalsTest {

    private static final Dataset DATA = Generator.classification(40, 3).generate();

    private static Trainer trainer() {
        return Trainer.logistic();
    }

    private static Arguments refusal(String message, ThrowingCallable refused) {
        return arguments(message, refused);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal(
                        "lambda -1.0 must be 0 or from 1e-60 to 1e45, for example 1e-4",
                        () -> trainer().lambda(-1)),
                refusal(
                        "l1 -1.0 must be 0 or from 1e-60 to 1e45, for example 1e-4",
                        () -> trainer().l1(-1)),
                refusal(
                        "gap -1.0 must be positive, for example 1e-6",
                        () -> trainer().gap(-1)),
                refusal("max-epochs 0.0 must be positive", () -> trainer().maxEpochs(0)),
                refusal(
                        "tau -1.0 must be 0 or more, and finite",
                        () -> trainer().delay(-1)),
                refusal("max-seconds 0.0 must be positive", () -> trainer().maxSeconds(0)),
                refusal(
                        "bias -1.0 must be positive, for example 1, or 0 for none",
                        () -> trainer().bias(-1)),
                refusal(
                        "unknown loss 'logistc'; did you mean 'logistic'? there are: logistic, softmax, ordinal, cox, cox(breslow), squared, squared-hinge, "
                                + "smoothed-hinge, huber, binomial, binomial(probit), binomial(cloglog), quasi-binomial, poisson, "
                                + "quasi-poisson, negative-binomial, gamma, inverse-gaussian, tweedie, "
                                + "squared-epsilon-insensitive, hinge, absolute, epsilon-insensitive, quantile",
                        () -> Trainer.of(Losses.named("logistc"))),
                refusal(
                        "unknown topology 'tours'; did you mean 'torus'? there are: complete, ring, line, star, grid, torus, "
                                + "hypercube, random-regular, erdos-renyi, watts-strogatz, binary-tree",
                        () -> trainer().topology("tours")),
                refusal(
                        "method newton cannot take an l1 term, which has kinks; adfs can",
                        () -> trainer().method("newton").l1(0.1).fit(DATA)),
                refusal(
                        "method newton cannot take the loss hinge, which has kinks; adfs can",
                        () -> Trainer.of(new Hinge()).method("newton").fit(DATA)),
                refusal(
                        "class weight for label 1.0, which no row has; there are: []",
                        () -> Trainer.of(new Squared())
                                .classWeights(Map.of(1.0, 2.0))
                                .fit(DATA)),
                refusal(
                        "class weight 0.0 of label -1.0 must be from 1e-60 to 1e45",
                        () -> trainer()
                                .classWeights(Map.of(-1.0, 0.0, 1.0, 0.0))
                                .fit(DATA)),
                refusal(
                        "a hypercube of 5 nodes does not exist; use 4 or 8 nodes",
                        () -> trainer().nodes(5).topology("hypercube").fit(DATA)));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void everyRefusalNamesTheThingItsValueAndARemedy(String message, ThrowingCallable refused) {
        assertThatRefused(refused).hasMessage(message);
    }
}
