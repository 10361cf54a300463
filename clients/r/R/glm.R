# Generalised linear models.

# The loss that stands for a family of R's.
family_loss <- function(family) {
    link <- family$link
    named <- sub("\\(.*", "", family$family)
    refuse <- function(link) {
        stop("family ", family$family, " with the link ", family$link, "; there is ", named, " with the link ", link, call. = FALSE)
    }
    needs <- function(wanted, loss) if (link == wanted) loss else refuse(wanted)
    switch(named,
           gaussian = needs("identity", "squared"),
           binomial = if (link == "logit") "binomial" else if (link %in% c("probit", "cloglog")) paste0("binomial(", link, ")") else
               refuse("logit, probit or cloglog"),
           quasibinomial = needs("logit", "quasi-binomial"),
           poisson = needs("log", "poisson"),
           quasipoisson = needs("log", "quasi-poisson"),
           Gamma = needs("log", "gamma"),
           inverse.gaussian = needs("log", "inverse-gaussian"),
           "Negative Binomial" = needs("log", paste0("negative-binomial", sub("^[^(]*", "", family$family))),
           stop("family ", family$family, " is not one of gaussian, binomial, poisson, Gamma, inverse.gaussian, quasibinomial,",
                " quasipoisson and MASS::negative.binomial", call. = FALSE))
}

need_some <- function(rows) {
    if (rows == 0) stop("there are no rows, or none without missing values; give data, or a subset, with some", call. = FALSE)
}

# What was given, in a message.
format_one <- function(value) paste(deparse(value), collapse = " ")

starling_glm <- function(formula, data, family = gaussian, weights, offset, subset, na.action, contrasts = NULL, penalty = 0,
                         gap = 1e-10, nodes = 1, verbose = FALSE, sites = NULL, starling = "starling") {
    if (!is.null(sites)) return(sites_glm(match.call(), sites, starling))
    if (is.character(family)) family <- get(family, mode = "function", envir = parent.frame())
    if (is.function(family)) family <- family()
    loss <- family_loss(family)
    call <- match.call()
    frame <- match.call(expand.dots = FALSE)
    frame <- frame[c(1L, match(c("formula", "data", "subset", "weights", "na.action", "offset"), names(frame), 0L))]
    frame$drop.unused.levels <- TRUE
    frame[[1L]] <- quote(stats::model.frame)
    frame <- eval(frame, parent.frame())
    terms <- attr(frame, "terms")
    x <- model.matrix(terms, frame, contrasts)
    y <- model.response(frame, "any")
    if (length(dim(y)) == 1L) y <- setNames(c(y), rownames(y))
    if (is.null(y)) stop("the formula ", format_one(formula), " has no response; put one before the ~", call. = FALSE)
    n <- NROW(y)
    need_some(n)
    if (NCOL(y) > 1 && !family$family %in% c("binomial", "quasibinomial")) {
        stop("the response has ", NCOL(y), " columns; family ", family$family, " takes one", call. = FALSE)
    }
    if (!all(is.finite(x))) {
        stop("values of ", colnames(x)[colSums(!is.finite(x)) > 0][[1L]], " are not finite; leave such rows out with subset", call. = FALSE)
    }
    if (!is.numeric(penalty) || length(penalty) != 1 || !isTRUE(penalty >= 0)) {
        stop("penalty is ", format_one(penalty), "; it must be a number, 0 or more", call. = FALSE)
    }
    weights <- model.weights(frame)
    if (!is.null(weights) && (!is.numeric(weights) || any(weights < 0))) {
        stop("weights must be numbers, 0 or more", call. = FALSE)
    }
    if (!is.null(weights) && all(weights == 0)) stop("all weights are 0; give some row a positive one", call. = FALSE)
    offset <- model.offset(frame)
    fit <- glm_fit(x, y, if (is.null(weights)) rep(1, n) else weights, if (is.null(offset)) rep(0, n) else offset,
                   family, loss, penalty, gap, nodes, verbose, attr(terms, "intercept") == 1)
    structure(c(fit, list(call = call, formula = stats::formula(terms), terms = terms, data = if (missing(data)) NULL else data,
                          model = frame, contrasts = attr(x, "contrasts"), xlevels = .getXlevels(terms, frame),
                          na.action = attr(frame, "na.action"), has.offset = !is.null(offset), penalty = penalty)),
              class = "starling_glm")
}

# y, weights and n as the family has them: shares of successes for two columns, a factor or TRUE and FALSE.
family_response <- function(y, weights, family) {
    nobs <- NROW(y)
    n <- rep(1, nobs)
    etastart <- start <- mustart <- NULL
    eval(family$initialize)
    list(y = y, weights = weights, n = n)
}

glm_fit <- function(x, y, weights, offset, family, loss, penalty, gap, nodes, verbose, intercept) {
    response <- family_response(y, weights, family)
    y <- response$y
    weights <- response$weights
    used <- weights > 0
    # Columns that depend on earlier ones are left out, as glm does it.
    decomposed <- qr(x[used, , drop = FALSE], tol = 1e-11)
    kept <- sort(decomposed$pivot[seq_len(decomposed$rank)])
    if (penalty > 0) kept <- seq_len(ncol(x))
    slopes <- if (intercept) setdiff(kept, 1L) else kept
    coefficients <- setNames(rep(NA_real_, ncol(x)), colnames(x))
    if (!length(kept)) stop("the formula has no terms; give it at least an intercept", call. = FALSE)
    settings <- list(loss = loss, lambda = penalty, intercept = intercept, gap = gap,
                     `standard-errors` = if (penalty == 0) "model" else "none")
    given <- function(values, default) if (all(values == default)) NULL else values[used]
    # An intercept alone goes with a column of zeros, which is left out like any column that depends on others.
    columns <- if (length(slopes)) x[used, slopes, drop = FALSE] else matrix(0, sum(used), 1)
    # What Java calls lambda is the penalty here.
    answer <- tryCatch(train(columns, y[used], settings, given(weights, 1), given(offset, 0), nodes, verbose), error = function(e)
        stop(sub("give lambda", "give penalty", conditionMessage(e), fixed = TRUE), call. = FALSE))
    coefficients[slopes] <- answer$arrays$weights[seq_along(slopes)]
    if (intercept) coefficients[[1L]] <- answer$arrays$intercepts
    eta <- drop(x[, kept, drop = FALSE] %*% coefficients[kept]) + offset
    mu <- family$linkinv(eta)
    slope <- family$mu.eta(eta)
    working <- weights * slope^2 / family$variance(mu)
    rank <- length(kept)
    total <- sum(family$dev.resids(y, mu, weights))
    names(mu) <- names(eta) <- rownames(x)
    null <- if (!intercept) family$linkinv(offset) else if (all(offset == 0)) rep(weighted.mean(y, weights), length(y)) else
        glm.fit(rep(1, length(y)), y, weights, offset = offset, family = family, intercept = TRUE)$fitted.values
    c(list(coefficients = coefficients, fitted.values = mu, linear.predictors = eta, y = y, prior.weights = weights,
           weights = working, working.residuals = (y - mu) / slope, family = family, deviance = total, rank = rank,
           null.deviance = sum(family$dev.resids(y, null, weights)), aic = family$aic(y, response$n, mu, weights, total) + 2 * rank,
           df.residual = sum(used) - rank, df.null = sum(used) - as.integer(intercept), offset = offset),
      inference_of(answer, coefficients, slopes, intercept), certified(answer))
}

# The covariance of coefficients as Java has found it, and what is proven about standard errors.
inference_of <- function(answer, coefficients, slopes, intercept) {
    if (is.null(answer$arrays$covariance)) return(list(dispersion = NA_real_))
    size <- sqrt(length(answer$arrays$covariance))
    found <- matrix(answer$arrays$covariance, size)
    errors <- answer$arrays$standardErrorErrors / answer$arrays$standardErrors
    # Features come first, then the intercept; an intercept alone came with a column of zeros.
    order <- c(if (intercept) size, seq_along(slopes))
    places <- c(if (intercept) 1L, slopes)
    covariance <- matrix(NA_real_, length(coefficients), length(coefficients), dimnames = list(names(coefficients), names(coefficients)))
    covariance[places, places] <- found[order, order]
    known <- errors[order][!is.na(errors[order])]
    list(covariance = covariance, dispersion = answer$header$inference$dispersion, se.error = if (length(known)) max(known) else NA_real_)
}

# Whether rows are here, so that methods that look at them can be used.
need_rows <- function(object, what) {
    if (is.null(object$model)) {
        stop(what, " needs the rows of all sites, which stay where they are; the model, its coefficients and their",
             " covariance are here", call. = FALSE)
    }
}

known_dispersion <- function(object) {
    object$family$family %in% c("binomial", "poisson") || startsWith(object$family$family, "Negative Binomial")
}

print_certificate <- function(object) {
    if (isTRUE(object$certified)) cat(sprintf("Certified: the objective is above the best possible by at most %.2g of its value.\n", object$gap)) else
        if (identical(object$certified, FALSE)) cat(sprintf("Not certified as asked for: the gap is %.2g.\n", object$gap))
}

print.starling_glm <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
    cat("\nCall:  ", paste(deparse(x$call), collapse = "\n"), "\n\nCoefficients:\n", sep = "")
    print.default(format(x$coefficients, digits = digits), print.gap = 2, quote = FALSE)
    cat("\nDegrees of Freedom:", x$df.null, "Total (i.e. Null); ", x$df.residual, "Residual\n")
    if (nzchar(naprint(x$na.action))) cat("  (", naprint(x$na.action), ")\n", sep = "")
    cat("Null Deviance:     ", format(signif(x$null.deviance, digits)), "\nResidual Deviance:", format(signif(x$deviance, digits)),
        "\tAIC:", format(signif(x$aic, digits)), "\n")
    print_certificate(x)
    invisible(x)
}

vcov.starling_glm <- function(object, type = c("const", "HC0", "HC1", "HC2", "HC3", "CR2"), cluster = NULL, complete = TRUE, ...) {
    type <- match.arg(type)
    if (object$penalty > 0) stop("a penalised model has no standard errors; they need penalty = 0", call. = FALSE)
    result <- if (type == "const" && is.null(cluster)) object$covariance else robust_covariance(object, type, cluster)
    kept <- !is.na(object$coefficients)
    if (complete) result else result[kept, kept, drop = FALSE]
}

# Trains again, for a robust covariance at the same coefficients.
robust_covariance <- function(object, type, cluster) {
    need_rows(object, "a robust covariance")
    used <- object$prior.weights > 0
    if (!is.null(cluster)) {
        if (inherits(cluster, "formula")) cluster <- cluster_of(object, cluster)
        if (length(cluster) != length(used)) stop("cluster has ", length(cluster), " values for ", length(used), " rows", call. = FALSE)
        if (!type %in% c("const", "HC0", "HC1", "CR2")) stop("type ", type, " is not for clusters; use HC0, HC1 or CR2", call. = FALSE)
        cluster <- as.integer(factor(cluster))[used]
    } else if (type == "CR2") {
        stop("type CR2 needs a cluster", call. = FALSE)
    }
    intercept <- attr(object$terms, "intercept") == 1
    kept <- which(!is.na(object$coefficients))
    slopes <- if (intercept) setdiff(kept, 1L) else kept
    columns <- if (length(slopes)) model.matrix(object)[used, slopes, drop = FALSE] else matrix(0, sum(used), 1)
    kind <- if (is.null(cluster) || type == "CR2") type else "CR1"
    settings <- list(loss = family_loss(object$family), lambda = 0, intercept = intercept, gap = max(object$gap, 1e-12),
                     `standard-errors` = kind)
    answer <- train(columns, object$y[used], settings, object$prior.weights[used], object$offset[used], clusters = cluster)
    n <- sum(used)
    inference_of(answer, object$coefficients, slopes, intercept)$covariance *
        (if (kind == "CR1" && type != "HC1") (n - object$rank) / (n - 1) else 1)
}

# The values of a one-sided formula for the rows that were used.
cluster_of <- function(object, formula) {
    frame <- model.frame(formula, object$data, na.action = NULL)
    values <- interaction(frame, drop = TRUE)
    values[match(rownames(object$model), rownames(frame))]
}

estfun.starling_glm <- function(x, ...) {
    need_rows(x, "estfun()")
    kept <- !is.na(x$coefficients)
    model.matrix(x)[, kept, drop = FALSE] * (x$working.residuals * x$weights) / x$dispersion
}

bread.starling_glm <- function(x, ...) {
    kept <- !is.na(x$coefficients)
    x$covariance[kept, kept, drop = FALSE] * length(x$y)
}

hatvalues.starling_glm <- function(model, ...) {
    need_rows(model, "hatvalues()")
    kept <- !is.na(model$coefficients)
    x <- model.matrix(model)[, kept, drop = FALSE]
    rowSums((x %*% model$covariance[kept, kept, drop = FALSE]) * x) * model$weights / model$dispersion
}

summary.starling_glm <- function(object, type = "const", cluster = NULL, ...) {
    known <- known_dispersion(object)
    errors <- sqrt(diag(vcov(object, type = type, cluster = cluster)))
    kept <- !is.na(object$coefficients)
    estimate <- object$coefficients[kept]
    ratio <- estimate / errors[kept]
    p <- if (known) 2 * pnorm(-abs(ratio)) else 2 * pt(-abs(ratio), object$df.residual)
    table <- cbind(Estimate = estimate, `Std. Error` = errors[kept], ratio, p)
    colnames(table)[3:4] <- if (known) c("z value", "Pr(>|z|)") else c("t value", "Pr(>|t|)")
    structure(c(object[c("call", "family", "deviance", "null.deviance", "df.residual", "df.null", "aic", "gap", "certified",
                         "na.action")],
                list(coefficients = table, dispersion = object$dispersion, aliased = !kept, known = known, errors = type,
                     se.error = if (type == "const" && is.null(cluster)) object$se.error)),
              class = "summary.starling_glm")
}

print.summary.starling_glm <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
    cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
    if (any(x$aliased)) cat("Coefficients: (", sum(x$aliased), " not defined because of singularities)\n", sep = "") else
        cat("Coefficients:\n")
    printCoefmat(x$coefficients, digits = digits, na.print = "NA", ...)
    if (x$errors != "const") cat("Standard errors:", x$errors, "\n")
    cat("\n(Dispersion parameter for ", x$family$family, " family taken to be ", format(x$dispersion, digits = digits), ")\n\n",
        "    Null deviance: ", format(signif(x$null.deviance, max(5L, digits + 1L))), "  on ", x$df.null, "  degrees of freedom\n",
        "Residual deviance: ", format(signif(x$deviance, max(5L, digits + 1L))), "  on ", x$df.residual, "  degrees of freedom\n", sep = "")
    if (nzchar(naprint(x$na.action))) cat("  (", naprint(x$na.action), ")\n", sep = "")
    cat("AIC: ", format(x$aic, digits = max(4L, digits + 1L)), "\n\n", sep = "")
    print_certificate(x)
    if (!is.null(x$se.error) && is.finite(x$se.error)) {
        cat(sprintf("Standard errors are within %.2g of their values.\n", x$se.error))
    }
    invisible(x)
}

coef.starling_glm <- function(object, complete = TRUE, ...) {
    if (complete) object$coefficients else object$coefficients[!is.na(object$coefficients)]
}

confint.starling_glm <- function(object, parm, level = 0.95, ...) {
    estimate <- coef(object)
    if (missing(parm)) parm <- names(estimate)
    if (is.numeric(parm)) parm <- names(estimate)[parm]
    tails <- c((1 - level) / 2, 1 - (1 - level) / 2)
    quantiles <- if (known_dispersion(object)) qnorm(tails) else qt(tails, object$df.residual)
    errors <- sqrt(diag(vcov(object, ...)))
    matrix(estimate[parm] + outer(errors[parm], quantiles), ncol = 2,
           dimnames = list(parm, paste(format(100 * tails, trim = TRUE, digits = 3), "%")))
}

predict.starling_glm <- function(object, newdata = NULL, type = c("link", "response"), se.fit = FALSE,
                                 interval = c("none", "confidence"), level = 0.95, na.action = stats::na.pass, ...) {
    type <- match.arg(type)
    interval <- match.arg(interval)
    kept <- !is.na(object$coefficients)
    if (is.null(newdata)) {
        need_rows(object, "predict() without newdata")
        x <- model.matrix(object)
        eta <- object$linear.predictors
    } else if (is.null(object$model)) {
        x <- matrix(named_features(names(object$coefficients), newdata), nrow(newdata))
        eta <- drop(x[, kept, drop = FALSE] %*% object$coefficients[kept])
        if (object$has.offset) stop("the sites' model has an offset; use starling predict", call. = FALSE)
    } else {
        terms <- delete.response(object$terms)
        frame <- model.frame(terms, newdata, na.action = na.action, xlev = object$xlevels)
        x <- model.matrix(terms, frame, contrasts.arg = object$contrasts)
        offset <- model.offset(frame)
        more <- object$call$offset
        if (!is.null(more)) offset <- (if (is.null(offset)) 0 else offset) + eval(more, newdata, environment(object$formula))
        eta <- drop(x[, kept, drop = FALSE] %*% object$coefficients[kept]) + (if (is.null(offset)) 0 else offset)
    }
    if (!se.fit && interval == "none") {
        result <- if (type == "response") object$family$linkinv(eta) else eta
        return(if (is.null(newdata)) napredict(object$na.action, result) else result)
    }
    x <- x[, kept, drop = FALSE]
    errors <- sqrt(rowSums((x %*% vcov(object, complete = FALSE, ...)) * x))
    if (interval == "confidence") {
        half <- (if (known_dispersion(object)) qnorm(1 - (1 - level) / 2) else qt(1 - (1 - level) / 2, object$df.residual)) * errors
        bounds <- cbind(fit = eta, lwr = eta - half, upr = eta + half)
        return(if (type == "response") object$family$linkinv(bounds) else bounds)
    }
    if (type == "response") {
        errors <- errors * abs(object$family$mu.eta(eta))
        eta <- object$family$linkinv(eta)
    }
    list(fit = eta, se.fit = errors, residual.scale = sqrt(object$dispersion))
}

residuals.starling_glm <- function(object, type = c("deviance", "pearson", "working", "response"), ...) {
    need_rows(object, "residuals()")
    y <- object$y
    mu <- object$fitted.values
    weights <- object$prior.weights
    result <- switch(match.arg(type),
                     deviance = sign(y - mu) * sqrt(pmax(object$family$dev.resids(y, mu, weights), 0)),
                     pearson = (y - mu) * sqrt(weights / object$family$variance(mu)),
                     working = object$working.residuals, response = y - mu)
    naresid(object$na.action, setNames(result, names(mu)))
}

fitted.starling_glm <- function(object, ...) {
    need_rows(object, "fitted()")
    napredict(object$na.action, object$fitted.values)
}

logLik.starling_glm <- function(object, ...) {
    p <- object$rank + as.integer(object$family$family %in% c("gaussian", "Gamma", "inverse.gaussian"))
    structure(p - object$aic / 2, df = p, nobs = nobs(object), class = "logLik")
}

# For step(), drop1() and add1().
extractAIC.starling_glm <- function(fit, scale = 0, k = 2, ...) c(fit$rank, fit$aic + (k - 2) * fit$rank)

deviance.starling_glm <- function(object, ...) object$deviance
nobs.starling_glm <- function(object, ...) object$df.residual + object$rank
df.residual.starling_glm <- function(object, ...) object$df.residual
formula.starling_glm <- function(x, ...) x$formula
terms.starling_glm <- function(x, ...) if (is.null(x$terms)) terms(x$formula) else x$terms
family.starling_glm <- function(object, ...) object$family

update.starling_glm <- function(object, ...) {
    need_rows(object, "update()")
    NextMethod()
}

weights.starling_glm <- function(object, type = c("prior", "working"), ...) {
    need_rows(object, "weights()")
    if (match.arg(type) == "prior") object$prior.weights else object$weights
}

model.frame.starling_glm <- function(formula, ...) {
    need_rows(formula, "model.frame()")
    formula$model
}

model.matrix.starling_glm <- function(object, ...) {
    need_rows(object, "model.matrix()")
    model.matrix(object$terms, object$model, contrasts.arg = object$contrasts)
}

anova.starling_glm <- function(object, ..., test = c("LRT", "F", "none")) {
    test <- match.arg(test)
    models <- list(object, ...)
    if (length(models) == 1) {
        need_rows(object, "anova() of one model")
        labels <- attr(object$terms, "term.labels")
        # Where the formula was written, what it was given is known.
        smaller <- lapply(seq_along(labels), function(k)
            eval(update(object, paste("~ . -", paste(labels[k:length(labels)], collapse = " - ")), evaluate = FALSE),
                 environment(object$formula)))
        models <- c(smaller, list(object))
        rows <- c("NULL", labels)
    } else {
        if (!all(vapply(models, inherits, TRUE, "starling_glm"))) stop("anova() compares models of starling_glm", call. = FALSE)
        rows <- as.character(seq_along(models))
    }
    left <- vapply(models, df.residual, 0)
    deviances <- vapply(models, deviance, 0)
    table <- data.frame(`Resid. Df` = left, `Resid. Dev` = deviances, Df = c(NA, -diff(left)), Deviance = c(NA, -diff(deviances)),
                        check.names = FALSE, row.names = rows)
    largest <- models[[which.min(left)]]
    dispersion <- largest$dispersion
    if (test == "LRT") {
        table$`Pr(>Chi)` <- pchisq(table$Deviance / dispersion * sign(table$Df), abs(table$Df), lower.tail = FALSE)
    } else if (test == "F") {
        table$F <- table$Deviance / table$Df / dispersion
        table$`Pr(>F)` <- pf(table$F, abs(table$Df), df.residual(largest), lower.tail = FALSE)
    }
    title <- vapply(models, function(model) paste(deparse(formula(model)), collapse = " "), "")
    structure(table, heading = c("Analysis of Deviance\n", paste0(paste0("Model ", rows, ": ", title), collapse = "\n")),
              class = c("anova", "data.frame"))
}

plot.starling_glm <- function(x, ...) {
    need_rows(x, "plot()")
    plot(x$linear.predictors, residuals(x), xlab = "linear predictor", ylab = "deviance residual", ...)
    abline(h = 0, lty = 3)
}

tidy.starling_glm <- function(x, conf.int = FALSE, conf.level = 0.95, ...) {
    tidy_table(x, summary(x, ...)$coefficients, conf.int, conf.level)
}

# A table of estimates, standard errors, statistics and p-values as a data frame.
tidy_table <- function(x, table, conf.int, conf.level) {
    result <- data.frame(term = rownames(table), estimate = table[, 1], std.error = table[, 2], statistic = table[, 3],
                         p.value = table[, 4], row.names = NULL)
    if (conf.int) {
        bounds <- confint(x, level = conf.level)[result$term, , drop = FALSE]
        result$conf.low <- bounds[, 1]
        result$conf.high <- bounds[, 2]
    }
    result
}

glance.starling_glm <- function(x, ...) {
    data.frame(null.deviance = x$null.deviance, df.null = x$df.null, logLik = as.numeric(logLik(x)), AIC = AIC(x), BIC = BIC(x),
               deviance = x$deviance, df.residual = x$df.residual, nobs = nobs(x), gap = x$gap)
}

augment.starling_glm <- function(x, ...) {
    frame <- model.frame(x)
    frame$.fitted <- x$linear.predictors
    frame$.resid <- residuals(x)[rownames(frame)]
    frame$.hat <- hatvalues(x)
    frame
}
