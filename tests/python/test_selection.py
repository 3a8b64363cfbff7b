"""--sources and --targets: some rows and columns, from the command line to the files."""

import heapq
import json

import numpy as np
import pytest

ALGORITHMS = ["floyd-warshall", "nested-dissection", "johnson"]
SIDE = 12


def weight(u, v):
    return 1 + (7 * u + 3 * v) % 9


@pytest.fixture
def streets(tmp_path):
    """A directed grid with weights 1 to 9."""
    lines = []
    for u in range(SIDE * SIDE):
        row, col = divmod(u, SIDE)
        for r, c in ((row, col + 1), (row, col - 1), (row + 1, col), (row - 1, col)):
            if 0 <= r < SIDE and 0 <= c < SIDE:
                lines.append(f"{u} {r * SIDE + c} {weight(u, r * SIDE + c)}")
    (tmp_path / "streets.txt").write_text("\n".join(lines) + "\n")
    return "streets.txt"


def distances_from(source):
    found, heap = {}, [(0, source)]
    while heap:
        distance, u = heapq.heappop(heap)
        if u in found:
            continue
        found[u] = distance
        row, col = divmod(u, SIDE)
        for r, c in ((row, col + 1), (row, col - 1), (row + 1, col), (row - 1, col)):
            if 0 <= r < SIDE and 0 <= c < SIDE:
                v = r * SIDE + c
                heapq.heappush(heap, (distance + weight(u, v), v))
    return np.array([found[v] for v in range(SIDE * SIDE)])


SOURCES, TARGETS = [100, 3, 7], [143, 3]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_some_rows_and_columns_in_the_order_of_the_list(run, streets, tmp_path, algorithm):
    (tmp_path / "targets.txt").write_text("node\n143\n3\n")
    words = ["solve", streets, "--directed", "--algorithm", algorithm, "--sources", "100,3,7",
             "--targets", "@targets.txt", "--json"]
    expected = np.array([distances_from(s)[TARGETS] for s in SOURCES])
    run(*words, "-o", "x.npy")
    assert (np.load(tmp_path / "x.npy") == expected).all()
    answer = run(*words, "-o", "x.zarr").json()
    assert answer["plan"]["sources"] == answer["report"]["sources"] == 3
    found = answer["statistics"]
    assert (found["sources"], found["targets"], found["pairs"]) == (3, 2, 5)
    assert found["diameter"] is None and found["radius"] is None
    assert found["diameter_at_least"] == found["greatest"] == expected.max()
    assert found["radius_at_most"] is None and found["most_central"]["closeness"] == []
    zarr = pytest.importorskip("zarr", minversion="3")
    group = zarr.open_group(tmp_path / "x.zarr", mode="r")
    assert (group["distance"][:] == expected).all()
    assert list(group["source"][:]) == SOURCES and list(group["target"][:]) == TARGETS
    facts = group.attrs["apsp"]
    assert (facts["format_version"], facts["sources"], facts["targets"]) == (2, 3, 2)


def test_what_is_kept_answers_and_the_rest_is_refused(run, streets, tmp_path):
    run("solve", streets, "--directed", "--sources", "100,3", "-o", "x.zarr", "--verify")
    row = distances_from(100)
    assert run("distance", "x.zarr", "100", "17").out == f"{row[17]}\n"
    path = run("path", "x.zarr", "100", "17", "--names").out.split()
    hops = list(map(int, path))
    assert sum(weight(u, v) for u, v in zip(hops, hops[1:])) == row[17]
    checked = run("verify", "x.zarr", "--json").json()["verification"]
    assert checked["passed"] and checked["sources"] == 2
    assert checked["meaning"] == "proof for the sources that are kept"
    stats = run("stats", "x.zarr").out
    assert "from 2 sources, 144 vertices" in stats and "diameter at least" in stats
    assert "radius at most" in stats
    run("convert", "x.zarr", "x.npy")
    assert np.load(tmp_path / "x.npy").shape == (2, 144)
    for verb in (["distance", "x.zarr", "5", "17"], ["path", "x.zarr", "5", "17"]):
        refused = run(*verb, code=2)
        assert "distances from 2 of 144 vertices, and 5 is not one of them" in refused.err
    refused = run("stats", "x.npy", "--graph", streets, code=3)
    assert "a .zarr knows which they are" in refused.err


def test_random_ones_follow_the_seed(run, streets, tmp_path):
    def drawn(*words):
        run("solve", streets, "--directed", "--sources", "random:5", *words, "-o", "x.zarr")
        root = json.loads((tmp_path / "x.zarr" / "zarr.json").read_text())
        chunk = (tmp_path / "x.zarr" / "source" / "c" / "0").read_bytes()
        assert root["attributes"]["apsp"]["sources"] == 5
        return np.frombuffer(chunk[:20], "<u4").tolist()

    assert drawn() == sorted(drawn()) == drawn("--seed", "1") != drawn("--seed", "2")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_predecessors_of_some_sources_are_their_rows_of_all(run, streets, tmp_path, algorithm):
    zarr = pytest.importorskip("zarr")
    common = ("--directed", "--algorithm", algorithm, "--predecessors", "--tile", 16)
    run("solve", streets, "-o", "all.zarr", *common)
    run("solve", streets, "-o", "some.zarr", "--sources", "143,5,77", "--verify", *common)
    whole, some = (zarr.open_group(tmp_path / name, mode="r")["predecessor"][:] for name in ("all.zarr", "some.zarr"))
    assert some.shape == (3, SIDE * SIDE)
    assert np.array_equal(some, whole[[143, 5, 77]])


def test_nothing_is_kept_without_an_output(run, streets):
    done = run("solve", streets, "--directed", "--targets", "1,2,3")
    assert "to 3 targets, 144 vertices" in done.out
    assert "Most central" in done.out  # all distances to them are counted
    done = run("closure", streets, "--directed", "--sources", "random:3")
    assert "429 of 429" in done.out and "connected" not in done.out


@pytest.mark.parametrize("words, code", [
    (["--sources", "5,6,5"], 2), (["--sources", "5,,6"], 2), (["--sources", "144"], 2), (["--targets", "random:145"], 2),
    (["--targets", "random:0"], 2), (["--sources", ""], 2), (["--sources", "@none.txt"], 6), (["--targets", "@unknown.txt"], 3),
    (["--targets", "@empty.txt"], 3), (["--targets", "5", "--verify"], 2),
    (["--targets", "5", "--predecessors", "-o", "x.zarr"], 2), (["--sources", "@-", "--targets", "@-"], 2)])
def test_what_cannot_be_selected(run, streets, tmp_path, words, code):
    (tmp_path / "unknown.txt").write_text("7\n 900\n")
    (tmp_path / "empty.txt").write_text("# nobody\n")
    run("solve", streets, "--directed", *words, code=code)
    assert not (tmp_path / "x.zarr").exists()
