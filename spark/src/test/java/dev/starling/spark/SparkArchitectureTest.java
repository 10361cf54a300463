package dev.starling.spark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.peer.config.WordFile;
import dev.starling.support.LibraryRules;
import org.junit.jupiter.api.Test;

class SparkArchitectureTest extends LibraryRules {

    private static final JavaClasses CLASSES = classesOf("dev.starling.spark");

    SparkArchitectureTest() {
        super(CLASSES);
    }

    @Test
    void estimatorsStartTasksAndTasksReadRows() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("estimators")
                .definedBy("dev.starling.spark", "dev.starling.spark.mllib")
                .layer("params")
                .definedBy("dev.starling.spark.params")
                .layer("frame")
                .definedBy("dev.starling.spark.frame")
                .layer("model")
                .definedBy("dev.starling.spark.model")
                .layer("node")
                .definedBy("dev.starling.spark.node")
                .layer("rows")
                .definedBy("dev.starling.spark.rows")
                .whereLayer("estimators")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("frame")
                .mayOnlyBeAccessedByLayers("estimators")
                .whereLayer("node")
                .mayOnlyBeAccessedByLayers("frame")
                .whereLayer("params")
                .mayOnlyBeAccessedByLayers("estimators", "frame")
                .whereLayer("model")
                .mayOnlyBeAccessedByLayers("estimators", "frame", "node")
                .check(CLASSES);
    }

    @Test
    void onlyNodesUseThePeersTransportAndKeys() {
        DescribedPredicate<JavaClass> ofPeers =
                resideInAPackage("dev.starling.peer..").and(not(type(WordFile.class)));
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.starling.spark.node")
                .should()
                .dependOnClassesThat(ofPeers)
                .check(CLASSES);
        noClasses()
                .should()
                .dependOnClassesThat(
                        ofPeers.and(resideOutsideOfPackages("dev.starling.peer.transport", "dev.starling.peer.keys")))
                .check(CLASSES);
    }
}
