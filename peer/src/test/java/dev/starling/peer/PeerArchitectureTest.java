package dev.starling.peer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.support.LibraryRules;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PeerArchitectureTest extends LibraryRules {

    private static final JavaClasses CLASSES = classesOf("dev.starling.peer");

    PeerArchitectureTest() {
        super(CLASSES);
    }

    @Test
    void theTransportDependsOnNoOtherPackage() {
        classes()
                .that()
                .resideInAPackage("dev.starling.peer.transport")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.starling.peer.transport",
                        "dev.starling.peer.trust",
                        "dev.starling.peer.wire",
                        "dev.starling.data",
                        "dev.starling.node",
                        "dev.starling.runtime",
                        "io.grpc..",
                        "com.google.protobuf..",
                        "java..",
                        "javax..")
                .check(CLASSES);
    }

    @Test
    void whoIsBelievedDependsOnNoOtherPackage() {
        classes()
                .that()
                .resideInAPackage("dev.starling.peer.trust")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.starling.peer.trust", "dev.starling.data", "java..", "javax..")
                .check(CLASSES);
    }

    @Test
    void onlyTheTransportUsesGrpc() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.starling.peer.transport", "dev.starling.peer.wire")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.grpc..")
                .check(CLASSES);
    }

    @Test
    void javaSerialisationIsNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectInputStream")
                .check(CLASSES);
    }

    /**
     * A clock on the wall may jump at any time, so nothing that a run does may follow from it: it says whether a
     * certificate is valid, and when something was. Clocks that only go forward decide everything else, and those are
     * simulated.
     */
    @Test
    void timeOnTheWallDecidesOnlyAboutCertificates() {
        noClasses()
                .that()
                .doNotHaveSimpleName("SiteSignature")
                .and()
                .doNotHaveSimpleName("SiteTrustManager")
                .and()
                .doNotHaveSimpleName("Endpoint")
                .and()
                .doNotHaveSimpleName("SiteCheck")
                .and()
                .doNotHaveSimpleName("FailureWords")
                .and()
                .doNotHaveSimpleName("PeerEvents")
                .and()
                .resideOutsideOfPackage("dev.starling.peer.metrics")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }
}
