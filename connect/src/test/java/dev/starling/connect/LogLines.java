package dev.starling.connect;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

/** What a logger says. */
final class LogLines {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    LogLines(String logger) {
        AbstractAppender appender = new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
            @Override
            public void append(LogEvent event) {
                lines.add(event.getMessage().getFormattedMessage());
            }
        };
        appender.start();
        Configurator.setLevel(logger, Level.INFO);
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        context.getLogger(logger).addAppender(appender);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    void clear() {
        lines.clear();
    }
}
