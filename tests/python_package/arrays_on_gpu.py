"""Semirings and types of matrices; arrays on a GPU: of PyTorch, CuPy and JAX where they find one, and what only calls
itself one."""

import numpy as np
import pytest

import apsp

TYPES = ("float32", "float64", "int32", "uint16")
LIMIT = {"int32": 2**30 - 1, "uint16": 2**15 - 1}
SEMIRINGS = {
    "min-plus": (np.minimum, np.add, 1), "max-plus": (np.maximum, np.add, -1),
    "min-max": (np.minimum, np.maximum, 1), "max-min": (np.maximum, np.minimum, -1),
}
CASES = [(semiring, dtype) for semiring in SEMIRINGS for dtype in TYPES if (semiring, dtype) != ("max-plus", "uint16")]


def no_path(semiring, dtype):
    sign = SEMIRINGS[semiring][2]
    if dtype == "uint16" and sign < 0:
        return 0
    return sign * LIMIT.get(dtype, np.inf)


class OnlyDlpack:
    """An array of the CPU behind DLPack."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

    def __dlpack__(self, **given):
        return self.values.__dlpack__(**given)


class OnGpu:
    """What calls itself an array of a GPU. There is no memory behind it."""

    def __init__(self, shape=(4, 4), typestr="<f4", strides=None, read_only=False, version=3, **more):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "strides": strides,
                                         "data": (1 << 40, read_only), "version": version, **more}

    def copy(self):
        return self


def cuda_is_there():
    try:
        apsp.solve(apsp.generate("gnp", 10), device="cuda")
    except apsp.DeviceError:
        return False
    return True


@pytest.fixture
def torch():
    module = pytest.importorskip("torch")
    if not module.cuda.is_available() or not cuda_is_there():
        pytest.skip("needs a GPU that both PyTorch and this build of apsp find")
    return module


@pytest.fixture
def cupy():
    module = pytest.importorskip("cupy")
    if not cuda_is_there():
        pytest.skip("needs a GPU and a build with CUDA")
    return module


@pytest.fixture
def jax():
    module = pytest.importorskip("jax")
    if module.default_backend() != "gpu" or not cuda_is_there():
        pytest.skip("needs a GPU that both JAX and this build of apsp find")
    return module
