"""Small graphs of every class of NetworkX with weights of every kind, and what is alike."""

import math
import random

import networkx as nx

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
WEIGHTS = {
    "int": lambda rng: {"weight": rng.randint(1, 9)},
    "zero": lambda rng: {"weight": rng.choice([0, 0, 1, 2])},
    "float": lambda rng: {"weight": rng.randint(1, 64) / 8},
    "mixed": lambda rng: rng.choice([{}, {"weight": rng.randint(1, 9)}, {"weight": 2.5}]),
}


def random_graph(kind, weights, n, arcs, connected, seed):
    """Vertices are strings and tuples in a random order; loops and parallel edges happen."""
    rng = random.Random(seed)
    names = [f"v{i}" if i % 3 else (i, "t") for i in range(n)]
    rng.shuffle(names)
    graph = kind()
    graph.add_nodes_from(names)
    pairs = [(rng.choice(names), rng.choice(names)) for _ in range(arcs)]
    if connected:
        pairs += list(zip(names, names[1:] + names[:1]))
    for u, v in pairs:
        graph.add_edge(u, v, **WEIGHTS[weights](rng))
    return graph


def signed_graph(kind, n, seed):
    """Directed, weights of both signs, no negative cycle: differences of heights are added."""
    rng = random.Random(seed)
    height = {v: rng.randint(-9, 9) for v in range(n)}
    graph = kind()
    graph.add_nodes_from(range(n))
    for u in range(n):
        for v in rng.sample(range(n), 3):
            if u != v:
                graph.add_edge(u, v, weight=rng.randint(0, 6) + height[v] - height[u])
    return graph


def all_graphs():
    """(name, graph)"""
    for kind in KINDS:
        yield f"{kind.__name__}-null", kind()
        yield f"{kind.__name__}-loop", kind([(0, 0, {"weight": 3})])
        lone = kind()
        lone.add_nodes_from("abc")
        yield f"{kind.__name__}-edgeless", lone
        for weights in WEIGHTS:
            for n, arcs, connected in ((6, 6, False), (9, 14, True), (17, 40, True)):
                graph = random_graph(kind, weights, n, arcs, connected, seed=n)
                yield f"{kind.__name__}-{weights}-{n}", graph


def path_length(graph, path, weight):
    """The length of a path that is in the graph; KeyError if it is not."""
    total = 0
    for u, v in zip(path, path[1:]):
        data = graph[u][v]
        steps = data.values() if graph.is_multigraph() else [data]
        total += min(step.get(weight, 1) if weight else 1 for step in steps)
    return total


def same_numbers(mine, theirs):
    """Equal to 1e-12, and ints where NetworkX has ints but for the zeros and ints among floats."""
    if isinstance(theirs, dict):
        return isinstance(mine, dict) and set(mine) == set(theirs) and all(
            same_numbers(mine[key], value) for key, value in theirs.items())
    if isinstance(theirs, (list, tuple)):
        return type(mine) is type(theirs) and len(mine) == len(theirs) and all(map(same_numbers, mine, theirs))
    if isinstance(theirs, (int, float)):
        return type(mine) in (int, float) and (mine == theirs or math.isclose(mine, theirs, rel_tol=1e-12))
    return mine == theirs
