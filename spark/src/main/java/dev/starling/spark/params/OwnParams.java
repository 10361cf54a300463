package dev.starling.spark.params;

import dev.starling.settings.Setting;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import scala.Function1;

/**
 * The Params that an estimator or model has besides those of Spark's own classes, by name. A table makes them: a line
 * for each, with its documentation, its default and what is valid.
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
                values.put(setting, owner.getOrDefault(byName.get(param)).toString()));
        return values;
    }

    @SuppressWarnings("unchecked")
    Param<String> text(String name) {
        return (Param<String>) byName.get(name);
    }

    StringArrayParam texts(String name) {
        return (StringArrayParam) byName.get(name);
    }

    DoubleParam number(String name) {
        return (DoubleParam) byName.get(name);
    }

    IntParam whole(String name) {
        return (IntParam) byName.get(name);
    }

    LongParam longWhole(String name) {
        return (LongParam) byName.get(name);
    }

    BooleanParam truth(String name) {
        return (BooleanParam) byName.get(name);
    }

    OwnParams text(String name, String usual, String doc) {
        return add(new Param<>(owner, name, doc), usual);
    }

    OwnParams text(String name, String usual, String doc, Function1<String, Object> valid) {
        return add(new Param<>(owner, name, doc, valid), usual);
    }

    OwnParams text(String name, Setting<?> setting) {
        return text(name, setting.usualText(), setting);
    }

    OwnParams text(String name, String usual, Setting<?> setting) {
        return standing(name, setting).text(name, usual, setting.help());
    }

    OwnParams number(String name, Setting<Double> setting, Function1<Object, Object> valid) {
        return standing(name, setting).number(name, setting.usual(), setting.help(), valid);
    }

    OwnParams whole(String name, int usual, Setting<Double> setting, Function1<Object, Object> valid) {
        return standing(name, setting).whole(name, usual, setting.help(), valid);
    }

    OwnParams longWhole(String name, Setting<Long> setting) {
        standing(name, setting);
        return add(new LongParam(owner, name, setting.help()), setting.usual());
    }

    private OwnParams standing(String name, Setting<?> setting) {
        settings.put(setting.name(), name);
        return this;
    }

    OwnParams texts(String name, String doc) {
        return add(new StringArrayParam(owner, name, doc), new String[0]);
    }

    OwnParams number(String name, double usual, String doc, Function1<Object, Object> valid) {
        return add(new DoubleParam(owner, name, doc, valid), usual);
    }

    OwnParams whole(String name, int usual, String doc, Function1<Object, Object> valid) {
        return add(new IntParam(owner, name, doc, valid), usual);
    }

    OwnParams truth(String name, Setting<Boolean> setting) {
        return standing(name, setting).truth(name, setting.usual(), setting.help());
    }

    OwnParams truth(String name, boolean usual, String doc) {
        return add(new BooleanParam(owner, name, doc), usual);
    }

    private <T> OwnParams add(Param<T> param, T usual) {
        byName.put(param.name(), param);
        owner.setDefault(param, usual);
        return this;
    }
}
