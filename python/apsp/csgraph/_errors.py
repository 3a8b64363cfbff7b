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
        doc = "Distances are undefined: the graph has a cycle of negative weight (`cycle`, `weight`)."
        _class = type("NegativeCycleError", tuple(bases), {"__module__": __package__, "__doc__": doc})
    return _class


@contextlib.contextmanager
def cycles_as(method):
    """Raises negative cycles as SciPy's method does: "FW", or one that names a vertex."""
    try:
        yield
    except _errors.NegativeCycleError as error:
        raise translated(error, method) from None


def translated(error, method):
    vertices = list(error.cycle)
    if method == "FW":
        message = f"Negative cycle in nodes {sorted(vertices)}"
    else:
        message = f"Negative cycle detected on node {vertices[0] if vertices else '?'}"
    found = negative_cycle_error()(message)
    found.cycle = vertices
    found.weight = error.weight
    return found
