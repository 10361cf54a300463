package dev.starling.bench;

import de.bwaldvogel.liblinear.InvalidInputDataException;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.io.IOException;
import java.nio.file.Path;

/** Runs the Java port of LIBLINEAR with its own file reader: arguments FILE SOLVER C. */
public final class LiblinearJava {

    private static final double NO_BIAS = -1;

    private LiblinearJava() {}

    /** Loads the data and serves requests. */
    public static void main(String[] args) throws IOException, InvalidInputDataException {
        SolverType type = SolverType.getById(Integer.parseInt(args[1]));
        double cost = Double.parseDouble(args[2]);
        Linear.disableDebugOutput();
        long start = System.nanoTime();
        Problem problem = Problem.readFromFile(Path.of(args[0]), NO_BIAS);
        double loadSeconds = SolverProtocol.secondsSince(start);
        SolverProtocol.serve(loadSeconds, tolerance -> solve(problem, type, cost, tolerance), System.out);
    }

    private static double[] solve(Problem problem, SolverType type, double cost, double tolerance) {
        Model model = Linear.train(problem, new Parameter(type, cost, tolerance));
        double[] weights = model.getFeatureWeights();
        if (model.getLabels()[0] < 0) {
            for (int c = 0; c < weights.length; c++) {
                weights[c] = -weights[c];
            }
        }
        return weights;
    }
}
