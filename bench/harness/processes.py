"""Child processes with time limits: every wait ends."""

import os
import resource
import selectors
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


TIME = "/usr/bin/time"


class Failed(Exception):
    """A solver that is missing, crashed or took too long; the message goes to the notes below the table."""


class TimedOut(Failed):
    """A solver that took too long."""


@dataclass
class Finished:
    code: int
    out: str
    err: str
    seconds: float
    peak_bytes: int


def run(command, timeout, cwd=None, env=None):
    """Runs a command to its end; returns its output, wall time and peak memory (0 if unknown)."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.NamedTemporaryFile("r") as peak:
        if shutil.which(command[0]) is None:
            raise Failed(f"cannot start {command[0]}: not found")
        # The kernel charges a child with its parent's memory at the fork, which is negligible for a parent as small as time.
        if os.path.exists(TIME):
            command = [TIME, "-q", "-f", "%M", "-o", peak.name, *command]
        start = time.perf_counter()
        try:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd, env=env, start_new_session=True
            )
        except OSError as problem:
            raise Failed(f"cannot start {command[0]}: {problem.strerror}") from problem
        late = threading.Event()

        def kill():
            late.set()
            kill_group(child.pid)

        timer = threading.Timer(timeout, kill)
        timer.start()
        try:
            _, status = os.waitpid(child.pid, 0)
        except BaseException:
            kill_group(child.pid)
            raise
        finally:
            timer.cancel()
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            raise TimedOut(f"stopped after {timeout:.0f} s")
        out.seek(0)
        err.seek(0)
        return Finished(
            child.returncode,
            out.read().decode(errors="replace"),
            err.read().decode(errors="replace"),
            seconds,
            1024 * int(peak.read().strip() or 0),
        )


def end_children_on_termination():
    """Turns SIGTERM and SIGHUP into exceptions, so that whoever holds a child process ends it."""

    def leave(number, frame):
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGHUP, leave)


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no output"


class Session:
    """A solver that keeps its data loaded: it prints 'loaded S', and answers 'TOLERANCE FILE' with 'solved S'."""

    def __init__(self, command, load_timeout, memory_limit=None, env=None):
        self.command = command
        self.errors = tempfile.TemporaryFile()
        self.buffer = b""

        def limit():
            if memory_limit:
                resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))

        try:
            self.child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                start_new_session=True,
                preexec_fn=limit,
                env=env,
            )
        except OSError as problem:
            self.errors.close()
            raise Failed(f"cannot start {command[0]}: {problem.strerror}") from problem
        try:
            self.load_seconds = self.answer("loaded", load_timeout)
        except BaseException:
            self.close()
            raise

    def solve(self, tolerance, weights_file, timeout):
        try:
            self.child.stdin.write(f"{tolerance!r} {weights_file}\n".encode())
            self.child.stdin.flush()
        except OSError as problem:
            raise Failed(self.reason()) from problem
        return self.answer("solved", timeout)

    def answer(self, word, timeout):
        deadline = time.monotonic() + timeout
        with selectors.DefaultSelector() as ready:
            ready.register(self.child.stdout, selectors.EVENT_READ)
            while True:
                while b"\n" in self.buffer:
                    line, self.buffer = self.buffer.split(b"\n", 1)
                    parts = line.decode(errors="replace").split()
                    if len(parts) == 2 and parts[0] == word:
                        return float(parts[1])
                left = deadline - time.monotonic()
                if left <= 0 or not ready.select(left):
                    self.close()
                    raise TimedOut(f"stopped after {timeout:.0f} s")
                chunk = os.read(self.child.stdout.fileno(), 1 << 16)
                if not chunk:
                    raise Failed(self.reason())
                self.buffer += chunk

    def reason(self):
        try:
            code = self.child.wait(10)
        except subprocess.TimeoutExpired:
            code = "none yet"
        self.errors.seek(0)
        return f"ended with exit code {code}: {last_line(self.errors.read().decode(errors='replace'))}"

    def close(self):
        if self.errors.closed:
            return
        kill_group(self.child.pid)
        try:
            self.child.stdin.close()
        except OSError:  # there is nobody left to read what was not written yet
            pass
        self.child.stdout.close()
        self.child.wait()
        self.errors.close()


def total_memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
