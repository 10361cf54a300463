package dev.starling.peer.node;

import dev.starling.network.Topology;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.membership.Change;
import dev.starling.peer.membership.ChangeFile;
import dev.starling.peer.membership.Consent;
import dev.starling.peer.membership.Membership;
import dev.starling.peer.membership.NewSiteFile;
import dev.starling.peer.membership.Signed;
import dev.starling.peer.membership.StartPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A site leaves a network with its consent, and all others have signed.
 *
 * @param files the file of each of the others for the run that follows
 * @param cold whether that begins anew
 */
record Departure(List<Path> files, boolean cold) {

    /** The name of the run that follows. */
    static final String RUN = "test-2";

    private static final String CHANGE = "change.txt";
    private static final String START = "start.bin";

    /** The last site leaves; the run that follows begins anew if that is wished or no point was certified yet. */
    static Departure ofTheLast(ProcessNetwork network, boolean anew) throws IOException {
        List<SiteConfig> staying = new ArrayList<>();
        Map<String, String> addresses = new HashMap<>();
        int last = network.sites.size() - 1;
        for (int site = 0; site < last; site++) {
            staying.add(SiteConfig.read(network.yaml(site)));
            addresses.put(network.sites.get(site), "127.0.0.1:" + (network.firstPort + site));
        }
        Path reached = network.state(0).resolve(StartPoint.FILE);
        boolean cold = anew || !Files.exists(reached);
        Path start = network.directory.resolve(START);
        if (!cold) {
            Files.copy(reached, start);
        }
        SiteConfig leaver = SiteConfig.read(network.yaml(last));
        ChangeFile file = ChangeFile.of(Membership.propose(
                        staying.get(0),
                        RUN,
                        List.of(leaver.site()),
                        List.of(),
                        addresses,
                        size -> Topology.named("complete").build(size, 1),
                        cold ? Change.COLD : StartPoint.digest(start)))
                .withConsent(
                        leaver.site(), Signed.by(new SiteSignature(leaver.tls().load()), Consent.toLeave(leaver)));
        for (SiteConfig config : staying) {
            file = file.approvedBy(config.site(), new SiteSignature(config.tls().load()));
        }
        file.write(network.directory.resolve(CHANGE));
        NewSiteFile next = new NewSiteFile(file.change(), CHANGE, cold ? Optional.empty() : Optional.of(START));
        List<Path> files = new ArrayList<>();
        for (int site = 0; site < last; site++) {
            Path own = network.directory.resolve(network.sites.get(site) + "-" + RUN + ".yaml");
            Files.writeString(own, next.ofStaying(Files.readString(network.yaml(site)), staying.get(site)));
            files.add(own);
        }
        return new Departure(files, cold);
    }
}
