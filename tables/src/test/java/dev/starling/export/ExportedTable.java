package dev.starling.export;

import dev.starling.Trainer;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.runtime.Simulator;
import dev.starling.table.Kind;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;

/** Invented rows with every kind of column and with holes, and models trained on some of them. */
final class ExportedTable {

    static final List<String> NUMBERS = List.of("age", "wage", "day");
    static final List<String> WORDS = List.of("town", "sex", "size", "smoker");

    private static final List<String> TOWNS =
            List.of("Lyon", "Nice", "Paris, 1er", "A \"quoted\" town", "Ürümqi", "Apt");
    private static final List<String> SIZES = List.of("small", "medium", "large");
    private static final List<String> TRUTHS = List.of("yes", "no", "YES", "No");

    private ExportedTable() {}

    /**
     * Rows.
     *
     * @param strangers whether there are towns that training does not meet
     */
    static Table of(int rows, long seed, boolean strangers) {
        SplittableRandom random = new SplittableRandom(seed);
        TableBuilder table = new TableBuilder(
                "rows", List.of("age", "wage", "day", "town", "sex", "size", "smoker", "two", "three", "n"));
        for (int i = 0; i < rows; i++) {
            maybe(table, random, Integer.toString(17 + random.nextInt(70)));
            maybe(table, random, Double.toString(Math.exp(3 * random.nextDouble())));
            table.add(LocalDate.ofEpochDay(random.nextInt(20_000)).toString());
            int town = random.nextInt(40);
            maybe(
                    table,
                    random,
                    strangers && random.nextInt(50) == 0
                            ? "Atlantis"
                            : town < 36 ? TOWNS.get(town % 4) : TOWNS.get(4 + town % 2));
            table.add(random.nextInt(3) == 0 ? "f" : "m");
            maybe(table, random, SIZES.get(random.nextInt(3)));
            maybe(table, random, TRUTHS.get(random.nextInt(4)));
            table.add(random.nextBoolean() ? ">50K" : "<=50K");
            table.add("class " + (char) ('a' + random.nextInt(3)));
            table.add(Double.toString(random.nextDouble()));
        }
        return table.build();
    }

    private static void maybe(TableBuilder table, SplittableRandom random, String cell) {
        if (random.nextInt(20) == 0) {
            table.addMissing();
        } else {
            table.add(cell);
        }
    }

    /** Three rows with an offset, and a model of them. */
    static LinearModel withOffset() {
        TableBuilder builder = new TableBuilder("rows", List.of("y", "x", "o"));
        List.of("u", "1", "0.5", "v", "2", "-0.25", "u", "3", "2").forEach(builder::add);
        Table table = builder.build();
        Recipe recipe = Recipe.builder().label("y").offset("o").learn(table);
        return Trainer.logistic()
                .lambda(0.1)
                .nodes(1)
                .runner(new Simulator())
                .fit(recipe.encode(table).rows())
                .model()
                .with(recipe);
    }

    /** A model for a label, with a formula or, where that is empty, every column by itself. */
    static LinearModel model(String label, String formula, String loss) {
        Table table = of(400, 1, false);
        RecipeBuilder builder = Recipe.builder()
                .label(label)
                .keep(List.of("age", "wage", "day", "town", "sex", "size", "smoker"))
                .missing(Missing.MEDIAN)
                .kind("size", Kind.ORDERED)
                .levels("size", SIZES)
                .rareBelow(30)
                .reference("sex", "m")
                .unknownIsReference(true);
        if (!formula.isEmpty()) {
            builder.formula(label + " ~ " + formula);
        }
        boolean classes = Losses.named(loss).isClassification();
        Recipe recipe = (classes ? builder : builder.regression()).learn(table);
        boolean ordered = loss.equals("ordinal");
        boolean free = recipe.intercept() && (ordered || Losses.named(loss).outputs() == 1);
        return Trainer.of(Losses.named(loss))
                .lambda(ordered ? 0 : 1e-2)
                .standardize(!ordered)
                .intercept(free)
                .bias(recipe.intercept() && !free ? 1 : 0)
                .runner(new Simulator())
                .fit(recipe.encode(table).rows())
                .model()
                .with(recipe);
    }
}
