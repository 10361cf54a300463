/**
 * Certified linear models from data that lives in many places.
 *
 * <p>Start with {@link dev.starling.Trainer}, which takes losses and graphs by name. Packages that only Starling's own
 * modules need are exported to them alone; a loss, a method or an objective of your own, which needs them too, goes on
 * the class path.
 */
module dev.starling.core {
    requires org.apache.commons.compress;
    requires org.apache.commons.rng.api;
    requires org.apache.commons.rng.core;
    requires org.apache.commons.rng.simple;
    requires ejml.core;
    requires ejml.ddense;
    requires tools.jackson.core;

    uses dev.starling.loss.Loss;
    uses dev.starling.method.Method;
    uses dev.starling.model.TableEncoding.Reader;

    exports dev.starling;
    exports dev.starling.certificate;
    exports dev.starling.cores to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.serve,
            dev.starling.statistics,
            dev.starling.tables,
            dev.starling.verify;
    exports dev.starling.data;
    exports dev.starling.evaluation;
    exports dev.starling.loss to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.serve,
            dev.starling.statistics,
            dev.starling.tables;
    exports dev.starling.model;
    exports dev.starling.network to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.serve;
    exports dev.starling.runtime to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.serve;
    exports dev.starling.model.inference to
            dev.starling.cli,
            dev.starling.peer,
            dev.starling.serve,
            dev.starling.statistics,
            dev.starling.verify;
    exports dev.starling.settings;
    exports dev.starling.data.text to
            dev.starling.cli,
            dev.starling.peer,
            dev.starling.serve,
            dev.starling.tables;
    exports dev.starling.data.keys to
            dev.starling.cli,
            dev.starling.peer,
            dev.starling.tables,
            dev.starling.verify;
    exports dev.starling.inference to
            dev.starling.statistics,
            dev.starling.peer;
    exports dev.starling.internal to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.serve,
            dev.starling.statistics,
            dev.starling.tables;
    exports dev.starling.job to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.serve,
            dev.starling.tables;
    exports dev.starling.method to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.statistics;
    exports dev.starling.method.adfs to
            dev.starling.lab;
    exports dev.starling.method.adfs.certified to
            dev.starling.lab;
    exports dev.starling.method.adfs.draws to
            dev.starling.lab;
    exports dev.starling.method.adfs.tuning to
            dev.starling.lab;
    exports dev.starling.network.spectrum to
            dev.starling.lab;
    exports dev.starling.node to
            dev.starling.lab,
            dev.starling.peer;
    exports dev.starling.objective to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.statistics;
    exports dev.starling.objective.strata to
            dev.starling.statistics;
    exports dev.starling.problem to
            dev.starling.cli,
            dev.starling.lab,
            dev.starling.peer,
            dev.starling.statistics;
}
