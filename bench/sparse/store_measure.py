#!/usr/bin/env python3
"""What bench/sparse/store measures: rows to a .zarr, and dd, by turns on one disk."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import answer, asked, copy_seconds, run, table, timed  # noqa: E402

CHECKED_ROWS = 16


def line(name, row):
    return [name, f"{row['bytes'] / 2**30:.2f} GiB", *(f"{value:.2f}" for value in (
        row["dd"], row["total"], row["solve"], row["total"] / row["dd"], row["process"], row["process"] / row["dd"]))]


def main():
    options = asked(__doc__, "graph", build=pathlib.Path, sources=20_000, threads=os.cpu_count(), folder=".", repeat=3,
                    output=(pathlib.Path,))
    binaries = options.build / "bin"
    apsp = binaries / "apsp"
    rows = []
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        graph, out = folder / "graph.gr", folder / "rows.zarr"
        facts = answer(binaries / "apsp_prepare_graph", options.graph, graph, "--random", 100)
        for _ in range(options.repeat):
            os.sync()
            told, (process, _) = timed(lambda: answer(apsp, "solve", graph, "-o", out, "--sources", f"random:{options.sources}",
                                                      "--threads", options.threads, "--device", "cpu", "--json"))
            report, size = told["report"], told["report"]["bytes_matrix"]
            run(apsp, "verify", out, "--sample", CHECKED_ROWS)
            subprocess.run(["rm", "-rf", out], check=True)
            rows.append({"bytes": size, "dd": copy_seconds(folder, size), "process": process,
                         "total": report["seconds_total"], "solve": report["seconds_solve"],
                         "algorithm": report["algorithm"], "type": report["value_type"],
                         "predicted": report["seconds_predicted"]})
            print(rows[-1], file=sys.stderr)
    middle = {key: statistics.median(row[key] for row in rows)
              for key in ("bytes", "dd", "process", "total", "solve")}
    print(f"{pathlib.Path(options.graph).name}: {facts['vertices']:,} vertices, "
          f"{options.sources:,} sources, {rows[0]['algorithm']}, {rows[0]['type']}, "
          f"{options.threads} threads\n")
    head = ["run", "bytes", "dd s", "apsp solve s", "of which solve", "ratio", "whole process s", "ratio"]
    print(table(head, [line(i + 1, row) for i, row in enumerate(rows)] + [line("median", middle)], 1))
    if options.output:
        options.output.write_text(json.dumps({**facts, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
