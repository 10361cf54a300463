package dev.starling.peer.node;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.cohort.CohortRegister;
import dev.starling.peer.cohort.RunCohort;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.membership.Membership;
import dev.starling.peer.policy.ColumnCheck;
import dev.starling.peer.policy.Disclosure;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.policy.SlopesAccount;
import dev.starling.peer.transport.ConnectionTrial;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Neighbour;
import dev.starling.peer.trust.CertificateNames;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.Sha256;
import dev.starling.settings.Settings;
import dev.starling.study.StudyRows;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks everything that a site needs before it trains: files, keys, addresses, data, and whether neighbours can be
 * reached.
 *
 * <p>It is longer than most classes, because each thing that may be wrong has its own finding and remedy.
 */
public final class SiteCheck {

    private static final int MOST_LABELS = 1000;

    private static final Duration SOON = Duration.ofDays(30);
    private static final long LEAST_BYTES = 64L << 20;

    /** The result of one check. */
    public enum Verdict {
        /** It is as it should be. */
        OK,
        /** It is good enough, but somebody should look into it. */
        NOTE,
        /** It is not there yet, but may be by the time the site is started; nothing needs to be changed. */
        LATER,
        /** A run would fail on it. */
        WRONG
    }

    /**
     * What was checked, and the result.
     *
     * @param verdict whether it is as it should be
     * @param text what was found
     */
    public record Finding(Verdict verdict, String text) {}

    private final SiteConfig config;
    private final List<Finding> findings = new ArrayList<>();
    private Disclosure disclosure;

    private SiteCheck(SiteConfig config) {
        this.config = config;
    }

    /**
     * The results of all checks.
     *
     * @param findings one for each check
     * @param tells what a run would disclose to the other sites, if the rows could be read
     */
    public record Report(List<Finding> findings, Optional<Disclosure> tells) {

        /** Copies the list. */
        public Report {
            findings = List.copyOf(findings);
        }
    }

    /** Runs all checks; nothing is trained, and nothing is left behind except an empty state directory. */
    public static Report of(SiteConfig config) {
        SiteCheck check = new SiteCheck(config);
        check.run();
        return new Report(check.findings, Optional.ofNullable(check.disclosure));
    }

    private void run() {
        attempt(() -> ok("site " + config.site() + " is node " + config.node() + " of "
                + config.sites().size() + ", with neighbours "
                + new TreeMap<>(config.neighbours())
                        .keySet().stream().map(config.sites()::get).toList()));
        attempt(() -> {
            Site site = Site.load(config);
            findings.add(ok(data(site.rows())));
            return rules(site);
        });
        attempt(() -> ok(state()));
        attempt(this::room);
        config.model().ifPresent(model -> attempt(() -> ok(writable(model))));
        attempt(() -> ok(listening("listen", config.listen())));
        config.monitoring().ifPresent(address -> attempt(() -> ok(listening("monitoring", address))));
        List<Credentials> loaded = new ArrayList<>();
        attempt(() -> {
            Credentials credentials = config.tls().load();
            Finding finding = certificate(credentials);
            loaded.add(credentials);
            return finding;
        });
        if (config.change().isPresent() && !loaded.isEmpty()) {
            attempt(() -> {
                Membership.start(config, loaded.get(0));
                return ok("change "
                        + config.change().orElseThrow().file().getFileName() + " is signed by all sites of run "
                        + config.run());
            });
        }
        loaded.forEach(this::neighbours);
    }

    private void neighbours(Credentials credentials) {
        for (int node : new TreeMap<>(config.neighbours()).keySet()) {
            if (node < config.node()) {
                findings.add(ok("neighbour " + config.sites().get(node)
                        + " will connect to this site; there is nothing to check from here"));
            } else {
                attempt(() -> reach(node, credentials));
            }
        }
    }

    /**
     * Connects to a neighbour as a run does and disconnects again, to check whether it is running, whether it is who it
     * should be, and whether it accepts this site. A neighbour that is not running yet is distinguished from one that
     * is wrong.
     */
    private Finding reach(int node, Credentials credentials) throws IOException {
        SiteConfig.Remote remote = config.neighbours().get(node);
        String name = config.sites().get(node);
        String where = "neighbour " + name + " at " + SiteConfig.text(remote.address())
                + config.proxy().map(proxy -> " through the proxy " + proxy).orElse("");
        Identity self = new Identity(config.node(), config.site(), config.run(), config.networkText());
        Neighbour neighbour = new Neighbour(node, name, remote.certificateName(), config.pin(node));
        try (ConnectionTrial trial = ConnectionTrial.of(self, credentials, neighbour, config.proxy())) {
            ConnectionTrial.Answer answer = trial.call(remote.address());
            return switch (answer.outcome()) {
                case THERE -> ok(where + " answers and is who it should be");
                case NOT_THERE ->
                    new Finding(
                            Verdict.LATER,
                            where + " is not started yet, or cannot be reached (" + answer.reason() + ")");
                case WRONG -> throw new InvalidInputException(where + " is not usable: " + answer.reason());
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while calling " + where, e);
        }
    }

    private static Finding ok(String text) {
        return new Finding(Verdict.OK, text);
    }

    @FunctionalInterface
    private interface Attempt {
        Finding run() throws IOException, GeneralSecurityException;
    }

    private void attempt(Attempt attempt) {
        try {
            findings.add(attempt.run());
        } catch (InvalidInputException e) {
            findings.add(new Finding(Verdict.WRONG, e.getMessage()));
        } catch (IOException | GeneralSecurityException e) {
            findings.add(new Finding(Verdict.WRONG, String.valueOf(e.getMessage())));
        }
    }

    /** Checks whether this site's own rules let it take part, and computes what they let it disclose. */
    private Finding rules(Site site) throws IOException {
        Dataset rows = site.rows();
        Policy policy = config.policy();
        RunCohort cohort = site.cohort(config);
        disclosure = Disclosure.of(
                policy,
                config.training(),
                rows,
                config.sites().size(),
                CohortRegister.exists(config.register()) ? cohort.passesBefore() : 0,
                site.studied().map(StudyRows::sums).orElse(0),
                site.numbersToFinish());
        if (rows.rows() < policy.fewestRows()) {
            throw new InvalidInputException("this site has " + rows.rows() + " rows, but its rules require at least "
                    + policy.fewestRows() + " in every sum; get more, or set policy: fewest-rows");
        }
        if (disclosure.estimates() && !policy.estimates() && config.sites().size() > 1) {
            throw new InvalidInputException(
                    "method " + disclosure.method() + " lets neighbours see estimates, from which"
                            + " rows can be computed, and this site's rules refuse that; choose another method, or say"
                            + " 'estimates: accept' under policy: in the files of all sites");
        }
        if (disclosure.differences().bySite()
                && !policy.siteEstimates()
                && config.sites().size() > 1) {
            throw new InvalidInputException("heterogeneity "
                    + config.training().heterogeneity().text()
                    + " shows what this site's rows add up to, and its rules refuse that; leave by-site out, or say"
                    + " 'site-estimates: accept' under policy: in the files of all sites");
        }
        if (!disclosure.estimates()) {
            requireNumbers(site);
        }
        // As far as this site can tell: the others may have rules of their own.
        Policy.requireEnoughSites(Collections.nCopies(
                config.sites().size(), policy.limits(rows.storedValues(), rows.features(), false, 0)));
        ColumnCheck.require(rows, config.training().loss().isClassification(), policy);
        SlopesAccount account =
                cohort.require(() -> new SiteSignature(config.tls().load()));
        String spent = account.largest() > 0
                ? "; after earlier runs, " + CohortRegister.leverage(account.largest(), policy)
                : "";
        return disclosure.smallCells() > 0
                ? new Finding(
                        Verdict.NOTE,
                        "its rules let the site take part, but some cells have few rows: see below" + spent)
                : ok("its rules let the site take part" + spent);
    }

    /**
     * Refuses a run that this site's rules would end before it has begun: what precedes and follows training is set
     * aside, and training of each model begins with a gradient and ends with one, whatever its limits.
     */
    private void requireNumbers(Site site) {
        Settings training = config.training();
        int features = site.rows().features();
        long models = Math.max(1, training.path().size())
                * (1L + training.folds().among(config.sites().size()));
        Map<String, Long> parts = new LinkedHashMap<>();
        parts.put("before training", Policy.beforeTraining(features, training.gathersMoments()));
        parts.put("for what the study learns from rows", (long) site.numbersToFinish());
        long gradient = Math.max(disclosure.gradientNumbers(), training.loss().parameters(features));
        parts.put("for the first and the last gradient of training", 2 * models * gradient);
        parts.put("about folds", disclosure.numbersOfFolds());
        parts.put("for bins of held-out rows", (long) disclosure.numbersAfter());
        parts.put("at most for standard errors", (long) disclosure.numbersOfErrors());
        parts.values().removeIf(numbers -> numbers == 0);
        long needed = parts.values().stream().mapToLong(numbers -> numbers).sum();
        if (needed > disclosure.numbers()) {
            throw new InvalidInputException("a run must have room for " + needed + " numbers ("
                    + parts.entrySet().stream()
                            .map(part -> part.getValue() + " " + part.getKey())
                            .collect(Collectors.joining(", "))
                    + "), and this site's rules allow " + disclosure.numbers() + ", for its " + disclosure.values()
                    + " values that are not 0; earlier runs have spent none of these, since every run may release as"
                    + " many; say 'released-part: " + (100 * needed / Math.max(1, disclosure.values()) + 1) / 100.0
                    + "' under policy:, which lets more be known about the rows, get more of them, leave out columns"
                    + (disclosure.numbersAfter() > 0 ? ", or hold out none at all sites" : ""));
        }
    }

    private String data(Dataset rows) {
        List<Double> classes = config.training().labels();
        for (double label : rows.labels()) {
            if (!classes.isEmpty() && !classes.contains(label + 0.0)) {
                throw new InvalidInputException("data " + config.data().file().getFileName() + " has label " + label
                        + ", which is not one of the classes " + classes + "; correct training: labels");
            }
        }
        String labels = config.training().loss().isClassification()
                ? "labels "
                        + Arrays.stream(rows.labels())
                                .map(label -> label + 0.0)
                                .sorted()
                                .distinct()
                                .boxed()
                                .limit(MOST_LABELS)
                                .toList()
                : "numbers to predict";
        return "data " + config.data().file().getFileName() + " has " + rows.rows() + " rows, " + rows.features()
                + " features, " + labels
                + config.data()
                        .study()
                        .map(study -> "; it fits the study " + study.digest())
                        .orElse("");
    }

    private String state() {
        List<String> warnings = new ArrayList<>();
        try (CheckpointStore store = CheckpointStore.open(
                config.state().resolve(config.run()), config.checkpoints().keep(), warnings::add)) {
            boolean resumes = store.newest().isPresent();
            if (!warnings.isEmpty()) {
                throw new InvalidInputException(warnings.get(0));
            }
            return "state " + config.state().getFileName() + " can be written, by its owner only"
                    + (resumes ? ", and holds run " + config.run() + ", which will be resumed" : "");
        } catch (IOException e) {
            throw new InvalidInputException(config.state() + ": " + CheckpointStore.describe(e), e);
        }
    }

    /**
     * Checks the space for checkpoints: for every neighbour, each checkpoint may hold as much as is kept between
     * checkpoints.
     */
    private Finding room() throws IOException {
        Path directory = config.state().resolve(config.run());
        long free = Files.getFileStore(directory).getUsableSpace();
        long most = (config.checkpoints().keep() + 1L)
                * (config.checkpoints().bytes()
                        * Math.max(1, config.neighbours().size()));
        String text = "disk of state " + config.state().getFileName() + " has " + megabytes(free) + " free";
        if (free < LEAST_BYTES) {
            throw new InvalidInputException(text + "; a run needs at least " + megabytes(LEAST_BYTES) + ": make room");
        }
        return free < most
                ? new Finding(
                        Verdict.NOTE,
                        text + ", less than the " + megabytes(most) + " that checkpoints may take when a neighbour is"
                                + " slow; make room, or lower checkpoints.megabytes")
                : ok(text + ", and checkpoints take at most " + megabytes(most));
    }

    private static String megabytes(long bytes) {
        return (bytes >> 20) + " MB";
    }

    private static String writable(Path model) throws IOException {
        Path folder = model.toAbsolutePath().getParent();
        if (Files.isDirectory(model)) {
            throw new InvalidInputException("model " + model + " is a directory; give the name of a file");
        }
        if (!Files.isDirectory(folder)) {
            throw new InvalidInputException("model " + model + " cannot be written: the folder " + folder
                    + " does not exist; create it, or change 'model:'");
        }
        try {
            Files.delete(Files.createTempFile(folder, ".starling", ".tmp"));
        } catch (AccessDeniedException e) {
            throw new InvalidInputException(
                    "model " + model + " cannot be written: no file can be created in " + folder
                            + "; choose a folder that this user may write to",
                    e);
        }
        return "model " + model.getFileName() + " can be written"
                + (Files.exists(model) ? " and will be replaced" : "");
    }

    private static String listening(String key, InetSocketAddress configured) {
        String where = configured.getHostString() + ":" + configured.getPort();
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(configured.getHostString(), configured.getPort()));
            return key + " " + where + " is free";
        } catch (IOException e) {
            throw new InvalidInputException(
                    key + " " + where + " cannot be used: " + e.getMessage() + "; is this site already running?", e);
        }
    }

    private Finding certificate(Credentials credentials) throws GeneralSecurityException {
        X509Certificate own = credentials.certificate();
        String name = "certificate " + config.tls().certificate().getFileName();
        requireNotRevoked(name, credentials);
        requireValid(name, own);
        X509Certificate authority = requireSigned(credentials);
        requireValid("authority " + config.tls().authority().getFileName(), authority);
        requireKey(credentials);
        config.requireOwnKey(credentials);
        Set<String> names = CertificateNames.of(own);
        if (!names.contains(config.site())) {
            throw new InvalidInputException(name + " carries the names " + names + ", not " + config.site()
                    + "; neighbours must then say 'certificate: NAME' for this site");
        }
        Instant end = own.getNotAfter().toInstant();
        Instant authorityEnd = authority.getNotAfter().toInstant();
        boolean soon = isSoon(end) || isSoon(authorityEnd);
        return new Finding(
                soon ? Verdict.NOTE : Verdict.OK,
                name + " carries the name " + config.site() + ", is signed by the authority and valid until "
                        + inWords(end) + "; the authority until " + inWords(authorityEnd)
                        + (soon ? ": renew it before it expires" : ""));
    }

    /** A site's own list may name it, too: its neighbours would refuse it. */
    private static void requireNotRevoked(String name, Credentials credentials) {
        boolean revoked =
                credentials.trust().revoked().stream().anyMatch(list -> list.isRevoked(credentials.certificate()));
        if (revoked) {
            throw new InvalidInputException(name + " is on the list of revoked certificates (tls.revoked), and the"
                    + " neighbours refuse it; ask the authority for another");
        }
    }

    private static void requireValid(String name, X509Certificate certificate) {
        Instant now = Instant.now();
        Instant begin = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        if (now.isBefore(begin)) {
            throw new InvalidInputException(
                    name + " is not valid before " + inWords(begin) + "; by this machine's clock it is now "
                            + now.truncatedTo(ChronoUnit.SECONDS) + ": is the clock right?");
        }
        if (now.isAfter(end)) {
            throw new InvalidInputException(
                    name + " expired on " + inWords(end) + "; have a new one issued (by this machine's clock it is now "
                            + now.truncatedTo(ChronoUnit.SECONDS) + ")");
        }
    }

    private static boolean isSoon(Instant end) {
        return Instant.now().plus(SOON).isAfter(end);
    }

    /** A time, and how far away it is. */
    private static String inWords(Instant time) {
        Duration away = Duration.between(Instant.now(), time);
        long days = away.abs().toDays();
        String distance = days > 1 ? days + " days" : away.abs().toHours() + " hours";
        return time.truncatedTo(ChronoUnit.SECONDS)
                + (away.isNegative() ? " (" + distance + " ago)" : " (in " + distance + ")");
    }

    /** Returns the authority that signed the certificate. */
    private static X509Certificate requireSigned(Credentials credentials) throws GeneralSecurityException {
        X509Certificate last = credentials.chain().get(credentials.chain().size() - 1);
        for (X509Certificate authority : credentials.authorities()) {
            if (isSignedBy(last, authority)) {
                return authority;
            }
        }
        throw new InvalidInputException("the certificate is signed by " + last.getIssuerX500Principal()
                + ", whose key is not that of tls.authority; give the certificate of the authority that signed it");
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate authority)
            throws GeneralSecurityException {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (SignatureException | InvalidKeyException e) {
            return false;
        }
    }

    private static void requireKey(Credentials credentials) {
        SiteSignature site = new SiteSignature(credentials);
        byte[] digest = Sha256.plain().value();
        if (!SiteSignature.isSignedBy(credentials.certificate(), "check", digest, site.sign("check", digest))) {
            throw new InvalidInputException(
                    "the key does not belong to the certificate; give the two that were made together");
        }
    }
}
