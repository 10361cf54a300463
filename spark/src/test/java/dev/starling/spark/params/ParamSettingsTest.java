package dev.starling.spark.params;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.spark.StarlingClassifier;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every setting can be set by a Param, and has the value that the Param says. */
class ParamSettingsTest {

    /** Settings that no Param stands for, with the reason. */
    private static final Map<String, String> WITHOUT_A_PARAM = Map.of(
            "labels", "tasks see all rows of a data frame, so no class can be missing",
            "heterogeneity", "nodes are partitions of one data frame, whose rows have no site",
            "proportional-hazards", "a test between sites; Spark's models of times have no table of it",
            "curves", "counts by agreed intervals are for sites; a data frame is in one place");

    /** A Param's value that differs from the default, and the setting's text that it must lead to. */
    private record Case(UnaryOperator<StarlingClassifier> set, String text) {}

    private static Map<String, Case> cases() {
        Map<String, Case> cases = new LinkedHashMap<>();
        cases.put("loss", new Case(one -> one.setLoss("squared-hinge"), "squared-hinge"));
        cases.put("lambda", new Case(one -> one.setRegParam(0.5), "0.5"));
        cases.put("l1", new Case(one -> one.setL1Param(0.25), "0.25"));
        cases.put("lambda-path", new Case(one -> one.setLambdaPath("0.5,0.25"), "0.5,0.25"));
        cases.put("l1-ratios", new Case(one -> one.setLambdaPath("4").setL1Ratios("0.5"), "0.5"));
        cases.put("cv", new Case(one -> one.setCv("5"), "5"));
        cases.put("cv-columns", new Case(one -> one.setCv("5").setCvGroupsCol("ward"), "ward"));
        cases.put("cv-rule", new Case(one -> one.setCv("5").setCvRule("1se"), "1se"));
        cases.put("method", new Case(one -> one.setMethod("adfs"), "adfs"));
        cases.put("gap", new Case(one -> one.setTol(0.125), "0.125"));
        cases.put("max-epochs", new Case(one -> one.setMaxIter(7), "7.0"));
        cases.put("max-seconds", new Case(one -> one.setMaxSeconds(9), "9.0"));
        cases.put("seed", new Case(one -> one.setSeed(11), "11"));
        cases.put("tau", new Case(one -> one.setDelay(3), "3.0"));
        cases.put("bias", new Case(one -> one.setInterceptScaling(2), "2.0"));
        cases.put("intercept", new Case(one -> one.setFitIntercept(false), "false"));
        cases.put("scaling", new Case(one -> one.setScaling("standardize"), "standardize"));
        cases.put("one-versus-rest", new Case(one -> one.setOneVersusRest(true), "true"));
        cases.put("precision", new Case(one -> one.setPrecision("float"), "float"));
        cases.put("class-weights", new Case(one -> one.setClassWeights("0=1,1=2.5"), "0.0=1.0,1.0=2.5"));
        cases.put(
                "standard-errors",
                new Case(one -> one.setLoss("softmax").setRegParam(0).setStandardErrors("model"), "model"));
        cases.put("holdout", new Case(one -> one.setHoldout(0.2), "0.2"));
        return cases;
    }

    @Test
    void everySettingHasAParamOrAReason() {
        Set<String> all = Setting.all().stream().map(Setting::name).collect(Collectors.toSet());
        Set<String> known = new HashSet<>(cases().keySet());
        known.addAll(WITHOUT_A_PARAM.keySet());
        assertThat(known).isEqualTo(all);
    }

    @Test
    void aParamDecidesItsSetting() {
        Settings usual = ParamSettings.of(new StarlingClassifier());
        cases().forEach((name, one) -> {
            Settings set = ParamSettings.of(one.set().apply(new StarlingClassifier()));
            assertThat(usual.toMap().get(name)).as("default of " + name).isNotEqualTo(one.text());
            assertThat(set.toMap()).as(name).containsEntry(name, one.text());
        });
    }
}
