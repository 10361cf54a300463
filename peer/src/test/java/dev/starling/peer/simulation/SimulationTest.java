package dev.starling.peer.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole networks from seeds: whatever goes wrong, what must hold does, and what once did not is noticed. */
class SimulationTest {

    private static final String ADFS_TIGHT = "adfs with a tight limit on numbers on a line of three";
    private static final String ADFS_MEASURED = "adfs with a measured delay on a line of three";
    private static final String NEWTON_HELD_OUT = "newton with held-out rows on a star of three";

    @TempDir
    private Path folder;

    @Test
    void endsWithTheSimulatorsModelWhenNothingGoesWrong() {
        for (Scenario scenario : Scenario.ALL) {
            Simulation.Result result = new Simulation(7, scenario, Simulation.Mode.CALM, 0, null).run();
            assertThat(result.violation()).as(scenario.toString()).isNull();
            assertThat(result.right()).as(scenario.toString()).isTrue();
            assertThat(result.faults()).as(scenario.toString()).isEmpty();
        }
    }

    @Test
    void leavesNothingBehindInItsProcess() throws Exception {
        List<Provider> before = List.of(Security.getProviders());
        Campaign.simulation(3, null).run();
        assertThat(Security.getProviders()).containsExactlyElementsOf(before);
        // A point of small order, which no key agreement may accept: neither here nor in a thread that simulates.
        KeyPair own = KeyPairGenerator.getInstance("X25519").generateKeyPair();
        PublicKey zero = KeyFactory.getInstance("X25519")
                .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, BigInteger.ZERO));
        SimulatedSecurity.enter(1);
        try {
            KeyAgreement agreement = KeyAgreement.getInstance("X25519");
            agreement.init(own.getPrivate());
            assertThat(agreement.getProvider().getName()).startsWith("Simulated");
            assertThatThrownBy(() -> agreement.doPhase(zero, true)).isInstanceOf(InvalidKeyException.class);
        } finally {
            SimulatedSecurity.leave();
        }
    }

    /** Sites may say what time it is; that is all in which two traces of one seed differ. */
    @Test
    void sameSeedGivesTheSameEvents() {
        for (long seed : new long[] {3, 17, 29, 86}) {
            List<String> one = trace(seed);
            assertThat(one).hasSizeGreaterThan(100);
            assertThat(trace(seed)).as("seed " + seed).isEqualTo(one);
        }
    }

    private static List<String> trace(long seed) {
        List<String> lines = new ArrayList<>();
        Campaign.simulation(seed, line -> lines.add(line.replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:]+Z", "NOW")))
                .run();
        return lines;
    }

    @Test
    void diesAtEveryEventAndGoesOn() {
        assertThat(deaths(death -> death.scenario() == Scenario.ALL.get(0))).isGreaterThan(50);
    }

    @Tag("faults")
    @Test
    void diesAtEveryEventOfEveryScenarioAndGoesOn() {
        int deaths = deaths(death -> true);
        System.out.println("FAULTS simulated deaths, one at each event of a run: " + deaths);
        assertThat(deaths).isGreaterThan(1000);
    }

    private static int deaths(Predicate<Campaign.Death> which) {
        return Campaign.deaths().parallelStream()
                .filter(which)
                .mapToInt(death -> {
                    Simulation.Result result = death.get().run();
                    assertThat(result.violation()).as(death.toString()).isNull();
                    assertThat(result.right()).as(death.toString()).isTrue();
                    return result.faults().getOrDefault(Fault.KILLED, 0);
                })
                .sum();
    }

    @Test
    void tenThousandFaultsBreakNothing() throws Exception {
        report(campaign(10_000, 1, 1));
    }

    /**
     * A lie about rows that led to steps backwards, without end; three networks whose sites waited for ever; and a site
     * that said it had a column more, for which others' rows held out were too short.
     */
    @Test
    void whatOnceDidNotEndDoes() {
        for (long seed : new long[] {1_016_886, 1_009_678, 1_015_302, 1_202_224, 7_902_425}) {
            assertThat(Campaign.simulation(seed, null).run().violation())
                    .as("seed " + seed)
                    .isNull();
        }
    }

    @Tag("faults")
    @Test
    void aMillionFaultsBreakNothing() throws Exception {
        report(campaign(
                Long.getLong("starling.simulated.faults", 1_000_000),
                1_000_000,
                Runtime.getRuntime().availableProcessors()));
    }

    /** Simulates from one seed after the other until so many things went wrong; how often each did. */
    private static Map<Fault, Integer> campaign(long faults, long first, int threads) throws Exception {
        AtomicLong seeds = new AtomicLong(first);
        AtomicLong left = new AtomicLong(faults);
        ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
        Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> parts = new ArrayList<>();
            for (int k = 0; k < threads; k++) {
                parts.add(executor.submit(() -> {
                    while (left.get() > 0 && violations.isEmpty()) {
                        long seed = seeds.getAndIncrement();
                        Simulation.Result result =
                                Campaign.simulation(seed, null).run();
                        if (result.violation() != null) {
                            violations.add("seed " + seed + " (" + Campaign.describe(seed) + "): " + result.violation()
                                    + "; .ci/sim --seed " + seed + " --trace shows every step");
                        }
                        synchronized (counts) {
                            result.faults().forEach((fault, times) -> counts.merge(fault, times, Integer::sum));
                        }
                        left.addAndGet(-result.faults().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum());
                    }
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(violations).isEmpty();
        assertThat(counts.keySet()).containsExactlyInAnyOrder(Fault.values());
        return counts;
    }

    private static void report(Map<Fault, Integer> counts) {
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println("FAULTS simulated: " + all + " in all");
        counts.forEach(
                (fault, times) -> System.out.printf(Locale.ROOT, "FAULTS simulated: %7d %s%n", times, fault.text()));
    }

    @Test
    void noticesWhenConsentToEstimatesIsNotInTheCheckpoint() throws Exception {
        try (Mutant mutant = new Mutant(folder)
                .without("policy/SiteRules.java", "        sharesEstimates = s.flag(sharesEstimates);\n", "")) {
            assertThat(mutant.firstViolation(ADFS_TIGHT, Simulation.Mode.SURVIVABLE, 300))
                    .contains("its rules refuse to release more");
        }
    }

    @Tag("thorough")
    @Test
    void noticesWhenAnswersAreOnlyInTheCheckpoint() throws Exception {
        try (Mutant mutant = new Mutant(folder)
                .without("checkpoint/AnswerLog.java", "        log.answers.addAll(known);\n", "")
                .without("checkpoint/AnswerLog.java", "next = s.number(next);", "s.number(0);")) {
            assertThat(mutant.firstViolation(ADFS_MEASURED, Simulation.Mode.SURVIVABLE, 300))
                    .isNotNull();
        }
    }

    @Tag("thorough")
    @Test
    void noticesWhenAMaskIsUsedTwiceAfterAStateWasRestored() throws Exception {
        try (Mutant mutant = new Mutant(folder)
                .without("sums/SessionSecrets.java", ".put(fingerprint).put(cells)", ".put(fingerprint)")
                .without("bulletin/Bulletin.java", "if (totals > ownAddends.getAsLong()) {", "if (totals < 0) {")
                .without("cohort/RunCohort.java", "        findings.require(policy.fewestRows());\n", "")
                .without("cohort/CohortRegister.java", "        findings.require(fewest);\n", "")) {
            assertThat(mutant.firstViolation(NEWTON_HELD_OUT, Simulation.Mode.RESTORED, 2000))
                    .contains("with the same masks");
        }
    }

    @Test
    void noticesWhenSitesThatContradictEachOtherEndWell() throws Exception {
        try (Mutant mutant = new Mutant(folder)
                .without("node/Attesting.java", "        if (!others.isEmpty()) {", "        if (others.size() > 99) {")
                // Who alters totals on their way would be noticed by this already; who signs its lie is not.
                .without("sums/MaskedSums.java", "            witness.requireSigned(last);\n", "")) {
            assertThat(mutant.firstViolation(NEWTON_HELD_OUT, Simulation.Mode.DEVIATING, 1000))
                    .contains("both ended with 0 and with different statements");
        }
    }
}
