#!/usr/bin/env python3
"""Exact diameters without all pairs, by apsp and by others, in one run.

    bench/near/eccentricity.py [--vertices N] [--large N] [--rounds R] [GRAPH ...]

Networks of --vertices and of --large vertices (roads of weights 1 to 100, the same with weights 1, R-MAT both ways, unit weights), and
files: the largest component of each. Compares apsp.eccentricity with all distances (apsp.solve, statistics only; of more than
250,000 vertices the seconds that apsp.plan predicts), with igraph's `diameter` of at most 10,000 vertices, and, if it is installed, with
NetworKit's exact `Diameter` (pip install igraph networkit) of graphs with unit weights and of those as small. All
diameters must be equal. A round is a call of each in turn. The least CPU seconds of all threads count.
"""
import os
import pathlib
import sys

import igraph
import numpy as np
from scipy.sparse.csgraph import connected_components

import apsp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import asked, least_of  # noqa: E402

try:
    import networkit
except ImportError:
    networkit = None

THREADS = len(os.sched_getaffinity(0))


def networks(vertices):
    edges = 8 * vertices
    yield "roads", apsp.generate("roads", vertices, directed=False)
    yield "roads, unit", apsp.generate("roads", vertices, directed=False, weights=(1, 1))
    yield "R-MAT", apsp.generate("rmat", vertices, edges=edges, directed=True, weights=(1, 1))
    yield "R-MAT, both ways", apsp.generate("rmat", vertices, edges=edges, directed=False, weights=(1, 1))


def largest(graph):
    """The largest strong component, with vertices from 0."""
    matrix = graph.to_scipy()
    matrix.sum_duplicates()  # SciPy's components need that
    _, of = connected_components(matrix, connection="strong")
    inside = of == np.bincount(of).argmax()
    tails, heads, weights = graph.edges()
    keep = inside[tails] & inside[heads] & (tails != heads)
    number = inside.cumsum() - 1
    return apsp.Graph.from_edges(number[tails[keep]], number[heads[keep]], weights[keep], directed=graph.directed)


def peers(graph):
    """Name → a function that returns the diameter."""
    tails, heads, weights = graph.edges()
    unit, small = bool((weights == 1).all()), len(graph) <= 10_000
    found = {}
    if small:
        theirs = igraph.Graph(edges=list(zip(tails.tolist(), heads.tolist())), directed=graph.directed)
        found["igraph"] = lambda: theirs.diameter(directed=graph.directed, weights=None if unit else weights.tolist())
    if networkit is not None and not graph.directed and (unit or small):  # its diameters are of undirected graphs
        networkit.setNumberOfThreads(THREADS)
        kit = networkit.GraphFromCoo((weights, (tails, heads)), n=len(graph), weighted=not unit, directed=False)
        exact = networkit.distance.DiameterAlgo.EXACT
        found["NetworKit"] = lambda: networkit.distance.Diameter(kit, exact).run().getDiameter()[0]
    return found


def all_pairs(graph):
    statistics = apsp.solve(graph, keep="statistics").statistics
    return (statistics["component"] or statistics)["diameter"]


def measure(name, graph, rounds):
    graph = largest(graph)
    ways = {"apsp": lambda: apsp.eccentricity(graph, goal="diameter").diameter[0]}
    fits = len(graph) <= 250_000
    if fits:
        ways["apsp, all pairs"] = lambda: all_pairs(graph)
    ways |= peers(graph)
    least = least_of(rounds, ways)
    assert len({round(value, 6) for *_, value in least.values()}) == 1, least
    found = apsp.eccentricity(graph)
    print(f"{name}: {found.vertices:,} vertices, diameter {found.diameter[0]:g}, radius {found.radius[0]:g}, "
          f"{found.rows} rows for both, {found.plan}")

    def tell(way, cpu, seconds):
        print(f"  {way:16} {cpu:9.3f} CPU s {seconds:9.3f} s   {cpu / least['apsp'][0]:7.1f} x", flush=True)

    for way, (cpu, seconds, _) in least.items():
        tell(way, cpu, seconds)
    if not fits:
        seconds = apsp.plan(graph, keep="statistics")["predicted"]["seconds"]
        tell("all pairs, plan", seconds * THREADS, seconds)


def main():
    options = asked(__doc__, "graphs*", vertices=5_000, large=1_280_000, rounds=3)
    for name, graph in networks(options.vertices):
        measure(name, graph, options.rounds)
    for path in options.graphs:
        graph = apsp.read(path)
        measure(pathlib.Path(path).name, graph, options.rounds)
        if graph.directed:
            measure(pathlib.Path(path).name + ", both ways", apsp.read(path, directed=False), options.rounds)
    if options.large:
        for name, graph in networks(options.large):
            measure(name, graph, options.rounds)


if __name__ == "__main__":
    main()
