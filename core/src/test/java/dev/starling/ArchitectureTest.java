package dev.starling;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.starling.support.LibraryRules;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arrows between packages: the road through the code goes one way. */
class ArchitectureTest extends LibraryRules {

    private static final JavaClasses CLASSES = classesOf("dev.starling");

    ArchitectureTest() {
        super(CLASSES);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cores       |
            internal    | tools.jackson.core
            data        | cores
            loss        | data
            network     | data, internal
            node        | data, network
            problem     | data, loss, internal, cores
            certificate | data, node
            objective   | data, loss, node, problem, internal, cores
            method      | data, loss, network, problem, node, certificate, objective, internal, cores
            runtime     | data, network, node, cores
            model       | data, loss, network, certificate, internal, tools.jackson.core
            evaluation  | data, loss, model, cores
            settings    | data, loss, problem, certificate, method, model, cores
            inference   | data, loss, problem, node, objective, model, internal
            job         | data, loss, network, problem, node, certificate, method, model, evaluation, inference, internal, settings, cores
            """)
    void aPackageDependsOnlyOnEarlierPackages(String name, String allowed) {
        String[] packages = Stream.concat(
                        Stream.of(name, "java", "org.apache.commons", "org.ejml", "org.jgrapht"),
                        allowed == null ? Stream.empty() : Stream.of(allowed.split(", ")))
                .map(part -> part.contains(".") || part.equals("java") ? part + ".." : "dev.starling." + part + "..")
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage("dev.starling." + name + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(packages)
                .check(CLASSES);
    }

    /** What is for everybody has to be learnt, explained and kept; what the other modules need is for them alone. */
    @Test
    void everybodyIsGivenSixPackagesOfFewTypes() throws Exception {
        URI classes = Trainer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        ModuleDescriptor module = ModuleDescriptor.read(
                ByteBuffer.wrap(Files.readAllBytes(Path.of(classes).resolve("module-info.class"))));
        Set<String> open = module.exports().stream()
                .filter(exported -> !exported.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());

        assertThat(open)
                .containsExactlyInAnyOrder(
                        "dev.starling",
                        "dev.starling.certificate",
                        "dev.starling.data",
                        "dev.starling.evaluation",
                        "dev.starling.model",
                        "dev.starling.settings");
        assertThat(CLASSES.stream()
                        .filter(type -> open.contains(type.getPackageName())
                                && type.isTopLevelClass()
                                && type.getModifiers().contains(JavaModifier.PUBLIC)))
                .hasSizeLessThanOrEqualTo(46);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.starling.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void adfsDrawsThenTunesThenCertifies() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.starling.method.adfs..")
                .layer("draws")
                .definedBy("dev.starling.method.adfs.draws")
                .layer("tuning")
                .definedBy("dev.starling.method.adfs.tuning")
                .layer("certified")
                .definedBy("dev.starling.method.adfs.certified")
                .layer("nodes")
                .definedBy("dev.starling.method.adfs")
                .whereLayer("nodes")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("certified")
                .mayOnlyBeAccessedByLayers("nodes")
                .whereLayer("tuning")
                .mayOnlyBeAccessedByLayers("nodes", "certified")
                .check(CLASSES);
    }

    @Test
    void onlyModelFilesAreJson() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.starling.model", "dev.starling.internal")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("tools.jackson..")
                .check(CLASSES);
    }

    @Test
    void theLibraryUsesNoLoggingCommandLineOrNetwork() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.util.logging..",
                        "java.net..",
                        "java.nio.channels.spi..",
                        "java.net.http..",
                        "javax.net..",
                        "org.slf4j..",
                        "org.apache.logging..",
                        "org.apache.commons.logging..",
                        "com.fasterxml..",
                        "picocli..",
                        "io.grpc..")
                .check(CLASSES);
    }
}
