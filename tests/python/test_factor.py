"""apsp solve --keep factor: the file holds a factor, and every verb answers from it alike."""

import json

import numpy
import pytest


@pytest.fixture
def streets(tmp_path):
    """A grid of streets, weight 2 along, 3 across, and a crossing of its own."""
    side, lines = 40, []
    for row in range(side):
        for col in range(side):
            here = row * side + col
            if col + 1 < side:
                lines.append(f"c{here} c{here + 1} 2")
            if row + 1 < side:
                lines.append(f"c{here} c{here + side} 3")
    (tmp_path / "streets.txt").write_text("\n".join(lines) + "\nalone alone 1\n")
    return "streets.txt"


@pytest.fixture
def kept(run, streets):
    done = run("solve", streets, "--undirected", "-o", "factor.zarr", "--keep", "factor", "--verify")
    assert "factor stored" in done.err and "passed" in done.out
    run("solve", streets, "--undirected", "-o", "matrix.zarr")
    return "factor.zarr", "matrix.zarr"


def size(folder):
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


def test_every_verb_answers_as_from_the_matrix(run, kept, tmp_path):
    factor, matrix = kept
    assert size(tmp_path / factor) < size(tmp_path / matrix) / 5
    ask = {"distance": ["c0", "c1599"], "path": ["c3", "c990", "--names"], "stats": [], "verify": []}
    for verb, words in ask.items():
        assert run(verb, factor, *words).out == run(verb, matrix, *words).out, verb
    pairs = "c0 c7\nc0 alone\nc1000 c1\n"
    assert (run("distance", factor, "--pairs", "-", input=pairs).out
            == run("distance", matrix, "--pairs", "-", input=pairs).out)
    assert run("distance", factor, "c0", "alone", code=1).out == "inf\n"
    for suffix in (".npy", ".zarr", ".csv"):
        for result in kept:
            run("convert", result, result.replace(".zarr", "-again" + suffix))
    assert (tmp_path / "factor-again.csv").read_text() == (tmp_path / "matrix-again.csv").read_text()
    assert numpy.array_equal(numpy.load(tmp_path / "factor-again.npy"), numpy.load(tmp_path / "matrix-again.npy"))
    document = json.loads((tmp_path / "factor-again.zarr/zarr.json").read_text())
    assert document["attributes"]["apsp"]["planes"] == ["distance"]


def test_zarr_python_reads_its_arrays(kept, tmp_path):
    zarr = pytest.importorskip("zarr", minversion="3")
    group = zarr.open_group(tmp_path / kept[0], mode="r")
    facts = group.attrs["apsp"]
    assert facts["format_version"] == 2 and facts["planes"] == []
    names = [array["name"] for array in facts["arrays"]]
    assert names == [f"factor/{part}" for part in ("order", "width", "structure_size", "upper", "closed", "up")]
    for array in facts["arrays"]:
        assert group[array["name"]].shape == (array["length"],)
    assert sorted(group["factor/order"][:]) == list(range(1601))
    width, count = group["factor/width"][:].astype(int), group["factor/structure_size"][:]
    assert width.sum() == 1601 and count.sum() == len(group["factor/upper"][:])
    assert len(group["factor/closed"][:]) == (width**2).sum()
    assert len(group["factor/up"][:]) == (width * count).sum()


def test_the_plan_says_what_is_stored(run, streets):
    done = run("solve", streets, "-o", "a.zarr", "--keep", "factor", "--json")
    assert done.json()["plan"]["stored"] == "factor"
    assert run("solve", streets, "-o", "b.zarr", "--json").json()["plan"]["stored"] == "matrix"
    assert "the factor, " in run("solve", streets, "-o", "a.zarr", "--keep", "factor", "--verbose").err
    assert "all distances, " in run("solve", streets, "-o", "b.zarr", "--keep", "auto", "--verbose").err


@pytest.mark.parametrize("words", [
    ["--keep", "factor"], ["--keep", "matrix"], ["--keep", "factor", "-o", "a.npy"], ["--keep", "statistics", "-o", "a.zarr"],
    ["--keep", "factor", "-o", "a.zarr", "--predecessors"], ["--keep", "factor", "-o", "a.zarr", "--via"],
    ["--keep", "factor", "-o", "a.zarr", "--algorithm", "bfs"], ["--keep", "fctor"]])
def test_what_cannot_be_is_refused(run, streets, tmp_path, words):
    run("solve", streets, *words, code=2)
    assert [p.name for p in tmp_path.iterdir()] == [streets]


def test_statistics_alone_need_no_file(run, streets):
    assert (run("solve", streets, "--keep", "statistics").out == run("solve", streets).out)


def test_a_damaged_factor_is_refused_by_every_verb(run, kept, tmp_path):
    chunk = tmp_path / kept[0] / "factor/up/c/0"
    chunk.write_bytes(chunk.read_bytes()[:-9] + b"somewhere")
    for words in (["distance", "c0", "c1"], ["stats"], ["verify"], ["path", "c0", "c1"]):
        done = run(words[0], kept[0], *words[1:], code=3)
        assert "factor/up/c/0: checksum does not match" in done.err


def test_statistics_may_wait(run, streets, kept):
    factor, _ = kept
    done = run("solve", streets, "--undirected", "-o", "bare.zarr", "--keep", "factor", "--no-statistics", "--json")
    answer = json.loads(done.out)
    assert "statistics" not in answer and answer["plan"]["stored"] == "factor"
    assert run("stats", "bare.zarr").out == run("stats", factor).out
    run("solve", streets, "--no-statistics", code=2)
