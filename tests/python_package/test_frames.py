"""Random tables, sparse arrays and graphs of others: each is read as its own package reads it, or refused.

APSP_FRAMES: how many of each kind (a few hundred are minutes); APSP_FRAMES_SEED: the first one.
"""

import datetime
import decimal
import os
import random

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph

import apsp

FEW = 60
FIRST = int(os.environ.get("APSP_FRAMES_SEED", "1"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("APSP_FRAMES", FEW)))
KNOWN = [("source", "target"), ("from", "to"), ("src", "dst"), ("u", "v"), ("origin", "destination"), ("Source", "Target"),
         ("FROM", "TO"), ("node1", "node2")]


def expect(graph, expected, labels):
    """The distances [n, n] of `labels`; a graph of a table may have its vertices in another order."""
    found = apsp.solve(graph, value_type="f64", keep="matrix", threads=1)
    made = found.graph
    assert set(made.labels) == set(labels) and len(made) == len(labels)
    order = [made.index(label) for label in labels]
    np.testing.assert_allclose(np.asarray(found.distances)[np.ix_(order, order)], expected, rtol=1e-12)


def by_networkx(rows, directed):
    """(distances [n, n], labels) of rows (source, target, weight)."""
    network = (nx.MultiDiGraph if directed else nx.MultiGraph)()
    network.add_weighted_edges_from(rows)
    nodes = list(network)
    lengths = dict(nx.all_pairs_dijkstra_path_length(network))
    return np.array([[lengths[u].get(v, np.inf) for v in nodes] for u in nodes]).reshape(len(nodes), len(nodes)), nodes


def draw_ids(random):
    """A pool of vertices of one kind, and the kind."""
    kind = random.choice(["small", "large", "floats", "names", "mixed", "digits", "dates", "decimals", "unsigned"])
    n = random.randint(2, 6)
    pool = {
        "small": lambda: random.sample(range(-3, 12), n),
        "large": lambda: [2**60 + i for i in random.sample(range(9), n)],
        "floats": lambda: [float(i) for i in random.sample(range(20), n)],
        "names": lambda: random.sample(["a", "b", "New York", "NA", "x,y", "ü", "inf", "nan", "from"], n),
        "mixed": lambda: random.sample([1, 2, 3, "a", "b", "c", (1, 2)], n),
        "digits": lambda: random.sample(["7", "007", "8", "9.0", "9", "10"], n),
        "dates": lambda: [datetime.datetime(2020, 1, day) for day in random.sample(range(1, 28), n)],
        "decimals": lambda: [decimal.Decimal(i) for i in random.sample(range(20), n)],
        "unsigned": lambda: [2**63 + i for i in random.sample(range(9), n)],
    }[kind]()
    return kind, pool


def draw_edges(random):
    kind, pool = draw_ids(random)
    m = random.randint(1, 10)
    weight = random.choice([lambda: random.randint(0, 9), lambda: random.randint(1, 30) / 4])
    return kind, [(random.choice(pool), random.choice(pool), weight()) for _ in range(m)]


def are_one_number(labels):
    """Whether two texts among the labels are one number."""
    numbers = [float(label) for label in labels if isinstance(label, str) and label.replace(".", "").isdigit()]
    return len(set(numbers)) < len(numbers)


def frame_of(package, columns, kind, random):
    """The columns as a table of a package, in one of its types."""
    if package == "polars":
        if kind == "mixed":
            return None
        return pl.DataFrame({name: pl.Series(name, values, strict=False, dtype=pl.UInt64 if kind == "unsigned" and i < 2
                                             else None) for i, (name, values) in enumerate(columns)})
    if package == "Arrow":
        if kind == "mixed":
            return None
        table = pa.table({name: pa.array(values, pa.uint64() if kind == "unsigned" and i < 2 else None)
                          for i, (name, values) in enumerate(columns)})
        return table.combine_chunks().to_batches()[0] if random.random() < 0.3 else table
    frame = pd.DataFrame({name: pd.Series(values, dtype=object if kind == "mixed" and isinstance(name, str) and i < 2
                                          else None) for i, (name, values) in enumerate(columns)})
    choice = random.choice(["as it is", "nullable", "arrow", "object", "categories"])
    ends = list(frame.columns[:2])
    if choice == "nullable" and kind in ("small", "large"):
        return frame.astype(dict.fromkeys(ends, "Int64"))
    if choice == "arrow" and kind in ("small", "large", "names", "digits"):
        return frame.convert_dtypes(dtype_backend="pyarrow")
    if choice == "object":
        return frame.astype(object)
    if choice == "categories" and kind != "mixed":
        return frame.astype(dict.fromkeys(ends, "category"))
    return frame


@pytest.mark.parametrize("package", ["pandas", "polars", "Arrow"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_of_edges(package, seed):
    draw = random.Random(f"{package} {seed}")
    kind, rows = draw_edges(draw)
    ends = draw.choice([*KNOWN, ("s", "t")])
    title = draw.choice(["weight", "Weight", "length", "minutes", "metres", None])
    columns = [(ends[0], [u for u, _, _ in rows]), (ends[1], [v for _, v, _ in rows])]
    if title:
        columns.append((title, [w for _, _, w in rows]))
    frame = frame_of(package, columns, kind, draw)
    if frame is None:
        pytest.skip(f"{package} has no column of mixed types")
    directed = draw.choice([None, False, True])
    given = draw.choice(["titles", "named", "misspelt"])
    if title is None or given == "titles":
        expected, labels = by_networkx([(u, v, w if title else 1) for u, v, w in rows], bool(directed))
        make = lambda: apsp.Graph.from_arrow(frame, directed=directed)
    elif given == "named":
        expected, labels = by_networkx(rows, bool(directed))
        make = lambda: apsp.Graph.from_pandas(frame, *ends, title, directed=directed)
    else:
        pytest.raises(apsp.UsageError, apsp.Graph.from_pandas, frame, *ends, title + "s")
        return
    if kind == "digits" and are_one_number(labels):
        with pytest.raises(apsp.UsageError, match="ids="):
            make()
        return
    try:
        graph = make()
    except apsp.UsageError as error:  # two rows and two columns of numbers
        assert "matrix" in str(error) and ends == ("s", "t") and title is None and len(rows) == 2
        return
    expect(graph, expected, labels)
    if kind in ("small", "large", "floats", "decimals", "unsigned"):
        assert all(type(label) is int for label in graph.labels)
    elif package != "pandas" or kind != "dates":
        assert {type(label) for label in graph.labels} == {type(label) for label in labels}
    remarks = " ".join(graph.facts["remarks"])
    assert ("weight 1" in remarks) == (title is None)
    if ends == ("s", "t") and given == "titles":
        assert "'s'" in remarks and "'t'" in remarks
    least = {}
    for u, v, weight in rows:
        least.setdefault(frozenset((u, v)), set()).add(weight)
    differ = title is not None and any(len(weights) > 1 for weights in least.values())
    assert ("undirected" in remarks) == (directed is None and differ)


@pytest.mark.parametrize("package", ["pandas", "polars", "Arrow"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_with_a_missing_value_is_refused(package, seed):
    draw = random.Random(f"missing {package} {seed}")
    kind, rows = draw_edges(draw)
    row, column = draw.randrange(len(rows)), draw.randrange(3)
    parts = [list(part) for part in zip(*rows)]
    parts[column][row] = None
    frame = frame_of(package, list(zip(["source", "target", "weight"], parts)), kind, draw)
    if frame is None:
        return
    place = f"row {row} of column '{['source', 'target', 'weight'][column]}'"
    with pytest.raises(apsp.UsageError, match=f"{place}|ids=" if kind == "digits" else place):
        apsp.solve(frame)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_square_frame_is_a_matrix_of_names(seed):
    draw = random.Random(f"square {seed}")
    n = draw.randint(1, 6)
    values = np.array([[draw.choice([0, 0, np.nan, draw.randint(1, 9)]) for _ in range(n)] for _ in range(n)], float)
    if draw.random() < 0.5:
        values = np.triu(values) + np.triu(values, 1).T
    names = draw.sample(["P", "Q", "R", "from", "to", "u", "v"], n)
    frame = pd.DataFrame(values, index=names, columns=names)
    frame = frame[draw.sample(names, n)]
    if draw.random() < 0.3:
        frame = frame.astype(pd.Float64Dtype())
    expected = csgraph.dijkstra(np.nan_to_num(values))
    expect(frame, expected, names)
    expect(apsp.Graph.from_numpy(frame, no_edge=0), expected, names)
    if draw.random() < 0.5:  # as a file of it is read without index_col
        frame = frame.reset_index(names="")
    expect(frame if draw.random() < 0.5 else pl.from_pandas(frame) if "" in frame else frame, expected, names)
    pytest.raises(apsp.Error, apsp.Graph.from_numpy, frame.rename(index=lambda name: f"{name}s").assign(more=1))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_seven_formats_of_scipy(seed):
    draw = random.Random(f"sparse {seed}")
    n = draw.choice([1, 2, 4, 6])
    dense = np.array([[draw.choice([0, 0, 0, draw.randint(1, 9)]) for _ in range(n)] for _ in range(n)],
                     draw.choice([float, int, np.float32]))
    of = draw.choice([sp.csr_array, sp.csr_matrix])
    matrices = {form: of(dense).asformat(form) for form in ("coo", "csc", "csr", "dia", "dok", "lil")}
    for side in range(1, n + 1):
        if n % side == 0:
            matrices[f"bsr of {side}"] = (sp.bsr_array if of is sp.csr_array else sp.bsr_matrix)(
                of(dense), blocksize=(side, side))
    expected = csgraph.dijkstra(of(dense))
    for form, matrix in matrices.items():
        np.testing.assert_array_equal(apsp.solve(matrix, value_type="f64", keep="matrix").distances, expected, form)
        np.testing.assert_array_equal(apsp.csgraph.dijkstra(matrix), expected, form)
        assert apsp.Graph.from_scipy(matrix).facts["edges"] == np.count_nonzero(dense), form


@pytest.mark.parametrize("seed", SEEDS)
def test_stored_zeros_and_entries_that_come_twice(seed):
    draw = random.Random(f"twice {seed}")
    n, m = draw.randint(2, 6), draw.randint(1, 12)
    rows, columns = ([draw.randrange(n) for _ in range(m)] for _ in range(2))
    matrix = sp.coo_array(([float(draw.choice([0, 1, 2, 5])) for _ in range(m)], (rows, columns)), shape=(n, n))
    for form in ("coo", "csr", "csc"):
        given = matrix.asformat(form)
        distances = apsp.solve(given, value_type="f64", keep="matrix").distances
        np.testing.assert_array_equal(distances, csgraph.dijkstra(given), form)
    twice = sp.csr_array((np.ones(m), (rows, columns)), shape=(n, n))
    twice.data = np.array([float(draw.randint(1, 9)) for _ in twice.data])
    doubled = sp.csr_array((np.repeat(twice.data, 2) + np.tile([0, 3], twice.nnz), np.repeat(twice.indices, 2),
                            2 * twice.indptr), shape=(n, n))  # parallel edges, as csgraph takes them
    np.testing.assert_array_equal(apsp.solve(doubled, value_type="f64", keep="matrix").distances, csgraph.dijkstra(twice))


def draw_network(draw):
    network = draw.choice([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])()
    nodes = draw.sample([0, 1, 2, "a", "b", (1, 2), 3.5, frozenset({1})], draw.randint(1, 6))
    network.add_nodes_from(nodes)
    for _ in range(draw.randint(0, 12)):
        network.add_edge(draw.choice(nodes), draw.choice(nodes))
    return network


def by_dijkstra(network, weight):
    nodes = list(network)
    lengths = dict(nx.all_pairs_dijkstra_path_length(network, weight=weight))
    return np.array([[lengths[u].get(v, np.inf) for v in nodes] for u in nodes]), nodes


@pytest.mark.parametrize("seed", SEEDS)
def test_graphs_of_networkx(seed):
    draw = random.Random(f"networkx {seed}")
    network = draw_network(draw)
    present = draw.choice([0, 0.5, 1])
    name = draw.choice(["weight", "length"])
    for *_, data in network.edges(data=True):
        if draw.random() < present:
            data[name] = draw.choice([draw.randint(0, 9), draw.random(), np.float64(0.5), np.int64(3)])
        if draw.random() < 0.2:
            data["colour"] = "red"
    attributes = {key for *_, data in network.edges(data=True) for key in data}
    asked = draw.choice(["default", "length", "Weight", None, "function"])
    if asked == "function":
        salt = draw.randint(1, 5)
        number = {node: i for i, node in enumerate(network)}
        symmetric = draw.random() < 0.5

        def asked(u, v, data):
            i, j = number[u], number[v]
            if symmetric:
                i, j = min(i, j), max(i, j)
            return None if (i + 2 * j) % 5 == 0 else (i * salt + 3 * j) % 7 + len(data)

        expect(apsp.Graph.from_networkx(network, weight=asked), *by_dijkstra(network, asked))
        return
    if asked is None:
        expect(apsp.Graph.from_networkx(network, weight=None), *by_dijkstra(network, lambda *_: 1))
        return
    weight = "weight" if asked == "default" else asked
    make = lambda: apsp.Graph.from_networkx(network) if asked == "default" else apsp.Graph.from_networkx(network, weight)
    if weight not in attributes and network.size() and (attributes or asked != "default"):
        pytest.raises(apsp.UsageError, make)
        return
    graph = make()
    expect(graph, *by_dijkstra(network, weight))
    lack = sum(weight not in data for *_, data in network.edges(data=True))
    assert bool(graph.facts["remarks"]) == bool(lack or not network.size() and asked == "default")


@pytest.mark.parametrize("seed", SEEDS)
def test_graphs_of_igraph(seed):
    draw = random.Random(f"igraph {seed}")
    n, directed = draw.randint(1, 6), draw.random() < 0.5
    edges = [(draw.randrange(n), draw.randrange(n)) for _ in range(draw.randint(1, 10))]
    graph = igraph.Graph(n, edges, directed=directed)
    name = draw.choice(["weight", "length", None])
    if name:
        graph.es[name] = [draw.choice([1, 2, 2.5, 7]) for _ in edges]
    if draw.random() < 0.5:
        graph.vs["name"] = draw.sample("abcdefgh", n)
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(n))
    asked = draw.choice(["default", "weight", "length", None])
    if asked == "default" and name != "length":
        expect(apsp.Graph.from_igraph(graph), np.array(graph.distances(weights=name)), labels)
    elif asked is None:
        expect(apsp.Graph.from_igraph(graph, None), np.array(graph.distances()), labels)
    elif asked == name:
        expect(apsp.Graph.from_igraph(graph, name), np.array(graph.distances(weights=name)), labels)
    else:
        with pytest.raises(apsp.UsageError):
            apsp.solve(graph) if asked == "default" else apsp.solve(graph, weight=asked)


@pytest.mark.parametrize("kind, least", [(np.float32, 2**24), (np.float16, 2**11)])
def test_floats_that_hold_not_every_integer_are_no_ends(kind, least):
    for frame in (pd.DataFrame, pa.table):
        with pytest.raises(apsp.UsageError, match=r"beyond 2\^"):
            apsp.solve(frame({"u": np.array([least + 1, 3], kind), "v": np.array([least, 4], kind)}))
        assert apsp.solve(frame({"u": np.array([least - 1], kind), "v": np.array([4], kind)})).distance(least - 1, 4) == 1


def test_truth_among_weights_is_refused_and_columns_without_titles_are_not_used():
    table = pd.DataFrame({"u": [1, 2], "v": [2, 3], "w": pd.Series([5, True], dtype=object)})
    with pytest.raises(apsp.UsageError, match="True and False"):
        apsp.Graph.from_pandas(table)
    for title in (None, np.nan):
        graph = apsp.Graph.from_pandas(pd.DataFrame([[7, 1, 2, 5], [7, 2, 3, 4]], columns=[title, "u", "v", "w"]))
        assert graph.edges()[2].tolist() == [5, 4]


def test_names_that_differ_by_blanks_or_by_their_types_alone_are_refused():
    for name in ("b ", "\tb", "b\u00a0"):
        for make in (pd.DataFrame, pl.DataFrame, pa.table):
            with pytest.raises(apsp.UsageError, match="blanks at an end"):
                apsp.solve(make({"u": ["a", "b"], "v": [name, "c"]}))
    assert apsp.Graph.from_pandas(pd.DataFrame({"u": ["a "], "v": ["b"]})).labels == ["a ", "b"]
    graph = nx.Graph([(1, 2), ("1", 2)])
    with pytest.raises(apsp.UsageError, match="1 and '1'"):
        apsp.solve(graph)
    assert apsp.solve(nx.relabel_nodes(graph, {"1": "one"})).distance(1, "one") == 2


TEXTS = [pl.Series(["b", "a"], dtype=pl.Enum(["a", "b"])), pl.Series(["b", "a"], dtype=pl.Categorical),
         pa.array(["b", "a"]).dictionary_encode(), pa.array(["b", "a"], pa.string_view()),
         pa.array(["b", "a"], pa.large_string()), pa.RunEndEncodedArray.from_arrays([1, 2], ["b", "a"]),
         pa.chunked_array([["b"], ["a"]]), pd.Series(["b", "a"], dtype="category"), pd.Series(["b", "a"], dtype="string")]


@pytest.mark.parametrize("ends", TEXTS, ids=lambda ends: f"{type(ends).__module__}.{getattr(ends, 'type', getattr(ends, 'dtype', ''))}")
def test_texts_of_every_kind_are_names(ends):
    make = {"polars": pl.DataFrame, "pyarrow": pa.table, "pandas": pd.DataFrame}[type(ends).__module__.split(".")[0]]
    graph = apsp.Graph.from_pandas(make({"from": ends, "to": ["c", "b"], "w": [5, 7]}))
    assert graph.labels == ["b", "a", "c"]
    assert sorted(zip(*(column.tolist() for column in graph.edges()))) == [(0, 1, 7.0), (0, 2, 5.0)]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_durations_and_dates_are_no_weights(make):
    for value in (datetime.timedelta(seconds=90), datetime.datetime(2026, 1, 2)):
        with pytest.raises(apsp.UsageError, match="row 0 of column 'w'.*total_seconds"):
            apsp.solve(make({"from": ["a"], "to": ["b"], "w": [value]}))
