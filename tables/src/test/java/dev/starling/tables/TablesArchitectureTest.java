package dev.starling.tables;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.starling.support.LibraryRules;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablesArchitectureTest extends LibraryRules {

    private static final JavaClasses CLASSES =
            classesOf("dev.starling.table", "dev.starling.recipe", "dev.starling.study", "dev.starling.export");

    TablesArchitectureTest() {
        super(CLASSES);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            table  | data, cores, internal, java.sql
            recipe | data, cores, table, settings, model, internal
            study  | data, loss, table, recipe, job, settings, model
            export | data, loss, table, recipe, model, internal, javax.xml
            """)
    void aPackageDependsOnlyOnThoseBeforeIt(String name, String allowed) {
        String[] packages = Stream.concat(
                        Stream.of(name, "java", "org.apache.commons.compress"), Stream.of(allowed.split(", ")))
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

    @Test
    void onlyDatabasesAreReachedOverANetwork() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.starling.table.database")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "java.net..", "javax.net..", "java.util.logging..")
                .check(CLASSES);
    }
}
