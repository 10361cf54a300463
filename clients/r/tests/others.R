# Paths, quantiles, support vector machines, the process and its ends.
library(starling)

refused <- function(expression, words) {
    said <- tryCatch({ expression; "nothing" }, error = conditionMessage)
    if (!grepl(words, said, fixed = TRUE)) stop("expected '", words, "' but got '", said, "'")
}

# A path satisfies the conditions of its optimum at every lambda, for standardised columns.
x <- as.matrix(mtcars[, -1])
y <- mtcars$mpg
spread <- sqrt(colMeans(sweep(x, 2, colMeans(x))^2))
for (alpha in c(0.3, 1)) {
    net <- starling_net(x, y, alpha = alpha, nlambda = 20)
    stopifnot(all(net$path.gap <= 1e-8), net$df[[1]] == 0, net$df[[20]] >= 9)
    for (k in c(1, 8, 20)) {
        beta <- net$beta[, k] * spread
        slope <- drop(crossprod(sweep(x, 2, spread, "/"), y - predict(net, x, net$lambda[[k]]))) / 32 - net$lambda[[k]] * (1 - alpha) * beta
        limit <- net$lambda[[k]] * alpha
        stopifnot(abs(slope[beta != 0] - limit * sign(beta[beta != 0])) < 2e-3 * max(limit, 1e-2), abs(slope[beta == 0]) <= limit * (1 + 1e-3))
    }
}
if (requireNamespace("glmnet", quietly = TRUE)) {
    theirs <- glmnet::glmnet(x, y, lambda = net$lambda, thresh = 1e-16, maxit = 1e7)
    stopifnot(all.equal(as.matrix(theirs$beta), net$beta, tolerance = 1e-5, check.attributes = FALSE))
    # With a ridge only where the response is not scaled, which glmnet does for numbers.
    theirs <- glmnet::glmnet(x, mtcars$am, "binomial", alpha = 0.3, thresh = 1e-14, nlambda = 30)
    ours <- starling_net(x, mtcars$am, "binomial", alpha = 0.3, lambda = theirs$lambda)
    stopifnot(all.equal(as.matrix(theirs$beta), ours$beta, tolerance = 1e-5, check.attributes = FALSE),
              all.equal(starling_net(x, mtcars$am, "binomial", alpha = 0.3, nlambda = 30)$lambda[seq_along(theirs$lambda)], theirs$lambda))
}
chosen <- starling_net(x, factor(mtcars$am), "binomial", alpha = 0.5, nlambda = 15, nfolds = 4)
stopifnot(chosen$lambda.min %in% chosen$lambda, chosen$lambda.1se >= chosen$lambda.min, length(chosen$cvm) == 15,
          mean(predict(chosen, x, "lambda.min", "class") == mtcars$am) > 0.9,
          identical(rownames(coef(chosen, "lambda.1se")), c("(Intercept)", colnames(x))))
refused(coef(chosen, 12), "not one of the path")
counts <- starling_net(x[, 1:4], mtcars$carb, "poisson", lambda = 0.05)
stopifnot(all(predict(counts, x[, 1:4], type = "response") > 0))
invisible(capture.output(print(chosen)))
pdf(NULL)
plot(chosen)

# Quantiles are those of a linear program.
for (tau in c(0.25, 0.5, 0.9)) {
    ours <- starling_quantile(stack.loss ~ Air.Flow + Water.Temp, stackloss, tau)
    loss <- function(b) {
        r <- stackloss$stack.loss - cbind(1, stackloss$Air.Flow, stackloss$Water.Temp) %*% b
        sum(ifelse(r > 0, tau * r, (tau - 1) * r))
    }
    if (requireNamespace("quantreg", quietly = TRUE)) {
        theirs <- suppressWarnings(quantreg::rq(stack.loss ~ Air.Flow + Water.Temp, tau, stackloss))
        stopifnot(loss(coef(ours)) <= loss(coef(theirs)) * (1 + 1e-7))
    }
    stopifnot(ours$certified, mean(stackloss$stack.loss <= predict(ours, stackloss) + 1e-5) >= tau)
}

two <- droplevels(subset(iris, Species != "setosa"))
svm <- starling_svm(Species ~ ., two, cost = 10)
stopifnot(mean(predict(svm, two) == two$Species) > 0.95, svm$certified)
scores <- predict(svm, two, "link")
signs <- ifelse(two$Species == "virginica", 1, -1)
slopes <- coef(svm)[-1] - 2 * 10 * colSums(signs * pmax(0, 1 - signs * scores) * two[, 1:4])
stopifnot(max(abs(slopes)) < 1e-3)
invisible(capture.output(print(svm)))
refused(starling_svm(Species ~ ., iris), "3 classes")
refused(starling_quantile(mpg ~ wt, mtcars, tau = 2), "tau is 2")
refused(starling_net(x, y, alpha = NA), "alpha is NA; it must be between 0 and 1")
for (folds in c(1, 33)) refused(starling_net(x, y, nfolds = folds), paste("there are", folds, "folds; there must be from 2 to as many as rows"))
refused(starling_net(x[0, ], y[0], lambda = 1), "there are no rows")
refused(starling_read(system.file("DESCRIPTION", package = "starling")), "is no model file of Starling; give the one that a site")
refused(starling_quantile(mpg ~ wt, mtcars, tau = c(0.1, 0.5)), "tau is c(0.1, 0.5); it must be one number between 0 and 1")
refused(starling_net(matrix(0, 10, 2), 1:10), "every coefficient is 0; give lambda")

# The same input makes the same bits, in another process as well.
first <- starling_glm(am ~ wt, mtcars, binomial)
starling_close()
stopifnot(identical(first$hash, starling_glm(am ~ wt, mtcars, binomial)$hash), identical(substr(rawToChar(first$model.file), 1, 10), "{\"format\":"))

# JSON there and back.
value <- list(a = 1.5, b = "a \"quoted\" \\ line\nand \u00e9", c = list(TRUE, FALSE), d = list(e = -1e-300))
stopifnot(identical(starling:::json_value(starling:::json_text(value)), value))

# The process: killed, missing, too small.
if (.Platform$OS.type == "unix") {
    refused({
        tools::pskill(starling:::state$child$process, tools::SIGKILL)
        Sys.sleep(0.5)
        starling_glm(am ~ wt, mtcars, binomial)
    }, "the Java process has ended with code 137")
    stopifnot(starling_glm(am ~ wt, mtcars, binomial)$certified)
}
# Processes forked from this one have a child each.
if (.Platform$OS.type == "unix") {
    one <- function(i) coef(starling_glm(am ~ wt, mtcars[-i, ], binomial))
    expected <- lapply(1:4, one)
    stopifnot(identical(parallel::mclapply(1:4, one, mc.cores = 2), expected), identical(one(1), expected[[1]]))
}
starling_close()
old <- Sys.getenv(c("JAVA_HOME", "PATH"))
Sys.setenv(JAVA_HOME = "/nonexistent")
refused(starling_glm(am ~ wt, mtcars), "JAVA_HOME is /nonexistent, which has no bin/java; install Java 17")
home <- tempfile("jdk")
dir.create(file.path(home, "bin"), recursive = TRUE)
invisible(file.create(file.path(home, "bin", "java")))
writeLines("JAVA_VERSION=\"11.0.2\"", file.path(home, "release"))
Sys.setenv(JAVA_HOME = home)
refused(starling_glm(am ~ wt, mtcars), "is Java 11; Starling needs Java 17")
if (nzchar(old[["JAVA_HOME"]])) Sys.setenv(JAVA_HOME = old[["JAVA_HOME"]]) else Sys.unsetenv("JAVA_HOME")
Sys.setenv(STARLING_JAVA_OPTS = "-Xmx64m")
large <- matrix(rnorm(8e6), ncol = 8)
refused(starling_net(large, large[, 1]), "of which the Java process takes at most")
refused(starling_net(large, large[, 1]), "; call starling_close() and set STARLING_JAVA_OPTS=-Xmx1g")
stopifnot(starling_glm(am ~ wt, mtcars, binomial)$certified)
# What it says suffices.
starling_close()
Sys.setenv(STARLING_JAVA_OPTS = "-Xmx1g")
stopifnot(starling_net(large, large[, 1], lambda = 0.1)$certified)
rm(large)
starling_close()
Sys.setenv(STARLING_JAVA_OPTS = "-Xmx1k")
refused(starling_glm(am ~ wt, mtcars), "the Java process has ended with code 1")
Sys.unsetenv("STARLING_JAVA_OPTS")

# A time limit interrupts as Ctrl-C does: the fit is cancelled, and the process goes on.
big <- matrix(rnorm(4e5), ncol = 20)
slow <- list(loss = "hinge", method = "adfs", lambda = 1e-9, gap = 1e-12, `max-epochs` = 1e9)
child <- starling:::child_start()
local({
    setTimeLimit(elapsed = 2, transient = TRUE)
    refused(starling:::train(big, big[, 1] > big[, 2], slow), "elapsed time limit")
    setTimeLimit()
})
stopifnot(identical(child, starling:::state$child), starling_glm(am ~ wt, mtcars, binomial)$certified)
starling_close()

# In an R of their own: Ctrl-C in the middle of a fit, and an answer that the disk has no room for.
if (.Platform$OS.type == "unix") {
    other <- function(code, command) {
        file <- tempfile(fileext = ".R")
        writeLines(c("library(starling)", code), file)
        rscript <- paste(shQuote(file.path(R.home("bin"), "Rscript")), shQuote(file))
        system2("sh", c("-c", shQuote(sprintf(command, rscript))), stdout = TRUE, stderr = TRUE)
    }
    started <- tempfile()
    said <- other(c("child <- starling:::child_start()",
                    "x <- matrix(sin(1:4e5), ncol = 20)",
                    sprintf("said <- tryCatch({ file.create('%s'); starling:::train(x, x[, 1] > x[, 2], list(loss = 'hinge', method = 'adfs',", started),
                    "    lambda = 1e-9, gap = 1e-12, `max-epochs` = 1e9)) }, interrupt = function(e) 'interrupted')",
                    "cat(said, starling_glm(am ~ wt, mtcars, binomial)$certified, '\\n')",
                    "starling_close()",
                    "for (again in 1:100) if (tools::pskill(child$process, 0L)) Sys.sleep(0.1)",
                    "cat(if (tools::pskill(child$process, 0L)) 'left' else 'nothing left', '\\n')"),
                  paste0("%s & while [ ! -f ", started, " ]; do sleep 0.1; done; sleep 1; kill -INT $!; wait"))
    stopifnot(identical(trimws(tail(said, 2)), c("interrupted TRUE", "nothing left")))
    said <- other(c("x <- matrix(sin(1:8e5), 200)",
                    "tryCatch(starling:::train(x, x[, 1], list(loss = 'squared', lambda = 1)), error = function(e) cat(conditionMessage(e), '\\n'))",
                    "cat(starling_glm(am ~ wt, mtcars, binomial)$certified, '\\n')"), "ulimit -f 100; %s")
    if (!any(grepl("the Java process (has ended with code|could not write)", said)) || trimws(tail(said, 1)) != "TRUE") stop(said)
}

# A model of several sites: the file that they end with, read as a fit without rows.
if (.Platform$OS.type == "unix") {
    folder <- tempfile("site")
    dir.create(folder)
    writeLines(c("name: a", "model: out.json  # the model"), file.path(folder, "a.yaml"))
    command <- file.path(folder, "starling")
    for (case in list(list(loss = "squared", family = gaussian, y = mtcars$mpg), list(loss = "poisson", family = poisson, y = mtcars$carb),
                      list(loss = "binomial", family = binomial, y = mtcars$vs))) {
        x <- cbind(wt = mtcars$wt, `gear=5` = mtcars$gear == 5, twice = 2 * mtcars$wt)
        answer <- starling:::train(x, case$y, list(loss = case$loss, lambda = 0, intercept = TRUE, gap = 1e-10, `standard-errors` = "model"))
        writeBin(answer$arrays$file, file.path(folder, "made.json"))
        writeLines(c("#!/bin/sh", "[ \"$1\" = peer ] && cd \"$(dirname \"$2\")\" && cp made.json out.json"), command)
        Sys.chmod(command, "755")
        ours <- starling_glm(sites = file.path(folder, "a.yaml"), starling = command)
        data <- data.frame(y = case$y, wt = mtcars$wt, gear = mtcars$gear, twice = 2 * mtcars$wt)
        theirs <- glm(y ~ wt + I(gear == 5) + twice, case$family, data, control = list(epsilon = 1e-11))
        stopifnot(ours$certified, all.equal(unname(coef(ours)), unname(coef(theirs)), tolerance = 1e-7),
                  all.equal(unname(vcov(ours)), unname(vcov(theirs)), tolerance = 1e-6),
                  all.equal(deviance(ours), deviance(theirs), tolerance = 1e-8), all.equal(AIC(ours), AIC(theirs), tolerance = 1e-8),
                  all.equal(ours$null.deviance, theirs$null.deviance, tolerance = 1e-8), nobs(ours) == 32,
                  all.equal(unname(coef(summary(ours))), unname(coef(summary(theirs))), tolerance = 1e-5),
                  all.equal(unname(predict(ours, data, "response")), unname(fitted(theirs)), tolerance = 1e-7))
        invisible(capture.output(print(summary(ours))))
        for (touching in list(residuals, fitted, weights, hatvalues, model.frame, model.matrix, anova, plot, predict, update,
                              function(fit) vcov(fit, "HC0"), function(fit) vcov(fit, cluster = 1:32))) {
            refused(touching(ours), "needs the rows of all sites")
        }
    }
    refused(starling_glm(sites = file.path(folder, "b.yaml")), "there is no file")
    refused(starling_glm(sites = file.path(folder, "a.yaml"), starling = "/nonexistent/starling"), "there is no command")
    writeLines("exit 3", command)
    refused(starling_glm(sites = file.path(folder, "a.yaml"), starling = "false"), "ended with code 1")
    starling_close()
}
