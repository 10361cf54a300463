# Writes R's own data sets as CSV, and for formulas the coefficients that lm and glm find: formulas.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1]
library(splines)
plain <- data.frame(lapply(esoph, function(x) if (is.factor(x)) as.character(x) else x))
cases <- list(
  list("esoph", plain, cbind(ncases, ncontrols) ~ agegp + tobgp, "binomial"),
  list("cars", mtcars, log(mpg) ~ wt + factor(cyl) + offset(log(hp)), "gaussian"),
  list("cars", mtcars, am ~ 1, "binomial"),
  list("cars", mtcars, sqrt(mpg) ~ ns(wt, df = 3) + poly(hp, 2), "gaussian"),
  list("cars", mtcars, mpg ~ (wt + hp + qsec)^2, "gaussian"),
  list("cars", mtcars, am ~ scale(mpg) + offset(wt), "binomial"),
  list("cars", mtcars, mpg ~ ., "gaussian"),
  list("air", na.omit(airquality), Ozone ~ Solar.R + Wind * Temp + I(Temp^2), "gaussian"))
for (k in seq_along(cases)) {
  case <- cases[[k]]
  text <- deparse1(case[[3]])
  fit <- if (case[[4]] == "gaussian") lm(case[[3]], case[[2]]) else
    glm(case[[3]], binomial, case[[2]], control = list(epsilon = 1e-14, maxit = 100))
  write.csv(case[[2]], file.path(folder, paste0(k, ".csv")), row.names = FALSE)
  writeLines(c(text, case[[4]], paste(names(coef(fit)), format(coef(fit), digits = 17), sep = "\t")),
             file.path(folder, paste0(k, ".txt")))
}
