package dev.starling.method.newton;

import dev.starling.internal.Cholesky;
import dev.starling.node.State;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Span;
import java.io.IOException;
import java.util.Optional;

/**
 * Newton's method for fewer rows than features: a first pass finds the span of the rows, and Hessians are computed in
 * that span. Gradients, and therefore certificates, are those of the whole space, so directions that rounding has left
 * out of the span cost more steps at worst.
 */
final class SpanNewton extends DirectNewton {

    private final double[] coordinates;
    private Optional<Span> span = Optional.empty();

    SpanNewton(PassLayout layout, long samples, double lambda) {
        super(layout, samples, lambda, PassSums.SPAN);
        this.coordinates = new double[curved];
    }

    /**
     * Starts at 0 regardless: at the point that gradients have reached, many rows may lie on linear pieces of the loss,
     * which have no curvature.
     */
    @Override
    void beginAt(double[] start) {}

    /** Other problems leave other rows out and therefore have another span, so there is nothing to learn for them. */
    @Override
    double[] warmStart() {
        return new double[0];
    }

    @Override
    Optional<Span> span() {
        return span;
    }

    @Override
    void take(double[] sums) {
        super.take(sums);
        if (passSums() == PassSums.SPAN) {
            span = Optional.of(Span.of(layout, sums));
        }
    }

    @Override
    void advance() {
        if (passSums() == PassSums.SPAN) {
            requestHessian();
        } else {
            super.advance();
        }
    }

    @Override
    void precondition(double[] vector) {
        Span known = span.orElseThrow();
        known.takeOut(vector, coordinates);
        for (int c = 0; c < parameters; c++) {
            vector[c] /= lambda;
        }
        Cholesky.solve(matrix, curved, coordinates, coordinates);
        known.addTo(vector, coordinates);
    }

    @Override
    public void state(State s) throws IOException {
        super.state(s);
        if (s.flag(span.isPresent())) {
            span = Optional.of(span.orElseGet(() -> Span.blank(layout)));
            span.get().state(s);
        } else {
            span = Optional.empty();
        }
    }
}
