/**
 * Certified linear models from data that lives in many places.
 *
 * <p>Start with {@link dev.starling.Trainer}. Packages that only Starling's own modules need are exported to them
 * alone.
 */
module dev.starling.core {
    requires java.xml;
    requires org.apache.commons.compress;
    requires org.apache.commons.rng.api;
    requires org.apache.commons.rng.core;
    requires org.apache.commons.rng.simple;
    requires ejml.core;
    requires ejml.ddense;
    requires tools.jackson.core;

    uses dev.starling.method.Method;

    exports dev.starling;
    exports dev.starling.certificate;
    exports dev.starling.data;
    exports dev.starling.evaluation;
    exports dev.starling.export;
    exports dev.starling.job;
    exports dev.starling.loss;
    exports dev.starling.method;
    exports dev.starling.model;
    exports dev.starling.network;
    exports dev.starling.node;
    exports dev.starling.problem;
    exports dev.starling.runtime;
    exports dev.starling.settings;
    exports dev.starling.study;
    exports dev.starling.table;
    exports dev.starling.internal to
            dev.starling.lab;
    exports dev.starling.method.adfs to
            dev.starling.lab;
    exports dev.starling.method.adfs.certified to
            dev.starling.lab;
    exports dev.starling.method.adfs.draws to
            dev.starling.lab;
    exports dev.starling.method.adfs.tuning to
            dev.starling.lab;
}
