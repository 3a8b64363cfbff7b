"""Where SciPy's results are wrong, or its methods disagree: a test each (docs/python-csgraph.md)."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp
from csgraph_graphs import METHODS, random_matrix, textbook, weights_of

from apsp import csgraph

SIGNED = ("auto", "FW", "J", "BF")
every_method = pytest.mark.parametrize("method", METHODS)
DENSE = random_matrix(9, 60, seed=1)
SOLVED = textbook(weights_of(DENSE))
LARGER = random_matrix(80, 2000, seed=2)


@every_method
def test_tiny_weights_are_arcs(method):
    found = csgraph.shortest_path(np.array([[0, 1e-9, 5], [0, 0, 1e-300], [0, 0, 0]]), method)
    np.testing.assert_array_equal(found, [[0, 1e-9, 1e-9], [np.inf, 0, 1e-300], [np.inf, np.inf, 0]])
    assert csgraph.csgraph_from_dense([[0, 1e-12], [-1e-12, 0]]).nnz == 2


@pytest.mark.parametrize("method", SIGNED)
def test_tiny_negative_weight_is_an_arc(method):
    assert csgraph.shortest_path(np.array([[0, -1e-9], [0, 0]]), method)[0, 1] == -1e-9


@pytest.mark.parametrize("function", [csgraph.floyd_warshall, csgraph.dijkstra, csgraph.johnson, csgraph.bellman_ford])
@pytest.mark.parametrize("directed", [True, False])
def test_negative_loop_is_a_cycle(function, directed):
    loop = np.array([[-1.0, 2], [3, 0]])
    for graph in (loop, sp.csr_array(loop), np.ma.array(loop)):
        with pytest.raises(csgraph.NegativeCycleError) as caught:
            function(graph, directed)
        assert caught.value.cycle == [0] and caught.value.weight == -1


def test_dijkstra_ends_on_negative_cycles_and_weights():
    pytest.raises(csgraph.NegativeCycleError, csgraph.dijkstra, np.array([[0, 1.0], [-3, 0]]))
    pytest.raises(csgraph.NegativeCycleError, csgraph.shortest_path, np.array([[0, -1.0], [0, 0]]), "D", directed=False)
    graph = np.array([[0, 1, 4, 0, 0], [0, 0, 0, 1, 0], [0, -6, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0.0]])
    assert csgraph.dijkstra(graph, indices=0).tolist() == [0, -2, 4, -1, 0]


def test_dijkstra_is_not_exponential_in_negative_weights():
    count = 40
    weights = np.full((2 * count + 1, 2 * count + 1), np.inf)
    for i in range(count):
        gain = 2.0 ** (count - i)
        weights[2 * i, 2 * i + 2], weights[2 * i, 2 * i + 1], weights[2 * i + 1, 2 * i + 2] = 0, gain, -2 * gain
    rows, columns = np.nonzero(np.isfinite(weights))
    graph = sp.csr_array((weights[rows, columns], (rows, columns)), shape=weights.shape)
    np.testing.assert_array_equal(csgraph.dijkstra(graph), textbook(weights))


def test_cycle_of_zero_but_for_rounding_is_none_for_every_method():
    graph = np.array([[0, 0.1, 0], [0, 0, 0.7], [-0.8, 0, 0]])
    for method in METHODS:
        found = csgraph.shortest_path(graph, method)
        np.testing.assert_allclose(found, [[0, 0.1, 0.8], [-0.1, 0, 0.7], [-0.8, -0.7, 0]], rtol=0, atol=1e-15)
    with pytest.raises(csgraph.NegativeCycleError):
        csgraph.shortest_path(graph - np.array([[0, 1e-12, 0], [0] * 3, [0] * 3]))


def test_negative_cycle_elsewhere_is_an_error_of_every_method():
    graph = np.array([[0, 1.0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, -2, 0]])
    for function in (csgraph.dijkstra, csgraph.johnson, csgraph.bellman_ford, csgraph.shortest_path):
        pytest.raises(csgraph.NegativeCycleError, function, graph, indices=0)


def layouts(values):
    yield "Fortran", np.asfortranarray(values)
    yield "transposed twice", np.ascontiguousarray(values.T).T
    yield "strided", np.kron(values, np.ones((2, 2)))[::2, ::2]
    yield "reversed", values[::-1, ::-1].copy()[::-1, ::-1]
    yield "float32", values.astype(np.float32)
    yield "whole numbers", values.astype(int)
    yield "other byte order", values.astype(">f8")
    read_only = values.copy()
    read_only.flags.writeable = False
    yield "read-only", read_only


@pytest.mark.parametrize("values", [DENSE, LARGER], ids=["small", "large"])
@pytest.mark.parametrize("overwrite", [True, False])
@pytest.mark.parametrize("predecessors", [True, False])
def test_layouts_are_solved_and_left_alone(values, overwrite, predecessors):
    wanted = textbook(weights_of(values))
    for name, graph in layouts(values):
        for function in (csgraph.floyd_warshall, csgraph.shortest_path):
            before = graph.copy()
            found = function(graph, return_predecessors=predecessors, overwrite=overwrite)
            distances = found[0] if predecessors else found
            np.testing.assert_array_equal(distances, wanted, err_msg=name)
            np.testing.assert_array_equal(graph, before, err_msg=name)


@pytest.mark.parametrize("values", [DENSE, LARGER], ids=["small", "large"])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("predecessors", [True, False])
def test_overwrite_works_in_place(values, directed, predecessors):
    weights = weights_of(values)
    wanted = textbook(weights if directed else np.minimum(weights, weights.T))
    for solve in (csgraph.floyd_warshall, lambda graph, **options: csgraph.shortest_path(graph, "FW", **options)):
        graph = values.copy()
        found = solve(graph, directed=directed, return_predecessors=predecessors, overwrite=True)
        distances = found[0] if predecessors else found
        assert np.shares_memory(distances, graph)
        np.testing.assert_array_equal(graph, wanted)
    graph = np.asmatrix(values.copy())
    assert np.shares_memory(csgraph.floyd_warshall(graph, overwrite=True), graph)


@every_method
def test_unmasked_zero_is_an_arc(method):
    graph = np.ma.masked_equal(np.array([[9, 0.0, 9], [9, 9, 0], [9, 9, 9]]), 9)
    found = csgraph.shortest_path(graph, method)
    np.testing.assert_array_equal(found, [[0, 0, 0], [np.inf, 0, 0], [np.inf, np.inf, 0]])


@pytest.mark.parametrize("scale", [1, 1e3, 1e6])
@every_method
def test_undirected_positive_weights_have_no_negative_cycle(method, scale):
    random = np.random.default_rng(3)
    graph = np.triu(random.random((60, 60)) * scale, 1) * (random.random((60, 60)) < 0.3)
    weights = weights_of(graph)
    wanted = textbook(np.minimum(weights, weights.T))
    np.testing.assert_allclose(csgraph.shortest_path(graph, method, directed=False), wanted, rtol=1e-12)


@every_method
@pytest.mark.parametrize("hole", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("unweighted", [True, False])
def test_stored_infinity_and_nan_are_no_arcs(method, hole, unweighted):
    graph = sp.csr_array(([hole, 1.0], [1, 0], [0, 1, 2]), shape=(2, 2))
    for form in (graph, graph.toarray()):
        distances, before = csgraph.shortest_path(form, method, return_predecessors=True, unweighted=unweighted)
        np.testing.assert_array_equal(distances, [[0, np.inf], [1, 0]])
        assert before.tolist() == [[-9999, -9999], [1, -9999]]


@every_method
@pytest.mark.parametrize("form", ["coo", "dok", "dia", "bsr", "lil", "csc", "csr"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_every_sparse_format(method, form, kind):
    graph = getattr(sp, f"{form}_{kind}")(DENSE)
    np.testing.assert_array_equal(csgraph.shortest_path(graph, method), SOLVED)


def test_zeros_that_fill_up_blocks_are_no_arcs():
    graph = sp.bsr_array(np.array([[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]), blocksize=(2, 2))
    assert csgraph.connected_components(graph)[0] == 3
    assert np.isinf(csgraph.dijkstra(graph)[0, 1]) and (graph.data == 0).any()


def test_coo_adds_duplicates_and_csr_takes_the_least():
    coo = sp.coo_array(([7.0, 5.0], ([0, 0], [1, 1])), shape=(2, 2))
    csr = sp.csr_array(([7.0, 5.0], [1, 1], [0, 2, 2]), shape=(2, 2))
    assert csgraph.dijkstra(coo)[0, 1] == 12 and csgraph.dijkstra(csr)[0, 1] == 5


@every_method
def test_lists_and_tables(method):
    np.testing.assert_array_equal(csgraph.shortest_path(DENSE.tolist(), method), SOLVED)
    np.testing.assert_array_equal(csgraph.shortest_path(DENSE.astype(bool).tolist(), method, unweighted=True),
                                  csgraph.shortest_path(DENSE, unweighted=True))


def test_complex_weights_are_refused():
    graph = np.array([[0, 1 + 5j], [1, 0]])
    for form in (graph, sp.csr_array(graph), np.ma.array(graph)):
        pytest.raises(TypeError, csgraph.shortest_path, form)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_width_of_indices(index):
    graph = sp.csr_array(DENSE)
    graph.indices, graph.indptr = graph.indices.astype(index), graph.indptr.astype(np.int64)
    np.testing.assert_array_equal(csgraph.dijkstra(graph), SOLVED)


@pytest.mark.parametrize("call, error", [
    (lambda: csgraph.shortest_path(np.zeros((2, 3))), ValueError),
    (lambda: csgraph.shortest_path(sp.csr_array((2, 3))), ValueError),
    (lambda: csgraph.floyd_warshall(np.zeros(3)), ValueError), (lambda: csgraph.floyd_warshall(3.0), ValueError),
    (lambda: csgraph.floyd_warshall(np.zeros(3), overwrite=True), ValueError),
    (lambda: csgraph.dijkstra(np.zeros((3, 3, 3))), ValueError),
    (lambda: csgraph.dijkstra(np.ma.zeros((2, 3))), ValueError),
    (lambda: csgraph.shortest_path(DENSE, "X"), ValueError),
    (lambda: csgraph.shortest_path(DENSE, "FW", indices=[0]), ValueError),
    (lambda: csgraph.dijkstra(DENSE, indices=[9]), ValueError),
    (lambda: csgraph.dijkstra(DENSE, indices=-10), ValueError),
    (lambda: csgraph.dijkstra(DENSE, indices=[1.7]), ValueError),
    (lambda: csgraph.dijkstra(DENSE, limit=-1), ValueError),
    (lambda: csgraph.dijkstra(DENSE, limit=np.nan), ValueError),
    (lambda: csgraph.connected_components(DENSE, connection="loose"), ValueError),
    (lambda: csgraph.yen(DENSE, 0, 9, 1), ValueError), (lambda: csgraph.yen(DENSE, -1, 3, 1), ValueError),
    (lambda: csgraph.yen(DENSE, 0, 3, -1), ValueError),
    (lambda: csgraph.construct_dist_matrix(DENSE, np.zeros((9, 9))), TypeError),
    (lambda: csgraph.construct_dist_matrix(DENSE, np.zeros((3, 9), np.int32)), ValueError),
    (lambda: csgraph.construct_dist_matrix(DENSE, np.full((9, 9), 9, np.int32)), ValueError),
    (lambda: csgraph.construct_dist_matrix(DENSE[:3, :3], np.array([[1, 2, 1]] * 3, np.int32)), ValueError),
    (lambda: csgraph.reconstruct_path(DENSE, [0]), ValueError),
    (lambda: csgraph.reconstruct_path(DENSE, [np.nan] * 9), ValueError),
    (lambda: csgraph.reconstruct_path(np.zeros((2, 2)), [-1, 0]), ValueError),
    (lambda: csgraph.csgraph_to_dense(DENSE), ValueError), (lambda: csgraph.patch(["solve"]), ValueError)])
def test_refusals(call, error):
    pytest.raises(error, call)


def damaged(**parts):
    graph = sp.csr_array(DENSE)
    for name, values in parts.items():
        setattr(graph, name, np.array(values, dtype=np.int32 if name != "data" else float))
    return graph


@pytest.mark.parametrize("graph", [
    damaged(indices=[99] * np.count_nonzero(DENSE)), damaged(indices=[-1] * np.count_nonzero(DENSE)),
    damaged(indptr=[0, 5, 3, 8, 9, 10, 11, 12, 13, 14]), damaged(indptr=[0] + [10**6] * 9), damaged(data=[1.0])])
def test_damaged_rows_are_refused(graph):
    pytest.raises(ValueError, csgraph.dijkstra, graph)


def test_messages_of_negative_cycles():
    graph = np.array([[0, 1, 0], [0, 0, -3], [0, 1, 0.0]])
    pytest.raises(csgraph.NegativeCycleError, csgraph.shortest_path, sp.csr_array(graph), "FW")
    for function in (csgraph.johnson, csgraph.bellman_ford):
        with pytest.raises(csgraph.NegativeCycleError, match=r"^Negative cycle detected on node [12]$"):
            function(graph)


def test_empty_and_single():
    for method in METHODS:
        assert csgraph.shortest_path(np.zeros((0, 0)), method).shape == (0, 0)
        assert csgraph.shortest_path(sp.csr_array((0, 0)), method).shape == (0, 0)
        assert csgraph.shortest_path(np.ones((1, 1)), method).tolist() == [[0]]
    assert csgraph.connected_components(np.zeros((0, 0)))[0] == 0


def test_input_stays_as_it_was():
    for graph in (LARGER, sp.csr_array(LARGER), sp.csc_array(LARGER), np.ma.masked_equal(LARGER, 0)):
        before = graph.copy()
        for method in METHODS:
            csgraph.shortest_path(graph, method, directed=False, return_predecessors=True, unweighted=True)
            csgraph.shortest_path(graph, method)
        assert not abs(graph - before).max()


@pytest.mark.skipif(sys.platform != "linux", reason="signals")
def test_ctrl_c_ends_a_call_at_once():
    program = """if True:
        import os, signal, threading, time
        import numpy as np
        from apsp import csgraph
        graph = np.random.default_rng(1).random((4000, 4000))
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            csgraph.floyd_warshall(graph)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        print(csgraph.floyd_warshall(np.array([[0, 1.0], [0, 0]]))[0, 1])
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert done.stdout.split() == ["interrupted", "1.0"], done.stderr


def test_other_threads_run_meanwhile():
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.wait(0.002):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    graph = np.random.default_rng(1).random((1500, 1500))
    begin, before = time.perf_counter(), ticks[0]
    csgraph.floyd_warshall(graph)
    took, ticked = time.perf_counter() - begin, ticks[0] - before
    stop.set()
    thread.join()
    assert ticked > 20 * took


def test_calls_from_several_threads():
    found = []
    threads = [threading.Thread(target=lambda: found.append(csgraph.shortest_path(LARGER))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for distances in found:
        np.testing.assert_array_equal(distances, found[0])
