package dev.starling.cli;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Loss;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.io.File;

/**
 * Trains on a few made-up rows while a large file is being read, so that the virtual machine has compiled the steps of
 * the method when the real rows are there. It changes the time taken, never the result.
 */
final class WarmUp {

    /** Smaller files are read and trained on before it could be of use. */
    private static final long WORTHWHILE_BYTES = 4 << 20;

    private static final int ROWS = 2000;
    private static final double EPOCHS = 40;

    private final StopSignal signal = StopSignal.manual();
    private final Thread thread;

    private WarmUp(Loss loss) {
        thread = new Thread(() -> run(loss), "starling-warm-up");
        thread.setDaemon(true);
    }

    /** Begins, if the file is large. */
    static WarmUp whileReading(String file, Loss loss) {
        WarmUp warmUp = new WarmUp(loss);
        if (new File(file).length() >= WORTHWHILE_BYTES) {
            warmUp.thread.start();
        }
        return warmUp;
    }

    private void run(Loss loss) {
        train(loss, 54, 0.2);
        train(loss, 28, 1);
    }

    private void train(Loss loss, int features, double density) {
        if (signal.isRaised()) {
            return;
        }
        Generator generator = loss.isClassification()
                ? Generator.classification(ROWS, features)
                : Generator.regression(ROWS, features);
        Dataset rows = generator.density(density).generate();
        Trainer.of(loss)
                .nodes(2)
                .gap(1e-12)
                .maxEpochs(EPOCHS)
                .runner(new Simulator())
                .stopSignal(signal)
                .fit(rows);
    }

    /** Ends it, at its next exchange. */
    void end() {
        signal.request();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
