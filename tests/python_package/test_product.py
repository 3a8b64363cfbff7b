"""Products of matrices as they lie: of the CPU here; of a GPU where there is one."""

import numpy as np
import pytest

import apsp

from arrays_on_gpu import CASES, SEMIRINGS, TYPES, OnGpu, cuda_is_there, cupy, jax, no_path, torch  # noqa: F401: fixtures


def random_matrix(shape, semiring, dtype, seed):
    random = np.random.default_rng(seed)
    values = random.integers(1, 100, shape).astype(dtype)
    values[random.random(shape) < 0.25] = no_path(semiring, dtype)
    return values


def operands(semiring, dtype, m=37, n=70, k=19):
    return (random_matrix((m, n), semiring, dtype, 1), random_matrix((m, k), semiring, dtype, 2),
            random_matrix((k, n), semiring, dtype, 3))


def expected(c, a, b, semiring):
    plus, times, _ = SEMIRINGS[semiring]
    none = no_path(semiring, c.dtype.name)
    result = c.astype(float)
    for k in range(a.shape[1]):
        left, right = a[:, k, None].astype(float), b[k].astype(float)
        product = times(left, right)
        if times is np.add:
            product = np.where((left == none) | (right == none), none, product)
        result = plus(result, product)
    return result.astype(c.dtype)


@pytest.mark.parametrize("semiring, dtype", CASES)
def test_it_is_the_definition(semiring, dtype):
    for m, n, k in ((1, 1, 1), (37, 70, 19), (200, 300, 1)):
        c, a, b = operands(semiring, dtype, m, n, k)
        wanted = expected(c, a, b, semiring)
        assert apsp.multiply_add(c, a, b, semiring=semiring) is c
        np.testing.assert_array_equal(c, wanted)


def test_bool():
    random = np.random.default_rng(4)
    c, a, b = (random.random(shape) < 0.1 for shape in ((40, 50), (40, 30), (30, 50)))
    wanted = c | (a.astype(int) @ b.astype(int) > 0)
    np.testing.assert_array_equal(apsp.multiply_add(c, a, b, semiring="or_and"), wanted)


def test_windows_of_one_array():
    """A step of blocked Floyd-Warshall."""
    whole = random_matrix((60, 60), "min-plus", "float32", 5)
    before = whole.copy()
    wanted = expected(before[20:, 20:], before[20:, :20], before[:20, 20:], "min-plus")
    apsp.multiply_add(whole[20:, 20:], whole[20:, :20], whole[:20, 20:])
    np.testing.assert_array_equal(whole[20:, 20:], wanted)
    np.testing.assert_array_equal(whole[:20], before[:20])
    np.testing.assert_array_equal(whole[:, :20], before[:, :20])


@pytest.mark.parametrize("layout", [np.asfortranarray, lambda a: np.repeat(a, 2, axis=1)[:, ::2], lambda a: a[::-1][::-1]])
def test_operands_of_every_layout(layout):
    c, a, b = operands("min-plus", "float64")
    wanted = expected(c, a, b, "min-plus")
    np.testing.assert_array_equal(apsp.multiply_add(c, layout(a), layout(b)), wanted)


def test_empty_products_change_nothing():
    c = np.ones((3, 4), np.float32)
    apsp.multiply_add(c, np.ones((3, 0), np.float32), np.ones((0, 4), np.float32))
    assert (c == 1).all()
    assert apsp.multiply_add(c[:0], np.ones((0, 2), np.float32), np.ones((2, 4), np.float32)).shape == (0, 4)


ONES = np.ones((4, 4), np.float32)


@pytest.mark.parametrize("c, a, b", [
    (ONES.copy(), ONES[:, :3], ONES), (ONES.copy(), ONES.astype(np.float64), ONES),
    (ONES.astype(np.int64), ONES.astype(np.int64), ONES.astype(np.int64)), (ONES, ONES, ONES),
    (np.broadcast_to(np.float32(1), (4, 4)), ONES, ONES),
    (np.asfortranarray(np.ones((4, 5), np.float32)), ONES, np.ones((4, 5), np.float32)), (ONES.tolist(), ONES, ONES),
    (np.ones(4, np.float32), ONES, ONES), (ONES.copy(), np.full((4, 4), np.nan, np.float32), ONES),
    (ONES.copy(), np.ma.masked_array(ONES, mask=ONES > 1), ONES)])
def test_what_is_no_product_is_refused(c, a, b):
    pytest.raises(apsp.UsageError, apsp.multiply_add, c, a, b)


def test_semirings_that_there_are_not():
    pytest.raises(apsp.UsageError, apsp.multiply_add, ONES.copy(), ONES, ONES, semiring="plus-times")
    pytest.raises(apsp.UsageError, apsp.multiply_add, ONES.copy(), ONES, ONES, semiring=("max", "*"))
    pytest.raises(apsp.UsageError, apsp.multiply_add, ONES.copy(), ONES, ONES, semiring=("max", "*", "+"))


def test_torch_tensors_of_the_cpu():
    torch = pytest.importorskip("torch")
    c, a, b = operands("min-plus", "float32")
    wanted = expected(c, a, b, "min-plus")
    given = torch.tensor(c)
    assert apsp.multiply_add(given, torch.tensor(a), torch.tensor(b)) is given
    np.testing.assert_array_equal(given.numpy(), wanted)


needs_no_cuda = pytest.mark.skipif(cuda_is_there(), reason="a GPU is there: it would be asked for memory of nobody")


@needs_no_cuda
def test_without_cuda_arrays_of_a_gpu_give_the_reason():
    far = {"data": (1 << 41, False)}
    c, other = OnGpu(), OnGpu()
    other.__cuda_array_interface__.update(far)
    pytest.raises(apsp.DeviceError, apsp.multiply_add, c, other, other)
    pytest.raises(apsp.DeviceError, apsp.multiply_add, c, other, other, semiring=("max", "*"))
    pytest.raises(apsp.UsageError, apsp.multiply_add, c, other, other, semiring=("least", "*"))
    pytest.raises(apsp.DeviceError, apsp.multiply_add, ONES.copy(), ONES, ONES, device="cuda")


def test_matrices_of_different_places():
    pytest.raises(apsp.UsageError, apsp.multiply_add, ONES.copy(), OnGpu(), ONES)
    pytest.raises(apsp.UsageError, apsp.multiply_add, OnGpu(), OnGpu(stream=7), OnGpu())


# On a GPU.

@pytest.mark.parametrize("semiring, dtype", CASES)
def test_torch_on_a_gpu(torch, semiring, dtype):
    for m, n, k in ((1, 1, 1), (37, 70, 19), (300, 513, 129)):
        c, a, b = operands(semiring, dtype, m, n, k)
        given = [torch.tensor(matrix).cuda() for matrix in (c, a, b)]
        assert apsp.multiply_add(*given, semiring=semiring) is given[0]
        np.testing.assert_array_equal(given[0].cpu().numpy(), expected(c, a, b, semiring))
        through = c.copy()
        apsp.multiply_add(through, a, b, semiring=semiring, device="cuda")
        np.testing.assert_array_equal(through, given[0].cpu().numpy())


def test_signed_sums_and_bool_on_a_gpu(torch):
    random = np.random.default_rng(6)
    for dtype in ("float32", "float64", "int32"):
        c, a, b = (random.integers(-50, 50, shape).astype(dtype) for shape in ((65, 64), (65, 66), (66, 64)))
        given = [torch.tensor(matrix).cuda() for matrix in (c, a, b)]
        apsp.multiply_add(*given)
        np.testing.assert_array_equal(given[0].cpu().numpy(), expected(c, a, b, "min-plus"))
    c, a, b = (random.random(shape) < 0.1 for shape in ((40, 50), (40, 33), (33, 50)))
    given = [torch.tensor(matrix).cuda() for matrix in (c, a, b)]
    apsp.multiply_add(*given, semiring="or-and")
    np.testing.assert_array_equal(given[0].cpu().numpy(), c | (a.astype(int) @ b.astype(int) > 0))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("plus, times", [("min", "+"), ("max", "*"), ("+", "*"), ("min", "max"), ("max", "min"), ("min", "-")])
def test_expressions_on_a_gpu(torch, dtype, plus, times):
    pluses = {"min": np.minimum, "max": np.maximum, "+": np.add}
    kinds = {"+": np.add, "-": np.subtract, "*": np.multiply, "min": np.minimum, "max": np.maximum}
    random = np.random.default_rng(7)
    for m, n, k in ((1, 1, 1), (65, 129, 17), (200, 130, 48)):
        c, a, b = (random.integers(0, 9, shape).astype(dtype) for shape in ((m, n), (m, k), (k, n)))
        wanted = c.copy()
        for pivot in range(k):
            wanted = pluses[plus](wanted, kinds[times](a[:, pivot, None], b[pivot]))
        given = [torch.tensor(matrix).cuda() for matrix in (c, a, b)]
        apsp.multiply_add(*given, semiring=(plus, times))
        np.testing.assert_array_equal(given[0].cpu().numpy(), wanted.astype(dtype))


def test_bits_by_expressions_on_a_gpu(torch):
    random = np.random.default_rng(8)
    c, a, b = (random.random(shape) < 0.1 for shape in ((40, 50), (40, 33), (33, 50)))
    given = [torch.tensor(matrix).cuda() for matrix in (c, a, b)]
    apsp.multiply_add(*given, semiring=("or", "and"))
    np.testing.assert_array_equal(given[0].cpu().numpy(), c | (a.astype(int) @ b.astype(int) > 0))
    with pytest.raises(apsp.UsageError):
        apsp.multiply_add(*(torch.ones((4, 4)).cuda() for _ in range(3)), semiring=("or", "and"))


def test_windows_on_a_gpu(torch):
    whole = random_matrix((300, 300), "min-plus", "float32", 9)
    there = torch.tensor(whole).cuda()
    apsp.multiply_add(there[101:, 101:], there[101:, :101], there[:101, 101:])
    whole[101:, 101:] = expected(whole[101:, 101:], whole[101:, :101], whole[:101, 101:], "min-plus")
    np.testing.assert_array_equal(there.cpu().numpy(), whole)
    pytest.raises(apsp.UsageError, apsp.multiply_add, there, there, there)


def test_work_of_the_stream_comes_first(torch):
    c, a, b = (torch.full((2048, 2048), 3.0, device="cuda") for _ in range(3))
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)
        a.fill_(1)
        b.fill_(1)
        apsp.multiply_add(c, a, b)
        assert bool((c == 2).all())


def test_cupy_on_a_gpu(cupy):
    c, a, b = operands("min-plus", "int32")
    given = [cupy.asarray(matrix) for matrix in (c, a, b)]
    apsp.multiply_add(*given)
    np.testing.assert_array_equal(cupy.asnumpy(given[0]), expected(c, a, b, "min-plus"))


def test_jax_on_a_gpu(jax):
    c, a, b = operands("min-plus", "float32")
    found = apsp.multiply_add(*(jax.numpy.asarray(matrix) for matrix in (c, a, b)))
    np.testing.assert_array_equal(np.asarray(found), expected(c, a, b, "min-plus"))
