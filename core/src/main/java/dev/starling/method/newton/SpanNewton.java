package dev.starling.method.newton;

import dev.starling.internal.Cholesky;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * Newton's method where rows are fewer than features: a first pass finds the span of the rows, and Hessians are summed
 * up in that. Gradients, and so certificates, are those of the whole space, so that what rounding has left out of the
 * span costs steps at worst.
 */
final class SpanNewton extends DirectNewton {

    private final double[] coordinates;
    private Optional<Span> span = Optional.empty();

    SpanNewton(PassLayout layout, long samples, double lambda) {
        super(layout, samples, lambda, PassSums.SPAN);
        this.coordinates = new double[curved];
    }

    /** Begins at 0 all the same: where gradients have led, rows may lie beyond kinks of slopes and bend nothing. */
    @Override
    void beginAt(double[] start) {}

    /** Where rows are left out their span is another one. */
    @Override
    double[] lessons() {
        return new double[0];
    }

    @Override
    Optional<Span> span() {
        return span;
    }

    @Override
    void take(double[] sums) {
        super.take(sums);
        if (order() == PassSums.SPAN) {
            span = Optional.of(Span.of(layout, sums));
        }
    }

    @Override
    void advance() {
        if (order() == PassSums.SPAN) {
            sumUpHessian();
        } else {
            super.advance();
        }
    }

    @Override
    void precondition(double[] vector) {
        Span known = span.orElseThrow();
        known.takeOut(vector, coordinates);
        for (int c = 0; c < features; c++) {
            vector[c] /= lambda;
        }
        Cholesky.solve(matrix, curved, coordinates, coordinates);
        known.addTo(vector, coordinates);
    }

    @Override
    void save(DataOutput out) throws IOException {
        super.save(out);
        out.writeBoolean(span.isPresent());
        if (span.isPresent()) {
            span.get().save(out);
        }
    }

    @Override
    void restore(DataInput in) throws IOException {
        super.restore(in);
        span = in.readBoolean() ? Optional.of(Span.restore(layout, in)) : Optional.empty();
    }
}
