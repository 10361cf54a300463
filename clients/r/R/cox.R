# Cox regression.

starling_cox <- function(formula, data, weights, offset, subset, na.action, ties = c("efron", "breslow")) {
    ties <- match.arg(ties)
    call <- match.call()
    frame <- match.call(expand.dots = FALSE)
    frame <- frame[c(1L, match(c("formula", "data", "subset", "weights", "na.action", "offset"), names(frame), 0L))]
    # As functions, those other than strata would return a column like any other.
    special <- c("strata", "cluster", "frailty", "tt")
    frame$formula <- if (missing(data)) terms(formula, special) else terms(formula, special, data = data)
    for (other in special[-1]) {
        if (!is.null(attr(frame$formula, "specials")[[other]])) stop(other, "() is not known here; leave it out, or use survival::coxph", call. = FALSE)
    }
    frame$drop.unused.levels <- TRUE
    frame[[1L]] <- quote(stats::model.frame)
    frame <- eval(frame, parent.frame())
    terms <- attr(frame, "terms")
    y <- model.response(frame)
    if (!inherits(y, "Surv") || !attr(y, "type") %in% c("right", "counting")) {
        stop("the response must be Surv(time, status) or Surv(start, stop, status) of the package survival", call. = FALSE)
    }
    need_some(nrow(frame))
    strata <- attr(terms, "specials")$strata
    stratum <- rep(0L, nrow(frame))
    if (!is.null(strata)) {
        stratum <- as.integer(interaction(frame[strata], drop = TRUE)) - 1L
        # The response is the first variable of the frame, and no term.
        terms <- terms[-match(colnames(frame)[strata], attr(terms, "term.labels"))]
    }
    attr(terms, "intercept") <- 1L
    x <- model.matrix(terms, frame)
    columns <- x[, -1, drop = FALSE]
    if (!ncol(columns)) stop("the formula has no column to learn from; give it at least one", call. = FALSE)
    counting <- attr(y, "type") == "counting"
    child <- child_for(length(columns) + length(y) + 2 * nrow(frame))
    arrays <- list(x = as.double(columns), y = as.double(y[, if (counting) "stop" else "time"]), events = as.integer(y[, "status"]),
                   strata = stratum)
    if (counting) arrays$start <- as.double(y[, "start"])
    arrays$weights <- if (!is.null(model.weights(frame))) as.double(model.weights(frame))
    arrays$offsets <- if (!is.null(model.offset(frame))) as.double(model.offset(frame))
    answer <- child_ask(child, list(op = "cox", features = ncol(columns), names = I(as.list(colnames(columns))), order = "columns",
                                    ties = ties), arrays)
    header <- answer$header
    coefficients <- setNames(answer$arrays$weights, colnames(columns))
    coefficients[is.nan(coefficients)] <- NA
    kept <- !is.na(coefficients)
    covariance <- matrix(NA_real_, length(kept), length(kept), dimnames = list(names(kept), names(kept)))
    covariance[kept, kept] <- answer$arrays$covariance
    structure(list(call = call, formula = formula, terms = terms, xlevels = .getXlevels(terms, frame), contrasts = attr(x, "contrasts"),
                   coefficients = coefficients, covariance = covariance, loglik = c(header$nullLogLik, header$logLik), n = nrow(frame),
                   nevent = header$events, concordance = header$concordance, coefficient.error = header$coefficientError,
                   tests = c(`Likelihood ratio` = header$likelihoodRatio, Wald = header$wald, Score = header$score),
                   hazard = data.frame(stratum = answer$arrays$hazard.stratum + 1L, time = answer$arrays$hazard.time,
                                       cumulative = answer$arrays$hazard.cumulative), na.action = attr(frame, "na.action")),
              class = "starling_cox")
}

coef.starling_cox <- function(object, ...) object$coefficients
vcov.starling_cox <- function(object, ...) object$covariance
nobs.starling_cox <- function(object, ...) object$nevent
formula.starling_cox <- function(x, ...) x$formula

logLik.starling_cox <- function(object, ...) {
    structure(object$loglik[[2]], df = sum(!is.na(object$coefficients)), nobs = object$nevent, class = "logLik")
}

summary.starling_cox <- function(object, ...) {
    errors <- sqrt(diag(object$covariance))
    ratio <- object$coefficients / errors
    object$table <- cbind(coef = object$coefficients, `exp(coef)` = exp(object$coefficients), `se(coef)` = errors, z = ratio,
                          `Pr(>|z|)` = 2 * pnorm(-abs(ratio)))
    structure(object, class = "summary.starling_cox")
}

print.summary.starling_cox <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
    cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n  n=", x$n, ", number of events=", x$nevent, "\n", sep = "")
    if (nzchar(naprint(x$na.action))) cat("  (", naprint(x$na.action), ")\n", sep = "")
    printCoefmat(x$table, digits = digits, P.values = TRUE, has.Pvalue = TRUE, ...)
    cat("\nConcordance=", format(round(x$concordance, 3)), "\n", sep = "")
    df <- sum(!is.na(x$coefficients))
    for (name in names(x$tests)) {
        cat(sprintf("%s test = %.4g on %d df, p=%s\n", name, x$tests[[name]], df,
                    format.pval(pchisq(x$tests[[name]], df, lower.tail = FALSE), digits = digits)))
    }
    cat(sprintf("Certified: every coefficient is within %.2g of its standard errors of the exact one.\n", x$coefficient.error))
    invisible(x)
}

print.starling_cox <- function(x, ...) {
    print(summary(x), ...)
    invisible(x)
}

tidy.starling_cox <- function(x, conf.int = FALSE, conf.level = 0.95, ...) {
    tidy_table(x, summary(x)$table[, -2, drop = FALSE], conf.int, conf.level)
}

glance.starling_cox <- function(x, ...) {
    data.frame(n = x$n, nevent = x$nevent, as.list(x$tests), concordance = x$concordance, logLik = as.numeric(logLik(x)), AIC = AIC(x),
               BIC = BIC(x), coefficient.error = x$coefficient.error)
}

predict.starling_cox <- function(object, newdata, type = c("lp", "risk"), ...) {
    type <- match.arg(type)
    terms <- delete.response(object$terms)
    x <- model.matrix(terms, model.frame(terms, newdata, xlev = object$xlevels), contrasts.arg = object$contrasts)[, -1, drop = FALSE]
    kept <- !is.na(object$coefficients)
    scores <- drop(x[, kept, drop = FALSE] %*% object$coefficients[kept])
    if (type == "risk") exp(scores) else scores
}
