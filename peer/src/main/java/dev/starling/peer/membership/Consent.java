package dev.starling.peer.membership;

import dev.starling.peer.config.SiteConfig;
import java.nio.charset.StandardCharsets;

/**
 * A site's consent that its own sums become known because it leaves a run alone, or joins one alone. That to leaving
 * can be given beforehand, for the day on which the site is gone for good.
 *
 * @param site the site
 * @param leaving whether it leaves, or else joins
 * @param run the run that it leaves or joins
 * @param network SHA-256 of that run's network where it leaves; of the names of all sites where it joins, since those
 *     who stay give the network its last form
 */
public record Consent(String site, boolean leaving, String run, String network) {

    /** What the signature of a consent is for. */
    static final String CONTEXT = "Starling consent 1";

    /** Of a site that may leave. */
    public static Consent toLeave(SiteConfig config) {
        return new Consent(config.site(), true, config.run(), Change.networkOf(config));
    }

    /** Of a site that is to join. */
    public static Consent toJoin(SiteConfig config) {
        return new Consent(config.site(), false, config.run(), String.join(",", config.sites()));
    }

    /** The consent that a change needs of the site it concerns. */
    static Consent neededFor(Change change, String site) {
        boolean leaving = !change.sites().contains(site);
        return leaving
                ? new Consent(site, true, change.previousRun(), change.previousNetwork())
                : new Consent(site, false, change.run(), String.join(",", change.sites()));
    }

    byte[] digest() {
        String text = String.join("\n", site, leaving ? "leaves" : "joins", run, network, "");
        return Change.sha256(text.getBytes(StandardCharsets.UTF_8));
    }
}
