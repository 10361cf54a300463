package dev.starling.model;

import dev.starling.data.keys.Fingerprint;
import dev.starling.internal.JsonTree;
import dev.starling.model.inference.Inference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/**
 * Computes SHA-256 over numbers and strings. Numbers are little-endian; strings are UTF-8, preceded by their length in
 * bytes, so that no two lists of strings have the same encoding.
 */
final class ModelHash {

    /** Distinguishes hashes of models from hashes of other things and from other versions of this one. */
    private static final String HASHED = "starling-model-2";

    private final MessageDigest digest = Fingerprint.sha256();
    private final ByteBuffer buffer = ByteBuffer.allocate(8 * 1024).order(ByteOrder.LITTLE_ENDIAN);

    /** The hash of a model; see {@link LinearModel#hash}. */
    static String of(LinearModel model) {
        ModelHash hash = new ModelHash();
        hash.add(HASHED);
        hash.add(model.loss());
        hash.add(model.classes().size());
        model.classes().forEach(hash::add);
        hash.add(model.names());
        hash.add(model.scores());
        hash.add(model.features());
        hash.addWeights(model);
        for (LinearModel one : model.path()) {
            hash.add(ModelPath.number(one, "lambda"));
            hash.add(ModelPath.number(one, "l1"));
            hash.addWeights(one);
        }
        model.recipe().ifPresent(made -> hash.add(JsonTree.text(made.toMap())));
        model.inference().ifPresent(hash::add);
        return hash.finish();
    }

    private void add(Inference inference) {
        InferenceJson.numbers(inference).forEach((name, number) -> add(number));
        InferenceJson.vectors(inference).forEach((name, vector) -> {
            for (double number : vector) {
                add(number);
            }
        });
        add(inference.kind().text());
    }

    /** The hash of only a model's numbers; see {@link LinearModel#weightsHash}. */
    static String ofWeights(LinearModel model) {
        ModelHash hash = new ModelHash();
        hash.addWeights(model);
        return hash.finish();
    }

    private void addWeights(LinearModel model) {
        for (int k = 0; k < model.scores(); k++) {
            for (double weight : model.weights(k)) {
                add(weight);
            }
            add(model.intercept(k));
        }
    }

    void add(double number) {
        makeRoom(Double.BYTES);
        buffer.putDouble(number);
    }

    void add(int number) {
        makeRoom(Integer.BYTES);
        buffer.putInt(number);
    }

    void add(String string) {
        byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
        add(bytes.length);
        flush();
        digest.update(bytes);
    }

    void add(List<String> strings) {
        add(strings.size());
        strings.forEach(this::add);
    }

    private void makeRoom(int bytes) {
        if (buffer.remaining() < bytes) {
            flush();
        }
    }

    private void flush() {
        digest.update(buffer.flip());
        buffer.clear();
    }

    /** The hash of everything that was added, as 64 hexadecimal digits. */
    String finish() {
        flush();
        return HexFormat.of().formatHex(digest.digest());
    }
}
