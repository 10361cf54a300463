package dev.starling.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.support.ModuleRules;
import org.junit.jupiter.api.Test;

/** The arrows between the command line and the rest. */
class CliArchitectureTest {

    private static final JavaClasses CLASSES = ModuleRules.classesOf("dev.starling.cli");

    @Test
    void theCommandLineUsesNoAlgorithmDirectly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.starling.node..", "dev.starling.lab.baseline..")
                .check(CLASSES);
    }

    @Test
    void noClassOfAMethodIsUsed() {
        ModuleRules.assertKnowNoMethodByItsClasses(CLASSES);
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

    @Test
    void computesTheSameBitsOnEveryProcessor() {
        ModuleRules.assertUseNoInexactMath(CLASSES);
    }
}
