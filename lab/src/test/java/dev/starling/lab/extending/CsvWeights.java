package dev.starling.lab.extending;

import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.model.ModelFormat;
import dev.starling.model.Provenance;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A model as one line, for a spreadsheet: the loss, the intercept, then a weight per feature. Regression only. */
final class CsvWeights implements ModelFormat {

    @Override
    public String name() {
        return "csv-weights";
    }

    @Override
    public List<String> extensions() {
        return List.of(".csv");
    }

    @Override
    public boolean isStartOf(String start) {
        return start.startsWith("weights,");
    }

    @Override
    public void write(LinearModel model, OutputStream out) throws IOException {
        if (model.isClassifier()) {
            throw new InvalidInputException("csv-weights holds regression models only; save as json");
        }
        StringBuilder line = new StringBuilder("weights,").append(model.loss());
        line.append(',').append(model.intercept(0));
        for (double weight : model.weights(0)) {
            line.append(',').append(weight);
        }
        out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public LinearModel read(InputStream in, String name) throws IOException {
        String[] cells =
                new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().split(",");
        double[] weights = new double[cells.length - 3];
        for (int c = 0; c < weights.length; c++) {
            weights[c] = Double.parseDouble(cells[c + 3]);
        }
        double[] intercepts = {Double.parseDouble(cells[2])};
        return new LinearModel(
                cells[1], List.of(), List.of(), new double[][] {weights}, intercepts, Provenance.UNKNOWN);
    }
}
