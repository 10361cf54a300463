# The other end of processes.Session for R packages: arguments FILES ROWS FEATURES PACKAGE LAYOUT PROBLEM...
arguments <- commandArgs(trailingOnly = TRUE)
package <- arguments[4]
layout <- arguments[5]
problem <- arguments[-(1:5)]
rows <- as.integer(arguments[2])
features <- as.integer(arguments[3])
suppressPackageStartupMessages(library(package, character.only = TRUE))
suppressPackageStartupMessages(library(Matrix))

read <- function(name, what, count, size) readBin(paste0(arguments[1], ".", name), what, count, size, endian = "little")

seconds <- function(expression) {
  start <- proc.time()[["elapsed"]]
  value <- expression
  list(seconds = proc.time()[["elapsed"]] - start, value = value)
}

load <- function() {
  starts <- read("starts", "integer", features + 1, 4)
  count <- starts[features + 1]
  x <- sparseMatrix(
    i = read("rows", "integer", count, 4), p = starts, x = read("values", "double", count, 8),
    dims = c(rows, features), index1 = FALSE
  )
  y <- read("labels", "double", rows, 8)
  if (package != "glmnet") list(x = as.matrix(x), y = y) else list(x = x, y = factor(y, levels = c(-1, 1)))
}

# Objective and penalty are those of the harness; glmnet writes the penalty as lambda * ((1 - alpha)/2 |w|^2 + alpha |w|_1).
solve_glmnet <- function(data, tolerance) {
  penalties <- sapply(strsplit(problem, ","), as.numeric)
  lambdas <- colSums(penalties)
  alpha <- penalties[2, 1] / lambdas[1]
  wanted <- lambdas
  if (layout == "warm") {
    largest <- max(abs(crossprod(data$x, (data$y == "1") - 0.5))) / rows / alpha
    lambdas <- c(exp(seq(log(max(largest, 2 * wanted)), log(wanted), length.out = 20))[-20], wanted)
  }
  fitted <- seconds(glmnet(
    data$x, data$y,
    family = "binomial", alpha = alpha, lambda = lambdas, standardize = FALSE, intercept = FALSE,
    thresh = tolerance, maxit = 1e8
  ))
  # Values of lambda that it gave up on are missing; the last solution stands in for them, and the measured objective shows it.
  found <- as.matrix(fitted$value$beta)
  columns <- pmin(match(wanted, lambdas), ncol(found))
  list(seconds = fitted$seconds, weights = found[, columns])
}

solve_quantreg <- function(data, tolerance) {
  level <- as.numeric(problem)
  fitted <- seconds(
    switch(layout,
      fn = rq.fit.fnb(data$x, data$y, tau = level, eps = tolerance),
      pfn = rq.fit.pfn(data$x, data$y, tau = level, eps = tolerance),
      br = rq.fit.br(data$x, data$y, tau = level)
    )
  )
  list(seconds = fitted$seconds, weights = fitted$value$coefficients)
}

# It adds an intercept of its own, which takes the place of the constant feature; without one, its weight is left out.
solve_conquer <- function(data, tolerance) {
  constant <- which(apply(data$x, 2, function(column) all(column == column[1])))[1]
  others <- if (is.na(constant)) data$x else data$x[, -constant]
  fitted <- seconds(conquer(others, data$y, tau = as.numeric(problem), h = tolerance * sd(data$y)))
  found <- fitted$value$coeff
  weights <- found[-1]
  if (!is.na(constant)) weights <- append(weights, found[1] / data$x[1, constant], constant - 1)
  list(seconds = fitted$seconds, weights = weights)
}

solve <- switch(package, glmnet = solve_glmnet, quantreg = solve_quantreg, conquer = solve_conquer)
loaded <- seconds(load())
cat(sprintf("loaded %.6f\n", loaded$seconds))
lines <- file("stdin", "r")
while (length(line <- readLines(lines, 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  answer <- suppressWarnings(solve(loaded$value, as.numeric(words[1])))
  writeBin(as.double(answer$weights), words[2], endian = "little")
  cat(sprintf("solved %.6f\n", answer$seconds))
}
