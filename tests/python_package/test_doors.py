"""What people hand over as a graph: read rightly, or refused with an error of the package that says why."""

import datetime
import decimal
import fractions
import gzip
import io
import pickle

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import scipy.sparse as sp
import scipy.sparse.csgraph

import apsp

ROADS = {"source": ["a", "b"], "target": ["b", "c"], "length": [5, 4]}
PACKAGES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "Arrow": pa.table}


def refused(make, *words, kind=apsp.UsageError):
    with pytest.raises(kind) as caught:
        make()
    for word in words:
        assert word in str(caught.value)
    return caught.value


def remarks(graph):
    return " ".join(graph.facts["remarks"])


# No weight by accident.


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("name", ["Length", "lenght", "weight"])
def test_a_weight_column_that_is_not_there_is_refused(package, name):
    table = PACKAGES[package](ROADS)
    refused(lambda: apsp.Graph.from_arrow(table, "source", "target", name))
    refused(lambda: apsp.solve(table, weight=name))


def test_an_end_column_that_is_not_there_is_refused_with_levels_of_the_index():
    table = pd.DataFrame({"length": [5]}, index=pd.MultiIndex.from_tuples([(1, 2)], names=["u", "v"]))
    refused(lambda: apsp.Graph.from_pandas(table, "u", "v", "length"))
    refused(lambda: apsp.solve(table))
    assert apsp.solve(table.reset_index()).distance(1, 2) == 5


def test_of_several_columns_the_weight_must_be_named():
    table = pd.DataFrame({**ROADS, "lanes": [1, 2]})
    refused(lambda: apsp.solve(pd.DataFrame([["a", "b", 1, 2]], columns=["source", "target", "weight", "weight"])))
    refused(lambda: apsp.solve(table))
    assert apsp.solve(table, weight="length").distance("a", "c") == 9
    assert apsp.solve(table, weight=None).distance("a", "c") == 2
    assert remarks(apsp.Graph.from_pandas(table, weight="length")) == ""


def test_only_numbers_are_weights_of_a_table():
    for values in (["x", "y"], [True, False], ["5", "4"], pd.to_timedelta([1, 2], "s"), [1 + 2j, 3], [[1], [2]], [10**400, 1]):
        refused(lambda: apsp.solve(pd.DataFrame({**ROADS, "length": values})))
    for values in ([5, float("inf")], [5, None], [5, float("nan")]):
        refused(lambda: apsp.solve(pd.DataFrame({**ROADS, "length": values})))


def network(**names):
    graph = nx.Graph()
    graph.add_edge("a", "b", **{name: 5 for name in names})
    graph.add_edge("b", "c", **{name: 4 for name in names})
    return graph


def test_a_weight_attribute_that_is_not_there_is_refused():
    for make in (lambda: apsp.solve(network(length=1)), lambda: apsp.solve(network(length=1), weight="Length"),
                 lambda: apsp.Graph.from_networkx(network(length=1), "lenght"),
                 lambda: apsp.solve(network(), weight="length")):
        refused(make, "no edge has an attribute")
    assert apsp.solve(network(length=1), weight="length").distance("a", "c") == 9
    assert apsp.solve(network(length=1), weight=None).distance("a", "c") == 2
    assert "weight 1" in remarks(apsp.Graph.from_networkx(network()))
    assert remarks(apsp.Graph.from_networkx(network(weight=1))) == ""


def test_edges_without_the_attribute_are_counted():
    graph = network(weight=1)
    graph.add_edge("c", "d")
    taken = apsp.Graph.from_networkx(graph)
    assert "1 of 3 edges" in remarks(taken) and apsp.solve(taken).distance("c", "d") == 1


def test_igraph_is_asked_for_its_weights_too():
    graph = igraph.Graph.TupleList([("a", "b", 5), ("b", "c", 4)], edge_attrs=["length"])
    refused(lambda: apsp.solve(graph))
    refused(lambda: apsp.solve(graph, weight="Length"))
    assert apsp.solve(graph, weight="length").distance("a", "c") == 9
    assert apsp.Graph.from_igraph(graph, [1, 2]).edges()[2].tolist() == [1, 2]
    assert "weight 1" in remarks(apsp.Graph.from_igraph(igraph.Graph.Ring(3)))
    graph.es[0]["length"] = None
    refused(lambda: apsp.solve(graph, weight="length"))
    graph.vs["name"] = "x"
    assert apsp.solve(graph, weight=None).graph.labels == range(3) and "name" in remarks(apsp.Graph.from_igraph(graph, None))


def test_a_function_of_networkx_says_the_weights():
    graph = network(weight=1)
    assert apsp.solve(graph, weight=lambda u, v, data: 2 * data["weight"]).distance("a", "c") == 18
    graph.add_edge("a", "c", weight=1)
    hidden = apsp.Graph.from_networkx(graph, lambda u, v, data: data["weight"] if data["weight"] > 1 else None)
    assert apsp.solve(hidden).distance("a", "c") == 9 and "hide 2 arcs" in remarks(hidden)
    by_direction = apsp.Graph.from_networkx(graph, lambda u, v, data: 1 if u < v else 7)
    assert by_direction.directed and apsp.solve(by_direction).distance("c", "b") == 7
    parallel = nx.MultiGraph([("a", "b", {"weight": 3}), ("a", "b", {"weight": 2})])
    weight = lambda u, v, edges: min(data["weight"] for data in edges.values())
    assert apsp.Graph.from_networkx(parallel, weight).edges()[2].tolist() == [2]


def test_what_a_function_of_the_caller_raises_passes_as_it_is():
    def fail(u, v, data):
        raise TypeError("mine")

    with pytest.raises(TypeError, match="^mine$") as caught:
        apsp.solve(network(weight=1), weight=fail)
    assert not isinstance(caught.value, apsp.Error)


@pytest.mark.parametrize("weight", [[1, 2], 10**400, 1j, None, "5", float("nan"), float("inf")])
def test_a_weight_that_is_no_number_names_its_edge(weight):
    refused(lambda: apsp.solve(nx.Graph([("p", "q", {"weight": weight})])))


def test_every_function_that_takes_a_graph_takes_weight(tmp_path):
    graph = network(length=1)
    name = dict(weight="length")
    assert apsp.plan(graph, threads=1, **name)["fits"]
    assert sum(block.distances.sum() for block in apsp.rows(graph, **name)) == 36
    assert apsp.distances(graph, np.empty((3, 3)), **name)[0, 2] == 9
    assert apsp.within(graph, 5, **name).nnz == 4
    assert apsp.access(graph, [1, 1, 1], 5, **name).tolist() == [2, 3, 2]
    assert apsp.nearest(graph, ["a"], **name)[1].ravel().tolist() == [0, 5, 9]
    assert apsp.betweenness(graph, **name).tolist() == [0, 1, 0]
    assert apsp.edge_betweenness(graph, **name)[2].tolist() == [2, 2]
    apsp.write_table(graph, tmp_path / "t.csv", sources=["a"], targets=["c"], **name)
    assert "a,c,9" in (tmp_path / "t.csv").read_text()
    apsp.solve(graph, output=tmp_path / "d.npy", **name)
    assert apsp.open(tmp_path / "d.npy", graph, **name).distance("a", "c") == 9
    kept = apsp.solve(graph, keep="factor", **name)
    assert kept.update(graph, **name).distance("a", "c") == 9


def test_what_has_its_weights_refuses_a_name_of_others():
    graph = apsp.Graph.from_networkx(network(weight=1))
    for thing in (graph, apsp.solve(graph), np.eye(2), sp.csr_array(np.eye(2))):
        refused(lambda: apsp.solve(thing, weight="length"))


def test_files_take_the_weight_that_is_named(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text("u,v,length,minutes\na,b,7,1\nb,c,5,2\n")
    assert apsp.solve(path, weight="length").distance("a", "c") == 12
    assert apsp.solve(path, weight=None).distance("a", "c") == 2
    pytest.raises(apsp.InputError, apsp.solve, path, weight="Minutes")


def test_a_result_is_taken_for_its_graph(tmp_path):
    result = apsp.solve(network(weight=1))
    assert apsp.solve(result).distance("a", "c") == 9
    assert apsp.nearest(result, ["a"])[1].ravel().tolist() == [0, 5, 9]
    assert apsp.betweenness(result).tolist() == [0, 1, 0]
    apsp.write_table(result, tmp_path / "t.csv")


# Ends of edges.


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, pd.NA, pd.NaT], ids=str)
def test_a_missing_end_is_refused_wherever_it_comes(missing):
    for ends in (["a", missing], pd.Series(["a", missing], dtype=object), np.array(["a", missing], dtype=object)):
        refused(lambda: apsp.Graph.from_edges(["x", "y"], ends))
        refused(lambda: apsp.Graph.from_edges(ends, ["x", "y"]))
    table = pd.DataFrame({"source": pd.Series(["a", missing], dtype=object), "target": ["b", "c"]})
    refused(lambda: apsp.solve(table))


def test_missing_values_of_every_type_are_refused():
    large = 2**60
    columns = [pd.array([large, None], "Int64"), pd.Categorical(["a", None]), pd.to_datetime(["2020-01-01", None]),
               pd.array(["a", None], "string"), pd.array([large, None], pd.ArrowDtype(pa.int64())), [1.0, float("nan")]]
    for column in columns:
        refused(lambda: apsp.solve(pd.DataFrame({"source": column, "target": [large + 1, 2]})))
    for package in (pl.DataFrame, pa.table):
        refused(lambda: apsp.solve(package({"source": [large, None], "target": [large + 1, 2]})))
        refused(lambda: apsp.solve(package({**ROADS, "length": [1, None]})))
    refused(lambda: apsp.Graph.from_edges(pl.Series(["a"]), pl.Series([None], dtype=pl.String)))


def test_integers_are_integers_however_they_are_held():
    large = 2**60
    for column in (pd.array([large, large + 1], "Int64"), [large, large + 1], pd.array([large, large + 1], "UInt64"),
                   pd.Series([large, large + 1], dtype=object)):
        graph = apsp.Graph.from_pandas(pd.DataFrame({"source": column, "target": [large + 1, large + 2]}))
        assert graph.labels == [large, large + 1, large + 2] and all(type(label) is int for label in graph.labels)
    graph = apsp.Graph.from_edges([1, 2], [2.0, 3.0], [5, 4])
    assert graph.labels == range(1, 4) and apsp.solve(graph).distance(1, 3.0) == 9
    refused(lambda: apsp.Graph.from_edges([1.0, 2.0**53], [2, 3]))
    assert apsp.Graph.from_edges([0, 1], [1, 2], labels=np.array([5, 6, 9])).labels == [5, 6, 9]
    assert all(type(label) is int for label in apsp.Graph.from_edges([0], [1], labels=np.array([5, 9])).labels)


def test_integers_survive_a_store(tmp_path):
    apsp.solve(apsp.Graph.from_edges([-1, 7], [7, 2**62]), output=tmp_path / "a.zarr")
    assert apsp.open(tmp_path / "a.zarr").graph.labels == [-1, 7, 2**62]
    assert apsp.open(tmp_path / "a.zarr").distance("7", 2**62) == 1


def test_texts_and_numbers_of_lists_stay_what_they_are():
    graph = apsp.Graph.from_edges([1, 2], [2, "x"])
    assert graph.labels == [1, 2, "x"] and graph.facts["edges"] == 2
    assert apsp.Graph.from_edges(["a\0", "a"], ["b", "b"]).labels == ["a\0", "a", "b"]
    assert apsp.Graph.from_edges([2**63, 1], [-1, 2.0]).labels == [-1, 1, 2, 2**63]
    refused(lambda: apsp.Graph.from_edges(["7"], [7]), kind=apsp.Error)


def test_labels_have_the_types_of_the_table():
    days = pd.to_datetime(["2020-01-01", "2020-01-02"])
    assert apsp.Graph.from_pandas(pd.DataFrame({"u": days[:1], "v": days[1:]})).labels == list(days)
    assert apsp.Graph.from_pandas(pd.DataFrame({"u": pd.Categorical(["x"]), "v": ["y"]})).labels == ["x", "y"]
    day = np.array(["2020-01-01"], "M8[ns]")
    assert apsp.Graph.from_edges(day, day + np.timedelta64(1, "D")).labels[0] == day[0]


def test_one_number_written_in_two_ways_is_asked_for():
    for u, v in ((["7", "a"], ["007", "b"]), (["2", "a"], ["2.0", "b"]), ([7, "a"], ["7", "b"])):
        table = pd.DataFrame({"u": pd.Series(u, dtype=object), "v": v})
        refused(lambda: apsp.solve(table))
        assert len(apsp.Graph.from_pandas(table, ids="text")) == (3 if u[0] == 7 else 4)
        refused(lambda: apsp.Graph.from_pandas(table, ids="number"))
    table = pd.DataFrame({"u": ["7", "08"], "v": ["007", "9.0"]})
    assert apsp.Graph.from_pandas(table, ids="number").labels == [7, 8, 9]
    refused(lambda: apsp.Graph.from_pandas(table, ids="word"))
    assert apsp.Graph.from_pandas(pd.DataFrame({"u": ["1"], "v": ["02"]})).labels == ["1", "02"]


# Direction.


def test_a_table_is_undirected_and_says_where_that_matters():
    table = pd.DataFrame({"u": [1, 2, 1, 1], "v": [2, 1, 3, 3], "length": [5, 4, 2, 2]})
    graph = apsp.Graph.from_pandas(table)
    assert not graph.directed and "directed=True" in remarks(graph) and apsp.solve(graph).distance(1, 2) == 4
    assert apsp.Graph.from_pandas(table, directed=True).directed
    for directed in (True, False):
        assert remarks(apsp.Graph.from_pandas(table, directed=directed)) == ""
    assert remarks(apsp.Graph.from_pandas(table[2:])) == ""


def test_the_one_way_streets_of_openstreetmap():
    for values in ([True, "-1", False], ["yes", -1, "no"], [1, -1, 0], ["True", "reverse", "False"]):
        table = pd.DataFrame({"u": [1, 2, 3], "v": [2, 3, 4], "length": [3, 4, 5], "oneway": pd.Series(values, dtype=object)})
        graph = apsp.Graph.from_pandas(table, oneway="oneway")
        assert list(zip(*(part.tolist() for part in graph.edges()))) == [(0, 1, 3), (2, 1, 4), (2, 3, 5), (3, 2, 5)]
        assert remarks(graph) == "" and 'oneway="oneway"' in remarks(apsp.Graph.from_pandas(table))
    refused(lambda: apsp.Graph.from_pandas(table.assign(oneway="perhaps"), oneway="oneway"))
    refused(lambda: apsp.Graph.from_pandas(table, oneway="oneway", directed=False))


def test_types_of_gephi_are_directions():
    table = pd.DataFrame({"Source": [1, 2], "Target": [2, 3], "Type": ["Directed", "Undirected"], "Weight": [5, 6]})
    graph = apsp.Graph.from_pandas(table)
    assert graph.directed and "'Type'" in remarks(graph)
    assert graph.edges()[2].tolist() == [5, 6, 6]
    assert not apsp.Graph.from_pandas(table, directed=False).directed
    assert not apsp.Graph.from_pandas(table[1:]).directed
    edges = apsp.Graph.from_pandas(table, oneway="Type").edges()
    assert list(zip(*(part.tolist() for part in edges))) == [(0, 1, 5), (1, 2, 6), (2, 1, 6)]


def test_the_costs_of_the_way_back_of_pgrouting():
    table = pd.DataFrame({"source": [1, 2, 3], "target": [2, 3, 4], "cost": [3, -1, 5], "reverse_cost": [4, 6, -1]})
    graph = apsp.Graph.from_pandas(table, reverse_cost="reverse_cost")
    assert list(zip(*(part.tolist() for part in graph.edges()))) == [(0, 1, 3), (1, 0, 4), (2, 1, 6), (2, 3, 5)]
    assert remarks(graph) == "" and "reverse_cost=" in remarks(apsp.Graph.from_pandas(table.abs()))
    refused(lambda: apsp.Graph.from_pandas(table, weight=None, reverse_cost="reverse_cost"))
    refused(lambda: apsp.Graph.from_pandas(table, oneway="cost", reverse_cost="reverse_cost"))


# Matrices.


def test_a_square_frame_keeps_its_names():
    frame = pd.DataFrame([[0, 4.5, 0], [4.5, 0, 2], [0, 2, 0]], index=list("PQR"), columns=list("PQR"))
    for given in (frame, frame[list("RQP")], frame.astype("Float64"), frame.replace(0, float("nan"))):
        for graph in (apsp.Graph.from_pandas(given), apsp.Graph.from_numpy(given, no_edge=0)):
            assert graph.labels == list("PQR") and apsp.solve(graph).distance("P", "R") == 6.5
    assert not apsp.Graph.from_pandas(frame).directed and "0 is no edge (2 pairs)" in remarks(apsp.Graph.from_pandas(frame))
    assert apsp.solve(apsp.Graph.from_numpy(frame)).distance("P", "R") == 0
    assert apsp.Graph.from_numpy(frame, labels=list("XYZ")).labels == list("XYZ")


def test_names_of_a_square_table_may_be_its_first_column():
    table = {"": ["P", "Q"], "Q": [1, 0], "P": [0, 7]}
    for package in PACKAGES.values():
        graph = apsp.Graph.from_arrow(package(table))
        assert graph.labels == ["P", "Q"] and graph.edges()[2].tolist() == [1, 7]
    read = pd.read_csv(io.StringIO(",1,2\n2,4,0\n1,0,7\n"), index_col=0)
    assert apsp.Graph.from_pandas(read).labels == [2, 1] and apsp.solve(read).distance(2, 1) == 4


def test_a_square_frame_of_other_names_is_no_matrix():
    frame = pd.DataFrame(np.ones((4, 4)), columns=list("abcd"))
    refused(lambda: apsp.Graph.from_numpy(frame))
    refused(lambda: apsp.solve(frame))
    refused(lambda: apsp.Graph.from_numpy(pd.DataFrame(np.ones((2, 3)))))
    refused(lambda: apsp.solve(pd.DataFrame(np.ones((3, 3)))))
    refused(lambda: apsp.solve(frame.iloc[:3, :3]))
    assert apsp.solve(pd.DataFrame([[1, 2, 3], [2, 3, 4], [3, 4, 5]], columns=["s", "t", "length"])).distance(1, 3) == 7
    assert apsp.solve(pd.DataFrame(np.ones((4, 4)))).graph.labels == range(4)
    assert apsp.Graph.from_numpy(frame, labels=list("wxyz")).labels == list("wxyz")


def test_columns_of_several_levels_are_refused():
    refused(lambda: apsp.solve(pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]))))


def test_columns_without_titles_are_taken_by_their_places():
    table = pd.DataFrame([[1, 2, 5], [2, 3, 6], [3, 4, 7], [4, 5, 8]])
    assert apsp.solve(table).distance(1, 3) == 11
    assert apsp.Graph.from_pandas(table, 2, 0, 1).edges()[2].tolist() == [2, 3, 4, 5]
    refused(lambda: apsp.Graph.from_pandas(table, "0", "1"))


class Stream:
    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class Interchange:
    def __init__(self, table):
        self.table = table

    def __dataframe__(self, **given):
        return self.table.__dataframe__(**given)


def test_tables_of_other_packages_are_read_by_their_protocols():
    table = pa.table(ROADS)
    for given in (Stream(table), Interchange(table), table.to_batches()[0], table.to_reader(), pl.DataFrame(ROADS)):
        assert apsp.solve(given).distance("a", "c") == 9
    refused(lambda: apsp.solve(Stream(pa.chunked_array([[1, 2]]))))


# Sparse arrays of SciPy.


def test_zeros_that_fill_are_no_edges():
    matrix = np.array([[0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3], [0, 0, 0, 0.]])
    for given in (*(sp.bsr_array(matrix, blocksize=(side, side)) for side in (1, 2, 4)), sp.dia_array(matrix),
                  sp.lil_array(matrix), sp.dok_array(matrix), sp.csc_array(matrix), sp.coo_matrix(matrix)):
        assert apsp.Graph.from_scipy(given).facts["edges"] == 2
        np.testing.assert_array_equal(apsp.solve(given, value_type="f64").distances, sp.csgraph.dijkstra(sp.csr_array(matrix)))
    assert "no edge" in remarks(apsp.Graph.from_scipy(sp.bsr_array(matrix, blocksize=(4, 4))))
    assert remarks(apsp.Graph.from_scipy(sp.csr_array(matrix))) == ""


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.coo_array, sp.bsr_array, sp.dia_array])
def test_true_is_an_edge_of_a_sparse_matrix_at_every_door(kind, tmp_path):
    matrix = kind(np.array([[False, True, False], [False, False, True], [False, False, False]]))
    expected = apsp.Graph.from_edges([0, 1], [1, 2], directed=True)
    assert apsp.Graph.from_scipy(matrix) == expected and apsp.solve(matrix).distance(0, 2) == 2
    if kind is not sp.dia_array:  # not read from .npz
        sp.save_npz(tmp_path / "true.npz", matrix)
        assert apsp.read(tmp_path / "true.npz") == expected
    if kind in (sp.csr_array, sp.csc_array, sp.coo_array):
        matrix.data[0] = False
        sp.save_npz(tmp_path / "false.npz", matrix)
        refused(lambda: apsp.Graph.from_scipy(matrix), "eliminate_zeros()")
        refused(lambda: apsp.read(tmp_path / "false.npz"), "eliminate_zeros()", kind=apsp.InputError)


def test_entries_of_a_coo_in_one_place_are_added_up():
    twice = sp.coo_array(([5., 7.], ([0, 0], [1, 1])), shape=(2, 2))
    graph = apsp.Graph.from_scipy(twice)
    assert graph.edges()[2].tolist() == [12] == sp.csgraph.dijkstra(twice)[0, 1:].tolist() and "added" in remarks(graph)
    assert twice.nnz == 2  # the caller's array is not changed
    parallel = apsp.Graph.from_edges([0, 0], [1, 1], [5, 7])
    assert apsp.Graph.from_scipy(parallel.to_scipy()) == parallel


def test_entries_of_a_csr_in_one_place_are_parallel_edges_as_in_csgraph(tmp_path):
    parts = np.array([5., 3., 4.]), np.array([1, 1, 2]), np.array([0, 2, 3, 3])
    for kind in (sp.csr_array, sp.csc_array):
        twice = kind(parts, shape=(3, 3))
        graph = apsp.Graph.from_scipy(twice)
        assert apsp.solve(graph).distance(*((0, 1) if kind is sp.csr_array else (1, 0))) == 3
        np.testing.assert_array_equal(apsp.solve(graph, value_type="f64").distances, sp.csgraph.dijkstra(twice))
        assert "1 entry has the place of another" in remarks(graph) and twice.nnz == 3
    sp.save_npz(tmp_path / "twice.npz", sp.coo_array(([5., 7.], ([0, 0], [1, 1])), shape=(2, 2)))
    with pytest.raises(apsp.InputError, match="SciPy adds"):
        apsp.read(tmp_path / "twice.npz")


# Names.


def test_bytes_and_texts_of_one_name_are_refused():
    for ends in ([[b"A", "A"], ["B", "C"]], [["A", b"A"], ["B", "C"]]):
        refused(lambda: apsp.Graph.from_edges(*ends), "'A'")
        refused(lambda: apsp.Graph.from_pandas(pd.DataFrame(dict(source=ends[0], target=ends[1]))), "'A'")
    assert apsp.Graph.from_edges(["A", b"B"], [b"B", "C"]).labels == ["A", b"B", "C"]


def test_names_that_look_alike_are_remarked_on():
    said = remarks(apsp.Graph.from_edges(["Caf\u00e9", "Cafe\u0301"], ["B", "C"]))
    assert "Caf\u00e9" in said and "Cafe\u0301" in said


def test_entries_of_minus_one_in_a_square_frame_are_asked_about():
    frame = pd.DataFrame([[0, 4.5, -1], [4.5, 0, 2], [-1, 2, 0]], index=list("PQR"), columns=list("PQR"))
    refused(lambda: apsp.Graph.from_pandas(frame), "no_edge=0")
    assert apsp.solve(frame.replace(-1, 0)).distance("P", "R") == 6.5


def test_rows_that_became_titles_are_refused():
    text = "0 1 7.0\n1 2 7.3\n"
    refused(lambda: apsp.Graph.from_pandas(pd.read_csv(io.StringIO(text), sep=" ")), "'7.0'")
    assert apsp.Graph.from_pandas(pd.read_csv(io.StringIO(text), sep=" ", header=None)).facts["edges"] == 2
    assert apsp.Graph.from_pandas(pd.DataFrame({0: ["a"], 1: ["b"], "weight": [3]})).facts["edges"] == 1


# Open files.


def test_open_files_are_read(tmp_path):
    text = "Aachen,Köln,5\nKöln,Bonn,4\n"
    (tmp_path / "a.csv").write_text(text)
    expected = apsp.read(tmp_path / "a.csv")
    with open(tmp_path / "a.csv") as words, open(tmp_path / "a.csv", "rb") as content:
        for file in (io.StringIO(text), io.BytesIO(text.encode()), words, content):
            assert apsp.read(file) == expected
    assert apsp.solve(io.StringIO(text)).distance("Aachen", "Bonn") == 9
    assert apsp.read(io.BytesIO(gzip.compress(text.encode()))) == expected
    assert apsp.read(io.BytesIO(text.encode("cp1252")), encoding="cp1252") == expected
    refused(lambda: apsp.read(io.StringIO(text), encoding="cp1252"))
    error = refused(lambda: apsp.read(io.StringIO("a,b,5\na,b,x\n")), kind=apsp.InputError)
    assert error.location[1] == 2


def test_titles_of_files_and_tables_are_read_alike(tmp_path):
    texts = ["weight,source,target\n4,1,3\n", "to,from,minutes\n3,1,7\n", "a,b,metres\n1,2,5\n", "u,v,length\n1,2,5\n",
             ",source,target,cost\n0,1,2,9\n", "id,source,target,cost\n0,1,2,9\n", "from,to\n1,2\n", "s,t,x,y\n1,2,3,4\n"]
    for text in texts:
        try:
            expected = apsp.read(io.StringIO(text))
        except apsp.InputError:
            refused(lambda: apsp.solve(pd.read_csv(io.StringIO(text))))
            continue
        assert apsp.Graph.from_pandas(pd.read_csv(io.StringIO(text))) == expected, text


# Other types.


@pytest.mark.parametrize("call", [
    lambda: apsp.solve({1, 2}), lambda: apsp.solve(None), lambda: apsp.solve([[0, 1], [1, 0]]), lambda: apsp.Graph(),
    lambda: apsp.solve(pl.DataFrame(ROADS).lazy()), lambda: apsp.solve(pd.Series([1, 2])),
    lambda: apsp.Graph.from_pandas({"u": [1]}), lambda: apsp.Graph.from_arrow(3), lambda: apsp.Graph.from_networkx(3),
    lambda: apsp.Graph.from_igraph("x"), lambda: apsp.Graph.from_scipy(np.eye(3)), lambda: apsp.generate(4),
    lambda: apsp.solve(network(), sources=3), lambda: apsp.solve(network(), memory=[1]),
    lambda: apsp.solve(network(), progress=3), lambda: apsp.nearest(network(), ["a"], k="x"),
    lambda: apsp.nearest(network(), 3), lambda: apsp.read(3), lambda: apsp.within(network(), None),
    lambda: apsp.open(3),
])
def test_a_wrong_type_is_an_error_of_the_package_and_a_type_error(call):
    with pytest.raises(apsp.WrongTypeError) as caught:
        call()
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, apsp.UsageError)


@pytest.mark.parametrize("call", [
    lambda: apsp.solve(network(), threads="x"), lambda: apsp.solve(network(), threads=10**30),
    lambda: apsp.solve(network(), tolerance="x"), lambda: apsp.solve(network(), device=3),
    lambda: apsp.within(network(), "far"), lambda: apsp.access(network(), {"a": "x"}, 3),
    lambda: apsp.Graph.from_numpy([[1], [1, 2]]), lambda: apsp.Graph.from_numpy("x"),
    lambda: apsp.Graph.from_numpy(np.array([["a", 1], [1, 2]], dtype=object)), lambda: apsp.Graph.from_edges(3, 4),
    lambda: apsp.Graph.from_edges([[1], "a"], ["b", "c"]), lambda: apsp.Graph.from_edges([1], [2], "x"),
    lambda: apsp.Graph.from_edges([1], [2], [10**400]), lambda: apsp.Graph.from_edges([1], [2], [None]),
    lambda: apsp.Graph.from_edges([1, 2], [2, 3]).with_changes(3), lambda: apsp.solve(network()).distance([], {}),
])
def test_a_wrong_value_is_an_error_of_the_package(call):
    pytest.raises(apsp.Error, call)


def test_an_argument_that_no_function_has_is_a_type_error_of_python():
    pytest.raises(TypeError, apsp.nearest, network(), ["a"], weigth="length")


@pytest.mark.parametrize("call", [lambda graph: apsp.nearest(graph, ["a"]), lambda graph: apsp.access(graph, [1, 1, 1], 5),
                                  lambda graph: apsp.within(graph, 5)])
def test_a_negative_weight_where_it_does_not_fit_names_its_edge(call):
    graph = apsp.Graph.from_edges(["a", "b"], ["b", "c"], [5, -4])
    refused(lambda: call(graph))


def test_remarks_do_not_make_another_graph():
    graph = apsp.Graph.from_networkx(network())
    assert graph == apsp.Graph.from_edges(["a", "b"], ["b", "c"], directed=False)
    assert pickle.loads(pickle.dumps(graph)) == graph


# Values that stand for others.


def test_masked_values_are_missing():
    masked = np.ma.array([0, 1], mask=[False, True])
    refused(lambda: apsp.Graph.from_edges(masked, [1, 2], [5, 1]))
    refused(lambda: apsp.Graph.from_edges([0, 1], [1, 2], masked))
    assert apsp.Graph.from_edges(np.ma.array([0, 1]), [1, 2], np.ma.array([5, 1])).edges()[2].tolist() == [5, 1]


def test_integers_beyond_2_53_are_refused_in_every_type():
    for value in (decimal.Decimal(2**53 + 1), fractions.Fraction(2**53 + 1)):
        refused(lambda value=value: apsp.Graph.from_edges([0], [1], [value]))
    assert apsp.Graph.from_edges([0], [1], [decimal.Decimal("0.5")]).edges()[2].tolist() == [0.5]


def test_a_missing_end_in_a_graph_of_networkx_is_refused():
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", None]})
    refused(lambda: apsp.Graph.from_networkx(nx.from_pandas_edgelist(frame)))


def test_names_in_bytes_are_texts_in_files(tmp_path):
    graph = apsp.Graph.from_edges(np.array([b"A", b"B"]), np.array([b"B", b"C"]))
    result = apsp.solve(graph, output=tmp_path / "o.zarr")
    assert result.distance(b"A", b"C") == apsp.open(tmp_path / "o.zarr").distance("A", "C") == 2


def test_half_of_a_square_frame_is_asked_about():
    frame = pd.DataFrame([[np.nan] * 3, [1, np.nan, np.nan], [5, 2, np.nan]], list("abc"), list("abc"))
    refused(lambda: apsp.Graph.from_pandas(frame))
    assert apsp.solve(apsp.Graph.from_pandas(frame, directed=False)).distance("a", "c") == 3
    assert apsp.solve(apsp.Graph.from_pandas(frame, directed=True)).distance("c", "a") == 3
    frame.loc["c", "a"] = np.nan
    assert "one side" in remarks(apsp.Graph.from_pandas(frame))
    assert apsp.solve(apsp.Graph.from_pandas(frame, directed=False)).distance("a", "c") == 3


def test_things_that_are_no_graph_are_refused_with_what_is():
    refused(lambda: apsp.solve([{"source": 1, "target": 2}]), kind=apsp.WrongTypeError)
    refused(lambda: apsp.Graph.from_pandas(pd.DataFrame({**ROADS, "length": ["5", "4"]})))


# Parquet: values that are not numbers, truth values or texts.


def parquet(tmp_path, table, **how):
    pa.parquet.write_table(pa.table(table), tmp_path / "g.parquet", **how)
    return tmp_path / "g.parquet"


@pytest.mark.parametrize("values", [[b"a", b"b"], [datetime.date(2024, 1, 1)] * 2, [datetime.datetime(2024, 1, 1)] * 2,
                                    [datetime.time(0, 15)] * 2, [{"x": 1}, {"x": 2}], [[1], [2]]], ids=str)
def test_other_values_in_parquet_stay_where_nothing_is_read_from_them(tmp_path, values):
    table = {"other": values, **ROADS}
    graph = apsp.read(parquet(tmp_path, table), columns=("source", "target", "length"))
    assert apsp.solve(graph).distance("a", "c") == 9
    refused(lambda: apsp.read(parquet(tmp_path, table), columns=("other", "target", "length")), "end of the edge",
            "not read", kind=apsp.InputError)
    refused(lambda: apsp.read(parquet(tmp_path, table), columns=("source", "target", "other")), "weight", "not read",
            kind=apsp.InputError)


def test_decimals_in_parquet_keep_their_point(tmp_path):
    weights = ["1.50", "-0.25", "0.05", "7.00"]
    table = {"u": [1, 2, 3, 4], "v": [2, 3, 4, 5], "weight": pa.array(map(decimal.Decimal, weights), pa.decimal128(6, 2))}
    for as_integer in (True, False):
        path = parquet(tmp_path, table, store_decimal_as_integer=as_integer)
        assert sorted(apsp.read(path).edges()[2].tolist()) == sorted(map(float, weights))


@pytest.mark.parametrize("kind, most", [(pa.float32(), 2**24), (pa.float64(), 2**53)], ids=str)
def test_floats_that_no_longer_hold_every_integer_are_weights_and_no_vertices(tmp_path, kind, most):
    of = lambda values: pa.array(map(float, values), kind)
    below = parquet(tmp_path, {"source": of([1, most - 1]), "target": of([most - 1, 3]), "weight": of([most, 2 * most])})
    graph = apsp.read(below)
    assert graph.labels == [1, 3, most - 1] and sorted(graph.edges()[2].tolist()) == [most, 2 * most]
    for ids in (None, "number", "text"):
        above = parquet(tmp_path, {"source": of([1, 2]), "target": of([most, 3])})
        refused(lambda: apsp.read(above, ids=ids), str(most), "every integer", kind=apsp.InputError)


def test_a_parquet_file_that_is_cut_short_is_named(tmp_path):
    path = parquet(tmp_path, ROADS)
    content = path.read_bytes()
    for end in (200, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        refused(lambda: apsp.read(path), "Parquet", "cut short", kind=apsp.InputError)


def test_an_archive_in_an_archive_is_named(tmp_path):
    (tmp_path / "g.csv.gz").write_bytes(gzip.compress(gzip.compress(b"1,2,3\n2,3,4\n")))
    refused(lambda: apsp.read(tmp_path / "g.csv.gz"), "archive in an archive", kind=apsp.InputError)


# Frames whose titles or types say something else than their positions.


def test_a_column_of_weights_is_no_end():
    table = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [5.0, 4.0]})
    refused(lambda: apsp.solve(table.set_index("source")), "reset_index()")


def test_numbers_of_columns_are_no_names_of_rows():
    assert apsp.solve(pd.DataFrame([[1, 2, 3], [2, 3, 4]])).distance(1, 3) == 7


def test_a_series_is_no_table_and_says_what_makes_one():
    sizes = pd.DataFrame({"u": [1, 1, 2], "v": [2, 2, 3]}).groupby(["u", "v"]).size()
    refused(lambda: apsp.Graph.from_pandas(sizes), "reset_index()", kind=apsp.WrongTypeError)


def test_integers_of_128_bits_are_vertices():
    table = pl.DataFrame({"u": [2**70, 1], "v": [1, 2]}, schema={"u": pl.Int128, "v": pl.Int128})
    assert apsp.solve(table).distance(2**70, 2) == 2


@pytest.mark.parametrize("ends", [{1, 2}, "ab", map(str, [1, 2]), {1: 0, 2: 0}.keys()], ids=lambda ends: type(ends).__name__)
def test_ends_without_places_are_named_by_their_type(ends):
    refused(lambda: apsp.Graph.from_edges(ends, [2, 3]), type(ends).__name__, "list")


def test_letters_of_directions_with_two_meanings_are_refused():
    table = pd.DataFrame({"u": ["a", "b"], "v": ["b", "c"], "oneway": ["F", "B"]})
    refused(lambda: apsp.Graph.from_pandas(table, oneway="oneway"), "'F'")
    graph = apsp.Graph.from_pandas(table.assign(oneway=["f", "t"]), oneway="oneway")
    assert len(graph.edges()[0]) == 3


def test_a_type_of_gephi_in_a_later_row_counts():
    table = pd.DataFrame({"Source": ["a", "b"], "Target": ["b", "c"], "Type": ["Mutual", "Directed"], "Weight": [1, 2]})
    refused(lambda: apsp.solve(table), "'Mutual'")


def test_zeros_of_a_full_matrix_are_said():
    matrix = np.array([[0.0, 1, 0], [2, 0, 3], [0, 4, 0]])
    assert "entries of 0 are edges" in remarks(apsp.Graph.from_numpy(matrix))
    assert "entries of -1 are edges" in remarks(apsp.Graph.from_numpy(np.where(matrix == 0, -1, matrix)))
    assert not remarks(apsp.Graph.from_numpy(matrix, no_edge=0))
    assert not remarks(apsp.Graph.from_numpy(np.where(matrix == 1, np.inf, matrix)))


# Side tables.


def test_quantities_that_are_masked_or_texts_are_refused():
    graph = apsp.Graph.from_edges(["a", "b"], ["b", "c"], directed=False)
    refused(lambda: apsp.access(graph, np.ma.array([1, 2, 3], mask=[False, True, False]), 5), "quantities[1] is missing")
    refused(lambda: apsp.access(graph, ["1", "1_000", "3"], 5), "'1'")
    assert apsp.access(graph, [True, False, True], 5).tolist() == [2, 2, 2]
    assert apsp.access(graph, [decimal.Decimal("0.5")] * 3, 5).tolist() == [1.5] * 3
    table = pd.DataFrame({"id": ["a", "c"], "jobs": [5, 2]})
    refused(lambda: apsp.access(graph, table, 5), "set_index('id')")
    assert apsp.access(graph, table.set_index("id"), 5).tolist() == [[7], [7], [7]]


def test_old_weights_of_changes_are_read_from_tables():
    graph = apsp.Graph.from_edges(["a", "a"], ["b", "b"], [5, 9])
    table = pd.DataFrame({"from": ["a"], "to": ["b"], "weight": [1.0], "old": [9.0]})
    assert sorted(graph.with_changes(table).edges()[2].tolist()) == [1, 5]
    refused(lambda: graph.with_changes(table.assign(old=8.0)))


def test_impossible_degrees_and_positions_that_come_twice_are_refused():
    graph = apsp.Graph.from_edges(["a"], ["b"])
    at = pd.DataFrame({"node": ["a", "b"], "lon": [0, 1], "lat": [0, 0]})
    points = pd.DataFrame({"lon": [0.1], "lat": [0]})
    assert apsp.snap(graph, points, at).vertices == ["a"]
    for wrong in (at.assign(lat=100), at.assign(node="a"), at.assign(lat="0")):
        refused(lambda wrong=wrong: apsp.snap(graph, points, wrong))
    refused(lambda: apsp.snap(graph, points.assign(lat=100), at), "longitude and latitude")


@pytest.mark.parametrize("pairs", [np.zeros((3, 2), int).T, ["ab"], [1], [("a", "b", "c")], {"a": "b"}], ids=str)
def test_pairs_are_two_vertices_each(pairs):
    result = apsp.solve(apsp.Graph.from_edges(["a"], ["b"]))
    refused(lambda: result.distances_of(pairs), "a pair is (source, target)")
