package dev.starling.support;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints at the end of a run which tests were skipped and why, one line for each reason: a machine without R or a browser
 * leaves out whole areas, and whoever reads that everything passed should know.
 */
public final class SkippedTests implements TestExecutionListener {

    private static final String ASSUMPTION = "Assumption failed: ";

    private final PrintStream out;
    private final Map<String, Collection<String>> testsByReason = new TreeMap<>();

    /** Prints to standard output. */
    public SkippedTests() {
        this(System.out);
    }

    SkippedTests(PrintStream out) {
        this.out = out;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        add(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            add(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
        }
    }

    private synchronized void add(TestIdentifier test, String reason) {
        String line = reason.lines().map(String::strip).collect(Collectors.joining(" "));
        testsByReason
                .computeIfAbsent(
                        line.startsWith(ASSUMPTION) ? line.substring(ASSUMPTION.length()) : line, r -> new TreeSet<>())
                .add(test.getSource().map(SkippedTests::name).orElse(test.getDisplayName()));
    }

    private static String name(TestSource source) {
        if (source instanceof MethodSource method) {
            return simple(method.getClassName()) + "." + method.getMethodName();
        }
        return source instanceof ClassSource type ? simple(type.getClassName()) : source.toString();
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan plan) {
        testsByReason.forEach((reason, tests) -> out.println("SKIPPED: " + reason + ": " + String.join(", ", tests)));
    }
}
