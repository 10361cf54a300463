package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.node.Replay;
import dev.starling.peer.sums.Audit;
import dev.starling.peer.sums.Opening;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.RefusedCertificateException;
import dev.starling.peer.trust.Trust;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Settles a dispute about a run: sites open what they sealed, and an auditor finds who deviated. */
@Command(
        name = "audit",
        synopsisSubcommandLabel = "open|check",
        description = {
            "Settles a dispute about a run.",
            "Every site has a sealed hash of each other's part of every sum. In a dispute each site opens its own"
                    + " parts to an auditor whom all accept; the auditor finds out whose words do not fit."
        },
        footer = {
            "",
            "Examples:",
            "  starling audit open a.yaml --output a.opening",
            "  starling audit check a.yaml a.opening b.opening c.opening",
            "",
            "Exit codes: 0 nobody deviated, 1 somebody did, or cannot show that it did not, 2 something is missing."
        })
public final class AuditCommand {

    @Spec
    private CommandSpec spec;

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Computes this site's parts of all sums of a run again, and writes them for an auditor.",
                "The file says everything that the site's rows have contributed: give it to the auditor alone."
            })
    int open(
            @Parameters(paramLabel = "SITE.YAML", description = "The site's file, as it was in the run.") Path file,
            @Option(names = "--output", required = true, paramLabel = "OUT", description = "Where to write it.")
                    Path target)
            throws IOException {
        Opening opening = Replay.open(Passwords.unlocked(SiteConfig.read(file)));
        opening.save(target);
        out().println(target + " opens " + opening.sums().size() + " sums; give it to the auditor alone");
        return Main.DONE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Checks what all sites have opened, and names whoever deviated.")
    int check(
            @Parameters(
                            index = "0",
                            paramLabel = "SITE.YAML",
                            description = "The file of any site of the run, for names, keys and network.")
                    Path file,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "OPENING", description = "What each site opened.")
                    List<Path> files)
            throws IOException {
        SiteConfig config = SiteConfig.read(file);
        List<Opening> openings = new ArrayList<>();
        for (Path one : files) {
            Opening opening = Opening.read(one);
            requireHolder(config, opening, one);
            openings.add(opening);
        }
        Audit.Outcome outcome = Audit.of(config.sites(), config.network().spanningTree(), openings);
        outcome.liars().forEach(text -> out().println("FALSE " + text));
        outcome.doubts().forEach(text -> out().println("note  " + text));
        out().println(
                        outcome.isClean()
                                ? "true: " + outcome.sums()
                                        + " sums are the sums of what the sites have opened. Whether that"
                                        + " follows from their rows, 'starling replay' shows at each site"
                                : "FALSE: after " + outcome.sums()
                                        + " sums that are the sums of what the sites have opened");
        return outcome.isClean() ? Main.DONE : Main.UNCERTIFIED;
    }

    private static void requireHolder(SiteConfig config, Opening opening, Path file) {
        Trust trust = new Trust(
                Credentials.certificates(Authority.readPublic(config.tls().authority()), "authority"), List.of());
        try {
            if (opening.site() >= config.sites().size()) {
                throw new InvalidInputException(file + " is of a network with more sites than " + config.sites());
            }
            List<X509Certificate> chain = SiteSignature.chain(opening.chain());
            trust.require(chain, chain.get(0).getNotBefore().toInstant());
            Trust.requireHolder(chain.get(0), config.certificateName(opening.site()), config.pin(opening.site()));
        } catch (RefusedCertificateException e) {
            throw new InvalidInputException(file + ": " + e.getMessage(), e);
        }
    }
}
