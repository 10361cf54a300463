package dev.starling.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SkippedTestsTest {

    /** Run by name only: surefire takes no nested class for a test unless it is marked as one. */
    static class Partial {

        @Test
        void passes() {}

        @Test
        void needsATool() {
            assumeTrue(false, "the tool is not installed");
        }

        @Test
        void needsTheToolToo() {
            assumeTrue(false, "the tool is not installed");
        }

        @Test
        @Disabled("not on this system")
        void needsASystem() {}
    }

    static class Whole {

        @BeforeAll
        static void look() {
            assumeTrue(false, "there is no server");
        }

        @Test
        void needsAServer() {}
    }

    @Test
    void printsOneLineForEachReasonWithTheTestsLeftOut() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(Partial.class), selectClass(Whole.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        LauncherFactory.create(LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build())
                .execute(request, new SkippedTests(new PrintStream(printed, true, StandardCharsets.UTF_8)));
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "SKIPPED: not on this system: SkippedTestsTest$Partial.needsASystem",
                        "SKIPPED: the tool is not installed: SkippedTestsTest$Partial.needsATool,"
                                + " SkippedTestsTest$Partial.needsTheToolToo",
                        "SKIPPED: there is no server: SkippedTestsTest$Whole");
    }

    @Test
    void isRegisteredForEveryRun() {
        assertThat(ServiceLoader.load(TestExecutionListener.class)).hasAtLeastOneElementOfType(SkippedTests.class);
    }
}
