package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.verify.proof.DualSearch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Checks the certificate of a model, from the model and its rows alone: objective and gap are computed again, with
 * twice the digits, by code that training does not use. If the model has a path, every model on it is checked.
 * Immutable: each setting returns a new verifier.
 *
 * <pre>{@code
 * Verification checked = Verifier.verify(LinearModel.load(Path.of("model.json")), rows);
 * if (!checked.holds()) {
 *     throw new IllegalStateException(checked.model().reason());
 * }
 * }</pre>
 */
public final class Verifier {

    private static final int FEWEST_PASSES = 300;

    private static final long[] NO_STRATA = {};

    /** The amount of work, in multiplications, that takes well under a minute. */
    private static final long AFFORDABLE_WORK = 1_000_000_000L;

    /** Receives the progress of a search. */
    @FunctionalInterface
    public interface Watch {
        /**
         * Called after every round of passes.
         *
         * @param passes passes over the rows so far
         * @param bound the relative gap that is proven by now
         * @param stated the relative gap to be proven
         */
        void searched(int passes, double bound, double stated);
    }

    private final LinearModel model;
    private final List<Claim> claims;
    private final OptionalInt passes;
    private final Watch watch;
    private final long[] strata;

    private Verifier(LinearModel model, List<Claim> claims, long[] strata, OptionalInt passes, Watch watch) {
        this.strata = strata;
        this.model = model;
        this.claims = claims;
        this.passes = passes;
        this.watch = watch;
    }

    /**
     * Checks a model on the rows that it was trained on, held-out ones included, with their weights if they had any.
     *
     * @throws InvalidInputException if the model states no certificate
     */
    public static Verification verify(LinearModel model, Dataset rows) {
        return of(model).verify(rows);
    }

    /**
     * A verifier of a model.
     *
     * @throws InvalidInputException if the model states no certificate
     */
    public static Verifier of(LinearModel model) {
        return of(model, Claim.of(model));
    }

    /**
     * A verifier of a model file, which must also keep what it states for people to read.
     *
     * @param model what the file holds
     * @throws InvalidInputException if the file states no certificate
     */
    public static Verifier of(LinearModel model, Path file) {
        return of(model, Claim.of(model, file));
    }

    private static Verifier of(LinearModel model, List<Claim> claims) {
        return new Verifier(model, claims, NO_STRATA, OptionalInt.empty(), (passes, bound, stated) -> {});
    }

    /** Makes at most this many passes over the rows to find a proof; by default, what takes less than a minute. */
    public Verifier passes(int most) {
        if (most < 0) {
            throw new InvalidInputException("passes " + most + " must be 0 or more");
        }
        return new Verifier(model, claims, strata, OptionalInt.of(most), watch);
    }

    /** Reports progress. */
    public Verifier watch(Watch newWatch) {
        return new Verifier(model, claims, strata, passes, newWatch);
    }

    /**
     * Compares rows only with those of the same stratum, if the model's loss compares rows.
     *
     * @param ofRows a number for each row, the same for all of a stratum
     */
    public Verifier strata(long[] ofRows) {
        return new Verifier(model, claims, ofRows.clone(), passes, watch);
    }

    /**
     * Checks the model on the rows that it was trained on, held-out ones included.
     *
     * @throws InvalidInputException if none of them is left to train on
     */
    public Verification verify(Dataset all) {
        Dataset trained = claims.get(0).heldOut().without(all);
        Dataset rows = StatedRows.counted(model, claims.get(0).rounded() ? trained.inFloats() : trained);
        if (rows.rows() == 0) {
            throw new InvalidInputException(
                    "the model's setting holdout, " + claims.get(0).heldOut().part() + ", leaves none of " + all.rows()
                            + " rows to train on; give the rows that it was trained on");
        }
        int most = passes.orElseGet(() -> affordable(rows, model.scores() * claims.size()));
        Verification.Finding found = beside(rows, finding(model, claims.get(0), most, rows));
        List<Verification.Finding> path = IntStream.range(1, claims.size())
                .mapToObj(k -> finding(model.path().get(k - 1), claims.get(k), most, rows))
                .toList();
        return new Verification(
                found,
                path,
                VerifiedProblem.of(model, claims.get(0), all, trained.rows()),
                StatedRows.unchecked(model, claims.get(0), rows.rows()));
    }

    /** What was found, unless a claim holds whose file states something false about the rows. */
    private Verification.Finding beside(Dataset rows, Verification.Finding found) {
        return (found.holds() ? StatedRows.misfit(model, rows) : Optional.<String>empty())
                .map(reason -> found.with(Verdict.wrong(reason, found.verdict().objective())))
                .orElse(found);
    }

    private Verification.Finding finding(LinearModel one, Claim claim, int most, Dataset rows) {
        return new Verification.Finding(
                claim.lambda(),
                claim.l1(),
                claim.objective(),
                claim.gap(),
                new Checker(one, claim, strata, most, watch).check(rows));
    }

    /** A number of passes that takes at most a minute, unless there are very many rows; the same on every machine. */
    private static int affordable(Dataset rows, int scores) {
        long work = scores * DualSearch.workOfAPass(rows);
        return (int) Math.max(FEWEST_PASSES, AFFORDABLE_WORK / work);
    }
}
