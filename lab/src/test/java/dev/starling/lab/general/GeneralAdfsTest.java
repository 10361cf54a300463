package dev.starling.lab.general;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Losses;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.support.Rounds;
import dev.starling.support.ScriptedSchedule;
import dev.starling.support.SmallCase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeneralAdfsTest {

    @ParameterizedTest
    @CsvSource({"logistic, 4, 1", "squared, 3, 2", "huber, 5, 3", "squared-hinge, 1, 4"})
    void takesTheStepsOfTheProgramForLinearModels(String loss, int size, long seed) {
        SmallCase problem = SmallCase.random(Losses.named(loss), size, seed);
        Tuning tuning = problem.tuning(0.5);
        List<int[]> blocks = problem.blocks(tuning, 240, seed);
        List<Adfs> linear = problem.programs(tuning, blocks);
        List<GeneralAdfs> general = general(problem, tuning, blocks);
        while (linear.get(0).steps() < blocks.size()) {
            Rounds.exchange(linear);
            Rounds.exchange(general);
            for (int i = 0; i < size; i++) {
                double[] expected = new double[problem.features()];
                double[] found = new double[problem.features()];
                linear.get(i).estimate(expected);
                general.get(i).estimate(found);
                String where = "node " + i + " after step " + linear.get(i).steps();
                assertThat(found).as(where).containsExactly(expected, within(1e-12));
                for (int j = 0; j < problem.nodes().get(i).samples(); j++) {
                    LocalProblem local = problem.nodes().get(i);
                    double[] slope = new double[problem.features()];
                    local.data().addTo(local.row(j), linear.get(i).slope(j), slope);
                    general.get(i).slope(j, found);
                    assertThat(found).as(where + ", sample " + j).containsExactly(slope, within(1e-12));
                }
            }
        }
        assertThat(general.get(0).steps()).isEqualTo(linear.get(0).steps());
    }

    private static List<GeneralAdfs> general(SmallCase problem, Tuning tuning, List<int[]> blocks) {
        List<Conditioning> facts = problem.facts();
        List<GeneralAdfs> programs = new ArrayList<>();
        for (int i = 0; i < facts.size(); i++) {
            int node = i;
            programs.add(new GeneralAdfs(
                    LinearFunctions.of(problem.nodes().get(i)),
                    facts.get(i),
                    problem.network(),
                    i,
                    tuning,
                    roots -> new ScriptedSchedule(blocks, node)));
        }
        return programs;
    }
}
