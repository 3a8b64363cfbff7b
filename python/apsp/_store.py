"""Reads a stored result as it was when it was opened, although another run may replace it.

Zarr reads a missing chunk as "no path" and finds chunks by name. So each read checks that the metadata
next to the chunk are unchanged."""

import functools
import os

import numpy as np

from ._errors import InputOutputError

_TRIES = 10


def stamp(path):
    """Identifies the result at a path, to detect its replacement; None if there is none."""
    try:
        facts = os.stat(os.path.join(path, "zarr.json") if os.path.isdir(path) else path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino, facts.st_mtime_ns


def of_one(path, read):
    """(result of `read()`, stamp of the result that it read). Retries if the result was replaced meanwhile."""
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
    """The stored matrix of the result with the stamp `held`; None if it has none.

    Raises
    ------
    InputOutputError
        Another run replaced the result.
    """
    if path.rstrip("/").endswith(".npy"):
        matrix = np.load(path, mmap_mode="r")
        if stamp(path) != held:
            raise _replaced(path)
        return matrix
    import zarr

    group = zarr.open_group(_store(path, held), mode="r")
    return group["distance"] if "distance" in group else None


def _store(path, held):
    from ._zarr_store import HeldStore

    return HeldStore(path, check=functools.partial(require, path, held))


def require(path, held):
    if stamp(path) != held:
        raise _replaced(path)
