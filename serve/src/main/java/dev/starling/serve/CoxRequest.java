package dev.starling.serve;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.data.text.Members;
import dev.starling.loss.Ties;
import dev.starling.runtime.StopSignal;
import dev.starling.statistics.Concordance;
import dev.starling.statistics.CoxTable;
import dev.starling.statistics.GlmTable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request for a Cox regression.
 *
 * @param rows the features, weights and offsets
 * @param survival how long each row was watched
 * @param ties what is assumed of events at the same time
 * @param lambda the ridge; 0 for none
 */
record CoxRequest(Dataset rows, Survival survival, Ties ties, double lambda) implements Request {

    private static final Set<String> MEMBERS =
            Set.of("op", "id", "arrays", "features", "order", "names", "ties", "lambda");

    private static final double LEVEL = 0.95;

    /**
     * Takes a request apart.
     *
     * @throws InvalidInputException if something about it is wrong
     */
    static CoxRequest of(Members header, Map<String, Object> arrays) {
        header.requireOnly(MEMBERS);
        Ties ties = Ties.named(header.text("ties").orElse("efron"));
        double lambda = header.number("lambda", 0);
        if (!(lambda >= 0 && lambda < Double.POSITIVE_INFINITY)) {
            throw new InvalidInputException("lambda is " + lambda + "; it must be a number, 0 or more");
        }
        SentRows.Arrays sent = new SentRows.Arrays(arrays);
        int[] events = sent.require("events", int[].class);
        double[] start = sent.take("start", double[].class).orElse(new double[0]);
        int[] strata = sent.take("strata", int[].class).orElse(new int[events.length]);
        Dataset rows = SentRows.of(header, arrays, false, false).rows();
        double[] stop = rows.labels();
        if (start.length == 0) {
            start = new double[stop.length];
            Arrays.fill(start, Double.NEGATIVE_INFINITY);
        }
        if (events.length != stop.length || start.length != stop.length || strata.length != stop.length) {
            throw new InvalidInputException("the arrays 'y', 'events', 'start' and 'strata' have " + stop.length + ", "
                    + events.length + ", " + start.length + " and " + strata.length
                    + " elements; there must be one per row");
        }
        boolean[] seen = new boolean[events.length];
        for (int i = 0; i < seen.length; i++) {
            if ((events[i] != 0 && events[i] != 1) || strata[i] < 0 || strata[i] >= seen.length) {
                throw new InvalidInputException("row " + (i + 1) + " has the event " + events[i] + " and the stratum "
                        + strata[i] + "; events are 0 or 1, and strata are numbered from 0");
            }
            seen[i] = events[i] == 1;
        }
        return new CoxRequest(rows, new Survival(start, stop, seen, strata), ties, lambda);
    }

    @Override
    public Answer run(StopSignal signal, Events events) {
        return lambda > 0 ? ridge() : table();
    }

    private Answer ridge() {
        CoxTable.Ridge ridge = CoxTable.Ridge.of(rows, survival, ties, lambda);
        return answer(
                ridge.model().provenance().exactness().standardErrors(),
                ridge.logLik(),
                ridge.nullLogLik(),
                ridge.concordance(),
                ridge.hazards(),
                ridge.model().weights(0));
    }

    private Answer table() {
        CoxTable cox = CoxTable.of(rows, survival, ties, LEVEL);
        GlmTable table = cox.table();
        Answer answer = answer(
                table.standardErrors(),
                table.logLik().value(),
                -table.nullDeviance().value() / 2,
                cox.concordance(),
                cox.hazards(),
                Answer.each(table.coefficients(), line -> line.estimate().value()));
        answer.header().put("likelihoodRatio", cox.likelihoodRatio().statistic());
        answer.header().put("wald", cox.wald().statistic());
        answer.header().put("score", cox.score().statistic());
        answer.arrays().put("covariance", cox.covariance());
        return answer;
    }

    private Answer answer(
            double coefficientError,
            double logLik,
            double nullLogLik,
            Concordance concordance,
            List<CoxTable.Hazard> hazards,
            double... weights) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("coefficientError", coefficientError);
        header.put("logLik", logLik);
        header.put("nullLogLik", nullLogLik);
        header.put("events", survival.eventCount());
        header.put("strata", survival.strataCount());
        header.put("concordance", concordance.value());
        Map<String, Object> arrays = new LinkedHashMap<>();
        arrays.put("weights", weights);
        arrays.put(
                "hazard.stratum",
                hazards.stream()
                        .flatMapToInt(each -> Arrays.stream(each.times()).mapToInt(time -> each.stratum()))
                        .toArray());
        arrays.put(
                "hazard.time",
                hazards.stream()
                        .flatMapToDouble(each -> Arrays.stream(each.times()))
                        .toArray());
        arrays.put(
                "hazard.cumulative",
                hazards.stream()
                        .flatMapToDouble(each -> Arrays.stream(each.cumulative()))
                        .toArray());
        return new Answer("cox", header, arrays);
    }
}
