package dev.starling.cli.show;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.cli.console.NumberFormats;
import dev.starling.internal.JsonObject;
import dev.starling.loss.Link;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.recipe.Column;
import dev.starling.recipe.Formula;
import dev.starling.recipe.Recipe;
import dev.starling.table.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a model was asked to predict, from what, and under which penalty. */
public record Question(LinearModel model) {

    private static final Map<String, String> KINDS = Map.of(
            "logistic", "logistic regression",
            "softmax", "multinomial logistic regression",
            "ordinal", "proportional odds",
            "squared", "linear regression",
            "poisson", "Poisson regression",
            "absolute", "median regression",
            "quantile", "quantile regression",
            "huber", "Huber regression",
            "hinge", "support vector machine",
            "epsilon-insensitive", "support vector regression");

    /** Of this many classes all are named. */
    private static final int MOST_NAMED = 6;

    /** The question in a sentence, such as {@code logistic regression of income: >50K against <=50K}. */
    public String sentence() {
        String loss = model.loss();
        int parameter = loss.indexOf('(');
        String name = parameter < 0 ? loss : loss.substring(0, parameter);
        String kind = KINDS.getOrDefault(name, "linear model with the loss " + name)
                + (parameter < 0 ? "" : " " + loss.substring(parameter));
        return kind + label().map(column -> " of " + column).orElse("") + classes();
    }

    private String classes() {
        List<String> names = model.classes().stream().map(model::spelling).toList();
        if (names.size() < 2) {
            return "";
        }
        return names.size() == 2
                ? ": " + names.get(1) + " against " + names.get(0)
                : ": " + names.size() + " classes"
                        + (names.size() > MOST_NAMED ? "" : " (" + String.join(", ", names) + ")") + ", "
                        + (model.link().equals(Link.CUMULATIVE)
                                ? "in this order"
                                : isJoint() ? "all at once" : "each against the rest");
    }

    /** Whether all classes are told apart at once. */
    boolean isJoint() {
        return model.link().equals(Link.SOFTMAX);
    }

    /** What is predicted, a column or a function of it, if its name is known. */
    Optional<String> label() {
        return Recipe.of(model).map(Recipe::response).filter(column -> !column.isEmpty());
    }

    private Optional<String> setting(String name) {
        return Optional.ofNullable(model.provenance().settings().get(name)).filter(text -> !text.isEmpty());
    }

    private double number(String setting) {
        return setting(setting).map(Double::parseDouble).orElse(Double.NaN);
    }

    /** λ + λ₁, by which the models of a path are ordered. */
    double strength() {
        return number("lambda") + number("l1");
    }

    /** Whether the model has an intercept of any kind. */
    boolean hasIntercept() {
        return model.hasIntercept() || isFree() || number("bias") > 0;
    }

    private boolean isFree() {
        return setting("intercept").filter("true"::equals).isPresent();
    }

    private boolean isStandardized() {
        return setting("scaling").filter(text -> !text.equals("none")).isPresent();
    }

    /** The penalty in words; empty if it is not known, as in files of other programs. */
    Optional<String> penalty() {
        double lambda = number("lambda");
        double l1 = number("l1");
        if (Double.isNaN(lambda)) {
            return Optional.empty();
        }
        String ridge = "lambda " + NumberFormats.shortText(lambda);
        String text = lambda == 0 && !(l1 > 0)
                ? "none"
                : lambda == 0
                        ? "lasso, l1 " + NumberFormats.shortText(l1)
                        : l1 > 0 ? "elastic net, " + ridge + ", l1 " + NumberFormats.shortText(l1) : "ridge, " + ridge;
        return Optional.of(text + (text.equals("none") || !isStandardized() ? "" : ", of standardised features"));
    }

    /** The features that were left out because they depend on others. */
    List<String> leftOut() {
        List<String> names = List.copyOf(model.coefficients(0).keySet());
        return model.provenance().exactness().aliased().stream().map(names::get).toList();
    }

    /** The columns that hold dates. */
    List<String> dates() {
        return Recipe.of(model)
                .map(recipe -> recipe.columns().stream()
                        .filter(column -> column.kind().isDate())
                        .map(Column::name)
                        .toList())
                .orElse(List.of());
    }

    /** For each column of categories, the level that all others are compared with. */
    Map<String, String> references() {
        Map<String, String> references = new LinkedHashMap<>();
        Recipe.of(model)
                .ifPresent(recipe -> recipe.columns().stream()
                        .filter(column ->
                                column.buckets() == 0 && !column.levels().isEmpty())
                        .forEach(column -> {
                            String level = reference(column);
                            // Without an intercept, every level of the first column has a feature.
                            if (!model.names().contains(column.name() + "=" + level)) {
                                references.put(column.name(), level);
                            }
                        }));
        return references;
    }

    private static String reference(Column column) {
        String first = column.levels().get(0);
        return column.kind() == Kind.ORDERED ? first : column.reference().orElse(first);
    }

    /** What it was trained on, and under which penalty, in a line. */
    public String terms() {
        return rows()
                + penalty()
                        .map(text -> "; " + (text.equals("none") ? "no penalty" : text))
                        .orElse("") + "; "
                + (isFree() ? "free intercept" : hasIntercept() ? "penalised intercept" : "no intercept")
                + (isRounded() ? "; values rounded to floats" : "");
    }

    private boolean isRounded() {
        return setting("precision").filter("float"::equals).isPresent();
    }

    private String rows() {
        long rows = model.provenance().rows().count();
        return (rows > 0 ? count(rows, "row") + ", " : "")
                + count(model.features(), "feature")
                + Recipe.of(model)
                        .map(recipe -> " of " + count(recipe.columns().size(), "column"))
                        .orElse("");
    }

    /** Everything about the question, by heading, in the order in which it is best shown. */
    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("trained on", rows());
        Recipe.of(model).ifPresent(recipe -> {
            recipe.formula().ifPresent(formula -> facts.put("formula", Formula.withoutLearnt(formula)));
            recipe.weights().ifPresent(column -> facts.put("weights", "column " + column));
            recipe.offset().ifPresent(column -> facts.put("offset", "column " + column));
        });
        setting("class-weights").ifPresent(weights -> facts.put("classes", "weighted, " + weights));
        penalty().ifPresent(text -> facts.put("penalty", text));
        facts.put("intercept", isFree() ? "free" : hasIntercept() ? "penalised like a feature" : "none");
        if (isRounded()) {
            facts.put("values", "rounded to floats");
        }
        path().ifPresent(text -> facts.put("path", text));
        proof().ifPresent(text -> facts.put("proof", text));
        if (!references().isEmpty()) {
            facts.put(
                    "reference",
                    references().entrySet().stream()
                            .map(one -> one.getKey() + "=" + one.getValue())
                            .collect(Collectors.joining(", ")));
        }
        if (!leftOut().isEmpty()) {
            facts.put("left out", String.join(", ", leftOut()) + ": depends on the others");
        }
        return facts;
    }

    private Optional<String> path() {
        String chosen = model.provenance()
                .validation()
                .map(found -> ", chosen by cross-validation with " + found.folds() + " folds")
                .orElse("");
        return model.path().isEmpty()
                ? Optional.empty()
                : Optional.of("one of " + model.path().size() + " models" + chosen + "; --lambda shows another");
    }

    private Optional<String> proof() {
        Provenance made = model.provenance();
        Certificate certificate = made.certificate();
        if (!Double.isFinite(certificate.relativeGap())) {
            return Optional.empty();
        }
        Exactness exactness = made.exactness();
        String exact = Double.isFinite(exactness.standardErrors())
                ? ", every coefficient exact to " + NumberFormats.shortText(exactness.standardErrors())
                        + " standard errors"
                : "";
        return Optional.of("gap " + NumberFormats.shortText(certificate.relativeGap())
                + (made.certified() ? ", certified" : ", not the one asked for") + exact);
    }

    private static String count(long number, String what) {
        return String.format(Locale.US, "%,d %s%s", number, what, number == 1 ? "" : "s");
    }

    /** Writes the question as members of an object. */
    public void write(JsonObject json) {
        json.with("question", sentence());
        json.with("loss", model.loss());
        json.with("label", label());
        json.with(
                "classes",
                model.classes().stream().map(label -> model.spelling(label)).toList());
        json.with("lambda", number("lambda"));
        json.with("l1", number("l1"));
        json.with("standardized", isStandardized());
        json.with("trainingRows", model.provenance().rows().count());
        json.with("features", model.features());
        json.with("gap", model.provenance().certificate().relativeGap());
        json.with("certified", model.provenance().certified());
        json.with("references", references());
        json.with("leftOut", leftOut());
        json.with("facts", facts());
    }
}
