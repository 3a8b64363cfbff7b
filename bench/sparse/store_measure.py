#!/usr/bin/env python3
"""What bench/sparse/store measures: rows to a .zarr, and dd, by turns on one disk."""

import argparse
import heapq
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

CHECKED_ROWS = 16


def words():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--sources", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path)
    return parser.parse_args()


def run(*command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def copy_seconds(folder, size):
    """Seconds of dd for so many bytes, until they are on the disk."""
    path = folder / "copy"
    os.sync()
    start = time.perf_counter()
    run("dd", "if=/dev/zero", f"of={path}", "bs=4M", f"count={size}", "iflag=count_bytes",
        "conv=fsync")
    seconds = time.perf_counter() - start
    path.unlink()
    return seconds


def solve(apsp, graph, out, options):
    """Seconds of the whole process, and what it says of itself."""
    os.sync()
    start = time.perf_counter()
    answer = json.loads(run(apsp, "solve", graph, "-o", out, "--sources",
                            f"random:{options.sources}", "--threads", options.threads, "--device",
                            "cpu", "--json"))
    return time.perf_counter() - start, answer


def read_arcs(path):
    """Arcs by the names of their vertices, which count from 0 here (apsp_prepare_graph)."""
    arcs = {}
    with open(path) as file:
        for line in file:
            if line.startswith("a "):
                _, u, v, weight = line.split()
                arcs.setdefault(int(u) - 1, []).append((int(v) - 1, int(weight)))
    return arcs


def distances_from(arcs, source):
    """Dijkstra's algorithm."""
    found, heap = {}, [(0, source)]
    while heap:
        distance, u = heapq.heappop(heap)
        if u in found:
            continue
        found[u] = distance
        for v, weight in arcs.get(u, ()):
            if v not in found:
                heapq.heappush(heap, (distance + weight, v))
    return found


def check(apsp, graph, out, arcs, answer):
    """Some rows by `apsp verify`, and the row of the farthest source by the search above."""
    run(apsp, "verify", out, "--sample", CHECKED_ROWS)
    source = int(answer["statistics"]["diameter_pair"]["from"])
    expected = distances_from(arcs, source)
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as pairs:
        pairs.write("".join(f"{source},{target}\n" for target in expected))
        pairs.flush()
        lines = run(apsp, "distance", out, "--pairs", pairs.name).splitlines()[1:]
    found = {int(line.split(",")[1]): float(line.split(",")[2]) for line in lines}
    if found != expected:
        sys.exit(f"{out}: the distances from {source} are wrong")


def table(rows, middle):
    head = ["run", "bytes", "dd s", "apsp solve s", "of which solve", "ratio", "whole process s",
            "ratio"]
    text = "| " + " | ".join(head) + " |\n|" + "---|" * len(head) + "\n"
    for name, row in [*((str(i + 1), row) for i, row in enumerate(rows)), ("median", middle)]:
        text += (f"| {name} | {row['bytes'] / 2**30:.2f} GiB | {row['dd']:.2f} | "
                 f"{row['total']:.2f} | {row['solve']:.2f} | {row['total'] / row['dd']:.2f} | "
                 f"{row['process']:.2f} | {row['process'] / row['dd']:.2f} |\n")
    return text


def main():
    options = words()
    binaries = options.build / "bin"
    apsp = binaries / "apsp"
    rows = []
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        graph, out = folder / "graph.gr", folder / "rows.zarr"
        facts = json.loads(run(binaries / "apsp_prepare_graph", options.graph, graph, "--random",
                               100))
        arcs = read_arcs(graph)
        for _ in range(options.repeat):
            process, answer = solve(apsp, graph, out, options)
            report, size = answer["report"], answer["report"]["bytes_matrix"]
            check(apsp, graph, out, arcs, answer)
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
    print(table(rows, middle))
    if options.output:
        options.output.write_text(json.dumps({**facts, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
