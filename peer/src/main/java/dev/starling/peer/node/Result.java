package dev.starling.peer.node;

import dev.starling.Fit;
import dev.starling.Preparation;
import dev.starling.internal.Version;
import dev.starling.certificate.Certificate;
import dev.starling.job.Settings;
import dev.starling.method.Solver.Agreement;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.facts.SiteShape;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** A run that has ended, put together from what this site knows: the model that all sites have, and what it took. */
record Result(SiteConfig config, List<SiteShape> shapes, Site.Common common, Agreement agreement, Progress progress) {

    Fit fit() {
        Certificate whole = progress.certificate();
        boolean certified = progress.solved.stream()
                .allMatch(one -> config.training().rule().isMet(one.certificate()));
        Preparation preparation =
                Preparation.of(agreement, config.training().rule().relativeGap());
        return new Fit(
                model(whole, certified),
                whole,
                certified ? Fit.Outcome.CERTIFIED : Fit.Outcome.EPOCH_LIMIT,
                progress.solved.stream().map(Solved::certificate).toList(),
                progress.solved.stream().map(one -> preparation).toList(),
                progress.solved.stream().mapToLong(Solved::updates).sum(),
                progress.rounds,
                progress.bytesSent,
                progress.clock,
                progress.seconds);
    }

    private LinearModel model(Certificate whole, boolean certified) {
        SiteConfig.Training training = config.training();
        int features = common.rawFeatures();
        float bias = (float) training.bias();
        double[][] weights = new double[progress.solved.size()][];
        double[] intercepts = new double[weights.length];
        for (int k = 0; k < weights.length; k++) {
            double[] parameter = progress.solved.get(k).parameter();
            weights[k] = Arrays.copyOf(parameter, features);
            intercepts[k] = bias > 0 ? bias * parameter[features] : 0;
        }
        Settings settings = Settings.of(training.loss())
                .with("method", training.method().lowerCase())
                .with("lambda", String.valueOf(training.lambda()))
                .with("gap", String.valueOf(training.rule().relativeGap()))
                .with("max-epochs", String.valueOf(training.rule().maxEpochs()))
                .with("seed", String.valueOf(training.seed()))
                .with("bias", String.valueOf(bias));
        Provenance provenance = new Provenance(
                Version.current(),
                settings.toMap(),
                agreement.method().lowerCase(),
                config.network().recipe(),
                agreement.pace().delay(),
                whole,
                certified,
                fingerprint());
        return new LinearModel(training.loss().name(), common.labels().classes(), weights, intercepts, provenance);
    }

    /** The SHA-256 of the sites' fingerprints, in order. */
    private String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (SiteShape shape : shapes) {
                digest.update(shape.fingerprint().getBytes(StandardCharsets.US_ASCII));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
