package dev.starling.loss;

/** The normal distribution in terms of its scaled tail, with IEEE operations only; W. J. Cody's approximations. */
public final class Normal {

    private static final double ROOT_HALF = 0.70710678118654752440;
    private static final double ROOT_TWO_OVER_PI = 0.79788456080286535588;
    private static final double INVERSE_ROOT_PI = 0.56418958354775628695;
    private static final double INVERSE_ROOT_2PI = 0.39894228040143267794;

    /** Up to here, the error function itself is approximated. */
    private static final double SMALL = 0.46875;

    private static final double LARGE = 4;

    /** From four digits, each step triples them. */
    private static final int QUANTILE_STEPS = 3;

    private static final double[] A = {
        1.85777706184603153e-1,
        3.16112374387056560e0,
        1.13864154151050156e2,
        3.77485237685302021e2,
        3.20937758913846947e3
    };
    private static final double[] B = {
        1, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3
    };
    private static final double[] C = {
        2.15311535474403846e-8,
        5.64188496988670089e-1,
        8.88314979438837594e0,
        6.61191906371416295e1,
        2.98635138197400131e2,
        8.81952221241769090e2,
        1.71204761263407058e3,
        2.05107837782607147e3,
        1.23033935479799725e3
    };
    private static final double[] D = {
        1,
        1.57449261107098347e1,
        1.17693950891312499e2,
        5.37181101862009858e2,
        1.62138957456669019e3,
        3.29079923573345963e3,
        4.36261909014324716e3,
        3.43936767414372164e3,
        1.23033935480374942e3
    };
    private static final double[] P = {
        1.63153871373020978e-2,
        3.05326634961232344e-1,
        3.60344899949804439e-1,
        1.25781726111229246e-1,
        1.60837851487422766e-2,
        6.58749161529837803e-4
    };
    private static final double[] Q = {
        1,
        2.56852019228982242e0,
        1.87295284992346725e0,
        5.27905102951428412e-1,
        6.05183413124413191e-2,
        2.33520497626869185e-3
    };

    private Normal() {}

    private static double polynomial(double[] coefficients, double x) {
        double sum = 0;
        for (double coefficient : coefficients) {
            sum = Math.fma(sum, x, coefficient);
        }
        return sum;
    }

    /** e^(x²) erfc(x). */
    private static double scaledComplement(double x) {
        double size = Math.abs(x);
        if (size <= SMALL) {
            double square = x * x;
            return Elementary.exp(square) * (1 - x * (polynomial(A, square) / polynomial(B, square)));
        }
        double tail;
        if (size <= LARGE) {
            tail = polynomial(C, size) / polynomial(D, size);
        } else {
            double z = 1 / (x * x);
            tail = (INVERSE_ROOT_PI - z * (polynomial(P, z) / polynomial(Q, z))) / size;
        }
        return x > 0 ? tail : 2 * square(x) - tail;
    }

    /** e^(x²), with the rounding of x² made up for. */
    private static double square(double x) {
        double square = x * x;
        double e = Elementary.exp(square);
        return e < Double.POSITIVE_INFINITY ? Math.fma(e, Math.fma(x, x, -square), e) : e;
    }

    /** φ(x)/Φ(x), the slope of ln Φ. */
    public static double slopeOfLog(double x) {
        return ROOT_TWO_OVER_PI / scaledComplement(-x * ROOT_HALF);
    }

    /** The density. */
    public static double density(double x) {
        double half = 0.5 * x * x;
        double e = Elementary.exp(-half);
        return INVERSE_ROOT_2PI * Math.fma(-e, Math.fma(0.5 * x, x, -half), e);
    }

    /** Φ(x), with full relative accuracy in the lower tail. */
    public static double cumulative(double x) {
        return x <= 0 ? density(x) / slopeOfLog(x) : 1 - cumulative(-x);
    }

    /** The x with Φ(x) = p, for p between 0 and 1. */
    public static double quantile(double p) {
        if (p > 0.5) {
            return -quantile(1 - p);
        }
        if (p <= 0) {
            return p == 0 ? Double.NEGATIVE_INFINITY : Double.NaN;
        }
        double t = Math.sqrt(-2 * Elementary.log(p));
        double x =
                (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
        for (int k = 0; k < QUANTILE_STEPS; k++) {
            // Halley's step for ln Φ, which is nearly quadratic in the tail
            double r = slopeOfLog(x);
            double off = logCumulative(x) - Elementary.log(p);
            x -= off / (r + 0.5 * off * (r + x));
        }
        return x;
    }

    /** ln Φ(x). */
    public static double logCumulative(double x) {
        return x > 0
                ? Elementary.log1p(-cumulative(-x))
                : Elementary.log(INVERSE_ROOT_2PI / slopeOfLog(x)) - 0.5 * x * x;
    }
}
