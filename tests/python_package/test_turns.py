"""Costs of turns against a search over arcs in NetworkX."""

import itertools

import networkx as nx
import numpy as np
import pytest

import apsp

INF = float("inf")


def by_arcs(graph, turns, u_turns):
    """Distances {source: {target: distance}} by the line graph."""
    cost = {tuple(turn[:3]): turn[3] for turn in turns}
    lines = nx.DiGraph()
    for u, v, weight in graph.edges(data="weight"):
        lines.add_edge(("from", u), (u, v), weight=weight)
        lines.add_edge((u, v), ("to", v), weight=0)
    for u, v in graph.edges():
        lines.add_edge(("from", u), ("to", u), weight=0)
        lines.add_edge(("from", v), ("to", v), weight=0)
        for w, data in graph[v].items():
            rule = u_turns if u == w != v and not (u_turns == INF and len(graph[v]) == 1) else 0
            price = cost.get((u, v, w), rule)
            if price < INF:
                lines.add_edge((u, v), (v, w), weight=price + data["weight"])
    return {s: nx.single_source_dijkstra_path_length(lines, ("from", s)) for s in graph if ("from", s) in lines}


@pytest.mark.parametrize("keep", ["matrix", "factor"])
def test_random_networks(keep):
    random = np.random.default_rng(7)
    for seed in range(60):
        theirs = nx.gnp_random_graph(int(random.integers(3, 9)), 0.5, seed=seed, directed=bool(seed % 2))
        for _, _, data in theirs.edges(data=True):
            data["weight"] = int(random.integers(1, 9))
        arcs = theirs.to_directed()
        turns = [(u, v, w, [1, 4, INF][random.integers(3)]) for u, v in arcs.edges() for w in arcs[v]
                 if random.random() < 0.4]
        u_turns = [None, 3, "forbid"][seed % 3]
        graph = apsp.Graph.from_networkx(theirs).with_turns(turns, u_turns=u_turns)
        result = apsp.solve(graph, keep=keep)
        expected = by_arcs(arcs, turns, {"forbid": INF, None: 0}.get(u_turns, u_turns))
        for s, t in itertools.product(expected, expected):
            assert result.distance(s, t) == expected[s].get(("to", t), INF)
        near, labels = apsp.within(graph, 9), list(graph.labels)[:len(theirs)]
        assert near.shape == (len(labels), len(labels)) and near.has_canonical_format
        assert {(labels[i], labels[j]): d for (i, j), d in near.todok().items()} == {
            (s, t): d for s in expected for t in expected if s != t and (d := expected[s].get(("to", t), INF)) <= 9}
        pairs = list(itertools.product(expected, expected))
        assert result.distances_of(pairs).tolist() == [result.distance(*pair) for pair in pairs]
        steps = apsp.paths(result if keep == "factor" else graph, pairs).to_pandas()
        flow = apsp.flow(graph, [(*pair, 1.0) for pair in pairs]) if pairs else None
        cost = {tuple(turn[:3]): turn[3] for turn in turns}
        for i, (s, t) in enumerate(pairs):
            mine = steps[steps.pair == i]
            assert mine.empty == np.isinf(result.distance(s, t))
            if mine.empty:
                continue
            path, lengths = mine.vertex.tolist(), mine.distance.tolist()
            assert (path[0], path[-1], lengths[-1]) == (s, t, result.distance(s, t))
            assert [(flow.tails[arc], flow.heads[arc]) for arc in mine.arc[1:]] == list(zip(path, path[1:]))
            for before, u, v, length in zip([None, *path], path, path[1:], np.diff(lengths)):
                price = cost.get((before, u, v), {"forbid": INF, None: 0}.get(u_turns, u_turns) if before == v else 0)
                assert length == arcs[u][v]["weight"] + (price if price < INF or len(arcs[u]) > 1 else 0)
        if keep == "factor" and pairs:
            s, t = max((p for p in pairs if result.distance(*p) < INF), key=lambda p: result.distance(*p))
            path = result.path(s, t)
            assert path[0] == s and path[-1] == t and all(arcs.has_edge(*arc) for arc in zip(path, path[1:]))


@pytest.fixture
def crossing():
    streets = apsp.Graph.from_edges(list("SNEWS"), list("XXXXE"), [10, 10, 10, 10, 50], directed=False)
    return streets.with_turns([("S", "X", "E", INF), ("S", "X", "N", 3)])


def test_near_questions(crossing):
    result = apsp.solve(crossing)
    assert result.targets == list("SNEWX") or set(result.targets) == set("SNEWX")
    assert result.distance("S", "E") == 40 and result.distance("E", "S") == 20
    places, distances = apsp.nearest(crossing, ["E", "N"])
    row = dict(zip(result.sources, zip(places[:, 0].tolist(), distances[:, 0].tolist())))
    assert row["S"] == (1, 23) and row["X"] == (1, 10) or row["X"] == (0, 10)
    near = dict(zip(result.sources, apsp.access(crossing, {"E": 5, "N": 7}, 25).tolist()))
    assert near["S"] == 7 and near["W"] == 12
    back = dict(zip(result.sources, apsp.nearest(crossing, ["S"], towards="vertices")[1][:, 0].tolist()))
    assert back["N"] == 23 and back["E"] == 40


def test_points_on_arcs(crossing):
    at = {"S": (0, -1), "N": (0, 1), "E": (1, 0), "W": (-1, 0), "X": (0, 0)}
    homes, shops = (apsp.snap(crossing, {"x": x, "y": y}, at, snap="arc") for x, y in (
        ([0, 0], [-0.5, -0.5]), ([0.5, 0], [0, 0.5])))
    assert homes.share.tolist() == [0.5, 0.5] and set(homes.vertices + homes.other_ends) == {"S", "X"}
    result = apsp.solve(crossing, keep="factor")
    assert result.distances_of((homes, shops)).tolist() == [30, 13]  # over W, as the way ahead is forbidden; a turn of 3
    for asked in (result, crossing):
        steps = apsp.paths(asked, (homes, shops)).to_pandas()
        assert steps.vertex.tolist() == ["1", "X", "W", "X", "1", "2", "X", "2"]
    places, distances = apsp.nearest(crossing, shops)
    row = dict(zip(result.sources, zip(places[:, 0].tolist(), distances[:, 0].tolist())))
    assert row["S"] == (1, 18) and row["N"] == (1, 5) and row["W"] in ((0, 15), (1, 15))
    jobs = apsp.snap(crossing, {"x": [0.5], "y": [0], "jobs": [7.0]}, at, snap="arc")
    sums = apsp.access(crossing, jobs, [24, 35], sources=homes)
    assert sums[:, :, 0].tolist() == [[0, 7], [0, 7]]
    back = apsp.access(crossing, jobs, 15, sources=["N", "S"], direction="to")
    assert back[:, 0].tolist() == [7, 7]
    on_vertices = apsp.snap(crossing, {"x": [0, 1], "y": [-1, 0]}, at)
    assert apsp.nearest(crossing, on_vertices)[1][:, 0].max() < INF
    assert apsp.paths(crossing, (on_vertices, apsp.snap(crossing, {"x": [1, 0], "y": [0, 1]}, at)))["distance"][-1] == 20


def test_angles():
    streets = apsp.Graph.from_edges([0, 0, 0, 0], [1, 2, 3, 4], [10] * 4, directed=False)
    at = [(0, 0), (0, -1), (-1, 0), (0, 1), (1, 0)]
    result = apsp.solve(streets.with_turns(angles=[(45, 3), (-45, 1)], positions=at))
    assert [result.distance(1, to) for to in (2, 3, 4)] == [23, 20, 21]


def test_tables_and_files(crossing, tmp_path):
    pandas = pytest.importorskip("pandas")
    streets = apsp.Graph.from_edges([1, 2, 2, 4], [2, 3, 4, 3], [10, 10, 10, 1], directed=False)
    table = pandas.DataFrame({"from": [1, 1], "via": [2, 2], "to": [3, 4], "cost": [INF, 2.0]})
    turned = streets.with_turns(table)
    apsp.solve(turned, keep="factor", output=tmp_path / "r.zarr", statistics=False)
    result = apsp.open(tmp_path / "r.zarr")
    assert result.distance(1, 3) == 23 and result.path(1, 3) == [1, 2, 4, 3]
    apsp.write_table(turned, tmp_path / "t.csv", sources=[1], targets=[3, 4])
    assert (tmp_path / "t.csv").read_text().split() == ["from,to,distance", "1,3,23", "1,4,22"]


def test_refusals(crossing):
    streets = apsp.Graph.from_edges([0, 1], [1, 2])
    for wrong in ([(0, 1, 5, 1)], [(0, 1)], [(0, 2, 1, 1)], [(0, 1, 2, -1)]):
        with pytest.raises(apsp.UsageError):
            streets.with_turns(wrong)
    with pytest.raises(apsp.UsageError):
        streets.with_turns(angles=[(90, 1)])
    for ask in (apsp.betweenness, apsp.eccentricity, lambda graph: apsp.verify(apsp.within(graph, 5), graph, 5),
                lambda graph: apsp.isochrones(graph, ["S"], 5, [(0, 0)] * len(graph))):
        with pytest.raises(apsp.UsageError):
            ask(crossing)
    with pytest.raises(apsp.UsageError):
        crossing.with_turns(u_turns=1)
