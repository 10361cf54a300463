# Makes real.tsv, R's estimates for datasets in LIBSVM format: Rscript real.R DATA [FOLDER]
arguments <- commandArgs(trailingOnly = TRUE)
data_folder <- arguments[1]
folder <- if (length(arguments) > 1) arguments[2] else "."

read_libsvm <- function(name) {
  file <- gzfile(file.path(data_folder, paste0(name, ".gz")))
  words <- strsplit(trimws(readLines(file)), "[ \t]+")
  close(file)
  y <- as.numeric(vapply(words, `[`, "", 1))
  pairs <- lapply(words, function(w) do.call(rbind, strsplit(w[-1], ":", fixed = TRUE)))
  x <- matrix(0, length(y), max(vapply(pairs, function(p) max(as.integer(p[, 1])), 1)))
  for (i in seq_along(y)) x[i, as.integer(pairs[[i]][, 1])] <- as.numeric(pairs[[i]][, 2])
  list(y = y, x = x)
}

estimates <- character(0)
note <- function(name, family) {
  data <- read_libsvm(name)
  y <- if (family()$family == "binomial") as.numeric(data$y == max(data$y)) else data$y
  x <- cbind(1, data$x)
  kept <- !is.na(coef(suppressWarnings(glm(y ~ x - 1, family))))
  fit <- glm(y ~ x[, kept] - 1, family, control = glm.control(epsilon = 1e-15, maxit = 100))
  estimate <- error <- rep(NA, ncol(x))
  estimate[kept] <- coef(fit)
  error[kept] <- sqrt(diag(vcov(fit)))
  columns <- c("(Intercept)", seq_len(ncol(x) - 1))
  estimates <<- c(estimates, paste(name, columns,
    sprintf("%.17g", estimate), sprintf("%.17g", error), sep = "\t"))
}

note("heart_scale", binomial)
note("splice", binomial)
note("space_ga", gaussian)
note("abalone", gaussian)
note("cpusmall", gaussian)
writeLines(c("case\tcolumn\testimate\terror", estimates), file.path(folder, "real.tsv"))
