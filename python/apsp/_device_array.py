"""Rows of distances in GPU memory, for CuPy, PyTorch and JAX."""

import sys

import numpy as np

from . import _apsp
from ._errors import UsageError

_CUDA = 2  # DLPack's kDLCUDA


class DeviceArray:
    """Values [rows, columns] on a GPU, row-major and complete; they may be overwritten.

    Supports ``__cuda_array_interface__`` (version 3) and ``__dlpack__``. It is valid until the next block
    is requested; then its memory holds other rows.

    Attributes
    ----------
    shape : (int, int)
        Rows and columns.
    dtype : numpy.dtype
        float32, float64, int32 or uint16.
    device : int
        Number of the GPU.
    """

    __slots__ = ("_address", "_stride", "_type", "_lent", "shape", "dtype", "device", "__weakref__")

    def __init__(self, address, shape, stride, type_name, device):
        """`stride`: values from one row to the next. `device`: number of the GPU."""
        self._address, self._stride, self._type, self._lent = address, stride, type_name, True
        self.shape, self.device = shape, device
        self.dtype = np.dtype({"f32": "float32", "f64": "float64", "i32": "int32", "u16": "uint16"}[type_name])

    def __repr__(self):
        return f"<apsp.DeviceArray: {self.shape[0]} × {self.shape[1]} {self.dtype.name} on cuda:{self.device}>"

    def __len__(self):
        return self.shape[0]

    @property
    def __cuda_array_interface__(self):
        size = self.dtype.itemsize
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._there(), False),
                "strides": (self._stride * size, size), "version": 3, "stream": None}

    def __dlpack_device__(self):
        return _CUDA, self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """`stream` is ignored, because the values are complete."""
        if copy or (dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__()):
            raise BufferError(f"these rows are given as they lie on cuda:{self.device}, not as a copy")
        return _apsp.dlpack(self._there(), self.shape, self._stride, self._type,
                            self.__dlpack_device__(), self)

    def _there(self):
        if not self._lent:
            raise UsageError("these rows are no longer on the GPU: copy a block before the next one "
                             "is taken (cupy.array, torch.clone)")
        return self._address

    def _give_back(self):
        """Waits for the current streams of PyTorch and CuPy, then ends the validity of the rows."""
        self._lent = False
        if (torch := sys.modules.get("torch")) is not None and torch.cuda.is_initialized():
            torch.cuda.current_stream(self.device).synchronize()
        if (cupy := sys.modules.get("cupy")) is not None:
            with cupy.cuda.Device(self.device):
                cupy.cuda.get_current_stream().synchronize()
