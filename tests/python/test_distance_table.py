"""apsp distance --sources --targets: tables as CSV, Parquet and arrays; second weights; what is refused."""

import math

import numpy
import pandas
import pyarrow.parquet
import pytest

KILOMETRES = """# from to minutes kilometres
Aachen,Bonn,30,90
Bonn,Cologne,20,30
Aachen,Cologne,60,70
Cologne,Dortmund,70,95
Bonn,Dortmund,100,120
Emden,Emden,5,1
"""
FIRST = ("--undirected", "--columns", "1,2,3")
LIST = ("--sources", "Dortmund,Aachen", "--targets", "Bonn,Emden,Dortmund")
EXPECTED = [("Dortmund", "Bonn", 90), ("Dortmund", "Emden", math.inf), ("Dortmund", "Dortmund", 0),
            ("Aachen", "Bonn", 30), ("Aachen", "Emden", math.inf), ("Aachen", "Dortmund", 120)]


@pytest.fixture
def railway(tmp_path, monkeypatch):
    """The railway with lengths in a fourth column."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "railway.csv").write_text(KILOMETRES)
    return "railway.csv"


def test_a_table_of_a_graph_and_of_results(run, cities, tmp_path):
    lines = "from,to,distance\n" + "".join(f"{a},{b},{d:g}\n" for a, b, d in EXPECTED)
    assert run("distance", cities, "--undirected", *LIST).out == lines
    for keep in ("matrix", "factor"):
        run("solve", cities, "--undirected", "-o", f"{keep}.zarr", "--keep", keep, "--quiet")
        assert run("distance", f"{keep}.zarr", *LIST).out == lines
    (tmp_path / "from.txt").write_text("Dortmund\nAachen\n")
    assert run("distance", "factor.zarr", "--sources", "@from.txt", *LIST[2:]).out == lines


def test_a_table_has_all_vertices_where_none_are_named(run, solved):
    lines = run("distance", solved, "--targets", "Bonn").out.splitlines()
    assert lines[1:] == ["Aachen,Bonn,30", "Bonn,Bonn,0", "Cologne,Bonn,20", "Dortmund,Bonn,90", "Emden,Bonn,inf"]


def test_a_table_is_parquet(run, solved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = run("distance", solved, *LIST, "-o", "t.parquet", "--json").json()
    assert (answer["sources"], answer["targets"], answer["output"]) == (2, 3, "t.parquet")
    table = pandas.read_parquet("t.parquet")
    assert list(table.columns) == ["from", "to", "distance"]
    assert [tuple(row) for row in table.itertuples(index=False)] == EXPECTED
    run("distance", solved, *LIST, "-o", "w.parquet", "--layout", "wide")
    wide = pyarrow.parquet.read_table("w.parquet").to_pydict()
    assert wide == {"from": ["Dortmund", "Aachen"], "Bonn": [90, 30], "Emden": [math.inf] * 2, "Dortmund": [0, 120]}


def test_a_table_is_an_array(run, railway):
    run("distance", railway, *FIRST, *LIST, "-o", "t.npy")
    table = numpy.load("t.npy")
    assert table.dtype == numpy.float32
    assert table.tolist() == [[90, math.inf, 0], [30, math.inf, 120]]
    words = ("--second", railway, "--second-columns", "1,2,4")
    run("distance", railway, *FIRST, *LIST, "-o", "two.npy", *words)
    both = numpy.load("two.npy")
    assert both.shape == (2, 3, 2) and both.dtype == numpy.float64
    assert both[..., 0].tolist() == table.tolist()
    assert both[1, 2].tolist() == [120, 90 + 30 + 95]


def test_second_weights_measure_the_shortest_path(run, railway):
    words = ("--second", railway, "--second-columns", "1,2,4")
    run("solve", railway, *FIRST, "-o", "r.zarr", "--keep", "factor", "--quiet")
    for source in ((railway, *FIRST), ("r.zarr",)):
        lines = run("distance", *source, "--sources", "Aachen", *words).out.splitlines()
        assert lines == ["from,to,distance,second", "Aachen,Aachen,0,0", "Aachen,Bonn,30,90",
                         "Aachen,Cologne,50,120", "Aachen,Dortmund,120,215", "Aachen,Emden,inf,inf"]


def test_many_rows_have_several_groups_and_compress(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("generate", "roads", "roads.gr", "--vertices", 2500, "--undirected", "--quiet")
    words = ("--sources", "random:1500", "--targets", "random:1200", "--seed", 3)
    run("distance", "roads.gr", *words, "-o", "t.parquet")
    run("distance", "roads.gr", *words, "-o", "t.npy")
    run("distance", "roads.gr", *words, "-o", "t.csv.gz")
    file = pyarrow.parquet.ParquetFile("t.parquet")
    assert file.metadata.num_rows == 1500 * 1200 and file.metadata.num_row_groups > 1
    table = file.read()
    matrix = numpy.load("t.npy")
    assert (table["distance"].to_numpy().reshape(1500, 1200) == matrix).all()
    assert (table["to"].to_numpy().reshape(1500, 1200) == table["to"].to_numpy()[:1200]).all()
    pairs = numpy.stack([table["from"].to_numpy(), table["to"].to_numpy()], axis=1)[::997]
    numpy.save("pairs.npy", pairs)
    run("distance", "roads.gr", "--pairs", "pairs.npy", "-o", "some.npy")
    assert (numpy.load("some.npy") == table["distance"].to_numpy()[::997]).all()
    assert pandas.read_csv("t.csv.gz").astype({"distance": float}).equals(table.to_pandas())


def test_pairs_go_to_parquet(run, solved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("distance", solved, "--pairs", "-", "-o", "p.parquet", input="Dortmund Aachen\nAachen Emden\n")
    assert pandas.read_parquet("p.parquet").values.tolist() == [
        ["Dortmund", "Aachen", 120], ["Aachen", "Emden", math.inf]]


def test_memory_of_a_table_is_flat(run, tmp_path):
    run("generate", "path", "street.gr", "--vertices", 30000, "--undirected", "--quiet")
    words = ("--sources", "random:3000", "--targets", "random:25000", "--memory", "400MiB", "--json")
    answer = run("distance", "street.gr", *words, "-o", "t.npy").json()
    assert (tmp_path / "t.npy").stat().st_size > 3000 * 25000 * 4
    assert answer["plan"]["bytes"] < 400 << 20


@pytest.mark.parametrize("words, message", [
    (("--layout", "wide"), "is for a table"),
    (("--second", "x.csv"), "is for a table"),
    ((*LIST, "--pairs", "p.txt"), "exclude each other"),
    (("Aachen", "Bonn", *LIST), "exclude each other"),
    ((*LIST, "-o", "t.txt"), "not a table"),
    ((*LIST, "-o", "t.npy", "--layout", "long"), "wide"),
    ((*LIST, "--second-columns", "1,2,4"), "--second"),
    ((*LIST, "--json"), "-o"),
    (("--sources", "Rome"), "unknown vertex 'Rome'"),
    (("--sources", "Bonn,Bonn"), "twice"),
])
def test_a_table_says_what_it_needs(run, solved, tmp_path, words, message):
    assert message in run("distance", solved, *words, code=2).err
    assert not list(tmp_path.glob("t.*"))


def test_second_weights_are_of_the_same_vertices_and_arcs(run, railway, tmp_path):
    (tmp_path / "others.csv").write_text("Aachen,Bonn,1\n")
    others = ("--second", "others.csv", "--second-columns", "1,2,3")
    run("distance", railway, *FIRST, *LIST, *others, code=2)
    lacking = "".join(line for line in KILOMETRES.splitlines(True) if "Bonn,Cologne" not in line)
    (tmp_path / "lacking.csv").write_text(lacking)
    done = run("distance", railway, *FIRST, "--sources", "Aachen", "--second", "lacking.csv",
               "--second-columns", "1,2,4", code=3)
    assert "no arc from Bonn to Cologne" in done.err
    run("distance", railway, *FIRST, *LIST, "--second", "missing.csv", code=6)
    run("distance", railway, *FIRST, *LIST, "-o", "lacking.csv", "--second", "lacking.csv", code=2)
