# Runs the R code of a page and compares what it prints with the lines that begin with #>; "..." stands for anything.
# Then it fits what the README beside docs fits, as R's glm does.
# Rscript check-docs.R docs/r.md
library(starling)
page <- normalizePath(commandArgs(TRUE)[[1]])
lines <- readLines(page, encoding = "UTF-8")
fences <- grep("^```", lines)
starts <- fences[lines[fences] == "```r"]
wrong <- 0
for (start in starts) {
    block <- lines[(start + 1):(min(fences[fences > start]) - 1)]
    shown <- grepl("^#>", block)
    # A run of code, and the output that follows it.
    runs <- rle(shown)
    ends <- cumsum(runs$lengths)
    for (k in which(!runs$values)) {
        code <- block[(ends[[k]] - runs$lengths[[k]] + 1):ends[[k]]]
        expected <- if (k < length(ends)) sub("^#> ?", "", block[(ends[[k]] + 1):ends[[k + 1]]]) else character()
        printed <- capture.output(for (expression in parse(text = code)) {
            result <- withVisible(eval(expression, globalenv()))
            if (result$visible) print(result$value)
        })
        plain <- function(x) trimws(gsub("[ \n]+", " ", paste(x, collapse = "\n")))
        pieces <- strsplit(plain(expected), "...", fixed = TRUE)[[1]]
        pattern <- paste0("(?s)^", paste0("\\Q", pieces, "\\E", collapse = ".*"), if (grepl("[.]{3}$", plain(expected))) ".*", "$")
        if (!grepl(pattern, plain(printed), perl = TRUE)) {
            wrong <- wrong + 1
            cat("line ", start, ": expected\n", paste(expected, collapse = "\n"), "\nbut got\n", paste(printed, collapse = "\n"), "\n", sep = "")
        }
    }
}
stopifnot(length(starts) > 2)
readme <- readLines(file.path(dirname(dirname(page)), "README.md"), encoding = "UTF-8")
setwd(tempdir())
system(grep("printf .*> claims.csv$", readme, value = TRUE))
start <- match("```r", readme)
fit <- eval(parse(text = readme[(start + 1):(start + match("```", readme[-seq_len(start)]) - 1)]))
theirs <- glm(claims ~ age + city, poisson, read.csv("claims.csv"), control = list(epsilon = 1e-14))
stopifnot(all.equal(coef(fit), coef(theirs), tolerance = 1e-9))
starling_close()
quit(status = as.integer(wrong > 0))
