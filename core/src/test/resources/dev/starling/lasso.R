# The lasso with l1 0.02 of the rows in rows.csv, label first, by glmnet: the intercept and the weights, a line each.
if (!requireNamespace("glmnet", quietly = TRUE)) quit(status = 0)
folder <- commandArgs(trailingOnly = TRUE)[1]
rows <- unname(as.matrix(read.csv(file.path(folder, "rows.csv"), header = FALSE)))
classes <- length(unique(rows[, 1])) == 2
fit <- glmnet::glmnet(
  rows[, -1], if (classes) factor(rows[, 1]) else rows[, 1], family = if (classes) "binomial" else "gaussian",
  alpha = 1, lambda = 0.02 * 2^(8:0), standardize = FALSE, thresh = 1e-15, maxit = 1e7)
writeLines(format(as.numeric(coef(fit)[, 9]), digits = 17), file.path(folder, "coefficients"))
