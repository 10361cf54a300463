package dev.starling.peer.node;

import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.facts.SiteMeasures;
import dev.starling.peer.facts.SiteShape;
import dev.starling.problem.NodeFacts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * What a site keeps of itself beside its checkpoints: what it measured, which it must not measure again since the
 * others know it, and how often it was started again.
 */
final class SiteRecord {

    private static final String FILE = "site.bin";

    private final CheckpointStore store;
    private final String shape;
    private Optional<SiteMeasures> measures = Optional.empty();
    private int recoveries;

    private SiteRecord(CheckpointStore store, SiteShape shape) {
        this.store = store;
        this.shape = shape.toString();
    }

    /** What an earlier process of the site left; its measures count only if data and settings are the same. */
    static SiteRecord takeUp(CheckpointStore store, SiteShape shape) throws IOException {
        SiteRecord record = new SiteRecord(store, shape);
        Optional<byte[]> content = store.readNamed(FILE);
        if (content.isPresent()) {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(content.get()));
            record.recoveries = in.readInt() + 1;
            SiteMeasures known = readMeasures(in);
            String of = in.available() > 0 ? in.readUTF() : "";
            if (of.equals(record.shape)) {
                record.keep(known);
            }
        }
        return record;
    }

    private static SiteMeasures readMeasures(DataInputStream in) throws IOException {
        NodeFacts facts = new NodeFacts(
                in.readLong(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble());
        return new SiteMeasures(facts, in.readDouble(), in.readDouble());
    }

    /** What was measured, if it was. */
    Optional<SiteMeasures> measures() {
        return measures;
    }

    /** How often the site was started again in this run. */
    int recoveries() {
        return recoveries;
    }

    /** Keeps what was measured. */
    void keep(SiteMeasures own) throws IOException {
        measures = Optional.of(own);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(recoveries);
        out.writeLong(own.facts().samples());
        out.writeDouble(own.facts().weight());
        out.writeDouble(own.facts().sigma());
        out.writeDouble(own.facts().rootSum());
        out.writeDouble(own.facts().smallestRoot());
        out.writeDouble(own.facts().smoothnessSum());
        out.writeDouble(own.facts().curvature());
        out.writeDouble(own.stepMicros());
        out.writeDouble(own.linkMicros());
        out.writeUTF(shape);
        try {
            store.writeNamed(FILE, bytes.toByteArray());
        } catch (IOException e) {
            throw new PeerStoppedException(
                    store.directory() + " cannot be written to: " + CheckpointStore.describe(e), e);
        }
    }
}
