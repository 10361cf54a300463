package dev.starling.support;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds in every module that runs in other people's processes; a module's own rules stand in a subclass. */
public abstract class LibraryRules {

    /** Functions of {@code Math} whose results may differ in the last bit from one processor to another. */
    private static final Set<String> INEXACT = Set.of(
            "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "expm1", "log",
            "log10", "log1p", "pow", "cbrt", "hypot");

    private final JavaClasses classes;

    /** @param classes those of the module */
    protected LibraryRules(JavaClasses classes) {
        this.classes = classes;
    }

    /** The classes below some packages, without those of tests. */
    public static JavaClasses classesOf(String... roots) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(roots);
    }

    /**
     * What reaches a model or a sum has the same bits on every processor: of {@code Math}, only what IEEE 754 rounds
     * correctly is used. {@code Elementary} and {@code StrictMath} have the rest.
     */
    @Test
    protected void computesTheSameBitsOnEveryProcessor() {
        DescribedPredicate<JavaAccess<?>> inexact = DescribedPredicate.describe(
                "a function of Math that may differ between processors",
                access -> access.getTargetOwner().isEquivalentTo(Math.class)
                        && INEXACT.contains(access.getTarget().getName()));
        noClasses().should().accessTargetWhere(inexact).check(classes);
    }

    /** The streams of a process are its owner's. */
    @Test
    protected void printsNothing() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(classes);
    }

    /** Logging is set up by whoever owns the process. */
    @Test
    protected void setsUpNoLogging() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .check(classes);
    }

    /** Methods are taken from the list of them, by name: nobody asks which one it is. */
    @Test
    protected void noClassOfAMethodIsUsed() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.starling.method..", "dev.starling.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.starling.method.(*)..")
                .allowEmptyShould(true)
                .check(classes);
    }
}
