package dev.starling.cli.sites;

import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * A logger whose lines begin with the time and the level, as keys and values like the events that peers tell.
 *
 * @param least the least level that is written
 */
record LineLogger(PrintStream out, Clock clock, Level least) implements System.Logger {

    @Override
    public String getName() {
        return "dev.starling.cli";
    }

    @Override
    public boolean isLoggable(Level level) {
        return level.getSeverity() >= least.getSeverity() && level != Level.OFF;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
        log(level, bundle, message + " thrown=\"" + thrown + "\"");
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String line, Object... parameters) {
        if (isLoggable(level)) {
            String name = level == Level.WARNING ? "warn" : level.name().toLowerCase(Locale.ROOT);
            out.println("time=" + clock.instant().truncatedTo(ChronoUnit.MILLIS) + " level=" + name + " " + line);
        }
    }
}
