"""apsp under code that calls SciPy's functions."""

import sys

_NAMES = (
    "bellman_ford",
    "connected_components",
    "construct_dist_matrix",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "reconstruct_path",
    "shortest_path",
    "yen",
)


class Patch:
    """What `patch` did. Leaving a `with` block, or `undo()`, takes it back."""

    def __init__(self, names):
        import scipy.sparse.csgraph as scipys

        import apsp.csgraph as ours

        self._changes = []
        known = [name for name in names if hasattr(scipys, name)]
        pairs = [(name, getattr(scipys, name), getattr(ours, name)) for name in known]
        for module in list(sys.modules.values()):
            held = getattr(module, "__dict__", {})
            for name, theirs, mine in pairs:
                if theirs is not mine and held.get(name) is theirs:
                    setattr(module, name, mine)
                    self._changes.append((module, name, theirs, mine))

    def undo(self):
        """Puts SciPy's functions back where ours still are. Again: nothing happens."""
        for module, name, theirs, mine in reversed(self._changes):
            if getattr(module, name, None) is mine:
                setattr(module, name, theirs)
        self._changes = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.undo()

    def __repr__(self):
        return f"<apsp.csgraph.patch in {len(self._changes)} places>"


def patch(names=_NAMES):
    """Puts these functions in the place of SciPy's, in every module that holds them by their names.

    Modules imported later get them from `scipy.sparse.csgraph`. A function that SciPy does not have
    (yen before 1.14) is left out. Conversions stay SciPy's.

    Parameters
    ----------
    names : sequence of str
        Which functions; all solvers by default.

    Returns
    -------
    Patch
        In a `with` statement it is undone at the end, else by its `undo()`.

    Examples
    --------
    >>> import scipy.sparse.csgraph
    >>> import apsp.csgraph
    >>> with apsp.csgraph.patch():
    ...     scipy.sparse.csgraph.shortest_path is apsp.csgraph.shortest_path
    True
    >>> scipy.sparse.csgraph.shortest_path is apsp.csgraph.shortest_path
    False
    """
    unknown = [name for name in names if name not in _NAMES]
    if unknown:
        raise ValueError(f"there is no {', '.join(unknown)}: {', '.join(_NAMES)}")
    return Patch(names)
