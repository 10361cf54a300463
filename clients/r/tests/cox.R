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
    starling_close()
}
