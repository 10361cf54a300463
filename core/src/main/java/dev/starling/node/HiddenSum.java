package dev.starling.node;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * A hidden sum: a sum over all nodes of which everyone learns the total and nothing else. Each node's addend goes up
 * the tree as {@linkplain SumWords words}, which a {@link SumGuard} may have masked, and the totals come down. The sum
 * is exact and rounded once, so it depends neither on the tree nor on the masks; if all nodes are in one process, the
 * same bits are computed without words.
 *
 * <p>An addend begins with {@value #HEAD} entries of bookkeeping. If one of its numbers is not finite or too large for
 * a word, all its numbers become 0 and the total counts an overflow. A node that objects sends the text of its
 * objection instead, and all nodes end with the same {@link ObjectionException}.
 */
public final class HiddenSum extends TreePhase {

    /** The number of entries that precede the numbers, in an addend and in the totals. */
    public static final int HEAD = 5;

    /** The index of the number of nodes that wish to stop, in the totals; 1 in the addend of such a node. */
    public static final int STOPS = 3;

    private static final int MARK = 0;
    private static final int COUNT = 1;
    private static final int OVERFLOWS = 2;

    private final String name;

    private SumRequest request;
    private Supplier<double[]> own;
    private double work;

    /**
     * Creates a sum; {@link #of} says what is added up.
     *
     * @param name a name that no other sum has which nodes may add up at the same time
     * @param kind {@link Exchange.Kind#ROUND} if its hops count as communication rounds of an algorithm
     */
    public HiddenSum(Collectives place, String name, Exchange.Kind kind) {
        super(place, kind);
        this.name = "sum " + name + " of " + place.problem();
    }

    /** Sets what is added up, at no cost in idealised time. */
    public HiddenSum of(SumRequest what, Supplier<double[]> addend) {
        return of(what, addend, 0);
    }

    /**
     * Sets what is added up.
     *
     * @param addend makes this node's addend; called when its turn comes
     * @param cost the cost of making the addend, in idealised time
     */
    public HiddenSum of(SumRequest what, Supplier<double[]> addend, double cost) {
        request = what;
        own = addend;
        work = cost;
        return this;
    }

    /** Makes an addend of numbers. */
    public static double[] addend(double[] numbers) {
        double[] addend = new double[HEAD + numbers.length];
        System.arraycopy(numbers, 0, addend, HEAD, numbers.length);
        return addend;
    }

    /** Whether some node's numbers were not finite or too large, in which case the totals are meaningless. */
    public static boolean isTooLarge(double[] totals) {
        return totals[OVERFLOWS] > 0;
    }

    /**
     * A bound on what all nodes' words together may lose of a total, if that is more than a trifle beside a number that
     * the total makes; 0 if not.
     *
     * @param divisor what totals are divided by to make the number
     */
    public static double lost(double[] totals, double divisor, double number) {
        double lost = 4 * totals[COUNT] * SumWords.ROUNDING / divisor;
        return lost > 0x1p-52 * number ? lost : 0;
    }

    /**
     * Checks that all numbers could be added up.
     *
     * @throws InvalidInputException if some could not
     */
    public static void requireNotTooLarge(double[] totals) {
        if (isTooLarge(totals)) {
            throw new InvalidInputException(
                    "some node's numbers are not finite or too large to be added up; standardise its features, and make"
                            + " large offsets smaller");
        }
    }

    // An addend may be longer than what is added up.
    @Override
    int upLength() {
        return !Objection.isIn(message) && place.together() ? length() : message.length;
    }

    private int length() {
        return HEAD + request.numbers();
    }

    @Override
    double work() {
        return work;
    }

    @Override
    double[] own() {
        try {
            place.requireAnnounced(request);
            double[] addend = own.get();
            addend[MARK] = Objection.NONE;
            addend[COUNT] = 1;
            addend[OVERFLOWS] = 0;
            addend[STOPS] = place.guard().wishesToStop() ? 1 : addend[STOPS];
            if (!SumWords.haveWords(addend, HEAD, length())) {
                Arrays.fill(addend, HEAD, length(), 0);
                addend[OVERFLOWS] = 1;
            }
            if (place.together()) {
                addends()[place.node()] = addend;
                return addend;
            }
            return sealed(addend);
        } catch (InvalidInputException e) {
            return Objection.of(e, place.node());
        }
    }

    private double[][] addends() {
        return place.shared().once(name, () -> new double[place.size()][]);
    }

    /**
     * The message that goes up the tree: a mark, the guard's heading, the seals of all nodes so far, and a word per
     * entry of the addend.
     */
    private double[] sealed(double[] addend) {
        double[] heading = place.guard().heading();
        double[] words = new double[SumWords.LIMBS * (length() - 1)];
        for (int k = 1; k < length(); k++) {
            SumWords.encode(addend[k], words, SumWords.LIMBS * (k - 1));
        }
        place.guard().seal(request, addend, words);
        double[] result = new double[1 + heading.length + seals() + words.length];
        System.arraycopy(heading, 0, result, 1, heading.length);
        System.arraycopy(words, 0, result, result.length - words.length, words.length);
        return result;
    }

    /** The number of entries of the seals of all nodes. */
    private int seals() {
        return place.together() ? 0 : place.size() * place.guard().sealLength();
    }

    /** The index of the first word in a message that goes up. */
    private int words() {
        return 1 + place.guard().headingLength() + seals();
    }

    /** The seal of a node in a message, where the seals of all nodes begin at an index. */
    private double[] seal(double[] of, int from, int node) {
        int length = place.guard().sealLength();
        return Arrays.copyOfRange(of, from + node * length, from + (node + 1) * length);
    }

    @Override
    void onDeparture() {
        if (seals() > 0 && !Objection.isIn(message)) {
            double[] seal = new double[place.guard().sealLength()];
            place.guard().stamp(request, seal, message, words());
            System.arraycopy(seal, 0, message, words() - seals() + place.node() * seal.length, seal.length);
        }
    }

    @Override
    void merge(double[] other, int from) {
        double[] theirs = Objection.checked(other, Objection.isIn(message) ? 1 : upLength(), from);
        if (Objection.isIn(message) || Objection.isIn(theirs)) {
            message = Objection.isIn(message) ? message : theirs;
            return;
        }
        if (place.together()) {
            return;
        }
        int words = words();
        for (int k = 1; k < words - seals(); k++) {
            if (message[k] != theirs[k]) {
                throw new InvalidInputException(
                        "node " + from + " is at a different sum or has another history of sums");
            }
        }
        if (!SumWords.areWords(theirs, words, message.length)) {
            throw new InvalidInputException("node " + from + " sent words of a sum that are invalid");
        }
        if (seals() > 0) {
            place.guard().requireStamped(request, seal(theirs, words - seals(), from), theirs, words);
        }
        for (int k = words - seals(); k < words; k++) {
            message[k] += theirs[k];
        }
        SumWords.add(message, theirs, words, message.length);
    }

    @Override
    void conclude() {
        if (!Objection.isIn(message)) {
            message = place.together() ? ExactSum.of(addends(), COUNT, length()) : decoded();
        }
        if (place.together()) {
            place.shared().forget(name);
        }
    }

    @Override
    int shortestDown() {
        return length() + seals();
    }

    private double[] decoded() {
        double[] totals = new double[shortestDown()];
        for (int k = 1; k < length(); k++) {
            totals[k] = SumWords.decode(message, words() + SumWords.LIMBS * (k - 1));
        }
        System.arraycopy(message, words() - seals(), totals, length(), seals());
        return totals;
    }

    @Override
    void onResult(double[] sent) {
        if (Objection.isIn(message)) {
            return;
        }
        if (message[COUNT] != place.size()) {
            throw new InvalidInputException("a sum covers " + message[COUNT] + " nodes instead of " + place.size());
        }
        if (seals() == 0) {
            place.guard().opened(request, message);
            return;
        }
        double[] told = Arrays.copyOf(message, shortestDown());
        double[] signatures = Arrays.copyOfRange(message, shortestDown(), message.length);
        place.guard().requireSame(seal(sent, words() - seals(), place.node()), seal(told, length(), place.node()));
        place.guard().opened(request, told);
        double[] passedOn = place.guard().signed(place.parent(), signatures);
        message = Arrays.copyOf(told, told.length + passedOn.length);
        System.arraycopy(passedOn, 0, message, told.length, passedOn.length);
    }

    /** The totals without their head. */
    @Override
    public double[] result() {
        double[] totals = totals();
        requireNotTooLarge(totals);
        return Arrays.copyOfRange(totals, HEAD, totals.length);
    }

    /** The totals including their head. All nodes of a process share this array, so it must not be written to. */
    public double[] totals() {
        Objection.throwIfIn(message);
        return seals() > 0 ? Arrays.copyOf(message, length()) : message;
    }

    /** The number of entries of the longest message of a sum of this many numbers. */
    public static int longestMessage(Collectives place, int numbers) {
        int entries = HEAD - 1 + numbers;
        SumGuard guard = place.guard();
        int values = place.together()
                ? entries
                : guard.headingLength()
                        + place.size() * guard.sealLength()
                        + Math.max(SumWords.LIMBS * entries, entries + guard.signatureLength());
        return Math.max(1 + values, Objection.LONGEST);
    }

    @Override
    public int longestMessage() {
        return longestMessage(place, request.numbers());
    }
}
