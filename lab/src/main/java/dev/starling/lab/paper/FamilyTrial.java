package dev.starling.lab.paper;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.general.GeneralAdfs;
import dev.starling.lab.general.GeneralProblem;
import dev.starling.lab.general.GroupLasso;
import dev.starling.lab.general.LocalFunctions;
import dev.starling.lab.general.ResourceAllocation;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * S-ADFS on functions that are not losses of rows, over idealised time, beside what theory predicts.
 *
 * @param family which functions
 * @param moments how far the farthest node can be from the optimum, over time
 * @param timePerDigit the predicted time in which the error falls to a tenth
 * @param theta the first node's θ at the end
 * @param central the minimiser as one machine finds it
 * @param reached whether every node is proven to be within the gap
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FamilyTrial(
        Family family, List<Moment> moments, double timePerDigit, double[] theta, double[] central, boolean reached) {

    /** Points of a curve differ by at least this factor in time. */
    private static final double SPACING = 1.02;

    /** A run is cut off at this multiple of the predicted time. */
    private static final double PATIENCE = 20;

    /** The largest proven gap of any node, relative to that of the start. */
    public record Moment(double time, double gap) {}

    /** Worked families of functions. */
    public enum Family {
        /** Customers at every site, whose use of resources is limited. */
        RESOURCE_ALLOCATION("resource-allocation") {
            @Override
            public GeneralProblem problem(int sites, long seed) {
                return ResourceAllocation.sites(sites, 20, 4, seed);
            }
        },
        /** Rows, and a penalty on each block of coefficients. */
        GROUP_LASSO("group-lasso") {
            @Override
            public GeneralProblem problem(int sites, long seed) {
                return GroupLasso.sites(sites, 20, 4, 3, seed);
            }
        },
        /** Rows, and a quadratic of its own at every node. */
        OWN_QUADRATICS("own-quadratics") {
            @Override
            public GeneralProblem problem(int sites, long seed) {
                return GroupLasso.ownQuadratics(sites, 20, 6, seed);
            }
        };

        private final String text;

        Family(String text) {
            this.text = text;
        }

        /** The name, as people type it. */
        public String text() {
            return text;
        }

        /** A problem of the family with random numbers. */
        public abstract GeneralProblem problem(int sites, long seed);

        /** Returns the family of a name. */
        public static Family named(String name) {
            return Arrays.stream(values())
                    .filter(family -> family.text.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new InvalidInputException("'" + name
                            + "' is no family of functions; there are: resource-allocation, group-lasso,"
                            + " own-quadratics"));
        }
    }

    /** Runs until every node is proven to be within a gap, relative to that of θ = 0. */
    public static FamilyTrial measure(Family family, Network network, double delay, double gap, long seed) {
        GeneralProblem problem = family.problem(network.size(), seed);
        Tuning tuning = Tuning.of(network, problem.facts(), delay);
        double perFactor = tuning.computationConstant() + delay * tuning.communicationConstant();
        double start = problem.gapBound(new double[problem.dimension()]);
        double limit = PATIENCE * perFactor * Math.max(1, StrictMath.log(1 / gap));
        double[] gaps = LocalFunctions.filled(network.size(), 1);
        double[] theta = new double[problem.dimension()];
        double[] first = theta.clone();
        boolean[] reached = {false};
        List<Moment> moments = new ArrayList<>(List.of(new Moment(0, 1)));
        StopSignal enough = StopSignal.manual();
        Simulator simulator = new Simulator((node, program, clock, rounds) -> {
            program.estimate(theta);
            gaps[node] = problem.gapBound(theta) / start;
            double largest = Arrays.stream(gaps).max().orElseThrow();
            if (node == 0) {
                System.arraycopy(theta, 0, first, 0, theta.length);
                if (clock >= SPACING * moments.get(moments.size() - 1).time()) {
                    moments.add(new Moment(clock, largest));
                }
            }
            reached[0] |= largest <= gap;
            if (reached[0] || clock > limit) {
                enough.request();
            }
        });
        simulator.run(network, GeneralAdfs.programs(problem, network, delay, seed), Delays.uniform(delay), enough);
        return new FamilyTrial(
                family,
                List.copyOf(moments),
                perFactor * StrictMath.log(10),
                first,
                problem.centralMinimiser(),
                reached[0]);
    }
}
