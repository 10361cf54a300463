package dev.starling.peer.config;

import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.keys.Password;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.transport.Proxy;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import dev.starling.peer.trust.Printable;
import dev.starling.settings.Settings;
import dev.starling.study.Study;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The contents of a site's file.
 *
 * @param site the site's name
 * @param run the name of the run, the same at all sites
 * @param listen the only address on which the site listens for neighbours only
 * @param sites the names of all sites; the first is node 0
 * @param network who talks to whom, by number
 * @param neighbours the sites this one has an edge to, by number
 * @param pins the public key of every site, by number; empty if they are not pinned
 * @param proxy the HTTP proxy that connections to others go through
 * @param tls the files of the certificates and the key
 * @param data where the rows are
 * @param training what all sites train together
 * @param maxFeatures the largest number of features that this site lets any site have
 * @param threads how many threads it computes with, at most; the result does not depend on it
 * @param state where checkpoints go
 * @param register where the register of all runs is kept
 * @param checkpoints when they are written and how many are kept
 * @param patience how long a neighbour may be unreachable or silent before the site gives up
 * @param monitoring the address that serves metrics, health and the status page
 * @param model where the model is written
 * @param policy which information the site allows to leave it
 * @param change the change of membership with which the run begins, if it begins with one
 */
public record SiteConfig(
        String site,
        String run,
        InetSocketAddress listen,
        List<String> sites,
        Network network,
        Map<Integer, Remote> neighbours,
        Map<Integer, KeyPin> pins,
        Optional<Proxy> proxy,
        KeyFiles tls,
        Data data,
        Settings training,
        int maxFeatures,
        int threads,
        Path state,
        Path register,
        Checkpoints checkpoints,
        Patience patience,
        Optional<InetSocketAddress> monitoring,
        Optional<Path> model,
        Policy policy,
        Optional<Changed> change) {

    private static final Pattern RUN_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /**
     * A neighbour.
     *
     * @param address where it can be reached, with a host name that is resolved on each connection attempt
     * @param certificateName the name that its certificate must carry
     */
    public record Remote(InetSocketAddress address, String certificateName) {}

    /**
     * Where the rows are and how to read them, with their weights, if any.
     *
     * @param study what the columns of a table mean, as agreed by all sites; empty for purely numeric files
     */
    public record Data(
            Path file, Format format, Optional<String> labelColumn, Optional<Path> weights, Optional<Study> study) {}

    /**
     * When checkpoints are written.
     *
     * @param every the time between two checkpoints
     * @param keep how many are kept
     * @param bytes a checkpoint is written early when neighbours have to buffer more than this for the site
     * @param keptBytes how many bytes of messages the site buffers for one neighbour whose last checkpoint precedes
     *     them; once there are more, it waits for that neighbour
     */
    public record Checkpoints(Duration every, int keep, long bytes, long keptBytes) {}

    /**
     * How long a site waits for a neighbour.
     *
     * @param gone while it is unreachable
     * @param silent while it is there, but does not send what is due
     */
    public record Patience(Duration gone, Duration silent) {}

    /**
     * A change of membership with which a run begins.
     *
     * @param digest SHA-256 of the change, in hexadecimal
     * @param file the change with the signatures of all sites
     * @param start the point from which training continues; empty if it starts from scratch
     */
    public record Changed(String digest, Path file, Optional<Path> start) {}

    /** Copies the lists. */
    public SiteConfig {
        sites = List.copyOf(sites);
        neighbours = Map.copyOf(neighbours);
        pins = Map.copyOf(pins);
    }

    /** Returns a copy whose key is opened with a password. */
    public SiteConfig with(Password password) {
        return copy(tls.with(password), monitoring);
    }

    /** The public key of a site, if it is pinned. */
    public Optional<KeyPin> pin(int node) {
        return Optional.ofNullable(pins.get(node));
    }

    /**
     * Checks that this site's certificate is for the key that all files pin for it.
     *
     * @throws InvalidInputException if it is for another one
     */
    public void requireOwnKey(Credentials own) {
        KeyPin key = KeyPin.of(own.certificate());
        if (pin(node()).filter(pin -> !pin.equals(key)).isPresent()) {
            throw new InvalidInputException(tls.certificate() + " is for the public key " + key
                    + ", but 'keys' says that site " + site + " has "
                    + pin(node()).get()
                    + "; correct it in the files of all sites");
        }
    }

    /** The name that the certificate of a site must carry. */
    public String certificateName(int node) {
        Remote remote = neighbours.get(node);
        return remote == null ? sites.get(node) : remote.certificateName();
    }

    /** An address as it is written in a site's file. */
    public static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /**
     * Refuses a run name that cannot serve as the name of a subdirectory of the state directory, such as {@code ..}.
     */
    public static void requireRunName(String run) {
        if (!RUN_NAME.matcher(run).matches()) {
            throw new InvalidInputException("run is '" + Printable.of(run)
                    + "'; it must be 1 to 64 letters, digits, dots, hyphens and underscores, the first of which is a"
                    + " letter or digit");
        }
    }

    /** This site's number. */
    public int node() {
        return sites.indexOf(site);
    }

    /** Returns a copy that serves its status page at an address. */
    public SiteConfig withMonitoring(InetSocketAddress address) {
        return copy(tls, Optional.of(address));
    }

    private SiteConfig copy(KeyFiles keys, Optional<InetSocketAddress> page) {
        return new SiteConfig(
                site,
                run,
                listen,
                sites,
                network,
                neighbours,
                pins,
                proxy,
                keys,
                data,
                training,
                maxFeatures,
                threads,
                state,
                register,
                checkpoints,
                patience,
                page,
                model,
                policy,
                change);
    }

    /**
     * What sites must agree on to have the same network: all names and pinned keys, in order, the edges, and the change
     * of membership that led to it.
     */
    public String networkText() {
        StringBuilder text = new StringBuilder(String.join(",", sites)).append('\n');
        for (int edge = 0; edge < network.edges(); edge++) {
            text.append(network.tail(edge))
                    .append('-')
                    .append(network.head(edge))
                    .append('\n');
        }
        for (int node = 0; node < sites.size(); node++) {
            pin(node).ifPresent(pin -> text.append(pin).append('\n'));
        }
        change.ifPresent(by -> text.append("change ").append(by.digest()).append('\n'));
        return text.toString();
    }

    /** All sites as a register knows them: their names, each with its public key if it is pinned. */
    public List<String> members() {
        return IntStream.range(0, sites.size())
                .mapToObj(node -> sites.get(node)
                        + pin(node).map(key -> ":" + key.sha256()).orElse(""))
                .toList();
    }

    /** What sites must agree on to train the same model: all settings, and the study if there is one. */
    public String trainingText() {
        return training.toMap()
                + data.study().map(study -> "\nstudy " + study.digest()).orElse("");
    }

    /** Reads a site's file; paths in it are relative to its directory. */
    public static SiteConfig read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; 'starling network new' writes one per site", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
        Path absolute = file.toAbsolutePath().getParent();
        return SiteReader.parse(text, file.toString(), absolute == null ? Path.of("") : absolute);
    }
}
