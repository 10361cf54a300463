package dev.starling.lab.apcg;

/**
 * The function to minimise: F(x) = q_A(x) + Σ_i ψ_i(x_i).
 *
 * @param smooth q_A
 * @param separable ψ
 */
public record CompositeProblem(SmoothPart smooth, SeparableTerm separable) {

    /** F(x). */
    public double value(double[] x) {
        double sum = smooth.value(x);
        for (int i = 0; i < x.length; i++) {
            sum += separable.value(i, x[i]);
        }
        return sum;
    }
}
