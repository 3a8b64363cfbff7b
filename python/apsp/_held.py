"""A stored result as it was when it was opened, though another run may replace it at its path.

What has no chunk of its own stands for "no path" to readers of Zarr, and chunks are looked up by
name, so each is compared: the metadata beside it must still be those that were there."""

import functools
import os

import numpy as np

from ._errors import InputOutputError

_TRIES = 10


def stamp(path):
    """Tells the result at a path from any other that takes its place; None where there is none."""
    try:
        facts = os.stat(os.path.join(path, "zarr.json") if os.path.isdir(path) else path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino, facts.st_mtime_ns


def of_one(path, read):
    """What `read()` returns, and the stamp of the result at the path meanwhile."""
    for _ in range(_TRIES):
        before = stamp(path)
        found = read()
        if stamp(path) == before:
            return found, before
    raise _replaced(path)


def _replaced(path):
    return InputOutputError(f"{path}: another run replaced or removed this result after it was "
                            "opened; open it again to read what is there now")


def distances(path, held):
    """The matrix of the result whose stamp is `held`, in its file; None if it has none."""
    if path.rstrip("/").endswith(".npy"):
        matrix = np.load(path, mmap_mode="r")
        if stamp(path) != held:
            raise _replaced(path)
        return matrix
    import zarr

    group = zarr.open_group(_store(path, held), mode="r")
    return group["distance"] if "distance" in group else None


def _store(path, held):
    from ._held_store import HeldStore

    return HeldStore(path, check=functools.partial(require, path, held))


def require(path, held):
    if stamp(path) != held:
        raise _replaced(path)
