"""bench/compare/compare.py with programs that answer, answer wrongly, fail, take too long and cannot be installed."""

import json
import sys

import numpy as np
import pytest

from conftest import ROOT

pytest.importorskip("scipy")
sys.path.insert(0, str(ROOT / "bench/compare"))
import compare  # noqa: E402

ANSWER = """#!/usr/bin/env python3
import json, pathlib, sys
if sys.argv[1] != "ask": sys.exit(3)
text = (pathlib.Path(sys.argv[2]) / "graph.gr").read_text()
pathlib.Path(sys.argv[3]).write_bytes(bytes(8 * text.count("a ")){more})
print(json.dumps({{"version": "1", "prepare": {seconds}, "answer": {seconds}, "memory": 2000000}}))
"""
RUNS = {"apsp": ANSWER.format(seconds=0.5, more=""), "faster": ANSWER.format(seconds=0.25, more=""),
        "wrong": ANSWER.format(seconds=0.1, more="[8:]"), "broken": "#!/bin/sh\necho it broke >&2\nexit 1\n",
        "slow": "#!/bin/sh\nwhile :; do :; done\n", "absent": "#!/bin/sh\nexit 0\n"}


def test_every_failure_is_a_row_and_who_is_faster_is_told(tmp_path, monkeypatch):
    for rival, run in RUNS.items():
        (tmp_path / rival).mkdir()
        (tmp_path / rival / "install").write_text('#!/bin/sh\nmkdir -p "$1"\n' if rival != "absent" else "#!/bin/sh\necho no such package >&2\nexit 1\n")
        (tmp_path / rival / "run").write_text(run)
        for name in ("install", "run"):
            (tmp_path / rival / name).chmod(0o755)
    graph = np.array([0, 1]), np.array([1, 2]), np.array([5, 6]), np.zeros((3, 2))
    words = {"ask": ("a question", lambda random: graph, lambda random: []), "other": ("another", lambda random: graph, lambda random: [7])}
    for name, value in {"HERE": tmp_path, "WORK": tmp_path / "work", "PAGE": tmp_path / "page.md", "QUESTIONS": words}.items():
        monkeypatch.setattr(compare, name, value)
    monkeypatch.setattr(sys, "argv", ["compare.py", "--limit", "1", "--only", ",".join(RUNS), "--questions", "ask,other"])
    compare.main()
    assert (tmp_path / "work/graphs/ask/graph.gr").read_text() == "p sp 3 2\na 1 2 5\na 2 3 6\n"
    assert json.loads((tmp_path / "apsp/result.json").read_text())["results"]["ask"]["answer"] == 0.5
    page = (tmp_path / "page.md").read_text()
    for row in ("| faster | 0.25 | 0.25 | 0.5 | 1 | 2 |", "| apsp | 0.5 | 0.5 | 1 | 2 | 2 |", "| wrong | another answer than the first program's |",
                "| broken | it broke |", "| slow | more than 1 s |", "| absent | not installed: no such package |", "| a question | faster | 2 |"):
        assert row in page, page


@pytest.mark.parametrize("n", [50, 2000])
def test_generated_roads_are_connected_and_go_both_ways(n):
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    tails, heads, weights, places = compare.roads(np.random.default_rng(1), n)
    matrix = coo_array((weights, (tails, heads)), shape=(n, n)).tocsr()
    assert connected_components(matrix, connection="strong")[0] == 1
    assert (matrix != matrix.T).nnz == 0 and weights.min() >= 1 and len(places) == n
    assert len(set(zip(tails.tolist(), heads.tolist()))) == len(tails) < 6 * n
