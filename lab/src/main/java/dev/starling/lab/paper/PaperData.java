package dev.starling.lab.paper;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Generator;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The data sets of the paper's plots, each read from a file or, without one, generated with the same shape. */
public enum PaperData {
    /** 28 dense features, ill conditioned. */
    HIGGS("Higgs", Generator.classification(100_000, 28).conditioning(100).noise(0.3)),
    /** 54 features, most of them zero in every row. */
    COVTYPE(
            "Covtype",
            Generator.classification(100_000, 54).density(0.22).conditioning(10).noise(0.2));

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // a generator is immutable, but not annotated as such
    private final Generator standIn;

    PaperData(String title, Generator standIn) {
        this.title = title;
        this.standIn = standIn;
    }

    /** The name in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of the rows, for titles. */
    public String title(Optional<Path> file) {
        return file.isPresent() ? title : "stand-in for " + title;
    }

    /** Where the rows come from. */
    public String source(Optional<Path> file) {
        return file.map(Path::toString).orElse("generated rows that stand in for " + text());
    }

    /** Reads the rows, or generates them. */
    public Dataset read(Optional<Path> file, DatasetReader.Progress progress) {
        return file.map(path -> DatasetReader.standard().progress(progress).read(path))
                .orElseGet(standIn::generate);
    }
}
