#!/usr/bin/env python3
"""Runs the programs of bench/sparse/run one after the other and prints their table."""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import answer, asked, read_arcs, table, timed  # noqa: E402

ON_GPU = {False: ["auto", "nested-dissection", "boundary", "johnson"], True: ["auto", "bfs", "nested-dissection", "boundary"]}
KINDS = {"hops": ["--hops"], "undirected": ["--hops", "--undirected"], "weights": [], "random": ["--random", 100]}


def evenly(n, sources):
    count = min(sources, n) if sources else n
    return [i * n // count for i in range(count)]


def igraph_hops(path, n, sources):
    """igraph's breadth-first distances; making its graph and adding up are not timed."""
    try:
        import igraph
    except ImportError:
        return None
    graph = igraph.Graph(n=n, edges=[(u, v) for u, v, _ in read_arcs(path)], directed=True)
    seconds, total = 0.0, 0
    for source in evenly(n, sources):
        row, (taken, _) = timed(lambda: graph.distances(source=[source], mode="out")[0])
        seconds += taken
        total += sum(d for d in row if d != float("inf"))
    count = len(evenly(n, sources))
    return {"sources": count, "seconds": seconds, "all_seconds": seconds * n / count, "sum": total}


def rows_of(apsp, path, algorithm, n, options):
    """Rows of the same sources by that algorithm, into statistics, and the sum of their distances."""
    sources = evenly(n, options.sources)
    names = path.with_suffix(".sources")
    names.write_text("".join(f"{source}\n" for source in sources))  # prepared graphs count from 0
    found = answer(apsp, "solve", path, "--algorithm", algorithm, "--sources", f"@{names}", "--threads", options.threads,
                   "--device", "cpu", "--json", "--quiet")
    report, statistics = found["report"], found["statistics"]
    return {"sources": len(sources), "type": report["value_type"], "seconds": report["seconds_solve"],
            "all_seconds": report["seconds_solve"] * n / len(sources),
            "sum": (statistics["mean"] or 0) * statistics["reachable_pairs"]}


def solve(apsp, path, device, algorithm, options, rounds=1):
    """A solve from the graph in memory to all statistics: its report, the shortest of some."""
    where = ["--threads", options.threads, "--device", device, "--algorithm", algorithm, "--json", "--quiet"]
    answer(apsp, "plan", path, *where)  # what a first solve measures of the machine is known by then
    reports = [answer(apsp, "solve", path, "--keep", "statistics", *where) for _ in range(rounds)]
    best = min((found["report"] for found in reports), key=lambda report: report["seconds_total"])
    return {"algorithm": best["algorithm"], "type": best["value_type"], "seconds": best["seconds_total"],
            "seconds_predicted": best["seconds_predicted"], "there": (best.get("on_device") or {}).get("seconds"),
            "statistics": json.dumps(reports[0]["statistics"], sort_keys=True)}


def measure(options, kind, graph, folder):
    binaries = options.build / "bin"
    path, apsp = folder / "graph.gr", binaries / "apsp"
    facts = answer(binaries / "apsp_prepare_graph", graph, path, *KINDS[kind])
    hops = kind in ("hops", "undirected")
    boost = binaries / "peer_boost_dijkstra"
    peer = None
    if hops:
        peer = igraph_hops(path, facts["vertices"], options.sources)
    elif boost.exists():
        peer = answer(boost, path, options.threads, options.sources)
    ours = rows_of(apsp, path, "bfs" if hops else "johnson", facts["vertices"], options)
    solved = solve(apsp, path, "cpu", "auto", options)
    there = [solve(apsp, path, "cuda", name, options, 2) for name in ON_GPU[hops]] if options.cuda else []
    if any(run["statistics"] != solved["statistics"] for run in there):
        sys.exit(f"statistics of {graph} differ between the GPU and the CPU")
    equal = peer and abs(peer["sum"] - ours["sum"]) <= 1e-9 * ours["sum"]
    return {"graph": pathlib.Path(graph).name, "kind": kind, **facts, "threads": options.threads, "apsp": ours,
            "peer": "igraph distances" if hops else "Boost Dijkstra", "peer_run": peer, "equal": equal,
            "solved": solved, "on_gpu": there}


def line(row):
    ours, peer, solved = row["apsp"], row["peer_run"], row["solved"]

    def scaled(run):
        return f"{run['all_seconds']:.3g}" + ("" if run["sources"] == row["vertices"] else " *")

    against = lambda seconds, digits: f"{peer['all_seconds'] / seconds:.{digits}f}" if peer else ""
    return [f"{row['graph']} ({row['kind']})", f"{row['vertices']:,}", f"{row['arcs']:,}", ours["type"], row["threads"],
            scaled(ours), row["peer"], scaled(peer) if peer else "not here", against(ours["all_seconds"], 1),
            "" if peer is None else "equal" if row["equal"] else "DIFFER",
            f"{solved['seconds']:.3g} ({solved['algorithm']}, {solved['type']}; predicted "
            f"{solved['seconds_predicted']:.3g})", against(solved["seconds"], 0)]


def on_gpu(rows):
    """Every algorithm on the GPU, driver included, against all threads of the host it stands in."""
    head = ["graph", "algorithm", "seconds with the driver", "on the device", "peer / GPU", "CPU by the plan / GPU"]
    lines = [[row["graph"], run["algorithm"] + (", by the plan" if k == 0 else ""), f"{run['seconds']:.3g}", f"{run['there']:.3g}",
              f"{row['peer_run']['all_seconds'] / run['seconds']:.1f}" if row["peer_run"] else "",
              f"{row['solved']['seconds'] / run['seconds']:.2f}"] for row in rows for k, run in enumerate(row["on_gpu"])]
    return table(head, lines) + "\n"


def main():
    options = asked(__doc__, build=pathlib.Path, threads=1, sources=512, output=(pathlib.Path,), cuda=False,
                    **{kind: [str] for kind in KINDS})
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for graph in getattr(options, kind):
                rows.append(measure(options, kind, graph, pathlib.Path(folder)))
                print(f"{graph} done", file=sys.stderr)
    head = ["graph", "vertices", "arcs", "type", "threads", "rows by apsp s", "peer", "peer s", "ratio", "sums",
            "apsp solve, to statistics s", "ratio"]
    print(table(head, [line(row) for row in rows]) + "\n\\* scaled up from a sample of sources\n")
    if options.cuda:
        print(on_gpu(rows))
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1))
    if any(row["equal"] is False for row in rows):
        sys.exit("sums of distances differ")


if __name__ == "__main__":
    main()
