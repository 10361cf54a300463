package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.peer.bulletin.RoundFile;
import dev.starling.peer.config.SiteConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites that never connect: people carry files between them. */
class FileRoundsTest {

    private static final Dataset ROWS =
            Generator.classification(360, 5).noise(0.2).seed(3).generate();

    private static final List<String> TRAINING = List.of("method: newton", "lambda: 1e-2", "gap: 1e-6", "tau: 30");

    @TempDir
    private Path directory;

    private final List<String> remarks = new ArrayList<>();

    private ProcessNetwork network() throws Exception {
        return new ProcessNetwork(directory, "complete", 3, TRAINING).with(ROWS, UnaryOperator.identity());
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    /** Starts a site once; what it ended with, or why it waits. */
    private Object started(ProcessNetwork network, int site) throws IOException {
        try {
            return FileRounds.run(
                    SiteConfig.read(network.yaml(site)), folder("out-" + site), folder("in-" + site), remarks::add);
        } catch (PeerStoppedException e) {
            return e.getMessage();
        }
    }

    private List<Path> files(int site) throws IOException {
        try (Stream<Path> all = Files.list(folder("out-" + site))) {
            return all.sorted().toList();
        }
    }

    /** Carries everything from everybody to everybody else. */
    private void carry() throws IOException {
        for (int from = 0; from < 3; from++) {
            for (Path file : files(from)) {
                for (int to = 0; to < 3; to++) {
                    if (to != from) {
                        Files.copy(
                                file,
                                folder("in-" + to).resolve(file.getFileName()),
                                StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    private List<PeerReport> finish(ProcessNetwork network) throws IOException {
        List<Optional<PeerReport>> ended =
                new ArrayList<>(List.of(Optional.empty(), Optional.empty(), Optional.empty()));
        for (int round = 0; round < 60 && ended.stream().anyMatch(Optional::isEmpty); round++) {
            for (int site = 0; site < 3; site++) {
                if (ended.get(site).isEmpty() && started(network, site) instanceof PeerReport report) {
                    ended.set(site, Optional.of(report));
                }
            }
            carry();
        }
        return ended.stream().map(Optional::orElseThrow).toList();
    }

    @Test
    void endsWithTheBitsOfARunOverLinksInAFewFiles() throws Exception {
        String online;
        try (ProcessNetwork network = network()) {
            online = PeerTest.run(network).get(0).fit().model().weightsHash();
            for (int site = 0; site < 3; site++) {
                network.edit(site, text -> text.replace("run: test", "run: files"));
            }
            List<PeerReport> ended = finish(network);
            assertThat(ended)
                    .extracting(report -> report.fit().model().weightsHash())
                    .containsOnly(online);
            assertThat(ended).allMatch(report -> report.fit().isCertified());
            assertThat(ended.get(1).fit().model().provenance().signatures().signers())
                    .hasSize(3);
            for (int site = 0; site < 3; site++) {
                assertThat(files(site)).hasSizeBetween(4, 12);
            }
        }
    }

    /** The example of the manual, whose delay nobody gives. */
    @Test
    void anOrdinaryFitTakesAtMostSixteenFilesAndCanBeReplayed() throws Exception {
        Dataset rows = Generator.classification(1200, 8).noise(0.1).seed(2).generate();
        List<String> training = List.of("method: newton", "lambda: 1e-4", "gap: 1e-6");
        try (ProcessNetwork network =
                new ProcessNetwork(directory, "complete", 3, training).with(rows, UnaryOperator.identity())) {
            List<PeerReport> ended = finish(network);
            assertThat(ended).allMatch(report -> report.fit().isCertified());
            for (int site = 0; site < 3; site++) {
                assertThat(files(site)).hasSizeLessThanOrEqualTo(16);
                Replay.Outcome replayed = Replay.of(SiteConfig.read(network.yaml(site)), Optional.empty());
                assertThat(replayed.isTrue()).as(replayed.toString()).isTrue();
                // From here a run over other sites may go on.
                assertThat(SiteConfig.read(network.yaml(site)).state().resolve("test/certified.bin"))
                        .isNotEmptyFile();
                assertThat(replayed.sums()).hasSizeGreaterThan(5);
            }
        }
    }

    @Test
    void waitsForTheFirstFileInAFolderThatIsNotThereYet() throws Exception {
        try (ProcessNetwork network = network()) {
            Path in = folder("out-0").resolveSibling("not-there-yet");
            assertThatThrownBy(
                            () -> FileRounds.run(SiteConfig.read(network.yaml(0)), folder("out-0"), in, remarks::add))
                    .isInstanceOf(PeerStoppedException.class)
                    .hasMessageStartingWith("waiting for test-site-1-000.starling of site site-1 in ");
            assertThat(in).isEmptyDirectory();
        }
    }

    @Test
    void namesTheFileThatIsMissing() throws Exception {
        try (ProcessNetwork network = network()) {
            assertThat(started(network, 0))
                    .asString()
                    .startsWith("waiting for test-site-1-000.starling of site site-1 in ");
            started(network, 1);
            started(network, 2);
            carry();
            Files.delete(folder("in-0").resolve("test-site-2-000.starling"));
            assertThat(started(network, 0)).asString().contains("waiting for test-site-2-000.starling");
            carry();
            // One that got lost on the way is written again.
            Files.delete(folder("out-1").resolve("test-site-1-000.starling"));
            started(network, 1);
            assertThat(folder("out-1").resolve("test-site-1-000.starling")).exists();
            assertThat(finish(network)).hasSize(3);
        }
    }

    @Test
    void wrongOldAndDoubledFilesAreNamedAndNothingIsLost() throws Exception {
        try (ProcessNetwork network = network()) {
            for (int round = 0; round < 5; round++) {
                for (int site = 0; site < 3; site++) {
                    started(network, site);
                }
                carry();
            }
            Path in = folder("in-0");
            Path newest = files(1).get(files(1).size() - 1);
            // The same file twice is no harm, and neither is one of another run.
            Files.copy(newest, in.resolve("again.starling"));
            started(network, 0);
            assertThat(remarks).anyMatch(text -> text.contains("again.starling") && text.contains("is the same as"));
            Files.delete(in.resolve("again.starling"));
            // A byte altered on the way.
            Path arrived = in.resolve(newest.getFileName());
            byte[] bytes = Files.readAllBytes(arrived);
            bytes[bytes.length / 3] ^= 1;
            Files.write(arrived, bytes);
            assertThatRefused(() -> started(network, 0))
                    .hasMessageContaining(newest.getFileName().toString());
            // Both of them: nobody but their owner can tell which is right.
            Files.copy(newest, in.resolve("right.starling"));
            assertThatThrownBy(() -> started(network, 0)).hasMessageContaining("right.starling");
            Files.delete(in.resolve("right.starling"));
            // Another site's file under this one's name.
            Files.write(arrived, Files.readAllBytes(files(2).get(0)));
            assertThat(started(network, 0)).asString().contains("waiting for");
            Files.write(in.resolve("rubbish.starling"), new byte[] {1, 2, 3});
            assertThatThrownBy(() -> started(network, 0)).hasMessageContaining("rubbish.starling is not a file of");
            Files.delete(in.resolve("rubbish.starling"));
            assertThat(finish(network)).hasSize(3);
        }
    }

    /**
     * Whoever carries the files learns who writes, how often and how much; the first file has a key, all others
     * nothing.
     */
    @Test
    void whoeverCarriesFilesCanReadNothingButKeys() throws Exception {
        try (ProcessNetwork network = network()) {
            finish(network);
            // What each site says about itself: its number of rows, followed by their weight.
            byte[] rows = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(120)
                    .putDouble(120)
                    .array();
            byte[] limit = "fewest-rows".getBytes(StandardCharsets.US_ASCII);
            byte[] kept = Files.readAllBytes(
                    SiteConfig.read(network.yaml(0)).state().resolve("test").resolve("totals"));
            assertThat(indexOf(kept, rows)).isNotNegative();
            assertThat(indexOf(kept, limit)).isNotNegative();
            for (int site = 0; site < 3; site++) {
                for (Path file : files(site)) {
                    RoundFile read = RoundFile.read(file);
                    boolean first = read.number() == 0;
                    assertThat(read.parts())
                            .as(file.toString())
                            .isNotEmpty()
                            .allMatch(part -> first == (part.kind() == RoundFile.Kind.KEY))
                            .allMatch(part -> first ? part.content().length == 32 : part.to() >= 0);
                    byte[] bytes = Files.readAllBytes(file);
                    assertThat(indexOf(bytes, rows)).as(file.toString()).isNegative();
                    assertThat(indexOf(bytes, limit)).as(file.toString()).isNegative();
                    assertThat(read.parts().size()).isLessThanOrEqualTo(first ? 1 : 4);
                }
            }
        }
    }

    private static int indexOf(byte[] bytes, byte[] piece) {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(new String(piece, StandardCharsets.ISO_8859_1));
    }

    /** One who carries files puts a key of its own in place of a site's, to read what the others encrypt for it. */
    @Test
    void aKeyThatItsSiteHasNotSignedIsRefused() throws Exception {
        try (ProcessNetwork network = network()) {
            for (int site = 0; site < 3; site++) {
                started(network, site);
            }
            carry();
            Path arrived = folder("in-0").resolve("test-site-1-000.starling");
            byte[] bytes = Files.readAllBytes(arrived);
            byte[] own = RoundFile.read(files(2).get(0)).parts().get(0).content();
            byte[] theirs = RoundFile.read(arrived).parts().get(0).content();
            System.arraycopy(own, 0, bytes, indexOf(bytes, theirs), own.length);
            Files.write(arrived, bytes);
            assertThatRefused(() -> started(network, 0))
                    .hasMessageContaining("test-site-1-000.starling was altered, or not written by site site-1");
            assertThat(files(0)).hasSize(1);
            carry();
            assertThat(finish(network)).hasSize(3);
        }
    }

    @Test
    void aSiteThatHasEndedWritesItsFilesAgainForOthers() throws Exception {
        try (ProcessNetwork network = network()) {
            finish(network);
            Files.delete(files(0).get(1));
            assertThatRefused(() -> started(network, 0)).hasMessageContaining("run test is over at this site");
            assertThat(folder("out-0").resolve("test-site-0-001.starling")).exists();
        }
    }
}
