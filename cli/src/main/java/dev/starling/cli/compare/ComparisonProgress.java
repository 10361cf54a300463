package dev.starling.cli.compare;

import dev.starling.cli.console.Progress;
import dev.starling.cli.console.Terminal;
import dev.starling.lab.comparison.ComparisonListener;
import dev.starling.lab.comparison.Curve;
import dev.starling.lab.comparison.Optimum;
import dev.starling.lab.comparison.Point;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;

/** A progress bar on the terminal for all methods of a comparison together. */
final class ComparisonProgress implements ComparisonListener, AutoCloseable {

    /** The bar counts in whole units: per cent of a curve. */
    private static final long UNITS = 100;

    private final Terminal terminal;
    private final Map<String, Double> shares = new HashMap<>();
    private ProgressBar bar;

    private ComparisonProgress(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Returns a bar if stderr is a terminal and {@code --quiet} was not given. */
    static Optional<ComparisonProgress> onTerminal(Terminal terminal, boolean quiet) {
        return quiet || !terminal.isInteractive() ? Optional.empty() : Optional.of(new ComparisonProgress(terminal));
    }

    synchronized void read(long bytes, long total) {
        if (bar == null) {
            bar = open("Reading", Math.max(total, -1), "MB", 1 << 20);
        }
        bar.stepTo(bytes);
    }

    /** Shows that the optimum is being computed. */
    synchronized void solving() {
        close();
        bar = open("Optimum", -1, "", 1);
    }

    @Override
    public synchronized void begun(Optimum optimum, int curves) {
        close();
        bar = open("Comparing", curves * UNITS, " curves", UNITS);
    }

    @Override
    public synchronized void advanced(String method, long seed, Point point, double share) {
        shares.put(method + seed, share);
        show(String.format(Locale.US, " %s %.1e", method, point.suboptimality()));
    }

    @Override
    public synchronized void finished(Curve curve) {
        shares.put(curve.method() + curve.seed(), 1.0);
        show(" " + curve.method() + " done");
    }

    private void show(String message) {
        if (bar != null) {
            bar.stepTo(Math.round(
                    UNITS * shares.values().stream().mapToDouble(x -> x).sum()));
            bar.setExtraMessage(message);
        }
    }

    private ProgressBar open(String name, long max, String unit, long unitSize) {
        return Progress.bar(terminal, name, max, unit, unitSize).build();
    }

    @Override
    public synchronized void close() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
