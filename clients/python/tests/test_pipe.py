"""The child process: found or missed in words, killed, interrupted, and never left behind."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from . import support

import numpy as np

import starling
from starling import _pipe

ROWS = np.arange(40.0).reshape(20, 2) % 7
TARGET = ROWS[:, 0] + 0.5


class Pipe(unittest.TestCase):

    def tearDown(self):
        starling.close()

    def test_a_killed_process_is_reported_and_replaced(self):
        starling.Ridge().fit(ROWS, TARGET)
        _pipe._child.process.kill()
        _pipe._child.process.wait()
        starling.Ridge().fit(ROWS, TARGET)  # it was dead before: a new one
        child = _pipe._child
        child.process.kill()
        with self.assertRaisesRegex(starling.StarlingError, "ended with code -9"):
            child.ask({"op": "hello"})
        starling.Ridge().fit(ROWS, TARGET)

    def run_with(self, **environment):
        code = ("import sys; sys.path.insert(0, %r); import numpy as np, starling\n"
                "try: starling.Ridge().fit(np.eye(3), np.arange(3.))\n"
                "except starling.StarlingError as e: print(e)" % support.PACKAGE)
        variables = {name: value for name, value in dict(os.environ, **environment).items() if value is not None}
        return subprocess.run([sys.executable, "-c", code], env=variables, stdout=subprocess.PIPE, text=True, check=True).stdout

    def test_no_java_and_old_java_are_told_apart(self):
        self.assertRegex(self.run_with(JAVA_HOME=None, PATH="/nonexistent"), "no java found; install Java 17")
        self.assertRegex(self.run_with(JAVA_HOME="/nonexistent"), "JAVA_HOME is /nonexistent, which has no bin/java")
        with tempfile.TemporaryDirectory() as home:
            os.mkdir(os.path.join(home, "bin"))
            java = os.path.join(home, "bin", "java")
            with open(java, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n")
            os.chmod(java, os.stat(java).st_mode | stat.S_IEXEC)
            with open(os.path.join(home, "release"), "w", encoding="ascii") as file:
                file.write('JAVA_VERSION="1.8.0_392"\n')
            self.assertRegex(self.run_with(JAVA_HOME=home), "is Java 8; Starling needs Java 17")
        self.assertRegex(self.run_with(STARLING_JAR="/nonexistent.jar"), "/nonexistent.jar is missing")

    def test_a_java_that_cannot_start_is_reported(self):
        self.assertRegex(self.run_with(STARLING_JAVA_OPTS="-Xmx1k"), "ended with code 1")

    def test_rows_that_do_not_fit_are_refused_before_they_are_sent(self):
        os.environ["STARLING_JAVA_OPTS"] = "-Xmx64m"
        try:
            starling.close()
            rows, target = np.arange(8e6).reshape(-1, 8) % 1009, np.arange(1e6)
            with self.assertRaisesRegex(MemoryError, r"call starling.close\(\) and set STARLING_JAVA_OPTS=-Xmx1g"):
                starling.Ridge().fit(rows, target)
            # The collector keeps a part of one gigabyte, so that half of it is too much for -Xmx1g.
            with self.assertRaisesRegex(MemoryError, "STARLING_JAVA_OPTS=-Xmx2g"):
                starling._pipe.ask({}, {"x": np.broadcast_to(1.0, 60_000_000)})
            starling.Ridge().fit(ROWS, TARGET)
            # What the message says suffices.
            starling.close()
            os.environ["STARLING_JAVA_OPTS"] = "-Xmx1g"
            self.assertTrue(starling.Ridge().fit(rows, target).certified_)
        finally:
            starling.close()
            del os.environ["STARLING_JAVA_OPTS"]

    @unittest.skipIf(signal.getsignal(signal.SIGINT) == signal.SIG_IGN, "SIGINT is ignored here, as in a background job")
    def test_an_interrupt_ends_the_fit_and_leaves_nothing_running(self):
        code = ("import sys; sys.path.insert(0, %r); import numpy as np, starling\n"
                "from starling import _pipe\n"
                "X = np.random.default_rng(0).normal(size=(20000, 20)); y = np.sign(X[:, 0] + X[:, 1])\n"
                "try:\n"
                "    _pipe.ask({'op': 'hello'}); print(_pipe._child.process.pid, flush=True)\n"
                "    _pipe.ask({'op': 'fit', 'features': 20, 'settings': {'loss': 'hinge', 'method': 'adfs', 'lambda': 1e-9,\n"
                "               'gap': 1e-12, 'max-epochs': 1e9}}, {'x': X.ravel(), 'y': y})\n"
                "except KeyboardInterrupt: print('interrupted', flush=True)\n"
                "starling.Ridge().fit(X, y); print('went on', flush=True)" % support.PACKAGE)
        process = subprocess.Popen([sys.executable, "-c", code], env=os.environ, stdout=subprocess.PIPE, text=True)
        child = int(process.stdout.readline())
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=30)[0], "interrupted\nwent on\n")
        with self.assertRaises(ProcessLookupError):
            os.kill(child, 0)

    def test_the_process_ends_with_python_however_that_ends(self):
        code = ("import sys, os; sys.path.insert(0, %r); from starling import _pipe\n"
                "_pipe.ask({'op': 'hello'}); print(_pipe._child.process.pid, flush=True); os._exit(3)" % support.PACKAGE)
        pid = int(subprocess.run([sys.executable, "-c", code], env=os.environ, stdout=subprocess.PIPE, check=False).stdout)
        for _ in range(100):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
        self.fail("process %d is still there" % pid)

    def test_forked_processes_have_children_of_their_own(self):
        starling.Ridge().fit(ROWS, TARGET)
        mine = _pipe._child.process.pid
        reading, writing = os.pipe()
        fork = os.fork()
        if fork == 0:
            starling.Ridge().fit(ROWS, TARGET)
            os.write(writing, b"%d" % _pipe._child.process.pid)
            starling.close()
            os._exit(0)
        os.waitpid(fork, 0)
        self.assertNotEqual(int(os.read(reading, 20)), mine)
        starling.Ridge().fit(ROWS, TARGET)
        self.assertEqual(_pipe._child.process.pid, mine)


if __name__ == "__main__":
    unittest.main()
