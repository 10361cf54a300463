package dev.starling.spark.params;

import dev.starling.settings.Setting;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;

/**
 * The Params that an estimator or model has besides those of Spark's own classes, by name. They are made from a table,
 * {@code params.tsv}.
 */
public final class OwnParams implements Serializable {

    private final Params owner;
    private final HashMap<String, Param<?>> byName = new HashMap<>();
    private final HashMap<String, String> settings = new HashMap<>();
    private final String uid;

    /**
     * Creates the Params of an object under construction.
     *
     * @param table adds them
     */
    public OwnParams(Params owner, EarlyUid early, Consumer<OwnParams> table) {
        this.owner = owner;
        table.accept(this);
        this.uid = early.keep();
    }

    String uid() {
        return uid;
    }

    /** The values of the settings for which a Param stands, as text. */
    Map<String, String> settings() {
        Map<String, String> values = new HashMap<>();
        settings.forEach((setting, param) ->
                values.put(setting, owner.getOrDefault(named(param)).toString()));
        return values;
    }

    /** The object that has them. */
    Params owner() {
        return owner;
    }

    /** Returns one by its name. Generated getters know its type, which is that of its line in the table. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <P extends Param<?>> P named(String name) {
        return (P) byName.get(name);
    }

    <T> void add(Param<T> param, T usual) {
        byName.put(param.name(), param);
        owner.setDefault(param, usual);
    }

    /** Adds one that stands for a setting. */
    <T> void add(Param<T> param, T usual, Setting<?> setting) {
        settings.put(setting.name(), param.name());
        add(param, usual);
    }
}
