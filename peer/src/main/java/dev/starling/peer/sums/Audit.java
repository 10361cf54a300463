package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.network.SpanningTree;
import dev.starling.node.SumWords;
import dev.starling.peer.keys.SiteSignature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds out from what all sites have opened who did not do what the protocol says: told others another total than its
 * own, opened another addend than it sealed, or passed on other words than its own and those below it.
 *
 * <p>Whether an addend follows from a site's rows is for {@code Replay} to say, at that site: the seal holds it to what
 * it sent, and its signed facts to its rows.
 */
public final class Audit {

    /**
     * What an audit has found.
     *
     * @param liars who deviated, and how; empty if nobody did, or nobody can be named
     * @param doubts what cannot be decided, and why
     * @param sums how many sums were checked to the end
     */
    public record Outcome(List<String> liars, List<String> doubts, int sums) {

        /** Copies the lists. */
        public Outcome {
            liars = List.copyOf(liars);
            doubts = List.copyOf(doubts);
        }

        /** Whether every sum is the sum of what the sites have opened. */
        public boolean isClean() {
            return liars.isEmpty() && doubts.isEmpty();
        }
    }

    private final List<String> names;
    private final SpanningTree tree;
    private final Opening[] openings;
    private final X509Certificate[] certificates;
    private final SumHistory[] histories;
    private final SessionFacts facts;
    private final List<String> liars = new ArrayList<>();
    private final List<String> doubts = new ArrayList<>();

    private Audit(List<String> names, SpanningTree tree, List<Opening> opened) {
        this.names = names;
        this.tree = tree;
        this.openings = new Opening[names.size()];
        this.certificates = new X509Certificate[names.size()];
        this.histories = new SumHistory[names.size()];
        this.facts = new SessionFacts(0, opened.get(0).facts());
        for (Opening one : opened) {
            if (one.facts().size() != names.size()
                    || !Arrays.equals(new SessionFacts(0, one.facts()).id(), facts.id())) {
                throw new InvalidInputException("what site " + names.get(one.site() % names.size())
                        + " has opened belongs to another run, or another session of it");
            }
            if (openings[one.site()] != null) {
                throw new InvalidInputException("site " + names.get(one.site()) + " is given twice");
            }
            openings[one.site()] = one;
            certificates[one.site()] = SiteSignature.chain(one.chain()).get(0);
            histories[one.site()] = new SumHistory(facts.id());
        }
        for (int site = 0; site < openings.length; site++) {
            if (openings[site] == null) {
                throw new InvalidInputException(
                        "site " + names.get(site) + " has opened nothing; an audit needs what every site opens");
            }
        }
    }

    /**
     * Checks what all sites have opened. Whose certificates these are must be known already.
     *
     * @param names the names of all sites
     * @param tree the tree along which sums were added up
     */
    public static Outcome of(List<String> names, SpanningTree tree, List<Opening> opened) {
        Audit audit = new Audit(names, tree, opened);
        int most = opened.stream().mapToInt(one -> one.sums().size()).min().orElse(0);
        if (opened.stream().anyMatch(one -> one.sums().size() != most)) {
            audit.doubts.add(
                    "not all sites have opened the same number of sums; only the first " + most + " can be checked");
        }
        int sum = 0;
        while (sum < most && audit.liars.isEmpty() && audit.check(sum)) {
            sum++;
        }
        return new Outcome(audit.liars, audit.doubts, sum);
    }

    private Opening.Opened opened(int site, int sum) {
        return openings[site].sums().get(sum);
    }

    private boolean check(int sum) {
        for (int site = 0; site < openings.length; site++) {
            Opening.Opened own = opened(site, sum);
            histories[site].add(own.question(), own.told(openings.length));
        }
        return requireOneHistory(sum) && requireSealed(sum) && requireAddsUp(sum);
    }

    private boolean named(int site, int sum, String what) {
        liars.add("site " + names.get(site) + ": " + what + " (sum " + (sum + 1) + ")");
        return false;
    }

    /** The root signs every total, with everything before it. */
    private boolean requireOneHistory(int sum) {
        boolean one = true;
        for (int site = 1; site < openings.length; site++) {
            byte[] history = histories[site].digest();
            boolean signed = SiteSignature.isSignedBy(
                    certificates[0],
                    SumWitness.CONTEXT,
                    Told.digest(facts.id(), sum + 1, history),
                    opened(site, sum).signature(openings.length));
            if (!signed) {
                one = named(site, sum, "has opened a total that site " + names.get(0) + ", the root, has not signed");
            } else if (!Arrays.equals(history, histories[0].digest())) {
                one = named(
                        0,
                        sum,
                        "has signed another total for site " + names.get(site) + " than the one it has opened itself");
            }
        }
        return one;
    }

    private boolean requireSealed(int sum) {
        boolean sealed = true;
        for (int site = 0; site < openings.length; site++) {
            Opening.Opened own = opened(site, sum);
            byte[] seal = Seals.ofAddend(own.salt(), own.question(), own.words());
            if (!Arrays.equals(seal, own.addendSeal(site))) {
                sealed = named(site, sum, "has opened another addend than the one it sealed");
            }
        }
        return sealed;
    }

    private boolean requireAddsUp(int sum) {
        double[] words = opened(0, sum).words().clone();
        for (int site = 1; site < openings.length; site++) {
            double[] theirs = opened(site, sum).words();
            if (theirs.length != words.length) {
                return named(site, sum, "has opened an addend of another length");
            }
            SumWords.add(words, theirs, 0, words.length);
        }
        return isTotal(words, sum) || requirePassedOn(sum);
    }

    private boolean isTotal(double[] words, int sum) {
        double[] result = opened(0, sum).result();
        boolean same = true;
        for (int k = 1; k <= words.length / SumWords.LIMBS; k++) {
            double total = SumWords.decode(words, SumWords.LIMBS * (k - 1));
            same &= total == result[k] || Double.doubleToLongBits(total) == Double.doubleToLongBits(result[k]);
        }
        return same;
    }

    /** The total is not that of the addends: follows the masked words up the tree until they are wrong. */
    private boolean requirePassedOn(int sum) {
        Optional<double[][]> masked = masked(sum);
        if (masked.isEmpty()) {
            return false;
        }
        double[][] words = masked.get();
        List<Integer> order = new ArrayList<>(List.of(0));
        for (int k = 0; k < order.size(); k++) {
            for (int child : tree.children(order.get(k))) {
                order.add(child);
            }
        }
        for (int k = order.size() - 1; k >= 0; k--) {
            int site = order.get(k);
            for (int child : tree.children(site)) {
                SumWords.add(words[site], words[child], 0, words[site].length);
            }
            byte[] seal = Seals.ofPassedOn(opened(site, sum).question(), words[site], 0);
            if (!Arrays.equals(seal, opened(site, sum).passedOnSeal(site))) {
                return named(
                        site,
                        sum,
                        "has passed on other words than the addend it sealed"
                                + (tree.children(site).length == 0 ? "" : " and those that it received"));
            }
        }
        return named(0, sum, "has told another total than that of the words it sealed");
    }

    /** The masked words of each site; empty if some key was erased. */
    private Optional<double[][]> masked(int sum) {
        int sites = openings.length;
        boolean hidden = facts.limits().stream().allMatch(limits -> limits.getOrDefault("masks", 1.0) > 0);
        List<String> without = new ArrayList<>();
        byte[][] publicKeys = new byte[sites][];
        for (int site = 0; site < sites; site++) {
            publicKeys[site] = facts.site(site).publicKey();
            if (hidden && !openings[site].hasKey()) {
                without.add(names.get(site));
            } else if (hidden
                    && !Arrays.equals(
                            SessionSecrets.of(openings[site].privateKey()).publicKey(), publicKeys[site])) {
                named(site, sum, "has opened a private key that is not the one of its signed facts");
                return Optional.empty();
            }
        }
        if (!without.isEmpty()) {
            doubts.add("the addends of sum " + (sum + 1) + " do not add up to its total: somebody sent other words than"
                    + " it sealed, or altered those of others. Who it was cannot be told, since the session's key was"
                    + " erased at " + String.join(", ", without) + " (policy: audit)");
            return Optional.empty();
        }
        double[][] words = new double[sites][];
        for (int site = 0; site < sites; site++) {
            words[site] = opened(site, sum).words().clone();
            if (hidden) {
                SessionSecrets secrets = SessionSecrets.of(openings[site].privateKey());
                byte[][] pairs = new byte[sites][];
                for (int other = 0; other < sites; other++) {
                    pairs[other] = other == site ? new byte[0] : secrets.pairKey(facts.id(), publicKeys[other]);
                }
                new Masks(site, publicKeys, pairs).apply(opened(site, sum).question(), words[site]);
            }
        }
        return Optional.of(words);
    }
}
