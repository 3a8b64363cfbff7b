#!/usr/bin/env python3
"""Statistics of all pairs in i32, beside the same network in u16:

  bench/sparse/widths.py APSP [--times 50] [--random 1:60] [--rounds 3] [--at-most 1.25] [--threads 2] GRAPH...

Each GRAPH, any file that apsp reads, is solved with its weights, with weights that are `--times` as large, and with weights
divided so that every distance fits u16. `--random LOW:HIGH`: weights by a seed take the place of those of the file. A cell is
the least CPU seconds of the processes, in turns. Ends with 1 if a ratio to u16 exceeds `--at-most`."""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import harness

GREATEST_U16 = 32766


def cpu_seconds(words):
    """CPU seconds of a process, and what it prints."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(words)}: exit {process.returncode}")
    return usage.ru_utime + usage.ru_stime, json.loads(text)


def write_copy(lines, path, weight):
    with open(path, "w", encoding="utf-8") as out:
        for line in lines:
            if line.startswith("a "):
                _, tail, head, old = line.split()
                line = f"a {tail} {head} {weight(int(tail), int(head), int(old))}\n"
            out.write(line)


def row(options, graph, folder):
    plain, larger, narrow = (str(folder / name) for name in ("plain.gr", "larger.gr", "narrow.gr"))
    harness.run(options.apsp, "convert", graph, plain)
    lines = pathlib.Path(plain).read_text(encoding="utf-8").splitlines(keepends=True)
    if options.random:
        low, high = map(int, options.random.split(":"))
        drawn = lambda tail, head, _: random.Random(min(tail, head) << 32 | max(tail, head)).randint(low, high)
        write_copy(lines, plain, drawn)
        lines = pathlib.Path(plain).read_text(encoding="utf-8").splitlines(keepends=True)
    solve = lambda file, kind: [options.apsp, "solve", file, "--json", "--quiet", "--dtype", kind,
                                "--algorithm", "nested-dissection", "--threads", str(options.threads)]
    diameter = cpu_seconds(solve(plain, "i32"))[1]["statistics"]["diameter"]
    part = max(1, -(-int(diameter) // (GREATEST_U16 // 2)))  # rounding up may double a weight of 1
    write_copy(lines, narrow, lambda tail, head, old: -(-old // part))
    write_copy(lines, larger, lambda tail, head, old: old * options.times)
    runs = [solve(narrow, "u16"), solve(plain, "i32"), solve(larger, "i32")]
    least = [float("inf")] * len(runs)
    for turn in range(options.rounds):
        for i in range(len(runs)) if turn % 2 == 0 else reversed(range(len(runs))):
            least[i] = min(least[i], cpu_seconds(runs[i])[0])
    ratios = [seconds / least[0] for seconds in least[1:]]
    cells = [pathlib.Path(graph).name, f"{int(diameter):,}", *(f"{seconds:.2f} s" for seconds in least),
             *(f"{ratio:.2f}" for ratio in ratios)]
    return cells, max(ratios)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apsp")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--random")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--at-most", type=float, default=1.25)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("graphs", nargs="+", metavar="GRAPH")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [row(options, graph, pathlib.Path(folder)) for graph in options.graphs]
    print(harness.table(["graph", "diameter", "u16", "i32", f"i32 × {options.times}", "ratio", f"× {options.times}"],
                        [cells for cells, _ in rows], 1))
    return 1 if max(ratio for _, ratio in rows) > options.at_most else 0


if __name__ == "__main__":
    sys.exit(main())
