package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Outputs;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.membership.ChangeFile;
import dev.starling.peer.membership.Consent;
import dev.starling.peer.membership.Signed;
import dev.starling.peer.trust.Credentials;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs a site's consent that its own sums become known to the others. */
@Command(
        name = "consent",
        description = {
            "Signs a site's consent to leave a run alone, or to join one alone.",
            "The totals with this site and those without it differ by its own sums, so all sites learn these."
                    + " Consent to leave can be given in advance, in case the site is gone for good one day."
        },
        footer = {"", "Examples:", "  starling network consent c.yaml", "  starling network consent e-run-2.yaml --join"
        })
final class ConsentCommand extends ConsoleCommand {

    @Parameters(
            index = "0",
            paramLabel = "SITE.YAML",
            description = "The site's file for the run that it leaves or joins.")
    private Path file;

    @Option(names = "--join", description = "Consent to joining the run of this file, instead of leaving it.")
    private boolean join;

    @Option(
            names = "--output",
            paramLabel = "OUT",
            description = "Where to write the consent (default: consent-SITE.txt next to the site's file).")
    private Path out;

    @Override
    public Integer call() {
        SiteConfig config = Passwords.unlocked(SiteConfig.read(file));
        Credentials credentials = config.tls().load();
        config.requireOwnKey(credentials);
        Consent consent = join ? Consent.toJoin(config) : Consent.toLeave(config);
        Path target = out != null ? out : file.resolveSibling("consent-" + config.site() + ".txt");
        Outputs.requireWritable(target, inputs());
        ChangeFile.writeConsent(target, config.site(), Signed.by(new SiteSignature(credentials), consent));
        out().println(target);
        return Main.DONE;
    }
}
