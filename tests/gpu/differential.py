#!/usr/bin/env python3
"""Random solves of sparse graphs by a GPU and by the CPU, compared.

  tests/gpu/differential.py APSP [--runs N] [--jobs N] [--seed N]

Every run draws a graph, an engine, a type of values and what is asked for: statistics of all pairs,
a table of all or some sources and targets, or a .zarr with predecessors. Whole distances, their
predecessors and their statistics must be the same. `apsp verify` checks all predecessors.
Real ones may differ by the rounding of a path's sums. Prints each run that differs, and the table of
what was drawn. Ends with 1 if any differed, or if the GPU refused what the table below says it takes."""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

KINDS = {
    "grid": lambda r: ["--vertices", str(r.choice([36, 400, 1600]))],
    "roads": lambda r: ["--vertices", str(r.choice([60, 700, 2500]))],
    "gnp": lambda r: ["--vertices", str(r.choice([50, 500])), "--probability", "0.01"],
    "rmat": lambda r: ["--vertices", str(r.choice([64, 900])), "--edges", str(r.choice([500, 4000]))],
    "geometric": lambda r: ["--vertices", str(r.choice([80, 1200]))],
}
RELATIVE = {"f32": 1e-5, "f64": 1e-13}  # of a distance: paths of up to some hundred arcs


def draw(r):
    """The words of `apsp generate`, those of `apsp solve`, and how many vertices are listed."""
    kind = r.choice(list(KINDS))
    engine = r.choice(["nested-dissection"] * 3 + ["johnson"] * 3 + ["boundary", "bfs"])
    dtype = r.choice(["auto", "i32", "f32", "f64"])
    graph = [*KINDS[kind](r), "--seed", str(r.randrange(1 << 30))]
    directed = r.random() < 0.5
    negative = directed and engine != "bfs" and dtype in ("auto", "i32", "f64") and r.random() < 0.3
    real = not negative and engine != "bfs" and dtype in ("f32", "f64") and r.random() < 0.7
    graph += ["--directed"] if directed else ["--undirected"]
    graph += ["--negative"] if negative else []
    graph += ["--real"] if real else []
    if engine == "bfs":
        graph += ["--weights", "1:1"]
    elif not real and not negative and dtype != "f32":
        graph += ["--weights", r.choice(["1:100", "1:1", "0:40", "1:900000"])]
    solve = ["--algorithm", engine] + (["--dtype", dtype] if dtype != "auto" else [])
    asked = r.choice(["statistics", "all", "sources", "targets", "both", "predecessors"])
    return kind, graph, solve, asked, real


def run(apsp, words, folder):
    done = subprocess.run([apsp, *words, "--quiet"], capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        raise RuntimeError(f"apsp {' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def same(a, b, relative):
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k], relative) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(lambda x, y: same(x, y, relative), a, b))
    if isinstance(a, float) and isinstance(b, (int, float)) and relative:
        return math.isclose(a, b, rel_tol=20 * relative)
    return a == b


def chunks_of(path):
    """The bytes of all chunks of distances and predecessors."""
    chunks = {}
    for plane in ("distance", "predecessor"):
        for file in pathlib.Path(path, plane, "c").rglob("*"):
            if file.is_file():
                chunks[str(file.relative_to(path))] = file.read_bytes()
    if not any(name.startswith("predecessor") for name in chunks):
        raise ValueError(f"{path} holds no predecessors")
    return chunks


# With real weights two ways round may tie but for rounding, and then name other vertices.
NAMES_VERTICES = ("from", "to", "vertex", "vertices", "central", "histogram", "diametral", "center", "farthest")


def plain(statistics):
    if not isinstance(statistics, dict):
        return statistics
    return {k: plain(v) for k, v in statistics.items() if not any(word in k for word in NAMES_VERTICES)}


def compare(apsp, device, seed):
    r = random.Random(seed)
    kind, graph, solve, asked, real = draw(r)
    what = f"{kind} {' '.join(graph)}: {' '.join(solve)}, {asked}"
    with tempfile.TemporaryDirectory() as folder:
        run(apsp, ["generate", kind, "g.gr", *graph], folder)
        lines = pathlib.Path(folder, "g.gr").read_text().splitlines()
        n = next(int(line.split()[2]) for line in lines if line.startswith("p "))
        listed = []
        for option in ("sources", "targets"):
            if asked in (option, "both"):
                some = r.sample(range(n), r.randint(1, min(n, 40)))
                listed += [f"--{option}", ",".join(map(str, some))]
        words = ["solve", "g.gr", *solve, *listed]
        found = []
        for name, where in (("there", device), ("here", "cpu")):
            more = (["--json"] if asked == "statistics"
                    else ["-o", f"{name}.zarr", "--predecessors"] if asked == "predecessors"
                    else ["-o", f"{name}.npy", "--no-statistics"])
            printed = run(apsp, [*words, "--device", where, *more], folder)
            if asked == "statistics":
                report = json.loads(printed)
                found.append(report["statistics"])
            elif asked == "predecessors":
                run(apsp, ["verify", f"{name}.zarr", "g.gr"], folder)
                found.append(chunks_of(os.path.join(folder, f"{name}.zarr")))
            else:
                found.append(np.load(os.path.join(folder, f"{name}.npy")))
    dtype = next((w for w in solve if w in RELATIVE), "")
    signs = "of both signs" if "--negative" in graph else ""
    relative = RELATIVE.get(dtype, 0) if real else 0
    there, here = found
    if asked == "predecessors":
        agrees = bool(relative) or there == here  # of rounded distances, `apsp verify` has judged
    elif asked == "statistics":
        agrees = same(plain(there), plain(here), relative) if relative else there == here
    else:
        agrees = there.dtype == here.dtype and there.shape == here.shape and (
            np.array_equal(there, here) if not relative
            else bool(np.allclose(there, here, rtol=relative, atol=0)))
    return what, (solve[1], dtype or "whole", asked, signs), agrees


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apsp")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    parser.add_argument("--device", default="cuda", help="cpu: a trial of this program itself")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    apsp = os.path.abspath(options.apsp)
    drawn, wrong = collections.Counter(), 0
    os.environ.setdefault("OMP_NUM_THREADS", "2")

    def one(seed):
        try:
            return compare(apsp, options.device, seed)
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            return f"seed {seed}: {error}", ("failed", "", "", ""), False

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for what, kind, agrees in pool.map(one, range(options.seed, options.seed + options.runs)):
            drawn[kind] += 1
            if not agrees:
                wrong += 1
                print(f"differs: {what}")
    for (engine, dtype, asked, signs), count in sorted(drawn.items()):
        print(f"{engine:18} {dtype:6} {asked:11} {signs:14} {count}")
    print(f"{options.runs} solves from seed {options.seed} on: {wrong} differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
