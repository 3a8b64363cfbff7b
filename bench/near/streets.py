#!/usr/bin/env python3
"""Turn costs, loads of arcs, places of points, and range-limited betweenness on a road network, next to igraph and AequilibraE, in one run.

    bench/near/streets.py ROADS.mtx [--rounds R] [--only turns,loads,places,betweenness] [--rows N] [--trips N] [--origins N]
                           [--limits D,D2] [--vertices N] [--grid N] [--points N]

Turns: the solve of all distances from --rows vertices (0: from all; statistics only), without turns, with all turns but u-turns at a cost of 3, and
with u-turns forbidden as well. Loads: a demand of --trips × --trips vertices, by apsp.flow, and by igraph's paths from the
first --origins of them, in a loop whose time is multiplied, and by AequilibraE if it is installed, from and to the first
--trips vertices. Their loads differ where paths are equally long, so the sums of volume times length are compared. Places: --points at random on a crooked grid of --grid vertices, with its tree. Betweenness within two --limits of a generated road network of --vertices: by apsp in one pass, and
by igraph's cutoff for each limit, with equal values. The least CPU seconds of all threads and child processes count.
"""
import importlib.util
import pathlib
import sys

import igraph
import numpy as np
import pyarrow

import apsp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import asked, least_of  # noqa: E402


def all_turns(graph):
    """(from, via, to, 3) of all turns but u-turns."""
    tails, heads, _ = graph.edges()
    tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    order = np.lexsort((heads, tails))
    tails, heads = tails[order], heads[order]
    first = np.searchsorted(tails, np.arange(len(graph) + 1))
    labels = graph.labels
    return [(labels[heads[i]], labels[v], labels[heads[j]], 3.0) for v in range(len(graph))
            for i in range(first[v], first[v + 1]) for j in range(first[v], first[v + 1]) if heads[i] != heads[j]]


def turns(graph, options):
    costs = all_turns(graph)
    graphs = {"none": graph, "turns": graph.with_turns(costs), "no_u_turns": graph.with_turns(costs, u_turns="forbid")}
    rows = np.random.default_rng(1).permutation(len(graph))[:options.rows or None]
    some = [graph.labels[v] for v in rows]
    found = least_of(options.rounds, {name: lambda of=of: apsp.solve(of, sources=some, keep="statistics") for name, of in graphs.items()})
    for name, (seconds, _, result) in found.items():
        print(f"turns, {len(some):,} rows, {name}: {len(graphs[name]):,} vertices, {seconds:.2f} s, "
              f"{seconds / found['none'][0]:.2f} of no turns")


def loads(graph, options):
    random = np.random.default_rng(2)
    origins, ends = (random.permutation(len(graph))[:options.trips] for _ in range(2))
    labels = graph.labels
    trips = [(labels[s], labels[t], 1.0) for s in origins for t in ends]
    few = trips[:options.origins * len(ends)]
    tails, heads, weights = graph.edges()
    theirs = igraph.Graph(n=len(graph), edges=list(zip(tails.tolist(), heads.tolist())))

    def in_a_loop():
        volume = np.zeros(len(tails))
        for s in origins[:options.origins]:
            for path in theirs.get_shortest_paths(int(s), ends.tolist(), weights=weights.tolist(), output="epath"):
                volume[path] += 1
        return volume @ weights

    found = least_of(options.rounds, {"ours": lambda: apsp.flow(graph, trips), "igraph": in_a_loop})
    assert apsp.flow(graph, few).costs[0] == found["igraph"][2]
    scaled = found["igraph"][0] * len(origins) / options.origins
    print(f"loads of {len(trips):,} trips: {found['ours'][0]:.2f} s; igraph {scaled:.1f} s, {scaled / found['ours'][0]:.1f} times")
    if importlib.util.find_spec("aequilibrae"):
        loads_by_aequilibrae(graph, np.sort(origins), options.rounds)


def loads_by_aequilibrae(graph, some, rounds):
    """A trip between any two of some vertices, whose weights are compared as one square matrix."""
    sys.path.remove(str(pathlib.Path(__file__).parent))  # another tables.py is here
    import pandas
    from aequilibrae.matrix import AequilibraeMatrix
    from aequilibrae.paths import AssignmentResults, Graph, allOrNothing

    tails, heads, weights = graph.edges()
    theirs = Graph()
    theirs.network = pandas.DataFrame({"link_id": np.arange(len(tails)) + 1, "a_node": tails + 1, "b_node": heads + 1, "direction": 0,
                                       "id": np.arange(len(tails)) + 1, "cost": weights.astype(float)})
    theirs.prepare_graph(some + 1)
    theirs.set_graph("cost")
    theirs.set_blocked_centroid_flows(False)
    matrix = AequilibraeMatrix()
    matrix.create_empty(zones=len(some), matrix_names=["trips"], memory_only=True)
    matrix.index = some + 1
    matrix.matrix["trips"][:] = 1.0
    matrix.computational_view(["trips"])

    def all_or_nothing():
        results = AssignmentResults()
        results.prepare(theirs, matrix)
        allOrNothing("car", matrix, theirs, results).execute()
        return results.get_load_results()["trips_tot"].to_numpy() @ weights

    labels = np.array(graph.labels)[some]
    trips = pandas.DataFrame({"from": np.repeat(labels, len(some)), "to": np.tile(labels, len(some)), "trips": 1.0})
    found = least_of(rounds, {"ours": lambda: apsp.flow(graph, trips).costs[0], "aequilibrae": all_or_nothing})
    assert found["ours"][2] == found["aequilibrae"][2]
    print(f"loads of {len(trips):,} trips in a table: {found['ours'][0]:.2f} s; AequilibraE {found['aequilibrae'][0]:.2f} s once its graph is ready, "
          f"{found['aequilibrae'][0] / found['ours'][0]:.1f} times")


def places(_, options):
    side = int(options.grid ** 0.5)
    random = np.random.default_rng(3)
    number = np.arange(side * side).reshape(side, side)
    tails, heads = (np.concatenate([number[a].ravel(), number[b].ravel()]) for a, b in (
        (np.s_[:, :-1], np.s_[:-1]), (np.s_[:, 1:], np.s_[1:])))
    graph = apsp.Graph.from_edges(tails, heads, np.ones(len(tails)), directed=False, n=side * side)
    at = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2) + random.uniform(-0.4, 0.4, (side * side, 2))
    at = at * 1e-3 + [24, 60]  # degrees
    points = {"lon": random.uniform(24, 24 + side * 1e-3, options.points), "lat": random.uniform(60, 60 + side * 1e-3, options.points)}
    table = pyarrow.table(points)
    for to in ("vertex", "arc"):
        seconds, clock, found = least_of(options.rounds, {"snap": lambda to=to: apsp.snap(graph, table, at, snap=to)})["snap"]
        print(f"{options.points:,} points on {len(graph):,} vertices, to the nearest {to}: {seconds:.2f} CPU s, {clock:.2f} s by the clock then, "
              f"mean walk {found.walk.mean():.1f} m")


def betweenness(_, options):
    limits = [float(limit) for limit in options.limits.split(",")]
    graph = apsp.generate("roads", options.vertices, directed=False)
    tails, heads, weights = graph.edges()
    theirs = igraph.Graph(n=len(graph), edges=list(zip(tails.tolist(), heads.tolist())))
    calls = {f"{limit:g}": lambda limit=limit: theirs.betweenness(weights=weights.tolist(), cutoff=limit) for limit in limits}
    found = least_of(options.rounds, {"ours": lambda: apsp.betweenness(graph, within=limits), **calls})
    for values, limit in zip(found["ours"][2], limits):
        np.testing.assert_allclose(values, found[f"{limit:g}"][2], rtol=1e-9)
    theirs = sum(found[f"{limit:g}"][0] for limit in limits)
    reached = apsp.closeness(graph, limits)[1].mean(axis=1)
    print(f"betweenness of {len(graph):,} vertices within {options.limits} ({reached[0]:.0f} and {reached[1]:.0f} vertices): "
          f"{found['ours'][0]:.2f} s; igraph {theirs:.2f} s, {theirs / found['ours'][0]:.1f} times")


if __name__ == "__main__":
    parts = {"turns": turns, "loads": loads, "places": places, "betweenness": betweenness}
    options = asked(__doc__, "roads", rounds=3, rows=4000, trips=1000, origins=20, vertices=20000, grid=1280000, points=100000,
                    limits="500,1000", only=",".join(parts))
    roads = apsp.read(options.roads)
    for part in options.only.split(","):
        parts[part](roads, options)
