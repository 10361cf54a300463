# Writes R's own data sets as CSV and what model.matrix makes of them: design.R FOLDER
# For formulas whose constants come from the rows, also what it makes of other numbers with the same constants.
library(splines)
folder <- commandArgs(trailingOnly = TRUE)[1]
esoph$agegp <- factor(esoph$agegp, ordered = FALSE)
esoph$alcgp <- factor(esoph$alcgp, ordered = FALSE)
esoph$tobgp <- factor(esoph$tobgp, ordered = FALSE)
cases <- list(
  list("infert", infert, case ~ age + parity + education + spontaneous + induced),
  list("infert", infert, case ~ education * age + log(age) + I(parity^2)),
  list("infert", infert, case ~ age + age:education + sqrt(parity)),
  list("esoph", esoph, ncases ~ agegp + alcgp + tobgp),
  list("esoph", esoph, ncases ~ agegp + agegp:alcgp),
  list("warpbreaks", warpbreaks, breaks ~ wool * tension),
  list("warpbreaks", warpbreaks, breaks ~ wool + tension - 1),
  list("warpbreaks", warpbreaks, breaks ~ wool:tension),
  list("infert", infert, case ~ (age + parity + education)^2),
  list("infert", infert, case ~ factor(parity) + age),
  list("infert", infert, case ~ factor(spontaneous) * education - 1),
  list("cars", cars, dist ~ poly(speed, 3)),
  list("cars", cars, dist ~ poly(speed, 2, raw = TRUE)),
  list("infert", infert, case ~ poly(age, 2) * education),
  list("cars", cars, dist ~ scale(speed)),
  list("cars", cars, dist ~ scale(speed, center = 10, scale = 3)),
  list("cars", cars, dist ~ scale(speed, center = FALSE)),
  list("cars", cars, dist ~ scale(speed, scale = FALSE)),
  list("cars", cars, dist ~ cut(speed, 4)),
  list("cars", cars, dist ~ cut(speed, c(0, 10, 17.5, 30))),
  list("cars", cars, dist ~ cut(speed, c(4, 10, 17.5, Inf), right = FALSE)),
  list("cars", cars, dist ~ cut(speed, c(4, 10, 25), include.lowest = TRUE) - 1),
  list("infert", infert, case ~ cut(age, 3):education),
  list("cars", cars, dist ~ ns(speed, df = 4)),
  list("cars", cars, dist ~ ns(speed, 2)),
  list("cars", cars, dist ~ ns(speed, knots = c(10, 15), Boundary.knots = c(5, 20))),
  list("cars", cars, dist ~ ns(speed, df = 4, intercept = TRUE) - 1),
  list("cars", cars, dist ~ bs(speed, df = 5)),
  list("cars", cars, dist ~ bs(speed, df = 4, degree = 2)),
  list("cars", cars, dist ~ bs(speed, knots = c(10, 15))),
  list("infert", infert, case ~ ns(age, df = 3):education + bs(parity, 4)))
for (k in seq_along(cases)) {
  case <- cases[[k]]
  data <- case[[2]]
  matrix <- model.matrix(case[[3]], data)
  matrix <- matrix[, colnames(matrix) != "(Intercept)", drop = FALSE]
  write.csv(data, file.path(folder, paste0(k, ".csv")), row.names = FALSE, quote = TRUE)
  writeLines(c(deparse1(case[[3]]), colnames(matrix)), file.path(folder, paste0(k, ".names")))
  writeLines(apply(matrix, 1, function(row) paste(format(row, digits = 17, trim = TRUE), collapse = " ")),
             file.path(folder, paste0(k, ".matrix")))
  if (identical(data, cars) && !grepl("cut", deparse1(case[[3]]))) {
    other <- data.frame(speed = c(1, 3.5, 4, 7.25, 15, 24.9, 25, 31), dist = 0)
    fit <- suppressWarnings(lm(case[[3]], data))
    matrix <- suppressWarnings(model.matrix(delete.response(terms(fit)), other))
    matrix <- matrix[, colnames(matrix) != "(Intercept)", drop = FALSE]
    write.csv(other, file.path(folder, paste0(k, ".other.csv")), row.names = FALSE)
    writeLines(apply(matrix, 1, function(row) paste(format(row, digits = 17, trim = TRUE), collapse = " ")),
               file.path(folder, paste0(k, ".other.matrix")))
  }
  levels <- Filter(is.factor, data)
  writeLines(as.character(unlist(lapply(names(levels), function(n) paste(c(n, levels(data[[n]])), collapse = "\t")))),
             file.path(folder, paste0(k, ".levels")))
}
