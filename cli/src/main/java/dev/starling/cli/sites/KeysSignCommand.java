package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.SigningRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Signs the requests of sites. */
@Command(
        name = "sign",
        description = {
            "Makes a certificate (NAME.pem) for the key in each signing request.",
            "Compare the key it prints with the one that 'keys request' printed at the site, for example by telephone."
        })
final class KeysSignCommand extends ConsoleCommand {

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Signing requests, as 'keys request' makes them.")
    private List<Path> files;

    @Mixin
    private IssueOptions issue;

    @Override
    public Integer call() {
        Authority authority = Authority.load(issue.directory());
        List<SigningRequest> requests = files.stream()
                .map(file -> SigningRequest.read(Authority.readPublic(file), file.toString()))
                .toList();
        PrintWriter out = out();
        try {
            for (SigningRequest request : requests) {
                byte[] certificate = authority.sign(request, Instant.now(), issue.validity());
                out.println(Authority.saveCertificate(certificate, request, issue.directory()));
                out.println("site " + request.site() + " key " + request.pin());
            }
        } catch (IOException e) {
            throw KeysCommand.unwritable(issue.directory(), e);
        }
        return Main.DONE;
    }
}
