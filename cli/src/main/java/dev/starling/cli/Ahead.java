package dev.starling.cli;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;

/**
 * Reads a command's annotations while the parser is still being set up. The JVM keeps what it has read, so that the
 * parser finds it: on two cores a small command ends about a twentieth sooner. No class of ours is initialised but
 * enums that annotations name, so that the two threads cannot wait for each other.
 */
final class Ahead {

    private Ahead() {}

    /** Starts reading on a thread that no process waits for. */
    static void read(Class<?> command) {
        Thread reader = new Thread("starling-ahead") {
            @Override
            public void run() {
                annotated(command);
            }
        };
        reader.setDaemon(true);
        reader.start();
    }

    /** What is annotated of a command, its mixins and groups, and what they extend; this reads the annotations. */
    static List<AnnotatedElement> annotated(Class<?> command) {
        List<AnnotatedElement> found = new ArrayList<>();
        for (Class<?> type = command; type != null && type != Object.class; type = type.getSuperclass()) {
            if (type.getAnnotations().length > 0) {
                found.add(type);
            }
            for (Field field : type.getDeclaredFields()) {
                if (field.getAnnotations().length > 0) {
                    found.add(field);
                }
                if (field.isAnnotationPresent(Mixin.class) || field.isAnnotationPresent(ArgGroup.class)) {
                    found.addAll(annotated(field.getType()));
                }
            }
        }
        return found;
    }
}
