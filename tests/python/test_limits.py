"""--memory and --plan of the verbs that answer questions, and --disk of results."""

import pathlib
import shutil
import subprocess

import numpy as np
import pytest

from conftest import binary, environment


def taken_by(folder):
    return sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*") if file.is_file())


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A grid of 40,000 vertices, results of smaller ones, and tables about their vertices."""
    folder = tmp_path_factory.mktemp("network")

    def run(*words):
        subprocess.run([binary(), *map(str, words), "--quiet"], env=environment(), check=True,
                       stdout=subprocess.DEVNULL)

    run("generate", "grid", folder / "a.gr", "--vertices", 40000)
    run("generate", "grid", folder / "b.gr", "--vertices", 2500)
    run("solve", folder / "b.gr", "-o", folder / "b.zarr", "--no-statistics")
    run("solve", folder / "b.gr", "-o", folder / "f.zarr", "--keep", "factor", "--no-statistics")
    (folder / "q.csv").write_text("vertex,jobs\n" + "".join(f"{v},{v % 7}\n" for v in range(1, 2000)))
    (folder / "p.csv").write_text("".join(f"{v},{v + 100}\n" for v in range(1, 1000)))
    (folder / "u.csv").write_text("1,2,3\n")
    return folder


# Words of each call; files are those above, and what ends in "out" is written.
CALLS = {
    "nearest": ["nearest", "a.gr", "--to", "1,900", "-k", 3, "-o", "out.csv"],
    "access": ["access", "a.gr", "--weights", "q.csv", "--within", "40,80", "-o", "out.csv"],
    "within": ["solve", "a.gr", "--within", 20, "--sources", "random:100", "-o", "out.npz"],
    "betweenness": ["betweenness", "a.gr", "--sources", "random:10", "-o", "out.csv"],
    "betweenness-of-arcs": ["betweenness", "a.gr", "--sources", "random:10", "--arcs"],
    "distance": ["distance", "a.gr", 1, 30000],
    "pairs": ["distance", "a.gr", "--pairs", "p.csv", "-o", "out.csv"],
    "table": ["distance", "a.gr", "--sources", "random:10", "--targets", "random:20", "-o", "out.csv"],
    "path": ["path", "a.gr", 1, 30000],
    "convert": ["convert", "a.gr", "out.mtx"],
    "stats": ["stats", "b.zarr"],
    "verify": ["verify", "b.zarr", "--sample", 10],
    "report": ["report", "b.zarr", "-o", "out.html"],
    "path-of-a-result": ["path", "b.zarr", 1, 2000],
    "table-of-a-result": ["distance", "b.zarr", "--sources", "random:10", "--targets", "random:20", "-o",
                          "out.csv"],
    "pairs-of-a-factor": ["distance", "f.zarr", "--pairs", "p.csv", "-o", "out.csv"],
    "update": ["update", "b.zarr", "u.csv", "-o", "out.zarr"],
    "update-of-a-factor": ["update", "f.zarr", "u.csv", "-o", "out.zarr"],
}


def words_in(folder, tmp_path, words):
    def placed(word):
        if str(word).startswith("out"):
            return tmp_path / word
        return folder / word if (folder / str(word)).exists() else word

    return [placed(word) for word in words]


@pytest.mark.parametrize("call", CALLS)
def test_a_verb_says_what_it_takes_and_is_refused_less(call, network, run, tmp_path):
    words = words_in(network, tmp_path, CALLS[call])
    done = run(*words, "--json", "--memory", "4GiB").json()
    use = done.get("memory") or done["plan"]
    assert 0 < use["bytes"] <= use["bytes_allowed"] == 4 << 30
    for out in tmp_path.iterdir():
        shutil.rmtree(out) if out.is_dir() else out.unlink()
    planned = run(*words, "--json", "--plan", "--memory", "4GiB").json()
    assert planned["memory"]["bytes"] > 0
    assert not list(tmp_path.iterdir()), "nothing is done"
    run(*words, "--memory", "1MiB", code=5)
    assert not list(tmp_path.iterdir())


def test_a_dense_graph_is_stored_as_its_matrix_and_counted(run, tmp_path):
    n = 2000
    values = np.random.default_rng(3).integers(1, 100, (n, n)).astype("f4")
    np.fill_diagonal(values, 0)
    np.save(tmp_path / "a.npy", values)
    done = run("solve", "a.npy", "-o", "a.zarr", "--json").json()
    taken, planned = taken_by(tmp_path / "a.zarr"), done["plan"]["bytes_disk"]
    assert taken <= planned <= 1.05 * taken
    assert taken < 8 * n * n, "two bytes a distance and four an arc, in whole chunks"
    arcs = [run("path", "a.zarr", 3, 99, "--json").json(),
            run("path", "a.zarr", 3, 99, "--json", "--graph", "a.npy").json()]
    assert arcs[0]["path"] == arcs[1]["path"]
    run("verify", "a.zarr", "--sample", 20)
    run("convert", "a.zarr", "b.npy", "--to", "numpy")
    assert (np.load(tmp_path / "b.npy") == values).all()
    refused = run("solve", "a.npy", "-o", "b.zarr", "--disk", planned - 1, "--algorithm", "floyd-warshall", code=5)
    assert "disk" in refused.err and not (tmp_path / "b.zarr").exists()
    run("solve", "a.npy", "-o", "b.zarr", "--disk", planned)


def test_a_solve_under_a_limit_measures_nothing(run, tmp_path):
    run("generate", "rmat", "a.gr", "--vertices", 30000, "--edges", 200000, "--weights", "1:1000")
    cache = tmp_path / "cache"
    env = {"APSP_MEASURE": "auto", "APSP_CACHE_DIR": str(cache)}
    run("plan", "a.gr", "--algorithm", "johnson", "--memory", "1GiB", env=env)
    assert not list(cache.glob("*.json"))


def test_many_pairs_of_a_graph_are_in_its_plan(run, tmp_path):
    run("generate", "grid", "a.gr", "--vertices", 2500)
    planned = {}
    for count in (1000, 501_000):
        (tmp_path / "p.csv").write_text("1,2499\n7,800\n" * (count // 2))
        done = run("distance", "a.gr", "--pairs", "p.csv", "-o", "out.npy", "--json", "--memory", "1GiB").json()
        planned[count] = done["memory"]["bytes"]
        assert run("distance", "a.gr", "--pairs", "p.csv", "--plan", "--json", "--memory",
                   "1GiB").json()["memory"]["bytes"] == planned[count]
    assert planned[501_000] - planned[1000] >= 500_000 * 32
    run("distance", "a.gr", "--pairs", "p.csv", "-o", "out.npy", "--memory", planned[1000], code=5)


def test_what_measuring_kept_is_in_the_plan(run, tmp_path):
    run("generate", "grid", "a.gr", "--vertices", 100)
    words = ["solve", "a.gr", "-o", "a.npy", "--overwrite", "--no-statistics", "--json"]
    known = run(*words).json()["report"]["bytes_planned"]
    env = {"APSP_MEASURE": "always", "APSP_CACHE_DIR": str(tmp_path / "cache")}
    measured = run(*words, env=env).json()
    assert measured["report"]["bytes_planned"] == measured["plan"]["bytes"] > known
    again = run(*words, env={**env, "APSP_MEASURE": "auto"}).json()
    assert again["report"]["bytes_planned"] == known
