package dev.starling.cli.page;

import dev.starling.cli.console.Json;
import dev.starling.internal.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Self-contained HTML pages: the page itself is a resource, into which the library that draws its curves (uPlot) and
 * the data, as one JSON object, are inserted.
 */
public final class HtmlPage {

    private HtmlPage() {}

    /** Returns the page with a name in the package of a class, with its styles, libraries and data inserted. */
    public static String filled(Class<?> owner, String name, Consumer<JsonObject> content) {
        // Nothing in the data may end the element that holds it.
        return resource(owner, name)
                .replace("@HEAD@", resource(HtmlPage.class, "head.html"))
                .replace("@SCRIPTS@", resource(HtmlPage.class, "scripts.html"))
                .replace("@COMMON_CSS@", resource(HtmlPage.class, "common.css"))
                .replace("@COMMON_JS@", resource(HtmlPage.class, "common.js"))
                .replace("@UPLOT_CSS@", resource(HtmlPage.class, "uplot/uPlot.min.css"))
                .replace("@UPLOT_JS@", resource(HtmlPage.class, "uplot/uPlot.iife.min.js"))
                .replace("@DATA@", Json.text(content).replace("<", "\\u003c"));
    }

    private static String resource(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
