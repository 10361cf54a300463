package dev.starling.peer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.node.State;
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
            account.add(pass);
        }
        assertThat(damped.largest()).isLessThan(0.1);
        assertThat(account.largest()).isCloseTo(1, within(1e-6));
        assertThat(account.fewestApart()).isEqualTo(1);
    }

    /** Each run is within the limit, and together they are not: there is nothing left to hide behind. */
    @Test
    void runsAddUp() {
        List<double[]> before = new ArrayList<>();
        double alone = 0;
        for (int run = 0; run < 10; run++) {
            SlopesAccount one = new SlopesAccount(ROWS, List.of(), ALL);
            SlopesAccount all = new SlopesAccount(ROWS, before, ALL);
            for (int pass = 0; pass < 18; pass++) {
                one.add(slopes(100L * run + pass));
                all.add(slopes(100L * run + pass));
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
        SlopesAccount account = new SlopesAccount(ROWS, List.of(slopes(1), slopes(2)), ALL);
        double before = account.largest();
        for (int k = 0; k < 50; k++) {
            double[] mixed = slopes(1);
            double[] other = slopes(2);
            for (int row = 0; row < ROWS; row++) {
                mixed[row] = k * mixed[row] - 3 * other[row];
            }
            account.add(mixed);
        }
        assertThat(account.largest()).isCloseTo(before, within(1e-9));
    }

    @Test
    void goesOnAfterARestart() throws Exception {
        SlopesAccount account = new SlopesAccount(ROWS, List.of(slopes(1)), ALL);
        account.add(slopes(2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        account.state(State.saving(new DataOutputStream(bytes)));
        SlopesAccount restored = new SlopesAccount(ROWS, List.of(slopes(1)), ALL);
        restored.state(State.restoring(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))));
        assertThat(restored.largest()).isEqualTo(account.largest());
        assertThat(restored.added()).hasSize(1);
    }
}
