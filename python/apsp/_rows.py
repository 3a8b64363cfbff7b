"""Rows of distances that are computed while the caller takes them."""

import contextlib
from typing import NamedTuple

import numpy as np

from . import _apsp
from ._device_array import DeviceArray
from ._errors import NegativeCycleError


class RowBlock(NamedTuple):
    """Some rows of the matrix of distances."""

    sources: list  # labels [k]
    distances: np.ndarray | DeviceArray  # [k, columns]


@contextlib.contextmanager
def labelled(graph):
    """Errors name vertices by their labels."""
    try:
        yield
    except NegativeCycleError as error:
        error.cycle = [graph.labels[v] for v in error.cycle]
        raise


def stream_of(graph, options, on_device=False):
    """Blocks of rows of the graph, computed as they are taken. `options`: of `native_options`."""
    stream = _apsp.RowStream(graph._native, options, on_device)
    labels = graph.labels
    try:
        with labelled(graph):
            while True:
                try:
                    sources, distances = stream.next()
                except StopIteration:
                    return
                with _lent(distances) if on_device else contextlib.nullcontext(distances) as taken:
                    yield RowBlock([labels[v] for v in sources.tolist()], taken)
    finally:
        stream.close()


@contextlib.contextmanager
def _lent(described):
    array = DeviceArray(*described)
    try:
        yield array
    finally:
        array._give_back()
