#!/usr/bin/env python3
"""Betweenness of vertices by apsp, igraph and NetworkX on one road network, in one run.

    bench/near/betweenness.py GRAPH [--coordinates FILE] [--sources K] [--peers K] [--rounds R]

GRAPH is a Matrix Market file. With coordinates (longitude and latitude) every edge has its length in metres, rounded to whole
ones, as a second weighting; the first is 1 for each edge. Apsp takes K random sources on all cores. igraph (pip install
igraph) takes fewer of them in as many processes as cores, NetworkX some of those in one. Times a source are compared, the
least of R rounds. Sums from igraph's sources must be equal. Apsp's time holds everything from the graph in memory.
"""
import multiprocessing
import os
import pathlib
import sys
import time

import numpy as np
from scipy.io import mmread

import apsp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import asked, timed  # noqa: E402

RADIUS = 6_371_000  # metres


def metres(places, tails, heads):
    a, b = np.radians(places[tails]), np.radians(places[heads])
    angle = np.sin((a - b) / 2) ** 2
    h = angle[:, 1] + np.cos(a[:, 1]) * np.cos(b[:, 1]) * angle[:, 0]
    return np.maximum(1, np.rint(2 * RADIUS * np.arcsin(np.sqrt(h))))


def of_igraph(asked):
    """(sums, seconds) of some sources."""
    import igraph

    n, edges, weights, sources = asked
    graph = igraph.Graph(n=n, edges=edges)
    sums, (seconds, _) = timed(lambda: graph.betweenness(sources=sources, weights=weights))
    return np.array(sums), seconds


def of_networkx(n, edges, weights, sources):
    import networkx as nx
    from networkx.algorithms.centrality import betweenness as theirs

    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((u, v, w) for (u, v), w in zip(edges.tolist(), weights.tolist()))
    unit = (weights == 1).all()
    begin = time.perf_counter()
    for s in sources:
        if unit:
            found = theirs._single_source_shortest_path_basic(graph, s)
        else:
            found = theirs._single_source_dijkstra_path_basic(graph, s, "weight")
        theirs._accumulate_basic(dict.fromkeys(graph, 0.0), *found[:3], s)
    return (time.perf_counter() - begin) / len(sources)


def compare(name, n, edges, weights, chosen, options):
    graph = apsp.Graph.from_edges(*edges.T, weights, n=n, directed=False)
    cores = len(os.sched_getaffinity(0))
    mine, few = [], chosen[:options.peers]
    for _ in range(options.rounds):
        mine.append(timed(lambda: apsp.betweenness(graph, sources=chosen.tolist()))[1][0] / len(chosen))
    unit = (weights == 1).all()
    parts = [(n, edges, None if unit else weights.tolist(), part.tolist()) for part in np.array_split(few, cores)]
    theirs = []
    for _ in range(options.rounds):
        with multiprocessing.get_context("spawn").Pool(cores) as pool:
            found = pool.map(of_igraph, parts, chunksize=1)
        theirs.append(max(seconds for _, seconds in found) / len(few))
    sums = apsp.betweenness(graph, sources=few.tolist(), scale="sums")
    together = sum(part for part, _ in found)
    factor = np.median(sums[together > 0] / together[together > 0])  # igraph halves an undirected graph's
    np.testing.assert_allclose(sums, together * factor, rtol=1e-9, atol=1e-9)
    networkx = of_networkx(n, edges, weights, few[:options.networkx].tolist())
    ours, igraph = min(mine), min(theirs)
    print(f"| {name} | {1e3 * ours:.2f} ms | {1e3 * igraph:.1f} ms | {igraph / ours:.1f} | {1e3 * networkx:.0f} ms | "
          f"{networkx / ours:.0f} |", flush=True)


def main():
    options = asked(__doc__, "graph", coordinates=None, sources=4000, peers=64, networkx=8, rounds=3)
    graph = apsp.read(options.graph, directed=False)
    edges, n = np.stack(graph.edges()[:2], axis=1), len(graph)
    edges = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1), axis=0)
    chosen = np.random.default_rng(1).choice(n, min(options.sources, n), replace=False)
    print("| weights | apsp, a source | igraph, all cores | times as fast | NetworkX | times as fast |")
    print("|---|---:|---:|---:|---:|---:|")
    compare("1 for each edge", n, edges, np.ones(len(edges)), chosen, options)
    if options.coordinates:
        places = np.asarray(mmread(options.coordinates))
        compare("metres", n, edges, metres(places, *edges.T), chosen, options)


if __name__ == "__main__":
    main()
