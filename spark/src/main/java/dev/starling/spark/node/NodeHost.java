package dev.starling.spark.node;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowKeys;
import dev.starling.evaluation.tally.PartialEvaluation;
import dev.starling.job.Holdout;
import dev.starling.job.JobResult;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.job.PlanningPhase;
import dev.starling.job.TimeBudget;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import dev.starling.method.StoppingRule;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import dev.starling.node.SumGuard;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Driver;
import dev.starling.settings.Settings;
import dev.starling.spark.model.ModelText;
import dev.starling.spark.rows.Decision;
import dev.starling.spark.rows.RowIntake;
import dev.starling.spark.rows.RowStretch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drives the job at one node over its task's links, and saves its states. */
final class NodeHost implements Driver.Host, TrainingListener {

    private static final Logger LOGGER = LoggerFactory.getLogger("dev.starling.spark");

    /** Idealised time is not used here. */
    private static final Delays NO_DELAYS = Delays.uniform(0);

    private final TaskPlan plan;
    private final Network network;
    private final TaskLinks links;
    private final int node;
    private final Collectives nodes;
    private final int attempt;
    private final Optional<StateFiles> files;
    private final TimeBudget budget;

    private TrainingJob job;
    private ResumePhase.Found found;
    private long saved;
    private long start;

    NodeHost(TaskPlan plan, Network network, TaskLinks links, int attempt) {
        this.plan = plan;
        this.network = network;
        this.links = links;
        this.node = links.node();
        this.nodes = Collectives.apart(network.spanningTree(), node, network.size(), SumGuard.NONE);
        this.attempt = attempt;
        this.files = plan.states();
        this.budget = new TimeBudget(plan.settings(), 0);
    }

    /**
     * Trains, and returns the outcomes of this node.
     *
     * @param taken returns this node's rows, or throws an exception that says what is wrong with them
     */
    List<NodeOutcome> run(Supplier<RowIntake.Taken> taken) throws IOException {
        ResumePhase resume = new ResumePhase(nodes, () -> taken.get().rows(), files, plan);
        driver(resume, Driver.Host.NONE).run(links);
        found = resume.result();
        Decision.Decided decided = plan.decision().of(found.facts(), plan.settingsText());
        Settings settings = Settings.of(decided.settings());
        JobRules rules = SparkRules.of(settings, plan.counted());
        NodeRows rows = taken.get().rows();
        // Names come from the recipe, so that rows need not carry them.
        Dataset data = decided.scaled(rows.data()).withNames(plan.names());
        Holdout divided = Holdout.of(settings, NodeRows.all(data, rows.keys()));
        PlanningPhase planning = new PlanningPhase(settings, rules, network, nodes, divided.training());
        job = new TrainingJob(settings, rules, planning, budget.and(this), Optional.empty(), divided.held());
        Driver driver = driver(job, this);
        if (found.state() > 0) {
            files.orElseThrow().read(found.run(), node, found.state(), driver);
            saved = found.state();
        }
        driver.run(links);
        return outcomes(driver, taken.get().stretches(), divided);
    }

    private Driver driver(NodeProgram program, Driver.Host host) {
        return new Driver(program, node, links, NO_DELAYS, host);
    }

    @Override
    public void started(int index, int count, TrainingPlan agreed, DoubleSupplier epochs) {
        requireShortMessages(agreed);
        if (index == 0) {
            start = System.nanoTime();
            if (node == 0) {
                LOGGER.info("method {}", agreed.method().name());
            }
        }
    }

    /**
     * Refuses messages that are too long; all nodes come to the same conclusion, before the method sends its first
     * vector.
     */
    private void requireShortMessages(TrainingPlan agreed) {
        int longest = agreed.method().longestMessage(nodes);
        if (network.size() > 1 && longest > links.longestVector()) {
            throw new InvalidInputException("method " + agreed.method().name() + " would send vectors of " + longest
                    + " entries for " + agreed.shape().features() + " features, but executors send at most "
                    + links.longestVector() + "; use fewer features");
        }
    }

    @Override
    public void certified(Certificate certificate, double epochsLeft) {
        if (node == 0) {
            LOGGER.info(
                    "gap {} after {} passes, objective {}",
                    certificate.relativeGap(),
                    certificate.epochs(),
                    certificate.objective());
        }
    }

    @Override
    public double[] answer(String question) {
        if (!question.equals(StoppingRule.TIME_IS_UP)) {
            return Driver.Host.super.answer(question);
        }
        return new double[] {budget.isSpent() ? 1 : 0};
    }

    @Override
    public void after(Exchange exchange, Driver driver) {
        if (exchange.kind() == Exchange.Kind.ROUND) {
            links.betweenRounds();
        }
        if (files.isPresent() && exchange.isRest()) {
            saveIfDue(driver);
        }
    }

    /**
     * Saves a state if enough passes were made since the last one. All nodes have made the same number of passes, so
     * that states with the same number belong together.
     */
    private void saveIfDue(Driver driver) {
        long due = (long) (job.passes() / plan.checkpointPasses());
        if (due > saved) {
            saved = due;
            try {
                files.orElseThrow().write(found.run(), node, due, driver);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private List<NodeOutcome> outcomes(Driver driver, List<RowStretch> stretches, Holdout divided) {
        double seconds = (System.nanoTime() - start) * 1e-9;
        JobResult result = job.result();
        LinearModel model = result.model("");
        List<PartialEvaluation> heldOut = divided
                .held()
                .map(held -> Holdout.evaluated(model, held.rows().get()))
                .filter(held -> held.rows() > 0)
                .map(held -> PartialEvaluation.of(model, held))
                .stream()
                .toList();
        NodeOutcome spent = new NodeOutcome.Spent(
                node,
                driver.rounds(),
                driver.bytesSent(),
                seconds,
                new ArrayList<>(stretches),
                new ArrayList<>(heldOut),
                divided.held().map(held -> RowKeys.sum(held.rows().get())).orElse(0L));
        if (node > 0) {
            return List.of(spent);
        }
        NodeOutcome trained = new NodeOutcome.Trained(
                ModelText.of(model),
                job.passes(),
                result.updates(),
                result.plan().samples(),
                found.run(),
                attempt,
                found.facts());
        return List.of(spent, trained);
    }
}
