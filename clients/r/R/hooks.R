# What lmtest, emmeans and insight, on which parameters and its relatives are built, want to know of a fit.

# By the normal distribution, as lmtest does it for a glm.
coeftest.starling_glm <- function(x, vcov. = NULL, df = Inf, ...) NextMethod("coeftest", vcov. = vcov., df = df)

recover_data.starling_glm <- function(object, data = object$data, ...) {
    need_rows(object, "emmeans")
    emmeans::recover_data(object$call, delete.response(object$terms), object$na.action, data = data, ...)
}

emm_basis.starling_glm <- function(object, trms, xlev, grid, ...) {
    frame <- model.frame(trms, grid, na.action = stats::na.pass, xlev = xlev)
    kept <- !is.na(object$coefficients)
    # Combinations of coefficients that the rows say nothing about.
    free <- if (all(kept)) matrix(NA) else {
        space <- qr(t(model.matrix(object)), tol = 1e-11)
        qr.Q(space, complete = TRUE)[, -seq_len(space$rank), drop = FALSE]
    }
    list(X = model.matrix(trms, frame, contrasts.arg = object$contrasts), bhat = as.numeric(object$coefficients), nbasis = free,
         V = vcov(object, complete = FALSE, ...), dffun = function(k, dfargs) dfargs$df,
         dfargs = list(df = if (known_dispersion(object)) Inf else object$df.residual),
         misc = emmeans::.std.link.labels(object$family, list()))
}

get_statistic.starling_glm <- function(x, ...) {
    table <- summary(x)$coefficients
    structure(data.frame(Parameter = rownames(table), Statistic = table[, 3], row.names = NULL),
              statistic = if (known_dispersion(x)) "z-statistic" else "t-statistic")
}

get_df.starling_glm <- function(x, type = "residual", ...) {
    if (type == "model") length(coef(x, complete = FALSE)) else if (type == "residual" || !known_dispersion(x)) x$df.residual else Inf
}

find_formula.starling_glm <- function(x, ...) {
    structure(list(conditional = x$formula), class = c("insight_formula", "list"))
}

# insight knows models by a list of classes, so the table is made here.
model_parameters.starling_glm <- function(model, ci = 0.95, ...) {
    table <- summary(model)$coefficients
    bounds <- confint(model, level = ci)[rownames(table), , drop = FALSE]
    result <- data.frame(Parameter = rownames(table), Coefficient = table[, 1], SE = table[, 2], CI = ci, CI_low = bounds[, 1],
                         CI_high = bounds[, 2], Statistic = table[, 3], df_error = get_df.starling_glm(model, "wald"), p = table[, 4],
                         row.names = NULL)
    names(result)[[7]] <- if (known_dispersion(model)) "z" else "t"
    structure(result, ci = ci, pretty_names = setNames(rownames(table), rownames(table)), coefficient_name = "Coefficient", digits = 2,
              ci_digits = 2, p_digits = 3, class = c("parameters_model", "see_parameters_model", "data.frame"))
}
