package dev.starling.support;

import dev.starling.settings.ClassWeighting;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;

/** Values of settings from their text form, for tests with tables of texts. */
public final class SettingTexts {

    private SettingTexts() {}

    /** A path with shares of the l1 term, separated by commas. */
    public static LambdaPath path(String values, String ratios) {
        LambdaPath path = Setting.LAMBDA_PATH.parse(values);
        return new LambdaPath(path.count(), path.lambdas(), Setting.L1_RATIOS.parse(ratios));
    }

    /** A number of folds, or sites. */
    public static Folds folds(String text) {
        return Setting.CV.parse(text);
    }

    /** Weights by label. */
    public static ClassWeighting classWeights(String text) {
        return Setting.CLASS_WEIGHTS.parse(text);
    }
}
