package dev.starling.cli.compare;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The data sets of the paper's plots, each from a file or, without one, from rows of the same shape. */
enum PaperData {
    /** 28 dense features, ill conditioned. */
    HIGGS("Higgs", Generator.classification(100_000, 28).conditioning(100).noise(0.3)),
    /** 54 features, few of them filled. */
    COVTYPE(
            "Covtype",
            Generator.classification(100_000, 54).density(0.22).conditioning(10).noise(0.2));

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // a generator is immutable, and only not marked as such
    private final Generator standIn;

    PaperData(String title, Generator standIn) {
        this.title = title;
        this.standIn = standIn;
    }

    /** As the option is called that names its file. */
    String option() {
        return "--" + name().toLowerCase(Locale.ROOT);
    }

    /** What the rows are, for titles. */
    String title(Optional<Path> file) {
        return file.isPresent() ? title : "stand-in for " + title;
    }

    /** Where the rows come from. */
    String source(Optional<Path> file) {
        return file.map(Path::toString).orElse("generated rows that stand in for " + name().toLowerCase(Locale.ROOT));
    }

    Dataset read(Optional<Path> file, DatasetReader.Progress progress) {
        return file.map(path -> DatasetReader.standard().progress(progress).read(path))
                .orElseGet(standIn::generate);
    }

    /** Refuses rows of which a node could not draw as many as it has to. */
    void requireRows(Dataset base, Optional<Path> file, int samples) {
        if (base.rows() < samples) {
            throw new InvalidInputException(source(file) + ": " + base.rows() + " rows, but every node draws " + samples
                    + " of them; use a larger file or a smaller --rows-per-node");
        }
    }
}
