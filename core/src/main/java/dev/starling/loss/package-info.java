/**
 * Losses ℓ(u; y): Starling's own, by class or by name, and what one of your own has to say.
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
 * model.save(Path.of("model.json"));          // under the name of the loss; nobody needs the class to predict
 * }</pre>
 */
package dev.starling.loss;
