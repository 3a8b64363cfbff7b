"""The planes beside the distances, from the command line: paths by intermediate vertices, and the
verification of what was really written."""

import signal
import subprocess
import time

import numpy
import pytest
import zarr

from conftest import binary, environment

PLANES = ["predecessor", "via", "hops"]


@pytest.fixture
def planes(run, cities):
    """The railway with all its planes."""
    run("solve", cities, "--undirected", "--hops", "--predecessors", "-o", "planes.zarr")
    return "planes.zarr"


def test_path_by_intermediate_vertices(run, planes):
    done = run("path", planes, "Aachen", "Dortmund", "--via")
    assert done.out == run("path", planes, "Aachen", "Dortmund").out
    assert run("path", planes, "Bonn", "Bonn", "--via", "--names").out == "Bonn\n"
    answer = run("path", "--via", planes, "Aachen", "Cologne", "--json").json()
    assert answer["path"] == ["Aachen", "Bonn", "Cologne"] and answer["distance"] == 50
    run("path", planes, "Aachen", "Emden", "--via", code=1)


def test_path_by_intermediate_vertices_is_as_long_as_the_distance(run):
    run("generate", "gnp", "g.gr", "--vertices", 60, "--probability", 0.08, "--seed", 3)
    run("solve", "g.gr", "--via", "-o", "g.zarr")
    for s, t in ((0, 59), (17, 2), (30, 31), (58, 8)):
        by_via = run("path", "g.zarr", s, t, "--via", "--json", code=None).json()
        plain = run("path", "g.zarr", s, t, "--json", code=None).json()
        assert by_via["distance"] == plain["distance"]
        assert by_via["reachable"] == plain["reachable"]
        if by_via["reachable"]:
            assert by_via["hops"][-1]["so_far"] == plain["distance"]


def test_without_the_plane_the_error_says_what_to_do(run, solved, cities):
    run("path", solved, "Aachen", "Bonn", "--via", code=2)
    run("solve", cities, "-o", "c.npy")
    run("path", "c.npy", "Aachen", "Bonn", "--via", "--graph", cities, code=2)


def test_verify_checks_every_plane(run, planes):
    verified = run("verify", planes, "--json").json()["verification"]
    assert [check["name"] for check in verified["checks"]][5:] == ["predecessors", "via", "hops", "statistics"]
    assert all(check["tested"] == 25 for check in verified["checks"][5:8])


@pytest.mark.parametrize("plane", PLANES)
def test_verify_finds_a_wrong_value_in_any_plane(run, planes, tmp_path, plane):
    array = zarr.open_group(tmp_path / planes, mode="r+")[plane]
    values = array[:]
    aachen, dortmund = 0, 3
    values[aachen, dortmund] += 1
    array[:] = values
    done = run("verify", planes, "--json", code=1).json()["verification"]
    failed = {check["name"]: check["first_failure"] for check in done["checks"] if check["failed"]}
    assert list(failed) == [plane + "s" if plane == "predecessor" else plane]
    assert "Aachen" in failed.popitem()[1]


def test_solve_says_that_it_read_the_file_back(run, cities):
    done = run("solve", cities, "-o", "c.zarr", "--verify")
    assert "rows checked: 5 of 5, read back from c.zarr" in done.out
    assert "read back" not in run("solve", cities, "--verify").out


def damage(chunk):
    content = bytearray(chunk.read_bytes())
    content[len(content) // 2] ^= 1
    chunk.write_bytes(content)


def test_damage_between_writing_and_verifying_is_found(run, tmp_path):
    """The distances' checks take a second; a bit of via is turned over meanwhile."""
    run("generate", "dense", "d.npy", "--vertices", 700)
    command = [binary(), "solve", "d.npy", "--via", "-o", "d.zarr", "--verify", "--quiet"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    chunk = tmp_path / "d.zarr" / "via" / "c" / "0" / "0"
    while process.poll() is None and not chunk.exists():
        time.sleep(0.002)
    process.send_signal(signal.SIGSTOP)
    damage(chunk)
    process.send_signal(signal.SIGCONT)
    error = process.stderr.read().decode()
    assert process.wait(timeout=60) == 3, error
    assert "via/c/0/0: checksum does not match" in error


def test_planes_agree_with_each_other(run, tmp_path):
    """Predecessors and hops of one solve, and networks of more than one tile."""
    run("generate", "grid", "g.gr", "--vertices", 400, "--undirected")
    run("solve", "g.gr", "--hops", "--predecessors", "--tile", 64, "-o", "g.zarr", "--verify")
    group = zarr.open_group(tmp_path / "g.zarr", mode="r")
    distance, predecessor, hops = (group[name][:].astype(numpy.int64) for name in ("distance", "predecessor", "hops"))
    s, t = numpy.nonzero(predecessor >= 0)
    assert (distance[s, predecessor[s, t]] < distance[s, t]).all()
    assert (hops[s, t] >= 1).all()
