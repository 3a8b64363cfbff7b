"""A pytest plugin: counts who computes while NetworkX's own tests run through the backend.

    NETWORKX_TEST_BACKEND=apsp NETWORKX_FALLBACK_TO_NX=True APSP_CALLS=FILE
        python -m pytest -p networkx_calls --pyargs networkx.algorithms.shortest_paths

FILE is written at the end: of every function of the backend how often it was called and gave a
result, and how often NetworkX's own of the same name ran while the backend was at work.
"""

import collections
import functools
import json
import os
from collections.abc import Iterator

from networkx.utils import backends

from nx_apsp import backend

_counts = collections.defaultdict(lambda: {"called": 0, "returned": 0, "forwarded": 0})
_depth = 0


def _at_work(function, *args, **kwargs):
    global _depth
    _depth += 1
    try:
        return function(*args, **kwargs)
    finally:
        _depth -= 1


def _counted(name, function):
    @functools.wraps(function)
    def counted(*args, **kwargs):
        _counts[name]["called"] += 1
        result = _at_work(function, *args, **kwargs)
        if isinstance(result, Iterator):
            return drawn(result)
        _counts[name]["returned"] += 1
        return result

    def drawn(rows):
        while True:
            try:
                row = _at_work(next, rows)
            except StopIteration:
                _counts[name]["returned"] += 1
                return
            yield row

    return counted


def _guarded(name, function):
    @functools.wraps(function)
    def guarded(*args, **kwargs):
        _counts[name]["forwarded"] += _depth > 0
        return function(*args, **kwargs)

    return guarded


def pytest_configure(config):
    for name, dispatchable in backends._registered_algorithms.items():
        if not hasattr(backend, name):
            continue
        setattr(backend, name, _counted(name, getattr(backend, name)))
        while not hasattr(dispatchable, "orig_func"):
            dispatchable = dispatchable.__wrapped__
        dispatchable.orig_func = _guarded(name, dispatchable.orig_func)


def pytest_sessionfinish(session):
    with open(os.environ["APSP_CALLS"], "w") as file:
        json.dump(_counts, file)
