package dev.starling.cli.train;

import dev.starling.cli.console.Progress;
import dev.starling.job.TrainingListener;
import java.util.Optional;

/** A progress bar, or none. */
record OptionalProgress(Optional<Progress> progress) implements AutoCloseable {
    void read(long bytes, long total) {
        progress.ifPresent(bar -> bar.read(bytes, total));
    }

    TrainingListener listener() {
        return progress.<TrainingListener>map(bar -> bar).orElse(TrainingListener.NONE);
    }

    @Override
    public void close() {
        progress.ifPresent(Progress::close);
    }
}
