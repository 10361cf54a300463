"""The child process that trains, and the frames that go through its pipes (docs/pipe.md of Starling)."""

import atexit
import json
import os
import re
import shutil
import struct
import subprocess
import threading
import warnings

import numpy as np

try:
    import fcntl
except ImportError:
    fcntl = None

_MARK = b"STRL"
_TYPES = {"f64": np.dtype("<f8"), "f32": np.dtype("<f4"), "i32": np.dtype("<i4"), "u8": np.dtype("u1")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_OPTIONS = ["-XX:+UseParallelGC", "-XX:MaxRAMPercentage=80", "-XX:-UsePerfData", "-XX:LoopUnrollLimit=20",
            "-XX:Tier3BackEdgeThreshold=2000", "-Xshare:auto", "-Xlog:disable", "-Xlog:all=off"]


class StarlingError(RuntimeError):
    """Training could not be done; the message says why."""


class ConvergenceWarning(UserWarning):
    """The gap asked for is not certified; the gap that was reached is in `gap_`."""


def _java():
    """The java to start, which must be 17 or later."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if not java or not os.access(java, os.X_OK):
        where = "JAVA_HOME is %s, which has no bin/java" % home if home else "no java found"
        raise StarlingError(where + "; install Java 17 or later (Debian: apt install openjdk-17-jre-headless), or set JAVA_HOME to it")
    root = os.path.dirname(os.path.dirname(os.path.realpath(java)))
    try:
        with open(os.path.join(root, "release"), encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        text = subprocess.run([java, "-version"], stderr=subprocess.PIPE, text=True, check=False).stderr
    found = re.search(r'(?:JAVA_VERSION=|version )"(?:1\.)?(\d+)', text)
    if found and int(found.group(1)) < 17:
        raise StarlingError("%s is Java %s; Starling needs Java 17 or later, so set JAVA_HOME to one" % (java, found.group(1)))
    return java


def _jar():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starling-serve.jar")
    jar = os.environ.get("STARLING_JAR", here)
    if not os.path.exists(jar):
        raise StarlingError("%s is missing; install the package again, or set STARLING_JAR to starling-serve.jar" % jar)
    return jar


class _Child:
    """One process; used by one thread at a time."""

    def __init__(self):
        options = os.environ.get("STARLING_JAVA_OPTS", "").split()
        # In a session of its own, so that Ctrl-C reaches Python alone, which then cancels.
        self.process = subprocess.Popen([_java(), *_OPTIONS, *options, "-jar", _jar()], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, start_new_session=True, bufsize=0)
        self.owner = os.getpid()
        if fcntl is not None and hasattr(fcntl, "F_SETPIPE_SZ"):
            try:
                fcntl.fcntl(self.process.stdin, fcntl.F_SETPIPE_SZ, 1 << 20)
            except OSError:
                pass  # a smaller pipe is only slower
        self.ids = 0
        self.most = self.ask({"op": "hello"})[0]["most"]

    def send(self, header, arrays=None):
        arrays = {name: np.ascontiguousarray(array) for name, array in (arrays or {}).items()}
        header = dict(header, arrays=[{"name": name, "type": _NAMES[array.dtype], "length": array.size}
                                      for name, array in arrays.items()])
        text = json.dumps(header).encode()
        size = sum(array.nbytes for array in arrays.values())
        out = self.process.stdin
        self._write(out, struct.pack("<4sIQ", _MARK, len(text), size) + text)
        for array in arrays.values():
            self._write(out, memoryview(array).cast("B") if array.size else b"")

    @staticmethod
    def _write(out, data):
        view = memoryview(data)
        while view:
            view = view[out.write(view):]

    def receive(self):
        mark, length, _ = struct.unpack("<4sIQ", self._read(16))
        if mark != _MARK:
            raise EOFError
        header = json.loads(bytes(self._read(length)))
        arrays = {}
        for each in header["arrays"]:
            dtype = _TYPES[each["type"]]
            arrays[each["name"]] = np.frombuffer(self._read(each["length"] * dtype.itemsize), dtype)
        return header, arrays

    def _read(self, count):
        data = bytearray(count)
        view = memoryview(data)
        while view:
            got = self.process.stdout.readinto(view)
            if not got:
                raise EOFError
            view = view[got:]
        return data

    def ask(self, header, arrays=None, progress=None, steps=None):
        """Sends a request and returns its answer; `steps` replies to what is asked meanwhile."""
        self.ids += 1
        try:
            self.send(dict(header, id=self.ids), arrays)
            while True:
                answer, numbers = self.receive()
                event = answer["event"]
                if event == "progress":
                    if progress is not None:
                        progress(answer)
                elif event == "log":
                    warnings.warn(answer["message"], ConvergenceWarning, stacklevel=6)
                elif event == "error":
                    if answer["kind"] == "memory":
                        raise MemoryError(answer["message"])
                    raise (ValueError if answer["kind"] == "input" else StarlingError)(answer["message"])
                elif event in ("graph", "step"):
                    try:
                        reply = steps(answer, numbers)
                    except Exception:
                        # The method is wrong; what Java is doing for it is of no use to anybody.
                        self.end()
                        raise
                    if reply is not None:
                        self.send(dict(reply[0], op="reply", id=self.ids), reply[1])
                else:
                    return answer, numbers
        except (EOFError, BrokenPipeError):
            code = self.end()
            raise StarlingError("the Java process has ended with code %s; the next fit starts another" % code) from None
        except KeyboardInterrupt:
            # A frame may have been torn; the process stops training and ends when its input does.
            self.end()
            raise

    def end(self):
        """Ends the process and returns its exit code."""
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        try:
            return self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


_lock = threading.Lock()
_child = None


def ask(header, arrays=None, progress=None, steps=None):
    """Sends a request to this process's child, which is started if it is not running."""
    global _child
    with _lock:
        if _child is not None and _child.owner != os.getpid():
            # That of the process that this one was forked from, which waits for it, too.
            _child.process.stdin.close()
            _child.process.stdout.close()
            _child.process.returncode = 0
            _child = None
        if _child is not None and _child.process.poll() is not None:
            _child.end()
            _child = None
        if _child is None:
            _child = _Child()
        size = sum(np.asarray(array).nbytes for array in (arrays or {}).values())
        if size > _child.most:
            raise MemoryError("rows of %.3g GB, of which the Java process takes at most %.3g GB; call starling.close() and set"
                              " STARLING_JAVA_OPTS=-Xmx%dg, or give float32" % (size / 1e9, _child.most / 1e9, -(-size * 9 // 2**32)))
        return _child.ask(header, arrays, progress, steps)


@atexit.register
def close():
    """Ends the child process, if there is one; the next fit starts another."""
    global _child
    child, _child = _child, None
    if child is not None and child.owner == os.getpid():
        child.end()
