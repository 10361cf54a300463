# Models of several sites, from the file that each of them ends with.

sites_glm <- function(call, sites, starling) {
    if (!file.exists(sites)) stop("there is no file ", sites, "; give that of this site, as docs/peers.md describes it", call. = FALSE)
    if (!nzchar(Sys.which(starling)) && !file.exists(starling)) {
        stop("there is no command ", starling, "; give starling = the path of Starling's launcher", call. = FALSE)
    }
    line <- grep("^model:", readLines(sites, warn = FALSE), value = TRUE)
    if (!length(line)) stop(sites, " does not say where to write the model; add the line model: model.json", call. = FALSE)
    file <- gsub("^model: *|[\"']| *(#.*)?$", "", line[[1]])
    if (!grepl("^(/|[A-Za-z]:)", file)) file <- file.path(dirname(sites), file)
    code <- system2(starling, c("peer", shQuote(sites)))
    if (code != 0) stop("starling peer ", sites, " ended with code ", code, "; what it said above says why", call. = FALSE)
    fit <- starling_read(file)
    fit$call <- call
    fit
}

starling_read <- function(file) {
    if (!file.exists(file)) stop("there is no file ", file, call. = FALSE)
    model <- tryCatch(json_value(paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")), error = identity, warning = identity)
    if (!is.list(model) || is.null(model$weights)) {
        stop(file, " is no model file of Starling; give the one that a site, or starling train, has written", call. = FALSE)
    }
    model_glm(model, match.call())
}

loss_family <- function(loss) {
    named <- sub("\\(.*", "", loss)
    link <- sub("^[^(]*\\(?([^)]*).*", "\\1", loss)
    switch(named, squared = stats::gaussian(), logistic = stats::binomial(), poisson = stats::poisson(),
           binomial = stats::binomial(if (nzchar(link)) link else "logit"), "quasi-binomial" = stats::quasibinomial(),
           "quasi-poisson" = stats::quasipoisson(), gamma = stats::Gamma("log"), "inverse-gaussian" = stats::inverse.gaussian("log"),
           stop("a model with the loss ", loss, " is no generalised linear model of R's", call. = FALSE))
}

numbers_of <- function(values) vapply(values, function(value) if (is.na(value)) NaN else as.numeric(value), 0)

# A model file as a fit without rows.
model_glm <- function(model, call) {
    if (length(model$weights) != 1) stop("a model of ", length(model$weights), " scores is no generalised linear model", call. = FALSE)
    family <- loss_family(model$loss)
    training <- model$training
    weights <- model$weights[[1]]
    slopes <- if (is.null(names(weights))) numbers_of(weights) else
        replace(rep(0, model$features), 1 + numbers_of(weights$columns), numbers_of(weights$values))
    slopes[1 + numbers_of(training$aliased)] <- NA
    names <- c("(Intercept)", if (is.null(model$names)) paste0("x", seq_along(slopes)) else unlist(model$names))
    known <- training$inference
    if (is.null(known)) known <- model$inference
    coefficients <- setNames(c(model$intercepts[[1]], slopes), names)
    p <- length(coefficients)
    unscaled <- matrix(NA_real_, p, p, dimnames = list(names, names))
    if (!is.null(known)) {
        whole <- matrix(0, p, p)
        whole[upper.tri(whole, diag = TRUE)] <- numbers_of(known$covariance)
        whole <- whole + t(whole) - diag(diag(whole), p)
        unscaled[] <- whole[c(p, seq_len(p - 1)), c(p, seq_len(p - 1))]
        unscaled[is.na(coefficients), ] <- unscaled[, is.na(coefficients)] <- NA
    }
    rank <- sum(!is.na(coefficients))
    n <- if (is.null(known)) NA_real_ else known$rows
    total <- if (is.null(known)) NA_real_ else known$deviance
    fit <- list(coefficients = coefficients, family = family, deviance = total, rank = rank, df.residual = n - rank, df.null = n - 1,
                null.deviance = if (is.null(known)) NA_real_ else known$nullDeviance, covariance = unscaled,
                certificate = unlist(training[c("objective", "dual", "gap", "epochs")]), gap = training$gap,
                certified = training$certified, hash = model$hash, penalty = as.numeric(training$settings$lambda), call = call,
                formula = if (is.null(model$recipe$formula)) NULL else stats::as.formula(model$recipe$formula),
                has.offset = !is.null(model$recipe$offset))
    fit$dispersion <- if (known_dispersion(fit)) 1 else if (is.null(known)) NA_real_ else known$pearson / (n - rank)
    fit$covariance <- fit$covariance * fit$dispersion
    fit$aic <- if (is.null(known)) NA_real_ else if (known_dispersion(fit)) total - 2 * known$constant + 2 * rank else
        if (family$family == "gaussian") n * (log(2 * pi * total / n) + 1) + 2 + 2 * rank else NA_real_
    structure(fit, class = "starling_glm")
}

# The features of rows by the names that a recipe gives them: a column, or a column and a level.
named_features <- function(names, newdata) {
    vapply(names, function(name) {
        if (name == "(Intercept)") return(rep(1, nrow(newdata)))
        if (name %in% names(newdata)) return(as.numeric(newdata[[name]]))
        column <- sub("=.*", "", name)
        if (!column %in% names(newdata) || grepl("[(:^]", name)) {
            stop("the feature ", name, " cannot be made from the columns of newdata; use starling predict", call. = FALSE)
        }
        as.numeric(as.character(newdata[[column]]) == sub("^[^=]*=", "", name))
    }, numeric(nrow(newdata)))
}
