package dev.starling.study;

import dev.starling.data.Dataset;
import dev.starling.data.Table;
import dev.starling.job.UnfinishedRows;
import dev.starling.table.FillSearch;
import dev.starling.table.Recipe;
import dev.starling.table.Survey;

/**
 * The rows that a study makes of one owner's table, once all owners have added up what stands in for missing values.
 */
public final class StudyRows implements UnfinishedRows {

    private final Table table;
    private final Survey survey;
    private final FillSearch search;
    private final Dataset provisional;
    private final int sums;
    private final int numbersInAll;
    private Dataset rows;

    /**
     * The rows of a table, of which nothing has been told yet.
     *
     * @param fewest rows that a level must have for a message to name it
     * @throws dev.starling.data.InvalidInputException if the table does not fit the study
     */
    public StudyRows(Study study, Table table, int fewest) {
        StudyCheck check = StudyCheck.of(study, table, fewest);
        check.require();
        this.table = table;
        this.survey = check.survey();
        this.search = study.search();
        this.sums = search.roundsLeft();
        this.numbersInAll = search.numbersLeft();
        this.provisional = study.learnt(survey).encode(table).rows();
    }

    /** How many sums it takes. */
    public int sums() {
        return sums;
    }

    /** How many numbers all these sums have. */
    public int numbersInAll() {
        return numbersInAll;
    }

    /** The recipe with all that was learnt over everybody's rows; only when that is known. */
    public Recipe recipe() {
        return search.recipe();
    }

    @Override
    public Dataset provisional() {
        return provisional;
    }

    @Override
    public int numbers() {
        return search.numbers();
    }

    @Override
    public double[] addend() {
        return search.addend(survey);
    }

    @Override
    public void told(double[] totals) {
        search.told(totals);
    }

    @Override
    public Dataset rows() {
        if (rows == null) {
            rows = sums == 0 ? provisional : recipe().encode(table).rows();
        }
        return rows;
    }
}
