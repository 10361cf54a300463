package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.SumWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects, while a run is replayed at a site, what the site would show an auditor. */
public final class Opener implements SumWitness {

    private static final byte[] NOTHING = {};

    private final int site;
    private final byte[] key;
    private final List<Opening.Opened> sums = new ArrayList<>();
    private byte[] question = NOTHING;
    private double[] words = {};

    /**
     * Creates a collection without sums.
     *
     * @param key the key of the site's ledger, from which the salts are derived
     */
    public Opener(int site, byte[] key) {
        this.site = site;
        this.key = key;
    }

    @Override
    public byte[] seal(byte[] asked, double[] unmasked) {
        question = asked.clone();
        words = unmasked.clone();
        return Seals.ofAddend(Seals.salt(key, asked), asked, unmasked);
    }

    /** {@inheritDoc} A replay passes nothing on, so that only the seal of the addend could be the same. */
    @Override
    public void requireOwnSeal(boolean same) {}

    @Override
    public byte[] sign(long totals, byte[] history) {
        return NOTHING;
    }

    @Override
    public void requireSigned(Told told) {}

    /** Called with the result of every collective, before it is absorbed. */
    public void told(double[] result) {
        boolean sum = question.length > 0
                && result[0] == 0
                && result.length >= words.length / SumWords.LIMBS + 1 + Seals.LENGTH;
        if (sum) {
            sums.add(new Opening.Opened(question, Seals.salt(key, question), words, result.clone()));
        }
        question = NOTHING;
    }

    /**
     * Everything that was collected.
     *
     * @throws InvalidInputException if the site's rows do not give what it sealed
     */
    public List<Opening.Opened> sums() {
        List<Opening.Opened> opened = new ArrayList<>();
        for (Opening.Opened sum : sums) {
            Opening.Opened wishing = new Opening.Opened(
                    sum.question(), sum.salt(), LedgerComparison.wishingToStop(sum.words()), sum.result());
            Opening.Opened sealed = List.of(sum, wishing).stream()
                    .filter(one -> Arrays.equals(
                            Seals.ofAddend(one.salt(), one.question(), one.words()), one.addendSeal(site)))
                    .findFirst()
                    .orElseThrow(() -> new InvalidInputException("this site sealed another addend of sum "
                            + (opened.size() + 1) + " than its rows give, so that it cannot be opened"));
            opened.add(sealed);
        }
        return opened;
    }
}
