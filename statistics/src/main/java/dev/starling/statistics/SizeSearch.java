package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import java.util.function.DoubleFunction;

/**
 * The size k of a negative binomial at which its profile likelihood, of the best coefficients for each k, is greatest:
 * a fit for each k that is tried, and no other look at rows. The slope of the likelihood has different signs at both
 * ends of an interval around it, which proves a local maximum inside.
 *
 * @param model the fit for the size found
 * @param size k, with half the width of that interval
 * @param standardError the standard error of k
 */
public record SizeSearch(LinearModel model, Proven size, Proven standardError) {

    /** Beyond this, counts cannot be told from those of a Poisson distribution. */
    private static final double LARGEST = 1e6;

    private static final double SMALLEST = 1e-6;
    private static final double EXPANSION = 8;
    private static final int MOST_STEPS = 60;
    private static final double CLOSE = 1e-9;

    /** The narrowest interval that is tried: ten digits are right in it, and more if slopes prove a sign there. */
    private static final double NEAREST = 1e-11;

    /**
     * Searches for the size.
     *
     * @param fit fits the model for a size
     * @throws InvalidInputException if the likelihood rises as long as k does: there is no overdispersion
     */
    public static SizeSearch by(DoubleFunction<LinearModel> fit) {
        double low = SMALLEST;
        double high = 1;
        while (slope(fit.apply(high)).shapeSlope() > 0) {
            low = high;
            high *= EXPANSION;
            if (high > LARGEST) {
                throw new InvalidInputException(
                        "the counts vary no more than those of a Poisson distribution, so the best"
                                + " size is infinite; use the family poisson");
            }
        }
        double size = low == SMALLEST ? high / 2 : Math.sqrt(low * high);
        for (int k = 0; k < MOST_STEPS; k++) {
            Inference known = slope(fit.apply(size));
            double before = size;
            if (known.shapeSlope() > 0) {
                low = size;
            } else {
                high = size;
            }
            // Newton's step for the logarithm of k, which the likelihood is closer to quadratic in
            double curvature = size * known.shapeInformation() - known.shapeSlope();
            double next = size * StrictMath.exp(known.shapeSlope() / curvature);
            size = curvature > 0 && next > low && next < high ? next : Math.sqrt(low * high);
            if (Math.abs(size - before) <= CLOSE / 16 * size) {
                break;
            }
        }
        return found(fit, size);
    }

    private static SizeSearch found(DoubleFunction<LinearModel> fit, double size) {
        LinearModel model = fit.apply(size);
        double error = 1 / Math.sqrt(slope(model).shapeInformation());
        double width = Double.POSITIVE_INFINITY;
        for (double relative = NEAREST; relative < 1e-3 && Double.isInfinite(width); relative *= 10) {
            Inference below = slope(fit.apply(size * (1 - relative)));
            Inference above = slope(fit.apply(size * (1 + relative)));
            if (below.shapeSlope() > below.shapeError() && above.shapeSlope() < -above.shapeError()) {
                width = size * relative;
            }
        }
        return new SizeSearch(model, new Proven(size, width), new Proven(error, error * width / size));
    }

    private static Inference slope(LinearModel model) {
        return GlmTable.inference(model);
    }
}
