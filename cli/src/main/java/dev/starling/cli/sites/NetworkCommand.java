package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.MethodOption;
import dev.starling.cli.options.SeedOption;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.StoppingRule;
import dev.starling.network.Network;
import dev.starling.peer.config.WordFile;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.peer.trust.KeyPin;
import dev.starling.problem.Regulariser;
import dev.starling.settings.Setting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sets up networks of sites. */
@Command(
        name = "network",
        description = "Sets up a network of sites, and changes who takes part.",
        synopsisSubcommandLabel = "new|change|consent",
        subcommands = {NetworkCommand.New.class, ChangeCommand.class, ConsentCommand.class},
        footer = {
            "",
            "Examples:",
            "  starling network new --sites a,b,c,d --topology ring",
            "  starling network new --sites a,b --topology line --hosts a.example.org,b.example.org",
            "  starling network change a.yaml --remove c --consent consent-c.txt"
        })
public final class NetworkCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Fails, because a subcommand is required. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "new, change or consent is missing");
    }

    /** Writes one file per site. */
    @Command(
            name = "new",
            description = "Writes one commented YAML file per site, to be reviewed by whoever runs the site.")
    static final class New extends ConsoleCommand {
        @Option(
                names = "--sites",
                required = true,
                split = ",",
                paramLabel = "NAME",
                description = "Names of the sites.")
        private List<String> sites;

        @Mixin
        private TopologyOption topology;

        @Option(
                names = "--hosts",
                split = ",",
                paramLabel = "HOST",
                description = "Host of each site (default: 127.0.0.1 for all, to try things out).")
        private List<String> hosts;

        @Option(
                names = "--port",
                paramLabel = "P",
                defaultValue = "7400",
                description = "Port of the first site; every other site gets the next one (default: ${DEFAULT-VALUE}).")
        private int port;

        @Option(
                names = "--dir",
                paramLabel = "DIR",
                defaultValue = ".",
                description = "Directory for the files (default: the current one).")
        private Path directory;

        @Option(
                names = "--run",
                paramLabel = "NAME",
                defaultValue = "run-1",
                description = "Name of the run (default: ${DEFAULT-VALUE}).")
        private String run;

        @Option(names = "--loss")
        private String loss;

        @Mixin
        private MethodOption method;

        @Option(
                names = "--lambda",
                paramLabel = "X",
                defaultValue = "1e-4",
                description = "Regularisation (default: ${DEFAULT-VALUE}).")
        private String lambda;

        @Option(
                names = "--study",
                paramLabel = "FILE",
                description = "Study that all sites follow; it also sets the loss and the regularisation.")
        private Path study;

        @Option(names = "--gap")
        private String gap;

        @Mixin
        private SeedOption seed;

        @Override
        public Integer call() {
            List<String> training = study == null ? objective() : studied();
            new StoppingRule(number("--gap", gap), 1);
            Network network = topology.network(sites.size(), seed.value());
            SiteFiles files = new SiteFiles(
                    sites,
                    network,
                    run,
                    hosts(),
                    port,
                    Stream.concat(
                                    training.stream(),
                                    Stream.of("method: " + method.name(), "gap: " + gap, "seed: " + seed.value()))
                            .toList(),
                    pins(),
                    Optional.ofNullable(study).map(this::fromThere));
            missingKey()
                    .ifPresent(file -> err().println("starling: no public keys are pinned, since " + file
                            + " does not exist; write them into the files later ('starling keys show')"));
            for (int node = 0; node < sites.size(); node++) {
                write(directory.resolve(sites.get(node) + ".yaml"), files.text(node));
            }
            return Main.DONE;
        }

        private List<String> objective() {
            requireMethodForLoss();
            double regularisation = number("--lambda", lambda);
            if (!(regularisation > 0) || Double.isInfinite(regularisation)) {
                throw new InvalidInputException("--lambda " + lambda + " must be positive and finite, such as 1e-4");
            }
            return List.of("loss: " + loss, "lambda: " + lambda);
        }

        /** Checks the study; no line is needed, because the study sets the objective. */
        private List<String> studied() {
            for (String option : List.of("--loss", "--lambda")) {
                if (isGiven(option)) {
                    throw new InvalidInputException(
                            option + " and --study are both given; the study says it, so leave it out");
                }
            }
            WordFile.readStudy(study).settings().with(Setting.METHOD, method.name());
            return List.of();
        }

        /** The path of the study relative to the sites' files. */
        private String fromThere(Path file) {
            return directory
                    .toAbsolutePath()
                    .normalize()
                    .relativize(file.toAbsolutePath().normalize())
                    .toString();
        }

        private List<String> hosts() {
            return hosts != null ? hosts : Collections.nCopies(sites.size(), "127.0.0.1");
        }

        /**
         * The public keys of all sites, if the certificates of all are in the keys directory next to the sites' files.
         */
        private List<KeyPin> pins() {
            return missingKey().isPresent()
                    ? List.of()
                    : certificates()
                            .map(file -> KeyPin.of(KeysCommand.certificate(file)))
                            .toList();
        }

        private Stream<Path> certificates() {
            return sites.stream().map(site -> directory.resolve("keys").resolve(site + ".pem"));
        }

        private Optional<Path> missingKey() {
            return certificates().filter(file -> !Files.exists(file)).findFirst();
        }

        private void requireMethodForLoss() {
            Loss named = Losses.named(loss);
            try {
                Methods.requireTakes(method.name(), new Objective(named, new Regulariser.SquaredNorm()));
            } catch (InvalidInputException e) {
                throw new InvalidInputException(e.getMessage().replaceFirst("^method", "--method"), e);
            }
        }

        private static double number(String option, String text) {
            return InvalidInputException.parsed(
                    () -> Double.parseDouble(text), () -> option + " " + text + " must be a number, such as 1e-4");
        }

        private void write(Path file, String text) {
            if (Files.exists(file)) {
                throw new InvalidInputException(file + " exists; it may have been edited, so move it away first");
            }
            Outputs.createFolder(directory);
            AtomicFiles.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
            out().println(file);
        }
    }
}
