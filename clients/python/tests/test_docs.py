"""What docs/python.md shows is what happens, and the protocol's vectors are as this package writes and reads them."""

import doctest
import json
import os
import re
import struct
import unittest

from . import support

from starling import _pipe


def page(name):
    with open(os.path.join(support.ROOT, "docs", name), encoding="utf-8") as file:
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
