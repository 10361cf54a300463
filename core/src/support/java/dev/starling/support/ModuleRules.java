package dev.starling.support;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** What holds for the classes of several modules. */
public final class ModuleRules {

    private ModuleRules() {}

    /** The classes below some packages, without those of tests. */
    public static JavaClasses classesOf(String... roots) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(roots);
    }

    /** Nothing is written to the streams of whoever owns the process. */
    public static void assertPrintNothing(JavaClasses classes) {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(classes);
    }

    /** Methods are taken from the list of them, by name: nobody asks which one it is. */
    public static void assertKnowNoMethodByItsClasses(JavaClasses classes) {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.starling.method..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.starling.method.(*)..")
                .check(classes);
    }

    /** Logging is set up by whoever owns the process. */
    public static void assertSetUpNoLogging(JavaClasses classes) {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .check(classes);
    }
}
