#!/usr/bin/env python3
"""Solves of one graph in i32, f32 and f64, all pairs to statistics, in turns:

  bench/sparse/value_types.py APSP GRAPH.mtx [--rounds 3] [--greatest 60] [--threads 2]

The edges of the Matrix Market file get integer weights from 1 to --greatest by a seed, and, as real
weights, fractions on top. A row for each solve: the least CPU seconds of all rounds, and the ratio
to i32. Statistics of equal weights must be equal in all types, or the run ends with 1."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

SOLVES = [("whole", "i32"), ("whole", "f32"), ("fractions", "f32"), ("whole", "f64"), ("fractions", "f64")]


def write_graphs(source, greatest, folder):
    draw = random.Random(1)
    with open(source) as file:
        size, *edges = [line.split() for line in file if not line.startswith("%")]
    whole = [draw.randint(1, greatest) for _ in edges]
    weights = {"whole": whole, "fractions": [round(weight + draw.random(), 6) for weight in whole]}
    for name, values in weights.items():
        with open(f"{folder}/{name}.mtx", "w") as file:
            kind = "integer" if name == "whole" else "real"
            print(f"%%MatrixMarket matrix coordinate {kind} symmetric\n{' '.join(size[:2])} {len(edges)}", file=file)
            for (row, column, *_), value in zip(edges, values):
                print(row, column, value, file=file)


def solve(options, folder, name, kind):
    """CPU seconds, and the statistics."""
    words = [options.apsp, "solve", f"{folder}/{name}.mtx", "--dtype", kind, "--threads", str(options.threads),
             "--json", "--quiet"]
    child = subprocess.Popen(words, stdout=subprocess.PIPE)
    answer = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{' '.join(words)}: ended with status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime, json.loads(answer)["statistics"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apsp", type=os.path.abspath)
    parser.add_argument("graph")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--greatest", type=int, default=60)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    os.environ["APSP_MEASURE"] = "never"
    with tempfile.TemporaryDirectory() as folder:
        write_graphs(options.graph, options.greatest, folder)
        rounds = [[solve(options, folder, *one) for one in SOLVES] for _ in range(options.rounds)]
    least = [min(seconds for seconds, _ in runs) for runs in zip(*rounds)]
    print("| weights | type | CPU seconds | by i32 |\n|---|---|---:|---:|")
    for (name, kind), seconds in zip(SOLVES, least):
        print(f"| {name} | {kind} | {seconds:.2f} | {seconds / least[0]:.2f} |")
    of_whole = [found for (name, _), (_, found) in zip(SOLVES, rounds[0]) if name == "whole"]
    sys.exit(any(found != of_whole[0] for found in of_whole))


if __name__ == "__main__":
    main()
