package dev.starling.method.adfs.tuning;

/** What theory predicts for a run under every belief that it may come to hold. */
@FunctionalInterface
public interface Theory {

    /** Returns the belief that the run starts with. */
    default Belief atFirst() {
        return Belief.THEORY;
    }

    /** Returns the pace under a belief. */
    StepForecast pace(Belief belief);

    /** Returns whether the run may assume that its losses have less curvature than theory does. */
    default boolean relaxes() {
        return false;
    }

    /**
     * Returns the number of raises after which M_i is as large as it can be on every node, so that more would change
     * nothing.
     */
    default int mostRaises() {
        return 0;
    }

    /**
     * Returns whether a run ends when its certificates fall behind, so that whoever started it can tune it anew; others
     * fall back to what theory covers and continue.
     */
    default boolean endsWhenBehind() {
        return false;
    }

    /** Returns the theory of a method whose constants never change. */
    static Theory fixed(StepForecast pace) {
        return belief -> pace;
    }
}
