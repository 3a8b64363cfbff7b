"""Results that other runs replace, or change, while they are read; and links to results."""

import os
import random

import numpy as np
import pytest

from replaced import Replacements, Updates


def test_readers_of_a_result_that_is_replaced_find_one_result(tmp_path):
    random.seed(1)
    readers = Replacements(tmp_path, vertices=300).run(12)
    assert readers.mixed == 0
    assert readers.of_one > 0


def test_readers_of_folders_that_change_places_find_one_result(tmp_path):
    readers = Replacements(tmp_path, vertices=300).exchange(4)
    assert (readers.of_one, readers.refused, readers.mixed) == (4, 0, 0)


def test_two_updates_at_once_both_count(tmp_path):
    random.seed(1)
    updates = Updates(tmp_path).run(8)
    assert updates.lost == 0


@pytest.fixture
def linked(run, cities, tmp_path):
    """A link of a result's suffix, to a folder without one."""
    run("solve", cities, "--undirected", "-o", "cities.zarr", "--keep", "factor", "--quiet")
    (tmp_path / "cities.zarr").rename(tmp_path / "plain")
    os.symlink("plain", tmp_path / "link.zarr")
    return "link.zarr"


def test_a_link_to_a_folder_of_any_name_is_a_result_to_every_verb(run, linked, cities, tmp_path):
    assert run("distance", linked, "Aachen", "Dortmund").out == "120\n"
    run("path", linked, "Aachen", "Dortmund")
    run("stats", linked)
    run("verify", linked)
    run("report", linked, "-o", "page.html")
    run("convert", linked, "graph.gr")
    run("update", linked, "-", input="Cologne,Dortmund,200\n")
    assert run("distance", linked, "Aachen", "Dortmund").out == "130\n"
    run("solve", cities, "--undirected", "-o", linked)
    assert run("distance", "plain", "Aachen", "Dortmund").out == "120\n"
    run("convert", linked, "matrix.npy")
    assert np.load(tmp_path / "matrix.npy").shape == (5, 5)
    assert "nothing was left behind" in run("clean", linked).out
    assert (tmp_path / linked).is_symlink()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
