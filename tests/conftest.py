"""Sessions of pytest that end at the same time, as those of ctest do."""

import contextlib

import _pytest.pathlib

remove_dead_links = _pytest.pathlib.cleanup_dead_symlinks


def remove_links_that_are_left(root):
    """Sessions remove each other's dead links at their end, and pytest 9 fails if one is already gone."""
    with contextlib.suppress(FileNotFoundError):
        remove_dead_links(root)


_pytest.pathlib.cleanup_dead_symlinks = remove_links_that_are_left
