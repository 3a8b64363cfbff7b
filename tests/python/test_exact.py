"""Random solves against exact arithmetic, by the command line: text and .npy in, .npy and .zarr out.
Small weights in every form, and chains too long for f32."""

import pathlib
import sys

import numpy as np
import pytest
import zarr

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import exact_solves  # noqa: E402

FEW = 40


def solved(run, problem, graph, output, algorithm):
    return run("solve", graph, "-o", output, "--json", "--quiet", "--overwrite", "--no-statistics",
               "--verify", "--semiring", problem.semiring, "--dtype", problem.dtype,
               "--tolerance", problem.tolerance, "--algorithm", algorithm, "--threads", 1,
               "--directed" if problem.directed else "--undirected", code=None)


def distances(path):
    if path.suffix == ".npy":
        return np.load(path)
    return zarr.open_group(path, mode="r")["distance"][:]


def no_path(semiring, found):
    if found.dtype.kind == "f":
        return np.inf if semiring.startswith("min") else -np.inf
    top = 2**15 - 1 if found.dtype == np.uint16 else 2**30 - 1
    low = 0 if found.dtype == np.uint16 else -top
    return top if semiring.startswith("min") else low


def try_one(run, tmp_path, problem, door, graph, comparison):
    output = tmp_path / problem.random.choice(("out.npy", "out.zarr"))
    done = solved(run, problem, graph, output.name, problem.algorithm)
    if done.code == 2:  # the algorithm does not take this graph
        done = solved(run, problem, graph, output.name, "auto")
    assert done.code != 1, f"seed {problem.seed}: the result does not pass its verification"
    if done.code != 0:
        return comparison.refuse(problem, done.err)
    told = done.json()
    assert told["verification"]["passed"]
    found = distances(output)
    comparison.compare(door, problem, found, told["plan"]["precision"], no_path(problem.semiring, found))


@pytest.mark.parametrize("door", ["text", "npy"])
def test_every_distance_is_within_the_printed_bound(run, tmp_path, door):
    comparison = exact_solves.Comparison()
    for seed in exact_solves.trials(FEW):
        problem = exact_solves.Problem(seed)
        if door == "text":
            (tmp_path / "graph.txt").write_text(problem.edge_list())
            try_one(run, tmp_path, problem, "text", "graph.txt", comparison)
        else:
            np.save(tmp_path / "graph.npy", problem.as_matrix())
            try_one(run, tmp_path, problem, "npy", "graph.npy", comparison)
    comparison.tell()
    assert comparison.doors.total() >= 1


SMALL = "a b 1e-50\nb c 3e-50\n"


@pytest.mark.parametrize("semiring, ends", [("min-plus", 4e-50), ("max-plus", 4e-50),
                                            ("max-min", 1e-50), ("min-max", 3e-50)])
def test_small_weights_stay_what_they_are(run, tmp_path, semiring, ends):
    (tmp_path / "small.txt").write_text(SMALL)
    done = run("solve", "small.txt", "--directed", "-o", "small.zarr", "--verify", "--verbose", "--semiring", semiring)
    assert "f32 would cut a weight of 1e-50" in done.err
    assert float(run("distance", "small.zarr", "a", "c").out) == pytest.approx(ends, rel=1e-15)
    assert run("path", "small.zarr", "a", "c", "--json").json()["distance"] == pytest.approx(ends, rel=1e-15)


@pytest.mark.parametrize("algorithm", ["auto", "nested-dissection", "floyd-warshall", "boundary"])
def test_a_small_negative_distance_next_to_large_ones_keeps_its_digits(run, tmp_path, algorithm):
    (tmp_path / "g.txt").write_text("s t -1.00000000123456e-9\na b -123456.789\nb t -876543.21\nt u -0.1\n")
    words = ["solve", "g.txt", "--directed", "-o", "g.npy", "--overwrite", "--dtype", "f64", "--verify", "--algorithm"]
    run(*words, algorithm)
    found = run("distance", "g.npy", "s", "t", "--graph", "g.txt").out
    assert float(found) == -1.00000000123456e-9
    run(*words, "johnson", code=2)


def test_f32_by_name_is_refused_for_small_weights(run, tmp_path):
    (tmp_path / "small.txt").write_text(SMALL)
    done = run("solve", "small.txt", "--dtype", "f32", code=5)
    assert "a weight of 1e-50 would lose digits in f32, or become 0" in done.err
    assert "use f64" in done.err


@pytest.mark.parametrize("weight", [1e-50, 1e-42])
@pytest.mark.parametrize("semiring", ["min-plus", "max-min", "min-max"])
def test_verify_fails_what_f32_cannot_hold(run, tmp_path, weight, semiring):
    # As another program, or an earlier version, may have stored it.
    (tmp_path / "small.txt").write_text(f"0 1 {weight}\n1 2 {3 * weight}\n")
    run("solve", "small.txt", "--directed", "-o", "right.npy", "--semiring", semiring)
    values = np.load(tmp_path / "right.npy")
    assert values.dtype == np.float64
    np.save(tmp_path / "cut.npy", values.astype(np.float32))
    words = ("small.txt", "--directed", "--semiring", semiring)
    assert "proof" in run("verify", "right.npy", *words).out
    done = run("verify", "cut.npy", *words, code=1)
    assert "no path attains it" in done.out


def test_a_long_chain_is_exact_to_the_tolerance(run, tmp_path):
    (tmp_path / "chain.txt").write_text("".join(f"{v} {v + 1} 0.1\n" for v in range(3000)))
    words = ("--undirected", "--sources", "0", "--verbose", "-o", "chain.zarr", "--overwrite")
    done = run("solve", "chain.txt", *words)
    assert "paths may have more than 167 edges, over which f32 may err by more than 1e-05" in done.err
    assert float(run("distance", "chain.zarr", "0", "3000").out) == pytest.approx(300, rel=1e-12)
    done = run("solve", "chain.txt", *words, "--tolerance", "1e-3")
    assert "f32 (real weights)" in done.err
    done = run("solve", "chain.txt", *words, "--dtype", "f32")
    assert "6.0e-08 an edge of the path, relative; 1.8e-04 if it led through all" in done.err


def test_a_tolerance_is_a_number_from_zero(run, tmp_path):
    (tmp_path / "small.txt").write_text(SMALL)
    for wrong in ("-1", "nan", "x"):
        done = run("solve", "small.txt", f"--tolerance={wrong}", code=2)
        assert "--tolerance takes a number, at least 0" in done.err


def test_sums_beyond_every_type_say_so(run, tmp_path):
    (tmp_path / "large.txt").write_text("0 1 1e308\n1 2 1.5e308\n")
    done = run("solve", "large.txt", code=5)
    assert "the weights of a path may add up to more than 1.8e+308, too much" in done.err
    run("solve", "large.txt", "--semiring", "min-max", "--verify")


def test_large_integers_that_a_double_holds_are_read(run, tmp_path):
    (tmp_path / "large.txt").write_text("0 1 100000000000000000\n1 2 5\n")
    run("solve", "large.txt", "--directed", "-o", "large.npy", "--dtype", "f64")
    assert np.load(tmp_path / "large.npy")[0, 1] == 1e17
    (tmp_path / "wrong.txt").write_text("0 1 100000000000000001\n")
    run("solve", "wrong.txt", code=3)
