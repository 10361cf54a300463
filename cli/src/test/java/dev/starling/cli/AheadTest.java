package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.options.DatabaseOptions;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AheadTest {

    @ParameterizedTest
    @ValueSource(strings = {"train", "predict", "evaluate", "glm", "cox", "compare"})
    void theAnnotationsOfAllOptionsAreReadAhead(String name) {
        PrintWriter nowhere = new PrintWriter(PrintWriter.nullWriter());
        CommandLine command =
                Main.commandLine(nowhere, nowhere).getSubcommands().get(name);
        List<Field> declared = command.getCommandSpec().args().stream()
                .filter(argument -> !argument.inherited())
                .map(argument -> argument.userObject())
                .filter(Field.class::isInstance)
                .map(Field.class::cast)
                .filter(field -> field.getDeclaringClass().getName().startsWith("dev.starling."))
                // No mixin's field names this class: it is one of the two that a field of QueryOptions may hold.
                .filter(field -> field.getDeclaringClass() != DatabaseOptions.class)
                .toList();

        assertThat(declared).isNotEmpty();
        assertThat(Ahead.annotated(command.getCommandSpec().userObject().getClass()))
                .containsAll(declared);
    }
}
