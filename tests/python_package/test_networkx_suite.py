"""NetworkX's own tests, as installed, through the backend: all pass, none is skipped for it, and
every function that the backend names computes."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from _nx_apsp import function_names, networkx_version

HERE = pathlib.Path(__file__).parent
MODULES = """
networkx.algorithms.shortest_paths
networkx.algorithms.tests.test_distance_measures
networkx.algorithms.tests.test_efficiency
networkx.algorithms.tests.test_wiener
networkx.algorithms.tests.test_dag
networkx.algorithms.tests.test_vitality
networkx.algorithms.centrality.tests.test_betweenness_centrality
networkx.algorithms.centrality.tests.test_closeness_centrality
networkx.algorithms.centrality.tests.test_harmonic_centrality
networkx.algorithms.centrality.tests.test_reaching
""".split()
# NetworkX 3.7 does not test it; test_networkx_results.py does.
UNTESTED = {"floyd_warshall"} if networkx_version() >= (3, 7) else set()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    calls = tmp_path_factory.mktemp("suite") / "calls.json"
    environment = {**os.environ, "NETWORKX_TEST_BACKEND": "apsp", "NETWORKX_FALLBACK_TO_NX": "True",
                   "APSP_CALLS": str(calls)}
    environment["PYTHONPATH"] = os.pathsep.join([str(HERE), environment.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "networkx_calls", "--pyargs", *MODULES],
        env=environment, capture_output=True, text=True, timeout=600)
    return done, json.loads(calls.read_text()) if calls.exists() else {}


def test_all_of_them_pass(run):
    done, _ = run
    last = done.stdout.strip().splitlines()[-1]
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert "passed" in last
    assert not any(word in last for word in ("failed", "skipped", "xfailed", "error")), last


@pytest.mark.parametrize("name", sorted(set(function_names()) - UNTESTED))
def test_function_computes(run, name):
    _, calls = run
    assert name in calls
    assert calls[name]["returned"] > 0
    assert calls[name]["forwarded"] == 0
