package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.support.Fixtures;
import dev.starling.support.Fixtures.Optimum;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Training on the fixtures ends at the optima that a program of other authors found. */
@Timeout(60)
class KnownOptimaTest {

    static Stream<Arguments> optimaOfAllMethods() {
        return Fixtures.optima().stream()
                .flatMap(optimum -> methods(optimum).map(method -> Arguments.of(optimum, method)));
    }

    private static Stream<String> methods(Optimum optimum) {
        if (isSmooth(optimum)) {
            return Stream.of("adfs", "newton", "dual");
        }
        boolean kinkedLoss = Losses.named(optimum.loss()).smoothness() == Double.POSITIVE_INFINITY;
        return kinkedLoss ? Stream.of("ns-adfs", "multipliers", "dual") : Stream.of("ns-adfs", "dual");
    }

    private static boolean isSmooth(Optimum optimum) {
        return optimum.l1() == 0 && Losses.named(optimum.loss()).smoothness() < Double.POSITIVE_INFINITY;
    }

    @ParameterizedTest
    @MethodSource("optimaOfAllMethods")
    void trainingReachesTheKnownOptimum(Optimum known, String method) {
        Loss loss = Losses.named(known.loss());
        double gap = method.equals("ns-adfs") || method.equals("dual") ? 1e-5 : 1e-9;
        // Standardised values are floats, which moves the optimum.
        double rounding = known.standardised() ? 3e-8 : 1e-11;
        // Several nodes take many more dual steps than one: that they get there is tested elsewhere.
        List<String> networks = method.equals("dual") ? List.of("line:1") : List.of("line:1", "ring:4", "star:3");
        for (String network : networks) {
            String[] parts = network.split(":");
            Fit fit = Trainer.of(loss)
                    .method(method)
                    .oneVersusRest(known.data().equals("species"))
                    .lambda(known.lambda())
                    .l1(known.l1())
                    .standardize(known.standardised())
                    .nodes(Integer.parseInt(parts[1]))
                    .topology(parts[0])
                    .gap(gap)
                    .maxEpochs(100_000)
                    .runner(new Simulator())
                    .fit(known.rows());

            assertThat(fit.isCertified()).as(network).isTrue();
            assertThat(fit.plan().method().name()).isEqualTo(method);
            double best = known.objective();
            assertThat(fit.objective()).as(network).isBetween(best * (1 - rounding), best * (1 + gap + rounding));
            assertThat(fit.certificate().dual()).as(network).isLessThanOrEqualTo(best * (1 + rounding));
        }
    }
}
