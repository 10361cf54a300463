package dev.starling.spark.params;

import org.apache.spark.ml.util.Identifiable$;

/**
 * The uid of an estimator or model under construction. Spark's base classes create their Params, which carry the uid,
 * in their constructors, which in Java run before a subclass can set a field. So a constructor first registers the uid
 * here, while it computes the argument for another constructor, and {@code uid()} looks it up here.
 */
public final class EarlyUid {

    private static final ThreadLocal<EarlyUid> UNDER_CONSTRUCTION = new ThreadLocal<>();

    private final String uid;

    private EarlyUid(String uid) {
        this.uid = uid;
    }

    /** Generates a unique uid for a new object. */
    public static String random(String prefix) {
        return Identifiable$.MODULE$.randomUID(prefix);
    }

    /** Registers the uid of the object that this thread constructs next. */
    public static EarlyUid of(String uid) {
        EarlyUid early = new EarlyUid(uid);
        UNDER_CONSTRUCTION.set(early);
        return early;
    }

    /** The uid of the object that this thread is constructing. */
    static String current() {
        return UNDER_CONSTRUCTION.get().uid;
    }

    /** Ends the construction; the object must store the uid that this returns. */
    String keep() {
        UNDER_CONSTRUCTION.remove();
        return uid;
    }
}
