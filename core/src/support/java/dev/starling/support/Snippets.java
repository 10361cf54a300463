package dev.starling.support;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The Java that documentation shows, in preformatted blocks of code in Javadoc and in fenced blocks on pages: it must
 * compile. It may use every package of the sources, and the fields that a test declares for what it leaves out.
 */
public final class Snippets {

    private static final Pattern JAVADOC = Pattern.compile("<pre>\\{@code\\n(.*?)\\n \\* \\}</pre>", Pattern.DOTALL);
    private static final Pattern PAGE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    private record Snippet(Path file, int line, String code) {}

    private final List<Snippet> all = new ArrayList<>();
    private final StringBuilder imports =
            new StringBuilder("import java.io.*; import java.nio.file.*; import java.time.*; import java.util.*;");

    /** Lets them use further packages. */
    public Snippets using(String... packages) {
        for (String name : packages) {
            imports.append(" import ").append(name).append(".*;");
        }
        return this;
    }

    /** Takes what the Javadoc of all sources in a folder shows. */
    public Snippets javadoc(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                collect(file, JAVADOC);
                String name = sources.relativize(file.getParent()).toString().replace('/', '.');
                if (!name.isEmpty()
                        && !imports.toString().contains(" " + name + ".*;")
                        && !file.endsWith("package-info.java")) {
                    using(name);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Takes what a page shows. */
    public Snippets page(Path page) {
        collect(page, PAGE);
        return this;
    }

    private void collect(Path file, Pattern pattern) {
        try {
            String text = Files.readString(file);
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                int line = (int) text.substring(0, matcher.start()).lines().count();
                all.add(new Snippet(file, line, matcher.group(1).replaceAll("(?m)^ \\* ?", "")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files that show something. */
    public List<Path> files() {
        return all.stream().map(Snippet::file).distinct().toList();
    }

    /**
     * Compiles all of them.
     *
     * @param fields declarations of what they use without saying where it comes from
     * @param output where classes go
     * @return what the compiler complains about, with file and line of the snippet; empty if all is well
     */
    public String complaints(String fields, Path output) {
        List<String> options =
                List.of("-d", output.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
        Map<JavaFileObject, Snippet> sources = new LinkedHashMap<>();
        for (Snippet snippet : all) {
            sources.put(source(snippet, fields, "Shown" + sources.size()), snippet);
        }
        StringBuilder complaints = new StringBuilder();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        complaint -> {
                            Snippet snippet = sources.get(complaint.getSource());
                            if (complaint.getKind() == Diagnostic.Kind.ERROR) {
                                complaints.append(snippet == null ? "" : snippet.file + ", line " + snippet.line + ": ");
                                complaints.append(complaint.getMessage(null)).append('\n');
                            }
                        },
                        options,
                        null,
                        sources.keySet())
                .call();
        return compiled ? "" : "does not compile\n".repeat(complaints.isEmpty() ? 1 : 0) + complaints;
    }

    /**
     * Compiles all of them as one program and runs it.
     *
     * @param folder what they call {@code folder}, where their files are
     * @param output where classes go
     * @return what the compiler complains about; empty if the program has run
     */
    public String run(Path folder, Path output) throws ReflectiveOperationException, IOException {
        String program = all.stream().map(Snippet::code).collect(Collectors.joining("\n"));
        JavaFileObject source = source(
                "Shown",
                imports + "\npublic class Shown { public static void shown(Path folder) throws Exception {\n"
                        + program + "\n}}\n");
        StringWriter said = new StringWriter();
        List<String> options =
                List.of("-d", output.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
        if (ToolProvider.getSystemJavaCompiler()
                .getTask(said, null, null, options, null, List.of(source))
                .call()) {
            try (URLClassLoader classes = new URLClassLoader(
                    new URL[] {output.toUri().toURL()}, getClass().getClassLoader())) {
                classes.loadClass("Shown").getMethod("shown", Path.class).invoke(null, folder);
            }
        }
        return said.toString();
    }

    private JavaFileObject source(Snippet snippet, String fields, String name) {
        return source(
                name,
                imports + "\nclass " + name + " { " + fields + "\nvoid shown() throws Exception {\n" + snippet.code
                        + "\n}}\n");
    }

    private static JavaFileObject source(String name, String source) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }
}
