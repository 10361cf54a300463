package dev.starling.peer.facts;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.starling.peer.transport.Link;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a site knows of all sites, and how it spreads: whatever is new is told on to every neighbour, and a link that
 * comes up is told everything. The first word about a site counts; another one later is not believed.
 */
public final class FactBook {

    /** Bytes of the longest note. */
    public static final int LONGEST_NOTE = 64 * 1024;

    private static final int SHAPE = 1;
    private static final int MEASURES = 2;
    private static final int TOPICS = 2;

    private final int self;
    private final byte[][][] bodies;
    private final SiteShape[] shapes;
    private final SiteMeasures[] measures;
    private Iterable<Link> links = List.of();
    private String contradiction;

    /** An empty book for a network of so many sites. */
    public FactBook(int self, int sites) {
        this.self = self;
        this.bodies = new byte[TOPICS + 1][sites][];
        this.shapes = new SiteShape[sites];
        this.measures = new SiteMeasures[sites];
    }

    /** The links that facts spread over. */
    public synchronized void spreadOver(Iterable<Link> newLinks) {
        links = newLinks;
    }

    /** How many notes a neighbour may send on one connection. */
    public static int mostNotes(int sites) {
        return 4 * TOPICS * sites + 16;
    }

    /** Says this site's shape. */
    public synchronized void publish(SiteShape shape) {
        learn(self, SHAPE, shape.encode());
    }

    /** Says this site's measures. */
    public synchronized void publish(SiteMeasures own) {
        learn(self, MEASURES, own.encode());
    }

    /** Takes what a neighbour says; false if it makes no sense. */
    public synchronized boolean hear(int origin, int topic, byte[] body) {
        if (origin < 0 || origin >= shapes.length || topic < 1 || topic > TOPICS) {
            return false;
        }
        byte[] known = bodies[topic][origin];
        if (known != null || origin == self) {
            if (origin == self && known != null && !Arrays.equals(known, body)) {
                contradiction = "the other sites know this site with other "
                        + (topic == SHAPE ? "settings or data" : "facts")
                        + " from before it was restarted; restore them, or start a new run under another name at all sites";
                notifyAll();
            }
            return true;
        }
        return learn(origin, topic, body);
    }

    private boolean learn(int origin, int topic, byte[] body) {
        try {
            if (topic == SHAPE) {
                shapes[origin] = SiteShape.decode(body);
            } else {
                measures[origin] = SiteMeasures.decode(body);
            }
        } catch (InvalidProtocolBufferException e) {
            return false;
        }
        bodies[topic][origin] = body;
        for (Link link : links) {
            link.note(origin, topic, body);
        }
        notifyAll();
        return true;
    }

    /** Tells a neighbour everything: its link has just come up. */
    public synchronized void tell(Link link) {
        for (int topic = 1; topic <= TOPICS; topic++) {
            for (int origin = 0; origin < shapes.length; origin++) {
                if (bodies[topic][origin] != null) {
                    link.note(origin, topic, bodies[topic][origin]);
                }
            }
        }
    }

    /** The numbers of the sites that have not been heard of yet. */
    public synchronized List<Integer> missing(boolean onlyShapes) {
        List<Integer> missing = new ArrayList<>();
        for (int k = 0; k < shapes.length; k++) {
            if (shapes[k] == null || (!onlyShapes && measures[k] == null)) {
                missing.add(k);
            }
        }
        return missing;
    }

    /** Why what others say of this site cannot be squared with what it says, if so. */
    public synchronized Optional<String> contradiction() {
        return Optional.ofNullable(contradiction);
    }

    /** All shapes that are known, by number; only when none is missing. */
    public synchronized List<SiteShape> shapes() {
        return List.of(shapes);
    }

    /** The known shapes with the numbers of their sites, so that disagreement shows before all are there. */
    public synchronized List<Integer> knownShapes() {
        List<Integer> known = new ArrayList<>();
        for (int k = 0; k < shapes.length; k++) {
            if (shapes[k] != null) {
                known.add(k);
            }
        }
        return known;
    }

    /** The shape of a site that is known. */
    public synchronized SiteShape shape(int site) {
        return shapes[site];
    }

    /** All measures, by number; only when none is missing. */
    public synchronized List<SiteMeasures> measures() {
        return List.of(measures);
    }

    /** Waits for news, for so long at the most; it may return without any, so the caller looks again. */
    @SuppressWarnings("WaitNotInLoop")
    public synchronized void await(long millis) throws InterruptedException {
        wait(millis);
    }

    /** Writes everything that is known. */
    public synchronized void save(DataOutput out) throws IOException {
        for (int topic = 1; topic <= TOPICS; topic++) {
            for (byte[] body : bodies[topic]) {
                out.writeInt(body == null ? -1 : body.length);
                if (body != null) {
                    out.write(body);
                }
            }
        }
    }

    /** Takes up what {@link #save} wrote. */
    public synchronized void restore(DataInput in) throws IOException {
        for (int topic = 1; topic <= TOPICS; topic++) {
            for (int origin = 0; origin < shapes.length; origin++) {
                int length = in.readInt();
                if (length > LONGEST_NOTE) {
                    throw new IOException("a fact of " + length + " bytes");
                }
                if (length >= 0) {
                    byte[] body = new byte[length];
                    in.readFully(body);
                    if (!learn(origin, topic, body)) {
                        throw new IOException("a fact that makes no sense");
                    }
                }
            }
        }
    }
}
