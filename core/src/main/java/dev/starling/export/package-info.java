/**
 * Models in the languages of others, with all that makes features of raw columns inside.
 *
 * <pre>{@code
 * LinearModel model = LinearModel.load(Path.of("model.json"));
 * Files.write(Path.of("model.onnx"), Onnx.bytes(model));
 * }</pre>
 */
package dev.starling.export;
