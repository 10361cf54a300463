package dev.starling.peer.node;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.RowWeights;
import dev.starling.job.Holdout;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.job.PlanningPhase;
import dev.starling.job.RawWeights;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.SumGuard;
import dev.starling.peer.cohort.Cells;
import dev.starling.peer.cohort.RunCohort;
import dev.starling.peer.config.SiteConfig;
import dev.starling.study.StudyRows;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.util.Optional;

/**
 * What a site contributes to a run.
 *
 * @param divided its rows: those to train on, and those held out to evaluate the model; with a study, encoded as if
 *     this site were alone
 * @param studied completes the encoding of a study's rows together with the other sites; empty for purely numeric files
 * @param cells all its rows as they were written
 * @param loadSeconds time taken to read the rows
 */
record Site(Holdout divided, Optional<StudyRows> studied, Cells cells, double loadSeconds) {

    /** The site's people in a run. */
    RunCohort cohort(SiteConfig config) {
        return new RunCohort(config, cells);
    }

    /** The rows to train on. */
    Dataset rows() {
        return divided.training().data();
    }

    static Site load(SiteConfig config) {
        return load(config, true);
    }

    /** @param features whether the rows are trained on, or only registered */
    static Site load(SiteConfig config, boolean features) {
        long start = System.nanoTime();
        Optional<StudyRows> studied = config.data()
                .study()
                .map(study -> new StudyRows(
                        study,
                        config.training(),
                        table(config.data()),
                        config.policy().fewestPerColumn(),
                        features));
        return studied.map(rows ->
                        of(config, rows.divided(), studied, Cells.of(rows, parts(config, rows.written())), start))
                .orElseGet(() -> of(config, read(config.data()), start));
    }

    private static Table table(SiteConfig.Data data) {
        return TableReader.standard().format(data.format()).read(data.file());
    }

    /** Adds the recipe to a model of this site's job, if there is one. */
    LinearModel complete(LinearModel model) {
        return studied.map(StudyRows::recipe).map(model::with).orElse(model);
    }

    /** How many numbers are released to complete the encoding of the rows. */
    int numbersToFinish() {
        return studied.map(StudyRows::numbersInAll).orElse(0);
    }

    /** Makes the site's node of a job, over links or by files. */
    TrainingJob job(
            SiteConfig config,
            boolean linked,
            Collectives place,
            TrainingListener listener,
            Optional<RawWeights> start) {
        JobRules rules = rules(config, linked);
        PlanningPhase planning =
                new PlanningPhase(config.training(), rules, config.network(), place, divided.training());
        return new TrainingJob(config.training(), rules, planning, listener, start, divided.held());
    }

    /** Where a site stands among the others. */
    static Collectives place(SiteConfig config, SumGuard guard) {
        Network network = config.network();
        return Collectives.apart(network.spanningTree(), config.node(), network.size(), guard);
    }

    /**
     * The rules of the job that follow from a site's file but are not part of the training settings.
     *
     * @param linked whether sites talk over links, whose delay can be measured, rather than by files
     */
    static JobRules rules(SiteConfig config, boolean linked) {
        return new JobRules(
                JobRules.LabelRule.KNOWN_TO_ONE,
                linked ? Optional.empty() : Optional.of(shape -> 1),
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

    /** Creates a site from rows in memory. */
    static Site of(SiteConfig config, Dataset rows) {
        return of(config, rows, System.nanoTime());
    }

    private static Site of(SiteConfig config, Dataset rows, long start) {
        NodeRows all = NodeRows.all(rows);
        return of(
                config,
                Holdout.of(config.training(), all),
                Optional.empty(),
                Cells.of(rows, parts(config, all)),
                start);
    }

    private static int[] parts(SiteConfig config, NodeRows rows) {
        return Holdout.parts(
                config.training(), rows, config.node(), config.sites().size());
    }

    private static Site of(SiteConfig config, Holdout divided, Optional<StudyRows> studied, Cells cells, long start) {
        int features = divided.training().data().features();
        if (features > config.maxFeatures()) {
            throw new InvalidInputException(config.data().file() + " has " + features
                    + " features, but training.max-features is " + config.maxFeatures() + "; raise it at all sites");
        }
        int fewest = config.policy().fewestRows();
        divided.held().map(Holdout.Held::count).filter(count -> count < fewest).ifPresent(count -> {
            throw new InvalidInputException(
                    "training.holdout " + config.training().holdout() + " holds out " + count
                            + " of this site's rows, but its rules require at least " + fewest
                            + " rows in every sum (policy: fewest-rows); hold out more, or none");
        });
        return new Site(divided, studied, cells, (System.nanoTime() - start) * 1e-9);
    }
}
