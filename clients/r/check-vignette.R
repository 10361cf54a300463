# Follows the vignette as two hospitals do, each in an R of its own, and compares their model with the one that the package has.
# Rscript check-vignette.R ROOT [FILE]: with a file, that is where the model is put instead.
library(starling)
arguments <- commandArgs(TRUE)
root <- normalizePath(arguments[[1]])
lines <- readLines(file.path(root, "clients/r/vignettes/two-hospitals.Rmd"))
code <- function(start) lines[(start + 1):(start + which(lines[-seq_len(start)] == "```")[[1]] - 1)]
launcher <- file.path(root, "starling")
Sys.setenv(PATH = paste(root, Sys.getenv("PATH"), sep = ":"), STARLING_NO_BUILD = "1")
folder <- tempfile("hospitals")
dir.create(folder)
setwd(folder)
for (start in grep("^```\\{r (rows|files)", lines)) eval(parse(text = code(start)))
for (start in grep("^```sh$", lines)) {
    output <- suppressWarnings(system2("sh", c("-e"), input = code(start), stdout = TRUE, stderr = TRUE))
    if (!is.null(attr(output, "status"))) stop(paste(c(code(start), output), collapse = "\n"))
}
fit <- function(site) {
    program <- sprintf("library(starling); fit <- starling_glm(sites = '%s.yaml'); cat(fit$hash, coef(fit), '\\n')", site)
    sprintf("Rscript -e %s >%s.out 2>%s.err", shQuote(program), site, site)
}
system(paste0(fit("a"), " & ", fit("b"), "; wait"))
if (!file.exists("model-a.json")) stop(paste(c(readLines("a.err"), readLines("b.err")), collapse = "\n"))
found <- starling_read("model-a.json")
other <- starling_read("model-b.json")
if (!found$certified) stop("the gap is ", found$gap)
stopifnot(identical(coef(found), coef(other)), identical(vcov(found), vcov(other)),
          identical(tail(readLines("a.out"), 1), tail(readLines("b.out"), 1)))
if (length(arguments) > 1) {
    invisible(file.copy("model-a.json", arguments[[2]], overwrite = TRUE))
} else {
    shipped <- starling_read(system.file("extdata", "two-hospitals.json", package = "starling"))
    stopifnot(identical(coef(found), coef(shipped)), identical(vcov(found), vcov(shipped)), identical(found$hash, shipped$hash))
}
setwd("/")
unlink(folder, recursive = TRUE)
