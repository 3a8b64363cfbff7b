"""Rows of distances, computed while the caller iterates."""

import contextlib
from typing import NamedTuple

import numpy as np

from . import _apsp
from ._device_array import DeviceArray
from ._errors import NegativeCycleError


class RowBlock(NamedTuple):
    """Some rows of the matrix of distances: labels `sources` [k] and `distances` [k, columns]."""

    sources: list
    distances: np.ndarray | DeviceArray


@contextlib.contextmanager
def labelled(graph):
    """Context in which errors name vertices by labels."""
    try:
        yield
    except NegativeCycleError as error:
        error.cycle = [graph.labels[v] for v in error.cycle]
        raise


def stream_of(graph, options, on_device=False):
    """Iterates over blocks of rows, computed during the iteration. `options`: from `native_options`."""
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
