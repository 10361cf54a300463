# Packages that take fits of any kind take these, and come to what they say of glm.
library(starling)

same <- function(a, b, tolerance = 1e-6) {
    found <- all.equal(a, b, tolerance = tolerance, check.attributes = FALSE)
    if (!isTRUE(found)) stop(found)
}
skipped <- function(package) {
    gone <- !requireNamespace(package, quietly = TRUE)
    if (gone) cat("SKIPPED:", package, "is not installed\n")
    gone
}
ours <- starling_glm(breaks ~ wool * tension, warpbreaks, poisson)
theirs <- glm(breaks ~ wool * tension, poisson, warpbreaks, control = list(epsilon = 1e-14))
numbers <- starling_glm(mpg ~ wt + I(2 * wt) + factor(cyl), mtcars)
least <- lm(mpg ~ wt + I(2 * wt) + factor(cyl), mtcars)

if (!skipped("emmeans")) {
    for (type in c("link", "response")) {
        same(as.data.frame(emmeans::emmeans(ours, ~ tension | wool, type = type)),
             as.data.frame(emmeans::emmeans(theirs, ~ tension | wool, type = type)))
    }
    same(as.data.frame(graphics::pairs(emmeans::emmeans(ours, ~ tension | wool))),
         as.data.frame(graphics::pairs(emmeans::emmeans(theirs, ~ tension | wool))))
    # A column that depends on another has no coefficient, and what does not need it can be estimated.
    same(as.data.frame(emmeans::emmeans(numbers, "cyl")), as.data.frame(emmeans::emmeans(least, "cyl")))
}
if (!skipped("car")) {
    hypothesis <- c("woolB = 0", "tensionM = tensionH")
    same(car::linearHypothesis(ours, hypothesis, test = "Chisq")$Chisq, car::linearHypothesis(theirs, hypothesis, test = "Chisq")$Chisq)
    plain <- starling_glm(mpg ~ wt + hp, mtcars)
    same(car::linearHypothesis(plain, "wt = hp", test = "F")$F, car::linearHypothesis(lm(mpg ~ wt + hp, mtcars), "wt = hp")$F)
}
if (!skipped("insight")) {
    same(insight::get_parameters(ours)$Estimate, insight::get_parameters(theirs)$Estimate)
    same(insight::get_varcov(ours), insight::get_varcov(theirs))
    same(insight::get_statistic(ours)$Statistic, insight::get_statistic(theirs)$Statistic)
    stopifnot(identical(insight::find_predictors(ours), insight::find_predictors(theirs)),
              insight::model_info(ours)$is_poisson, insight::get_df(numbers, type = "residual") == 28, is.infinite(insight::get_df(ours, type = "wald")))
}
if (!skipped("parameters")) {
    plain <- starling_glm(mpg ~ wt, mtcars)
    found <- parameters::model_parameters(plain)
    wanted <- parameters::model_parameters(lm(mpg ~ wt, mtcars))
    for (column in c("Coefficient", "SE", "CI_low", "CI_high", "t", "p")) same(found[[column]], wanted[[column]])
    same(parameters::model_parameters(ours)$p, parameters::model_parameters(theirs, ci_method = "wald")$p, 1e-4)
    stopifnot(any(grepl("wt", capture.output(print(found)))))
}
starling_close()
