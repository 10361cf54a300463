package dev.starling.spark.model;

import dev.starling.data.InvalidInputException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** Small text files on any file system that Spark can reach. */
public final class TextFiles {

    private TextFiles() {}

    /**
     * Reads a file.
     *
     * @param what describes what to give if the file does not exist
     * @throws InvalidInputException if it cannot be read
     */
    public static String read(String file, String what, SparkSession spark) {
        Path path = new Path(file);
        try (InputStream in =
                path.getFileSystem(spark.sparkContext().hadoopConfiguration()).open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (FileNotFoundException e) {
            throw new InvalidInputException(file + " does not exist; give " + what, e);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    static boolean exists(String file, SparkSession spark) {
        Path path = new Path(file);
        try {
            return path.getFileSystem(spark.sparkContext().hadoopConfiguration())
                    .exists(path);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Writes a file that does not exist yet. */
    static void write(String text, Path file, SparkSession spark) {
        try (OutputStream out =
                file.getFileSystem(spark.sparkContext().hadoopConfiguration()).create(file, false)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
