package dev.starling.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.method.adfs.tuning.EdgeSampling;
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

    /** But for the rounds on part of the edges, which comparisons may run under. */
    @Test
    void noClassOfAMethodIsUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.starling.method.(*)..").and(not(belongToAnyOf(EdgeSampling.class))))
                .check(CLASSES);
    }

    @Test
    void verificationSharesNoArithmeticWithTraining() {
        noClasses()
                .that()
                .resideInAPackage("dev.starling.cli.verify..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.starling",
                        "dev.starling.job..",
                        "dev.starling.lab..",
                        "dev.starling.loss..",
                        "dev.starling.method..",
                        "dev.starling.problem..",
                        "dev.starling.runtime..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("dev\\.starling\\.data\\.(Standardizer|Labels).*")
                .orShould()
                .callMethod(Certificate.class, "relativeGap")
                .orShould()
                .callMethod(Dataset.class, "dot", int.class, double[].class)
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

    @Test
    void computesTheSameBitsOnEveryProcessor() {
        ModuleRules.assertUseNoInexactMath(CLASSES);
    }
}
