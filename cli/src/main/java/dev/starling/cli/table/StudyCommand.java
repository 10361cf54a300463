package dev.starling.cli.table;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.ColumnOptions;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.LossOptions;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Ordinal;
import dev.starling.peer.config.WordFile;
import dev.starling.peer.policy.Policy;
import dev.starling.recipe.Column;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.study.Study;
import dev.starling.study.StudyCheck;
import dev.starling.study.StudyOutline;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What sites agree on about their tables before they train together. */
@Command(
        name = "study",
        description = {
            "Proposes, checks and compares studies: what sites agree on before they train.",
            "A study says what the columns of all sites' tables mean, and which objective is minimised."
        },
        synopsisSubcommandLabel = "propose|check|diff",
        subcommands = {StudyCommand.Propose.class, StudyCommand.Check.class, StudyCommand.Diff.class},
        footer = {
            "",
            "Examples:",
            "  starling study propose a.csv --label-column income --missing age=median -o study.yaml",
            "  starling study check study.yaml b.csv",
            "  starling study diff study.yaml theirs.yaml",
            "  starling network new --sites a,b,c --study study.yaml",
            "",
            "Exit codes: 0 it fits, or nothing differs; 2 something does, or cannot be read."
        })
public final class StudyCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Fails, because a subcommand is required. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "propose, check or diff is missing");
    }

    /** How many rows a level must have before it is disclosed to others. */
    private static final class FewestOption {
        @Option(
                names = "--fewest",
                paramLabel = "N",
                description = "Do not disclose levels that fewer than N rows have (default: 10, as in a site's default"
                        + " policy).")
        private int rows = Policy.DEFAULT.fewestPerColumn();
    }

    /** Proposes a study, based on a site's own table. */
    @Command(
            name = "propose",
            description = {
                "Writes a study based on this table, for all sites to review and agree on.",
                "It discloses the names and kinds of the columns, and the levels and classes that enough rows have."
            })
    static final class Propose extends ConsoleCommand {
        @Parameters(index = "0", paramLabel = "FILE", description = "CSV file whose columns have names.")
        private Path file;

        @Under(Section.OUTPUT)
        @Option(
                names = {"-o", "--output"},
                required = true,
                paramLabel = "OUT",
                description = "File for the study: YAML if the name ends in .yaml or .yml, otherwise JSON.")
        private Path out;

        @Mixin
        private DataOptions data;

        @Mixin
        private ColumnOptions columns;

        @Mixin
        private LossOptions objective;

        @Under(Section.OBJECTIVE)
        @Option(
                names = "--no-intercept",
                description = "Train without an intercept (default: with one, unless the formula excludes it).")
        private boolean noIntercept;

        @Under(Section.OBJECTIVE)
        @Option(names = "--standardize", description = "Scale features for training, over the rows of all sites.")
        private boolean standardize;

        @Mixin
        private FewestOption fewest;

        @Override
        public Integer call() {
            columns.check();
            objective.check();
            if (isGiven("--c")) {
                throw new InvalidInputException("--c depends on how many rows all sites have; give --lambda instead");
            }
            Outputs.requireWritable(out, inputs());
            Table table = data.readTable(file);
            RecipeBuilder builder = columns.builder().clustered();
            data.labelColumn().ifPresent(builder::label);
            if (!objective.loss().isClassification()) {
                builder.regression();
            }
            if (objective.loss().comparesRows()) {
                builder.stratified();
            }
            Survey survey = Survey.of(table, builder.missingTokens());
            Recipe learnt = builder.learn(survey, builder.labelColumn(table));
            if (objective.loss() instanceof Ordinal) {
                columns.requireOrder(learnt.target(), table.source());
            }
            Recipe disclosed = learnt.withColumns(learnt.columns().stream()
                    .map(column ->
                            disclosed(column, survey.column(column.name()).levels()))
                    .toList());
            Settings settings = Settings.of(objective.loss())
                    .with(Setting.LAMBDA, objective.lambda())
                    .with(Setting.L1, objective.l1())
                    .with(Setting.INTERCEPT, !noIntercept && learnt.intercept())
                    .with(Setting.SCALING, standardize ? Scaling.STANDARDIZE : Scaling.NONE);
            Study study = Study.proposed(disclosed, survey, settings);
            Outputs.write(() -> WordFile.write(study.toMap(), out));
            StudyCheck.of(study, table, fewest.rows)
                    .differences()
                    .forEach(text -> err().println("does not fit yet: " + text));
            PrintWriter printed = out();
            printed.println(out + "  " + study.recipe().columns().size() + " columns, study " + study.digest());
            return Main.DONE;
        }

        /** Returns the column without levels that few rows have; sites with more such rows can add them to the list. */
        private Column disclosed(Column column, Map<String, Long> rows) {
            List<String> common = enough(column.levels(), rows);
            List<String> rare = enough(column.rare(), rows);
            int left = column.levels().size() + column.rare().size() - common.size() - rare.size();
            if (left == 0 || column.buckets() > 0) {
                return column;
            }
            err().println("column '" + column.name() + "': " + left + (left == 1 ? " level" : " levels")
                    + " with fewer than "
                    + fewest.rows + " rows "
                    + (left == 1 ? "is left out; list it" : "are left out; list them")
                    + ", or add 'unknown: reference' to the column");
            Column rest = Column.of(column.name(), column.kind())
                    .levels(common, rare)
                    .unknownIsReference(column.unknownIsReference())
                    .missing(column.missing());
            return column.reference()
                    .filter(common::contains)
                    .map(rest::reference)
                    .orElse(rest);
        }

        private List<String> enough(List<String> levels, Map<String, Long> rows) {
            return levels.stream()
                    .filter(level -> rows.getOrDefault(level, 0L) >= fewest.rows)
                    .toList();
        }
    }

    /** Says how a table differs from a study. */
    @Command(
            name = "check",
            description = {
                "Lists how a table differs from a study.",
                "Reports columns that are missing or of another kind, levels that are not listed, and missing values"
                        + " that are refused. The list may be shown to other sites."
            })
    static final class Check extends ConsoleCommand {
        @Parameters(index = "0", paramLabel = "STUDY", description = "The study.")
        private Path studyFile;

        @Parameters(index = "1", paramLabel = "FILE", description = "This site's table.")
        private Path file;

        @Mixin
        private DataOptions data;

        @Mixin
        private FewestOption fewest;

        @Override
        public Integer call() {
            Study study = WordFile.readStudy(studyFile);
            StudyCheck check = StudyCheck.of(study, data.readTable(file), fewest.rows);
            PrintWriter out = out();
            check.differences().forEach(out::println);
            if (!check.ignored().isEmpty()) {
                out.println("not used: " + String.join(", ", check.ignored()));
            }
            if (check.fits()) {
                out.println(DataOptions.name(file) + " fits the study " + study.digest() + ": "
                        + check.survey().rows() + " rows");
            }
            requireNone(check.differences(), DataOptions.name(file) + " does not fit " + studyFile);
            return Main.DONE;
        }
    }

    /** Says how two studies differ. */
    @Command(name = "diff", description = "Lists how two studies differ.")
    static final class Diff extends ConsoleCommand {
        @Parameters(index = "0", paramLabel = "STUDY", description = "First study.")
        private Path first;

        @Parameters(index = "1", paramLabel = "OTHER", description = "Second study.")
        private Path second;

        @Override
        public Integer call() {
            Study one = WordFile.readStudy(first);
            Study other = WordFile.readStudy(second);
            List<String> differences = new ArrayList<>(
                    StudyOutline.of(one).differences(StudyOutline.of(other), "in " + first, "in " + second));
            PrintWriter out = out();
            differences.forEach(out::println);
            if (differences.isEmpty()) {
                out.println("the same study, " + one.digest());
            }
            requireNone(differences, first + " and " + second + " are different studies");
            return Main.DONE;
        }
    }

    private static void requireNone(List<String> differences, String what) {
        if (!differences.isEmpty()) {
            throw new InvalidInputException(
                    what + ": " + differences.size() + (differences.size() == 1 ? " difference" : " differences"));
        }
    }
}
