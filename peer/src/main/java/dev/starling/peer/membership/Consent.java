package dev.starling.peer.membership;

import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.trust.Sha256;
import java.nio.charset.StandardCharsets;

/**
 * A site's consent to the disclosure of its own sums, which happens when it is the only one to leave or to join a run.
 * Consent to leaving can be given in advance, in case the site is one day gone for good.
 *
 * @param site the site
 * @param leaving true if the site leaves, false if it joins
 * @param run the run that it leaves or joins
 * @param network if it leaves, the SHA-256 of that run's network; if it joins, the names of all sites, since the
 *     remaining sites determine the final network
 */
public record Consent(String site, boolean leaving, String run, String network) {

    /** The context string of the signature of a consent. */
    static final String CONTEXT = "Starling consent 1";

    /** The consent of a site to leave. */
    public static Consent toLeave(SiteConfig config) {
        return new Consent(config.site(), true, config.run(), Change.networkOf(config));
    }

    /** The consent of a site to join. */
    public static Consent toJoin(SiteConfig config) {
        return new Consent(config.site(), false, config.run(), String.join(",", config.sites()));
    }

    /** The consent that a change needs from the site it concerns. */
    static Consent neededFor(Change change, String site) {
        boolean leaving = !change.sites().contains(site);
        return leaving
                ? new Consent(site, true, change.previousRun(), change.previousNetwork())
                : new Consent(site, false, change.run(), String.join(",", change.sites()));
    }

    byte[] digest() {
        String text = String.join("\n", site, leaving ? "leaves" : "joins", run, network, "");
        return Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8));
    }
}
