package dev.starling.peer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.node.State;
import dev.starling.node.SumKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What all runs together have released: exact totals can be combined, however little they differ. */
class SlopesAccountTest {

    private static final int ROWS = 200;
    private static final int[] ALL = IntStream.range(0, ROWS).toArray();

    private static SlopesAccount.Sum sum(long seed) {
        return new SlopesAccount.Sum(SumKind.GRADIENT, slopes(seed));
    }

    private static double[] slopes(long seed) {
        return new Random(seed).doubles(ROWS).toArray();
    }

    /** Two passes that differ by a millionth of one row's slope: a damped leverage does not see it. */
    @Test
    void smallDifferencesOfOneRowCountInFull() {
        double[] first = slopes(1);
        double[] second = first.clone();
        second[17] += 1e-6;
        Leverage damped = new Leverage(ROWS, 10);
        SlopesAccount account = new SlopesAccount(ROWS, List.of(), ALL);
        for (double[] pass : List.of(first, second)) {
            damped.with(pass);
            damped.add();
            account.add(SumKind.GRADIENT, pass);
        }
        assertThat(damped.largest()).isLessThan(0.1);
        assertThat(account.largest()).isCloseTo(1, within(1e-6));
        assertThat(account.fewestApart()).isEqualTo(1);
    }

    /** Each run is within the limit, and together they are not: there is nothing left to hide behind. */
    @Test
    void runsAddUp() {
        List<SlopesAccount.Sum> before = new ArrayList<>();
        double alone = 0;
        for (int run = 0; run < 10; run++) {
            SlopesAccount one = new SlopesAccount(ROWS, List.of(), ALL);
            SlopesAccount all = new SlopesAccount(ROWS, before, ALL);
            for (int pass = 0; pass < 18; pass++) {
                one.add(SumKind.GRADIENT, slopes(100L * run + pass));
                all.add(SumKind.GRADIENT, slopes(100L * run + pass));
            }
            alone = Math.max(alone, one.largest());
            before.addAll(all.added());
        }
        assertThat(alone).isLessThan(0.4);
        assertThat(new SlopesAccount(ROWS, before, ALL).largest()).isGreaterThan(0.95);
    }

    /** An attacker who adapts spreads a difference over many runs, each of which repeats what is known. */
    @Test
    void repeatedSumsSpendNothing() {
        SlopesAccount account = new SlopesAccount(ROWS, List.of(sum(1), sum(2)), ALL);
        double before = account.largest();
        for (int k = 0; k < 50; k++) {
            double[] mixed = slopes(1);
            double[] other = slopes(2);
            for (int row = 0; row < ROWS; row++) {
                mixed[row] = k * mixed[row] - 3 * other[row];
            }
            account.add(SumKind.GRADIENT, mixed);
        }
        assertThat(account.largest()).isCloseTo(before, within(1e-9));
    }

    @Test
    void goesOnAfterARestart() throws Exception {
        SlopesAccount account = new SlopesAccount(ROWS, List.of(sum(1)), ALL);
        account.add(SumKind.GRADIENT, slopes(2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        account.state(State.saving(new DataOutputStream(bytes)));
        SlopesAccount restored = new SlopesAccount(ROWS, List.of(sum(1)), ALL);
        restored.state(State.restoring(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))));
        assertThat(restored.largest()).isEqualTo(account.largest());
        assertThat(restored.added()).hasSize(1);
    }

    /** Two runs whose gradients differ by fewer rows than are enough: what is left when one is subtracted. */
    @Test
    void seesWhenTwoRunsDifferInFewRows() {
        SlopesAccount account = new SlopesAccount(ROWS, List.of(sum(1)), ALL);
        assertThat(account.isNear(SumKind.GRADIENT, changed(49), 50, false)).isTrue();
        assertThat(account.isNear(SumKind.GRADIENT, changed(50), 50, false)).isFalse();
        assertThat(account.isNear(SumKind.GRADIENT, changed(0), 50, false)).isFalse();
        assertThat(account.isNear(SumKind.HESSIAN, changed(1), 50, false)).isFalse();
    }

    /** Whoever knows the rule hides one row among many that hardly change. */
    @Test
    void seesWhenOneRowMakesMostOfADifferenceInMany() {
        SlopesAccount account = new SlopesAccount(ROWS, List.of(sum(1)), ALL);
        double[] hidden = slopes(1);
        for (int row = 0; row < ROWS; row++) {
            hidden[row] += row == 17 ? 1 : 1e-3;
        }
        assertThat(account.isNear(SumKind.GRADIENT, hidden, 50, false)).isTrue();
    }

    /** Beyond what is kept, so many of those kept must differ as their part of all rows is. */
    @Test
    void countsInProportionWhereNotAllRowsAreKept() {
        int[] half =
                IntStream.range(0, ROWS).map(row -> row % 2 == 0 ? row / 2 : -1).toArray();
        double[] kept =
                IntStream.range(0, ROWS / 2).mapToDouble(k -> slopes(1)[2 * k]).toArray();
        SlopesAccount account =
                new SlopesAccount(ROWS / 2, List.of(new SlopesAccount.Sum(SumKind.GRADIENT, kept)), half);
        assertThat(account.isNear(SumKind.GRADIENT, changed(48), 50, false)).isTrue();
        assertThat(account.isNear(SumKind.GRADIENT, changed(50), 50, false)).isFalse();
    }

    private static double[] changed(int rows) {
        double[] changed = slopes(1);
        for (int row = 0; row < rows; row++) {
            changed[row] += 1;
        }
        return changed;
    }
}
