#!/usr/bin/env python3
"""Runs the programs of bench/sparse/run one after the other and prints their table."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def words():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sources", type=int, default=512)
    parser.add_argument("--output", type=pathlib.Path)
    for kind in ("hops", "weights", "random", "undirected"):
        parser.add_argument(f"--{kind}", action="append", default=[])
    return parser.parse_args()


def call(program, *arguments):
    """The JSON object that a program prints, or nothing if it is not there."""
    if not pathlib.Path(program).exists():
        return None
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def read_arcs(path):
    arcs = []
    with open(path) as file:
        for line in file:
            if line.startswith("a "):
                _, u, v, _ = line.split()
                arcs.append((int(u) - 1, int(v) - 1))
    return arcs


def igraph_hops(path, n, sources):
    """igraph's breadth-first distances; making its graph and adding up are not timed."""
    try:
        import igraph
    except ImportError:
        return None
    graph = igraph.Graph(n=n, edges=read_arcs(path), directed=True)
    count = min(sources, n) if sources else n
    seconds, total = 0.0, 0
    for i in range(count):
        start = time.perf_counter()
        row = graph.distances(source=[i * n // count], mode="out")[0]
        seconds += time.perf_counter() - start
        total += sum(d for d in row if d != float("inf"))
    return {"sources": count, "seconds": seconds, "all_seconds": seconds * n / count, "sum": total}


def narrowest(rows_bench, producer, path, sources):
    """The producer over some sources in the narrowest type that holds their distances."""
    for kind in ("u16", "i32", "f64"):
        done = subprocess.run([rows_bench, producer, path, "--type", kind, "--threads", "1",
                               "--sources", str(sources or 0), "--evenly"],
                              capture_output=True, text=True)
        if done.returncode == 0:
            return kind, json.loads(done.stdout)
    sys.exit(f"{rows_bench} {producer} {path}: {done.stderr.strip()}")


def solve(apsp, path, threads):
    """`apsp solve` from the graph in memory to all statistics, by the algorithm that it picks.

    What a first solve measures of the machine is known by then."""
    call(apsp, "plan", path, "--threads", threads, "--device", "cpu", "--json")
    answer = call(apsp, "solve", path, "--threads", threads, "--device", "cpu", "--json")
    return {"algorithm": answer["plan"]["algorithm"], "type": answer["report"]["value_type"],
            "seconds": answer["report"]["seconds_total"],
            "seconds_predicted": answer["report"]["seconds_predicted"]}


def measure(options, kind, graph, folder):
    binaries = options.build / "bin"
    path = folder / "graph.gr"
    shape = {"hops": ["--hops"], "undirected": ["--hops", "--undirected"], "weights": [],
             "random": ["--random", 100]}[kind]
    facts = call(binaries / "apsp_prepare_graph", graph, path, *shape)
    hops = kind in ("hops", "undirected")
    producer = "breadth-first" if hops else "dijkstra"
    peer_name = "igraph distances" if hops else "Boost Dijkstra"
    threads = 1 if hops else options.threads
    if hops:
        peer = igraph_hops(path, facts["vertices"], options.sources)
    else:
        peer = call(binaries / "peer_boost_dijkstra", path, threads, options.sources)
    rows_bench = binaries / "apsp_rows_bench"
    value_type, checked = narrowest(rows_bench, producer, path, options.sources)
    # A block of breadth-first rows is 512: a sample is some blocks of it, not single rows.
    sample = 8 * options.sources if hops else options.sources
    ours = call(rows_bench, producer, path, "--type", value_type, "--threads", threads,
                "--sources", sample)
    solved = solve(binaries / "apsp", path, threads)
    return {"graph": pathlib.Path(graph).name, "kind": kind, **facts, "producer": producer,
            "solved": solved,
            "type": value_type, "threads": threads, "apsp": ours, "peer": peer_name,
            "peer_run": peer, "equal": peer and peer["sum"] == checked["sum"]}


def table(rows):
    head = ["graph", "vertices", "arcs", "producer", "type", "threads", "apsp s", "peer", "peer s",
            "ratio", "sums", "apsp solve, to statistics s", "ratio"]
    lines = [head]
    for row in rows:
        ours, peer = row["apsp"]["all_seconds"], row["peer_run"]
        lines.append([
            f"{row['graph']} ({row['kind']})", f"{row['vertices']:,}", f"{row['arcs']:,}",
            row["producer"], row["type"], str(row["threads"]),
            f"{ours:.3g}" + ("" if row["apsp"]["sources"] == row["vertices"] else " *"), row["peer"],
            "not here" if peer is None else f"{peer['all_seconds']:.3g}"
            + ("" if peer["sources"] == row["vertices"] else " *"),
            "" if peer is None else f"{peer['all_seconds'] / ours:.1f}",
            "" if peer is None else "equal" if row["equal"] else "DIFFER",
            f"{row['solved']['seconds']:.3g} ({row['solved']['algorithm']}, "
            f"{row['solved']['type']}; predicted {row['solved']['seconds_predicted']:.3g})",
            "" if peer is None else f"{peer['all_seconds'] / row['solved']['seconds']:.0f}"])
    text = "| " + " | ".join(lines[0]) + " |\n|" + "---|" * len(head) + "\n"
    for line in lines[1:]:
        text += "| " + " | ".join(line) + " |\n"
    return text + "\n\\* scaled up from a sample of sources\n"


def main():
    options = words()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("hops", "undirected", "weights", "random"):
            for graph in getattr(options, kind):
                rows.append(measure(options, kind, graph, pathlib.Path(folder)))
                print(f"{graph} done", file=sys.stderr)
    print(table(rows))
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1))
    if any(row["equal"] is False for row in rows):
        sys.exit("sums of distances differ")


if __name__ == "__main__":
    main()
