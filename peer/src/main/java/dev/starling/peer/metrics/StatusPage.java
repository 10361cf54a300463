package dev.starling.peer.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One or more sites as a page that needs nothing else: style, script and data are all in it. A live page asks for news
 * every second, a saved one shows what it holds.
 */
public final class StatusPage {

    /** What a browser may do with the page: show it, run its own script, and ask its own server for news. */
    static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
            + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private StatusPage() {}

    static String live(Observed observed) {
        return of(List.of(SiteReport.json(observed)), true);
    }

    /** The page as it looks now, for keeping. */
    public static String saved(Observed observed) {
        return of(List.of(SiteReport.json(observed)), false);
    }

    /**
     * The page of some sites.
     *
     * @param reports what each of them says, as JSON
     */
    public static String of(List<String> reports, boolean live) {
        // Nothing in the data may end the element that holds it.
        return template()
                .replace(
                        "@DATA@",
                        "{\"live\":" + live + ","
                                + watched(reports).substring(1).replace("<", "\\u003c"));
    }

    /** What some sites say, as one JSON object. */
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
