# Fits glmnet's models to numbers.csv in a folder and writes names, intercepts and coefficients: coming-from.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1]
out <- file.path(folder, "glmnet.txt")
writeLines(character(), out)
if (requireNamespace("glmnet", quietly = TRUE)) {
  d <- read.csv(file.path(folder, "numbers.csv"))
  x <- as.matrix(d[c("a", "b", "c")])
  for (family in c("gaussian", "binomial")) for (alpha in c(1, 0.4, 0)) for (standardize in c(TRUE, FALSE)) {
    y <- if (family == "gaussian") d$number else d$yes
    m <- glmnet::glmnet(x, y, family, alpha = alpha, lambda = 0.1, standardize = standardize, thresh = 1e-20, maxit = 1e7)
    cat(paste0(family, "-", alpha, "-", standardize), format(as.vector(as.matrix(stats::coef(m))), digits = 15), "\n",
        file = out, append = TRUE)
  }
}
