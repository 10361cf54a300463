package dev.starling.peer.node;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowWeights;
import dev.starling.data.Table;
import dev.starling.job.Holdout;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.model.LinearModel;
import dev.starling.peer.config.SiteConfig;
import dev.starling.study.StudyRows;
import java.util.Optional;

/**
 * What a site brings to a run.
 *
 * @param divided its rows: those to train on, and those to judge the model by; of a study as if this site were alone
 * @param studied how the rows of a study are finished together with other sites'; empty for files of numbers
 * @param loadSeconds time taken to read the rows
 */
record Site(Holdout divided, Optional<StudyRows> studied, double loadSeconds) {

    /** The rows to train on. */
    Dataset rows() {
        return divided.training().data();
    }

    static Site load(SiteConfig config) {
        long start = System.nanoTime();
        Optional<StudyRows> studied = config.data()
                .study()
                .map(study -> new StudyRows(
                        study,
                        config.training(),
                        table(config.data()),
                        config.policy().fewestPerColumn()));
        Holdout divided = studied.map(StudyRows::divided)
                .orElseGet(() -> Holdout.of(config.training(), NodeRows.all(read(config.data()))));
        return of(config, divided, studied, start);
    }

    private static Table table(SiteConfig.Data data) {
        return DatasetReader.standard().format(data.format()).readTable(data.file());
    }

    /** A model of this site's job, with the recipe that it goes by if there is one. */
    LinearModel complete(LinearModel model) {
        return studied.map(StudyRows::recipe).map(model::with).orElse(model);
    }

    /** How many numbers are told to finish the rows. */
    int numbersToFinish() {
        return studied.map(StudyRows::numbersInAll).orElse(0);
    }

    /** What a site's file says of the job that its settings do not. */
    static JobRules rules(SiteConfig config) {
        return new JobRules(
                JobRules.LabelRule.KNOWN_TO_ONE,
                Optional.empty(),
                false,
                Double.isFinite(config.training().maxSeconds()),
                config.maxFeatures());
    }

    private static Dataset read(SiteConfig.Data data) {
        DatasetReader reader = DatasetReader.standard().format(data.format());
        if (data.labelColumn().isPresent()) {
            reader = reader.labelColumn(data.labelColumn().get());
        }
        Dataset rows = reader.read(data.file());
        return data.weights().map(file -> RowWeights.read(file, rows)).orElse(rows);
    }

    /** A site whose rows are at hand. */
    static Site of(SiteConfig config, Dataset rows) {
        Holdout divided = Holdout.of(config.training(), NodeRows.all(rows));
        return of(config, divided, Optional.empty(), System.nanoTime());
    }

    private static Site of(SiteConfig config, Holdout divided, Optional<StudyRows> studied, long start) {
        int features = divided.training().data().features();
        if (features > config.maxFeatures()) {
            throw new InvalidInputException(config.data().file() + " has " + features
                    + " features, training.max-features is " + config.maxFeatures() + "; raise it at all sites");
        }
        int fewest = config.policy().fewestRows();
        divided.held().map(Holdout.Held::count).filter(count -> count < fewest).ifPresent(count -> {
            throw new InvalidInputException(
                    "training.holdout " + config.training().holdout() + " keeps " + count
                            + " of this site's rows from training, and its rules want sums over at least " + fewest
                            + " (policy: fewest-rows); keep more, or none");
        });
        return new Site(divided, studied, (System.nanoTime() - start) * 1e-9);
    }
}
