package dev.starling.peer.membership;

import dev.starling.data.InvalidInputException;
import dev.starling.job.RawWeights;
import dev.starling.network.Network;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/** Proposes changes of membership, and checks the change with which a run begins. */
public final class Membership {

    /** A site that joins: its name, where it can be reached, and its public key if keys are pinned. */
    public record Joining(String name, String address, Optional<KeyPin> key) {}

    private Membership() {}

    /**
     * Proposes a change to the run that a site's file describes.
     *
     * @param run the name of the run that follows
     * @param known addresses of sites that take precedence over those in the site's file
     * @param network builds the network for a given number of sites
     * @param start SHA-256 of the point to continue from, or {@link Change#COLD}
     */
    public static Change propose(
            SiteConfig config,
            String run,
            List<String> removed,
            List<Joining> added,
            Map<String, String> known,
            IntFunction<Network> network,
            String start) {
        SiteConfig.requireRunName(run);
        for (String name : removed) {
            if (!config.sites().contains(name)) {
                throw InvalidInputException.unknownName("site", name, config.sites());
            }
            if (name.equals(config.site())) {
                throw new InvalidInputException(
                        "site " + name + " cannot remove itself; one of the sites that stay must do that");
            }
        }
        List<String> sites = new ArrayList<>(config.sites());
        sites.removeAll(removed);
        Map<String, String> addresses = new HashMap<>();
        Map<String, String> keys = new HashMap<>();
        for (String site : sites) {
            int node = config.sites().indexOf(site);
            addresses.put(site, known.getOrDefault(site, address(config, site)));
            config.pin(node).ifPresent(pin -> keys.put(site, pin.sha256()));
        }
        for (Joining one : added) {
            if (sites.contains(one.name())) {
                throw new InvalidInputException("site " + one.name() + " already takes part");
            }
            sites.add(one.name());
            addresses.put(one.name(), one.address());
            one.key().ifPresent(pin -> keys.put(one.name(), pin.sha256()));
        }
        if (!config.pins().isEmpty() && keys.size() < sites.size()) {
            throw new InvalidInputException(
                    "public keys are pinned in this network; give the key of the site that joins");
        }
        Network graph = network.apply(sites.size());
        List<String> edges = new ArrayList<>();
        for (int edge = 0; edge < graph.edges(); edge++) {
            String tail = sites.get(graph.tail(edge));
            String head = sites.get(graph.head(edge));
            edges.add(tail + " " + head);
            if (!areNeighbours(config, tail, head)) {
                requireAddress(addresses, tail, head);
                requireAddress(addresses, head, tail);
            }
        }
        return new Change(
                run,
                config.run(),
                Change.networkOf(config),
                config.sites(),
                sites,
                edges,
                addresses,
                keys,
                Change.keysOf(config),
                Change.settingsOf(config),
                start);
    }

    private static boolean areNeighbours(SiteConfig config, String one, String other) {
        int node = config.sites().indexOf(one);
        return node >= 0
                && Arrays.stream(config.network().neighbours(node))
                        .anyMatch(near -> config.sites().get(near).equals(other));
    }

    private static void requireAddress(Map<String, String> addresses, String site, String neighbour) {
        if (addresses.get(site).equals(Change.UNKNOWN)) {
            throw new InvalidInputException("the address of site " + site + ", a new neighbour of site " + neighbour
                    + ", is not known here; give it: --address " + site + "=HOST:PORT");
        }
    }

    /** Where a site can be reached, as far as a site's file says; it lists only the site's own neighbours. */
    private static String address(SiteConfig config, String site) {
        SiteConfig.Remote remote = config.neighbours().get(config.sites().indexOf(site));
        if (remote != null) {
            return SiteConfig.text(remote.address());
        }
        // The address a site listens on need not be one at which others can reach it.
        boolean known =
                site.equals(config.site()) && !config.listen().getHostString().equals("0.0.0.0");
        return known ? SiteConfig.text(config.listen()) : Change.UNKNOWN;
    }

    /**
     * Checks that sites have consented to what a run, together with all earlier ones, reveals about them alone.
     *
     * @param exposed the names of the sites
     * @throws InvalidInputException if one of them has not
     */
    public static void requireConsents(SiteConfig config, SiteSignature verifier, Set<String> exposed) {
        if (config.change().isEmpty()) {
            throw new InvalidInputException("this run is with the sites " + String.join(", ", config.sites())
                    + ", earlier ones over the same people were not: totals of these runs would differ by the sums of "
                    + String.join(", ", exposed)
                    + " alone. 'starling network change' asks for their consent; if a site merely has"
                    + " a new key, say so: starling cohort register SITE.YAML --same-site NAME");
        }
        ChangeFile change = ChangeFile.read(config.change().get().file());
        change.requireComplete(verifier);
        change.requireConsent(verifier, exposed);
    }

    /**
     * Checks the change with which a run begins, if it begins with one, and reads the point from which training
     * continues.
     *
     * @throws InvalidInputException if not all sites have signed it, the site concerned has not consented, or it
     *     belongs to another run
     */
    public static Optional<RawWeights> start(SiteConfig config, Credentials credentials) {
        if (config.change().isEmpty()) {
            return Optional.empty();
        }
        SiteConfig.Changed changed = config.change().get();
        ChangeFile file = ChangeFile.read(changed.file());
        if (!file.change().name().equals(changed.digest())) {
            throw new InvalidInputException(changed.file() + " is not the change that the file of site " + config.site()
                    + " refers to; get the right one");
        }
        file.change().requireFits(config);
        file.requireComplete(new SiteSignature(credentials));
        if (file.change().start().equals(Change.COLD)) {
            return Optional.empty();
        }
        return Optional.of(StartPoint.read(
                changed.start()
                        .orElseThrow(() -> new InvalidInputException(
                                "the change continues from a point; give its file as change.start")),
                file.change().start()));
    }
}
