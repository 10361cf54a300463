package dev.starling.peer.simulation;

import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The disk of a site. Bytes are safe once their file was forced, names once their directory was; of everything else any
 * part may be left after a crash: nothing, all, the beginning, or the beginning followed by zeros.
 */
final class VirtualDisk {

    static final String FULL = "No space left on device";

    /** A file or a directory. */
    static final class Node {
        final boolean directory;
        byte[] content = {};
        byte[] forced = {};

        Node(boolean directory) {
            this.directory = directory;
        }

        Node copyOfForced() {
            Node copy = new Node(directory);
            copy.forced = forced;
            copy.content = forced;
            return copy;
        }
    }

    private record Renaming(String path, Node node) {}

    private final World world;
    private final TreeMap<String, Node> names = new TreeMap<>();
    private final TreeMap<String, Node> forcedNames = new TreeMap<>();
    private final List<Renaming> unforced = new ArrayList<>();
    private final Map<String, VirtualProcess> locks = new HashMap<>();
    private int torn;
    private boolean full;

    VirtualDisk(World world) {
        this.world = world;
        put("/", new Node(true));
        unforced.clear();
        forcedNames.putAll(names);
    }

    /** How many files were left with less than what was written to them, so far. */
    int torn() {
        return torn;
    }

    /** From now on there is room for more, or there is not. */
    void setFull(boolean isFull) {
        full = isFull;
    }

    Node get(String path) {
        return names.get(path);
    }

    /** The names in a directory, in order. */
    List<String> list(String directory) {
        String prefix = directory.equals("/") ? "/" : directory + "/";
        List<String> found = new ArrayList<>();
        for (String path : names.tailMap(prefix, false).keySet()) {
            if (!path.startsWith(prefix)) {
                break;
            }
            if (path.indexOf('/', prefix.length()) < 0) {
                found.add(path);
            }
        }
        return found;
    }

    private void put(String path, Node node) {
        if (node == null) {
            names.remove(path);
        } else {
            names.put(path, node);
        }
        unforced.add(new Renaming(path, node));
    }

    Node create(String path, boolean directory) throws IOException {
        require("creates", path);
        Node node = new Node(directory);
        put(path, node);
        return node;
    }

    void delete(String path) throws IOException {
        require("deletes", path);
        put(path, null);
    }

    void move(String from, String to) throws IOException {
        require("renames", to);
        Node node = names.get(from);
        // One change of names: neither can happen without the other.
        names.remove(from);
        names.put(to, node);
        unforced.add(new Renaming(from, null));
        unforced.add(new Renaming(to, node));
    }

    void write(String path, Node node, int position, byte[] bytes) throws IOException {
        World.Trouble trouble = trouble("writes", path);
        int count = trouble == World.Trouble.NONE ? bytes.length : world.any(bytes.length + 1);
        byte[] content = Arrays.copyOf(node.content, Math.max(node.content.length, position + count));
        System.arraycopy(bytes, 0, content, position, count);
        node.content = content;
        end(trouble);
    }

    void truncate(String path, Node node, int length) throws IOException {
        require("truncates", path);
        node.content = Arrays.copyOf(node.content, Math.min(length, node.content.length));
    }

    void force(String path, Node node) throws IOException {
        require("forces", path);
        if (node.directory) {
            unforced.removeIf(renaming -> {
                boolean here = parent(renaming.path).equals(path);
                if (here) {
                    apply(renaming);
                }
                return here;
            });
        } else {
            node.forced = node.content;
        }
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    private void apply(Renaming renaming) {
        if (renaming.node == null) {
            forcedNames.remove(renaming.path);
        } else {
            forcedNames.put(renaming.path, renaming.node);
        }
    }

    private void require(String operation, String path) throws IOException {
        end(trouble(operation, path));
    }

    private World.Trouble trouble(String operation, String path) {
        VirtualProcess process = world.running();
        if (process == null) {
            return World.Trouble.NONE;
        }
        if (!process.isAlive()) {
            throw new Crash();
        }
        if (full && !operation.equals("deletes")) {
            return World.Trouble.FULL;
        }
        world.tell(() -> process + "    " + operation + " " + path);
        return world.weather().onDisk(process, operation, path);
    }

    private void end(World.Trouble trouble) throws IOException {
        switch (trouble) {
            case FULL -> throw new IOException(FULL);
            case DEATH -> {
                world.running().kill();
                throw new Crash();
            }
            default -> {}
        }
    }

    /** Locks a file for the running process; returns false if another one has it. */
    boolean lock(String path) {
        VirtualProcess holder = locks.putIfAbsent(path, world.running());
        if (holder != null && holder == world.running()) {
            throw new OverlappingFileLockException();
        }
        return holder == null;
    }

    void unlock(String path) {
        locks.remove(path, world.running());
    }

    /** Called when a process has ended by itself. */
    void release(VirtualProcess process) {
        locks.values().removeIf(holder -> holder == process);
    }

    /** Called when a process dies and the machine with it: what was not forced may be lost. */
    void crash(VirtualProcess process, SplittableRandom random) {
        release(process);
        if (locks.isEmpty()) {
            lose(random);
        }
    }

    private void lose(SplittableRandom random) {
        int left = switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> unforced.size();
            default -> random.nextInt(unforced.size() + 1);
        };
        // A rename is one change, whose two halves follow each other.
        if (left > 0
                && left < unforced.size()
                && unforced.get(left - 1).node == null
                && unforced.get(left).node != null) {
            left++;
        }
        unforced.subList(0, left).forEach(this::apply);
        torn += left < unforced.size() ? 1 : 0;
        unforced.clear();
        names.clear();
        names.putAll(forcedNames);
        names.keySet().removeIf(path -> !isReachable(path));
        forcedNames.keySet().retainAll(names.keySet());
        for (Node node : names.values()) {
            if (!Arrays.equals(node.content, node.forced)) {
                torn++;
                node.content = survivor(node, random);
                node.forced = node.content;
            }
        }
    }

    /** A file is gone if the directory it is in is. */
    private boolean isReachable(String path) {
        return path.equals("/") || (forcedNames.containsKey(parent(path)) && isReachable(parent(path)));
    }

    private static byte[] survivor(Node node, SplittableRandom random) {
        int safe = Arrays.mismatch(node.content, node.forced);
        boolean grown = safe == node.forced.length;
        if (!grown) {
            return random.nextBoolean() ? node.content : node.forced;
        }
        int tail = node.content.length - node.forced.length;
        int kept = random.nextInt(3) == 0 ? tail : random.nextInt(tail + 1);
        byte[] left = Arrays.copyOf(node.content, node.forced.length + kept);
        if (random.nextInt(4) == 0) {
            // The length of a file may reach the disk before its bytes.
            Arrays.fill(left, node.forced.length + random.nextInt(kept + 1), left.length, (byte) 0);
        }
        return left;
    }

    /** A copy of everything that is safe. */
    Map<String, Node> backup() {
        Map<String, Node> copy = new TreeMap<>();
        forcedNames.forEach((path, node) -> copy.put(path, node.copyOfForced()));
        return copy;
    }

    /** Puts files back from a copy, and removes those that it does not have. */
    void restore(Map<String, Node> copy, java.util.function.Predicate<String> which) {
        names.keySet().removeIf(which);
        copy.forEach((path, node) -> {
            if (which.test(path)) {
                names.put(path, node.copyOfForced());
            }
        });
        forcedNames.clear();
        forcedNames.putAll(names);
        unforced.clear();
    }

    /** Reads a file from outside. */
    byte[] content(String path) {
        Node node = names.get(path);
        return node == null ? new byte[0] : node.content;
    }

    /** Changes a file from outside. */
    void set(String path, byte[] content) {
        Node node = names.computeIfAbsent(path, key -> new Node(false));
        node.content = content;
        node.forced = content;
        forcedNames.put(path, node);
    }

    /** Makes a directory from outside. */
    void makeDirectory(String path) {
        Node node = new Node(true);
        names.put(path, node);
        forcedNames.put(path, node);
    }

    /** Removes a file from outside. */
    void remove(String path) {
        names.remove(path);
        forcedNames.remove(path);
        unforced.removeIf(renaming -> renaming.path.equals(path));
    }
}
