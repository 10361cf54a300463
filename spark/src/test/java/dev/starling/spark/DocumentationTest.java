package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/spark.md shows is there to be called. */
class DocumentationTest {

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "spark.md"));
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(page())
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toSet());
    }

    private static Set<String> methods(Class<?> type) {
        return Arrays.stream(type.getMethods()).map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theJavaOfThePageCompiles(@TempDir Path directory) throws IOException {
        List<String> blocks = blocks("java");
        assertThat(blocks).isNotEmpty();
        String source = "import dev.starling.spark.*;\nimport org.apache.spark.sql.*;\n"
                + "class Shown { void shown(Dataset<Row> rows) throws Exception {\n" + String.join("\n", blocks) + "}}";
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Shown.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        List<String> options =
                List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");

        boolean compiled = compiler.getTask(complaints, null, null, options, null, List.of(file))
                .call();

        assertThat(compiled).as(complaints.toString()).isTrue();
    }

    @Test
    void everySetterInAnyLanguageExists() throws IOException {
        Set<String> setters = found("\\b(set[A-Z]\\w*)\\(", page());

        assertThat(setters).isNotEmpty();
        Set<String> known = methods(StarlingClassifier.class);
        known.addAll(methods(StarlingTableEstimator.class));
        assertThat(known).containsAll(setters);
    }

    @Test
    void everyFigureOfTheSummaryExists() throws IOException {
        Set<String> figures = found("summary\\.(\\w+)", page());

        assertThat(figures).isNotEmpty();
        assertThat(Arrays.stream(StarlingSummary.class.getRecordComponents()).map(RecordComponent::getName))
                .containsAll(figures);
    }
}
