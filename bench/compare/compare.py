#!/usr/bin/env python3
"""Programs for shortest paths on the same graphs, questions and core.

    bench/compare/compare.py [--only RIVAL,...] [--questions QUESTION,...] [--limit SECONDS] [--core N] [--page]

Each folder next to this file is a rival. Its `install FOLDER` puts the program into FOLDER. Its `run QUESTION GRAPHS ANSWER`, with
FOLDER/bin first in PATH, reads graph.gr, graph.co and QUESTION.txt in GRAPHS, writes doubles to ANSWER and prints JSON: version,
prepare and answer (CPU seconds), memory (bytes); exit code 3: no such question. Each question is asked by up to three
processes on one core, and the least counts. Figures go to RIVAL/result.json; bench/results/compare.md is made of all
of these (--page: only that). Needs NumPy and SciPy (bench/peers/python-environment).
"""
import datetime
import json
import os
import pathlib
import resource
import subprocess
import sys

import numpy as np
from scipy.spatial import Delaunay

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
from harness import asked as words, commit, table  # noqa: E402

WORK = ROOT / "build/compare"
PAGE = ROOT / "bench/results/compare.md"
HEAD = """<!-- Written by bench/compare/compare.py from bench/compare/*/result.json. -->
# Next to other programs

One core of {machine}, {dates}; `bench/compare/compare.py`. Seconds are CPU seconds: the least
of three processes, or of one that took more than a fifth of the limit. *Prepare* is the program's own graph
and index, from arrays of arcs in memory; *answer* is the question itself. *MB* is the peak of the process, with interpreter and input.
Answers are equal, within 10⁻⁶ of their size, or the row says that they differ. The first row of a table is the least sum of both times.

To add a program, add a folder to `bench/compare`: [compare.py](../compare/compare.py) says what it holds, and [rival.py](../compare/python/rival.py) is most of it in Python.
cuGraph has no folder, because it needs a GPU.
"""


def dense(random):
    """A complete directed graph of 1,000 vertices, weights from 1 to 16."""
    weights = random.integers(1, 17, (1000, 1000))
    np.fill_diagonal(weights, 0)
    return *np.nonzero(weights), weights[weights > 0], random.random((1000, 2))


def roads(random, n):
    """A planar network: the Delaunay triangulation of random points, without the longest edge of each triangle."""
    places = random.random((n, 2)) * 1000 * np.sqrt(n)
    places = places[np.lexsort((places[:, 1], places[:, 0] // 20000))]
    corners = np.sort(Delaunay(places).simplices).astype(np.int64)
    edges = np.stack([corners[:, [0, 1]], corners[:, [0, 2]], corners[:, [1, 2]]], 1)  # [triangle, edge, end]
    lengths = np.hypot(*(places[edges[..., 0]] - places[edges[..., 1]]).transpose(2, 0, 1))
    longest = np.arange(3) == lengths.argmax(1)[:, None]
    keys = edges[..., 0] * n + edges[..., 1]
    keep = ~np.isin(keys, keys[longest])
    keys, first = np.unique(keys[keep], return_index=True)
    weights = 1 + lengths[keep][first].astype(np.int64)
    u, v = np.divmod(keys, n)
    return np.concatenate([u, v]), np.concatenate([v, u]), np.concatenate([weights, weights]), places


def links(random, n, arcs):
    """A directed graph with some vertices of high degree, all weights 1."""
    ends = (n * random.random((2, 2 * arcs)) ** [[1], [3]]).astype(np.int64)
    keys = np.unique(ends[0] * n + ends[1])
    u, v = np.divmod(random.permutation(keys)[:arcs], n)
    return u[u != v], v[u != v], np.ones((u != v).sum(), np.int64), random.random((n, 2))


QUESTIONS = {  # name: (in words, the graph, the numbers that are asked)
    "dense": ("all pairs of a complete graph, 1,000 vertices", dense, lambda r: []),
    "all_pairs": ("all pairs of a road network, 2,000 vertices", lambda r: roads(r, 2000), lambda r: []),
    "row": ("one source to all of 100,000 vertices of a road network", lambda r: roads(r, 100_000), lambda r: r.integers(0, 100_000, 1)),
    "rows": ("50 sources to all of these", lambda r: roads(r, 100_000), lambda r: r.integers(0, 100_000, 50)),
    "pairs": ("10,000 random pairs of these", lambda r: roads(r, 100_000), lambda r: r.integers(0, 100_000, 20_000)),
    "nearest": ("the distance from each of these to the nearest of 1,000 places", lambda r: roads(r, 100_000), lambda r: r.choice(100_000, 1000, replace=False)),
    "reached": ("how many of 20,000 vertices each reaches within a limit", lambda r: roads(r, 20_000), lambda r: [12_000]),
    "betweenness": ("betweenness of a network of links, 2,000 vertices, 10,000 arcs", lambda r: links(r, 2000, 10_000), lambda r: []),
}


def write(question):
    """The folder of a question: its graph and numbers, the same ones every time."""
    _, graph, numbers = QUESTIONS[question]
    tails, heads, weights, places = graph(np.random.default_rng(1))
    folder = WORK / "graphs" / question
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "graph.gr", "w") as file:
        file.write(f"p sp {len(places)} {len(tails)}\n")
        np.savetxt(file, np.column_stack([tails + 1, heads + 1, weights]), "a %d %d %d")
    np.savetxt(folder / "graph.co", np.column_stack([np.arange(len(places)) + 1, places]), "v %d %.3f %.3f")
    np.savetxt(folder / f"{question}.txt", np.asarray(numbers(np.random.default_rng(2)), np.int64), "%d")
    return folder


def ask(rival, question, folder, asked):
    """A result of the question, or the reason why there is none."""
    def limited():
        os.sched_setaffinity(0, [asked.core])
        resource.setrlimit(resource.RLIMIT_CPU, (asked.limit, asked.limit))

    environment = os.environ | {"PATH": f"{WORK / rival / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(HERE / "python"), "OMP_NUM_THREADS": "1"}
    best = None
    for _ in range(3):
        done = subprocess.run([HERE / rival / "run", question, folder, WORK / rival / "answer"], env=environment, preexec_fn=limited,
                              capture_output=True, text=True)
        if done.returncode == 3:
            return None
        if done.returncode < 0:
            return {"failed": f"more than {asked.limit} s" if done.returncode in (-9, -24) else f"signal {-done.returncode}"}
        if done.returncode:
            return {"failed": (done.stderr.strip().splitlines() or ["no reason given"])[-1][:200]}
        found, _ = json.JSONDecoder().raw_decode(done.stdout[done.stdout.find("{"):])  # a library may print, too
        answer, expected = np.fromfile(WORK / rival / "answer"), folder / "expected"
        if not expected.exists():
            answer.tofile(expected)
        expected = np.fromfile(expected)
        if answer.shape != expected.shape or not np.allclose(answer, expected, rtol=1e-6, atol=1e-6):
            return {"failed": "another answer than the first program's"}
        best = min(best or found, found, key=lambda one: one["prepare"] + one["answer"])
        if found["prepare"] + found["answer"] > asked.limit / 5:
            break
    return best


def measure(rival, asked):
    result = {"machine": next(line.split(": ")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
              "date": datetime.date.today().isoformat(), "commit": commit(), "limit": asked.limit, "results": {}}
    written = HERE / rival / "result.json"
    if written.exists() and len(asked.questions) < len(QUESTIONS):
        result["results"] = json.loads(written.read_text())["results"]
    if not (WORK / rival).exists():
        done = subprocess.run([HERE / rival / "install", WORK / rival], capture_output=True, text=True)
        if done.returncode:
            subprocess.run(["rm", "-rf", WORK / rival])
            result["failed"] = "not installed: " + (done.stderr.strip().splitlines() or ["no reason given"])[-1][:200]
    for question in asked.questions if "failed" not in result else ():
        result["results"].pop(question, None)
        found = ask(rival, question, WORK / "graphs" / question, asked)
        if found is not None:
            result["results"][question] = found
            print(rival, question, found, file=sys.stderr, flush=True)
        written.write_text(json.dumps(result, indent=1) + "\n")
    written.write_text(json.dumps(result, indent=1) + "\n")


def page():
    results = {path.parent.name: json.loads(path.read_text()) for path in sorted(HERE.glob("*/result.json"))}
    each = list(results.values())
    text = HEAD.format(machine=" and ".join(sorted({one["machine"] for one in each})), 
                       dates=" to ".join(sorted({one["date"] for one in each})[::max(1, len({one["date"] for one in each}) - 1)]))
    least = []
    for question, (words, *_) in QUESTIONS.items():
        given = {rival: one["results"][question] for rival, one in results.items() if question in one["results"]}
        ran = sorted((found["prepare"] + found["answer"], rival) for rival, found in given.items() if "answer" in found)
        rows = [[rival, *(f"{value:.3g}" for value in (given[rival]["prepare"], given[rival]["answer"], both, both / ran[0][0])),
                 f"{given[rival]['memory'] / 1e6:.0f}"] for both, rival in ran]
        rows += [[rival, found["failed"], "", "", "", ""] for rival, found in given.items() if "failed" in found]
        text += f"\n## {words[0].upper() + words[1:]}\n\n" + table(["program", "prepare, s", "answer, s", "both, s", "times the first", "MB"], rows, 1)
        if ran:
            least.append([words, ran[0][1], next((f"{both / ran[0][0]:.3g}" for both, rival in ran if rival == "apsp"), "no answer")])
    text += "\n## The fastest of each\n\n" + table(["question", "program", "apsp, times as long"], least, 2)
    versions = [[rival, next((found["version"] for found in one["results"].values() if "version" in found), one.get("failed", "no answer"))]
                for rival, one in results.items()]
    PAGE.write_text(text + "\n## Versions\n\n" + table(["program", "version, or why it did not run"], versions, 2))


def main():
    every = sorted(path.parent.name for path in HERE.glob("*/install"))
    asked = words(__doc__, only=",".join(every), questions=",".join(QUESTIONS), limit=10, core=min(os.sched_getaffinity(0)), page=False)
    asked.only, asked.questions = asked.only.split(","), asked.questions.split(",")
    if not asked.page:
        WORK.mkdir(parents=True, exist_ok=True)
        for question in asked.questions:
            write(question)
        for rival in sorted(asked.only, key=lambda name: (name != "scipy", name)):  # whose answers the others' must equal
            measure(rival, asked)
    page()


if __name__ == "__main__":
    main()
