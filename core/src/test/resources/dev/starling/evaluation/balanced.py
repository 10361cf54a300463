# Fits a logistic regression with balanced classes, one class against the rest where there are several: reads labels and
# features, prints the coefficients, the intercept last.
import sys
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.utils.class_weight import compute_sample_weight

table = np.loadtxt(sys.argv[1])
y, x = table[:, 0], table[:, 1:]
weights = compute_sample_weight("balanced", y)
classes = np.unique(y)
for positive in classes[1:] if len(classes) == 2 else classes:
    model = LogisticRegression(C=0.5, solver="newton-cg", tol=1e-12, max_iter=1000)
    if len(classes) == 2:
        model.set_params(class_weight="balanced").fit(x, y)
    else:
        model.fit(x, y == positive, sample_weight=weights)
    print(*(repr(float(v)) for v in list(model.coef_[0]) + [model.intercept_[0]]))
