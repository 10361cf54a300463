package dev.starling.objective.strata;

import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Stratified;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import dev.starling.objective.InformationPass;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Smoothness;
import dev.starling.objective.Term;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A loss of one margin per row, to which every stratum adds the intercept α that is best for it. With g and H the
 * derivatives of a stratum's losses by coefficients and α, its part of the gradient is g_β − h g_α/h_αα and of the
 * Hessian H_ββ − hhᵀ/h_αα, which is that of the rows less their mean, weighted by curvature.
 *
 * <p>A stratum whose labels no finite intercept fits best, such as one without a single event, tells nothing.
 */
public final class StratifiedTerm implements Term {

    /**
     * The sums of a family with an intercept for every stratum, each of which is the best for the coefficients at hand.
     *
     * @param loss ℓ
     */
    public record Family(Stratified loss) implements dev.starling.objective.Family {

        @Override
        public Smoothness smoothness() {
            return new Smoothness(
                    Smoothness.of(loss.family()).typical(), Double.POSITIVE_INFINITY, true, loss.isConvex());
        }

        @Override
        public int labelNumbers() {
            return StratifiedTerm.LABEL_NUMBERS;
        }

        @Override
        public NullModel nullModel(double[] totals, double unit) {
            return new NullModel(totals[0], totals[0], unit * totals[1], totals[2], totals[3]);
        }

        @Override
        public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
            return new StratifiedTerm(rows, layout, loss.family());
        }
    }

    static final int LABEL_NUMBERS = 4;

    /** Beyond this, an intercept is not finite. */
    private static final double FARTHEST = 600;

    private static final int MOST_STEPS = 200;

    /** The number of roundings in a row's slope and curvature, with room to spare. */
    private static final int OPERATIONS = 64;

    private final LocalProblem problem;
    private final PassLayout layout;
    private final Likelihood loss;
    private final int features;
    private final int[][] strata;
    private final double[][] rows;

    StratifiedTerm(LocalProblem problem, PassLayout layout, Likelihood loss) {
        this.problem = problem;
        this.layout = layout;
        this.loss = loss;
        this.features = layout.parameters();
        Dataset data = problem.data();
        int[] of = Survival.numbered(problem.groups(), data.rows());
        this.strata = IntStream.range(0, Arrays.stream(of).max().orElse(-1) + 1)
                .mapToObj(s -> IntStream.range(0, of.length)
                        .filter(i -> of[i] == s && data.weight(i) > 0)
                        .toArray())
                .toArray(int[][]::new);
        this.rows = new double[data.rows()][features];
        for (int i = 0; i < rows.length; i++) {
            data.addTo(i, 1, rows[i]);
        }
    }

    @Override
    public int visits(int stride) {
        return problem.samples();
    }

    @Override
    public double cost(PassSums what, int stride) {
        return problem.samples() * (what == PassSums.GRADIENT ? 8 : 8 + problem.valuesPerRow() / 2);
    }

    /** A stratum's rows at a point: their margins with the best intercept, and where they are centred. */
    private final class Fitted {
        private final int[] members;
        private final double[] margins;
        private final double[] centre = new double[features];
        private final double residual;
        private final double curvature;
        private final boolean finite;
        private double largest;

        Fitted(int stratum, double[] theta) {
            this.members = strata[stratum];
            this.margins = new double[members.length];
            for (int k = 0; k < members.length; k++) {
                double size = Math.abs(problem.data().offset(members[k]));
                double margin = problem.data().offset(members[k]);
                for (int c = 0; c < features; c++) {
                    margin = Math.fma(rows[members[k]][c], theta[c], margin);
                    size += Math.abs(rows[members[k]][c] * theta[c]);
                }
                margins[k] = margin;
                largest = Math.max(largest, size);
            }
            double[] sums = new double[2];
            this.finite = slopes(-FARTHEST, sums) < 0 && slopes(FARTHEST, sums) > 0;
            double intercept = finite ? best(sums) : 0;
            this.residual = finite ? slopes(intercept, sums) : 0;
            this.curvature = sums[1];
            this.largest += Math.abs(intercept);
            for (int k = 0; k < members.length; k++) {
                margins[k] += intercept;
            }
            for (int c = 0; finite && c < features; c++) {
                CompensatedSum sum = new CompensatedSum();
                for (int k = 0; k < members.length; k++) {
                    sum.add(curvature(k) / curvature * rows[members[k]][c]);
                }
                centre[c] = sum.value();
            }
        }

        /** Returns the sum of slopes with an intercept, and writes it and that of curvatures. */
        private double slopes(double intercept, double[] sums) {
            CompensatedSum slope = new CompensatedSum();
            double bend = 0;
            for (int k = 0; k < members.length; k++) {
                double weight = problem.data().weight(members[k]);
                double label = problem.data().label(members[k]);
                slope.add(weight * loss.derivative(margins[k] + intercept, label));
                bend += weight * loss.curvature(margins[k] + intercept, label);
            }
            sums[0] = slope.value();
            sums[1] = bend;
            return sums[0];
        }

        /** Newton's steps, which halve an interval instead where they would leave it. */
        private double best(double[] sums) {
            double low = -FARTHEST;
            double high = FARTHEST;
            double at = 0;
            for (int step = 0; step < MOST_STEPS; step++) {
                double slope = slopes(at, sums);
                low = slope < 0 ? at : low;
                high = slope > 0 ? at : high;
                double next = at - slope / sums[1];
                next = next > low && next < high ? next : (low + high) / 2;
                if (slope == 0 || Math.abs(next - at) <= Math.ulp(at) || next == low || next == high) {
                    return at;
                }
                at = next;
            }
            return at;
        }

        double curvature(int k) {
            return problem.data().weight(members[k])
                    * loss.curvature(margins[k], problem.data().label(members[k]));
        }

        double slope(int k) {
            return problem.data().weight(members[k])
                    * loss.derivative(margins[k], problem.data().label(members[k]));
        }

        double relative() {
            return Rounding.UNIT * (8.0 * (features + 1) * (1 + largest) + OPERATIONS);
        }

        /** Writes value, gradient and on request the Hessian. */
        void add(PassSums what, double[] sums) {
            CompensatedSum value = new CompensatedSum();
            CompensatedSum[] gradient = new CompensatedSum[features];
            Arrays.setAll(gradient, c -> new CompensatedSum());
            double slopes = 0;
            for (int k = 0; k < members.length; k++) {
                sums[PassLayout.WEIGHT] += problem.data().weight(members[k]);
            }
            for (int k = 0; finite && k < members.length; k++) {
                double weight = problem.data().weight(members[k]);
                value.add(weight * loss.value(margins[k], problem.data().label(members[k])));
                slopes += Math.abs(slope(k));
                int at = layout.hessian();
                for (int a = 0; a < features; a++) {
                    double left = rows[members[k]][a] - centre[a];
                    gradient[a].add(slope(k) * left);
                    for (int b = 0; what == PassSums.HESSIAN && b <= a; b++) {
                        sums[at++] += curvature(k) * left * (rows[members[k]][b] - centre[b]);
                    }
                }
            }
            sums[PassLayout.LOSS] = value.value();
            sums[PassLayout.ERROR] =
                    SumWords.up(relative() * (value.value() + slopes * (1 + largest)) + SumWords.ROUNDING);
            for (int c = 0; c < features; c++) {
                sums[PassLayout.GRADIENT + c] = gradient[c].value();
            }
        }

        /** Writes what a proof needs. Lengths are those of coefficients and the stratum's intercept together. */
        void prove(ProofBasis basis, double[] sums) {
            add(PassSums.PROOF, sums);
            if (!finite) {
                return;
            }
            double root = InformationPass.RADIUS / basis.radius();
            double relative = relative();
            double[] centred = new double[features];
            double third = 0;
            double drift = 0;
            double scaled = 0;
            for (int k = 0; k < members.length; k++) {
                for (int c = 0; c < features; c++) {
                    centred[c] = rows[members[k]][c] - centre[c];
                }
                double along = basis.lengthOf(centred);
                double length = Math.sqrt(along * along + root * root / curvature) * (1 + 0x1p-20);
                double label = problem.data().label(members[k]);
                double weight = problem.data().weight(members[k]);
                double off = relative * (1 + largest);
                third += weight
                        * length
                        * length
                        * length
                        * loss.thirdWithin(margins[k], label, length * basis.radius());
                double bends = curvature(k) + weight * loss.thirdWithin(margins[k], label, off) * off;
                drift += length * length * (relative * members.length * curvature(k) + bends - curvature(k));
                scaled += (bends * off + relative * (Math.abs(slope(k)) + bends)) * basis.scaledLengthOf(centred);
            }
            double missed = Math.abs(residual) + relative * members.length * curvature;
            scaled += missed / Math.sqrt(curvature) * root / basis.length();
            int proof = layout.proof();
            sums[proof + PassLayout.DISTANCES] = SumWords.up(drift);
            sums[proof + PassLayout.SCALED_ERROR] = SumWords.up(scaled + basis.roundingOfWords());
            sums[proof + PassLayout.LEVERAGES] = SumWords.up((1 + 0x1p-20) * third);
        }
    }

    @Override
    public Optional<Supplier<SumRequest.Shares>> shares(PassSums what, double[] theta, int stride) {
        return Optional.of(() -> {
            double[] slopes = new double[rows.length];
            double[] curvatures = new double[rows.length];
            for (int s = 0; s < strata.length; s++) {
                Fitted fitted = new Fitted(s, theta);
                for (int k = 0; k < fitted.members.length; k++) {
                    slopes[fitted.members[k]] = fitted.slope(k);
                    curvatures[fitted.members[k]] = fitted.curvature(k);
                }
            }
            return new SumRequest.Shares(List.of(slopes), what.isCurved() ? List.of(curvatures) : List.of());
        });
    }

    /**
     * The number of rows, the value at 0, the part of the likelihood that nothing changes, and the number of strata.
     */
    @Override
    public double[] labels() {
        double[] sums = new double[LABEL_NUMBERS];
        Strata.sum(strata.length, LABEL_NUMBERS, sums, (s, part) -> {
            double[] pass = new double[layout.length(PassSums.GRADIENT)];
            Fitted fitted = new Fitted(s, new double[features]);
            fitted.add(PassSums.GRADIENT, pass);
            part[0] = strata[s].length;
            part[1] = pass[PassLayout.LOSS];
            part[2] = Arrays.stream(strata[s])
                    .mapToDouble(i -> loss.constant(
                            problem.data().label(i), problem.data().weight(i)))
                    .sum();
            part[3] = fitted.finite ? 1 : 0;
        });
        return sums;
    }

    @Override
    public void sum(PassSums what, double[] theta, int stride, boolean tight, double[] sums) {
        layout.require(theta);
        Strata.sum(strata.length, layout.length(what), sums, (s, part) -> new Fitted(s, theta).add(what, part));
    }

    @Override
    public void prove(double[] theta, ProofBasis basis, double[] sums) {
        layout.require(theta);
        Strata.sum(
                strata.length,
                layout.length(PassSums.PROOF),
                sums,
                (s, part) -> new Fitted(s, theta).prove(basis, part));
    }
}
