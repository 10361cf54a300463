"""results.json: rewritten after every measurement, so that a run can be interrupted and resumed."""

import datetime
import json
import os
import platform
import re
import shutil
import subprocess


class Results:
    def __init__(self, path, fresh):
        self.path = path
        self.content = {"sections": {}}
        if not fresh and os.path.exists(path):
            with open(path) as file:
                self.content = json.load(file)

    def get(self, section, key):
        return self.content["sections"].get(section, {}).get(key)

    def section(self, section):
        return self.content["sections"].get(section, {})

    def put(self, section, key, value):
        self.content["sections"].setdefault(section, {})[key] = value
        self.save()

    def save(self):
        self.content["written"] = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        with open(self.path + ".part", "w") as file:
            json.dump(self.content, file, indent=1)
            file.write("\n")
        os.replace(self.path + ".part", self.path)


def first_line(*command):
    if not shutil.which(command[0]):
        return "missing"
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return ((done.stdout + done.stderr).strip().splitlines() or ["?"])[0]


def package(name):
    if not shutil.which("dpkg-query"):
        return "unknown"
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout.strip() or "missing"


def processor():
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("model name"):
                return re.sub(r"\s+", " ", line.split(":", 1)[1].strip())
    return platform.processor()


def machine(root):
    """The machine and the versions that the numbers were measured with."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memoryGB": round(memory / 1e9, 1),
        "system": first_line("uname", "-sr"),
        "java": first_line("java", "-version"),
        "liblinear": package("liblinear-tools"),
        "scikit-learn": package("python3-sklearn"),
        "openblas": package("libopenblas0-pthread"),
        "glmnet": package("r-cran-glmnet"),
        "quantreg": package("r-cran-quantreg"),
        "conquer": package("r-cran-conquer"),
        "statsmodels": package("python3-statsmodels"),
        "starling": first_line("git", "-C", root, "describe", "--always", "--dirty"),
        "loadAverageAtStart": round(os.getloadavg()[0], 2),
    }
