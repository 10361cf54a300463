package dev.starling.support;

import dev.starling.data.Dataset;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;

/**
 * The primal and the dual objective of a small problem in exact arithmetic: decimal fractions, rounded to 120 digits by
 * divisions and the logistic loss alone. It shares no code with the library.
 */
public final class ExactObjective {

    private static final MathContext DIGITS = new MathContext(120);
    private static final BigDecimal ONE = BigDecimal.ONE;
    private static final BigDecimal ZERO = BigDecimal.ZERO;
    private static final BigDecimal HALF = new BigDecimal("0.5");

    private final Dataset data;
    private final String loss;
    private final BigDecimal parameter;
    private final BigDecimal lambda;
    private final BigDecimal l1;
    private final BigDecimal weight;
    private final int regularised;

    /** Mean loss + (λ/2)‖θ‖², the mean by the weights of the rows; the loss by the name the library has for it. */
    public ExactObjective(Dataset data, String loss, double lambda) {
        this(data, loss, lambda, 0, data.features());
    }

    /** The same with λ₁‖θ‖₁, where the last features are not regularised, but for so many. */
    public ExactObjective(Dataset data, String loss, double lambda, double l1, int regularised) {
        int open = loss.indexOf('(');
        this.data = data;
        this.loss = open < 0 ? loss : loss.substring(0, open);
        this.parameter = open < 0 ? ZERO : exact(Double.parseDouble(loss.substring(open + 1, loss.length() - 1)));
        this.lambda = exact(lambda);
        this.l1 = exact(l1);
        BigDecimal sum = ZERO;
        for (int row = 0; row < data.rows(); row++) {
            sum = sum.add(exact(data.weight(row)));
        }
        this.weight = sum;
        this.regularised = regularised;
    }

    private static BigDecimal exact(double value) {
        return new BigDecimal(value);
    }

    /** P(θ). */
    public BigDecimal primal(double[] theta) {
        return primal(Arrays.stream(theta).mapToObj(ExactObjective::exact).toArray(BigDecimal[]::new));
    }

    /** P(θ). */
    public BigDecimal primal(BigDecimal[] theta) {
        BigDecimal sum = ZERO;
        for (int row = 0; row < data.rows(); row++) {
            sum = sum.add(exact(data.weight(row)).multiply(value(margin(row, theta), exact(data.label(row)))));
        }
        BigDecimal price = ZERO;
        for (int c = 0; c < regularised; c++) {
            BigDecimal size = theta[c].abs();
            price = price.add(lambda.multiply(HALF).multiply(size).add(l1).multiply(size));
        }
        return sum.divide(weight, DIGITS).add(price);
    }

    /** D(s) at slopes, one per row, in the domain of the conjugates; their sum is 0 where there is a free intercept. */
    public BigDecimal dual(BigDecimal[] slopes) {
        BigDecimal sum = ZERO;
        BigDecimal[] vector = new BigDecimal[data.features()];
        Arrays.fill(vector, ZERO);
        for (int row = 0; row < data.rows(); row++) {
            BigDecimal weighted = exact(data.weight(row)).multiply(slopes[row]);
            sum = sum.add(exact(data.weight(row)).multiply(conjugate(slopes[row], exact(data.label(row)))));
            for (int k = data.start(row); k < data.end(row); k++) {
                int column = data.column(row, k);
                vector[column] = vector[column].add(weighted.multiply(exact(data.value(row, k))));
            }
        }
        BigDecimal norm = ZERO;
        for (int c = 0; c < regularised; c++) {
            BigDecimal rest = vector[c].abs().subtract(l1.multiply(weight)).max(ZERO);
            norm = norm.add(rest.multiply(rest));
        }
        BigDecimal squares = norm.divide(weight.multiply(weight).multiply(lambda).multiply(new BigDecimal(2)), DIGITS);
        return sum.divide(weight, DIGITS).negate().subtract(squares);
    }

    /** The gradient of P at θ where there is no l1 term and the loss is logistic or squared. */
    public BigDecimal[] gradient(double[] theta) {
        BigDecimal[] exactTheta =
                Arrays.stream(theta).mapToObj(ExactObjective::exact).toArray(BigDecimal[]::new);
        BigDecimal[] gradient = new BigDecimal[theta.length];
        Arrays.fill(gradient, ZERO);
        for (int row = 0; row < data.rows(); row++) {
            BigDecimal slope = exact(data.weight(row)).multiply(slope(margin(row, exactTheta), exact(data.label(row))));
            for (int k = data.start(row); k < data.end(row); k++) {
                int column = data.column(row, k);
                gradient[column] = gradient[column].add(slope.multiply(exact(data.value(row, k))));
            }
        }
        for (int c = 0; c < gradient.length; c++) {
            BigDecimal share = c < regularised ? lambda.multiply(exactTheta[c]) : ZERO;
            gradient[c] = gradient[c].divide(weight, DIGITS).add(share);
        }
        return gradient;
    }

    private BigDecimal slope(BigDecimal margin, BigDecimal label) {
        if (loss.equals("squared")) {
            return margin.subtract(label);
        }
        BigDecimal z = label.multiply(margin).negate();
        BigDecimal e = exp(z.abs().negate());
        BigDecimal p = (z.signum() > 0 ? ONE : e).divide(ONE.add(e), DIGITS);
        return label.negate().multiply(p);
    }

    private BigDecimal margin(int row, BigDecimal[] theta) {
        BigDecimal sum = ZERO;
        for (int k = data.start(row); k < data.end(row); k++) {
            int column = data.column(row, k);
            sum = sum.add(exact(data.value(row, k)).multiply(theta[column]));
        }
        return sum;
    }

    private BigDecimal value(BigDecimal margin, BigDecimal label) {
        BigDecimal residual = margin.subtract(label);
        BigDecimal slack = ONE.subtract(label.multiply(margin)).max(ZERO);
        return switch (loss) {
            case "squared" -> residual.multiply(residual).multiply(HALF);
            case "hinge" -> slack;
            case "squared-hinge" -> slack.multiply(slack).multiply(HALF);
            case "absolute" -> residual.abs();
            case "epsilon-insensitive" -> residual.abs().subtract(parameter).max(ZERO);
            case "quantile" -> residual.multiply(residual.signum() >= 0 ? ONE.subtract(parameter) : parameter.negate());
            case "huber" ->
                residual.abs().compareTo(parameter) <= 0
                        ? residual.multiply(residual).multiply(HALF)
                        : parameter.multiply(residual.abs().subtract(parameter.multiply(HALF)));
            case "squared-epsilon-insensitive" -> {
                BigDecimal excess = residual.abs().subtract(parameter).max(ZERO);
                yield excess.multiply(excess).multiply(HALF);
            }
            case "smoothed-hinge" ->
                slack.compareTo(parameter) >= 0
                        ? slack.subtract(parameter.multiply(HALF))
                        : slack.multiply(slack).multiply(HALF).divide(parameter, DIGITS);
            case "logistic" -> {
                BigDecimal z = label.multiply(margin).negate();
                yield z.max(ZERO).add(logOfOnePlus(exp(z.abs().negate())));
            }
            default -> throw new IllegalArgumentException(loss);
        };
    }

    private BigDecimal conjugate(BigDecimal slope, BigDecimal label) {
        BigDecimal linear = slope.multiply(label);
        return switch (loss) {
            case "hinge", "absolute", "quantile" -> linear;
            case "epsilon-insensitive" -> linear.add(parameter.multiply(slope.abs()));
            case "squared", "squared-hinge", "huber" ->
                linear.add(slope.multiply(slope).multiply(HALF));
            case "squared-epsilon-insensitive" ->
                linear.add(slope.multiply(slope).multiply(HALF)).add(parameter.multiply(slope.abs()));
            case "smoothed-hinge" ->
                linear.add(slope.multiply(slope).multiply(HALF).multiply(parameter));
            case "logistic" -> {
                BigDecimal p = linear.negate();
                yield entropy(p).add(entropy(ONE.subtract(p)));
            }
            default -> throw new IllegalArgumentException(loss);
        };
    }

    private static BigDecimal entropy(BigDecimal p) {
        return p.signum() == 0 ? ZERO : p.multiply(log(p), DIGITS);
    }

    /** e^x for x ≤ 0, to about 100 digits: by Taylor's series of x/2^k, squared k times; 0 below e^−2000. */
    private static BigDecimal exp(BigDecimal x) {
        if (x.compareTo(new BigDecimal(-2000)) < 0) {
            return ZERO;
        }
        int halvings = 20 + Math.max(0, x.precision() - x.scale()) * 4;
        BigDecimal small = x.divide(new BigDecimal(2).pow(halvings), DIGITS);
        BigDecimal sum = ONE;
        BigDecimal term = ONE;
        for (int k = 1; k < 30; k++) {
            term = term.multiply(small, DIGITS).divide(new BigDecimal(k), DIGITS);
            sum = sum.add(term, DIGITS);
        }
        for (int k = 0; k < halvings; k++) {
            sum = sum.multiply(sum, DIGITS);
        }
        return sum;
    }

    private static BigDecimal logOfOnePlus(BigDecimal e) {
        // e − e²/2 < log(1 + e) < e
        return e.compareTo(new BigDecimal("1e-60")) < 0 ? e : log(ONE.add(e));
    }

    /** log x for 0 < x ≤ 2: by Halley's iteration, which trebles the digits, from that of a double. */
    private static BigDecimal log(BigDecimal x) {
        int exponent = x.precision() - x.scale();
        BigDecimal mantissa = x.scaleByPowerOfTen(-exponent);
        BigDecimal y = exact(Math.log(mantissa.doubleValue()) + exponent * Math.log(10));
        for (int k = 0; k < 3; k++) {
            BigDecimal e = y.signum() > 0 ? ONE.divide(exp(y.negate()), DIGITS) : exp(y);
            BigDecimal step = x.subtract(e).divide(x.add(e), DIGITS);
            y = y.add(step.multiply(new BigDecimal(2)), DIGITS);
        }
        return y;
    }
}
