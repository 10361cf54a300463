/**
 * Exports models to other formats, ONNX and PMML, including how features are made from raw columns.
 *
 * <pre>{@code
 * LinearModel model = LinearModel.load(Path.of("model.json"));
 * Files.write(Path.of("model.onnx"), Onnx.bytes(model));
 * }</pre>
 */
package dev.starling.export;
