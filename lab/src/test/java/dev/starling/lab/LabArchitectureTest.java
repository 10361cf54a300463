package dev.starling.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.support.LibraryRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabArchitectureTest extends LibraryRules {

    private static final JavaClasses CLASSES = classesOf("dev.starling.lab");

    LabArchitectureTest() {
        super(CLASSES);
    }

    /** Nothing but a comparison runs whole trainings; methods stand beside each other. */
    @ParameterizedTest
    @CsvSource({
        "apcg, apcg",
        "general, general",
        "conversation, conversation",
        "variant, conversation",
        "baseline, variant",
        "bound, general"
    })
    void packagesOfMethodsDependOnLibrariesAndAlgorithmsOnly(String name, String known) {
        classes()
                .that()
                .resideInAPackage("dev.starling.lab." + name + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.apache.commons.rng..",
                        "org.ejml..",
                        "dev.starling.lab." + name + "..",
                        "dev.starling.lab." + known + "..",
                        "dev.starling.lab.conversation..",
                        "dev.starling.data..",
                        "dev.starling.loss..",
                        "dev.starling.problem..",
                        "dev.starling.network..",
                        "dev.starling.node..",
                        "dev.starling.internal..",
                        "dev.starling.certificate..",
                        "dev.starling.method..")
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.starling.lab.(*)..").should().beFreeOfCycles().check(CLASSES);
    }
}
