# Writes R's own data sets as CSV and the coefficients that glm finds: glm.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1]
plain <- function(f) factor(f, ordered = FALSE)
counts <- transform(esoph, agegp = plain(agegp), alcgp = plain(alcgp), tobgp = plain(tobgp))
patients <- rbind(
  cbind(counts[c("agegp", "alcgp", "tobgp")], n = counts$ncases, ill = 1),
  cbind(counts[c("agegp", "alcgp", "tobgp")], n = counts$ncontrols, ill = 0))
patients <- patients[patients$n > 0, ]
women <- transform(infert, known = (age %% 7) / 4 - 0.75)
looms <- transform(warpbreaks, known = (breaks %% 5) * 1.5)
exact <- glm.control(epsilon = 1e-15, maxit = 100)
cases <- list(
  list("infert", infert, case ~ age + parity + education + spontaneous + induced, binomial(), NULL),
  list("infert", infert, case ~ education * age + I(parity^2), binomial(), NULL),
  list("patients", patients, ill ~ agegp + alcgp + tobgp, binomial(), "n"),
  list("warpbreaks", warpbreaks, breaks ~ wool * tension, gaussian(), NULL),
  list("warpbreaks", warpbreaks, breaks ~ wool + tension - 1, gaussian(), NULL),
  list("women", women, case ~ parity + education + spontaneous, binomial(), NULL, "known"),
  list("looms", looms, breaks ~ wool * tension, gaussian(), NULL, "known"))
for (k in seq_along(cases)) {
  case <- cases[[k]]
  data <- case[[2]]
  data$.w <- if (is.null(case[[5]])) 1 else data[[case[[5]]]]
  known <- if (length(case) < 6) "" else case[[6]]
  data$.o <- if (known == "") 0 else data[[known]]
  fit <- suppressWarnings(
    glm(case[[3]], family = case[[4]], data = data, weights = .w, offset = .o, control = exact))
  data$.w <- data$.o <- NULL
  write.csv(data, file.path(folder, paste0(k, ".csv")), row.names = FALSE)
  factors <- names(Filter(is.factor, data))
  writeLines(c(
    deparse1(case[[3]]),
    case[[4]]$family,
    if (is.null(case[[5]])) "" else case[[5]],
    known,
    paste(vapply(factors, function(n) paste(c(n, levels(data[[n]])), collapse = "\t"), ""), collapse = "\n"),
    "",
    paste(names(coef(fit)), format(coef(fit), digits = 17, trim = TRUE), sep = "\t")),
    file.path(folder, paste0(k, ".txt")))
}
