package dev.starling.peer.node;

import java.util.ResourceBundle;
import java.util.function.Consumer;

/** A logger that hands every line to someone, with its level in front, whatever the level. */
public record LineLogger(Consumer<String> reader) implements System.Logger {

    @Override
    public String getName() {
        return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
        return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
        reader.accept("level=" + level + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        reader.accept("level=" + level + " " + format);
    }
}
