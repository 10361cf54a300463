# starling_glm agrees with glm: coefficients, covariance, deviance, AIC, predictions.
library(starling)
library(splines)

agree <- function(ours, theirs, tolerance = 1e-9) {
    stopifnot(isTRUE(ours$certified))
    same <- function(a, b, tolerance) {
        found <- all.equal(a, b, tolerance = tolerance, check.attributes = FALSE)
        if (!isTRUE(found)) stop(deparse(ours$call)[[1]], ": ", deparse(substitute(a)), " ", found)
    }
    # In standard errors, so that a coefficient that is nearly 0 is not asked for digits that nobody has.
    errors <- sqrt(diag(vcov(theirs)))
    if (!identical(is.na(coef(ours)), is.na(coef(theirs)))) stop(deparse(ours$call)[[1]], ": other coefficients are NA")
    away <- max(abs(coef(ours) - coef(theirs)) / errors, na.rm = TRUE)
    if (!(away < 1e-7)) stop(deparse(ours$call)[[1]], ": coefficients are ", away, " standard errors apart")
    same(coef(ours), coef(theirs), tolerance)
    same(vcov(ours), vcov(theirs), tolerance)
    same(deviance(ours), deviance(theirs), 1e-10)
    same(ours$null.deviance, theirs$null.deviance, 1e-8)
    same(AIC(ours), AIC(theirs), 1e-9)
    same(as.numeric(logLik(ours)), as.numeric(logLik(theirs)), 1e-8)
    stopifnot(nobs(ours) == nobs(theirs), df.residual(ours) == df.residual(theirs))
    same(fitted(ours), fitted(theirs), 1e-7)
    same(residuals(ours), residuals(theirs), 1e-5)
    same(unname(hatvalues(ours)[weights(ours) > 0]), unname(hatvalues(theirs)), 1e-6) # glm's leave out rows of weight 0
    same(coef(summary(ours)), coef(summary(theirs)), 1e-5)
    invisible(TRUE)
}

both <- function(formula, data, family = gaussian, ..., tolerance = 1e-9) {
    theirs <- eval(substitute(glm(formula, family, data, ..., control = list(epsilon = 1e-10, maxit = 100))))
    # glm stops when the deviance does, which is sooner than the coefficients do where the link is not canonical.
    if (!anyNA(coef(theirs))) for (again in 1:20) {
        start <- coef(theirs)
        theirs <- eval(substitute(glm(formula, family, data, ..., start = start, control = list(epsilon = 1e-10, maxit = 100))))
    }
    agree(eval(substitute(starling_glm(formula, data, family, ...))), theirs, tolerance)
}

log_gamma <- Gamma("log")

both(mpg ~ wt * factor(cyl) + hp, mtcars)
both(dist ~ poly(speed, 3), cars)
both(Sepal.Length ~ . , iris)
both(Ozone ~ Solar.R + ns(Temp, 4) + factor(Month), airquality)
both(breaks ~ wool * tension, warpbreaks)
both(breaks ~ wool * tension, warpbreaks, poisson)
both(breaks ~ wool * tension, warpbreaks, quasipoisson)
both(breaks ~ wool * tension, warpbreaks, log_gamma)
both(weight ~ height + I(height^2), women)
both(len ~ supp * log(dose), ToothGrowth)
both(weight ~ group, PlantGrowth, contrasts = list(group = "contr.sum"))
both(weight ~ feed, chickwts)
both(Fertility ~ ., swiss)
both(stack.loss ~ ., stackloss)
both(rating ~ ., attitude)
both(eruptions ~ bs(waiting, df = 5), faithful)
both(count ~ spray, InsectSprays, poisson)
both(mag ~ depth + stations, quakes)
both(sr ~ ., LifeCycleSavings)
both(Volume ~ log(Girth) + log(Height), trees, log_gamma)
both(rate ~ conc + state, Puromycin, subset = conc < 1)
both(uptake ~ Type + Treatment + log(conc), CO2, weights = as.numeric(Plant))
both(case ~ spontaneous + induced + age, infert, binomial)
both(case ~ spontaneous + factor(education), infert, binomial("probit"))
both(case ~ spontaneous + induced, infert, binomial("cloglog"))
both(cbind(ncases, ncontrols) ~ agegp + unclass(tobgp), esoph, binomial)
both(cbind(ncases, ncontrols) ~ agegp, esoph, quasibinomial)
both(am ~ wt, mtcars, binomial)
both(factor(am, labels = c("no", "yes")) ~ hp + qsec, mtcars, binomial)
both(mpg ~ wt + I(2 * wt) + hp, mtcars)
both(mpg ~ 0 + wt + hp, mtcars)
both(mpg ~ 1, mtcars)
both(Claims ~ District + Group + Age + offset(log(Holders)), MASS::Insurance, poisson)
counts <- MASS::glm.nb(Days ~ Eth + Sex + Age + Lrn, MASS::quine, control = glm.control(epsilon = 1e-14, maxit = 100))
ours <- starling_glm(Days ~ Eth + Sex + Age + Lrn, MASS::quine, MASS::negative.binomial(counts$theta))
stopifnot(all.equal(coef(ours), coef(counts), tolerance = 1e-6), all.equal(vcov(ours), vcov(counts), tolerance = 1e-5),
          all.equal(deviance(ours), deviance(counts), tolerance = 1e-8))
both(low ~ age + lwt + factor(race) + smoke, MASS::birthwt, binomial)
weighted <- transform(mtcars, w = c(0, 1, 2, 3))
both(mpg ~ wt + hp, weighted, weights = w)
both(mpg ~ wt + hp, weighted, weights = w, offset = qsec)

# Longley's columns are nearly dependent: eight digits are what glm itself has.
both(Employed ~ ., longley, tolerance = 1e-7)

# Methods beyond those of the table.
ours <- starling_glm(cbind(ncases, ncontrols) ~ agegp + alcgp, esoph, binomial)
theirs <- glm(cbind(ncases, ncontrols) ~ agegp + alcgp, binomial, esoph, control = list(epsilon = 1e-14))
new <- esoph[c(3, 40), ]
for (type in c("link", "response")) {
    a <- predict(ours, new, type, se.fit = TRUE)
    b <- predict(theirs, new, type, se.fit = TRUE)
    stopifnot(all.equal(a$fit, b$fit, tolerance = 1e-8), all.equal(a$se.fit, b$se.fit, tolerance = 1e-6))
}
bounds <- predict(ours, new, "response", interval = "confidence")
stopifnot(all(bounds[, "lwr"] < bounds[, "fit"]), all(bounds[, "upr"] > bounds[, "fit"]), all(bounds > 0 & bounds < 1))
stopifnot(all.equal(confint(ours), confint.default(theirs), tolerance = 1e-6))
table <- anova(ours)
other <- anova(theirs, test = "LRT")
stopifnot(all.equal(table$`Resid. Dev`, other$`Resid. Dev`, tolerance = 1e-8),
          all.equal(table$`Pr(>Chi)`, other$`Pr(>Chi)`, tolerance = 1e-6))
inside <- function() {
    rows <- esoph
    kind <- binomial("probit")
    anova(starling_glm(cbind(ncases, ncontrols) ~ agegp + alcgp, rows, kind))
}
stopifnot(nrow(inside()) == 3)
smaller <- update(ours, . ~ . - alcgp)
stopifnot(all.equal(anova(smaller, ours)$`Pr(>Chi)`[[2]],
                    anova(update(theirs, . ~ . - alcgp), theirs, test = "LRT")$`Pr(>Chi)`[[2]], tolerance = 1e-6))
for (type in c("deviance", "pearson", "working", "response")) {
    stopifnot(all.equal(residuals(ours, type), residuals(theirs, type), tolerance = 1e-6))
}
excluded <- starling_glm(Ozone ~ Wind, airquality, na.action = na.exclude)
stopifnot(length(fitted(excluded)) == nrow(airquality), nobs(excluded) == sum(!is.na(airquality$Ozone)))
printed <- capture.output(print(ours), print(summary(ours)), print(table))
stopifnot(any(grepl("^Certified: the objective is above the best possible by at most", printed)))
pdf(NULL)
plot(ours)

# Robust and clustered errors, and packages that use them.
if (requireNamespace("sandwich", quietly = TRUE)) {
    ours <- starling_glm(breaks ~ wool * tension, warpbreaks, poisson)
    theirs <- glm(breaks ~ wool * tension, poisson, warpbreaks, control = list(epsilon = 1e-14))
    for (type in c("HC0", "HC1", "HC2", "HC3")) {
        stopifnot(all.equal(vcov(ours, type), sandwich::vcovHC(theirs, type), tolerance = 1e-6))
    }
    stopifnot(all.equal(sandwich::sandwich(ours), sandwich::sandwich(theirs), tolerance = 1e-6))
    stopifnot(all.equal(vcov(ours, cluster = ~ tension), sandwich::vcovCL(theirs, ~ tension, type = "HC0"), tolerance = 1e-6))
    gaussian_ours <- starling_glm(mpg ~ wt, mtcars)
    stopifnot(all.equal(vcov(gaussian_ours, "HC3"), sandwich::vcovHC(lm(mpg ~ wt, mtcars), "HC3"), tolerance = 1e-8))
    if (requireNamespace("lmtest", quietly = TRUE)) {
        stopifnot(all.equal(unclass(lmtest::coeftest(ours))[, 1:4], unclass(lmtest::coeftest(theirs))[, 1:4], tolerance = 1e-5))
    }
}
# Terms are dropped and added as those of a glm are.
ours <- starling_glm(case ~ spontaneous + induced + age, infert, binomial)
theirs <- glm(case ~ spontaneous + induced + age, binomial, infert)
stopifnot(all.equal(drop1(ours)$AIC, drop1(theirs)$AIC), all.equal(extractAIC(ours, k = 3), extractAIC(theirs, k = 3)),
          identical(formula(step(ours, trace = 0)), formula(step(theirs, trace = 0))))
if (requireNamespace("clubSandwich", quietly = TRUE)) {
    # Where rows count the same there is one square root; elsewhere clubSandwich takes another.
    ours <- starling_glm(mpg ~ wt + hp, mtcars)
    theirs <- as.matrix(clubSandwich::vcovCR(lm(mpg ~ wt + hp, mtcars), mtcars$cyl, "CR2"))
    stopifnot(all.equal(vcov(ours, "CR2", cluster = ~ cyl), theirs, tolerance = 1e-9, check.attributes = FALSE))
}
# For other families CR2 follows from totals: scores multiplied by the inverse root of 1 minus the cluster's share of the information.
root <- function(m, power) with(eigen(m, symmetric = TRUE), vectors %*% (ifelse(values > 1e-9, values, Inf)^power * t(vectors)))
ours <- starling_glm(case ~ spontaneous + induced, infert, binomial, weights = parity)
x <- model.matrix(ours)
information <- crossprod(x * sqrt(ours$weights))
half <- root(information, 1 / 2)
other <- root(information, -1 / 2)
scores <- sapply(split(seq_len(nrow(x)), infert$stratum), function(rows) {
    own <- x[rows, , drop = FALSE]
    share <- other %*% crossprod(own * sqrt(ours$weights[rows])) %*% other
    half %*% root(diag(3) - share, -1 / 2) %*% other %*% colSums(own * (ours$weights * ours$working.residuals)[rows])
})
stopifnot(all.equal(vcov(ours, "CR2", cluster = ~ stratum), solve(information, tcrossprod(scores)) %*% solve(information),
                    tolerance = 1e-9, check.attributes = FALSE))
if (requireNamespace("generics", quietly = TRUE)) {
    ours <- starling_glm(am ~ wt, mtcars, binomial)
    stopifnot(identical(generics::tidy(ours, conf.int = TRUE)$term, c("(Intercept)", "wt")),
              all.equal(generics::glance(ours)$AIC, AIC(ours)), nrow(generics::augment(ours)) == 32)
}

# A penalty: the ridge whose slopes are 0 where they should be.
ridge <- starling_glm(mpg ~ wt + hp, mtcars, penalty = 0.5)
x <- cbind(1, mtcars$wt, mtcars$hp)
slopes <- crossprod(x, x %*% coef(ridge) - mtcars$mpg) / 32 + 0.5 * c(0, coef(ridge)[-1])
stopifnot(max(abs(slopes)) < 1e-8)
refused <- function(expression, words) {
    said <- tryCatch({ expression; "nothing" }, error = conditionMessage)
    if (!grepl(words, said, fixed = TRUE)) stop("expected '", words, "' but got '", said, "'")
}
refused(vcov(ridge), "no standard errors")
refused(starling_glm(mpg ~ wt, mtcars, Gamma), "there is Gamma with the link log")
refused(starling_glm(mpg ~ wt, mtcars, weights = -wt), "weights must be numbers, 0 or more")
refused(starling_glm(-mpg ~ wt, mtcars, poisson), "negative values")
refused(starling_glm(~ wt, mtcars), "the formula ~wt has no response; put one before the ~")
refused(starling_glm(mpg ~ wt, mtcars, weights = 0 * mpg), "all weights are 0; give some row a positive one")
refused(starling_glm(mpg ~ wt, mtcars, gap = NA), "gap is NA; it must be a positive number")
refused(starling_glm(mpg ~ wt, mtcars, nodes = "two"), "nodes is \"two\"; it must be a positive number")
# As many coefficients as rows leave no standard errors, and no warning.
full <- tryCatch(starling_glm(mpg ~ ., mtcars, subset = 1:5), warning = identity)
stopifnot(full$rank == 5, is.na(full$se.error))
refused(starling_glm(mpg ~ wt, mtcars[0, ]), "there are no rows, or none without missing values")
refused(starling_glm(mpg ~ wt, mtcars, subset = wt > 100), "there are no rows")
refused(starling_glm(cbind(mpg, hp) ~ wt, mtcars), "the response has 2 columns; family gaussian takes one")
refused(starling_glm(mpg ~ hp + log(vs), mtcars), "values of log(vs) are not finite; leave such rows out with subset")
refused(starling_glm(mpg ~ wt, mtcars, penalty = NA), "penalty is NA; it must be a number, 0 or more")
refused(starling_glm(mpg ~ wt, mtcars, penalty = -1), "penalty is -1; it must be a number, 0 or more")
refused(starling_glm(am ~ I(am + 0), mtcars, binomial), "told apart, if only for some rows, by I(am + 0); leave it out, or give penalty a positive value")
starling_close()
