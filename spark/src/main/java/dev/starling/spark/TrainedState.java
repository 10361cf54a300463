package dev.starling.spark;

import dev.starling.evaluation.Measures;
import java.io.Serializable;

/**
 * The state that training leaves in a model.
 *
 * @param judgement how well it predicts rows that were held out; null if there were none, or if it was read from a file
 */
record TrainedState(TrainingParams params, ModelCoefficients coefficients, StarlingSummary summary, Measures judgement)
        implements Serializable {}
