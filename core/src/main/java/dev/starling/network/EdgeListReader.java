package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads a network from a text file with one edge per line: two names, and optionally the weight μ².
 *
 * <pre>
 * # links between sites
 * paris lyon
 * lyon  nice  2.5
 * </pre>
 *
 * <p>Names and weights are separated by spaces, tabs or commas; anything after a {@code #} is ignored. If the names are
 * the integers 0 to n − 1, or 1 to n, nodes are numbered in their order, otherwise in the order in which they first
 * appear. An edge may be repeated, in either direction, if its weight stays the same; an edge from a node to itself is
 * rejected.
 */
public final class EdgeListReader {

    private static final Pattern SEPARATORS = Pattern.compile("[\\s,]+");
    private static final Pattern INTEGER = Pattern.compile("0|[1-9][0-9]{0,8}");

    private record Link(int from, int to, double weight, int line) {}

    private final String file;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final Map<Long, Link> links = new LinkedHashMap<>();

    private EdgeListReader(String file) {
        this.file = file;
    }

    /**
     * Reads a file of edges.
     *
     * @throws InvalidInputException if a line is not an edge, or the graph is not connected
     */
    public static Network read(Path file) {
        String name = String.valueOf(file.getFileName());
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            return read(reader, name);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException("graph file " + file + " does not exist", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable("graph file " + file, e);
        }
    }

    /**
     * Reads edges from text.
     *
     * @param name the name of the text in messages and in the network's description
     */
    public static Network read(Reader text, String name) throws IOException {
        EdgeListReader reader = new EdgeListReader(name);
        BufferedReader lines = new BufferedReader(text);
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            reader.accept(line, ++number);
        }
        return reader.network();
    }

    private void accept(String line, int number) {
        int comment = line.indexOf('#');
        String content = (comment < 0 ? line : line.substring(0, comment)).replace("\uFEFF", "");
        String trimmed = content.strip();
        if (trimmed.isEmpty()) {
            return;
        }
        String[] words = SEPARATORS.split(trimmed, -1);
        if (words.length < 2 || words.length > 3 || words[0].isEmpty()) {
            throw error(
                    number, "'" + trimmed + "' must be two names and optionally a weight, such as 'paris lyon 2.5'");
        }
        if (words[0].equals(words[1])) {
            throw error(number, "edge '" + trimmed + "' joins '" + words[0] + "' to itself; it must join two nodes");
        }
        double weight = words.length == 3 ? weight(words[2], number) : 1.0;
        int from = numbers.computeIfAbsent(words[0], word -> numbers.size());
        int to = numbers.computeIfAbsent(words[1], word -> numbers.size());
        Link before = links.putIfAbsent(EdgeBuffer.key(from, to), new Link(from, to, weight, number));
        if (before != null && before.weight() != weight) {
            throw error(
                    number,
                    "edge '" + words[0] + " " + words[1] + "' has weight " + weight + " but weight " + before.weight()
                            + " in line " + before.line() + "; they must agree");
        }
    }

    private double weight(String word, int line) {
        double weight;
        try {
            weight = Double.parseDouble(word);
        } catch (NumberFormatException e) {
            throw new InvalidInputException(error(line, badWeight(word)).getMessage(), e);
        }
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw error(line, badWeight(word));
        }
        return weight;
    }

    private static String badWeight(String word) {
        return "weight '" + word + "' must be a positive number";
    }

    private InvalidInputException error(int line, String problem) {
        return new InvalidInputException("graph " + file + ", line " + line + ": " + problem);
    }

    private Network network() {
        if (links.isEmpty()) {
            throw new InvalidInputException(
                    "graph " + file + " has no edges; write one per line, such as 'paris lyon'");
        }
        List<String> words = new ArrayList<>(numbers.keySet());
        int[] rank = ranks(words);
        String[] names = new String[words.size()];
        for (int i = 0; i < names.length; i++) {
            names[rank[i]] = words.get(i);
        }
        List<GraphRecipe.Edge> edges = links.values().stream()
                .map(link -> new GraphRecipe.Edge(rank[link.from()], rank[link.to()], link.weight()))
                .toList();
        return new GraphRecipe("graph " + file, names.length, "", 0, List.of(names), edges).build();
    }

    /**
     * The number of each named node: in the order of the names if they are 0 to n − 1 or 1 to n, otherwise in order of
     * appearance.
     */
    private static int[] ranks(List<String> words) {
        int nodes = words.size();
        int[] values = new int[nodes];
        int[] appearance = new int[nodes];
        int smallest = Integer.MAX_VALUE;
        int largest = -1;
        for (int i = 0; i < nodes; i++) {
            appearance[i] = i;
            values[i] = INTEGER.matcher(words.get(i)).matches() ? Integer.parseInt(words.get(i)) : Integer.MAX_VALUE;
            smallest = Math.min(smallest, values[i]);
            largest = Math.max(largest, values[i]);
        }
        // The names are distinct, so n of them within n consecutive integers are all of those integers.
        if (smallest > 1 || (long) largest - smallest != nodes - 1) {
            return appearance;
        }
        for (int i = 0; i < nodes; i++) {
            values[i] -= smallest;
        }
        return values;
    }
}
