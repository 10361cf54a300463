# Makes the rows and the estimates in this folder: Rscript make.R [FOLDER]
# All values are multiples of 1/64, so that 32-bit floats hold them exactly.
arguments <- commandArgs(trailingOnly = TRUE)
folder <- if (length(arguments) > 0) arguments[1] else "."
set.seed(20261116, kind = "Mersenne-Twister", normal.kind = "Inversion")

grid <- function(x) round(64 * x) / 64

features <- function(rows, columns) {
  x <- matrix(grid(rnorm(rows * columns)), rows, columns)
  x <- sweep(x, 2, 2^(seq_len(columns) %% 3), "*")
  colnames(x) <- paste0("x", seq_len(columns))
  as.data.frame(x)
}

chances <- function(x) 1 / (1 + exp(-(0.5 + 0.8 * x$x1 - 0.3 * x$x2 + 0.2 * x$x3)))

binomial_rows <- function(rows, columns) {
  x <- features(rows, columns)
  cbind(y = as.integer(runif(rows) < chances(x)), x)
}

gaussian_rows <- function(rows, columns) {
  x <- features(rows, columns)
  cbind(y = grid(40 + 2 * x$x1 - x$x2 + rnorm(rows)), x)
}

aliased <- function(data) {
  data$x4 <- 3
  data$x5 <- data$x1
  data$x7 <- data$x2 - data$x3
  data
}

estimates <- character(0)
note <- function(name, family, data, intercept = TRUE, weights = rep(1, nrow(data))) {
  x <- as.matrix(data[, -1])
  if (intercept) x <- cbind("(Intercept)" = 1, x)
  # The usual precision decides which columns are aliased, the highest estimates the others.
  usual <- suppressWarnings(glm(data$y ~ x - 1, family, weights = weights))
  kept <- !is.na(coef(usual))
  fit <- suppressWarnings(glm(data$y ~ x[, kept] - 1, family,
    weights = weights, control = glm.control(epsilon = 1e-15, maxit = 100)))
  estimate <- error <- rep(NA, ncol(x))
  estimate[kept] <- coef(fit)
  error[kept] <- sqrt(diag(vcov(fit)))
  write.csv(data, file.path(folder, paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
  if (any(weights != 1)) writeLines(as.character(weights), file.path(folder, paste0(name, ".weights")))
  for (k in seq_len(ncol(x))) {
    estimates <<- c(estimates, paste(name, colnames(x)[k],
      sprintf("%.17g", estimate[k]), sprintf("%.17g", error[k]), sep = "\t"))
  }
}

note("binomial", binomial, binomial_rows(300, 5))
note("binomial-no-intercept", binomial, binomial_rows(200, 4), intercept = FALSE)
note("binomial-aliased", binomial, aliased(binomial_rows(250, 6)))
note("gaussian", gaussian, gaussian_rows(200, 6))
note("gaussian-weighted", gaussian, gaussian_rows(150, 3), weights = rep(c(0.5, 1, 2.25), 50))
note("gaussian-aliased", gaussian, aliased(gaussian_rows(120, 6)))
writeLines(c("case\tcolumn\testimate\terror", estimates), file.path(folder, "estimates.tsv"))
