"""Many small graphs in one call: against SciPy, and bit for bit against one matrix at a time."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph

import apsp

from arrays_on_gpu import CASES, OnGpu, OnlyDlpack, no_path


def weights(shape, dtype="float64", none=np.inf, seed=1, real=False):
    random = np.random.default_rng(seed)
    values = random.uniform(1, 30, shape) if real else random.integers(1, 30, shape)
    values = np.where(random.random(shape) < 0.3, values, none)
    if none in (-np.inf, -(2**30 - 1)):  # longest paths: acyclic
        values = np.where(np.tri(shape[-1], dtype=bool), none, values)
    return values.astype(dtype)


def same(found, wanted):
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("semiring, dtype", [*CASES, ("or-and", "bool")])
@pytest.mark.parametrize("n", [0, 1, 9, 33, 70])
def test_a_graph_of_a_batch_has_the_bits_of_a_matrix_of_its_own(semiring, dtype, n):
    none = False if dtype == "bool" else no_path(semiring, dtype)
    given = weights((5, n, n), dtype, none, real=dtype.startswith("float"))
    before = given.copy()
    wanted = [apsp.floyd_warshall(matrix, semiring=semiring) for matrix in given]
    for solve in (apsp.solve_batch, apsp.floyd_warshall):
        found = solve(given, semiring=semiring)
        assert found.dtype == dtype and found.shape == given.shape
        same(found, wanted)
    same(given, before)


@pytest.mark.parametrize("layout", [np.asfortranarray, lambda a: a[:, ::-1, ::-1], lambda a: np.repeat(a, 2, axis=2)[:, :, ::2],
                                    lambda a: a[::2], lambda a: a[:0], OnlyDlpack])
def test_every_layout_is_copied_and_solved(layout):
    given = layout(weights((6, 20, 20)))
    values = given.values if isinstance(given, OnlyDlpack) else given
    same(apsp.solve_batch(given), [csgraph.floyd_warshall(np.ascontiguousarray(matrix)) for matrix in values])


def test_overwrite_solves_the_arrays_themselves_and_nothing_beside_them():
    whole = weights((4, 12, 15))
    given, before = whole[::2, :10, :10], whole.copy()
    wanted = apsp.solve_batch(given)
    assert apsp.solve_batch(given, overwrite=True) is given
    same(given, wanted)
    same(whole[1::2], before[1::2])
    same(whole[:, 10:], before[:, 10:])
    same(whole[:, :, 10:], before[:, :, 10:])
    assert apsp.floyd_warshall(given, overwrite=True) is given


def test_a_tensor_gives_a_tensor():
    torch = pytest.importorskip("torch")
    given = weights((3, 8, 8))
    found = apsp.solve_batch(torch.from_numpy(given))
    assert isinstance(found, torch.Tensor)
    same(found.numpy(), apsp.solve_batch(given))


def graphs(dtype=float):
    return [sp.random_array((n, n), density=0.2, rng=np.random.default_rng(n), dtype=float, format=kind).astype(dtype)
            for n, kind in [(5, "csr"), (9, "coo"), (1, "csc"), (0, "csr"), (40, "csr")]]


def test_graphs_of_a_sequence_differ_in_size_and_kind():
    given = graphs()
    wanted = [csgraph.shortest_path(graph.tocsr()) if graph.shape[0] else np.zeros((0, 0)) for graph in given]
    found = apsp.solve_batch(given)
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)
    arcs = [(graph.shape[0], *graph.tocoo().coords, graph.tocoo().data) for graph in given]
    same(apsp.solve_batch(arcs), found)
    dense = [np.where(graph.toarray() == 0, np.inf, graph.toarray()) for graph in given]
    same(apsp.solve_batch(dense), found)
    padded = apsp.solve_batch(given, pad=-5)
    assert padded.shape == (5, 40, 40)
    for values, ours in zip(padded, found):
        n = len(ours)
        np.testing.assert_array_equal(values[:n, :n], ours)
        assert (values[n:] == -5).all() and (values[:, n:] == -5).all()
    assert apsp.solve_batch(graphs(np.float32))[0].dtype == np.float32
    assert apsp.solve_batch(given, semiring="or-and")[0].dtype == bool
    assert apsp.solve_batch([]) == [] and apsp.solve_batch([], pad=0).shape == (0, 0, 0)


@pytest.mark.parametrize("kinds, expected", [
    (("float32", "float32"), "float32"), (("float32", "int16"), "float64"), (("float16", "float32"), "float64"),
    (("float32", "float64"), "float64"), (("int32", "int64"), "float64")])
def test_distances_are_float32_only_if_all_weights_are(kinds, expected):
    csr = [sp.csr_array(np.array([[0, 3], [0, 0]], kind)) for kind in kinds if kind != "float16"]
    dense = [np.array([[0, 3], [4, 0]], kind) for kind in kinds]
    for graphs in (dense, csr) if len(csr) == 2 else (dense,):
        assert {distances.dtype.name for distances in apsp.solve_batch(graphs)} == {expected}


def test_the_best_of_parallel_edges_counts_and_zero_is_an_edge():
    arcs = [(2, [0, 0, 1], [1, 1, 0], [3, 2, 0])]
    same(apsp.solve_batch(arcs), [[[0, 2], [0, 0]]])
    same(apsp.solve_batch(arcs, semiring="max-min", dtype="int32"), [[[2**30 - 1, 3], [0, 2**30 - 1]]])
    summed = sp.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
    same(apsp.solve_batch([summed]), [[[0, 3], [np.inf, 0]]])


@pytest.mark.parametrize("kind", [bool, np.int64, np.float32, "infinite", "no path"])
def test_edges_are_counted_as_scipy_does(kind):
    edges = np.random.default_rng(1).random((6, 30, 30)) < 0.08
    given = {"infinite": np.where(edges, 2.5, np.inf), "no path": np.where(edges, 7, 2**30 - 1).astype(np.int32)}
    given = given[kind] if isinstance(kind, str) else edges.astype(kind)
    wanted = np.array([csgraph.shortest_path(matrix.astype(float), unweighted=True) for matrix in edges])
    wanted = np.where(np.isinf(wanted), -1, wanted)
    found = apsp.solve_batch(given, unweighted=True)
    assert found.dtype == np.int32
    same(found, wanted)
    same(apsp.solve_batch([sp.csr_array(matrix) for matrix in edges], unweighted=True), wanted)
    same(apsp.solve_batch(given, unweighted=True, cutoff=3), np.where(wanted > 3, -1, wanted))
    same(apsp.solve_batch(given, unweighted=True, no_path=510), np.where(wanted < 0, 510, wanted))


def test_cutoff_ends_distances():
    given = weights((3, 20, 20))
    full = apsp.solve_batch(given)
    same(apsp.solve_batch(given, cutoff=9), np.where(full > 9, np.inf, full))
    same(apsp.solve_batch(given, cutoff=9, no_path=-1), np.where(full > 9, -1, full))
    same(apsp.solve_batch(given.astype(np.float32), no_path=-1), np.where(np.isinf(full), -1, full))


def test_paths_follow_from_intermediate_vertices():
    given = weights((4, 25, 25))
    distances, via = apsp.solve_batch(given, via=True)
    same(distances, apsp.solve_batch(given))

    def length(graph, i, j):
        k = via[graph, i, j]
        return given[graph, i, j] if k < 0 else length(graph, i, k) + length(graph, k, j)

    for graph, i, j in np.ndindex(distances.shape):
        assert i == j or length(graph, i, j) == distances[graph, i, j]
    listed, planes = apsp.solve_batch(list(given), via=True)
    same(planes, via)
    same(listed, distances)
    assert (apsp.solve_batch([(1, [], []), (2, [], [])], via=True, pad=0)[1] == -1).all()


def test_errors_name_the_graph():
    given = weights((8, 9, 9))
    given[5, 2, 3] = given[6, 0, 0] = np.nan
    for solve in (apsp.solve_batch, apsp.floyd_warshall):
        with pytest.raises(apsp.UsageError, match="^graph 5: "):
            solve(given)
    given = weights((8, 9, 9))
    given[3, 1, 4], given[3, 4, 1] = 1, -2
    with pytest.raises(apsp.NegativeCycleError, match="^graph 3: ") as failure:
        apsp.solve_batch(given)
    assert failure.value.cycle
    for bad in [(2, [0], [2]), (2, [0], [1], [np.nan]), (2, [0, 1], [1]), (2, [0.5], [1]), np.ones((2, 3)),
                sp.csr_array((2, 3))]:
        with pytest.raises(apsp.UsageError, match="graph 1: "):
            apsp.solve_batch([(1, [], []), bad])
    with pytest.raises(apsp.UsageError, match="graph 1: "):
        apsp.solve_batch(np.array([[[0, 1], [1, 0]], [[0, np.nan], [1, 0]]]), unweighted=True)


@pytest.mark.parametrize("given, options", [
    (np.zeros((2, 3, 4)), {}), (np.zeros((2, 2)), {}), (np.zeros((1, 2, 2), np.int8), {}), (np.zeros((1, 2, 2)), {"pad": 1}),
    (np.zeros((1, 2, 2)), {"dtype": "float32"}), (np.zeros((1, 2, 2)), {"unweighted": True, "semiring": "max-plus"}),
    (np.zeros((1, 2, 2)), {"cutoff": 1, "semiring": "max-min"}), (np.zeros((1, 2, 2)), {"semiring": "min-times"}),
    ([(1, [], [])], {"overwrite": True}), (np.zeros((1, 2, 2)), {"overwrite": True, "unweighted": True}),
    (sp.csr_array((2, 2)), {}), ([(2, [0], [1], [0.5])], {"dtype": "int32"}), ([(1, [], [])], {"dtype": "int8"}),
    (np.broadcast_to(np.zeros((2, 2)), (3, 2, 2)), {"overwrite": True}), (np.zeros((1, 2, 2)), {"threads": -1}),
    (np.zeros((1, 2, 2), np.uint16), {"no_path": -1})])
def test_wrong_calls(given, options):
    with pytest.raises(apsp.UsageError):
        apsp.solve_batch(given, **options)


def test_what_only_calls_itself_an_array_of_a_gpu_is_refused():
    for options in ({"overwrite": True}, {"via": True, "overwrite": True}, {"unweighted": True}, {"cutoff": 1}):
        with pytest.raises(apsp.Error):  # no GPU, or no memory behind it
            apsp.solve_batch(OnGpu((2, 3, 3)), **options)
    with pytest.raises(apsp.UsageError, match="PyTorch"):
        apsp.solve_batch(OnGpu((2, 3, 3)), unweighted=True)
    with pytest.raises(apsp.UsageError):
        apsp.solve_batch(OnGpu((2, 3, 4)), overwrite=True)
    with pytest.raises(apsp.UsageError):
        apsp.floyd_warshall(np.zeros((2, 3, 3)), device="cuda")


@pytest.mark.parametrize("semiring, dtype", CASES)
@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_arrays_of_a_gpu(semiring, dtype, library):
    there = pytest.importorskip(library)
    graphs = weights((40, 30, 30), dtype, no_path(semiring, dtype))
    try:
        moved = there.as_tensor(graphs).cuda() if library == "torch" else there.asarray(graphs)
        apsp.floyd_warshall(moved[:1])
    except Exception as none:  # each library says otherwise that there is no GPU
        pytest.skip(str(none).splitlines()[0])
    numbers = (lambda array: array.cpu().numpy()) if library == "torch" else (lambda array: array.get())
    distances, via = apsp.solve_batch(moved, semiring=semiring, via=True)
    want, want_via = apsp.solve_batch(graphs, semiring=semiring, via=True)
    np.testing.assert_array_equal(numbers(distances), want)
    np.testing.assert_array_equal(numbers(via), want_via)
    np.testing.assert_array_equal(numbers(apsp.floyd_warshall(moved, semiring=semiring)), want)
    if semiring == "min-plus" and dtype in ("float32", "int32"):
        np.testing.assert_array_equal(numbers(apsp.solve_batch(moved, unweighted=True)), apsp.solve_batch(graphs, unweighted=True))
        np.testing.assert_array_equal(numbers(apsp.solve_batch(moved, cutoff=9, no_path=77)),
                                      apsp.solve_batch(graphs, cutoff=9, no_path=77))


def test_progress_counts_graphs():
    seen = []
    apsp.solve_batch(weights((600, 120, 120)), threads=1, progress=lambda *told: seen.append(told))
    assert all(task == "graphs" and total == 600 and unit == "graph" for task, _, total, unit in seen)
