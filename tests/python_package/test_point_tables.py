"""Points, paths and tables of Arrow, against NetworkX, pandas, polars and GeoPandas."""

import csv
import io

import geopandas
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import apsp


@pytest.fixture
def town():
    """(graph of NetworkX with x and y in degrees as OSMnx has them, graph, homes and shops as frames)."""
    draw = np.random.default_rng(4)
    G = nx.DiGraph()
    for i in range(25):
        G.add_node(100 + i, x=24.9 + 0.002 * (i % 5) + draw.uniform(0, 8e-4), y=60.1 + 0.001 * (i // 5) + draw.uniform(0, 4e-4))
    for i in range(25):
        for j in ([i + 1] if i % 5 < 4 else []) + ([i + 5] if i < 20 else []):
            for a, b in [(i, j), (j, i)]:
                if draw.random() < 0.85:
                    G.add_edge(100 + a, 100 + b, weight=int(draw.integers(1, 60)))
    frames = [pd.DataFrame({"name": [f"{kind}{i}" for i in range(6)], "lon": draw.uniform(24.9, 24.908, 6),
                            "lat": draw.uniform(60.1, 60.104, 6), "jobs": np.arange(6) + 1.0}, index=list("uvwxyz"))
              for kind in ("home", "shop")]
    return G, apsp.Graph.from_networkx(G), *frames


def with_points(G, *all_places):
    """G with a node for each point on its street, which leads there and away along arcs."""
    cut = nx.DiGraph(G)
    names = [(name, u, v, share) for places in all_places
             for name, u, v, share in zip(places.names, places.vertices.tolist() if hasattr(places.vertices, "tolist")
                                          else places.vertices, list(places.other_ends), places.share)]
    weight = {(u, v): data["weight"] for u, v, data in G.edges(data=True)}
    for name, u, v, share in names:
        for a, b, part in ((u, v, share), (v, u, 1 - share)):
            if u == v:
                cut.add_edge(u, ("in", name), weight=0)
                cut.add_edge(("out", name), u, weight=0)
            elif (a, b) in weight:
                cut.add_edge(a, ("in", name), weight=part * weight[a, b])
                cut.add_edge(("out", name), b, weight=(1 - part) * weight[a, b])
                for other, ou, ov, oshare in names:
                    at = oshare if (ou, ov) == (a, b) else 1 - oshare if (ov, ou) == (a, b) else None
                    if at is not None and at >= part:
                        cut.add_edge(("out", name), ("in", other), weight=(at - part) * weight[a, b])
    return cut


def test_places_are_the_nearest_and_their_distances_those_of_streets(town, tmp_path):
    G, graph, homes, shops = town
    at_homes = apsp.snap(G, homes, snap="arc")
    table = pd.DataFrame({"vertex": list(G), "lon": [G.nodes[v]["x"] for v in G], "lat": [G.nodes[v]["y"] for v in G]})
    at_shops = apsp.snap(graph, shops, table, snap="arc")
    assert repr(at_homes) == "<apsp.Places: 6 points>" and (at_homes.walk < 200).all()
    nearest = apsp.snap(G, homes)
    apart = np.hypot((table.lon.to_numpy() - homes.lon.to_numpy()[:, None]) * np.cos(np.radians(60.1)),
                     table.lat.to_numpy() - homes.lat.to_numpy()[:, None])
    assert nearest.vertices == [list(G)[i] for i in apart.argmin(axis=1)] and (nearest.walk >= at_homes.walk).all()
    expected = dict(nx.all_pairs_dijkstra_path_length(with_points(G, at_homes, at_shops)))

    def along(s, t):
        return expected[s].get(t, np.inf)

    result = apsp.solve(graph, keep="factor")
    table = result.distances_of((at_homes, at_shops), as_table=True).to_pandas()
    wanted = [along(("out", h), ("in", s)) for h, s in zip(homes.name, shops.name)]
    assert np.allclose(table.distance, wanted) and table.index.tolist() == list("uvwxyz")
    for asked in (graph, result):
        apsp.write_table(asked, tmp_path / "t.csv", sources=at_homes, targets=at_shops)
        rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
        assert len(rows) == 36 and rows[7]["to_jobs"] == "2" and float(rows[0]["from_walk"]) == at_homes.walk[0]
        assert np.allclose([float(row["distance"]) for row in rows],
                           [along(("out", row["from"]), ("in", row["to"])) for row in rows])
    near = apsp.nearest(graph, at_shops, 2, as_table=True).to_pandas()
    for v, rows in near.groupby("vertex"):
        best = sorted(along(v, ("in", s)) for s in shops.name)[:2]
        assert np.allclose(rows.distance, [d for d in best if np.isfinite(d)])
        assert rows.jobs.tolist() == [int(place[-1]) + 1 for place in rows.place]
    sums = apsp.access(graph, at_shops, [20, 70], sources=at_homes, as_table=True).to_pandas()
    assert sums.index.tolist() == list("uvwxyz") and sums["from"].tolist() == homes.name.tolist()
    for limit in (20, 70):
        assert sums[f"jobs within {limit}"].tolist() == [
            sum(j for s, j in zip(shops.name, shops.jobs) if along(("out", h), ("in", s)) <= limit) for h in homes.name]
    there, back = apsp.access(graph, at_shops, [20, 70], sources=at_homes, direction="both")
    assert there[:, 1].tolist() == [[each] for each in sums["jobs within 70"]]
    assert back[:, 0, 0].tolist() == [sum(j for s, j in zip(shops.name, shops.jobs) if along(("out", s), ("in", h)) <= 20)
                                      for h in homes.name]
    reaching = apsp.access(graph, at_shops, 20, direction="to")
    assert reaching[:, 0].tolist() == [sum(j for s, j in zip(shops.name, shops.jobs) if along(("out", s), v) <= 20) for v in G]


def test_points_come_from_tables_files_and_frames_of_geometries(town, tmp_path):
    G, graph, homes, _ = town
    first = apsp.snap(G, homes)
    homes.to_csv(tmp_path / "homes.csv", index=False)
    frame = geopandas.GeoDataFrame(homes.drop(columns=["lon", "lat"]), crs=4326,
                                   geometry=geopandas.points_from_xy(homes.lon, homes.lat))
    frame.to_file(tmp_path / "homes.geojson", driver="GeoJSON")
    for points in (str(tmp_path / "homes.csv"), tmp_path / "homes.geojson", frame, pl.from_pandas(homes),
                   pa.Table.from_pandas(homes), homes.to_dict("list")):
        again = apsp.snap(G, points)
        assert again.vertices == first.vertices and list(again.names) == list(first.names)
        assert np.allclose(again.walk, first.walk) and again.columns["jobs"].tolist() == homes.jobs.tolist()
    metres = frame.to_crs(3067)
    places = {v: point for v, point in zip(G, geopandas.GeoSeries.from_xy(
        [G.nodes[v]["x"] for v in G], [G.nodes[v]["y"] for v in G], crs=4326).to_crs(3067).apply(lambda p: (p.x, p.y)))}
    assert np.allclose(apsp.snap(graph, metres, places).walk, first.walk, rtol=0.01)


def test_what_is_wrong_with_points_is_refused(town):
    G, graph, homes, _ = town
    for call in (lambda: apsp.snap(graph, homes), lambda: apsp.snap(G, homes[["name", "lon"]]),
                 lambda: apsp.snap(G, homes, snap="street"), lambda: apsp.snap(graph, homes, np.zeros((3, 2))),
                 lambda: apsp.snap(graph, homes, {100: (0, 0)}), lambda: apsp.snap(G, 17),
                 lambda: apsp.paths(graph, (apsp.snap(G, homes, snap="arc"), apsp.snap(G, homes[1:]))),
                 lambda: apsp.access(graph, apsp.snap(G, homes[["lon", "lat"]]), 5)):
        with pytest.raises(apsp.UsageError):
            call()
    with pytest.raises(apsp.InputError):
        apsp.snap(G, homes, snap_limit=0.01)


def networks_of_paths(town):
    """Weights that differ, equal weights with many ties, and arcs that do not reach all vertices."""
    draw = np.random.default_rng(2)
    yield town[1]
    yield town[1].with_weights(np.full(len(town[1].edges()[2]), 3))
    yield apsp.Graph.from_edges(*draw.integers(0, 60, (2, 90)), np.ones(90), n=60)


@pytest.mark.parametrize("which", range(3))
def test_paths_are_those_of_a_result(town, which):
    graph = list(networks_of_paths(town))[which]
    draw = np.random.default_rng(1)
    some = draw.choice(graph.labels, 3)  # of some sources, which share beginnings
    pairs = [(int(s), int(t)) for s, t in zip(draw.choice(some, 60), draw.choice(graph.labels, 60))]
    result = apsp.solve(graph)
    sources, targets, weights = graph.edges()
    for asked, given in ((result, pairs), (graph, pd.DataFrame(pairs, columns=["from", "to"])), (result, np.array(pairs))):
        table = apsp.paths(asked, given).to_pandas()
        for i, (s, t) in enumerate(pairs):
            mine = table[table.pair == i]
            assert mine.vertex.tolist() == result.path(s, t) and mine.step.tolist() == list(range(len(mine)))
            if len(mine):
                assert mine.distance.iloc[-1] == result.distance(s, t) and mine.arc.iloc[0] == -1
                assert weights[mine.arc[1:]].tolist() == np.diff(mine.distance).tolist()
                assert [graph.labels[v] for v in targets[mine.arc[1:]]] == mine.vertex[1:].tolist()
    assert len(apsp.paths(result, [])) == 0


def test_answers_are_tables_of_arrow_and_tables_are_read(town):
    _, graph, *_ = town
    for table in (apsp.betweenness(graph, as_table=True), apsp.edge_betweenness(graph, as_table=True),
                  apsp.nearest(graph, [100, 107], as_table=True), apsp.paths(graph, [(100, 124)])):
        frame = table.to_pandas()
        assert pa.table(table).to_pydict() == frame.to_dict("list") == pl.DataFrame(table).to_dict(as_series=False)
        assert pd.DataFrame.from_arrow(table).equals(pd.DataFrame.from_arrow(pa.table(table)))
    values = apsp.betweenness(graph)
    assert apsp.betweenness(graph, as_table=True)["betweenness"].tolist() == values.tolist()
    jobs = pd.DataFrame({"vertex": [100, 107, 100], "jobs": [1, 2, 4], "beds": [0, 1, 0]})
    plain = apsp.access(graph, jobs.set_index("vertex"), [30])
    for given in (pa.Table.from_pandas(jobs), pl.from_pandas(jobs)):
        assert (apsp.access(graph, given, [30]) == plain).all()
        table = apsp.access(graph, given, [30], as_table=True)
        assert table.names == ["vertex", "jobs within 30", "beds within 30"]
        assert table["vertex"] == graph.labels and table["beds within 30"].tolist() == plain[:, 0, 1].tolist()
    edges = pa.table({"from": [1, 2], "to": [2, 3], "weight": [4.0, 5.0]})
    pairs = pa.table({"from": [1], "to": [3]})
    found = apsp.solve(edges).distances_of(pairs, as_table=True)
    assert pa.table(found).to_pydict() == {"from": [1], "to": [3], "distance": [9.0]}
    with pytest.raises(apsp.UsageError):
        found["length"]
    result = apsp.solve(edges)
    assert pa.table(result.distance(1, [2, 3], as_table=True)).to_pydict() == {"from": [1, 1], "to": [2, 3], "distance": [4.0, 9.0]}
    ends = pd.Series([3, 1], index=["x", "y"])
    assert result.distance(1, ends, as_table=True).to_pandas().loc["x"].tolist() == [1, 3, 9]
    assert len(result.distance(1, 3, as_table=True)) == 1


def test_duckdb_reads_tables_by_their_names():
    duckdb = pytest.importorskip("duckdb")
    roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    near = apsp.nearest(roads, ["A", "D"], as_table=True)  # noqa: F841: the query names it
    assert duckdb.sql("select place, sum(distance) from near group by place order by place").fetchall() == [("A", 80.0), ("D", 0.0)]


def test_several_second_weights_have_their_titles(tmp_path):
    roads = apsp.Graph.from_edges(list("ab"), list("bc"), [3, 4])
    apsp.write_table(roads, tmp_path / "t.csv", sources=["a"], targets=["c"], unit="min",
                     second={"metres": roads.with_weights([10, 20]), "climb": roads.with_weights([1, 0])})
    assert (tmp_path / "t.csv").read_text() == "from,to,distance (min),metres,climb\na,c,7,30,1\n"
