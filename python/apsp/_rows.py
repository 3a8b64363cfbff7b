"""Rows of distances that are computed while the caller takes them."""

import contextlib
from typing import NamedTuple

import numpy as np

from . import _apsp
from ._errors import NegativeCycleError


class RowBlock(NamedTuple):
    """Some rows of the matrix of distances."""

    sources: list  # labels [k]
    distances: np.ndarray  # [k, columns]


@contextlib.contextmanager
def labelled(graph):
    """Errors name vertices by their labels."""
    try:
        yield
    except NegativeCycleError as error:
        error.cycle = [graph.labels[v] for v in error.cycle]
        raise


def stream_of(graph, options):
    """Blocks of rows of the graph, computed as they are taken. `options`: of `native_options`."""
    stream = _apsp.RowStream(graph._native, options)
    labels = graph.labels
    try:
        with labelled(graph):
            while True:
                try:
                    sources, distances = stream.next()
                except StopIteration:
                    return
                yield RowBlock([labels[v] for v in sources.tolist()], distances)
    finally:
        stream.close()
