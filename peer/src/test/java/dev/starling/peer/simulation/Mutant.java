package dev.starling.peer.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The program as it would be without something that it does: some of its source is changed, compiled again, and
 * simulated. A simulation that does not notice would be worth nothing.
 */
final class Mutant implements AutoCloseable {

    private static final String PACKAGES = "dev.starling.peer.";

    private final Path folder;
    private final Path source;
    private final List<Path> changed = new ArrayList<>();
    private Loader loader;

    /** Creates a mutant that does not differ yet. */
    Mutant(Path folder) {
        this.folder = folder;
        this.source = Path.of(System.getProperty("starling.root", ".."), "peer/src/main/java/dev/starling/peer");
    }

    /** Replaces a piece of the source, which must be there. */
    Mutant without(String file, String piece, String instead) throws IOException {
        Path copy = folder.resolve(file);
        if (!Files.exists(copy)) {
            Files.createDirectories(copy.getParent());
            Files.copy(source.resolve(file), copy);
            changed.add(copy);
        }
        String text = Files.readString(copy);
        if (!text.contains(piece)) {
            throw new AssertionError(file + " has no '" + piece + "'; the mutant must follow the source");
        }
        Files.writeString(copy, text.replace(piece, instead));
        return this;
    }

    private void compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-encoding",
                "UTF-8",
                "-d",
                classes.toString(),
                "-classpath",
                System.getProperty("java.class.path")));
        changed.forEach(file -> arguments.add(file.toString()));
        if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new AssertionError("the mutant does not compile");
        }
        loader = new Loader(classes);
    }

    /**
     * Simulates it from one seed after the other until something does not hold.
     *
     * @return the seed and what did not hold; null if everything did
     */
    String firstViolation(String scenario, Simulation.Mode mode, int seeds) throws Exception {
        if (loader == null) {
            compile();
        }
        Class<?> probe = loader.loadClass(Probe.class.getName());
        return (String) probe.getMethod("firstViolation", String.class, String.class, int.class)
                .invoke(null, scenario, mode.name(), seeds);
    }

    @Override
    public void close() throws IOException {
        if (loader != null) {
            loader.close();
        }
    }

    /** What is called in the mutant. */
    public static final class Probe {
        private Probe() {}

        /** Simulates from one seed after the other until something does not hold. */
        public static String firstViolation(String scenario, String mode, int seeds) {
            for (int seed = 1; seed <= seeds; seed++) {
                Simulation.Result result = Campaign.simulation(seed, scenario, Simulation.Mode.valueOf(mode), null)
                        .run();
                if (result.violation() != null) {
                    return seed + " " + result.violation();
                }
            }
            return null;
        }
    }

    /** Loads the program's own classes anew, the changed ones first. */
    private static final class Loader extends URLClassLoader {
        Loader(Path classes) {
            super(urls(classes), Mutant.class.getClassLoader());
        }

        private static URL[] urls(Path classes) {
            List<Path> paths = new ArrayList<>(List.of(classes));
            Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                    .map(Path::of)
                    .filter(Files::isDirectory)
                    .forEach(paths::add);
            return paths.stream().map(Loader::url).toArray(URL[]::new);
        }

        private static URL url(Path path) {
            try {
                return path.toUri().toURL();
            } catch (MalformedURLException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGES)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}
