package dev.starling.spark.params;

import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;

/**
 * An estimator or model with Params of its own.
 *
 * @param <E> its type, which setters return, as is usual in Spark
 */
public interface ParamOwner<E> extends Params {

    /** Its own Params; null while Spark's constructors run. */
    OwnParams ownParams();

    @Override
    default String uid() {
        return ownParams() == null ? EarlyUid.current() : ownParams().uid();
    }

    /** Sets a Param. */
    @SuppressWarnings("unchecked")
    default <T> E with(Param<T> param, T value) {
        set(param, value);
        return (E) this;
    }
}
