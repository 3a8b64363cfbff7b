#!/usr/bin/env python3
"""How fast text becomes a graph: every format, some 100 MB each.

    bench/parse.py [--folder FOLDER] [--rounds R] [WORD ...]

Rows "in_order" are those of a road network or a mesh as it is published: sorted by their first end, the other end near
it. In all other files but METIS's both ends are uniform at random among a million vertices and the rows in no order,
which is the worst case for the sort into rows and for the table of names. OMP_NUM_THREADS says how many threads read.
The target is 300 MB/s a core from file to finished graph. Files stay in --folder for the next run; without it they live
as long as their measurement. WORD: only files whose names hold one of them.
"""
import multiprocessing
import os
import pathlib
import resource
import sys
import tempfile

import numpy as np

import apsp
from harness import asked, timed

VERTICES, EDGES, NEAR = 1_000_000, 6_000_000, 1000
MARKET = f"%%MatrixMarket matrix coordinate {{}} general\n{VERTICES} {VERTICES} {EDGES}\n"
SPACED = "%d %d %d\n"


def whole(random):
    return random.integers(1, 1001, EDGES)


REALS = "%d,%d,%.6f\n", lambda random: 100 * random.random(EDGES)
RELATIONS = "%d|%d|%d\n", lambda random: -random.integers(0, 2, EDGES)
ORDERED = "", "_in_order"
FILES = {  # name: (suffix, head, a row of both ends and a value, what draws the values)
    name + order: file for orders, name, *file in (
        (ORDERED, "edge_list", ".txt", "", SPACED, whole),
        ([""], "edge_list_directed", ".txt", "# directed\n", SPACED, whole),
        (ORDERED, "edge_list_unit", ".txt", "", "%d\t%d\n", None),
        (ORDERED, "edge_list_named", ".txt", "", "person_%d person_%d %d\n", whole),
        (ORDERED, "csv_six_decimals", ".csv", "", *REALS),
        (ORDERED, "matrix_market", ".mtx", MARKET.format("integer"), SPACED, whole),
        ([""], "matrix_market_reals", ".mtx", MARKET.format("real"), "%d %d %.15g\n", lambda random: random.random(EDGES)),
        ([""], "dimacs", ".gr", f"p sp {VERTICES} {EDGES}\n", "a " + SPACED, whole),
        ([""], "metis", ".graph", f"{VERTICES} {EDGES} 1\n", None, whole),
        (ORDERED, "as_rel", ".as-rel.txt", "# relations\n", *RELATIONS)) for order in orders}


def write(path, name):
    _, head, row, values = FILES[name]
    random, number = np.random.default_rng(7), np.arange(EDGES)
    if name.endswith("_in_order"):
        tails = number * VERTICES // EDGES
        heads = (tails + 1 + random.integers(0, NEAR, EDGES)) % VERTICES
    else:  # every vertex has a row: no labels are needed
        tails = np.where(number < VERTICES, number, random.integers(0, VERTICES, EDGES))
        heads = (tails + 1 + random.integers(0, VERTICES - 1, EDGES)) % VERTICES
    columns = [tails + 1, heads + 1] + ([values(random)] if values else [])
    with open(path, "w") as file:
        file.write(head)
        if row:
            file.writelines(map(row.__mod__, zip(*(column.tolist() for column in columns))))
            return
        lines = [[] for _ in range(VERTICES)]  # of METIS: each edge is in the lines of both its ends
        for tail, head, weight in zip(*(column.tolist() for column in columns)):
            lines[tail - 1].append(f"{head} {weight}")
            lines[head - 1].append(f"{tail} {weight}")
        file.writelines(" ".join(line) + "\n" for line in lines)


def main():
    options = asked(__doc__, "words*", folder=None, rounds=3)
    with tempfile.TemporaryDirectory() as scratch:
        for name in FILES:
            if options.words and not any(word in name for word in options.words):
                continue
            path = pathlib.Path(options.folder or scratch) / f"apsp-parse-{name}{FILES[name][0]}"
            if not path.exists():  # by another process, whose memory is not counted
                writing = multiprocessing.get_context("fork").Process(target=write, args=(path, name))
                writing.start()
                writing.join()
                if writing.exitcode:
                    sys.exit(path.unlink() or f"{path} was not written whole")
            seconds, cpu = map(min, zip(*(timed(lambda: apsp.read(str(path)))[1] for _ in range(options.rounds))))
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            print(f"{path.name:<40} {seconds * 1e3:8.1f} ms {cpu * 1e3:8.1f} CPU ms {os.path.getsize(path) / seconds / 1e6:8.1f} MB/s, "
                  f"most memory {most / 1e6:.0f} MB", flush=True)
            if not options.folder:
                path.unlink()


if __name__ == "__main__":
    main()
