package dev.starling.peer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule of a site against every kind of sum. */
class SumKindsTest {

    private static final int ROWS = 400;
    private static final int FEATURES = 6;
    private static final int NUMBERS = 11;
    private static final Dataset DATA =
            Generator.classification(ROWS, FEATURES).seed(3).generate();

    private final SiteRules rules = fresh();

    private static SumRequest request(SumKind kind, long rows, int numbers, double... point) {
        return SumRequest.atPoint(kind, 0, 1, Arrays.copyOf(point, FEATURES), rows, numbers);
    }

    private void require(SumRequest request) {
        double[] addend = new double[HiddenSum.HEAD + request.numbers()];
        Arrays.fill(addend, 1);
        rules.require(request, addend);
    }

    private void acceptEstimates() {
        rules.requireConsent("adfs", List.of(Map.of("estimates", 1.0)));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NOTHING", "ESTIMATES", "OTHER"},
            mode = Mode.EXCLUDE)
    void acceptsManyRowsAtAHarmlessPoint(SumKind kind) {
        assertThatCode(() -> require(request(kind, ROWS, NUMBERS))).doesNotThrowAnyException();
    }

    @Test
    void refusesEveryKindThatNoRuleKnows() {
        assertThatThrownBy(() -> require(request(SumKind.OTHER, ROWS, NUMBERS).named("span")))
                .hasMessage(
                        "this site's rules refuse a sum of kind other, span, because no rule knows what it reveals");
        assertThatThrownBy(() -> require(request(SumKind.OTHER, 0, NUMBERS))).hasMessageContaining("no rule knows");
    }

    @Test
    void refusesRowsInASumThatShouldRevealNothing() {
        assertThatCode(() -> require(SumRequest.ofNothing("updates", 1))).doesNotThrowAnyException();
        assertThatThrownBy(() -> require(request(SumKind.NOTHING, ROWS, 1)))
                .hasMessageContaining("400 of its rows that is said to reveal nothing");
    }

    @Test
    void refusesSumsAboutEstimatesUntilAllSitesHaveConsented() {
        SumRequest dual = request(SumKind.ESTIMATES, ROWS, NUMBERS).named("dual");
        assertThatThrownBy(() -> require(dual)).hasMessageContaining("dual, in a run without estimates");
        acceptEstimates();
        assertThatCode(() -> require(dual)).doesNotThrowAnyException();
    }

    @Test
    void remembersTheConsentAfterARestart() throws IOException {
        acceptEstimates();
        assertThat(restored().sharesEstimates()).isTrue();
    }

    /** Without it a restarted site would send another word than before under the same mask. */
    @Test
    void remembersAfterARestartThatItWithheldAGradient() throws IOException {
        double[] shares = new double[ROWS];
        shares[7] = 1;
        assertThat(rules.wishesToStop()).isFalse();
        assertThat(rules.allows(SumKind.GRADIENT, 0, shares)).isFalse();
        assertThat(rules.wishesToStop()).isTrue();
        assertThat(restored().wishesToStop()).isTrue();
    }

    private static SiteRules fresh() {
        return new SiteRules(
                Policy.DEFAULT,
                Settings.of(new Logistic()),
                DATA,
                index -> LocalProblem.of(DATA, new Logistic(), 1e-2),
                SlopesAccount.none());
    }

    private SiteRules restored() throws IOException {
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        rules.state(State.saving(new DataOutputStream(saved)));
        SiteRules restored = fresh();
        restored.state(State.restoring(new DataInputStream(new ByteArrayInputStream(saved.toByteArray()))));
        return restored;
    }

    static Stream<SumKind> aboutRows() {
        return EnumSet.complementOf(EnumSet.of(SumKind.NOTHING, SumKind.OTHER)).stream();
    }

    @ParameterizedTest
    @MethodSource("aboutRows")
    void refusesTooFewRows(SumKind kind) {
        acceptEstimates();
        assertThatThrownBy(() -> require(request(kind, 49, NUMBERS)))
                .hasMessageContaining("a sum over 49 of its rows; at least 50");
    }

    @ParameterizedTest
    @MethodSource("aboutRows")
    void refusesASumOfWhichASingleNumberCoversTooFewRows(SumKind kind) {
        acceptEstimates();
        SumRequest late = request(kind, ROWS, NUMBERS).withRowsOfNumber(k -> k == NUMBERS - 1 ? 49 : ROWS);
        assertThatThrownBy(() -> require(late)).hasMessageContaining("a sum over 49 of its rows; at least 50");
    }

    @ParameterizedTest
    @MethodSource("aboutRows")
    void acceptsNumbersThatCoverNoRowsBesideThoseThatCoverMany(SumKind kind) {
        acceptEstimates();
        SumRequest absent = request(kind, ROWS, NUMBERS).withRowsOfNumber(k -> k == 0 ? 0 : 50);
        assertThatCode(() -> require(absent)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("aboutRows")
    void refusesNumbersOtherThanZeroFromASumOverNoRows(SumKind kind) {
        acceptEstimates();
        assertThatThrownBy(() -> require(request(kind, 0, NUMBERS)))
                .hasMessageContaining("said to cover none of its rows and is not 0");
        assertThatCode(() -> rules.require(request(kind, 0, NUMBERS), new double[HiddenSum.HEAD + NUMBERS]))
                .doesNotThrowAnyException();
    }

    /** Half of 2,400 stored values may be released. */
    @ParameterizedTest
    @EnumSource(
            names = {"NOTHING", "ESTIMATES", "OTHER"},
            mode = Mode.EXCLUDE)
    void countsTheNumbersOfEveryKind(SumKind kind) {
        require(request(SumKind.COUNTS, ROWS, 1190));
        assertThatThrownBy(() -> require(request(kind, ROWS, NUMBERS)))
                .hasMessageContaining("to release 1201 numbers; at most 1200 are allowed");
    }

    @ParameterizedTest
    @EnumSource(names = {"LINE", "GRADIENT", "DIAGONAL", "HESSIAN"})
    void refusesAFarPoint(SumKind kind) {
        // (λ/2) θ² is 4 ln 2 at θ = 23.5.
        assertThatCode(() -> require(request(kind, ROWS, NUMBERS, 23.5))).doesNotThrowAnyException();
        assertThatThrownBy(() -> require(request(kind, ROWS, NUMBERS, 23.6)))
                .hasMessageContaining("more than 4.0 times the objective at 0");
    }

    @ParameterizedTest
    @EnumSource(names = {"LINE", "GRADIENT", "DIAGONAL", "HESSIAN"})
    void refusesASumInWhichOneRowDominates(SumKind kind) {
        double[] even = new double[ROWS];
        Arrays.fill(even, 1);
        double[] single = even.clone();
        single[17] = 30;
        List<double[]> outputs = List.of(even, single);
        SumRequest dominated = request(kind, ROWS, NUMBERS)
                .withShares(() -> kind.isCurved()
                        ? new SumRequest.Shares(List.of(), outputs)
                        : new SumRequest.Shares(outputs, List.of()));
        assertThatThrownBy(() -> require(dominated)).hasMessageContaining("depend on one of its rows");
    }

    @ParameterizedTest
    @EnumSource(names = {"LINE", "GRADIENT", "DIAGONAL", "HESSIAN"})
    void refusesASumThatDoesNotSayHowMuchEachRowContributes(SumKind kind) {
        SumRequest silent = request(kind, ROWS, NUMBERS)
                .withShares(() -> kind.isCurved()
                        ? SumRequest.Shares.ofSlopes(new double[ROWS])
                        : SumRequest.Shares.ofCurvatures(new double[ROWS]));
        assertThatThrownBy(() -> require(silent)).hasMessageContaining("does not say how much each row contributes");
        // A parameter of two outputs: the slopes of one loss are not those of the sum.
        SumRequest twoOutputs = SumRequest.atPoint(kind, 0, 1, new double[2 * FEATURES], ROWS, NUMBERS);
        assertThatThrownBy(() -> require(twoOutputs))
                .hasMessageContaining("12 parameters for 6 features that does not say how much each row contributes");
    }

    @ParameterizedTest
    @EnumSource(names = {"LINE", "GRADIENT"})
    void countsPassesOfKindsWithoutCurvatures(SumKind kind) {
        for (int pass = 0; pass < 300; pass++) {
            require(request(kind, ROWS, 1));
        }
        assertThatThrownBy(() -> require(request(kind, ROWS, 1)))
                .hasMessageContaining("301 sums at a point; at most 300 are allowed (policy: gradients)");
    }

    @ParameterizedTest
    @EnumSource(names = {"DIAGONAL", "HESSIAN"})
    void countsCurvatures(SumKind kind) {
        for (int pass = 0; pass < 10; pass++) {
            require(request(kind, ROWS, 1));
        }
        assertThatThrownBy(() -> require(request(kind, ROWS, 1)))
                .hasMessageContaining("11 sums of curvatures; at most 10");
    }

    @ParameterizedTest
    @EnumSource
    void refusesAColumnOfOneSiteInSumsThatCountSitesOnly(SumKind kind) {
        double[] totals = new double[HiddenSum.HEAD + FEATURES];
        Arrays.fill(totals, 3);
        totals[HiddenSum.HEAD + 1] = 1;
        SumRequest request = request(kind, ROWS, FEATURES, FEATURES);
        if (kind == SumKind.PRESENCE) {
            assertThatThrownBy(() -> rules.opened(request, totals))
                    .hasMessageContaining("column 2, which only 1 site has");
            // Other sites may have more columns than this one, and fewer; what follows them is about classes.
            assertThatThrownBy(() -> rules.opened(request(kind, ROWS, FEATURES, 1), totals))
                    .hasMessageContaining("class 1, which only 1 site has");
            totals[HiddenSum.HEAD + 1] = 2;
            assertThatThrownBy(() -> rules.opened(request, totals))
                    .hasMessageContaining("column 2, which only 2 sites have");
        } else {
            assertThatCode(() -> rules.opened(request, totals)).doesNotThrowAnyException();
        }
    }
}
