package dev.starling.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.support.LibraryRules;
import org.junit.jupiter.api.Test;

/** The arrows between the command line and the rest. */
class CliArchitectureTest extends LibraryRules {

    private static final JavaClasses CLASSES = classesOf("dev.starling.cli");

    CliArchitectureTest() {
        super(CLASSES);
    }

    /** The process is its own, and so are its streams. */
    @Override
    protected void printsNothing() {}

    /** It sets up the log of a site. */
    @Override
    protected void setsUpNoLogging() {}

    @Test
    void theCommandLineUsesNoAlgorithmDirectly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.starling.node..", "dev.starling.lab.baseline..")
                .check(CLASSES);
    }

    @Test
    void onlyTheMainClassEndsTheProcess() {
        noClasses()
                .that()
                .doNotHaveSimpleName("Main")
                .should()
                .callMethod(System.class, "exit", int.class)
                .check(CLASSES);
    }

    @Test
    void commandsAreNotPublicApi() {
        classes()
                .that()
                .haveSimpleNameEndingWith("Command")
                .should()
                .onlyBeAccessed()
                .byClassesThat()
                .haveNameMatching(".*\\.(Main|\\w+Command(\\$.*)?)")
                .check(CLASSES);
    }
}
