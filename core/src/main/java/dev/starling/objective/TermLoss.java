package dev.starling.objective;

import dev.starling.loss.Loss;

/** A loss whose sums are not those of {@link RowTerm}: it brings the family that makes its terms. */
public interface TermLoss extends Loss {

    /**
     * Returns the family of the loss's sums; called once {@link #forClasses} has made the loss that for all classes.
     */
    Family family();
}
