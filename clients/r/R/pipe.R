# The child process that trains: requests go through a pipe, and answers come from a file that it appends to, because base R has no
# pipe that is open in both directions. Rows are never in a file.

state <- new.env(parent = emptyenv())

java_command <- function() {
    home <- Sys.getenv("JAVA_HOME")
    java <- if (nzchar(home)) file.path(home, "bin", "java") else Sys.which("java")
    if (.Platform$OS.type == "windows" && nzchar(home)) java <- paste0(java, ".exe")
    if (!nzchar(java) || !file.exists(java)) {
        stop(if (nzchar(home)) paste0("JAVA_HOME is ", home, ", which has no bin/java") else "no java found",
             "; install Java 17 or later (Debian: apt install openjdk-17-jre-headless), or set JAVA_HOME to it", call. = FALSE)
    }
    release <- file.path(dirname(dirname(normalizePath(java))), "release")
    lines <- if (file.exists(release)) readLines(release, warn = FALSE) else
        suppressWarnings(system2(java, "-version", stdout = TRUE, stderr = TRUE))
    line <- grep("JAVA_VERSION=|version \"", lines, value = TRUE)
    version <- if (length(line)) as.integer(sub(".*\"(1\\.)?([0-9]+).*", "\\2", line[[1]])) else NA
    if (!is.na(version) && version < 17) {
        stop(java, " is Java ", version, "; Starling needs Java 17 or later, so set JAVA_HOME to one", call. = FALSE)
    }
    java
}

jar_file <- function() {
    jar <- Sys.getenv("STARLING_JAR", system.file("java", "starling-serve.jar", package = "starling"))
    if (!nzchar(jar) || !file.exists(jar)) {
        stop("starling-serve.jar is missing; install the package again, or set STARLING_JAR to it", call. = FALSE)
    }
    jar
}

child_start <- function() {
    options <- c("-XX:+UseParallelGC", "-XX:MaxRAMPercentage=80", "-XX:-UsePerfData", "-XX:LoopUnrollLimit=20",
                 "-XX:Tier3BackEdgeThreshold=2000", "-Xlog:disable", "-Xlog:all=off", Sys.getenv("STARLING_JAVA_OPTS"))
    folder <- tempfile("starling")
    dir.create(folder)
    answers <- file.path(folder, "answers")
    file.create(answers)
    command <- paste(shQuote(java_command()), paste(options, collapse = " "), "-jar", shQuote(jar_file()), ">", shQuote(answers),
                     "2>", shQuote(file.path(folder, "errors")))
    # Ctrl-C is for R, which then cancels; and how the process ends is written down, because R does not tell.
    if (.Platform$OS.type != "windows") {
        command <- paste0("trap '' INT; ", command, "; { echo $? > ", shQuote(file.path(folder, "code")), "; } 2>/dev/null")
    }
    child <- list2env(list(owner = Sys.getpid(), folder = folder, requests = pipe(command, "wb"), answers = file(answers, "rb"), at = 0, id = 0),
                      parent = emptyenv())
    state$child <- child
    hello <- child_ask(child, list(op = "hello"))$header
    child$most <- hello$most
    child$process <- hello$process
    child
}

#' Ends the child process; the next fit starts another.
starling_close <- function() {
    child <- state$child
    state$child <- NULL
    if (!is.null(child) && child$owner != Sys.getpid()) {
        # That of the process that this one was forked from; kept, because R closes what nobody knows any more.
        state$inherited <- child
    } else if (!is.null(child)) {
        suppressWarnings(try(close(child$requests), silent = TRUE))
        try(close(child$answers), silent = TRUE)
        unlink(child$folder, recursive = TRUE)
    }
    invisible()
}

.onUnload <- function(libpath) starling_close()

array_type <- function(x) if (is.raw(x)) "u8" else if (is.integer(x)) "i32" else "f64"

child_send <- function(child, header, arrays = list()) {
    types <- vapply(arrays, array_type, "")
    header$arrays <- I(lapply(seq_along(arrays), function(k)
        list(name = names(arrays)[[k]], type = types[[k]], length = length(arrays[[k]]))))
    text <- charToRaw(json_text(header))
    size <- sum(lengths(arrays) * c(f64 = 8, i32 = 4, u8 = 1)[types])
    out <- child$requests
    writeBin(charToRaw("STRL"), out)
    writeBin(length(text), out, endian = "little")
    # Two whole numbers of four bytes make one of eight; the lower may be too large for R's signed ones.
    low <- size %% 2^32
    writeBin(as.integer(c(low %% 2^16, low %/% 2^16)), out, size = 2, endian = "little")
    writeBin(as.integer(size %/% 2^32), out, endian = "little")
    writeBin(text, out)
    for (array in arrays) {
        # A vector of more than two gigabytes goes in pieces.
        for (from in seq(1, max(1, length(array)), by = 2^24)) {
            piece <- if (length(array) <= 2^24) array else array[from:min(length(array), from + 2^24 - 1)]
            if (length(piece)) writeBin(if (is.raw(piece) || is.integer(piece)) piece else as.double(piece), out, endian = "little")
        }
    }
    flush(out)
}

whole <- function(bytes) sum(as.numeric(bytes) * 256^(seq_along(bytes) - 1))

# The next frame if it has come whole; NULL otherwise.
child_frame <- function(child) {
    bytes <- function(at, count) {
        seek(child$answers, at, rw = "read")
        readBin(child$answers, "raw", count)
    }
    prefix <- bytes(child$at, 16)
    # A Java that cannot start says why where answers should be.
    if (length(prefix) < 16 || !identical(prefix[1:4], charToRaw("STRL"))) return(NULL)
    size <- whole(prefix[5:8]) + whole(prefix[9:16])
    body <- bytes(child$at + 16, size)
    if (length(body) < size) return(NULL)
    child$at <- child$at + 16 + size
    text <- rawToChar(body[seq_len(whole(prefix[5:8]))])
    Encoding(text) <- "UTF-8"
    header <- json_value(text)
    from <- whole(prefix[5:8])
    arrays <- list()
    for (each in header$arrays) {
        width <- c(f64 = 8, i32 = 4, u8 = 1)[[each$type]]
        part <- body[from + seq_len(each$length * width)]
        from <- from + each$length * width
        arrays[[each$name]] <- switch(each$type, u8 = part, i32 = readBin(part, "integer", each$length, endian = "little"),
                                      readBin(part, "double", each$length, endian = "little"))
    }
    list(header = header, arrays = arrays)
}

child_receive <- function(child, patience = Inf) {
    began <- Sys.time()
    wait <- 5e-4
    repeat {
        frame <- child_frame(child)
        if (!is.null(frame)) return(frame)
        code <- file.path(child$folder, "code")
        # On a full disk its code is not written down.
        gone <- file.exists(code) || (wait >= 0.02 && .Platform$OS.type == "unix" && !is.null(child$process) && !pskill(child$process, 0L))
        if (gone && is.null(frame <- child_frame(child))) {
            # The shell makes the file before it writes, which may take a while.
            tries <- 0
            while ((is.na(file.size(code)) || file.size(code) == 0) && (tries <- tries + 1) <= 50) Sys.sleep(0.01)
            if (tries > 50) {
                starling_close()
                stop("the Java process could not write its answer, so it has ended; make room in ", dirname(tempdir()), call. = FALSE)
            }
            said <- readLines(file.path(child$folder, "errors"), warn = FALSE)
            if (child$at == 0) said <- c(said, readLines(file.path(child$folder, "answers"), warn = FALSE))
            ended <- paste(readLines(code, warn = FALSE), collapse = "")
            starling_close()
            stop("the Java process has ended with code ", ended, "; the next fit starts another",
                 if (length(said)) paste0("\n", paste(head(said, 3), collapse = "\n")), call. = FALSE)
        }
        if (!is.null(frame)) return(frame)
        if (as.numeric(Sys.time() - began, units = "secs") > patience) return(NULL)
        Sys.sleep(wait)
        wait <- min(0.02, wait * 1.2)
    }
}

child_ask <- function(child, header, arrays = list(), progress = FALSE) {
    child$id <- child$id + 1
    header$id <- child$id
    sent <- done <- FALSE
    on.exit(if (!sent) starling_close() else if (!done) child_cancel(child))
    tryCatch(child_send(child, header, arrays), error = function(e) {
        Sys.sleep(0.2)
        child_receive(child, 2)
        stop("the Java process cannot be written to: ", conditionMessage(e), call. = FALSE)
    })
    sent <- TRUE
    repeat {
        frame <- child_receive(child)
        event <- frame$header$event
        if (event == "progress") {
            if (progress) message(sprintf("epochs %.1f, gap %.3g", frame$header$epochs, frame$header$gap))
        } else if (event == "log") {
            warning(frame$header$message, call. = FALSE)
        } else {
            done <- TRUE
            if (event == "error") stop(frame$header$message, call. = FALSE)
            return(frame)
        }
    }
}

# After an interrupt: ends the fit, and the process if it does not answer soon.
child_cancel <- function(child) {
    if (!identical(child, state$child)) return(invisible())
    child_send(child, list(op = "cancel", id = child$id))
    repeat {
        frame <- child_receive(child, 5)
        if (is.null(frame)) return(starling_close())
        if (!frame$header$event %in% c("progress", "log")) return(invisible())
    }
}

# The child, which is started if need be, for a request with so many numbers; asked for before any of them is copied.
child_for <- function(numbers) {
    if (!is.null(state$child) && state$child$owner != Sys.getpid()) starling_close()
    child <- if (is.null(state$child)) child_start() else state$child
    size <- 8 * numbers
    if (size > child$most) {
        stop(sprintf(paste("rows of %.3g GB, of which the Java process takes at most %.3g GB; call starling_close() and set",
                           "STARLING_JAVA_OPTS=-Xmx%dg"), size / 1e9, child$most / 1e9, ceiling(9 * size / 2^32)), call. = FALSE)
    }
    child
}

#' Trains on a matrix and returns the answer.
train <- function(x, y, settings, weights = NULL, offset = NULL, nodes = 1, verbose = FALSE, clusters = NULL) {
    for (name in c("gap", "nodes")) {
        value <- if (name == "nodes") nodes else if (is.null(settings$gap)) 1 else settings$gap
        if (!is.numeric(value) || length(value) != 1 || !is.finite(value)) {
            stop(name, " is ", format_one(value), "; it must be a positive number", call. = FALSE)
        }
    }
    child <- child_for(length(x) + length(y) + length(weights) + length(offset) + length(clusters))
    arrays <- list(x = as.double(x), y = as.double(y))
    if (!is.null(weights)) arrays$weights <- as.double(weights)
    if (!is.null(offset)) arrays$offsets <- as.double(offset)
    if (!is.null(clusters)) arrays$clusters <- clusters
    named <- if (is.null(colnames(x))) I(list()) else I(as.list(colnames(x)))
    child_ask(child, list(op = "fit", features = ncol(x), names = named, order = "columns", nodes = nodes, settings = settings, file = TRUE,
                          progress = verbose), arrays, verbose)
}

# What every fit keeps of an answer.
certified <- function(answer) {
    header <- answer$header
    gap <- header$certificate$gap
    list(certificate = unlist(header$certificate), gap = if (is.na(gap)) Inf else gap, certified = header$outcome == "certified",
         hash = header$hash, model.file = answer$arrays$file)
}
