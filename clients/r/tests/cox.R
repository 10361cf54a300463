# starling_cox agrees with coxph.
library(starling)
if (requireNamespace("survival", quietly = TRUE)) {
    library(survival)
    both <- function(formula, data, ...) {
        ours <- eval(substitute(starling_cox(formula, data, ...)))
        theirs <- eval(substitute(coxph(formula, data, ..., control = coxph.control(eps = 1e-14, toler.chol = 1e-15, iter.max = 100))))
        same <- function(a, b, tolerance) {
            found <- all.equal(a, b, tolerance = tolerance, check.attributes = FALSE)
            if (!isTRUE(found)) stop(deparse(formula), ": ", found)
        }
        stopifnot(identical(names(coef(ours)), names(coef(theirs))), ours$coefficient.error < 1e-6)
        same(coef(ours), coef(theirs), 1e-9)
        same(vcov(ours)[!is.na(coef(ours)), !is.na(coef(ours))], vcov(theirs)[!is.na(coef(ours)), !is.na(coef(ours))], 1e-7)
        same(ours$loglik, theirs$loglik, 1e-10)
        same(ours$concordance, theirs$concordance[["concordance"]], 1e-3) # pairs whose scores are nearly tied
        same(AIC(ours), AIC(theirs), 1e-10)
        invisible(ours)
    }
    ours <- both(Surv(time, status) ~ age + sex + ph.karno, lung)
    both(Surv(time, status) ~ age + factor(sex) + strata(inst), lung)
    both(Surv(time, status) ~ trt * celltype + karno, veteran, ties = "breslow")
    both(Surv(start, stop, event) ~ year + age + transplant, heart)
    both(Surv(time, status) ~ rx + age, subset(colon, etype == 1), weights = ifelse(sex == 1, 2, 1))
    both(Surv(time, status) ~ age + I(2 * age), lung)
    stopifnot(all.equal(predict(ours, lung[1:3, ], "risk"), exp(drop(as.matrix(lung[1:3, c("age", "sex", "ph.karno")]) %*% coef(ours)))))
    stopifnot(any(grepl("^Certified: every coefficient", capture.output(print(ours)))))
    refused <- tryCatch(starling_cox(time ~ age, lung), error = conditionMessage)
    stopifnot(grepl("must be Surv", refused))
    refused <- tryCatch(starling_cox(Surv(time, status) ~ 1, lung), error = conditionMessage)
    stopifnot(grepl("has no column to learn from", refused))
    refused <- tryCatch(starling_cox(Surv(time, status) ~ age, subset(lung, age > 200)), error = conditionMessage)
    stopifnot(grepl("there are no rows", refused))
    refused <- tryCatch(starling_cox(Surv(time, status) ~ age + cluster(inst), lung), error = conditionMessage)
    stopifnot(grepl("cluster() is not known here; leave it out", refused, fixed = TRUE))
    if (requireNamespace("generics", quietly = TRUE)) {
        table <- generics::tidy(ours, conf.int = TRUE)
        theirs <- coxph(Surv(time, status) ~ age + sex + ph.karno, lung, control = coxph.control(eps = 1e-14))
        stopifnot(identical(table$term, names(coef(theirs))), all.equal(table$std.error, unname(sqrt(diag(vcov(theirs)))), tolerance = 1e-7),
                  all.equal(table$p.value, unname(coef(summary(theirs))[, "Pr(>|z|)"]), tolerance = 1e-6),
                  all.equal(table$conf.high, unname(confint(theirs)[, 2]), tolerance = 1e-7),
                  all.equal(generics::glance(ours)$AIC, AIC(theirs), tolerance = 1e-10))
    }
    starling_close()
    Sys.setenv(STARLING_JAVA_OPTS = "-Xmx64m")
    large <- data.frame(time = seq_len(4e6), x = rnorm(4e6))
    refused <- tryCatch(starling_cox(Surv(time) ~ x, large), error = conditionMessage)
    stopifnot(grepl("of which the Java process takes at most", refused))
    Sys.unsetenv("STARLING_JAVA_OPTS")
    starling_close()
}
