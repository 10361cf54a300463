package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.Authority;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a private certificate authority, and the keys and certificates of sites. */
@Command(
        name = "keys",
        description = "Makes a private certificate authority, and the keys and certificates of sites.",
        synopsisSubcommandLabel = "init|request|sign|show|revoke|site",
        subcommands = {
            KeysCommand.Init.class,
            KeysRequestCommand.class,
            KeysSignCommand.class,
            KeysShowCommand.class,
            KeysRevokeCommand.class,
            KeysCommand.Site.class
        },
        footer = {
            "",
            "Examples:",
            "  starling keys init                        # once, at one of the sites",
            "  starling keys request hospital-a          # at every site; the key stays there",
            "  starling keys sign hospital-a.csr         # where the authority is",
            "  starling keys revoke keys/hospital-a.pem",
            "  starling keys site a b c                  # all at once, to try things out on one machine"
        })
public final class KeysCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Fails, because a subcommand is required. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "init, request, sign, show, revoke or site is missing");
    }

    static InvalidInputException unwritable(Path directory, IOException e) {
        return new InvalidInputException(directory + " cannot be written to: " + e.getMessage(), e);
    }

    /** Makes the authority. */
    @Command(
            name = "init",
            description =
                    "Makes a private certificate authority: authority.pem, which every site needs, and authority.key,"
                            + " which must stay secret.")
    static final class Init extends ConsoleCommand {
        @Option(
                names = "--dir",
                paramLabel = "DIR",
                defaultValue = "keys",
                description = "Directory of the authority (default: ${DEFAULT-VALUE}).")
        private Path directory;

        @Option(
                names = "--days",
                paramLabel = "N",
                defaultValue = "3650",
                description = "Days for which the authority is valid (default: ${DEFAULT-VALUE}).")
        private int days;

        @Override
        public Integer call() {
            try {
                Authority.create(Instant.now(), IssueOptions.validity(days)).save(directory);
            } catch (IOException e) {
                throw unwritable(directory, e);
            }
            out().println(directory.resolve(Authority.CERTIFICATE_FILE));
            out().println(directory.resolve(Authority.KEY_FILE));
            return Main.DONE;
        }
    }

    /** Makes certificates and keys of sites. */
    @Command(
            name = "site",
            description = {
                "Makes a certificate (NAME.pem) and a private key (NAME.key) for each site of one owner.",
                "With several owners no private key should leave its site: see 'keys request'."
            })
    static final class Site extends ConsoleCommand {
        @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of sites.")
        private List<String> names;

        @Mixin
        private IssueOptions issue;

        @Override
        public Integer call() {
            Authority authority = Authority.load(issue.directory());
            names.forEach(Authority::requireSiteName);
            try {
                for (String name : names) {
                    Authority.save(authority.issue(name, Instant.now(), issue.validity()), name, issue.directory())
                            .forEach(out()::println);
                }
            } catch (IOException e) {
                throw unwritable(issue.directory(), e);
            }
            return Main.DONE;
        }
    }
}
