package dev.starling.lab.baseline;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Labels;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Problem;
import java.nio.file.Path;
import java.util.List;

/**
 * Prints how long each method takes to an error, by hand: {@code BaselineTable file nodes lambda error seconds
 * [names]}.
 */
final class BaselineTable {

    private BaselineTable() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) {
        Dataset raw = DatasetReader.standard().read(Path.of(args[0]));
        Dataset data = Labels.classification(raw).binary(raw);
        double lambda = Double.parseDouble(args[2]);
        int nodes = Integer.parseInt(args[1]);
        double goal = Double.parseDouble(args[3]);
        double seconds = Double.parseDouble(args[4]);
        double optimum = Double.parseDouble(args[5]);
        Problem problem = Problem.deal(data, new Logistic(), lambda, nodes);
        Network network = Topology.named("grid").build(nodes, 1);
        for (int k = 6; k < args.length; k++) {
            Algorithm algorithm = Baselines.named(args[k]);
            long start = System.nanoTime();
            Trial trial = new Trial(algorithm, problem, network, 5, optimum);
            double prepared = (System.nanoTime() - start) * 1e-9;
            boolean cheap = args[k].matches("dsba|gt-saga|dvr.*");
            List<Trial.Point> curve = trial.run(goal, Long.MAX_VALUE, cheap ? 500 : 10, seconds);
            Trial.Point last = curve.get(curve.size() - 1);
            System.out.printf(
                    "%-14s prepare %.2fs  run %.1fs  time %.4g  rounds %d  error %.3g%n",
                    args[k], prepared, last.seconds(), last.time(), last.round(), last.error());
        }
    }
}
