"""SciPy's shortest paths, `scipy.sparse.csgraph`, computed by apsp.

The functions have SciPy's names, signatures, defaults, results and exceptions; `docs/python-csgraph.md`
lists where results differ because SciPy's are wrong. Distances are float64, predecessors int32 with
-9999 where there is none. Ctrl-C works, and other threads run meanwhile.

>>> import numpy as np
>>> from apsp.csgraph import shortest_path
>>> shortest_path(np.array([[0, 1, 9], [0, 0, 2], [0, 0, 0]]))
array([[ 0.,  1.,  3.],
       [inf,  0.,  2.],
       [inf, inf,  0.]])
"""

from ._components import connected_components
from ._conversions import (
    csgraph_from_dense,
    csgraph_from_masked,
    csgraph_masked_from_dense,
    csgraph_to_dense,
)
from ._patch import patch
from ._paths import construct_dist_matrix, reconstruct_path
from ._shortest_path import bellman_ford, dijkstra, floyd_warshall, johnson, shortest_path
from ._yen import yen

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_masked_from_dense",
    "csgraph_to_dense",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "patch",
    "reconstruct_path",
    "shortest_path",
    "yen",
]


def __getattr__(name):
    if name == "NegativeCycleError":
        from ._errors import negative_cycle_error

        return negative_cycle_error()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
