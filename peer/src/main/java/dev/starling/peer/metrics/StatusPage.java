package dev.starling.peer.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A self-contained HTML page about one or more sites: style, script and data are all part of it. A live page polls for
 * news every second; a saved one shows what it holds.
 */
public final class StatusPage {

    /** What a browser may do with the page: show it, run its own script, and poll its own server. */
    static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
            + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private StatusPage() {}

    static String live(Observed observed) {
        return of(List.of(SiteReport.json(observed)), true);
    }

    /** The page as it looks now, to be saved. */
    public static String saved(Observed observed) {
        return of(List.of(SiteReport.json(observed)), false);
    }

    /**
     * The page about some sites.
     *
     * @param reports the report of each site, as JSON
     */
    public static String of(List<String> reports, boolean live) {
        // Nothing in the data may close the element that holds it.
        return template()
                .replace(
                        "@DATA@",
                        "{\"live\":" + live + ","
                                + watched(reports).substring(1).replace("<", "\\u003c"));
    }

    /** The reports of some sites, as one JSON object. */
    public static String watched(List<String> reports) {
        return "{\"watched\":[" + String.join(",", reports) + "]}";
    }

    private static String template() {
        try (InputStream in = StatusPage.class.getResourceAsStream("status.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
