package dev.starling.peer.node;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowWeights;
import dev.starling.job.Holdout;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.peer.config.SiteConfig;
import java.util.Optional;

/**
 * What a site brings to a run.
 *
 * @param divided its rows: those to train on, and those to judge the model by
 * @param loadSeconds time taken to read the rows
 */
record Site(Holdout divided, double loadSeconds) {

    /** The rows to train on. */
    Dataset rows() {
        return divided.training().data();
    }

    static Site load(SiteConfig config) {
        long start = System.nanoTime();
        Site site = of(config, read(config.data()));
        return new Site(site.divided, (System.nanoTime() - start) * 1e-9);
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
        if (rows.features() > config.maxFeatures()) {
            throw new InvalidInputException(config.data().file() + " has " + rows.features()
                    + " features, training.max-features is " + config.maxFeatures() + "; raise it at all sites");
        }
        Holdout divided = Holdout.of(config.training(), NodeRows.all(rows));
        int fewest = config.policy().fewestRows();
        divided.held().map(Dataset::rows).filter(count -> count < fewest).ifPresent(count -> {
            throw new InvalidInputException(
                    "training.holdout " + config.training().holdout() + " keeps " + count
                            + " of this site's rows from training, and its rules want sums over at least " + fewest
                            + " (policy: fewest-rows); keep more, or none");
        });
        return new Site(divided, 0);
    }
}
