package dev.starling.cli.show;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.ModelChoice;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.cli.page.HtmlPage;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what a model was asked and what it found: a line for each coefficient. */
@Command(
        name = "show",
        description = {
            "Shows a model: what it was asked, and its coefficients by name.",
            "Beside each coefficient: per standard deviation of its feature, so that features can be compared, and the"
                    + " odds ratio of a logistic model, the rate ratio of a model of counts, or the hazard ratio of one of"
                    + " times.",
            "'starling coefficients' and 'starling summary' are the same."
        },
        footer = {
            "",
            "Examples:",
            "  starling show model.json",
            "  starling show model.json --page model.html",
            "  starling show path.json --lambda 1e-3 --csv > coefficients.csv",
            "",
            "Exit codes: 0 done, 2 bad input."
        })
public final class ShowCommand extends ConsoleCommand {

    @Mixin
    private ModelChoice model;

    @Option(names = "--all", description = "List features with the coefficient 0, too.")
    private boolean all;

    @ArgGroup
    private Form form = new Form();

    @Under(Section.OUTPUT)
    @Option(
            names = "--page",
            paramLabel = "OUT",
            description = "Write a self-contained HTML page with the coefficients as a picture.")
    private Path page;

    /** The form in which the model is printed; text for people if none is chosen. */
    @Under(Section.OUTPUT)
    static final class Form {
        @Option(names = "--json", description = "Print one JSON object.")
        private boolean json;

        @Option(names = "--csv", description = "Print the coefficients as CSV, with all digits.")
        private boolean csv;

        @Option(names = "--markdown", description = "Print tables in Markdown.")
        private boolean markdown;
    }

    @Override
    public Integer call() {
        if (page != null) {
            Outputs.requireWritable(page, inputs());
        }
        LinearModel shown = model.load();
        ModelView view = new ModelView(model.file().toString(), shown, all);
        if (page != null) {
            String text = HtmlPage.filled(ShowCommand.class, "show.html", view::writePage);
            Outputs.write(page, text);
        }
        PrintWriter out = out();
        if (form.json) {
            Json.print(out, view::write);
        } else if (form.csv) {
            view.printCsv(out);
        } else {
            view.print(out, form.markdown);
        }
        return Main.DONE;
    }
}
