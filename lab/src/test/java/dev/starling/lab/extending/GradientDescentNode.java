package dev.starling.lab.extending;

import dev.starling.certificate.Certificate;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.node.Collectives;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.util.Optional;

/** A node: a phase per pass, each a sum over all nodes, after which every node takes the same step. */
final class GradientDescentNode extends Sequence<Solution> implements MethodNode {

    private final GradientDescent.TunedDescent tuned;
    private final LocalProblem problem;
    private final StoppingRule rule;
    private final CertificateListener listener;
    private final Collectives nodes;
    private final double[] theta;
    private boolean last;
    private int passes;

    GradientDescentNode(GradientDescent.TunedDescent tuned, Assignment assignment, Optional<double[]> start) {
        super(new State.Owner(
                assignment.place().node(),
                tuned.features(),
                assignment.problem().samples()));
        this.tuned = tuned;
        this.problem = assignment.problem();
        this.rule = assignment.rule();
        this.listener = assignment.listener();
        this.nodes = assignment.place();
        this.theta = start.map(double[]::clone).orElseGet(() -> new double[tuned.features()]);
    }

    @Override
    protected Step<?> begin() {
        SumRequest what = SumRequest.atPoint(
                SumKind.GRADIENT, nodes.problem(), 1, theta.clone(), problem.samples(), theta.length + 1);
        return next("pass " + passes, nodes.sum(what, this::gradientAndLoss), this::stepped);
    }

    private double[] gradientAndLoss() {
        double[] sums = new double[theta.length + 1];
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            double margin = problem.data().dot(row, theta);
            double weight = problem.weight(j);
            problem.data().addTo(row, weight * problem.loss().derivative(margin, problem.label(j)), sums);
            sums[theta.length] += weight * problem.loss().value(margin, problem.label(j));
        }
        return sums;
    }

    /** The gap of mean loss + (λ/2)‖θ‖² is at most ‖gradient‖²/(2λ). */
    private Step<?> stepped(double[] sums) {
        passes++;
        double weight = tuned.all().weight();
        double lambda = tuned.all().sigma() / weight;
        double squares = 0;
        double norm = 0;
        double[] gradient = new double[theta.length];
        for (int c = 0; c < theta.length; c++) {
            gradient[c] = sums[c] / weight + lambda * theta[c];
            squares += gradient[c] * gradient[c];
            norm += theta[c] * theta[c];
        }
        double objective = sums[theta.length] / weight + lambda * norm / 2;
        Certificate proof = new Certificate(objective, objective - squares / (2 * lambda), passes, passes);
        boolean end = last || rule.isMet(proof) || passes >= rule.maxEpochs();
        listener.onCertificate(proof, end ? 0 : passes + 1);
        if (end) {
            return done(new Solution(proof, theta.clone()));
        }
        for (int c = 0; c < theta.length; c++) {
            theta[c] -= gradient[c] / (tuned.curvature() / weight + lambda);
        }
        return begin();
    }

    @Override
    public void certifyNow() {
        last = true;
        replace(begin());
    }

    @Override
    public void estimate(double[] estimate) {
        System.arraycopy(theta, 0, estimate, 0, theta.length);
    }

    @Override
    public long updates() {
        return (long) passes * problem.samples();
    }

    @Override
    public double passes() {
        return passes;
    }
}
