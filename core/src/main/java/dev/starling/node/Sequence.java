package dev.starling.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Phases one after another, each made from the results of those before it. A sequence is written as methods that return
 * the next step, {@code return next("moments", fold(…), this::scaled)}; a loop is a method whose step continues with
 * the method itself.
 *
 * <p>The saved state consists of the names and states of the phases so far. Restoring calls the same methods again with
 * the saved results, so no lambda is ever written to disk, but the methods must depend only on rows, settings and
 * results.
 *
 * @param <R> the type of the result
 */
public abstract class Sequence<R> implements Phase<R> {

    /**
     * A named phase, and the function that makes the next step from its result.
     *
     * @param <T> the type of the phase's result
     */
    protected record Step<T>(String name, Phase<T> phase, Function<? super T, Step<?>> then) {
        private Step<?> following() {
            return then.apply(phase.result());
        }
    }

    private final State.Owner owner;
    private final List<Step<?>> passed = new ArrayList<>();
    private final Exchange end = new Exchange();
    private Step<?> step;
    private boolean begun;
    private R result;
    private volatile int position;

    /**
     * Creates a sequence that has not begun.
     *
     * @param owner the program it belongs to: a state can only be restored by the owner that saved it
     */
    protected Sequence(State.Owner owner) {
        this.owner = owner;
    }

    /** Returns the first step. */
    protected abstract Step<?> begin();

    /** Returns a step: a phase, and the method that makes the next step from its result. */
    protected final <T> Step<T> next(String name, Phase<T> phase, Function<? super T, Step<?>> then) {
        return new Step<>(name, phase, then);
    }

    /** Drops the current phase, whatever it was waiting for, and continues with another step instead. */
    protected final void replace(Step<?> other) {
        step = other;
    }

    /** Ends the sequence with a result. */
    protected final Step<?> done(R value) {
        result = value;
        return null;
    }

    @Override
    public final Exchange advance() {
        if (!begun) {
            begun = true;
            step = begin();
        }
        while (step != null) {
            Exchange exchange = step.phase.advance();
            if (exchange.kind() != Exchange.Kind.END) {
                return exchange;
            }
            pass();
        }
        return end.end();
    }

    private void pass() {
        passed.add(step);
        step = step.following();
        position = passed.size();
    }

    @Override
    public final void absorb(double[][] messages) {
        step.phase.absorb(messages);
        if (step.phase.isDone()) {
            pass();
        }
    }

    @Override
    public final boolean isDone() {
        return begun && step == null;
    }

    @Override
    public final R result() {
        if (!isDone()) {
            throw new IllegalStateException("not done: at " + (begun ? step.name : "the start"));
        }
        return result;
    }

    @Override
    public final int longestMessage() {
        return step == null ? 0 : step.phase.longestMessage();
    }

    /** The number of phases that have ended. */
    public final int position() {
        return position;
    }

    /** The name of the current phase; empty before the first and after the last. */
    public final String phaseName() {
        return step == null ? "" : step.name;
    }

    /** The current phase; null before the first and after the last. */
    protected final Phase<?> present() {
        return step == null ? null : step.phase;
    }

    @Override
    public final void state(State s) throws IOException {
        owner.state(s);
        begun = s.flag(begun);
        if (s.isRestoring()) {
            step = begun ? begin() : null;
        }
        int count = s.number(passed.size());
        for (int k = 0; k < count; k++) {
            state(s, s.isRestoring() ? step : passed.get(k));
            if (s.isRestoring()) {
                pass();
            }
        }
        if (s.flag(step != null)) {
            state(s, step);
        }
    }

    private static void state(State s, Step<?> due) throws IOException {
        String here = due == null ? "" : due.name;
        String name = s.text(here);
        if (due == null || !name.equals(here)) {
            throw new IOException("the state is of the phase '" + name + "', here "
                    + (due == null ? "none" : "'" + here + "'") + " is due");
        }
        due.phase.state(s);
    }
}
