package dev.starling.spark.node;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * States of nodes in a directory that all executors can reach: {@code starling-RUN/node-3/state-42.bin}, where RUN is a
 * digest of everything that determines the run (data, settings, nodes), so that any task that finds a state may
 * continue from it. States with the same number, one per node, belong together.
 */
public final class StateFiles {

    /**
     * How many states are kept: a node may be a little ahead of others when all stop, but the newest state that all
     * have is one of the last few.
     */
    static final int KEPT = 3;

    private static final int BUFFER = 1 << 16;
    private static final long END_MARK = 0x5354_4152_4C49_4E47L;
    private static final Pattern NAME = Pattern.compile("state-(\\d+)\\.bin");

    private final Path root;
    private final Configuration hadoop;

    /** Gives access to the states in a directory. */
    public StateFiles(String directory, Configuration hadoop) {
        this.root = new Path(directory);
        this.hadoop = hadoop;
    }

    private FileSystem files() throws IOException {
        return root.getFileSystem(hadoop);
    }

    private Path folder(String run, int node) {
        return new Path(new Path(root, "starling-" + run), "node-" + node);
    }

    private Path file(String run, int node, long number) {
        return new Path(folder(run, node), "state-" + number + ".bin");
    }

    /** The numbers of a node's states, ascending. */
    long[] numbers(String run, int node) throws IOException {
        try {
            return Arrays.stream(files().listStatus(folder(run, node)))
                    .map(FileStatus::getPath)
                    .map(path -> NAME.matcher(path.getName()))
                    .filter(Matcher::matches)
                    .mapToLong(matcher -> Long.parseLong(matcher.group(1)))
                    .sorted()
                    .toArray();
        } catch (FileNotFoundException e) {
            return new long[0];
        }
    }

    /** Writes a node's state and deletes old ones; a file under its final name is always complete. */
    void write(String run, int node, long number, Stateful program) throws IOException {
        FileSystem files = files();
        Path file = file(run, node, number);
        Path temporary = new Path(file.getParent(), "." + file.getName() + ".new");
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(files.create(temporary, true), BUFFER))) {
            program.state(State.saving(out));
            out.writeLong(END_MARK);
        }
        files.delete(file, false);
        if (!files.rename(temporary, file)) {
            throw new IOException(file + " cannot be written: renaming " + temporary + " failed");
        }
        long[] numbers = numbers(run, node);
        for (int k = 0; k < numbers.length - KEPT; k++) {
            files.delete(file(run, node, numbers[k]), false);
        }
    }

    /** Reads a state; one that cannot be read is deleted, so that the next attempt does without it. */
    void read(String run, int node, long number, Stateful program) throws IOException {
        Path file = file(run, node, number);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(files().open(file), BUFFER))) {
            program.state(State.restoring(in));
            if (in.readLong() != END_MARK) {
                throw new IOException(file + " does not end like a checkpoint");
            }
        } catch (IOException e) {
            files().delete(file, false);
            throw e;
        }
    }

    /** Deletes all states of a run. */
    public void remove(String run) throws IOException {
        files().delete(new Path(root, "starling-" + run), true);
    }
}
