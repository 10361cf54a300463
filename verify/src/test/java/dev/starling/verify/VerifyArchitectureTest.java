package dev.starling.verify;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.support.ModuleRules;
import org.junit.jupiter.api.Test;

class VerifyArchitectureTest {

    private static final JavaClasses CLASSES = ModuleRules.classesOf("dev.starling.verify");

    @Test
    void verificationSharesNoArithmeticWithTraining() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.starling",
                        "dev.starling.internal..",
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
    void printsNothing() {
        ModuleRules.assertPrintNothing(CLASSES);
    }

    @Test
    void computesTheSameBitsOnEveryProcessor() {
        ModuleRules.assertUseNoInexactMath(CLASSES);
    }
}
