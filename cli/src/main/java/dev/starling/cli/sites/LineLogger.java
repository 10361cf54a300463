package dev.starling.cli.sites;

import dev.starling.cli.console.Json;
import dev.starling.internal.JsonObject;
import dev.starling.peer.events.PeerEvent;
import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.function.Consumer;

/**
 * A logger that writes one line per event, with the time and the level first: as keys and values, or as one JSON object
 * per line.
 *
 * @param least the lowest level that is written
 * @param json whether lines are JSON
 */
record LineLogger(PrintStream out, Clock clock, Level least, boolean json) implements System.Logger {

    @Override
    public String getName() {
        return "dev.starling.cli";
    }

    @Override
    public boolean isLoggable(Level level) {
        return level.getSeverity() >= least.getSeverity() && level != Level.OFF;
    }

    @Override
    public void log(Level level, Object message) {
        if (json && message instanceof PeerEvent event) {
            print(level, generator -> {
                generator.with("site", event.site());
                generator.with("event", event.name());
                event.details().forEach((key, value) -> generator.with(key, value));
            });
        } else {
            log(level, (ResourceBundle) null, String.valueOf(message));
        }
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
        log(level, bundle, message + " thrown=\"" + thrown + "\"");
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String line, Object... parameters) {
        if (json) {
            print(level, generator -> generator.with("message", line));
        } else if (isLoggable(level)) {
            out.println("time=" + time() + " level=" + name(level) + " " + line);
        }
    }

    private void print(Level level, Consumer<JsonObject> content) {
        if (isLoggable(level)) {
            out.println(Json.text(generator -> {
                generator.with("time", time());
                generator.with("level", name(level));
                content.accept(generator);
            }));
        }
    }

    private String time() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String name(Level level) {
        return level == Level.WARNING ? "warn" : level.name().toLowerCase(Locale.ROOT);
    }
}
