package dev.starling.cli.compare;

import dev.starling.Trainer;
import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.DelayOption;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.LossOptions;
import dev.starling.cli.options.NetworkOptions;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.Under;
import dev.starling.cli.page.LineChart;
import dev.starling.cli.train.Explanation;
import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonObject;
import dev.starling.job.TrainingPlan;
import dev.starling.lab.comparison.Plan;
import dev.starling.method.Facts;
import dev.starling.network.Network;
import dev.starling.settings.Settings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Predicts how long methods would take. */
@Command(
        name = "plan",
        description = {
            "Predicts how long each method would take, without running it.",
            "Prints the idealised time per digit of accuracy according to each method's own theorem, the bound that no"
                    + " method can beat, and how many nodes are worth having. Idealised time counts a proximal step"
                    + " (one update from one row) as 1 and a message as T.",
            "Conditioning is measured on a file, or given by --rows and --kappa."
        },
        footer = {
            "",
            "Examples:",
            "  starling plan a9a.gz --nodes 16 --topology grid --tau 5",
            "  starling plan --rows 1e6 --kappa 1e5 --kappa-batch 1e4 --tau 5 --nodes 100 --topology grid",
            "  starling plan a9a.gz --nodes 16 --topology ring --tau 100 --svg time-against-nodes.svg"
        })
public final class PlanCommand extends ConsoleCommand {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description =
                    "Rows in LIBSVM or CSV format, or a Parquet file; or leave it out and give --rows and --kappa.")
    private Path file;

    @Option(names = "--rows", paramLabel = "N", description = "Total number of rows of all nodes.")
    private Double samples;

    @Option(
            names = "--kappa",
            paramLabel = "K",
            description = "Condition number that a stochastic method sees: 1 + sum of L_ij/sigma_i at a node.")
    private Double kappa;

    @Option(
            names = "--kappa-batch",
            paramLabel = "K",
            description = "Condition number that a batch method sees, at most --kappa (default: the same).")
    private Double batchKappa;

    @Mixin
    private LossOptions objective;

    @Mixin
    private NetworkOptions graph;

    @Mixin
    private DelayOption delay;

    @Mixin
    private SourceOptions data;

    @Option(
            names = "--explain",
            description =
                    "Show the constants of ADFS, and what the split of the rows of FILE is where methods start: how"
                            + " well the whole, the nodes and the rows are conditioned, and how much the nodes differ.")
    private boolean explain;

    @Mixin
    private JsonOption json;

    @Under(Section.OUTPUT)
    @Option(names = "--svg", paramLabel = "OUT", description = "Write a picture of time against the number of nodes.")
    private Path svg;

    /** The plan, and the same with other numbers of nodes: with the same rows in total, and with the same per node. */
    private record Plans(Plan plan, Network network, List<Plan> split, List<Plan> grown) {}

    @Override
    public Integer call() {
        objective.checkRegularisation();
        DelayOption.require(delay.tau());
        if (svg != null) {
            Outputs.requireWritable(svg, inputs());
        }
        Network planned = graph.network(1, NetworkOptions.NODES_OF_A_GRAPH);
        Optional<Dataset> rows = data.isNone(file) ? Optional.empty() : Optional.of(rows());
        Network network =
                rows.map(some -> graph.fitting(planned, some.rows(), 1)).orElse(planned);
        Optional<Trainer.Start> start = rows.map(some -> prepared(some, network));
        Optional<TrainingPlan> training = start.map(Trainer.Start::plan);
        Plan plan = training.map(some -> Plan.of(some, delay.tau())).orElseGet(() -> byHand(network));
        Explanation explanation = explain ? explained(rows.orElseThrow(), start.orElseThrow()) : Explanation.NONE;
        List<Plan> split = sizes(network, plan);
        List<Plan> grown = split.stream()
                .map(other -> other.withSamplesPerNode(plan.samplesPerNode()))
                .toList();
        Plans plans = new Plans(plan, network, split, grown);
        PrintWriter out = out();
        if (json.isGiven()) {
            Json.print(out, generator -> {
                write(generator, plans);
                if (explain) {
                    generator.object("explanation", explanation::write);
                }
            });
        } else {
            if (explain) {
                explanation.print(out);
            }
            print(out, plans, training.map(PlanCommand::unevenness).orElse(""));
        }
        if (svg != null) {
            Outputs.write(() -> chart(plans).write(svg));
        }
        return Main.DONE;
    }

    private Plan byHand(Network network) {
        if (samples == null || kappa == null) {
            throw new InvalidInputException("there is nothing to plan; give a FILE, or both --rows and --kappa");
        }
        if (explain || graph.dealing() != Dealing.TURNS) {
            throw new InvalidInputException((explain ? "--explain" : "--deal " + graph.dealing())
                    + " is about the rows of a file; give a FILE instead of --rows and --kappa");
        }
        try {
            return Plan.of(samples, kappa, batchKappa == null ? kappa : batchKappa, delay.tau(), network);
        } catch (InvalidInputException e) {
            throw new InvalidInputException("--" + e.getMessage(), e);
        }
    }

    private Dataset rows() {
        data.check(file);
        if (samples != null || kappa != null || batchKappa != null) {
            throw new InvalidInputException(data.source(file) + " and "
                    + (samples != null ? "--rows" : kappa != null ? "--kappa" : "--kappa-batch")
                    + " both say what the data are; give one of them");
        }
        if (!objective.loss().hasBoundedCurvature()) {
            throw new InvalidInputException("--loss " + objective.loss().name()
                    + (objective.loss().isDifferentiable() ? " has no bound on its curvature" : " has a kink")
                    + ", for which the formulas of Table 1 do not hold; use a loss of bounded curvature, such as"
                    + " logistic or squared");
        }
        if (objective.l1() > 0) {
            throw new InvalidInputException("--l1 " + Json.text(objective.l1())
                    + " has a kink, for which the formulas of Table 1 do not hold; leave it out");
        }
        if (objective.lambda() == 0) {
            throw new InvalidInputException("--lambda 0 leaves nothing regularised, for which the formulas of Table 1"
                    + " do not hold; give --lambda a positive value");
        }
        return data.read(file, 0, (done, total) -> {});
    }

    private Trainer.Start prepared(Dataset rows, Network network) {
        try {
            return trainer(rows, network).prepare(rows, new long[0]);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(data.source(file) + ": " + e.getMessage(), e);
        }
    }

    private Trainer trainer(Dataset rows, Network network) {
        return Trainer.of(objective.loss())
                .lambda(objective.lambda(rows))
                .method("adfs")
                .network(network)
                .dealing(graph.dealing())
                .delay(delay.tau());
    }

    private Explanation explained(Dataset rows, Trainer.Start start) {
        Settings settings = trainer(rows, start.plan().network()).settings();
        return Explanation.of(start.plan(), settings).withSplit(start);
    }

    /** Where nodes have different numbers of rows, which the formulas do not know. */
    private static String unevenness(TrainingPlan training) {
        LongSummaryStatistics rows =
                training.facts().stream().mapToLong(Facts::samples).summaryStatistics();
        return rows.getMax() <= rows.getMin() + 1
                ? ""
                : "nodes have " + rows.getMin() + " to " + rows.getMax()
                        + " rows; the formulas are for nodes that have as many each";
    }

    /** The plan with other numbers of nodes; a graph from a file has none. */
    private List<Plan> sizes(Network network, Plan plan) {
        Optional<String> family = graph.family();
        List<Plan> plans = new ArrayList<>();
        family.ifPresent(name -> plans.addAll(plan.atOtherSizes(name, 1)));
        if (plans.stream().noneMatch(other -> other.nodes() == network.size())) {
            plans.add(plan);
            plans.sort(java.util.Comparator.comparingInt(Plan::nodes));
        }
        return plans;
    }

    private void print(PrintWriter out, Plans plans, String remark) {
        Plan plan = plans.plan();
        out.printf(
                Locale.US,
                "%s samples on %s: m = %s per node, kappa_s = %s, kappa_b = %s, gamma = %s, tau = %s%n",
                NumberFormats.shortText(plan.samples()),
                plans.network().description() + (plan.nodes() == 1 ? " (1 node)" : " (" + plan.nodes() + " nodes)"),
                NumberFormats.shortText(plan.samplesPerNode()),
                NumberFormats.shortText(plan.stochasticConditioning()),
                NumberFormats.shortText(plan.batchConditioning()),
                NumberFormats.shortText(plan.gamma()),
                NumberFormats.shortText(plan.delay()));
        out.println(remark.isEmpty() ? "" : remark + System.lineSeparator());
        out.printf("%-12s  %12s%n", "algorithm", "per digit");
        for (Plan.Estimate estimate : plan.estimates()) {
            String line = String.format(
                    "%-12s  %12s  %s",
                    estimate.method(), NumberFormats.shortText(estimate.timePerDigit()), estimate.remark());
            out.println(line.stripTrailing());
        }
        out.printf(
                "%-12s  %12s  no method is faster, up to a constant%n",
                "lower bound", NumberFormats.shortText(plan.lowerBoundPerDigit()));
        out.println();
        line(out, "c", plan.balance(), "best balance of computation and communication");
        line(out, "p_comm", plan.communicationProbability(), "best share of steps that communicate");
        line(out, "best n", Plan.fastest(plans.split()).nodes(), "nodes to share these samples; more do not help");
        line(
                out,
                "critical n",
                Plan.lastDominatedByComputation(plans.grown()).nodes(),
                "nodes with m samples each until communication takes over");
    }

    private static void line(PrintWriter out, String name, double value, String meaning) {
        out.printf("%-12s  %12s  %s%n", name, NumberFormats.shortText(value), meaning);
    }

    private static void write(JsonObject json, Plans plans) {
        Plan plan = plans.plan();
        numbers(json, plan);
        json.with("network", plans.network().description());
        json.object(
                "timePerDigit",
                all -> plan.estimates().forEach(estimate -> all.with(estimate.method(), estimate.timePerDigit())));
        json.object(
                "remarks",
                all -> plan.estimates().stream()
                        .filter(estimate -> !estimate.remark().isEmpty())
                        .forEach(estimate -> all.with(estimate.method(), estimate.remark())));
        json.with("lowerBoundPerDigit", plan.lowerBoundPerDigit());
        json.with("balance", plan.balance());
        json.with("communicationProbability", plan.communicationProbability());
        json.with("bestNodes", Plan.fastest(plans.split()).nodes());
        json.with(
                "criticalNodes", Plan.lastDominatedByComputation(plans.grown()).nodes());
        sizes(json, "sameSamples", plans.split());
        sizes(json, "sameSamplesPerNode", plans.grown());
    }

    private static void numbers(JsonObject json, Plan plan) {
        json.with("samples", plan.samples());
        json.with("nodes", plan.nodes());
        json.with("samplesPerNode", plan.samplesPerNode());
        json.with("stochasticConditioning", plan.stochasticConditioning());
        json.with("batchConditioning", plan.batchConditioning());
        json.with("gamma", plan.gamma());
        json.with("tau", plan.delay());
    }

    private static void sizes(JsonObject json, String name, List<Plan> plans) {
        json.objects(name, plans, (one, plan) -> {
            one.with("nodes", plan.nodes());
            one.with("gamma", plan.gamma());
            plan.estimates().forEach(estimate -> one.with(estimate.method(), estimate.timePerDigit()));
            one.with("lowerBound", plan.lowerBoundPerDigit());
        });
    }

    private static LineChart chart(Plans plans) {
        List<List<Plan.Estimate>> estimates =
                plans.split().stream().map(Plan::estimates).toList();
        double[] nodes = plans.split().stream().mapToDouble(Plan::nodes).toArray();
        List<LineChart.Series> series = new ArrayList<>();
        for (int k = 0; k < estimates.get(0).size(); k++) {
            int row = k;
            double[] times = estimates.stream()
                    .mapToDouble(all -> all.get(row).timePerDigit())
                    .toArray();
            series.add(LineChart.Series.of(estimates.get(0).get(k).method(), nodes, times));
        }
        double[] bound =
                plans.split().stream().mapToDouble(Plan::lowerBoundPerDigit).toArray();
        series.add(LineChart.Series.of("lower bound", nodes, bound));
        return LineChart.of(
                NumberFormats.shortText(plans.plan().samples()) + " samples shared by n nodes, tau = "
                        + NumberFormats.shortText(plans.plan().delay()),
                "nodes n",
                true,
                "idealised time per digit",
                true,
                series);
    }
}
