"""Graphs from everything that people have, and back."""

import pickle
import sys
import weakref

import igraph
import networkx as nx
import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest
import scipy.sparse

import apsp

from arrays_on_gpu import OnlyDlpack

EDGES = [("a", "b", 3.0), ("b", "c", 4.0), ("c", "a", 0.5), ("b", "d", 2.0)]
SOURCES, TARGETS, WEIGHTS = map(list, zip(*EDGES))


def arcs(graph):
    """{(from, to): least weight} by labels."""
    offsets, targets, weights = graph._native.rows()
    sources = np.repeat(np.arange(len(graph)), np.diff(offsets))
    found = {}
    for u, v, weight in zip(sources.tolist(), targets.tolist(), weights.tolist()):
        ends = graph.labels[u], graph.labels[v]
        found[ends] = min(weight, found.get(ends, np.inf))
    return found


EXPECTED = {(u, v): w for u, v, w in EDGES}


def table():
    return pandas.DataFrame({"source": SOURCES, "target": TARGETS, "weight": WEIGHTS})


def digraph():
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(EDGES)
    return graph


def from_igraph():
    graph = igraph.Graph.TupleList(EDGES, directed=True, weights=True)
    return apsp.Graph.from_igraph(graph)


@pytest.mark.parametrize("make", [
    lambda: apsp.Graph.from_edges(SOURCES, TARGETS, WEIGHTS),
    lambda: apsp.Graph.from_edges(np.array(SOURCES), np.array(TARGETS), np.float32(WEIGHTS)),
    lambda: apsp.Graph.from_pandas(table(), directed=True),
    lambda: apsp.Graph.from_arrow(pyarrow.Table.from_pandas(table()), directed=True),
    lambda: apsp.Graph.from_networkx(digraph()), from_igraph,
], ids=["lists", "arrays", "pandas", "Arrow", "NetworkX", "igraph"])
def test_every_source_gives_the_same_arcs(make):
    assert arcs(make()) == EXPECTED


def test_solve_takes_all_of_them_as_they_are(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("".join(f"{u},{v},{w}\n" for u, v, w in EDGES))
    graphs = [path, str(path), table(), pyarrow.Table.from_pandas(table()), digraph(),
              igraph.Graph.TupleList(EDGES, directed=True, weights=True)]
    for graph in graphs:
        assert apsp.solve(graph, value_type="f64").distance("a", "d") == 5
    assert apsp.solve(np.array([[0, 2.0], [np.nan, 0]])).distance(0, 1) == 2
    assert apsp.solve(scipy.sparse.csr_array([[0, 2.0], [0, 0]])).distance(0, 1) == 2
    pytest.raises(TypeError, apsp.solve, {1, 2})


def test_numbers_are_labels_unless_their_count_is_given():
    graph = apsp.Graph.from_edges([7, 5], [5, 10**12])
    assert graph.labels == [5, 7, 10**12]
    assert arcs(graph) == {(7, 5): 1, (5, 10**12): 1}
    assert apsp.Graph.from_edges([1, 2], [2, 3]).labels == range(1, 4)
    assert apsp.Graph.from_edges([0, 1], [1, 3], n=5).labels == range(5)


@pytest.mark.parametrize("types", [(np.int32, np.int64), (np.uint8, np.int64), (np.uint64, np.int64),
                                   (np.int64, np.uint64)])
def test_integers_of_two_types_are_labels_in_rising_order(types):
    graph = apsp.Graph.from_edges(np.array([7, 5], types[0]), np.array([5, 9], types[1]))
    assert graph.labels == [5, 7, 9] and all(type(label) is int for label in graph.labels)
    assert arcs(graph) == {(7, 5): 1, (5, 9): 1}


def test_numbers_and_words_may_be_mixed():
    graph = apsp.Graph.from_edges(np.array(["x", 3, (1, 2)], dtype=object), np.array([3, (1, 2), "x"], dtype=object))
    assert graph.labels == ["x", 3, (1, 2)]
    assert graph.index((1, 2)) == 2 and (1, 2) in graph and 4 not in graph and [] not in graph


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.uint8, ">f8", bool])
def test_matrix_of_any_layout_and_type(layout, dtype):
    matrix = np.array([[0, 1, 1], [1, 0, 0], [0, 1, 1]], dtype=dtype, order=layout)
    graph = apsp.Graph.from_numpy(matrix, no_edge=0)
    assert arcs(graph) == {(0, 1): 1, (0, 2): 1, (1, 0): 1, (2, 1): 1}


def test_matrix_says_by_nan_infinity_and_mask_where_no_edge_is():
    values = np.array([[0, np.nan, 0.0], [np.inf, 0, 2], [-np.inf, -1, 0]])
    assert arcs(apsp.Graph.from_numpy(values)) == {(0, 2): 0, (1, 2): 2, (2, 1): -1}
    masked = np.ma.MaskedArray([[0, 5], [7, 0]], mask=[[False, True], [False, False]])
    assert arcs(apsp.Graph.from_numpy(masked)) == {(1, 0): 7}


def test_matrix_is_not_shared():
    values = np.array([[0, 1.0], [1.0, 0]])
    graph = apsp.Graph.from_numpy(values)
    values[0, 1] = 9
    assert arcs(graph)[0, 1] == 1


@pytest.mark.parametrize("order", ["C", "F"])
def test_matrix_may_be_shared(order):
    values = np.array([[0, 1.0, np.inf], [4.0, 0, 2], [np.inf, 3, 0]], order=order)
    count = sys.getrefcount(values)
    graph = apsp.Graph.from_numpy(values, copy=False)
    expected = arcs(apsp.Graph.from_numpy(values))
    result = apsp.solve(graph)
    held = weakref.ref(values)
    assert arcs(graph) == expected
    del values
    assert held() is not None and result.distance(0, 2) == 3  # the graph holds it
    values = held()
    del graph, result
    assert sys.getrefcount(values) == count
    pytest.raises(apsp.Error, apsp.Graph.from_numpy, np.array([[0, np.nan], [1, 0]]), copy=False)


@pytest.mark.parametrize("matrix", [np.ones((2, 3)), np.ones(4), np.zeros((2, 2), complex), np.array([["a"]])])
def test_matrix_that_is_none_is_refused(matrix):
    pytest.raises(apsp.UsageError, apsp.Graph.from_numpy, matrix)


def test_undirected_matrix_has_to_be_symmetric():
    apsp.Graph.from_numpy(np.array([[0, 1.0], [1.0, 0]]), directed=False)
    pytest.raises(apsp.UsageError, apsp.Graph.from_numpy, np.array([[0, 1.0], [2.0, 0]]), directed=False)


def test_stored_zero_is_an_edge():
    matrix = scipy.sparse.csr_array((np.array([0.0]), ([0], [1])), shape=(2, 2))
    assert arcs(apsp.Graph.from_scipy(matrix)) == {(0, 1): 0}


def test_undirected_sparse_array_may_hold_one_triangle_or_both():
    both = scipy.sparse.csr_array([[0, 3, 0], [3, 0, 1], [0, 1, 0]])
    one = scipy.sparse.csr_array([[0, 3, 0], [0, 0, 0], [0, 1, 0]])
    for matrix in (both, one):
        graph = apsp.Graph.from_scipy(matrix, directed=False)
        assert not graph.directed and graph.facts["edges"] == 2
        assert arcs(graph) == {(0, 1): 3, (1, 0): 3, (1, 2): 1, (2, 1): 1}


def test_networkx_graph_keeps_nodes_and_parallel_edges():
    graph = nx.MultiGraph()
    graph.add_nodes_from(["lonely", 4])
    graph.add_edge(4, "x", weight=3)
    graph.add_edge(4, "x", weight=2)
    taken = apsp.Graph.from_networkx(graph)
    assert taken.labels == ["lonely", 4, "x"]
    assert taken.facts["edges"] == 2 and arcs(taken) == {(4, "x"): 2, ("x", 4): 2}
    assert arcs(apsp.Graph.from_networkx(graph, weight=None))[4, "x"] == 1


class OnDevice:
    """An array that says it lies on a GPU."""

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **_):
        raise AssertionError("nobody may ask for it")


class OnCuda:
    __cuda_array_interface__ = {}


@pytest.mark.parametrize("array", [OnDevice(), OnCuda()])
def test_array_on_a_gpu_is_refused_with_the_way_out(array):
    pytest.raises(apsp.UsageError, apsp.Graph.from_edges, array, array)
    pytest.raises(apsp.UsageError, apsp.Graph.from_numpy, array)


def test_labels_may_be_tuples():
    graph = apsp.Graph.from_edges([(0, 0), (0, 1), "out"], [(0, 1), "out", (0, 0)], [1, 2, 3])
    assert graph.labels == [(0, 0), (0, 1), "out"] and graph.index((0, 1)) == 1
    result = apsp.solve(graph)
    assert result.distance((0, 0), "out") == 3 and result.path((0, 1), (0, 0)) == [(0, 1), "out", (0, 0)]
    assert apsp.Graph.from_edges([(0, 0)], [(1, 1)]).labels == [(0, 0), (1, 1)]


def test_arrays_of_dlpack_are_taken():
    graph = apsp.Graph.from_edges(OnlyDlpack([0, 1]), OnlyDlpack([1, 2]), OnlyDlpack([2.5, 3.5]))
    assert arcs(graph) == {(0, 1): 2.5, (1, 2): 3.5}
    assert len(apsp.Graph.from_numpy(OnlyDlpack(np.ones((4, 4), np.float32)))) == 4


@pytest.mark.parametrize("given", [
    dict(sources=[0], targets=[1, 2]), dict(sources=[0], targets=[1], weights=[1, 2]),
    dict(sources=[0], targets=[1], weights=["x"]), dict(sources=[0], targets=[1], weights=[np.nan]),
    dict(sources=[0], targets=[1], weights=[np.inf]), dict(sources=[0], targets=[9], n=3),
    dict(sources=[0], targets=[-1], n=3), dict(sources=["a"], targets=["b"], n=3),
    dict(sources=[0], targets=[1], n=3, labels=["x"]), dict(sources=[0], targets=[1], labels=["x", "x"])])
def test_edges_that_are_wrong_are_refused(given):
    with pytest.raises((apsp.UsageError, apsp.InputError)):
        apsp.Graph.from_edges(**given)


def test_unknown_vertex_is_refused():
    graph = apsp.Graph.from_edges([1, 2], [2, 3])
    for label in (0, 4, "x", 1.5, None, []):
        pytest.raises(apsp.UsageError, graph.index, label)


def test_unknown_vertex_may_be_one_in_another_normal_form():
    graph = apsp.Graph.from_edges(["Caf\u00e9", "Rome"], ["Rome", "Caf\u00e9"], [1, 1])
    for name, tells in (("Cafe\u0301", True), ("Cafe", False), ("Caf\u00e8", False)):
        with pytest.raises(apsp.UsageError) as failure:
            graph.index(name)
        assert ("'Caf\\xe9'" in str(failure.value)) == tells


def test_file_of_any_format_is_read_and_written(tmp_path):
    graph = apsp.generate("gnp", 60, probability=0.1, seed=4)
    for name in ("a.mtx", "a.gr", "a.csv", "a.npy", "a.gr.zst"):
        graph.save(tmp_path / name)
        assert arcs(apsp.read(tmp_path / name)).keys() != set()
    read = apsp.read(tmp_path / "a.gr")
    assert read.labels == graph.labels and arcs(read) == arcs(graph)
    (tmp_path / "b.gr").write_text("p sp 3 1\na 1 3 4\n")
    assert apsp.read(tmp_path / "b.gr").labels == range(1, 4)


def test_numbers_in_files_are_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("1000,7,3\n7,20,1\n")
    assert apsp.read(tmp_path / "a.csv").labels == [7, 20, 1000]
    (tmp_path / "b.csv").write_text("007,7,3\n")
    with pytest.raises(apsp.InputError, match='ids="number"'):
        apsp.read(tmp_path / "b.csv")
    assert apsp.read(tmp_path / "b.csv", ids="text").labels == ["007", "7"]
    assert apsp.read(tmp_path / "b.csv", ids="number").labels == [7]


def test_tables_are_read_by_titles_and_options(tmp_path):
    (tmp_path / "a.csv").write_text("length,v,u,oneway\n3,b,a,yes\n4,c,b,no\n")
    pytest.raises(apsp.InputError, apsp.read, tmp_path / "a.csv", columns=("u", "v", "Length"))
    graph = apsp.read(tmp_path / "a.csv", columns=("u", "v", "length"), oneway="oneway")
    assert graph.directed and arcs(graph) == {("a", "b"): 3, ("b", "c"): 4, ("c", "b"): 4}
    (tmp_path / "m.csv").write_text(",P,Q\nP,0,0\nQ,5,0\n")
    assert arcs(apsp.read(tmp_path / "m.csv")) == {("Q", "P"): 5}
    assert arcs(apsp.read(tmp_path / "m.csv", zero="edge")) == {("P", "Q"): 0, ("Q", "P"): 5}
    (tmp_path / "t.txt").write_text("1\t2 5\n")
    assert arcs(apsp.read(tmp_path / "t.txt", separator="blank", directed=True)) == {(1, 2): 5}
    pytest.raises(apsp.UsageError, apsp.read, tmp_path / "t.txt", separator="bar")


def test_messages_and_remarks_name_options_as_parameters(tmp_path):
    (tmp_path / "a.txt").write_text("1 2 3 4 5\n")
    with pytest.raises(apsp.InputError, match=r'columns=\("FROM", "TO", "WEIGHT"\)'):
        apsp.read(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("1 2 3\n1 2 4\n")
    remark, = apsp.read(tmp_path / "b.txt").facts["remarks"]
    assert "directed=True takes each row" in remark


def test_names_that_are_not_utf8_are_read_by_their_encoding(tmp_path):
    (tmp_path / "a.csv").write_bytes("München,Berlin,5\nBerlin,Köln,7\n".encode("latin1"))
    with pytest.raises(apsp.InputError, match="encoding="):
        apsp.read(tmp_path / "a.csv")
    pytest.raises(apsp.UsageError, apsp.read, tmp_path / "a.csv", encoding="nonsense")
    graph = apsp.read(tmp_path / "a.csv", encoding="latin1")
    assert list(graph.labels) == ["München", "Berlin", "Köln"]
    assert pickle.loads(pickle.dumps(graph)) == graph
    result = apsp.solve(graph, output=tmp_path / "a.zarr")
    assert result.distance(*graph.labels[::2]) == 12


def test_columns_of_an_edge_list_are_chosen(tmp_path):
    (tmp_path / "a.csv").write_text("x,1.5,a,b\ny,2.5,b,c\n")
    graph = apsp.read(tmp_path / "a.csv", columns=(3, 4, 2), directed=True)
    assert arcs(graph) == {("a", "b"): 1.5, ("b", "c"): 2.5}
    pytest.raises(apsp.UsageError, apsp.read, tmp_path / "a.csv", columns=(1,))


def test_malformed_file_says_where(tmp_path):
    (tmp_path / "a.gr").write_text("p sp 2 1\na 1 9 4\n")
    with pytest.raises(apsp.InputError, match="a.gr:2:") as caught:
        apsp.read(tmp_path / "a.gr")
    assert caught.value.location[1] == 2
    pytest.raises(OSError, apsp.read, tmp_path / "none.gr")
    pytest.raises(apsp.UsageError, apsp.read, tmp_path / "a.gr", format="odd")


@pytest.mark.parametrize("make", [
    lambda: apsp.Graph.from_edges(SOURCES, TARGETS, WEIGHTS),
    lambda: apsp.Graph.from_edges([1, 1, 2], [2, 2, 2], [3, 1, 0], directed=False),
    lambda: apsp.Graph.from_numpy(np.arange(16.0).reshape(4, 4)),
    lambda: apsp.Graph.from_edges([], [], n=3), lambda: apsp.Graph.from_edges([], [])])
def test_graph_survives_pickling(make):
    graph = make()
    again = pickle.loads(pickle.dumps(graph))
    assert arcs(again) == arcs(graph) and again.labels == graph.labels
    assert again == graph and hash(again) == hash(graph)
    assert again.facts["edges"] == graph.facts["edges"]


def test_graph_goes_back_to_scipy():
    matrix = scipy.sparse.random_array((30, 30), density=0.2, rng=np.random.default_rng(1), format="csr")
    assert abs(apsp.Graph.from_scipy(matrix).to_scipy() - matrix).sum() == 0


def test_graph_is_made_by_its_makers_alone():
    pytest.raises(TypeError, apsp.Graph)


BEYOND = 2**53 + 1


@pytest.mark.parametrize("make", [
    lambda: apsp.Graph.from_numpy(np.array([[0, 1], [BEYOND, 0]])),
    lambda: apsp.Graph.from_numpy(np.array([[0, 1], [BEYOND, 0]], np.uint64)),
    lambda: apsp.Graph.from_numpy(np.array([[0, 1], [-BEYOND, 0]])),
    lambda: apsp.Graph.from_edges([0, 1], [1, 0], [1, BEYOND]),
    lambda: apsp.Graph.from_edges([0, 1], [1, 0], [0.5, BEYOND]),
    lambda: apsp.Graph.from_scipy(scipy.sparse.csr_array(np.array([[0, 1], [BEYOND, 0]]))),
    lambda: apsp.Graph.from_pandas(pandas.DataFrame({"source": [0], "target": [1], "weight": [BEYOND]})),
    lambda: apsp.Graph.from_networkx(nx.Graph([(0, 1, {"weight": 2.5}), (1, 2, {"weight": BEYOND})])),
    lambda: apsp.solve(np.array([[0, 1], [BEYOND, 0]])),
], ids=["int64", "uint64", "negative", "list", "mixed list", "SciPy", "pandas", "NetworkX", "solve"])
def test_an_integer_that_float64_does_not_hold_is_refused(make):
    pytest.raises(apsp.UsageError, make)


def test_exact_integers_and_large_floats_are_taken():
    assert arcs(apsp.Graph.from_numpy(np.array([[0, 2**53], [-2**53, 0]]))) == {(0, 1): 2.0**53, (1, 0): -2.0**53}
    assert arcs(apsp.Graph.from_edges([0], [1], [1e300])) == {(0, 1): 1e300}
    assert arcs(apsp.Graph.from_networkx(nx.DiGraph([("a", "b", {"weight": 1e300})]))) == {("a", "b"): 1e300}
    greatest = np.iinfo(np.int64).max
    matrix = np.array([[0, greatest], [7, 0]])
    assert arcs(apsp.Graph.from_numpy(matrix, no_edge=greatest)) == {(1, 0): 7.0}
    assert arcs(apsp.Graph.from_numpy(np.ma.masked_equal(matrix, greatest))) == {(1, 0): 7.0}


def test_files_of_any_type_mean_what_arrays_do(tmp_path):
    for kind in ("?", "<i1", ">i2", "<i8", "u1", ">u4", "<f2", ">f8"):
        matrix = np.array([[0, 1, 1], [1, 0, 0], [0, 1, 0]]).astype(kind)
        np.save(tmp_path / "m.npy", matrix)
        assert arcs(apsp.read(tmp_path / "m.npy")) == arcs(apsp.Graph.from_numpy(matrix)), kind


def test_what_reading_skipped_is_among_the_facts(tmp_path):
    (tmp_path / "g.csv").write_text("A;B;x5\nB;C;3\n")
    assert "the first row is taken as titles: 'A;B;x5'" in apsp.read(tmp_path / "g.csv").facts["remarks"]
    assert apsp.generate("path", 3).facts["remarks"] == []


def test_reading_options_without_a_use_are_refused(tmp_path):
    apsp.generate("path", 3).save(tmp_path / "g.gr")
    assert apsp.read(tmp_path / "g.gr").vertex_count == 3
    for options in (dict(as_rel="both"), dict(columns=(1, 2))):
        pytest.raises(apsp.UsageError, apsp.read, tmp_path / "g.gr", **options)


def test_one_is_no_plural():
    assert repr(apsp.Graph.from_edges([0], [0])) == "<apsp.Graph: 1 vertex, 1 edge, directed>"


def test_parquet_that_the_library_does_not_read_is_read_by_pyarrow(tmp_path):
    table = pyarrow.table({"source": ["NA", "b"], "target": ["b", 'say "c"'], "tags": [[1], [2, 3]], "weight": [2.5, 4]})
    pyarrow.parquet.write_table(table, tmp_path / "g.parquet", compression="brotli")
    graph = apsp.read(tmp_path / "g.parquet", columns=("source", "target", "weight"), directed=True)
    assert arcs(graph) == {("NA", "b"): 2.5, ("b", 'say "c"'): 4}
    with open(tmp_path / "g.parquet", "rb") as file:
        assert arcs(apsp.read(file, columns=(1, 2), directed=True)) == {("NA", "b"): 1, ("b", 'say "c"'): 1}
