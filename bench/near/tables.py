#!/usr/bin/env python3
"""Tables of distances on a generated road network: how long each takes, by the clock and in CPU seconds.

    bench/near/tables.py [--apsp PROGRAM] [--vertices N] [--rounds R] [--folder FOLDER]

A table of 10,000 x 10,000 as .npy and one of 10^7 rows as Parquet and CSV, from a stored factor and from the graph, and
one with second weights. The least time of all rounds counts. Some rows are compared with SciPy's Dijkstra, whose time for all rows
is extrapolated. The time that the same bytes take to be written and synced tells what the disk allows.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pyarrow.parquet
from scipy.sparse import coo_array, csgraph

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import asked, copy_seconds, read_arcs, timed  # noqa: E402

ROWS_OF_SCIPY = 5


def run(words, rounds=1):
    """(the least seconds, CPU seconds of that run)."""
    return min(timed(lambda: subprocess.run(list(map(str, words)), check=True))[1] for _ in range(rounds))


def matrix_of(path):
    arcs = np.array(list(read_arcs(path)))
    n = int(next(line for line in open(path) if line.startswith("p ")).split()[2])
    return coo_array((arcs[:, 2].astype(float), (arcs[:, 0], arcs[:, 1])), shape=(n, n)).tocsr()


def main():
    options = asked(__doc__, apsp="build/release/bin/apsp", vertices=1280000, rounds=2, folder=None)
    apsp = os.path.abspath(options.apsp)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        os.chdir(folder)
        run([apsp, "generate", "roads", "r.gr", "--vertices", options.vertices, "--undirected", "--seed", 3, "--quiet"])
        made = run([apsp, "solve", "r.gr", "-o", "r.zarr", "--keep", "factor", "--no-statistics", "--quiet"])
        print(f"factor: {made[0]:.1f} s, {made[1]:.1f} CPU s", file=sys.stderr)
        print("| table | from | s | CPU s | MB | s to write so many bytes |\n|---|---|---:|---:|---:|---:|")

        def row(what, words, output, rounds=options.rounds):
            seconds, cpu = run([apsp, "distance", *words, "-o", output, "--quiet"], rounds)
            print(f"| {what} | {words[0]} | {seconds:.1f} | {cpu:.1f} | {os.path.getsize(output) / 1e6:.0f} | "
                  f"{copy_seconds(os.curdir, os.path.getsize(output)):.1f} |", flush=True)

        square = ["--sources", "random:10000", "--targets", "random:10000"]
        row("10,000 x 10,000 .npy", ["r.zarr", *square], "t.npy")
        row("10,000 x 10,000 .npy", ["r.gr", *square], "t.npy", 1)
        many = ["--sources", "random:2500", "--targets", "random:4000"]
        row("10^7 rows .parquet", ["r.zarr", *many], "t.parquet")
        row("10^7 rows .parquet", ["r.gr", *many], "t.parquet", 1)
        row("10^7 rows .csv", ["r.zarr", *many], "t.csv")
        row("40 x 25,000 .parquet, with second lengths", ["r.zarr", "--sources", "random:40", "--targets", "random:25000",
                                                          "--second", "r.gr"], "s.parquet", 1)

        table = pyarrow.parquet.read_table("t.parquet")
        sources = table["from"].to_numpy().reshape(2500, 4000)[:, 0]  # from 0, as generated graphs count
        targets = table["to"].to_numpy()[:4000]
        expected, (taken, _) = timed(lambda: csgraph.dijkstra(matrix_of("r.gr"), indices=sources[:ROWS_OF_SCIPY]))
        assert (expected[:, targets] == table["distance"].to_numpy().reshape(2500, 4000)[:ROWS_OF_SCIPY]).all()
        lengths = pyarrow.parquet.read_table("s.parquet")
        assert lengths["second"].equals(lengths["distance"])
        print(f"SciPy: {ROWS_OF_SCIPY} rows equal; all 2,500 would take some {taken / ROWS_OF_SCIPY * 2500:.0f} s",
              file=sys.stderr)


if __name__ == "__main__":
    main()
