"""Dense matrices solved as they lie: of the CPU here; of a GPU where there is one, else as far as
their description goes."""

import time

import numpy as np
import pytest
from scipy.sparse import csgraph

import apsp

from arrays_on_gpu import OnGpu, cuda_is_there, cupy, jax, torch  # noqa: F401: fixtures

NO_EDGE = {"float32": np.inf, "float64": np.inf, "int32": 2**30 - 1, "uint16": 2**15 - 1}


def weights(n, dtype, seed=1, symmetric=False):
    """Whole numbers from 1 to 100, a third of all edges; smaller ones where uint16 is to hold all sums."""
    random = np.random.default_rng(seed)
    largest = min(100, 32000 // max(n, 1)) if dtype == "uint16" else 100
    values = random.integers(1, largest + 1, (n, n)).astype(float)
    values[random.random((n, n)) > 1 / 3] = np.inf
    if symmetric:
        values = np.minimum(values, values.T)
    return np.where(np.isinf(values), NO_EDGE[dtype], values).astype(dtype)


def expected(values):
    real = np.where(values == NO_EDGE[values.dtype.name], np.inf, values.astype(float))
    found = csgraph.floyd_warshall(np.ascontiguousarray(real))
    return np.where(np.isinf(found), NO_EDGE[values.dtype.name], found).astype(values.dtype)


@pytest.mark.parametrize("dtype", NO_EDGE)
def test_a_matrix_is_solved_in_its_type(dtype):
    for n in (0, 1, 2, 65):
        values = weights(n, dtype)
        before = values.copy()
        found = apsp.floyd_warshall(values)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected(values) if n else values)
        np.testing.assert_array_equal(values, before)


def test_overwrite_solves_the_matrix_itself_and_nothing_beside_it():
    whole = weights(40, "float32")
    values, beside = whole[:30, :30], whole.copy()
    wanted = expected(values.copy())
    assert apsp.floyd_warshall(values, overwrite=True) is values
    np.testing.assert_array_equal(values, wanted)
    np.testing.assert_array_equal(whole[:, 30:], beside[:, 30:])
    np.testing.assert_array_equal(whole[30:], beside[30:])


@pytest.mark.parametrize("layout", [np.asfortranarray, lambda a: np.repeat(a, 2, axis=1)[:, ::2],
                                    lambda a: np.repeat(a, 2, axis=0)[::2], lambda a: a[::-1, ::-1],
                                    np.ndarray.tolist])
def test_every_layout_is_copied_and_solved(layout):
    values = weights(20, "float64")
    given = layout(values)
    found = apsp.floyd_warshall(given)
    np.testing.assert_array_equal(found, expected(np.array(given)))


def test_other_semirings_and_bool():
    wide = apsp.floyd_warshall(np.array([[-np.inf, 3, 9], [-np.inf, -np.inf, 5], [1, -np.inf, -np.inf]]),
                               semiring="max-min")
    assert wide[0, 1] == 3 and wide[1, 0] == 1
    reach = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)
    assert apsp.floyd_warshall(reach, semiring="or_and").tolist() == [
        [True, True, True], [False, True, True], [False, False, True]]


@pytest.mark.parametrize("given", [
    np.ones((2, 3)), np.ones(4), np.ones((2, 2), np.int64), np.ones((2, 2), np.float16), np.ones((2, 2), ">f8"),
    np.ma.masked_array(np.ones((2, 2)), mask=np.eye(2)), np.array([[0, np.nan], [1, 0]])])
def test_what_is_no_matrix_is_refused(given):
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, given)


@pytest.mark.parametrize("given", [
    np.asfortranarray(np.ones((3, 3))), np.ones((3, 6))[:, ::2], np.ones((6, 3))[::-2],
    np.broadcast_to(np.ones(3), (3, 3)), [[0, 1], [1, 0]],
    np.frombuffer(np.ones(9).tobytes()).reshape(3, 3)], ids=["by columns", "gaps", "backwards", "broadcast", "list", "read-only"])
def test_what_cannot_be_overwritten_is_refused(given):
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, given, overwrite=True)


def test_negative_cycles_are_named():
    pytest.raises(apsp.NegativeCycleError, apsp.floyd_warshall, np.array([[0, 1.5], [-2, 0]]))


class OnDlpack:
    def __init__(self, kind):
        self.kind = kind

    def __dlpack_device__(self):
        return self.kind, 0


needs_no_cuda = pytest.mark.skipif(cuda_is_there(), reason="a GPU is there: it would be asked for memory of nobody")


@needs_no_cuda
@pytest.mark.parametrize("overwrite", [False, True])
def test_without_cuda_an_array_of_a_gpu_gives_the_reason(overwrite):
    pytest.raises(apsp.DeviceError, apsp.floyd_warshall, OnGpu(), overwrite=overwrite)
    with pytest.raises(apsp.DeviceError):
        apsp.floyd_warshall(OnGpu(strides=(32, 4), stream=1), stream=7, overwrite=overwrite)


@pytest.mark.parametrize("given", [
    dict(shape=(4, 5)), dict(typestr="<i8"), dict(strides=(4, 16)), dict(strides=(8, 4)), dict(read_only=True),
    dict(mask=OnGpu)])
def test_arrays_of_a_gpu_that_cannot_be_solved_there(given):
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, OnGpu(**given), overwrite=True)


def test_other_devices_are_named():
    for device in ("cpu", "auto:1"):
        pytest.raises(apsp.UsageError, apsp.floyd_warshall, OnGpu(), device=device)
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, OnDlpack(10), overwrite=True)
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, OnDlpack(2))
    pytest.raises(apsp.UsageError, apsp.Graph.from_numpy, OnGpu())


def test_torch_tensors_of_the_cpu():
    torch = pytest.importorskip("torch")
    values = weights(30, "float32")
    given = torch.tensor(values)
    found = apsp.floyd_warshall(given)
    assert isinstance(found, torch.Tensor) and found.dtype == torch.float32
    np.testing.assert_array_equal(found.numpy(), expected(values))
    assert apsp.floyd_warshall(given, overwrite=True) is given
    np.testing.assert_array_equal(given.numpy(), expected(values))


# On a GPU.

@pytest.mark.parametrize("dtype", NO_EDGE)
def test_torch_on_a_gpu(torch, dtype):
    for n in (1, 7, 64, 1000, 3001):  # in one launch, in tiles, rows that begin on any value
        for symmetric in (False, True):
            values = weights(n, dtype, symmetric=symmetric)
            given = torch.tensor(values).cuda()
            found = apsp.floyd_warshall(given)
            assert found.is_cuda and found.dtype == given.dtype and found.data_ptr() != given.data_ptr()
            wanted = apsp.floyd_warshall(values)
            np.testing.assert_array_equal(found.cpu().numpy(), wanted)
            np.testing.assert_array_equal(given.cpu().numpy(), values)
            assert apsp.floyd_warshall(given, overwrite=True) is given
            np.testing.assert_array_equal(given.cpu().numpy(), wanted)


def test_a_window_of_a_tensor_on_a_gpu(torch):
    whole = torch.tensor(weights(2700, "float32")).cuda()
    before = whole.clone()
    window = whole[3:2603, 5:2605]
    wanted = apsp.floyd_warshall(window.cpu().numpy())
    apsp.floyd_warshall(window, overwrite=True)
    np.testing.assert_array_equal(window.cpu().numpy(), wanted)
    outside = torch.ones_like(whole, dtype=torch.bool)
    outside[3:2603, 5:2605] = False
    assert bool((whole == before)[outside].all())


def test_weights_of_both_signs_and_bool_on_a_gpu(torch):
    random = np.random.default_rng(3)
    height = random.random(200)
    values = random.random((200, 200)) + height[:, None] - height[None, :]
    found = apsp.floyd_warshall(torch.tensor(values).cuda())
    np.testing.assert_allclose(found.cpu().numpy(), apsp.floyd_warshall(values), rtol=1e-9, atol=1e-12)
    signed = (weights(200, "int32") + 0).astype(np.int32)
    levels = random.integers(0, 50, 200).astype(np.int32)
    edge = signed != NO_EDGE["int32"]
    signed = np.where(edge, signed + levels[:, None] - levels[None, :], signed).astype(np.int32)
    found = apsp.floyd_warshall(torch.tensor(signed).cuda())
    np.testing.assert_array_equal(found.cpu().numpy(), apsp.floyd_warshall(signed))
    reach = random.random((200, 200)) < 0.01
    found = apsp.floyd_warshall(torch.tensor(reach).cuda(), semiring="or-and")
    np.testing.assert_array_equal(found.cpu().numpy(), apsp.floyd_warshall(reach, semiring="or-and"))


def test_errors_on_a_gpu(torch):
    cycle = torch.tensor([[0, 1.0], [-2, 0]]).cuda()
    pytest.raises(apsp.NegativeCycleError, apsp.floyd_warshall, cycle)
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, torch.tensor([[0, 1.0], [torch.nan, 0]]).cuda())
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, torch.ones((2, 2), dtype=torch.int64).cuda())
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, torch.ones((3, 3)).cuda().T, overwrite=True)
    pytest.raises(apsp.DoesNotFitError, apsp.floyd_warshall, torch.ones((5000, 5000)).cuda(), device_memory="1MiB")
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, OnGpu(stream=1))
    ones = torch.ones((50, 50)).cuda()  # the device is as it was
    assert float(apsp.floyd_warshall(ones).sum()) == 50 * 49


def busy(torch, seconds):
    torch.cuda._sleep(int(seconds * 1.9e9))  # cycles


def test_the_callers_stream_comes_first_and_others_are_left_alone(torch):
    values = weights(600, "float32")
    source = torch.tensor(values).cuda()
    given = torch.full_like(source, 5.0)
    mine, other = torch.cuda.Stream(), torch.cuda.Stream()
    # Kernels are loaded, and PyTorch has memory for this stream: taking it would wait for the whole GPU.
    with torch.cuda.stream(mine):
        busy(torch, 0.01)
        copies = apsp.floyd_warshall(source), apsp.floyd_warshall(source) * 2
    torch.cuda.synchronize()
    del copies
    with torch.cuda.stream(other):
        busy(torch, 2.0)
        late = torch.cuda.Event()
        late.record()
    began = time.perf_counter()
    with torch.cuda.stream(mine):
        busy(torch, 0.2)
        given.copy_(source, non_blocking=True)
        found = apsp.floyd_warshall(given)
        doubled = found * 2
    took = time.perf_counter() - began
    assert not late.query() and 0.1 < took < 1.5
    mine.synchronize()
    np.testing.assert_array_equal(doubled.cpu().numpy(), 2 * apsp.floyd_warshall(values))
    assert apsp.floyd_warshall(source, stream=mine).equal(apsp.floyd_warshall(source, stream=mine.cuda_stream))


def test_memory_of_the_gpu_is_given_back(torch):
    given = torch.tensor(weights(3000, "float32")).cuda()
    apsp.floyd_warshall(given)
    torch.cuda.synchronize()
    free, _ = torch.cuda.mem_get_info()
    for _ in range(20):
        apsp.floyd_warshall(given, overwrite=True)
    assert torch.cuda.mem_get_info()[0] >= free - (4 << 20)


def test_a_second_gpu(torch):
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    values = weights(700, "float32")
    found = apsp.floyd_warshall(torch.tensor(values).to("cuda:1"))
    assert found.device.index == 1 and torch.cuda.current_device() == 0
    np.testing.assert_array_equal(found.cpu().numpy(), apsp.floyd_warshall(values))
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, found, device="cuda:0")


@pytest.mark.parametrize("dtype", NO_EDGE)
def test_cupy(cupy, dtype):
    values = weights(500, dtype)
    given = cupy.asarray(values)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        found = apsp.floyd_warshall(given)
        other = found + 0
        stream.synchronize()
    assert isinstance(found, cupy.ndarray)
    np.testing.assert_array_equal(cupy.asnumpy(other), expected(values))
    assert apsp.floyd_warshall(given, overwrite=True) is given
    np.testing.assert_array_equal(cupy.asnumpy(given), expected(values))
    by_columns = cupy.asfortranarray(cupy.asarray(values))
    np.testing.assert_array_equal(cupy.asnumpy(apsp.floyd_warshall(by_columns)), expected(values))
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, by_columns, overwrite=True)
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, given, stream=2)


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint16"])
def test_jax(jax, dtype):
    values = weights(500, dtype)
    given = jax.numpy.asarray(values)
    found = apsp.floyd_warshall(given)
    assert isinstance(found, jax.Array)
    np.testing.assert_array_equal(np.asarray(found), expected(values))
    np.testing.assert_array_equal(np.asarray(given), values)
    pytest.raises(apsp.UsageError, apsp.floyd_warshall, given, overwrite=True)


def test_what_has_dlpack_alone(torch):
    class Wrapped:
        def __init__(self, tensor):
            self.tensor = tensor

        def __dlpack_device__(self):
            return self.tensor.__dlpack_device__()

        def __dlpack__(self, **given):
            return self.tensor.__dlpack__(**given)

    values = weights(300, "float64")
    given = Wrapped(torch.tensor(values).cuda())
    assert apsp.floyd_warshall(given, overwrite=True) is given
    np.testing.assert_array_equal(given.tensor.cpu().numpy(), expected(values))
