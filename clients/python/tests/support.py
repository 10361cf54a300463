"""Where the tests find Starling."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PACKAGE = os.path.dirname(HERE)
if PACKAGE not in sys.path:
    sys.path.insert(0, PACKAGE)
os.environ.setdefault("STARLING_JAR", os.path.join(ROOT, "serve", "target", "starling-serve.jar"))
