/** The researcher's tools: comparisons, baselines, variants of ADFS, generalized APCG, the lower bound. */
module dev.starling.lab {
    requires transitive dev.starling.core;
    requires org.apache.commons.rng.api;
    requires org.apache.commons.rng.core;
    requires org.apache.commons.rng.simple;
    requires ejml.core;
    requires ejml.ddense;

    exports dev.starling.lab.apcg;
    exports dev.starling.lab.baseline;
    exports dev.starling.lab.baseline.similarity;
    exports dev.starling.lab.bound;
    exports dev.starling.lab.comparison;
    exports dev.starling.lab.conversation;
    exports dev.starling.lab.failing;
    exports dev.starling.lab.general;
    exports dev.starling.lab.leakage;
    exports dev.starling.lab.localised;
    exports dev.starling.lab.paper;
    exports dev.starling.lab.variant;

    provides dev.starling.method.Method with
            dev.starling.lab.conversation.LocalMethod,
            dev.starling.lab.conversation.MatchingsMethod,
            dev.starling.lab.conversation.VaryingMethod,
            dev.starling.lab.localised.LocalisedMethod;
}
