package dev.starling.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.lab.conversation.LocalTuning;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final double LN10 = 2.302585092994046;
    private static final Network RING = Topology.named("ring").build(4, 1);

    /** m = 100, κ_s = 400, κ_b = 25, τ = 2 on a ring of six, where γ = 1/4: roots that come out whole. */
    private static final Plan PLAN =
            Plan.of(600, 400, 25, 2, Topology.named("ring").build(6, 1));

    private static Map<String, Double> times(Plan plan) {
        return plan.estimates().stream().collect(Collectors.toMap(Plan.Estimate::method, Plan.Estimate::timePerDigit));
    }

    @Test
    void everyMethodHasTheConstantsOfItsOwnTheorem() {
        Map<String, Double> times = times(PLAN);
        assertThat(PLAN.gamma()).isCloseTo(0.25, within(1e-12));
        // Two rounds an iteration, c₁ = 1/3: (1 + 1/9)/(1 − 1/9) = 5/4.
        assertThat(times.get("msda")).isCloseTo(1.25 * 5 * (100 + 2 * 2) * LN10, relative(1e-12));
        assertThat(times.get("dsba")).isCloseTo((100 + 400 + 4) * 3 * LN10, relative(1e-12));
        double product = (Math.sqrt(599 * 599 + 4 * 600 * 400) - 599) / (2 * 400 * 600);
        assertThat(times.get("point-saga")).isCloseTo((1 + 1 / product) * LN10, relative(1e-12));
        assertThat(times.get("adfs")).isEqualTo(PLAN.tunedTimePerDigit());
        assertThat(PLAN.lowerBoundPerDigit()).isCloseTo((100 + 200 + 2 * 10) * LN10, relative(1e-12));
    }

    @Test
    void estimatesForTheWorstCaseAreMarked() {
        assertThat(PLAN.estimates())
                .filteredOn(estimate -> estimate.remark().startsWith("worst case"))
                .extracting(Plan.Estimate::method)
                .containsExactly("msda", "esdacd");
    }

    @Test
    void theEstimateOfLocallySynchronousAdfsIsThatOfItsTuning() {
        Network network = Topology.named("grid:6x6").build(36, 1);
        double root = Math.sqrt(1 + 399 / 100.0);
        List<Conditioning> facts = Collections.nCopies(36, new Conditioning(100, 100, 1, 100 * root, root, 399, 24));
        double tuned = LocalTuning.of(network, facts, Timing.even(20)).timePerFactor() * LN10;

        assertThat(times(Plan.of(facts, 20, network)).get("adfs-local")).isCloseTo(tuned, within(0.02 * tuned));
        // Waiting, and more messages than all edges at once.
        assertThat(tuned).isGreaterThan(1.3 * Plan.of(facts, 20, network).tunedTimePerDigit());
    }

    @Test
    void twoNodesNeverWaitForEachOther() {
        Plan pair = Plan.of(200, 400, 25, 2, Topology.named("line").build(2, 1));
        // Both swap after going over their samples: R = 1 and λ_max = 2, so as often as there are rounds on all edges.
        assertThat(times(pair).get("esdacd")).isCloseTo(5 * (100 + 2) * LN10, relative(1e-12));
    }

    private static Offset<Double> relative(double share) {
        return within(share * 5000);
    }

    @Test
    void theBalanceIsThatOfTheTuningForEqualNodes() {
        Network network = Topology.named("grid:4x5").build(20, 1);
        double root = Math.sqrt(1 + 399 / 100.0);
        Conditioning facts = new Conditioning(100, 100, 1, 100 * root, root, 399, 24);
        Tuning tuning = Tuning.of(network, Collections.nCopies(20, facts), 2);
        Plan plan = Plan.of(Collections.nCopies(20, facts), 2, network);
        assertThat(plan.samplesPerNode()).isEqualTo(100);
        assertThat(plan.balance()).isCloseTo(tuning.balance(), within(1e-3));
        assertThat(plan.communicationProbability()).isCloseTo(tuning.communicationProbability(), within(1e-4));
        assertThat(plan.tunedTimePerDigit()).isCloseTo(tuning.timePerFactor() * LN10, within(1e-2));
    }

    @Test
    void aSingleNodeDoesNotCommunicate() {
        Plan alone = Plan.of(100, 400, 25, 1e9, Topology.named("line").build(1, 1));
        assertThat(times(alone).get("adfs")).isCloseTo(Math.sqrt(100 * 100 + 100 * 399) * LN10, relative(1e-12));
        assertThat(times(alone).get("adfs-local")).isEqualTo(times(alone).get("adfs"));
        assertThat(alone.lowerBoundPerDigit()).isCloseTo(300 * LN10, relative(1e-12));
        assertThat(alone.communicationProbability()).isZero();
    }

    @Test
    void theFastestSizeIsFasterThanItsNeighbours() {
        List<Plan> plans = Plan.of(1e5, 1e4, 1e3, 20, RING).atOtherSizes("ring", 1);
        Plan best = Plan.fastest(plans);
        assertThat(best.nodes()).isBetween(2, 1000);
        assertThat(plans)
                .allSatisfy(
                        plan -> assertThat(plan.tunedTimePerDigit()).isGreaterThanOrEqualTo(best.tunedTimePerDigit()));
    }

    @Test
    void moreNodesWithTheirOwnSamplesCostLittleUpToTheCriticalSize() {
        List<Plan> plans = Plan.of(1e5, 1e4, 1e3, 20, RING).atOtherSizes("grid", 1).stream()
                .map(plan -> plan.withSamplesPerNode(1e4))
                .toList();
        Plan critical = Plan.lastDominatedByComputation(plans);
        assertThat(critical.nodes()).isBetween(2, 9999);
        assertThat(critical.tunedTimePerDigit()).isLessThan(3 * plans.get(0).tunedTimePerDigit());
    }

    @Test
    void gridsAreTriedAsSquares() {
        assertThat(Plan.of(1600, 400, 25, 2, RING).atOtherSizes("grid", 1))
                .extracting(Plan::nodes)
                .contains(1, 4, 9, 16, 100);
    }

    @Test
    void invalidNumbersAreRefused() {
        assertThatThrownBy(() -> Plan.of(3, 400, 25, 2, RING))
                .hasMessage("samples 3.0 must be 4.0 or more, and finite");
        assertThatThrownBy(() -> Plan.of(1600, 20, 25, 2, RING))
                .hasMessage("kappa-batch 25.0 must be at most kappa, 20.0");
    }
}
