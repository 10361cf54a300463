package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.internal.Version;
import dev.starling.data.Generator;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.facts.FactBook;
import dev.starling.peer.facts.SiteMeasures;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.NodeFacts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The root of a run of Newton's method that says what it likes, to a site that does what it should. */
class RogueNeighbourTest {

    private static final int FEATURES = 3;

    /** A weight, a sum, a gradient of 3 and half of a matrix of 3 by 3, in front of which orders are not longer. */
    private static final int LONGEST = 2 + FEATURES + FEATURES * (FEATURES + 1) / 2;

    private static final int ORDER = 5 + FEATURES;

    @TempDir
    private Path directory;

    private final AtomicReference<Peer> honest = new AtomicReference<>();
    private final ConcurrentLinkedQueue<String> journal = new ConcurrentLinkedQueue<>();

    @FunctionalInterface
    private interface Scene {
        void play(Link rogue, CompletableFuture<PeerReport> site) throws Exception;
    }

    /** Lets site 0 say its facts as it should; what it says after is up to the scene. */
    private void play(Scene scene) throws Exception {
        List<String> training = List.of("method: newton", "lambda: 1e-2", "gap: 1e-6", "tau: 30");
        try (ProcessNetwork network = new ProcessNetwork(directory, "line", 2, training)
                .with(Generator.classification(40, FEATURES).seed(4).generate(), UnaryOperator.identity())) {
            SiteConfig config = SiteConfig.read(network.yaml(0));
            FactBook book = new FactBook(0, 2);
            Identity identity = new Identity(0, config.site(), Version.current(), config.run(), config.networkDigest());
            try (Endpoint endpoint = Endpoint.open(
                    identity,
                    config.tls().load(),
                    Optional.empty(),
                    List.of(new Neighbour(1, "site-1", "site-1")),
                    new Limits(1000, FactBook.LONGEST_NOTE, FactBook.mostNotes(2)),
                    new Listening(book))) {
                book.spreadOver(endpoint.links());
                Site site = Site.load(config, Version.current());
                book.publish(site.shape());
                CompletableFuture<PeerReport> other = CompletableFuture.supplyAsync(
                        () -> PeerTest.start(SiteConfig.read(network.yaml(1)), (peer, line) -> {
                            honest.set(peer);
                            journal.add(line);
                        }));
                endpoint.connect(Map.of(1, config.neighbours().get(1).socketAddress()));
                // The site says what it measured when it knows the problem's size, and so the longest vector.
                await(() -> !book.missing(false).contains(1));
                NodeFacts facts = NodeFacts.counted(
                        LocalProblem.of(site.rows(), config.training().loss(), 1e-2));
                book.publish(new SiteMeasures(facts, 1, 0));
                scene.play(endpoint.links().iterator().next(), other);
                honest.get().leave();
            }
        }
    }

    private record Listening(FactBook book) implements LinkEvents {
        @Override
        public void onUp(Link link) {
            book.tell(link);
        }

        @Override
        public boolean onNote(Link link, int origin, int topic, byte[] body) {
            return book.hear(origin, topic, body);
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time to wait").isLessThan(end);
            Thread.sleep(5);
        }
    }

    @Test
    void shouldRefuseAVectorThatIsLongerThanTheProblemAllows() throws Exception {
        play((rogue, site) -> {
            rogue.send(new double[LONGEST + 1], LONGEST + 1, 0);
            await(() -> journal.stream()
                    .anyMatch(line ->
                            line.contains("event=refused") && line.contains("at most " + LONGEST + " doubles")));
            assertThat(site).isNotDone();
        });
    }

    @Test
    void shouldStopAtAnOrderThatMakesNoSenseAndNameWhereItCameFrom() throws Exception {
        play((rogue, site) -> {
            double[] order = new double[ORDER];
            order[0] = 0.5;
            rogue.send(order, ORDER, 0);
            assertThatThrownBy(() -> site.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(PeerStoppedException.class)
                    .hasMessageContaining("what came from site site-0 is wrong: node 0 sent the order");
        });
    }

    @Test
    void shouldStopAtAnOrderThatIsTooShort() throws Exception {
        play((rogue, site) -> {
            rogue.send(new double[2], 2, 0);
            assertThatThrownBy(() -> site.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("a vector that is too short came from site site-0");
        });
    }

    @Test
    void shouldStopAtNumbersThatAreNotFinite() throws Exception {
        play((rogue, site) -> {
            double[] order = new double[ORDER];
            order[ORDER - 1] = Double.NaN;
            rogue.send(order, ORDER, 0);
            assertThatThrownBy(() -> site.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("not all finite");
        });
    }
}
