package dev.starling.method.adfs;

/** What theory has for a run under every belief that it may come to hold. */
public interface Theory {

    /** What the run is to believe at its start. */
    default Belief atFirst() {
        return Belief.THEORY;
    }

    /** The pace under a belief. */
    StepForecast pace(Belief belief);

    /** Whether the run may believe its losses to be flatter than theory has them. */
    boolean relaxes();

    /** After so many raises M_i is as large as it can be at every node, so that more would change nothing. */
    int mostRaises();

    /** The theory of a method whose constants stay what they are. */
    static Theory fixed(StepForecast pace) {
        return new Theory() {
            @Override
            public StepForecast pace(Belief belief) {
                return pace;
            }

            @Override
            public boolean relaxes() {
                return false;
            }

            @Override
            public int mostRaises() {
                return 0;
            }
        };
    }
}
