# Evaluates the expressions of lines.txt on d.csv in a folder and writes their numbers, a line each, column by column.
suppressMessages(library(survival))
folder <- commandArgs(TRUE)[1]
d <- read.csv(file.path(folder, "d.csv"))
out <- file(file.path(folder, "numbers.txt"), "w")
for (line in readLines(file.path(folder, "lines.txt"))) {
    values <- suppressMessages(suppressWarnings(eval(parse(text = line))))
    writeLines(paste(format(as.vector(as.matrix(values)), digits = 15, trim = TRUE), collapse = " "), out)
}
close(out)
