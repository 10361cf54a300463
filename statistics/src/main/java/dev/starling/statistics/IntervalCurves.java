package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import dev.starling.settings.Curves;
import dev.starling.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Survival curves by intervals: every time counts as the end of its interval, and what follows the last one as not
 * seen. Kaplan and Meier's estimate and the log-rank test are then those of such times.
 */
public final class IntervalCurves {

    private IntervalCurves() {}

    /** Times as the ends of their intervals. */
    public static Survival of(Survival survival, Curves curves) {
        int rows = survival.rows();
        if (Arrays.stream(survival.start()).anyMatch(start -> start > Double.NEGATIVE_INFINITY)) {
            throw new InvalidInputException(
                    "rows that came late cannot be counted by intervals; leave --intervals out");
        }
        double[] stop = new double[rows];
        boolean[] events = new boolean[rows];
        for (int i = 0; i < rows; i++) {
            int interval = curves.interval(survival.stop()[i]);
            stop[i] = end(curves, interval);
            events[i] = survival.events()[i] && interval < curves.times().size();
        }
        return new Survival(survival.start(), stop, events, survival.strata());
    }

    private static double end(Curves curves, int interval) {
        List<Double> times = curves.times();
        return interval < times.size() ? times.get(interval) : Math.nextUp(times.get(times.size() - 1));
    }

    /**
     * The curves of a model whose nodes have counted events.
     *
     * @throws InvalidInputException if they have not
     */
    public static SurvivalCurves of(LinearModel model, double level) {
        double[] counts = model.inference()
                .map(Inference::curves)
                .filter(any -> any.length > 0)
                .orElseThrow(() -> new InvalidInputException("the model has no survival curves; train it with the loss"
                        + " cox and curves, for example curves: 90,180,365"));
        Curves curves = Setting.CURVES.parse(model.provenance().settings().get(Setting.CURVES.name()));
        int intervals = curves.times().size() + 1;
        List<String> names = new ArrayList<>();
        names.add(curves.column().isEmpty() ? "all" : "other " + curves.column());
        for (int feature : curves.features(model.names())) {
            names.add(model.names().get(feature));
        }
        int[] cells = IntStream.range(0, counts.length)
                .flatMap(cell -> IntStream.range(0, (int) counts[cell]).map(any -> cell))
                .toArray();
        boolean[] events = new boolean[cells.length];
        double[] stop = new double[cells.length];
        for (int i = 0; i < cells.length; i++) {
            events[i] = cells[i] % 2 == 0;
            stop[i] = end(curves, cells[i] / 2 % intervals);
        }
        return SurvivalCurves.of(
                Survival.of(stop, events),
                Arrays.stream(cells).map(cell -> cell / 2 / intervals).toArray(),
                names,
                level);
    }
}
