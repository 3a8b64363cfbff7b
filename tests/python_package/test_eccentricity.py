"""Eccentricities against NetworkX, and what only the package can be asked."""

import networkx as nx
import numpy as np
import pytest

import apsp


def largest(theirs):
    """The largest component, strong if directed; of equal ones that with the smallest vertex."""
    find = nx.strongly_connected_components if theirs.is_directed() else nx.connected_components
    return theirs.subgraph(max(find(theirs), key=lambda part: (len(part), -min(part))))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_random_graphs_are_those_of_networkx(directed, weighted):
    random = np.random.default_rng(1)
    for seed in range(250):
        n = int(random.integers(1, 12))
        theirs = nx.gnp_random_graph(n, random.uniform(0, 0.6), seed=seed, directed=directed)
        for _, _, data in theirs.edges(data=True):
            data["weight"] = int(random.integers(0, 6)) if weighted else 1
        part = largest(theirs)
        expected = nx.eccentricity(part, weight="weight") if len(part) > 1 else {min(part): 0}
        goal = ("extremes", "diameter", "radius", "all")[seed % 4]
        graph = apsp.Graph.from_networkx(theirs)
        found = apsp.eccentricity(graph, goal=goal, sets=seed % 3 == 0)
        assert found.vertices == len(part) and found.complete and found.tolerance == 0
        if goal != "radius":
            assert found.diameter == (max(expected.values()),) * 2
        if goal != "diameter":
            assert found.radius == (min(expected.values()),) * 2
        if goal == "all":
            assert {v: e for v, e in enumerate(found.eccentricity) if e == e} == expected
            assert found.centre.tolist() == [v for v in sorted(part) if expected[v] == found.radius[0]]
            assert found.periphery.tolist() == [v for v in sorted(part) if expected[v] == found.diameter[0]]


def test_every_component():
    islands = apsp.Graph.from_edges([0, 2, 3], [1, 3, 4], [4, 1, 1], directed=False)
    found = apsp.eccentricity(islands, component="each")
    assert [(part.vertices, part.diameter[0], part.radius[0]) for part in found] == [(3, 2, 1), (2, 4, 4)]
    assert found[0].centre.tolist() == [3]


def test_statistics_have_the_same_values():
    graph = apsp.generate("roads", 2000, directed=True, seed=3)
    found, solved = apsp.eccentricity(graph, goal="all"), apsp.solve(graph).statistics
    assert found.radius[0] == solved["radius"] and found.diameter[0] == (solved["component"] or solved)["diameter"]
    assert found.rows < 2 * len(graph)


def test_an_interrupted_call_has_proven_bounds():
    def stop(*_):
        raise KeyboardInterrupt

    graph = apsp.generate("grid", 250_000, directed=False)
    with pytest.raises(KeyboardInterrupt) as stopped:
        apsp.eccentricity(graph, goal="all", progress=stop)
    bounds = getattr(stopped.value, "bounds", None)
    if bounds is not None:  # a row was computed before
        assert not bounds.complete and bounds.diameter[0] <= bounds.diameter[1]


def test_refusals():
    with pytest.raises(apsp.UsageError):
        apsp.eccentricity(apsp.Graph.from_edges([0], [1], [-1]))
    graph = apsp.generate("cycle", 5)
    for options in ({"goal": "mean"}, {"component": "all"}, {"algorithm": "floyd-warshall"}):
        with pytest.raises(apsp.UsageError):
            apsp.eccentricity(graph, **options)
    with pytest.raises(apsp.DoesNotFitError):
        apsp.eccentricity(graph, memory=1)
