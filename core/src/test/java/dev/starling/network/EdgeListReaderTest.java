package dev.starling.network;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeListReaderTest {

    private static Network read(String text) throws IOException {
        return EdgeListReader.read(new StringReader(text), "links.txt");
    }

    @Test
    void numbersNamesInTheOrderTheyAppear() throws IOException {
        Network network = read("# sites\nparis lyon\nlyon\tnice 2.5 # slow\n\nnice,paris,0.5\n");
        assertThat(network.name(0)).isEqualTo("paris");
        assertThat(network.name(2)).isEqualTo("nice");
        assertThat(network.edgeWeights(2)).containsExactly(0.5, 2.5);
        assertThat(network.description()).isEqualTo("graph links.txt");
    }

    @Test
    void keepsTheOrderOfIntegersFromZeroOrOne() throws IOException {
        assertThat(read("2 1\n1 0\n").neighbours(1)).containsExactly(0, 2);
        Network fromOne = read("3 2 7\n2 1\n");
        assertThat(fromOne.name(0)).isEqualTo("1");
        assertThat(fromOne.edgeWeights(2)).containsExactly(7);
    }

    @Test
    void numbersScatteredIntegersInTheOrderTheyAppear() throws IOException {
        assertThat(read("7 3\n3 5\n").name(0)).isEqualTo("7");
    }

    @Test
    void mergesAnEdgeGivenInBothDirections() throws IOException {
        assertThat(read("a b 2\nb a 2\n").edges()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a b;c|graph links.txt, line 2: 'c' must be two names and optionally a weight, such as 'paris lyon 2.5'",
                "a b;b b|graph links.txt, line 2: edge 'b b' joins 'b' to itself; it must join two nodes",
                "a b -1|graph links.txt, line 1: weight '-1' must be a positive number",
                "a b x|graph links.txt, line 1: weight 'x' must be a positive number",
                "a b 2;b a 3|graph links.txt, line 2: edge 'b a' has weight 3.0 but weight 2.0 in line 1; they must agree",
                "# none|graph links.txt has no edges; write one per line, such as 'paris lyon'",
                "paris nice;lyon brest|graph links.txt is not connected: node 'lyon' cannot be reached from 'paris'",
            })
    void refusesWhatIsNotAConnectedGraph(String text, String message) {
        assertThatRefused(() -> read(text.replace(';', '\n'))).hasMessage(message);
    }

    @Test
    void readsFilesAndSaysWhenThereIsNone(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("two.txt");
        Files.writeString(file, "0 1\n");
        assertThat(EdgeListReader.read(file).description()).isEqualTo("graph two.txt");
        Path missing = folder.resolve("none.txt");
        assertThatRefused(() -> EdgeListReader.read(missing)).hasMessage("graph file " + missing + " does not exist");
    }
}
