package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.RunFailure;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.membership.Change;
import dev.starling.peer.membership.ChangeFile;
import dev.starling.peer.membership.Membership;
import dev.starling.peer.membership.NewSiteFile;
import dev.starling.peer.membership.StartPoint;
import dev.starling.peer.trust.KeyPin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Proposes and signs changes of membership. */
@Command(
        name = "change",
        description = {
            "Lets sites leave a network or join it, once all sites that take part afterwards have signed.",
            "The site that proposes a change sends its file to the others, which sign it with --approve. When all have"
                    + " signed, the same command writes each site's file for the next run, which continues from the"
                    + " last certified point. A site that leaves or joins alone must have consented ('network"
                    + " consent')."
        },
        footer = {
            "",
            "Examples:",
            "  starling network change a.yaml --remove c --consent consent-c.txt",
            "  starling network change b.yaml --approve change-run-2.txt",
            "  starling network change a.yaml --add e=e.example.org:7400 --certificate e=keys/e.pem"
        })
final class ChangeCommand extends ConsoleCommand {

    @Parameters(arity = "1..*", paramLabel = "SITE.YAML", description = "Files of the sites that you run.")
    private List<Path> files;

    @Option(names = "--remove", split = ",", paramLabel = "NAME", description = "Sites that leave.")
    private List<String> removed = new ArrayList<>();

    @Option(names = "--add", split = ",", paramLabel = "NAME=HOST:PORT", description = "Sites that join.")
    private Map<String, String> added = new LinkedHashMap<>();

    @Option(names = "--approve", paramLabel = "CHANGE", description = "Sign a change that another site proposed.")
    private Path approve;

    @Option(
            names = "--consent",
            split = ",",
            paramLabel = "FILE",
            description = "Consent of the site that leaves or joins alone.")
    private List<Path> consents = new ArrayList<>();

    @Option(
            names = "--run",
            paramLabel = "NAME",
            description = "Name of the next run (default: one more than the last: run-1, run-2, ...).")
    private String run;

    @Mixin
    private TopologyOption topology;

    @Option(names = "--cold", description = "Start from scratch; the model is then that of a fresh run, bit for bit.")
    private boolean cold;

    @Option(
            names = "--address",
            split = ",",
            paramLabel = "NAME=HOST:PORT",
            description = "Addresses that new neighbours need and that are not in the first file.")
    private Map<String, String> addresses = new LinkedHashMap<>();

    @Option(
            names = "--certificate",
            split = ",",
            paramLabel = "NAME=FILE",
            description = "Certificates of sites that join, if public keys are pinned.")
    private Map<String, Path> certificates = new LinkedHashMap<>();

    @Override
    public Integer call() {
        List<SiteConfig> configs = files.stream()
                .map(file -> Passwords.unlocked(SiteConfig.read(file)))
                .toList();
        boolean proposes = !removed.isEmpty() || !added.isEmpty();
        if (proposes == (approve != null)) {
            throw new InvalidInputException("give --remove or --add to propose a change, or --approve to sign one");
        }
        Path folder = files.get(0).toAbsolutePath().getParent();
        ChangeFile change = proposes ? proposed(configs.get(0), folder) : ChangeFile.read(approve);
        for (Path consent : consents) {
            change = change.withConsent(consent);
        }
        Path target = proposes ? folder.resolve("change-" + change.change().run() + ".txt") : approve;
        say(change.change().revealed());
        return signed(change, configs, target);
    }

    private ChangeFile proposed(SiteConfig config, Path folder) {
        String name = run != null ? run : next(config.run());
        List<Membership.Joining> joining = new ArrayList<>();
        added.forEach((site, address) -> joining.add(new Membership.Joining(
                site,
                address,
                Optional.ofNullable(certificates.get(site)).map(file -> KeyPin.of(KeysCommand.certificate(file))))));
        Path start = folder.resolve(startFile(name));
        if (!cold) {
            copy(config.state().resolve(config.run()).resolve(StartPoint.FILE), start);
        }
        return ChangeFile.of(Membership.propose(
                config,
                name,
                removed,
                joining,
                addresses,
                size -> topology.network(size, config.training().seed()),
                cold ? Change.COLD : StartPoint.digest(start)));
    }

    private static String startFile(String run) {
        return "start-" + run + ".bin";
    }

    /** Returns the name of the next run: run-2 after run-1, and a name without a number gets the number 2. */
    static String next(String run) {
        int hyphen = run.lastIndexOf('-');
        String tail = run.substring(hyphen + 1);
        return hyphen > 0 && tail.matches("\\d{1,6}")
                ? run.substring(0, hyphen + 1) + (Integer.parseInt(tail) + 1)
                : run + "-2";
    }

    private static void copy(Path point, Path target) {
        if (!Files.exists(point)) {
            throw new InvalidInputException(
                    point + " does not exist: no point of that run was certified here; start from scratch with --cold");
        }
        try {
            byte[] content = Files.readAllBytes(point);
            AtomicFiles.write(target, out -> out.write(content));
        } catch (IOException e) {
            throw InvalidInputException.unreadable(point, e);
        }
    }

    private int signed(ChangeFile proposed, List<SiteConfig> configs, Path target) {
        Change change = proposed.change();
        if (approve == null) {
            writeFilesOfJoining(change, target);
        }
        SiteSignature first = new SiteSignature(configs.get(0).tls().load());
        boolean shown = approve != null || change.concerned().stream().anyMatch(change.sites()::contains);
        if (shown && !proposed.unconsented().isEmpty()) {
            // A site that joins can consent only to a change that it has seen.
            proposed.write(target);
            say(target.toString());
            throw RunFailure.passing(
                    "nothing is signed without the consent of " + String.join(", ", proposed.unconsented())
                            + " ('starling network consent', with --join to join): send it "
                            + filesOf(change, target)
                            + ", and give its consent with --approve " + target.getFileName() + " --consent FILE",
                    null);
        }
        proposed.requireConsent(first);
        ChangeFile file = proposed;
        for (SiteConfig config : configs) {
            requireConcerns(change, config);
            file = file.approvedBy(config.site(), new SiteSignature(config.tls().load()));
        }
        file.write(target);
        say(target.toString());
        if (!file.missing().isEmpty()) {
            throw RunFailure.passing(
                    "still to be approved by " + String.join(", ", file.missing()) + ": send them "
                            + filesOf(change, target),
                    null);
        }
        file.requireComplete(first);
        for (int k = 0; k < files.size(); k++) {
            if (!configs.get(k).run().equals(change.run())) {
                write(
                        files.get(k).resolveSibling(configs.get(k).site() + "-" + change.run() + ".yaml"),
                        newFile(change, target).ofStaying(read(files.get(k)), configs.get(k)));
            }
        }
        return Main.DONE;
    }

    private static String filesOf(Change change, Path target) {
        return target.getFileName() + (change.start().equals(Change.COLD) ? "" : " and " + startFile(change.run()));
    }

    /** Refuses a site that takes no part in the next run, or whose file fits neither of the two runs. */
    private static void requireConcerns(Change change, SiteConfig config) {
        if (!change.sites().contains(config.site())) {
            throw new InvalidInputException("site " + config.site() + " takes no part in run " + change.run()
                    + " and has nothing to approve; it may consent");
        }
        if (config.run().equals(change.run())) {
            change.requireFits(config);
        } else {
            change.requireFollows(config);
        }
    }

    private NewSiteFile newFile(Change change, Path target) {
        return new NewSiteFile(
                change,
                target.getFileName().toString(),
                change.start().equals(Change.COLD) ? Optional.empty() : Optional.of(startFile(change.run())));
    }

    private void writeFilesOfJoining(Change change, Path target) {
        for (String site : change.added()) {
            write(
                    target.resolveSibling(site + "-" + change.run() + ".yaml"),
                    newFile(change, target).ofJoining(read(files.get(0)), site));
        }
    }

    private void write(Path file, String text) {
        if (Files.exists(file) && !read(file).equals(text)) {
            throw new InvalidInputException(file + " exists; it may have been edited, so move it away first");
        }
        AtomicFiles.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
        say(file.toString());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
    }

    private void say(String line) {
        out().println(line);
    }
}
