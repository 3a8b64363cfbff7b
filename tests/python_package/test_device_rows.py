"""Rows that stay on a GPU, distances into a caller's array, and sparse arrays of a GPU: where there
is none, as far as their description goes."""

import numpy as np
import pytest
from scipy import sparse

import apsp

from arrays_on_gpu import OnGpu, cuda_is_there, cupy, jax, torch  # noqa: F401: fixtures

TYPES = {"f32": "float32", "f64": "float64", "i32": "int32", "u16": "uint16"}
ALGORITHMS = ("nested-dissection", "boundary", "johnson", "bfs")


def graph_for(algorithm="johnson", n=400, seed=1):
    random = np.random.default_rng(seed)
    ends = random.integers(0, n, (2, 2 * n))
    weights = None if algorithm == "bfs" else random.integers(1, 50, 2 * n)
    return apsp.Graph.from_edges(*ends, weights, n=n)


def on_cpu(graph, **options):
    return apsp.solve(graph, device="cpu", keep="matrix", **options).distances


class OnCpu(apsp.DeviceArray):
    """As one on a GPU, but that DLPack's device is the CPU."""

    __slots__ = ()

    def __dlpack_device__(self):
        return 1, 0


def described(values, kind=apsp.DeviceArray):
    """What lies at the values, as far as it is only described."""
    name = {dtype: name for name, dtype in TYPES.items()}[values.dtype.name]
    stride = values.strides[0] // values.itemsize
    return kind(values.__array_interface__["data"][0], values.shape, stride, name, 3)


@pytest.mark.parametrize("dtype", TYPES.values())
def test_an_array_says_where_it_lies(dtype):
    values = np.arange(35, dtype=dtype).reshape(5, 7)[:, :6]
    array = described(values)
    told = array.__cuda_array_interface__
    assert told == {"shape": (5, 6), "typestr": values.dtype.str, "strides": values.strides, "version": 3,
                    "data": (values.__array_interface__["data"][0], False), "stream": None}
    assert array.__dlpack_device__() == (2, 3)
    assert (len(array), array.shape, array.dtype, array.device) == (5, (5, 6), np.dtype(dtype), 3)
    assert repr(array) == f"<apsp.DeviceArray: 5 × 6 {dtype} on cuda:3>"
    taken = np.from_dlpack(described(values, OnCpu))
    np.testing.assert_array_equal(taken, values)
    assert taken.dtype == dtype and np.shares_memory(taken, values)


def test_an_array_is_given_neither_as_a_copy_nor_elsewhere():
    array = described(np.ones((2, 3)))
    for given in (dict(copy=True), dict(dl_device=(1, 0)), dict(dl_device=(2, 0))):
        pytest.raises(BufferError, array.__dlpack__, **given)
    assert "dltensor" in repr(array.__dlpack__(stream=7, max_version=(1, 0), dl_device=(2, 3), copy=False))


def test_an_array_is_lent():
    array = described(np.ones((2, 3)))
    array._give_back()
    for use in (lambda: array.__cuda_array_interface__, array.__dlpack__):
        pytest.raises(apsp.UsageError, use)


def test_rows_on_a_gpu_are_refused_with_the_reason():
    graph = graph_for(n=30)
    for options, words in [(dict(device="cpu"), 'device="cuda"'),
                           (dict(algorithm="floyd-warshall"), "floyd_warshall_on_device"),
                           (dict(keep="matrix"), 'keep="matrix"'),
                           (dict(semiring="or-and"), "no algorithm finds rows on a GPU"),
                           (dict(predecessors=True), "predecessors out")]:
        with pytest.raises(apsp.UsageError, match=words):
            next(apsp.rows(graph, on_device=True, **options))
    if not cuda_is_there():
        pytest.raises(apsp.DeviceError, next, apsp.rows(graph, on_device=True))


# Into an array of the caller's.

@pytest.mark.parametrize("dtype", TYPES.values())
def test_distances_into_an_array(dtype):
    graph = graph_for(n=50)
    sources, targets = [49, 0, 17], [3, 49]
    for made in (np.empty((50, 50), dtype), np.empty((50, 50), dtype, order="F"), np.empty((50, 99), dtype)[:, :50]):
        assert apsp.distances(graph, made) is made
        np.testing.assert_array_equal(made, on_cpu(graph, value_type=dtype))
    some = apsp.distances(graph, np.empty((3, 2), dtype), sources=sources, targets=targets)
    np.testing.assert_array_equal(some, on_cpu(graph, value_type=dtype)[np.ix_(sources, targets)])
    turned = list(range(49, -1, -1))
    all_turned = apsp.distances(graph, np.empty((50, 50), dtype), sources=turned)
    np.testing.assert_array_equal(all_turned, on_cpu(graph, value_type=dtype)[turned])


def test_distances_by_labels():
    graph = apsp.Graph.from_edges(list("ab"), list("bc"), [1.5, 2])
    np.testing.assert_array_equal(apsp.distances(graph, np.empty((2, 1)), sources=["b", "a"], targets=["c"]),
                                  [[2], [3.5]])


@pytest.mark.parametrize("given", [
    np.empty((4, 3), np.float32), np.empty(4, np.float32), np.empty((4, 4), np.int64),
    np.broadcast_to(np.float32(1), (4, 4)), OnGpu(), OnGpu(shape=(5, 4))])
def test_what_cannot_be_filled_is_refused(given):
    pytest.raises(apsp.UsageError, apsp.distances, graph_for(n=4), given)


def test_an_array_of_a_gpu_is_filled_there_alone():
    pytest.raises(apsp.UsageError, apsp.distances, graph_for(n=4), OnGpu(), device="cpu")


def test_arrays_of_jax_never_change():
    other = type("Array", (), {"__module__": "jaxlib.other"})()
    pytest.raises(apsp.UsageError, apsp.distances, graph_for(n=4), other)


# Sparse arrays.

MATRIX = sparse.csr_array(([2.5, 0, 7], ([0, 1, 2], [1, 2, 0])), shape=(3, 3))


def test_sparse_arrays_of_a_gpu_are_copied():
    class Cupys:
        ndim, shape = 2, (3, 3)

        def get(self):
            return MATRIX

    Cupys.__module__ = "cupyx.scipy.sparse"
    assert apsp.Graph.from_scipy(Cupys()) == apsp.Graph.from_scipy(MATRIX)
    assert apsp.solve(Cupys()).distance(0, 2) == 2.5


def test_sparse_arrays_of_jax():
    def of_jax(**given):
        made = type("Sparse", (), {"__module__": "jax.experimental.sparse", "ndim": 2, "shape": (3, 3), "nse": 3})()
        vars(made).update(given)
        return made

    rows = of_jax(data=MATRIX.data, indices=MATRIX.indices, indptr=MATRIX.indptr)
    entries = of_jax(data=MATRIX.data, indices=np.transpose(MATRIX.tocoo().coords))
    for given in (rows, entries):
        assert apsp.Graph.from_scipy(given) == apsp.Graph.from_scipy(MATRIX)
        assert apsp.solve(given).distance(0, 2) == 2.5


# On a GPU.

def taken(blocks, copy, shape):
    """All rows, copied as `copy` does, by their sources."""
    found = None
    for block in blocks:
        values = copy(block.distances)
        found = np.empty(shape, values.dtype) if found is None else found
        assert values.shape == (len(block.sources), shape[1])
        found[block.sources] = values
    return found


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("value_type", TYPES)
def test_rows_by_cupy(cupy, algorithm, value_type):
    graph = graph_for(algorithm)
    blocks = apsp.rows(graph, on_device=True, algorithm=algorithm, value_type=value_type)
    found = taken(blocks, lambda array: cupy.asnumpy(cupy.asarray(array)), (400, 400))
    np.testing.assert_array_equal(found, on_cpu(graph, value_type=value_type))


@pytest.mark.parametrize("value_type", ["f32", "f64", "i32"])
def test_rows_by_torch(torch, value_type):
    graph = graph_for("johnson")
    for take in (torch.from_dlpack, lambda array: torch.as_tensor(array, device="cuda")):
        blocks = apsp.rows(graph, on_device=True, value_type=value_type)
        found = taken(blocks, lambda array: take(array).cpu().numpy(), (400, 400))
        np.testing.assert_array_equal(found, on_cpu(graph, value_type=value_type))


def test_rows_by_jax(jax):
    graph = graph_for("johnson")
    blocks = apsp.rows(graph, on_device=True, value_type="f32")
    found = taken(blocks, lambda array: np.asarray(jax.numpy.array(jax.dlpack.from_dlpack(array), copy=True)), (400, 400))
    np.testing.assert_array_equal(found, on_cpu(graph, value_type="f32"))


def test_work_on_the_current_stream_is_done_before_the_memory_is_used_again(torch):
    graph = apsp.generate("grid", 20000, directed=False)
    sums = torch.zeros(len(graph), dtype=torch.float64, device="cuda")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for block in apsp.rows(graph, on_device=True, value_type="f32", sources=range(4000)):
            torch.cuda._sleep(int(2e7))  # 10 ms: the sweeps go on meanwhile
            rows = torch.as_tensor(block.sources, device="cuda")
            sums[rows] = torch.from_dlpack(block.distances).sum(1, dtype=torch.float64)
    wanted = np.zeros(len(graph))
    for block in apsp.rows(graph, device="cpu", value_type="f32", sources=range(4000)):
        wanted[block.sources] = block.distances.sum(1, dtype=np.float64)
    np.testing.assert_array_equal(sums.cpu().numpy(), wanted)


def test_a_block_is_gone_after_the_next_one_and_the_end_gives_memory_back(cupy):
    graph = apsp.generate("grid", 10000, directed=False)
    blocks = apsp.rows(graph, on_device=True, value_type="i32")
    first = next(blocks).distances
    first.__cuda_array_interface__
    next(blocks)
    pytest.raises(apsp.UsageError, cupy.asarray, first)
    blocks.close()
    free, _ = cupy.cuda.runtime.memGetInfo()
    for _ in range(3):
        for block in apsp.rows(graph, on_device=True, value_type="i32"):
            break
    assert cupy.cuda.runtime.memGetInfo()[0] >= free - (64 << 20)


@pytest.mark.parametrize("dtype", TYPES.values())
def test_distances_into_cupy(cupy, dtype):
    graph = graph_for()
    sources = [399, 5, 80]
    for order in "CF":
        out = cupy.empty((3, 400), dtype, order=order)
        assert apsp.distances(graph, out, sources=sources) is out
        np.testing.assert_array_equal(cupy.asnumpy(out), on_cpu(graph, value_type=dtype)[sources])


@pytest.mark.parametrize("dtype", TYPES.values())
def test_distances_into_torch(torch, dtype):
    graph = graph_for("bfs")
    out = torch.empty((400, 400), dtype=getattr(torch, dtype), device="cuda")
    assert apsp.distances(graph, out) is out
    np.testing.assert_array_equal(out.cpu().numpy(), on_cpu(graph, value_type=dtype))


def test_distances_into_torch_on_a_second_gpu(torch):
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    graph = graph_for()
    out = torch.empty((400, 400), device="cuda:1")
    apsp.distances(graph, out)
    np.testing.assert_array_equal(out.cpu().numpy(), on_cpu(graph, value_type="f32"))
    pytest.raises(apsp.UsageError, apsp.distances, graph, out, device="cuda:0")


def test_rows_of_two_gpus(torch):
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    graph = apsp.generate("grid", 20000, directed=False)
    seen, devices = [], set()
    for block in apsp.rows(graph, on_device=True, device="cuda:0,1", value_type="f32"):
        rows = torch.from_dlpack(block.distances)
        assert rows.device.index == block.distances.device
        devices.add(rows.device.index)
        seen += block.sources
    assert devices == {0, 1} and sorted(seen) == list(range(20000))


def test_graphs_of_cupys_sparse_arrays(cupy):
    from cupyx.scipy import sparse as there

    for make in (there.csr_matrix, there.csc_matrix, there.coo_matrix):
        assert apsp.Graph.from_scipy(make(MATRIX)) == apsp.Graph.from_scipy(MATRIX)


def test_graphs_of_torchs_sparse_tensors():
    torch = pytest.importorskip("torch")
    rows = torch.sparse_csr_tensor(MATRIX.indptr, MATRIX.indices, MATRIX.data, (3, 3))
    entries = torch.sparse_coo_tensor(np.array(MATRIX.tocoo().coords), MATRIX.data, (3, 3))
    tensors = [rows, entries] + ([rows.cuda(), entries.cuda()] if torch.cuda.is_available() else [])
    for tensor in tensors:
        assert apsp.Graph.from_scipy(tensor) == apsp.Graph.from_scipy(MATRIX)
        assert apsp.solve(tensor).distance(0, 2) == 2.5
