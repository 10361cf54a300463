package dev.starling.study;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowKeys;
import dev.starling.job.Holdout;
import dev.starling.job.NodeRows;
import dev.starling.job.UnfinishedRows;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.FillSearch;
import dev.starling.recipe.Recipe;
import dev.starling.settings.Settings;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The rows that a study makes from one owner's table, once all owners have summed up what is needed to replace missing
 * values in the rows they train on. Which rows those are, and in which fold each is, is known before that, since no
 * row's key depends on those values.
 */
public final class StudyRows implements UnfinishedRows {

    private final Table table;
    private final Settings settings;
    private final List<String> used;
    private final boolean identified;
    private final List<Integer> kept;
    private final NodeRows written;
    private final long[] keys;
    private final Supplier<Survey> surveying;
    private final FillSearch search;
    private final Holdout alone;
    private final int sums;
    private final int numbersInAll;
    private Survey survey;
    private Holdout finished;

    /**
     * Prepares the rows of a table, before any sum.
     *
     * @param settings which rows are held out from training, and which columns determine folds
     * @param fewest how many rows a level must have for a message to name it
     * @param features whether to make the rows' features; without them, it is known who and what the rows are about
     * @throws dev.starling.data.InvalidInputException if the table does not fit the study
     */
    public StudyRows(Study study, Settings settings, Table table, int fewest, boolean features) {
        StudyCheck check = StudyCheck.of(study, table, fewest);
        check.require();
        this.table = table;
        this.settings = settings;
        this.search = study.search();
        this.sums = search.roundsLeft();
        this.numbersInAll = search.numbersLeft();
        Recipe learnt = study.learnt(check.survey());
        Encoded encoded = features ? learnt.encode(table) : learnt.encodeWithoutFeatures(table, check.survey());
        this.keys = keys(study.recipe(), encoded.kept());
        this.kept = encoded.kept();
        this.used = study.recipe().needed(true).stream().distinct().toList();
        this.identified = study.recipe().ids().stream().anyMatch(table.names()::contains);
        this.written = NodeRows.all(encoded.rows(), keys);
        this.alone = divided(encoded);
        BitSet held = encoded.in(settings.heldOut());
        this.surveying = () -> study.survey(table, held);
    }

    /** The stratum or cluster of each row, or what decides which fold it is in. One called site is the whole table. */
    private long[] keys(Recipe recipe, List<Integer> rows) {
        boolean compared = settings.loss().comparesRows();
        boolean clustered = settings.standardErrors().isClustered();
        requireUsed(
                compared,
                "strata",
                recipe.strata(),
                "the loss " + settings.loss().name(),
                "the loss cox, or" + " stratified(poisson) for an intercept in every stratum");
        requireUsed(
                clustered,
                "cluster",
                recipe.clusters(),
                "standard-errors " + settings.standardErrors().text(),
                "standard-errors CR1, CR2 or random-intercept");
        if (clustered && recipe.clusters().isEmpty()) {
            throw new InvalidInputException("standard-errors "
                    + settings.standardErrors().text() + " needs to know which cluster a row belongs to; add"
                    + " cluster(patient), or cluster(site) for each site's whole table, to the formula of the study");
        }
        List<String> groups = compared ? recipe.strata() : clustered ? recipe.clusters() : List.of();
        List<String> columns = compared || clustered
                ? groups.stream()
                        .filter(name ->
                                !name.equals(Recipe.SITE) || table.names().contains(name))
                        .toList()
                : settings.folds().columns();
        boolean whole = groups.contains(Recipe.SITE);
        return columns.isEmpty() ? new long[whole ? rows.size() : 0] : table.keys(columns, rows);
    }

    private static void requireUsed(boolean used, String function, List<String> columns, String by, String remedy) {
        if (!used && !columns.isEmpty()) {
            throw new InvalidInputException("the study has " + function + "(" + String.join(", ", columns) + "), which "
                    + by + " does not know; use " + remedy);
        }
    }

    private Holdout divided(Encoded encoded) {
        return Holdout.of(settings, NodeRows.all(encoded.rows(), keys));
    }

    /** The table that the rows are made from. */
    public Table table() {
        return table;
    }

    /** The columns of the table that the study uses. */
    public List<String> columns() {
        return used;
    }

    /** The indices, in the table, of the rows that have all that the study needs. */
    public List<Integer> kept() {
        return kept;
    }

    /** A number for each of these rows that identifies who it is about; empty if the study names no such column. */
    public long[] identities() {
        return identified
                ? IntStream.range(0, kept.size())
                        .mapToLong(row -> RowKeys.ofContent(written.data(), row))
                        .toArray()
                : new long[0];
    }

    /** These rows, encoded as if this owner were alone: those to train on and those held out. */
    public NodeRows written() {
        return written;
    }

    /** How many rounds of sums it takes. */
    public int sums() {
        return sums;
    }

    /** How many numbers all these sums have in total. */
    public int numbersInAll() {
        return numbersInAll;
    }

    /** The recipe with everything learnt from everybody's rows; only once all sums are known. */
    public Recipe recipe() {
        return search.recipe();
    }

    /** The rows of a job, to train on and to judge by; they may have to be finished first. */
    public Holdout divided() {
        return sums == 0
                ? alone
                : new Holdout(
                        alone.training().finishedBy(this),
                        alone.held().map(held -> new Holdout.Held(held.count(), this::held)));
    }

    @Override
    public int numbers() {
        return search.numbers();
    }

    @Override
    public double[] addend() {
        survey = survey == null ? surveying.get() : survey;
        return search.addend(survey);
    }

    @Override
    public void told(double[] totals) {
        search.told(totals);
    }

    @Override
    public Dataset rows() {
        return finished().training().data();
    }

    private Dataset held() {
        return finished().held().orElseThrow().rows().get();
    }

    private Holdout finished() {
        if (finished == null) {
            finished = divided(recipe().encode(table));
        }
        return finished;
    }
}
