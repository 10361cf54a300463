package dev.starling.cli.console;

import dev.starling.certificate.Certificate;
import dev.starling.data.DatasetReader;
import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.DoubleSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar on the terminal: it shows bytes while reading, then epochs, the certified gap and the time left as
 * predicted by the rate.
 */
public final class Progress implements TrainingListener, DatasetReader.Progress, AutoCloseable {

    private static final int REFRESH_MILLIS = 100;

    /** The bar counts in whole units: hundredths of an epoch. */
    private static final double UNITS = 100;

    private final Terminal terminal;
    private final Timer clock = new Timer("starling-progress", true);
    private ProgressBar bar;

    // Read by the bar's own thread, which must never wait for this object's lock: closing the bar, under that lock,
    // waits for the thread.
    private volatile String task = "";
    private volatile DoubleSupplier epochs = () -> 0;
    private volatile double predictedTotal;
    private volatile long started;

    private Progress(Terminal terminal) {
        this.terminal = terminal;
        clock.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        refresh();
                    }
                },
                REFRESH_MILLIS,
                REFRESH_MILLIS);
    }

    /** Returns a bar if stderr is a terminal and {@code --quiet} was not given. */
    public static Optional<Progress> onTerminal(Terminal terminal, boolean quiet) {
        return quiet || !terminal.isInteractive() ? Optional.empty() : Optional.of(new Progress(terminal));
    }

    @Override
    public synchronized void read(long bytes, long total) {
        if (bar == null) {
            open("Reading", Math.max(total, -1), "MB", 1 << 20);
        }
        bar.stepTo(bytes);
    }

    @Override
    public synchronized void started(int index, int count, TrainingPlan plan, DoubleSupplier done) {
        closeBar();
        task = count == 1 ? "Training" : "Class " + (index + 1) + "/" + count;
        epochs = done;
        predictedTotal = plan.predictedEpochs();
        started = System.nanoTime();
        open(task, units(predictedTotal), " epochs", (long) UNITS);
    }

    @Override
    public synchronized void certified(Certificate certificate, double epochsLeft) {
        predictedTotal = epochs.getAsDouble() + epochsLeft;
        if (bar != null) {
            bar.maxHint(Math.max(1, units(predictedTotal)));
            bar.setExtraMessage(String.format(Locale.US, " gap %.1e", certificate.relativeGap()));
        }
    }

    private synchronized void refresh() {
        if (bar != null && !task.isEmpty()) {
            bar.stepTo(units(epochs.getAsDouble()));
        }
    }

    private void open(String name, long max, String unit, long unitSize) {
        bar = bar(terminal, name, max, unit, unitSize)
                .setEtaFunction(state -> timeLeft())
                .build();
    }

    /** A bar on the terminal, where nothing is left of it in the end. */
    public static ProgressBarBuilder bar(Terminal terminal, String name, long max, String unit, long unitSize) {
        return new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(max)
                .setUnit(unit, unitSize)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(REFRESH_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, terminal.columns()))
                .clearDisplayOnFinish();
    }

    private Optional<Duration> timeLeft() {
        double done = epochs.getAsDouble();
        if (task.isEmpty() || !(done > 0)) {
            return Optional.empty();
        }
        double nanosPerEpoch = (System.nanoTime() - started) / done;
        return Optional.of(Duration.ofNanos((long) (Math.max(0, predictedTotal - done) * nanosPerEpoch)));
    }

    private static long units(double epochs) {
        return (long) Math.min(Math.ceil(epochs * UNITS), Long.MAX_VALUE / 2.0);
    }

    private void closeBar() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }

    /** Removes the bar, whatever state it is in. */
    @Override
    public void close() {
        clock.cancel();
        synchronized (this) {
            closeBar();
        }
    }
}
