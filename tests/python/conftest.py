"""Fixtures for tests of the built `apsp` program.

APSP_BIN names the program. Every test runs in its own folder, in a UTF-8 locale and without a
terminal, unless it asks for something else.
"""

import atexit
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_configure(config):
    config.addinivalue_line("markers", "each_mpi: run under every MPI, not only the default one")


# Tests leave the user's own cache alone, and measure nothing unless they mean to.
CACHE = tempfile.mkdtemp(prefix="apsp-cache-")
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)

# A small railway: two ways from Aachen to Dortmund, Emden apart from the rest.
CITIES = """# from to minutes
Aachen,Bonn,30
Bonn,Cologne,20
Aachen,Cologne,60
Cologne,Dortmund,70
Bonn,Dortmund,100
Emden,Emden,5
"""

# 1 -> 2 -> 3 -> 1 weighs -2.
NEGATIVE_CYCLE = """c a loop that pays
p sp 4 4
a 1 2 1
a 2 3 -4
a 3 1 1
a 3 4 7
"""


def binary():
    path = os.environ.get("APSP_BIN")
    if not path:
        pytest.skip("APSP_BIN names no apsp")
    return os.path.abspath(path)


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "LC_ALL", "LC_CTYPE")}
    env.update({"LANG": "C.UTF-8", "TERM": "xterm-256color", "OMP_NUM_THREADS": "2",
                "APSP_CACHE_DIR": CACHE, "APSP_MEASURE": "never"})
    env.update(changes)
    return env


class Outcome:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def json(self):
        """The one object on standard output, valid by the published schema."""
        document = json.loads(self.out)
        schema = json.loads((ROOT / "docs" / "schema.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(document)
        return document


@pytest.fixture
def run(tmp_path):
    """run("solve", "a.csv", input=…, code=…): runs apsp in the test's folder, checks its exit code
    (unless None), returns what it printed."""

    def call(*words, code=0, input=None, env=None, stdout=subprocess.PIPE, raw=False):
        done = subprocess.run(
            [binary(), *map(str, words)],
            cwd=tmp_path,
            env=environment(**(env or {})),
            input=input.encode() if isinstance(input, str) else input if input else b"",
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=60,
        )
        out = done.stdout or b""
        err = done.stderr.decode(errors="replace")
        if code is not None:
            assert done.returncode == code, f"exit code {done.returncode}\n{err}"
        return Outcome(done.returncode, out if raw else out.decode(errors="replace"), err)

    return call


@pytest.fixture
def cities(tmp_path):
    path = tmp_path / "cities.csv"
    path.write_text(CITIES)
    return path.name


@pytest.fixture
def negative(tmp_path):
    path = tmp_path / "negative.gr"
    path.write_text(NEGATIVE_CYCLE)
    return path.name


@pytest.fixture
def solved(run, cities):
    """The railway's distances, both ways, in a .zarr."""
    run("solve", cities, "--undirected", "-o", "cities.zarr", "--quiet")
    return "cities.zarr"


from doors import door  # noqa: E402, F401: the fixture of tests through both doors
