"""Arrays on a GPU: of PyTorch, CuPy and JAX where they find one, and what only calls itself one."""

import pytest

import apsp


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
