"""What docs/python.md shows is what happens, and the protocol's vectors are as this package writes and reads them."""

import contextlib
import doctest
import io
import json
import os
import re
import struct
import subprocess
import tempfile
import unittest

from . import support

from starling import _pipe


def page(name, folder="docs"):
    with open(os.path.join(support.ROOT, folder, name), encoding="utf-8") as file:
        return file.read()


class Docs(unittest.TestCase):

    def test_the_page_shows_what_happens(self):
        try:
            import pandas  # noqa: F401
            import sklearn  # noqa: F401
        except ImportError as e:
            self.skipTest(str(e))
        text = "\n".join(re.findall(r"```python\n(.*?)```", page("python.md"), re.S))
        test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", None, 0)
        self.assertGreater(len(test.examples), 10)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        report = []
        runner.run(test, out=report.append)
        self.assertEqual(runner.failures, 0, "".join(report))

    def test_the_readme_fits_what_it_says(self):
        try:
            import pandas  # noqa: F401
        except ImportError as e:
            self.skipTest(str(e))
        readme = page("README.md", "")
        here, printed = os.getcwd(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
            os.chdir(folder)
            try:
                subprocess.run(re.search(r"printf .*> claims.csv", readme).group(), shell=True, check=True)
                exec(re.search(r"```python\n(.*?)```", readme, re.S).group(1), {})
            finally:
                os.chdir(here)
        # R's glm: 2.253353, -0.0768963, 0.4492186.
        for row in (r"const +2\.2534 ", r"age +-0\.0769 ", r"city=Nice +0\.4492 "):
            self.assertRegex(printed.getvalue(), row)

    def test_frames_are_those_of_the_protocols_page(self):
        for vector in re.search(r"```vectors\n(.*?)\n```", page("pipe.md"), re.S).group(1).split("\n\n"):
            sent = [line[2:] for line in vector.split("\n") if line.startswith("> ")]
            digits, header = re.match(r"([0-9a-f ]+)(\{.*)", sent[0]).groups()
            arrays = dict(line.split(" ", 1) for line in sent[1:])
            size = sum(len(bytes.fromhex(array)) for array in arrays.values())
            self.assertEqual(bytes.fromhex(digits), struct.pack("<4sIQ", b"STRL", len(header.encode()), size))
            request = json.loads(header)
            listed = {each["name"]: _pipe._TYPES[each["type"]].itemsize * each["length"] for each in request.get("arrays", [])}
            self.assertEqual(listed, {name: len(bytes.fromhex(array)) for name, array in arrays.items()})


if __name__ == "__main__":
    unittest.main()
