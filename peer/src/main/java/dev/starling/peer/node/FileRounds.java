package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.job.JobResult;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.model.LinearModel;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.bulletin.RoundFile;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.membership.StartPoint;
import dev.starling.peer.sums.SumSession;
import dev.starling.problem.LocalProblem;
import dev.starling.runtime.Channel;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Driver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A site that may not connect to anybody: in each round it writes one file for the others, and reads theirs. Every call
 * begins anew with what the files say, so that nothing else has to be kept: the same files lead to the same words under
 * the same masks, which the ledger makes sure of. It ends when a file is missing, and says which.
 *
 * <p>It is longer than most classes, because it does alone, with files, what a session does with links.
 */
public final class FileRounds {

    private static final String OWN = "files";
    private static final int TO_ALL = -1;
    private static final int ROOT = 0;

    private final SiteConfig config;
    private final Path out;
    private final Path in;
    private final Site site;
    private final SiteSums sums;
    private final SumSession session;
    private final TrainingJob job;
    private final Map<Integer, Map<Integer, RoundFile>> received = new TreeMap<>();
    private final Map<String, Path> bodies = new TreeMap<>();
    private final Mailbox mailbox;
    private final Driver driver;
    private final List<Optional<byte[]>> attestations = new ArrayList<>();
    private final int written;

    private FileRounds(SiteConfig config, Path out, Path in, Consumer<String> log) throws IOException {
        this.config = config;
        this.out = out;
        this.in = in;
        this.site = Site.load(config);
        this.sums = new SiteSums(
                config, site, config.tls().load(), this::problem, why -> log.accept("its rules refuse: " + why));
        this.session = sums.session();
        this.job =
                site.job(config, false, Site.place(config, sums.guard()), TrainingListener.NONE, Replay.start(config));
        this.mailbox = new Mailbox(config.sites().size());
        this.driver = new Driver(
                new CheckedJob(job, config.sites(), sums::record),
                config.node(),
                mailbox,
                new Delays(node -> 1, (from, to) -> job.delay()),
                new Host());
        this.written = ownFiles();
        for (int node = 0; node < config.sites().size(); node++) {
            attestations.add(Optional.empty());
        }
    }

    /** Without links nothing is measured, so that all that a job may ask is whether time is up. */
    private static final class Host implements Driver.Host {
        @Override
        public double[] answer(String question) {
            throw new InvalidInputException("training.max-seconds cannot be kept by files; leave it out");
        }
    }

    /** What has arrived in files, and what is to be written to the next. */
    private static final class Mailbox implements Channel {

        private static final int LONGEST = 1 << 27;

        private record Message(double[] vector, double clock) {}

        private final List<Deque<Message>> arrived = new ArrayList<>();
        private final List<List<Message>> sent = new ArrayList<>();

        Mailbox(int sites) {
            for (int k = 0; k < sites; k++) {
                arrived.add(new ArrayDeque<>());
                sent.add(new ArrayList<>());
            }
        }

        @Override
        public boolean send(int to, Exchange exchange, double clock) {
            sent.get(to).add(new Message(Arrays.copyOf(exchange.payload(), exchange.length()), clock));
            return true;
        }

        @Override
        public double[] peek(int from) {
            Message next = arrived.get(from).peek();
            return next == null ? null : next.vector;
        }

        @Override
        public double peekClock(int from) {
            return arrived.get(from).element().clock;
        }

        @Override
        public void take(int from) {
            arrived.get(from).remove();
        }

        void receive(int from, byte[] content) {
            arrived.get(from).addAll(messages(content));
        }

        byte[] content(int to, int already) {
            // Where files are missing that once were here, less is sent again than was.
            List<Message> all = sent.get(to);
            List<Message> rest = all.subList(Math.min(already, all.size()), all.size());
            return rest.isEmpty() ? new byte[0] : Bytes.of(rest, Mailbox::state);
        }

        static List<Message> messages(byte[] content) {
            return Bytes.read(content, List.of(), Mailbox::state, "what a site sends in a file");
        }

        private static List<Message> state(State s, List<Message> messages) throws IOException {
            List<Message> all = new ArrayList<>(messages);
            s.elements(
                    all,
                    new Message(new double[0], 0),
                    (one, message) -> new Message(one.vector(message.vector, LONGEST), one.number(message.clock)));
            return all;
        }
    }

    /** Thrown to leave the driver when something has not arrived. */
    private static final class MissingException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int from;

        MissingException(int from) {
            super(null, null, false, false);
            this.from = from;
        }
    }

    private LocalProblem problem(int index) {
        return job.planning().problems().problem(index);
    }

    /**
     * Takes part as far as the others' files allow, and writes the next file for them.
     *
     * @param out the folder for this site's files
     * @param in the folder with the others' files
     * @param log receives remarks, such as files that are ignored
     * @return the result, once all sites have signed it
     * @throws PeerStoppedException if a file is missing, naming it
     */
    public static PeerReport run(SiteConfig config, Path out, Path in, Consumer<String> log) {
        try {
            Files.createDirectories(out);
            Files.createDirectories(in);
            FileRounds rounds = new FileRounds(config, out, in, log);
            try (rounds.sums) {
                return rounds.run(log);
            }
        } catch (IOException e) {
            throw new PeerStoppedException("files of rounds cannot be read or written: " + e.getMessage(), e);
        }
    }

    private PeerReport run(Consumer<String> log) throws IOException {
        publish();
        if (session.isOver()) {
            throw new InvalidInputException("run " + config.run() + " is over at this site, which has deleted its key;"
                    + " for whoever lacks one, all its files are in " + out + " again");
        }
        read(log);
        received.forEach(this::requireSigned);
        if (written == 0) {
            write(List.of(new RoundFile.Part(RoundFile.Kind.KEY, TO_ALL, session.ownKey())));
        }
        others(node -> session.key(node, part(node, 0, RoundFile.Kind.KEY, TO_ALL)));
        if (written <= 1) {
            // What can be said before anything is known of the others, such as how many rows there are, goes along.
            List<RoundFile.Part> parts = toOthers(RoundFile.Kind.FACTS, session.ownFacts());
            if (config.node() != ROOT) {
                advance();
            }
            parts.addAll(messages());
            write(parts);
        }
        others(node -> {
            if (!session.facts(node, part(node, 1, RoundFile.Kind.FACTS, config.node()))) {
                throw new InvalidInputException(
                        path(node, 1) + " holds facts that site " + name(node) + " has not signed");
            }
        });
        sums.begin();
        for (Map.Entry<Integer, Map<Integer, RoundFile>> files : received.entrySet()) {
            for (RoundFile file : files.getValue().values()) {
                receive(file);
            }
        }
        return finished();
    }

    private void others(IntConsumer action) {
        IntStream.range(0, config.sites().size())
                .filter(node -> node != config.node())
                .forEach(action);
    }

    /** The same content for each of the other sites, in the next file. */
    private List<RoundFile.Part> toOthers(RoundFile.Kind kind, byte[] content) {
        List<RoundFile.Part> parts = new ArrayList<>();
        others(to -> parts.add(encrypted(kind, to, content)));
        return parts;
    }

    private RoundFile.Part encrypted(RoundFile.Kind kind, int to, byte[] content) {
        return new RoundFile.Part(kind, to, session.encryptFile(to, ownFiles(), content));
    }

    /** Goes on with the job as far as what has arrived allows; says whom it then waits for, if anybody. */
    private Optional<Integer> advance() {
        try {
            driver.run((times, from) -> {
                throw new MissingException(from);
            });
            return Optional.empty();
        } catch (MissingException e) {
            return Optional.of(e.from);
        }
    }

    /** What the job has sent and is in no file yet. */
    private List<RoundFile.Part> messages() {
        List<RoundFile.Part> parts = new ArrayList<>();
        int[] told = told();
        for (int to = 0; to < config.sites().size(); to++) {
            byte[] content = mailbox.content(to, told[to]);
            if (content.length > 0) {
                parts.add(encrypted(RoundFile.Kind.MESSAGES, to, content));
            }
        }
        return parts;
    }

    private PeerReport finished() throws IOException {
        Optional<Integer> missing = advance();
        List<RoundFile.Part> parts = messages();
        if (ownFiles() == 2 && !(parts.isEmpty() && missing.isPresent())) {
            // Its proof that it shares a key with all others goes with the first that it says afterwards.
            parts.addAll(toOthers(
                    RoundFile.Kind.CONFIRMATION, session.ownConfirmation().orElseThrow()));
        }
        if (missing.isPresent()) {
            if (!parts.isEmpty()) {
                write(parts);
            }
            throw missing(missing.get());
        }
        return signed(parts);
    }

    /** Signs the result, and waits for all sites to sign the same. */
    private PeerReport signed(List<RoundFile.Part> parts) throws IOException {
        JobResult result = job.result();
        LinearModel model = site.complete(result.model(Bulletin.fingerprint(session.commitments())));
        Attesting attesting = new Attesting(session, sums::history, () -> List.copyOf(attestations), config.sites());
        if (!hasSigned()) {
            parts.addAll(toOthers(RoundFile.Kind.ATTESTATION, attesting.sign(model)));
            write(parts);
        }
        attestations.set(config.node(), Optional.of(attesting.sign(model)));
        attesting.requireAgreement(model);
        for (int node = 0; node < config.sites().size(); node++) {
            if (attestations.get(node).isEmpty()) {
                throw missing(node);
            }
        }
        StartPoint.write(job.reached(), own(0).resolveSibling(StartPoint.FILE));
        sums.forget();
        return PeerReport.of(config.site(), site, result, attesting.signed(model), new SiteExpenses(), driver);
    }

    private String name(int node) {
        return config.sites().get(node);
    }

    private Path path(int node, int number) {
        return in.resolve(RoundFile.name(config.run(), name(node), number));
    }

    /** Reads the others' files: of each site, from the first on. */
    private void read(Consumer<String> log) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(in)) {
            files = all.filter(RoundFile::isOne).sorted().toList();
        }
        Map<String, Path> sources = new TreeMap<>();
        for (Path file : files) {
            RoundFile read = RoundFile.read(file);
            if (!read.run().equals(config.run())
                    || read.site() >= config.sites().size()) {
                log.accept(file + " is of run " + read.run() + " and is ignored");
                continue;
            }
            if (read.site() == config.node()) {
                continue;
            }
            Path before = sources.putIfAbsent(read.site() + " " + read.number(), file);
            if (before != null && Files.mismatch(before, file) < 0) {
                log.accept(file + " is the same as " + before + " and is ignored");
            } else if (before != null) {
                throw new InvalidInputException(before + " and " + file + " are both file " + read.number()
                        + " of site " + name(read.site()) + " and differ; keep the one that it sent");
            } else {
                received.computeIfAbsent(read.site(), none -> new TreeMap<>()).put(read.number(), read);
            }
        }
        bodies.putAll(sources);
    }

    private void requireSigned(int node, Map<Integer, RoundFile> files) {
        for (int number : files.keySet()) {
            Path file = bodies.get(node + " " + number);
            try {
                if (!session.isSignedFile(node, Files.readAllBytes(file))) {
                    throw new InvalidInputException(
                            file + " was altered, or not written by site " + name(node) + "; ask for it again");
                }
            } catch (IOException e) {
                throw new PeerStoppedException(file + " cannot be read: " + e.getMessage(), e);
            }
        }
    }

    private PeerStoppedException missing(int node) {
        Map<Integer, RoundFile> files = received.getOrDefault(node, Map.of());
        int number = 0;
        while (files.containsKey(number)) {
            number++;
        }
        return new PeerStoppedException("waiting for " + RoundFile.name(config.run(), name(node), number) + " of site "
                + name(node) + " in " + in + "; give the others what is in " + out
                + ", and start again once it is there");
    }

    /** The content of a part, which must be there; decrypted, unless it is for all. */
    private byte[] part(int node, int number, RoundFile.Kind kind, int to) {
        RoundFile file = received.getOrDefault(node, Map.of()).get(number);
        if (file == null) {
            throw missing(node);
        }
        return file.parts().stream()
                .filter(part -> part.kind() == kind && part.to() == to)
                .map(part -> to == TO_ALL ? part.content() : decrypted(file, part))
                .findFirst()
                .orElseThrow(
                        () -> new InvalidInputException(path(node, number) + " has another content than expected"));
    }

    private byte[] decrypted(RoundFile file, RoundFile.Part part) {
        return session.decryptFile(file.site(), part.to(), file.number(), part.content());
    }

    /** Takes what is for this site out of a file; files after a missing one wait. */
    private void receive(RoundFile file) throws IOException {
        for (int number = 0; number < file.number(); number++) {
            if (!received.get(file.site()).containsKey(number)) {
                return;
            }
        }
        if (file.number() == 2
                && !session.confirmation(
                        file.site(), part(file.site(), 2, RoundFile.Kind.CONFIRMATION, config.node()))) {
            throw notSigned(file, "a proof of its key");
        }
        for (RoundFile.Part part : file.parts()) {
            if (part.kind() == RoundFile.Kind.MESSAGES && part.to() == config.node()) {
                mailbox.receive(file.site(), decrypted(file, part));
            } else if (part.kind() == RoundFile.Kind.ATTESTATION && part.to() == config.node()) {
                byte[] content = decrypted(file, part);
                if (!session.attestation(file.site(), content)) {
                    throw notSigned(file, "a statement about the result");
                }
                attestations.set(file.site(), Optional.of(content));
            }
        }
    }

    private InvalidInputException notSigned(RoundFile file, String what) {
        return new InvalidInputException(
                path(file.site(), file.number()) + " holds " + what + " that its site has not signed");
    }

    private Path own(int number) {
        return own(config, number);
    }

    private static Path own(SiteConfig config, int number) {
        return config.state().resolve(config.run()).resolve(OWN + "-" + number);
    }

    /** Whether a site takes part in its run by files. */
    static boolean isUsed(SiteConfig config) {
        return Files.exists(own(config, 0));
    }

    /** How many files this site has written; a copy of each stays in its state. */
    private int ownFiles() {
        int number = 0;
        while (Files.exists(own(number))) {
            number++;
        }
        return number;
    }

    /** How many messages to each site are in this site's files. */
    private int[] told() {
        int[] told = new int[config.sites().size()];
        for (int number = 0; number < ownFiles(); number++) {
            RoundFile file = RoundFile.read(own(number));
            for (RoundFile.Part part : file.parts()) {
                if (part.kind() == RoundFile.Kind.MESSAGES) {
                    told[part.to()] += Mailbox.messages(decrypted(file, part)).size();
                }
            }
        }
        return told;
    }

    private boolean hasSigned() {
        int number = ownFiles();
        return number > 0
                && RoundFile.read(own(number - 1)).parts().stream()
                        .anyMatch(part -> part.kind() == RoundFile.Kind.ATTESTATION);
    }

    /** Writes the next file: first into the site's state, so that it is the same if this is repeated. */
    private void write(List<RoundFile.Part> parts) throws IOException {
        int number = ownFiles();
        new RoundFile(config.run(), config.node(), number, parts).write(own(number), session);
        publish();
    }

    /** Puts every file of this site into its folder; one that was deleted there comes again. */
    private void publish() throws IOException {
        for (int number = 0; number < ownFiles(); number++) {
            Path target = out.resolve(RoundFile.name(config.run(), config.site(), number));
            if (!Files.exists(target)) {
                byte[] content = Files.readAllBytes(own(number));
                AtomicFiles.write(target, file -> file.write(content));
            }
        }
    }
}
