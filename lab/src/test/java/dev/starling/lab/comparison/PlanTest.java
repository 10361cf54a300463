package dev.starling.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.method.adfs.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final double LN10 = 2.302585092994046;

    /** m = 100, κ_s = 400, κ_b = 25, τ = 2, γ = 1/4: roots that come out whole. */
    private static final Plan PLAN = new Plan(1600, 400, 25, 2, 16, 0.25);

    @Test
    void timesAreThoseOfTheTable() {
        Map<String, Double> times = PLAN.timesPerDigit();
        assertThat(times.get("msda")).isCloseTo(5 * (100 + 2 / 0.5) * LN10, relative(1e-12));
        assertThat(times.get("esdacd")).isCloseTo((100 + 2) * 10 * LN10, relative(1e-12));
        assertThat(times.get("dsba")).isCloseTo((100 + 400 + 4) * 3 * LN10, relative(1e-12));
        assertThat(times.get("point-saga")).isCloseTo((1600 + 800) * LN10, relative(1e-12));
        assertThat(times.get("adfs-local")).isCloseTo((100 + 200 + 3 * 40) * LN10, relative(1e-12));
        double communication = 2 * Math.sqrt(PLAN.communicationConditioning() / 0.25);
        assertThat(times.get("adfs")).isCloseTo((100 + 200 + communication) * LN10, relative(1e-12));
        assertThat(PLAN.lowerBoundPerDigit()).isCloseTo((100 + 200 + 2 * 10) * LN10, relative(1e-12));
    }

    private static Offset<Double> relative(double share) {
        return within(share * 5000);
    }

    @Test
    void theBalanceIsWhatTheTuningOfAlikeNodesComesTo() {
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
    void oneNodeHasNothingToCommunicate() {
        Plan alone = new Plan(100, 400, 25, 1e9, 1, 1);
        assertThat(alone.timesPerDigit().get("adfs")).isCloseTo(300 * LN10, relative(1e-12));
        assertThat(alone.lowerBoundPerDigit()).isCloseTo(300 * LN10, relative(1e-12));
        assertThat(alone.communicationProbability()).isZero();
    }

    @Test
    void theFastestSizeIsFasterThanItsNeighbours() {
        List<Plan> plans = new Plan(1e5, 1e4, 1e3, 20, 4, 0.5).atOtherSizes("ring", 1);
        Plan best = Plan.fastest(plans);
        assertThat(best.nodes()).isBetween(2, 1000);
        assertThat(plans)
                .allSatisfy(
                        plan -> assertThat(plan.tunedTimePerDigit()).isGreaterThanOrEqualTo(best.tunedTimePerDigit()));
    }

    @Test
    void nodesWithTheirOwnSamplesCostLittleUpToTheCriticalSize() {
        List<Plan> plans = new Plan(1e5, 1e4, 1e3, 20, 10, 0.5)
                .atOtherSizes("grid", 1).stream()
                        .map(plan -> plan.withSamplesPerNode(1e4))
                        .toList();
        Plan critical = Plan.lastDominatedByComputation(plans);
        assertThat(critical.nodes()).isBetween(2, 9999);
        assertThat(critical.tunedTimePerDigit()).isLessThan(3 * plans.get(0).tunedTimePerDigit());
    }

    @Test
    void gridsAreTriedAsSquares() {
        assertThat(PLAN.atOtherSizes("grid", 1)).extracting(Plan::nodes).contains(1, 4, 9, 16, 100);
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new Plan(10, 400, 25, 2, 16, 0.25))
                .hasMessage("samples 10.0 must be 16.0 or more, and finite");
        assertThatThrownBy(() -> new Plan(1600, 20, 25, 2, 16, 0.25))
                .hasMessage("kappa-batch 25.0 must be at most kappa, 20.0");
    }
}
