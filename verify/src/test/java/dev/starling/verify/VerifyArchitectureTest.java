package dev.starling.verify;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.support.LibraryRules;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifyArchitectureTest extends LibraryRules {

    private static final JavaClasses CLASSES = classesOf("dev.starling.verify");

    VerifyArchitectureTest() {
        super(CLASSES);
    }

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
    void aPackageDependsOnlyOnThoseBeforeIt() {
        String rooms = "dev.starling.verify";
        for (String later :
                List.of(".digits, .loss", ".digits, .proof", ".loss, .proof", ".digits, ", ".loss, ", ".proof, ")) {
            String[] pair = later.split(", ", -1);
            noClasses()
                    .that()
                    .resideInAPackage(rooms + pair[0])
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(rooms + pair[1])
                    .check(CLASSES);
        }
    }
}
