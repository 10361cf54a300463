package dev.starling.method.adfs;

import dev.starling.data.Values;
import dev.starling.problem.LocalProblem;

/**
 * Sweeps over u and z for dense rows, once per step. The changes of a step are applied in the sweep of the following
 * step, whose products are therefore one step behind. To correct for that, the sweep also computes the product of the
 * two rows.
 */
final class DenseSweep {

    /** A sweep has three rows at hand, and the next one two more. */
    private static final int ROWS = 5;

    private final LocalProblem problem;
    private final Values.Window rows;
    private final double[] uz;

    /* The last step, which is not yet applied to u and z. */
    private int lastRow;
    private double lastU;
    private double lastZ;

    /* The next row times u and z. */
    private double nextU;
    private double nextZ;

    /* The products that the last sweep has computed. */
    private double sweptU;
    private double sweptZ;
    private double sweptRow;

    /** @param uz u and z, interleaved */
    DenseSweep(LocalProblem problem, double[] uz) {
        this.problem = problem;
        this.rows = new Values.Window(problem.data(), ROWS);
        this.uz = uz;
    }

    /** Where the row of a sample is. */
    int start(int sample) {
        return rows.start(problem.row(sample));
    }

    /** Starts with a row, when no change is pending. */
    void begin(int row) {
        lastRow = row;
        lastU = 0;
        lastZ = 0;
        over(row, row);
        nextU = sweptU;
        nextZ = sweptZ;
    }

    /** Applies the change that is pending. */
    void end() {
        over(lastRow, lastRow);
    }

    /** Returns xᵀ(f u + z) for the row of the present step. */
    double dot(double f) {
        return Math.fma(f, nextU, nextZ);
    }

    /** Leaves the changes of the step on the present row, −du·x in u and −dz·x in z, to the next sweep. */
    void leave(int present, double du, double dz) {
        nextU = Math.fma(-du, sweptRow, sweptU);
        nextZ = Math.fma(-dz, sweptRow, sweptZ);
        lastRow = present;
        lastU = du;
        lastZ = dz;
    }

    /** Adds the change of the last step to u and z, and multiplies the next row by u, by z and by the present row. */
    void over(int present, int next) {
        Values values = rows.values();
        double[] vectors = uz;
        int features = problem.features();
        int last = lastRow;
        double du = -lastU;
        double dz = -lastZ;
        double dotU = 0;
        double dotZ = 0;
        double dotRow = 0;
        double oddU = 0;
        double oddZ = 0;
        double oddRow = 0;
        int c = 0;
        for (; c + 3 < features; c += 4) {
            double last0 = values.at(last + c);
            double last1 = values.at(last + c + 1);
            double last2 = values.at(last + c + 2);
            double last3 = values.at(last + c + 3);
            double u0 = Math.fma(du, last0, vectors[2 * c]);
            double z0 = Math.fma(dz, last0, vectors[2 * c + 1]);
            double u1 = Math.fma(du, last1, vectors[2 * c + 2]);
            double z1 = Math.fma(dz, last1, vectors[2 * c + 3]);
            double u2 = Math.fma(du, last2, vectors[2 * c + 4]);
            double z2 = Math.fma(dz, last2, vectors[2 * c + 5]);
            double u3 = Math.fma(du, last3, vectors[2 * c + 6]);
            double z3 = Math.fma(dz, last3, vectors[2 * c + 7]);
            vectors[2 * c] = u0;
            vectors[2 * c + 1] = z0;
            vectors[2 * c + 2] = u1;
            vectors[2 * c + 3] = z1;
            vectors[2 * c + 4] = u2;
            vectors[2 * c + 5] = z2;
            vectors[2 * c + 6] = u3;
            vectors[2 * c + 7] = z3;
            double next0 = values.at(next + c);
            double next1 = values.at(next + c + 1);
            double next2 = values.at(next + c + 2);
            double next3 = values.at(next + c + 3);
            dotU = Math.fma(next2, u2, Math.fma(next0, u0, dotU));
            dotZ = Math.fma(next2, z2, Math.fma(next0, z0, dotZ));
            oddU = Math.fma(next3, u3, Math.fma(next1, u1, oddU));
            oddZ = Math.fma(next3, z3, Math.fma(next1, z1, oddZ));
            dotRow = Math.fma(next2, values.at(present + c + 2), Math.fma(next0, values.at(present + c), dotRow));
            oddRow = Math.fma(next3, values.at(present + c + 3), Math.fma(next1, values.at(present + c + 1), oddRow));
        }
        for (; c < features; c++) {
            double u = Math.fma(du, values.at(last + c), vectors[2 * c]);
            double z = Math.fma(dz, values.at(last + c), vectors[2 * c + 1]);
            vectors[2 * c] = u;
            vectors[2 * c + 1] = z;
            dotU = Math.fma(values.at(next + c), u, dotU);
            dotZ = Math.fma(values.at(next + c), z, dotZ);
            dotRow = Math.fma(values.at(next + c), values.at(present + c), dotRow);
        }
        sweptU = dotU + oddU;
        sweptZ = dotZ + oddZ;
        sweptRow = dotRow + oddRow;
    }
}
