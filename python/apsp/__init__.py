"""All-pairs shortest paths: plan, solve, verify, paths, statistics."""

from . import _errors
from ._apsp import __version__
from ._errors import (
    DefectError,
    DeviceError,
    DoesNotFitError,
    Error,
    InputError,
    InputOutputError,
    InterruptedSolveError,
    NegativeCycleError,
    UsageError,
    WrongTypeError,
)

# Imported at first use, because importing NumPy takes longer than importing this package.
_PARTS = {
    "DeviceArray": "._device_array",
    "Graph": "._graph",
    "Places": "._points",
    "Plan": "._result",
    "Plot": "._plot",
    "Reach": "._near",
    "Result": "._result",
    "RowBlock": "._rows",
    "Table": "._arrow",
    "access": "._near",
    "all_predecessors": "._path_counts",
    "distances": "._distances",
    "betweenness": "._betweenness",
    "closeness": "._betweenness",
    "eccentricity": "._eccentricity",
    "edge_betweenness": "._betweenness",
    "flow": "._flow",
    "floyd_warshall": "._matrix",
    "generate": "._reading",
    "insert_edges": "._updates",
    "local_efficiency": "._local_efficiency",
    "metrics": "._solve",
    "multiply_add": "._product",
    "isochrones": "._near",
    "nearest": "._near",
    "open": "._solve",
    "path_counts": "._path_counts",
    "paths": "._paths",
    "plan": "._solve",
    "read": "._reading",
    "rows": "._solve",
    "snap": "._points",
    "solve": "._solve",
    "solve_batch": "._batch",
    "update": "._updates",
    "verify": "._near",
    "within": "._near",
    "write_table": "._table",
}
_MODULES = ("csgraph",)

__all__ = ["__version__", *_PARTS, *_MODULES,
           *(name for name in vars(_errors) if name.endswith("Error"))]


def __getattr__(name):
    import importlib

    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name in _PARTS:
        part = getattr(importlib.import_module(_PARTS[name], __name__), name)
        globals()[name] = part
        return part
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
