# Writes R's own data sets as CSV and what model.matrix makes of them: design.R FOLDER
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
  list("warpbreaks", warpbreaks, breaks ~ wool:tension))
for (k in seq_along(cases)) {
  case <- cases[[k]]
  data <- case[[2]]
  matrix <- model.matrix(case[[3]], data)
  matrix <- matrix[, colnames(matrix) != "(Intercept)", drop = FALSE]
  write.csv(data, file.path(folder, paste0(k, ".csv")), row.names = FALSE, quote = TRUE)
  writeLines(c(deparse1(case[[3]]), colnames(matrix)), file.path(folder, paste0(k, ".names")))
  writeLines(apply(matrix, 1, function(row) paste(format(row, digits = 17, trim = TRUE), collapse = " ")),
             file.path(folder, paste0(k, ".matrix")))
  levels <- Filter(is.factor, data)
  writeLines(unlist(lapply(names(levels), function(n) paste(c(n, levels(data[[n]])), collapse = "\t"))),
             file.path(folder, paste0(k, ".levels")))
}
