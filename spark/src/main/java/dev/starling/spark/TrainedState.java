package dev.starling.spark;

import java.io.Serializable;

/** What training leaves in a model. */
record TrainedState(TrainingParams params, ModelCoefficients coefficients, StarlingSummary summary)
        implements Serializable {}
