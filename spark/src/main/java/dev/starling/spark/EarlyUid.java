package dev.starling.spark;

import org.apache.spark.ml.util.Identifiable$;

/**
 * The uid of an estimator or model under construction. Spark's base classes make their Params, which carry the uid,
 * while they are constructed, which in Java is before a subclass can set a field. So a constructor says the uid first,
 * in the argument of another constructor, and {@code uid()} asks for it here.
 */
final class EarlyUid {

    private static final ThreadLocal<EarlyUid> UNDER_CONSTRUCTION = new ThreadLocal<>();

    private final String uid;

    private EarlyUid(String uid) {
        this.uid = uid;
    }

    /** A uid of its own for a new object. */
    static String random(String prefix) {
        return Identifiable$.MODULE$.randomUID(prefix);
    }

    /** The object that this thread constructs next has this uid. */
    static EarlyUid of(String uid) {
        EarlyUid early = new EarlyUid(uid);
        UNDER_CONSTRUCTION.set(early);
        return early;
    }

    /** The uid of the object that this thread constructs. */
    static String current() {
        return UNDER_CONSTRUCTION.get().uid;
    }

    /** Ends the construction; the uid is then the object's to keep. */
    String keep() {
        UNDER_CONSTRUCTION.remove();
        return uid;
    }
}
