package dev.starling.peer.node;

import static dev.starling.support.Await.await;
import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.job.PlanningPhase;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.HiddenSum;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.ModelStatement;
import dev.starling.peer.sums.MaskedSums;
import dev.starling.peer.sums.SignedLie;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkChannel;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import dev.starling.peer.transport.Surroundings;
import dev.starling.peer.wire.GivingUp;
import dev.starling.problem.LocalProblem;
import dev.starling.runtime.Channel;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Driver;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The root of a run of Newton's method that says what it likes, to a site that does what it should. */
class RogueNeighbourTest {

    private static final int FEATURES = 3;

    /** Entries of what is told of the first pass: losses, gradients, curvatures, and the seals of two sites. */
    private static final int TOTALS = HiddenSum.HEAD + 5 + FEATURES + FEATURES * (FEATURES + 1) / 2 + 2 * 12;

    @TempDir
    private Path directory;

    private SiteSums introduced;
    private PlanningPhase planned;
    private final Set<Peer> honest = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> journal = new ConcurrentLinkedQueue<>();

    @FunctionalInterface
    private interface Scene {
        void play(Link rogue, CompletableFuture<PeerReport> site) throws Exception;
    }

    /** Lets site 0 agree with the other as it should; what it says after is up to the scene. */
    private void playAfterAgreement(Scene scene) throws Exception {
        play((rogue, site) -> {
            SiteConfig config = SiteConfig.read(directory.resolve("site-0.yaml"));
            await(() -> introduced.session().isKnown()
                    && introduced.session().missing().isEmpty());
            JobRules rules = new JobRules(JobRules.LabelRule.KNOWN_TO_ONE, Optional.empty(), false, false);
            PlanningPhase agreement = new PlanningPhase(
                    config.training(),
                    rules,
                    config.network(),
                    Collectives.apart(config.network().spanningTree(), 0, 2, introduced.guard()),
                    NodeRows.all(Site.load(config).rows()));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            new Driver(agreement, 0, new LinkChannel(List.of(rogue), 2), Delays.uniform(0), Driver.Host.NONE)
                    .run((times, from) -> {
                        assertThat(System.nanoTime()).as("time to agree").isLessThan(end);
                        LockSupport.parkNanos(1_000_000);
                    });
            scene.play(rogue, site);
        });
    }

    private LocalProblem problem(int index) {
        return planned.problems().problem(index);
    }

    /** Lets site 0 say who it is, and nothing else. */
    private void play(Scene scene) throws Exception {
        play(UnaryOperator.identity(), scene);
    }

    private void play(UnaryOperator<String> edit, Scene scene) throws Exception {
        play(2, edit, (rogues, sites) -> scene.play(rogues.get(0), sites.get(0)));
    }

    @FunctionalInterface
    private interface Scenes {
        void play(List<Link> rogues, List<CompletableFuture<PeerReport>> sites) throws Exception;
    }

    private void play(int count, UnaryOperator<String> edit, Scenes scene) throws Exception {
        List<String> training = List.of("method: newton", "lambda: 1e-2", "gap: 1e-6", "tau: 30");
        try (ProcessNetwork network = new ProcessNetwork(directory, "complete", count, training)
                .with(Generator.classification(40 * count, FEATURES).seed(4).generate(), edit)) {
            SiteConfig config = SiteConfig.read(network.yaml(0));
            Bulletin bulletin = new Bulletin(0, count, (site, reason, objection, gone) -> {});
            Identity identity = new Identity(0, config.site(), config.run(), config.networkText());
            List<Neighbour> neighbours = IntStream.range(1, count)
                    .mapToObj(node -> new Neighbour(node, "site-" + node, "site-" + node))
                    .toList();
            List<CompletableFuture<PeerReport>> others = new ArrayList<>();
            try (Endpoint endpoint = Endpoint.open(
                    identity,
                    config.tls().load(),
                    Optional.empty(),
                    neighbours,
                    new Limits(1000, Bulletin.LONGEST_NOTE, Bulletin.mostNotes(count)),
                    new Listening(bulletin))) {
                bulletin.spreadOver(endpoint.links());
                introduced =
                        new SiteSums(config, Site.load(config), config.tls().load(), this::problem, why -> {});
                introduced.introduce(bulletin);
                bulletin.publish(introduced.presence());
                for (int node = 1; node < count; node++) {
                    SiteConfig other = SiteConfig.read(network.yaml(node));
                    others.add(CompletableFuture.supplyAsync(() -> PeerTest.start(
                            other,
                            Site::load,
                            (peer, line) -> {
                                honest.add(peer);
                                journal.add(line);
                            },
                            hasty())));
                }
                Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
                config.neighbours().forEach((node, remote) -> addresses.put(node, remote.address()));
                endpoint.connect(addresses);
                List<Link> links = new ArrayList<>();
                endpoint.links().forEach(links::add);
                await(() -> links.stream().allMatch(Link::isUp));
                scene.play(links, others);
            } finally {
                honest.forEach(Peer::leave);
                others.forEach(other -> other.handle((report, failure) -> true)
                        .orTimeout(40, TimeUnit.SECONDS)
                        .join());
            }
        }
    }

    /** Surroundings in which ten seconds pass in one: what a site waits for in vain takes no longer than that. */
    private static Surroundings hasty() {
        Surroundings real = Surroundings.real();
        return (Surroundings) Proxy.newProxyInstance(
                Surroundings.class.getClassLoader(),
                new Class<?>[] {Surroundings.class},
                (proxy, method, given) ->
                        method.getName().equals("nanos") ? 10 * real.nanos() : method.invoke(real, given));
    }

    private record Listening(Bulletin bulletin) implements LinkEvents {
        @Override
        public void onUp(Link link) {
            bulletin.tell(link);
        }

        @Override
        public boolean onNote(Link link, int origin, int topic, byte[] body) {
            return bulletin.hear(origin, topic, body);
        }
    }

    /** It is there, its link is up, and it never sends what is due. */
    @Test
    void stopsWhenANeighbourIsSilentForTooLong() throws Exception {
        play(text -> text.replace("wait: 10m", "wait: 10m\nstall: 2s"), (rogue, site) -> {
            assertThatThrownBy(() -> site.get(40, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(PeerStoppedException.class)
                    .hasMessageContaining("site site-0 is there, but has sent nothing that was due since")
                    .hasMessageContaining("longer than stall: 2s");
            assertThat(rogue.isUp() || site.isDone()).isTrue();
        });
    }

    /** A root that has told others another last total signs another history. */
    @Test
    void hasNoModelIfAnotherSiteSignsAnotherHistory() throws Exception {
        play((rogue, site) -> {
            SiteConfig config = SiteConfig.read(directory.resolve("site-0.yaml"));
            await(() -> introduced.session().isKnown()
                    && introduced.session().missing().isEmpty());
            TrainingJob job = job(config);
            drive(job, new LinkChannel(List.of(rogue), 2), site);
            ModelStatement statement = new ModelStatement(
                    ModelStatement.hex(introduced.session().id()),
                    ModelStatement.hex(new byte[32]),
                    "0".repeat(64),
                    job.result().model("rows").provenance().certificate());
            rogue.note(0, 5, introduced.session().attest(statement.encode()));
            assertThatThrownBy(() -> site.get(40, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(PeerStoppedException.class)
                    .hasMessageContaining("site site-0 has signed another result or other totals than this one")
                    .hasMessageContaining("; site site-0 did not show which totals it was told")
                    .satisfies(e -> assertThat(((PeerStoppedException) e.getCause()).isResumable())
                            .isFalse());
        });
    }

    private TrainingJob job(SiteConfig config) throws Exception {
        introduced.begin();
        Site own = Site.load(config);
        planned = new PlanningPhase(
                config.training(),
                Site.rules(config, true),
                config.network(),
                Collectives.apart(
                        config.network().spanningTree(), 0, config.sites().size(), introduced.guard()),
                own.divided().training());
        return new TrainingJob(
                config.training(),
                Site.rules(config, true),
                planned,
                TrainingListener.NONE,
                Optional.empty(),
                own.divided().held());
    }

    /** Drives a job until it ends, or the other site has. */
    private static void drive(TrainingJob job, Channel channel, CompletableFuture<PeerReport> other) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        new Driver(job, 0, channel, Delays.uniform(0), Driver.Host.NONE).run((times, from) -> {
            assertThat(System.nanoTime()).as("time to train").isLessThan(end);
            if (other.isDone()) {
                throw new InvalidInputException("the other site has ended");
            }
            LockSupport.parkNanos(1_000_000);
        });
    }

    /**
     * A root that tells two sites different totals in the middle of a run, and signs both. It passes nothing else on;
     * the two have a link of their own.
     */
    @Test
    void whoeverSignsTwoTotalsIsNamedInTheMiddleOfTheRun() throws Exception {
        play(3, UnaryOperator.identity(), (rogues, sites) -> {
            SiteConfig config = SiteConfig.read(directory.resolve("site-0.yaml"));
            await(() -> introduced.session().isKnown()
                    && introduced.session().missing().isEmpty());
            TrainingJob job = job(config);
            Channel lying = new Lying(new LinkChannel(rogues, 3));
            assertThatRefused(() -> drive(job, lying, sites.get(0)));
            rogues.forEach(link -> link.note(0, 2, stopping()));
            for (CompletableFuture<PeerReport> site : sites) {
                assertThatThrownBy(() -> site.get(40, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(PeerStoppedException.class)
                        .hasMessageContaining(
                                "; site site-0 lied: it has signed different totals for site site-1 and for site"
                                        + " site-2")
                        .satisfies(e -> assertThat(((PeerStoppedException) e.getCause()).isResumable())
                                .isFalse());
            }
        });
    }

    /** What a site says that stops for good. */
    private static byte[] stopping() {
        return GivingUp.newBuilder()
                .setNumber(1)
                .setReason("somebody sent noise")
                .setGone(1)
                .build()
                .toByteArray();
    }

    /** Tells site 2 another fifth total than site 1. */
    private final class Lying implements Channel {
        private static final long LIE = 5;
        private final Channel honest;
        private byte[] before = {};
        private byte[] now = {};

        Lying(Channel honest) {
            this.honest = honest;
        }

        @Override
        public boolean send(int to, Exchange exchange, double clock) {
            MaskedSums guard = (MaskedSums) introduced.guard();
            if (!Arrays.equals(now, guard.digest())) {
                before = now;
                now = guard.digest();
            }
            if (to == 2 && guard.opened() == LIE && exchange.isRest()) {
                double[] lie = SignedLie.of(
                        introduced.session(),
                        directory.resolve("state-site-0/test/ledger"),
                        LIE,
                        before,
                        Arrays.copyOf(exchange.payload(), exchange.length()),
                        3);
                return honest.send(to, new Exchange().tell(new int[] {to}, lie, lie.length), clock);
            }
            return honest.send(to, exchange, clock);
        }

        @Override
        public double[] peek(int from) {
            return honest.peek(from);
        }

        @Override
        public double peekClock(int from) {
            return honest.peekClock(from);
        }

        @Override
        public void take(int from) {
            honest.take(from);
        }

        @Override
        public void expect(int entries) {
            honest.expect(entries);
        }
    }

    @Test
    void refusesAVectorLongerThanTheProblemAllows() throws Exception {
        playAfterAgreement((rogue, site) -> {
            rogue.send(new double[LinkChannel.SMALL + 1], LinkChannel.SMALL + 1, 0);
            Thread.sleep(200);
            assertThat(site).isNotDone();
            assertThat(rogue.isUp()).isTrue();
        });
    }

    @Test
    void stopsAtAVectorThatTheJobDoesNotExpect() throws Exception {
        play((rogue, site) -> {
            rogue.send(new double[] {5, 5}, 2, 0);
            assertThatThrownBy(() -> site.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(PeerStoppedException.class)
                    .hasMessageContaining("site site-0 sent something invalid: node 0 sent a vector of 2 entries");
        });
    }

    /** What the site sent was replaced on the way, or its seal was. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true  | 1  | 3   | site site-0 sent something invalid: a sum covers 3.0 nodes instead of 2
            true  | 1  | 2   | site site-0 sent something invalid: totals under another seal
            true  | -1 | NaN | not all finite
            false | 0  | 0   | site site-0 sent something invalid: node 0 sent a vector of 2 entries
            """)
    void stopsAtInvalidTotalsNamingTheirSource(boolean whole, int at, double number, String why) throws Exception {
        playAfterAgreement((rogue, site) -> {
            double[] totals = new double[whole ? TOTALS : 2];
            totals[Math.floorMod(at, totals.length)] = number;
            rogue.send(totals, totals.length, 0);
            assertThatThrownBy(() -> site.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(PeerStoppedException.class)
                    .hasMessageContaining(why);
        });
    }
}
