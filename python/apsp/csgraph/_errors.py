"""NegativeCycleError: apsp's, and a subclass of SciPy's where SciPy is installed."""

import contextlib

from .. import _errors

_class = None


def negative_cycle_error():
    """The class, made when it is first needed: `import apsp.csgraph` does not import SciPy."""
    global _class
    if _class is None:
        bases = [_errors.NegativeCycleError]
        with contextlib.suppress(ImportError):
            from scipy.sparse.csgraph import NegativeCycleError

            bases.append(NegativeCycleError)
        doc = """Distances are undefined: the graph has a cycle of negative weight.

        `cycle`: its vertices, in order; of a dense array that is solved in its own memory one of them.
        `weight`: its weight, where all are named.
        """
        _class = type("NegativeCycleError", tuple(bases), {"__module__": __package__, "__doc__": doc})
    return _class


def translated(error, method):
    """The error as SciPy's method words it: "FW", or one that names a vertex."""
    vertices = list(error.cycle)
    if method == "FW":
        message = f"Negative cycle in nodes {sorted(vertices)}"
    else:
        message = f"Negative cycle detected on node {vertices[0] if vertices else '?'}"
    found = negative_cycle_error()(message)
    found.cycle = vertices
    found.weight = error.weight
    return found
