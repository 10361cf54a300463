package dev.starling.loss;

import dev.starling.data.Survival;
import java.util.Optional;

/**
 * Cox's partial likelihood. The label of a row is the time at which it was last seen: positive if the event happened
 * then, negative if not. Every event is compared with the rows of its stratum that are at risk at that time, so no row
 * has a loss of its own.
 *
 * @param ties how events at the same time are treated
 * @param watched when each row was watched, if labels do not say: rows may then come late, and all are at one node
 */
public record Cox(Ties ties, Optional<Survival> watched) implements JointLoss {

    /** Creates the likelihood with Efron's treatment of ties. */
    public Cox() {
        this(Ties.EFRON);
    }

    /** Creates the likelihood of times that labels say. */
    public Cox(Ties ties) {
        this(ties, Optional.empty());
    }

    @Override
    public String name() {
        return ties == Ties.EFRON ? "cox" : "cox(" + ties.text() + ")";
    }

    @Override
    public boolean comparesRows() {
        return true;
    }

    @Override
    public boolean isThirdBounded() {
        return true;
    }

    @Override
    public boolean isClassification() {
        return false;
    }

    @Override
    public boolean isDispersionKnown() {
        return true;
    }

    @Override
    public LabelDomain domain() {
        return watched.isPresent() ? LabelDomain.REAL : LabelDomain.TIMES;
    }

    @Override
    public Link link() {
        return Link.LOG;
    }
}
