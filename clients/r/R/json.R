# JSON, as much of it as the headers of frames need.

json_text <- function(x) {
    if (is.null(x)) return("null")
    if (inherits(x, "AsIs")) return(paste0("[", paste(vapply(unclass(x), json_text, ""), collapse = ","), "]"))
    if (is.list(x)) {
        inner <- vapply(x, json_text, "")
        if (is.null(names(x))) return(paste0("[", paste(inner, collapse = ","), "]"))
        return(paste0("{", paste0(vapply(names(x), json_string, ""), ":", inner, collapse = ","), "}"))
    }
    if (length(x) != 1) return(json_text(as.list(x)))
    if (is.logical(x)) return(if (x) "true" else "false")
    if (is.numeric(x)) return(format(x, digits = 17, scientific = x != round(x) || abs(x) > 1e15, trim = TRUE))
    json_string(x)
}

json_string <- function(x) {
    x <- gsub("([\"\\\\])", "\\\\\\1", enc2utf8(as.character(x)))
    if (grepl("[[:cntrl:]]", x)) {
        for (code in c(1:31)) x <- gsub(intToUtf8(code), sprintf("\\u%04x", code), x, fixed = TRUE)
    }
    paste0("\"", x, "\"")
}

# Objects become named lists, arrays unnamed ones; null is NA.
json_value <- function(text) {
    tokens <- regmatches(text, gregexpr("\"(\\\\.|[^\"\\\\])*\"|[-+.0-9eE]+|true|false|null|[][{}:,]", text, perl = TRUE))[[1]]
    at <- 0L
    take <- function() tokens[[at <<- at + 1L]]
    value <- function() {
        token <- take()
        first <- substr(token, 1, 1)
        if (first == "{") return(members())
        if (first == "[") return(elements())
        if (first == "\"") return(json_unquoted(token))
        switch(token, true = TRUE, false = FALSE, null = NA, as.numeric(token))
    }
    members <- function() {
        result <- list()
        if (tokens[[at + 1L]] == "}") {
            take()
            return(setNames(result, character()))
        }
        repeat {
            name <- json_unquoted(take())
            take()
            result[[name]] <- value()
            if (take() == "}") return(result)
        }
    }
    elements <- function() {
        result <- list()
        if (tokens[[at + 1L]] == "]") {
            take()
            return(result)
        }
        repeat {
            result[[length(result) + 1L]] <- value()
            if (take() == "]") return(result)
        }
    }
    value()
}

json_unquoted <- function(token) {
    text <- substr(token, 2, nchar(token) - 1)
    if (!grepl("\\", text, fixed = TRUE)) return(text)
    parts <- regmatches(text, gregexpr("\\\\u[0-9a-fA-F]{4}|\\\\.|[^\\\\]+", text))[[1]]
    paste(vapply(parts, function(part) {
        if (substr(part, 1, 1) != "\\") return(part)
        switch(substr(part, 2, 2), n = "\n", t = "\t", r = "\r", b = "\b", f = "\f",
               u = intToUtf8(strtoi(substr(part, 3, 6), 16L)), substr(part, 2, 2))
    }, ""), collapse = "")
}
