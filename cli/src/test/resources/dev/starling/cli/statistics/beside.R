# Fits the problems of problems.tsv in a folder and writes estimates and standard errors to fits.tsv, in the order of Starling's table.
suppressMessages({library(MASS); library(survival); library(sandwich); library(lme4)})
folder <- commandArgs(TRUE)[1]
problems <- read.delim(file.path(folder, "problems.tsv"), stringsAsFactors = FALSE)
tight <- glm.control(epsilon = 1e-15, maxit = 500)
warned <- FALSE

lines.of <- function(fit, dispersion = NULL, vcov = NULL) {
    s <- summary(fit, dispersion = dispersion)
    se <- if (is.null(vcov)) sqrt(diag(s$cov.scaled)) else sqrt(diag(vcov))
    estimates <- coef(fit)
    errors <- replace(estimates, !is.na(estimates), se[names(estimates)[!is.na(estimates)]])
    data.frame(estimate = estimates, se = errors)
}
tweedie <- function(q) {
    base <- quasi(link = "log", variance = "mu")
    base$variance <- function(mu) mu^q
    base$dev.resids <- function(y, mu, wt) 2 * wt * (ifelse(y > 0, y^(2 - q), 0) / ((1 - q) * (2 - q)) - y * mu^(1 - q) / (1 - q) + mu^(2 - q) / (2 - q))
    base$family <- "Tweedie"
    base$initialize <- expression({ n <- rep.int(1, nobs); mustart <- y + 0.1 * (y == 0) })
    base
}
fitted.as <- function(kind, f, d) {
    fit <- function(family, ...) glm(f, family = family, data = d, control = tight, ...)
    switch(kind,
        "gaussian" = lines.of(fit(gaussian())),
        "gaussian-weights" = lines.of(glm(f, data = d, weights = w, control = tight)),
        "logit" = , "counts-of-two" = lines.of(fit(binomial())),
        "probit" = lines.of(fit(binomial("probit"))),
        "cloglog" = lines.of(fit(binomial("cloglog"))),
        "poisson" = lines.of(fit(poisson())),
        # The closer R stops, the less it takes for dependent; so the fit begins again where it ended.
        "aliased" = { d$eta <- glm(f, poisson(), d)$linear.predictors; lines.of(glm(f, poisson(), d, etastart = eta)) },
        "quasi-poisson" = lines.of(fit(quasipoisson())),
        "gamma" = lines.of(fit(Gamma("log"))),
        "inverse-gaussian" = lines.of(fit(inverse.gaussian("log"), start = c(log(mean(d$y)), rep(0, 4)))),
        "negative-binomial-given" = lines.of(fit(negative.binomial(2)), dispersion = 1),
        "negative-binomial" = { m <- glm.nb(f, data = d, control = glm.control(epsilon = 1e-14, maxit = 500)); data.frame(estimate = coef(m), se = sqrt(diag(vcov(m)))) },
        "tweedie" = lines.of(fit(tweedie(1.5))),
        "multinomial" = {
            m <- VGAM::vglm(update(f, factor(y) ~ .), VGAM::multinomial(refLevel = 1), d, epsilon = 1e-14, maxit = 100)
            by <- order(as.integer(sub(".*:", "", names(VGAM::coef(m)))))
            data.frame(estimate = VGAM::coef(m), se = sqrt(diag(VGAM::vcov(m))))[by, ]
        },
        "ordinal" = {
            m <- ordinal::clm(update(f, factor(y) ~ .), data = d, control = ordinal::clm.control(gradTol = 1e-12, maxIter = 200))
            beta <- seq_along(m$beta) + length(m$alpha)
            by <- c(beta, seq_along(m$alpha))
            data.frame(estimate = coef(m), se = sqrt(diag(vcov(m))))[by, ]
        },
        "firth" = { m <- glm(f, binomial(), d, method = brglm2::brglmFit, type = "AS_mean", control = list(epsilon = 1e-12, maxit = 1000)); data.frame(estimate = coef(m), se = sqrt(diag(vcov(m)))) },
        "cox-efron" = , "cox-late" = { m <- coxph(f, d, ties = "efron", control = coxph.control(eps = 1e-14, iter.max = 100)); data.frame(estimate = coef(m), se = sqrt(diag(vcov(m)))) },
        "cox-breslow" = { m <- coxph(f, d, ties = "breslow", control = coxph.control(eps = 1e-14, iter.max = 100)); data.frame(estimate = coef(m), se = sqrt(diag(vcov(m)))) },
        "mixed-gaussian" = { m <- lmer(f, d, control = lmerControl(optCtrl = list(xtol_abs = 1e-12, ftol_abs = 1e-14))); data.frame(estimate = fixef(m), se = sqrt(diag(as.matrix(vcov(m))))) },
        "mixed-poisson" = { m <- glmer(f, d, family = poisson(), nAGQ = 25); data.frame(estimate = fixef(m), se = sqrt(diag(as.matrix(vcov(m))))) },
        "HC0" = { m <- fit(poisson()); lines.of(m, vcov = vcovHC(m, "HC0")) },
        "HC3" = { m <- fit(Gamma("log")); lines.of(m, vcov = vcovHC(m, "HC3")) },
        "clusters" = { m <- fit(poisson()); lines.of(m, vcov = vcovCL(m, cluster = d$c, type = "HC1")) },
        "geepack" = {
            e <- d[order(d$c), ]
            m <- geepack::geeglm(f, family = poisson(), data = e, id = factor(c), corstr = "independence", control = geepack::geese.control(epsilon = 1e-14, maxit = 200))
            clusters <- length(unique(e$c)); n <- nrow(e)
            data.frame(estimate = coef(m), se = sqrt(diag(vcov(m)) * clusters / (clusters - 1) * (n - 1) / (n - length(coef(m)))))
        },
        "separated" = { m <- fit(binomial()); lines.of(m) })
}
out <- file(file.path(folder, "fits.tsv"), "w")
for (i in seq_len(nrow(problems))) {
    p <- problems[i, ]
    d <- read.csv(file.path(folder, paste0(p$id, ".csv")))
    warned <- FALSE
    result <- tryCatch(
        withCallingHandlers(fitted.as(p$kind, as.formula(p$formula), d), warning = function(w) {
            if (grepl("numerically 0 or 1|did not converge|coefficient may be infinite|converged before", conditionMessage(w))) warned <<- TRUE
            invokeRestart("muffleWarning")
        }, message = function(m) invokeRestart("muffleMessage")),
        error = function(e) conditionMessage(e))
    if (is.character(result)) {
        writeLines(paste(p$id, "failed", gsub("[\t\n]", " ", result), "", sep = "\t"), out)
    } else if (p$kind == "separated") {
        writeLines(paste(p$id, if (warned) "warned" else "silent", "", "", sep = "\t"), out)
    } else {
        writeLines(paste(p$id, format(result$estimate, digits = 17, trim = TRUE), format(result$se, digits = 17, trim = TRUE), if (warned) "warned" else "", sep = "\t"), out)
    }
}
close(out)
