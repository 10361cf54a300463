package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Outputs;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.membership.ChangeFile;
import dev.starling.peer.membership.Consent;
import dev.starling.peer.membership.Signed;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs a site's consent that its own sums become known. */
@Command(
        name = "consent",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Signs a site's consent to leave a run alone, or to join one alone.",
            "What all sites learn with it and without it differs by its own sums, which thereby become known to all."
                    + " Consent to leave can be given beforehand, for the day on which the site is gone for good."
        },
        footer = {"", "Examples:", "  starling network consent c.yaml", "  starling network consent e-run-2.yaml --join"
        })
final class ConsentCommand extends ConsoleCommand {

    @Parameters(index = "0", paramLabel = "SITE.YAML", description = "The site's file, of the run it leaves or joins.")
    private Path file;

    @Option(names = "--join", description = "It joins the run of this file, instead of leaving it.")
    private boolean join;

    @Option(
            names = "--output",
            paramLabel = "OUT",
            description = "Where to write it (default: consent-SITE.txt beside the site's file).")
    private Path out;

    @Override
    public Integer call() {
        SiteConfig config = Passwords.unlocked(SiteConfig.read(file));
        Consent consent = join ? Consent.toJoin(config) : Consent.toLeave(config);
        Path target = out != null ? out : file.resolveSibling("consent-" + config.site() + ".txt");
        Outputs.requireWritable(target, inputs());
        ChangeFile.writeConsent(
                target, config.site(), Signed.by(new SiteSignature(config.tls().load()), consent));
        out().println(target);
        out().flush();
        return Main.DONE;
    }
}
