package dev.starling.method.adfs.tuning;

/** The forecast of a member of the ADFS family whose steps follow a {@link Tuning}, but take a different time. */
public interface FamilyForecast extends StepForecast {

    /** Returns τ, c, σ_A, the two constants, p_comm, ρ and η. */
    Tuning tuning();

    /** Returns the predicted idealised time in which the error shrinks by a factor e. */
    double timePerFactor();

    @Override
    default double delay() {
        return tuning().delay();
    }

    @Override
    default double timePerStep() {
        return timePerFactor() * tuning().rate();
    }

    @Override
    default double stepsFor(double factor) {
        return tuning().stepsFor(factor);
    }

    @Override
    default double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
        return tuning().stepsLeft(before, stepsBefore, now, stepsNow, target);
    }

    @Override
    default boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
        return tuning().keepsUp(before, stepsBefore, now, stepsNow);
    }
}
