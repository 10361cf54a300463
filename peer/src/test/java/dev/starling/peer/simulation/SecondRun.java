package dev.starling.peer.simulation;

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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prepares the disks of sites for the run after the first one. */
record SecondRun(Scenario scenario, SiteConfig[] configs, VirtualDisk[] disks) {

    /** The name of the run. */
    static final String RUN = "test-2";

    private static final String CHANGE = "/change.txt";
    private static final String START = "/start.bin";

    private String text(int site) {
        return new String(disks[site].content(Scenario.FILE), StandardCharsets.UTF_8);
    }

    private void write(int site, String text) {
        disks[site].set(Scenario.FILE, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The same sites take part. */
    void withTheSame() {
        for (int site = 0; site < configs.length; site++) {
            write(site, text(site).replace("run: " + Scenario.RUN + "\n", "run: " + RUN + "\n"));
        }
    }

    /** The last site leaves with its consent, and all others sign. */
    void withoutTheLast(boolean cold) {
        int last = configs.length - 1;
        Map<String, String> addresses = new HashMap<>();
        for (int site = 0; site < last; site++) {
            addresses.put(configs[site].site(), "127.0.0.1:" + (7000 + site));
        }
        Path reached = configs[0].state().resolve(Scenario.RUN).resolve(StartPoint.FILE);
        byte[] start = disks[0].content(reached.toString());
        ChangeFile file = ChangeFile.of(Membership.propose(
                        configs[0],
                        RUN,
                        List.of(configs[last].site()),
                        List.of(),
                        addresses,
                        size -> Topology.named(Scenario.SMALLER).build(size, 1),
                        cold ? Change.COLD : StartPoint.digest(reached)))
                .withConsent(configs[last].site(), Signed.by(signature(configs[last]), Consent.toLeave(configs[last])));
        for (int site = 0; site < last; site++) {
            file = file.approvedBy(configs[site].site(), signature(configs[site]));
        }
        NewSiteFile next = new NewSiteFile(file.change(), CHANGE, cold ? Optional.empty() : Optional.of(START));
        for (int site = 0; site < last; site++) {
            file.write(new VirtualFileSystem(disks[site]).getPath(CHANGE));
            disks[site].set(CHANGE, disks[site].content(CHANGE));
            disks[site].set(START, start);
            write(site, next.ofStaying(text(site), configs[site]));
        }
    }

    private static SiteSignature signature(SiteConfig config) {
        return new SiteSignature(config.tls().load());
    }
}
