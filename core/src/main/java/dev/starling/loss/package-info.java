/**
 * Losses ℓ(u; y): Starling's own, by class or by name, and the interface for writing your own.
 *
 * <pre>{@code
 * Loss huber = Losses.named("huber(0.5)");
 *
 * record LogCosh() implements Loss {
 *     public String name() { return "log-cosh"; }
 *     public double value(double u, double y) { return StrictMath.log(StrictMath.cosh(u - y)); }
 *     public double derivative(double u, double y) { return StrictMath.tanh(u - y); }
 *     public double smoothness() { return 1; }
 *     public double smallestSlope(double y) { return -1; }
 *     public double largestSlope(double y) { return 1; }
 *     public boolean isClassification() { return false; }
 * }
 * LinearModel model = Trainer.of(new LogCosh()).fit(rows).model();
 * model.save(Path.of("model.json"));          // stores the name of the loss; predicting does not need the class
 * }</pre>
 *
 * <p>It has more types than most packages, because each loss is one.
 */
package dev.starling.loss;
