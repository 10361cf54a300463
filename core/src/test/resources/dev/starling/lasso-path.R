# Lassos of the rows in rows.csv, label first, for every l1 in the file "l1", by glmnet: the weights of each, a line each.
if (!requireNamespace("glmnet", quietly = TRUE)) quit(status = 0)
folder <- commandArgs(trailingOnly = TRUE)[1]
rows <- unname(as.matrix(read.csv(file.path(folder, "rows.csv"), header = FALSE)))
fit <- glmnet::glmnet(
  rows[, -1], rows[, 1], alpha = 1, lambda = scan(file.path(folder, "l1"), quiet = TRUE), standardize = FALSE,
  thresh = 1e-20, maxit = 1e8)
writeLines(apply(as.matrix(fit$beta), 2, function(b) paste(format(b, digits = 17), collapse = " ")),
           file.path(folder, "coefficients"))
