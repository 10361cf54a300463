# Paths of elastic nets, quantile regression and support vector machines.

starling_net <- function(x, y, family = c("gaussian", "binomial", "poisson"), alpha = 1, nlambda = 100, lambda = NULL,
                         lambda.min.ratio = if (nrow(x) < ncol(x)) 0.01 else 1e-04, weights = NULL, standardize = TRUE,
                         intercept = TRUE, nfolds = 0, foldid = NULL, gap = 1e-8, nodes = 1, verbose = FALSE) {
    family <- match.arg(family)
    call <- match.call()
    x <- as.matrix(x)
    if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
    levels <- NULL
    if (family == "binomial") {
        y <- as.factor(y)
        levels <- levels(y)
        if (length(levels) != 2) stop("y has ", length(levels), " classes; there must be 2", call. = FALSE)
        y <- as.integer(y) - 1
    }
    if (!is.numeric(y) || length(y) != nrow(x)) stop("y must be a number, or a class, for each of ", nrow(x), " rows", call. = FALSE)
    need_some(nrow(x))
    if (!isTRUE(alpha >= 0 && alpha <= 1)) stop("alpha is ", format_one(alpha), "; it must be between 0 and 1", call. = FALSE)
    if (!is.null(foldid)) nfolds <- length(unique(foldid))
    if (!isTRUE(nfolds == 0 || nfolds > 1 && nfolds <= nrow(x))) {
        stop("there are ", format_one(nfolds), " folds; there must be from 2 to as many as rows, or 0 for none", call. = FALSE)
    }
    weights <- if (is.null(weights)) rep(1, length(y)) else weights
    share <- weights / sum(weights)
    spread <- if (standardize) sqrt(colSums(share * sweep(x, 2, colSums(share * x))^2)) else rep(1, ncol(x))
    spread[spread == 0] <- 1
    scaled <- sweep(x, 2, spread, "/")
    if (is.null(lambda)) {
        middle <- if (intercept) sum(share * y) else switch(family, gaussian = 0, binomial = 0.5, poisson = 1)
        largest <- max(abs(colSums(share * (y - middle) * scaled))) / max(alpha, 1e-3)
        if (!(largest > 0)) stop("no column of x has anything to do with y, so every coefficient is 0; give lambda", call. = FALSE)
        lambda <- exp(seq(log(largest), log(largest * lambda.min.ratio), length.out = nlambda))
    }
    lambda <- sort(lambda, decreasing = TRUE)
    loss <- c(gaussian = "squared", binomial = "binomial", poisson = "poisson")[[family]]
    path <- function(rows) {
        values <- if (alpha < 1) lambda * (1 - alpha) else lambda
        settings <- list(loss = loss, intercept = intercept, gap = gap)
        if (length(values) > 1) {
            settings$`lambda-path` <- paste(format(values, digits = 17, trim = TRUE), collapse = ",")
            settings$`l1-ratios` <- alpha
        } else {
            settings$lambda <- lambda * (1 - alpha)
            settings$l1 <- lambda * alpha
        }
        answer <- train(scaled[rows, , drop = FALSE], y[rows], settings, if (all(weights == 1)) NULL else weights[rows], NULL, nodes, verbose)
        arrays <- answer$arrays
        if (length(values) == 1) {
            arrays <- list(path.weights = arrays$weights, path.intercepts = arrays$intercepts, path.gap = answer$header$certificate$gap,
                           path.lambda = settings$lambda, path.l1 = settings$l1, file = arrays$file)
        }
        order <- order(-(arrays$path.lambda + arrays$path.l1))
        beta <- matrix(arrays$path.weights, nrow = ncol(x))[, order, drop = FALSE] / spread
        rownames(beta) <- colnames(x)
        list(beta = beta, a0 = arrays$path.intercepts[order], gap = arrays$path.gap[order], answer = answer)
    }
    all <- path(seq_along(y))
    result <- c(list(call = call, family = family, levels = levels, alpha = alpha, lambda = lambda, beta = all$beta, a0 = all$a0,
                     path.gap = all$gap, df = colSums(all$beta != 0), nobs = length(y)), certified(all$answer))
    if (nfolds > 0) {
        if (is.null(foldid)) foldid <- rep_len(seq_len(nfolds), length(y))
        result <- c(result, cross_validated(path, x, y, weights, foldid, family, lambda))
    }
    structure(result, class = "starling_net")
}

cross_validated <- function(path, x, y, weights, foldid, family, lambda) {
    folds <- sort(unique(foldid))
    deviance <- function(eta, y) switch(family, gaussian = (y - eta)^2,
                                        binomial = 2 * (log1p(exp(-abs(eta))) + pmax(eta, 0) - y * eta),
                                        poisson = 2 * (ifelse(y > 0, y * log(pmax(y, 1e-300)), 0) - y * eta - y + exp(eta)))
    each <- vapply(folds, function(fold) {
        held <- foldid == fold
        part <- path(which(!held))
        eta <- sweep(x[held, , drop = FALSE] %*% part$beta, 2, part$a0, "+")
        colSums(weights[held] * deviance(eta, y[held])) / sum(weights[held])
    }, lambda)
    each <- matrix(each, nrow = length(lambda))
    share <- vapply(folds, function(fold) sum(weights[foldid == fold]), 0) / sum(weights)
    mean <- drop(each %*% share)
    error <- sqrt(drop((each - mean)^2 %*% share) / (length(folds) - 1))
    best <- which.min(mean)
    list(cvm = mean, cvsd = error, lambda.min = lambda[[best]], lambda.1se = max(lambda[mean <= mean[[best]] + error[[best]]]), foldid = foldid)
}

chosen_lambda <- function(object, s) {
    if (is.null(s)) return(object$lambda)
    if (is.character(s)) {
        if (is.null(object[[s]])) stop("there is no ", s, "; cross-validate with nfolds, or give a number", call. = FALSE)
        s <- object[[s]]
    }
    s
}

coef.starling_net <- function(object, s = NULL, ...) {
    s <- chosen_lambda(object, s)
    places <- match(signif(s, 10), signif(object$lambda, 10))
    if (anyNA(places)) {
        stop("lambda ", s[is.na(places)][[1]], " is not one of the path, and others are not certified; give lambda = to starling_net",
             call. = FALSE)
    }
    result <- rbind(`(Intercept)` = object$a0[places], object$beta[, places, drop = FALSE])
    colnames(result) <- format(object$lambda[places], digits = 4)
    result
}

predict.starling_net <- function(object, newx, s = NULL, type = c("link", "response", "class"), ...) {
    type <- match.arg(type)
    coefficients <- coef(object, s)
    eta <- sweep(as.matrix(newx) %*% coefficients[-1, , drop = FALSE], 2, coefficients[1, ], "+")
    if (type == "class") {
        if (is.null(object$levels)) stop("there are classes in the family binomial only", call. = FALSE)
        return(apply(eta, 2, function(scores) object$levels[1 + (scores > 0)]))
    }
    if (type == "link") eta else switch(object$family, gaussian = eta, binomial = 1 / (1 + exp(-eta)), poisson = exp(eta))
}

print.starling_net <- function(x, ...) {
    cat("\nCall: ", paste(deparse(x$call), collapse = "\n"), "\n\n")
    table <- data.frame(lambda = signif(x$lambda, 4), df = x$df, gap = signif(x$path.gap, 2))
    if (!is.null(x$cvm)) table <- cbind(table, cvm = signif(x$cvm, 4), cvsd = signif(x$cvsd, 3))
    print(table, row.names = FALSE)
    if (!is.null(x$cvm)) cat("lambda.min", signif(x$lambda.min, 4), " lambda.1se", signif(x$lambda.1se, 4), "\n")
    cat(sprintf("Certified: each objective is above the best possible by at most %.2g of its value.\n", max(x$path.gap)))
    invisible(x)
}

plot.starling_net <- function(x, ...) {
    graphics::matplot(log(x$lambda), t(x$beta), type = "l", lty = 1, xlab = "log lambda", ylab = "coefficient", ...)
}

# A fit by formula with a loss that is no family's.
formula_fit <- function(call, kind, response, settings, gap, nodes, verbose, parent) {
    frame <- call[c(1L, match(c("formula", "data", "subset", "weights", "na.action"), names(call), 0L))]
    frame$drop.unused.levels <- TRUE
    frame[[1L]] <- quote(stats::model.frame)
    frame <- eval(frame, parent)
    terms <- attr(frame, "terms")
    x <- model.matrix(terms, frame)
    y <- response(model.response(frame))
    intercept <- attr(terms, "intercept") == 1
    weights <- model.weights(frame)
    total <- if (is.null(weights)) nrow(x) else sum(weights)
    slopes <- if (intercept) x[, -1, drop = FALSE] else x
    answer <- train(slopes, y$codes, c(settings(total, intercept), list(gap = gap)), weights, NULL, nodes, verbose)
    coefficients <- answer$arrays$weights
    if (intercept) coefficients <- c(answer$arrays$intercepts, coefficients)
    names(coefficients) <- colnames(x)
    structure(c(list(call = call, kind = kind, coefficients = coefficients, terms = terms, xlevels = .getXlevels(terms, frame),
                     contrasts = attr(x, "contrasts"), levels = y$levels, nobs = nrow(x)), certified(answer)), class = "starling_fit")
}

starling_quantile <- function(formula, data, tau = 0.5, weights, subset, na.action, gap = 1e-10, nodes = 1, verbose = FALSE) {
    if (!is.numeric(tau) || length(tau) != 1 || tau <= 0 || tau >= 1) stop("tau is ", format_one(tau), "; it must be one number between 0 and 1", call. = FALSE)
    formula_fit(match.call(expand.dots = FALSE), sprintf("quantile %g", tau),
                function(y) list(codes = y),
                # This much of a ridge makes the answer unique.
                function(total, intercept) list(loss = sprintf("quantile(%.17g)", tau), lambda = 1e-10, intercept = intercept),
                gap, nodes, verbose, parent.frame())
}

starling_svm <- function(formula, data, cost = 1, loss = c("squared-hinge", "hinge"), weights, subset, na.action, gap = 1e-10, nodes = 1,
                         verbose = FALSE) {
    loss <- match.arg(loss)
    if (!is.numeric(cost) || length(cost) != 1 || cost <= 0) stop("cost is ", cost, "; it must be positive", call. = FALSE)
    formula_fit(match.call(expand.dots = FALSE), paste(loss, "with cost", cost),
                function(y) {
                    y <- as.factor(y)
                    if (nlevels(y) != 2) stop("the response has ", nlevels(y), " classes; there must be 2", call. = FALSE)
                    list(codes = as.integer(y) - 1, levels = levels(y))
                },
                function(total, intercept) list(loss = loss, lambda = 1 / (cost * total * if (loss == "hinge") 1 else 2), intercept = intercept),
                gap, nodes, verbose, parent.frame())
}

print.starling_fit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
    cat("\nCall:  ", paste(deparse(x$call), collapse = "\n"), "\n\nCoefficients (", x$kind, "):\n", sep = "")
    print.default(format(x$coefficients, digits = digits), print.gap = 2, quote = FALSE)
    print_certificate(x)
    invisible(x)
}

coef.starling_fit <- function(object, ...) object$coefficients

predict.starling_fit <- function(object, newdata, type = c("response", "link"), ...) {
    type <- match.arg(type)
    terms <- delete.response(object$terms)
    frame <- model.frame(terms, newdata, xlev = object$xlevels)
    scores <- drop(model.matrix(terms, frame, contrasts.arg = object$contrasts) %*% object$coefficients)
    if (is.null(object$levels) || type == "link") scores else factor(object$levels[1 + (scores > 0)], object$levels)
}
