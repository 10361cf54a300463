package dev.starling.peer.config;

import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.job.Settings;
import dev.starling.network.Network;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.keys.Password;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.transport.KeyPin;
import dev.starling.peer.transport.Printable;
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

/**
 * Everything a site's file says.
 *
 * @param site the site's name
 * @param run the name of the run, the same at all sites
 * @param listen the only address the site listens on, for neighbours; none if it is reached by way of the relay only
 * @param sites the names of all sites: the first is node 0
 * @param network who talks to whom, by number
 * @param neighbours the sites this one has an edge to, by number
 * @param pins the public key of every site, by number; empty if they are not pinned
 * @param relay where sites meet that cannot reach each other
 * @param proxy the HTTP proxy that connections to others go through
 * @param tls the files of the certificates and the key
 * @param data where the rows are
 * @param training what all sites train together
 * @param maxFeatures the most features that this site lets any site have
 * @param state where checkpoints go
 * @param checkpoints when they are written and how many are kept
 * @param patience how long a neighbour may be gone before the site gives up
 * @param monitoring where metrics and health can be asked for
 * @param model where the model is written
 * @param policy what the site allows to leave it
 * @param change the change of membership by which the run began, if it did by one
 */
public record SiteConfig(
        String site,
        String run,
        Optional<InetSocketAddress> listen,
        List<String> sites,
        Network network,
        Map<Integer, Remote> neighbours,
        Map<Integer, KeyPin> pins,
        Optional<InetSocketAddress> relay,
        Optional<InetSocketAddress> proxy,
        KeyFiles tls,
        Data data,
        Settings training,
        int maxFeatures,
        Path state,
        Checkpoints checkpoints,
        Duration patience,
        Optional<InetSocketAddress> monitoring,
        Optional<Path> model,
        Policy policy,
        Optional<Changed> change) {

    private static final Pattern RUN_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /**
     * A neighbour.
     *
     * @param address where it is reached, as a name that is looked up when it is dialled; none if by way of the relay
     * @param certificateName the name its certificate must carry
     */
    public record Remote(Optional<InetSocketAddress> address, String certificateName) {}

    /**
     * Where the rows are and how to read them, and their weights if they have any.
     *
     * @param study what the columns of a table mean, agreed on by all sites; empty for files of numbers
     */
    public record Data(
            Path file, Format format, Optional<String> labelColumn, Optional<Path> weights, Optional<Study> study) {}

    /**
     * When checkpoints are written.
     *
     * @param every the time between two
     * @param keep how many are kept
     * @param bytes write one early when neighbours have to keep more than this for the site
     * @param keptBytes how much the site keeps for one neighbour that has no checkpoint past it; then it waits for it
     */
    public record Checkpoints(Duration every, int keep, long bytes, long keptBytes) {}

    /**
     * A change of membership by which a run begins.
     *
     * @param digest SHA-256 of the change, in hexadecimal
     * @param file the change with everybody's signature
     * @param start the point that training goes on from; none if it begins anew
     */
    public record Changed(String digest, Path file, Optional<Path> start) {}

    /** Copies the lists. */
    public SiteConfig {
        sites = List.copyOf(sites);
        neighbours = Map.copyOf(neighbours);
        pins = Map.copyOf(pins);
    }

    /** The same with a key that is opened by a password. */
    public SiteConfig with(Password password) {
        return copy(tls.with(password), monitoring);
    }

    /** The public key of a site, if it is pinned. */
    public Optional<KeyPin> pin(int node) {
        return Optional.ofNullable(pins.get(node));
    }

    /** The name that the certificate of a site must carry. */
    public String certificateName(int node) {
        Remote remote = neighbours.get(node);
        return remote == null ? sites.get(node) : remote.certificateName();
    }

    /** Refuses a name of a run that could not be that of a directory beneath the state, {@code ..} among them. */
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

    /** The same site, which can be looked at on an address. */
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
                relay,
                proxy,
                keys,
                data,
                training,
                maxFeatures,
                state,
                checkpoints,
                patience,
                page,
                model,
                policy,
                change);
    }

    /**
     * What two sites must agree on to have the same network: all names and pinned keys, in order, the edges, and the
     * change that led to it.
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

    /** What two sites must agree on of what is trained: all settings, and the study if there is one. */
    public String trainingText() {
        return training.toMap()
                + data.study().map(study -> "\nstudy " + study.digest()).orElse("");
    }

    /** Reads a site's file; paths in it are relative to where it is. */
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
