package dev.starling.table.database;

import dev.starling.data.InvalidInputException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds the JDBC driver for an address, in jar files or on the class path. */
final class Drivers {

    private Drivers() {}

    /**
     * Returns a class loader for the given jar files, which sees nothing of Starling, or for the class path if there
     * are none.
     *
     * @throws InvalidInputException if a file is missing
     */
    static URLClassLoader loader(List<Path> jars) {
        URL[] urls = jars.stream().map(Drivers::url).toArray(URL[]::new);
        ClassLoader parent = jars.isEmpty() ? Drivers.class.getClassLoader() : ClassLoader.getPlatformClassLoader();
        return new URLClassLoader("jdbc driver", urls, parent);
    }

    private static URL url(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new InvalidInputException(jar + " is not a file; give the jar of a JDBC driver");
        }
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new InvalidInputException(jar + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the first driver that accepts an address.
     *
     * @throws InvalidInputException if there is none, or one cannot be loaded
     */
    static Driver accepting(DatabaseUrl url, ClassLoader loader, List<Path> jars) {
        String where = jars.isEmpty()
                ? "the class path"
                : jars.stream().map(Path::toString).collect(Collectors.joining(", "));
        try {
            for (Iterator<Driver> drivers =
                            ServiceLoader.load(Driver.class, loader).iterator();
                    drivers.hasNext(); ) {
                Driver driver = drivers.next();
                if (driver.acceptsURL(url.text())) {
                    return driver;
                }
            }
        } catch (SQLException | ServiceConfigurationError | LinkageError e) {
            throw new InvalidInputException("the driver in " + where + " cannot be used: " + e, e);
        }
        throw new InvalidInputException(
                where + " has no driver for " + url.shown() + "; give the jar of one with --driver-jar");
    }
}
