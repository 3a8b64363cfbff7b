"""Betweenness and closeness within limits, against igraph's cutoff and against NetworkX."""

import networkx as nx
import numpy as np
import pytest

import apsp


def random_networks(count):
    random = np.random.default_rng(11)
    for seed in range(count):
        graph = nx.gnp_random_graph(int(random.integers(2, 14)), 0.35, seed=seed, directed=bool(seed % 2))
        for _, _, data in graph.edges(data=True):
            data["weight"] = int(random.integers(1, 5)) * (1 if seed % 3 else 0.5)
            if seed % 5 == 0:  # some of them too small for a bucket each
                data["weight"] = float(random.lognormal(0, 6))
        yield graph, sorted(random.choice([0, 1, 2.5, 4, 6, 9, 50], 3, replace=False), reverse=bool(seed % 4))


def bounded(graph, limit):
    """(betweenness, of arcs, reached, sum of distances) by all shortest paths of NetworkX."""
    through = dict.fromkeys(graph, 0.0)
    over = dict.fromkeys(graph.to_directed().edges(), 0.0)
    reached, total = dict.fromkeys(graph, 0), dict.fromkeys(graph, 0.0)
    for s in graph:
        for t, d in nx.single_source_dijkstra_path_length(graph, s).items():
            if s == t or d > limit:
                continue
            reached[s] += 1
            total[s] += d
            paths = list(nx.all_shortest_paths(graph, s, t, weight="weight"))
            for path in paths:
                for v in path[1:-1]:
                    through[v] += 1 / len(paths)
                for arc in zip(path, path[1:]):
                    over[arc] += 1 / len(paths)
    return through, over, reached, total


def test_random_networks():
    for graph, limits in random_networks(60):
        ours = apsp.Graph.from_networkx(graph)
        values = apsp.betweenness(ours, within=limits, scale="sums")
        tails, heads, arcs = apsp.edge_betweenness(ours, within=limits, scale="sums")
        close, near = apsp.closeness(ours, limits)
        for i, limit in enumerate(limits):
            through, over, reached, total = bounded(graph, limit)
            assert values[i].tolist() == pytest.approx(list(through.values()))
            back = 0 if graph.is_directed() else 1
            assert arcs[i].tolist() == pytest.approx([over[u, v] + back * over.get((v, u), 0)
                                                      for u, v in zip(tails, heads)])
            assert near[i].tolist() == list(reached.values())
            assert close[i].tolist() == pytest.approx([r / total[v] if r else np.nan for v, r in reached.items()],
                                                      nan_ok=True)


def test_igraph():
    igraph = pytest.importorskip("igraph")
    ours = apsp.generate("roads", 400, directed=False, weights=(1, 9))
    tails, heads, weights = ours.edges()
    theirs = igraph.Graph(n=len(ours), edges=list(zip(tails.tolist(), heads.tolist())))
    values = apsp.betweenness(ours, within=[20, 60])
    close = apsp.closeness(ours, [20, 60])[0]
    for i, limit in enumerate((20, 60)):
        assert values[i].tolist() == pytest.approx(theirs.betweenness(weights=weights.tolist(), cutoff=limit))
        expected = theirs.closeness(weights=weights.tolist(), cutoff=limit, normalized=True)
        assert close[i].tolist() == pytest.approx(expected, nan_ok=True)


def test_large_limits_are_no_limits():
    graph = apsp.generate("roads", 300, directed=False)
    for how in ({"scale": "normalized"}, {"sources": [3, 9, 27]}, {"endpoints": True}):
        assert apsp.betweenness(graph, within=1e9, **how).tolist() == pytest.approx(apsp.betweenness(graph, **how).tolist())
    assert [each.tolist() for each in apsp.edge_betweenness(graph, within=1e9)[:2]] == \
        [each.tolist() for each in apsp.edge_betweenness(graph)[:2]]


def test_refusals():
    graph = apsp.Graph.from_edges([0, 1], [1, 2], [1, 2])
    for how in ({"within": -1}, {"within": []}, {"within": 3, "algorithm": "johnson"}, {"within": 3, "sources": [0, 0]}):
        with pytest.raises(apsp.UsageError):
            apsp.betweenness(graph, **how)
    with pytest.raises(apsp.UsageError):
        apsp.closeness(apsp.Graph.from_edges([0], [1], [0]), 3)
