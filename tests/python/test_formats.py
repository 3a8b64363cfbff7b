"""Formats of other programs: files that NetworkX, igraph, SciPy and pandas write give the graph that
these have, and what is not read is refused with a command that converts it."""

import bz2
import gzip
import json
import lzma
import shutil
import subprocess
import sys
import zipfile

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse


def graph_of(run, *words):
    return run("info", *words, "--json").json()["graph"]


def edges_of(run, *words):
    """{(from, to): weight} of a graph's edges, by the names of the vertices, and its direction."""
    run("convert", *words, "converted.gr")
    labels, edges, directed, first = {}, {}, True, 1
    for line in open_text(run, "converted.gr"):
        if line.startswith("c apsp:label "):
            number, name = line[len("c apsp:label "):].rstrip("\n").split(" ", 1)
            labels[number] = name
        elif line.startswith("c apsp:first-id"):
            first = int(line.split()[-1])
        elif line.startswith("c apsp:undirected"):
            directed = False
        elif line.startswith("a "):
            _, *ends, weight = line.split()
            edges[tuple(labels.get(v, str(int(v) - 1 + first)) for v in ends)] = float(weight)
    return edges, directed


def open_text(run, name):
    return (run.folder / name).read_text().splitlines(keepends=True)


@pytest.fixture
def run(run, tmp_path):
    run.folder = tmp_path
    return run


def expected(graph, weight="weight"):
    edges = {}
    for u, v, data in graph.edges(data=True):
        edges[str(u), str(v)] = data.get(weight, 1)
        if not graph.is_directed():
            edges[str(v), str(u)] = data.get(weight, 1)
    return edges, graph.is_directed()


def sample(kind, names):
    graph = kind()
    graph.add_nodes_from(names)
    for i, (u, v) in enumerate(zip(names, names[1:] + names[:1])):
        graph.add_edge(u, v, weight=i + 0.5)
    return graph


GRAPHS = {
    "names": sample(nx.Graph, ["New York", "Rome", "São Paulo", 'a "b" & <c>']),
    "numbers": sample(nx.DiGraph, [5, 2, 9, 1]),
    "from zero": sample(nx.Graph, [2, 0, 1]),
    "from one": sample(nx.DiGraph, [3, 1, 2]),
}


@pytest.mark.parametrize("suffix, write", [
    ("graphml", nx.write_graphml),
    ("gml", nx.write_gml),
    ("json", lambda graph, path: path.write_text(json.dumps(nx.node_link_data(graph)))),
    ("links.json", lambda graph, path: path.write_text(json.dumps(nx.node_link_data(graph, edges="links")))),
])
@pytest.mark.parametrize("name", GRAPHS)
def test_files_of_networkx_are_read(run, tmp_path, name, suffix, write):
    graph = GRAPHS[name]
    write(graph, tmp_path / f"g.{suffix}")
    assert edges_of(run, f"g.{suffix}") == expected(graph)


@pytest.mark.parametrize("name", ["names", "numbers", "from one"])
def test_pajek_of_networkx_is_read(run, tmp_path, name):
    graph = nx.relabel_nodes(GRAPHS[name], str)
    graph = nx.relabel_nodes(graph, {'a "b" & <c>': "a & c"})  # Pajek has no quotation marks in names
    nx.write_pajek(graph, tmp_path / "g.net")
    assert edges_of(run, "g.net") == expected(graph)


@pytest.mark.parametrize("suffix", ["graphml", "gml", "net"])
def test_files_of_igraph_are_read(run, tmp_path, suffix):
    graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)], directed=True)
    graph.vs["name"] = graph.vs["label"] = graph.vs["id"] = ["Rome", "Oslo", "Bern"]
    graph.es["weight"] = [2.5, 3]
    if suffix == "gml":
        del graph.vs["id"]
    graph.save(str(tmp_path / f"g.{suffix}"), format={"net": "pajek"}.get(suffix, suffix))
    edges, directed = edges_of(run, f"g.{suffix}")
    assert directed and edges == {("Rome", "Oslo"): 2.5, ("Oslo", "Bern"): 3}


def test_attributes_choose_the_weight(run, tmp_path):
    graph = nx.Graph()
    graph.add_edge("a", "b", km=3.0, minutes=2, road="x")
    nx.write_graphml(graph, tmp_path / "g.graphml")
    error = run("info", "g.graphml", code=3).err
    assert "--weight km" in error and "--weight minutes" in error and "road" not in error
    assert run("distance", "g.graphml", "a", "b", "--weight", "km").out.split()[-1] == "3"
    assert run("distance", "g.graphml", "a", "b", "--weight", "none").out.split()[-1] == "1"
    run("info", "g.graphml", "--columns", "1,2", code=2)
    run("info", "g.graphml", "--weight", "miles", code=3)


def test_lengths_that_are_texts_are_not_passed_over(run, tmp_path):
    graph = nx.MultiDiGraph()  # as OSMnx saves streets
    graph.add_edge(101, 102, osmid="7", length="12.5", highway="residential", oneway="True")
    graph.add_edge(102, 103, osmid="8", length="3", highway="primary", oneway="True")
    nx.write_graphml(graph, tmp_path / "g.graphml")
    run("info", "g.graphml", code=3)
    assert run("distance", "g.graphml", "101", "103", "--weight", "length").out.split()[-1] == "15.5"
    nx.write_graphml(nx.path_graph(["a", "b"], create_using=nx.Graph), tmp_path / "plain.graphml")
    assert graph_of(run, "plain.graphml")["remarks"] == []


@pytest.mark.parametrize("kind, of, compressed, dtype", [
    ("csr", scipy.sparse.csr_array, True, "f8"), ("csc", scipy.sparse.csr_matrix, False, "f4"),
    ("coo", scipy.sparse.csr_array, False, "i8"), ("bsr", scipy.sparse.csr_matrix, True, "i4"),
    ("csr", scipy.sparse.csr_matrix, False, "u2"), ("bsr", scipy.sparse.csr_array, False, "b1")])
def test_sparse_matrices_of_scipy_are_read(run, tmp_path, kind, of, compressed, dtype):
    dense = np.array([[0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3], [0, 1, 0, 0]]).astype(dtype)
    matrix = of(dense)
    matrix = matrix.tobsr(blocksize=(2, 2)) if kind == "bsr" else matrix.asformat(kind)
    scipy.sparse.save_npz(tmp_path / "m.npz", matrix, compressed=compressed)
    edges, directed = edges_of(run, "m.npz")
    u, v = dense.nonzero()
    assert directed and edges == {(str(i), str(j)): float(dense[i, j]) for i, j in zip(u, v)}
    said = graph_of(run, "m.npz")["remarks"]
    assert said == (["9 zeros in the blocks of the bsr are not edges"] if kind == "bsr" else [])


def test_what_an_npz_cannot_be_is_refused(run, tmp_path):
    scipy.sparse.save_npz(tmp_path / "d.npz", scipy.sparse.dia_array(np.eye(3)))
    run("info", "d.npz", code=3)
    scipy.sparse.save_npz(tmp_path / "r.npz", scipy.sparse.csr_array(np.ones((2, 3))))
    run("info", "r.npz", code=3)
    np.savez(tmp_path / "two.npz", a=np.eye(2), b=np.eye(2))
    run("info", "two.npz", code=3)
    np.savez_compressed(tmp_path / "one.npz", np.array([[0, 2.0], [np.inf, 0]]))
    assert graph_of(run, "one.npz")["arcs"] == 1
    scipy.sparse.save_npz(tmp_path / "nan.npz", scipy.sparse.csr_array(np.array([[0, np.nan], [0, 0]])))
    run("info", "nan.npz", code=3)
    matrix = scipy.sparse.csr_array(np.ones((3, 3)))
    matrix.indices[4] = 9
    scipy.sparse.save_npz(tmp_path / "bad.npz", matrix)
    run("info", "bad.npz", code=3)


def test_pairs_within_a_distance_are_read_back(run, tmp_path):
    (tmp_path / "g.csv").write_text("0,1,2\n1,2,3\n")
    run("solve", "g.csv", "--within", "3", "-o", "near.npz")
    near = scipy.sparse.load_npz(tmp_path / "near.npz")
    assert graph_of(run, "near.npz")["arcs"] == near.nnz


@pytest.mark.parametrize("suffix, pack", [("gz", gzip.compress), ("xz", lzma.compress), ("bz2", bz2.compress)])
def test_archives_are_unpacked(run, tmp_path, suffix, pack):
    text = "".join(f"{i} {(i * 31) % 5000}\n" for i in range(5000))
    (tmp_path / "plain.txt").write_text(text)
    (tmp_path / f"g.txt.{suffix}").write_bytes(pack(text.encode()))
    (tmp_path / "list").write_bytes(pack(b"3\n4\n"))
    assert graph_of(run, f"g.txt.{suffix}")["digest"] == graph_of(run, "plain.txt")["digest"]
    assert run("distance", "plain.txt", "--sources", "@list", "--targets", "@list", "-o", "o.csv").code == 0
    assert run("info", "-", input=pack(text.encode())).code == 0


def test_zip_archives_are_unpacked(run, tmp_path):
    with zipfile.ZipFile(tmp_path / "g.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/g.csv", "a,b,3\nb,c,4\n")
        archive.writestr("__MACOSX/folder/._g.csv", "a,b,1\n")  # what macOS knows of it
    assert graph_of(run, "g.zip")["vertices"] == 3
    with zipfile.ZipFile(tmp_path / "g.zip", "a") as archive:
        archive.writestr("read me.txt", "words")
    run("info", "g.zip", code=3)


def test_archives_of_other_kinds_are_not_written(run, tmp_path):
    (tmp_path / "g.csv").write_text("a,b,3\n")
    for name in ("o.csv.xz", "o.gr.bz2", "o.gr.zip"):
        run("convert", "g.csv", name, code=2)
        assert not (tmp_path / name).exists()


TABLE = pd.DataFrame({"source": ["New York", "Rome", None], "target": ["Rome", 'say "O"', "Rome"],
                      "weight": [2.5, 3.0, 1.0]}).head(2)


@pytest.mark.parametrize("options", [
    {}, {"compression": None}, {"compression": "gzip"}, {"compression": "zstd"},
    {"use_dictionary": False}, {"data_page_version": "2.0"}, {"row_group_size": 1},
    {"compression": None, "data_page_version": "2.0", "use_dictionary": False}])
def test_tables_of_pandas_in_parquet_are_read(run, tmp_path, options):
    TABLE.to_parquet(tmp_path / "g.parquet", index=False, **options)
    edges, directed = edges_of(run, "g.parquet")
    assert not directed
    assert edges == {("New York", "Rome"): 2.5, ("Rome", "New York"): 2.5,
                     ("Rome", 'say "O"'): 3, ('say "O"', "Rome"): 3}


@pytest.mark.parametrize("kind", ["i1", "i4", "i8", "u4", "u8", "f8", "Int64"])
def test_numbers_in_parquet_are_read(run, tmp_path, kind):
    n = 3000
    table = pd.DataFrame({"source": np.arange(n) % 100, "target": np.arange(n) % 97 + 1,
                          "weight": (np.arange(n) * 7919 % 127)}).astype({"source": kind, "weight": kind.lower()})
    table.to_parquet(tmp_path / "g.parquet", index=False)
    table.astype("i8").to_csv(tmp_path / "g.csv", index=False)
    assert graph_of(run, "g.parquet")["digest"] == graph_of(run, "g.csv")["digest"]


def test_an_end_that_is_missing_in_parquet_is_no_vertex(run, tmp_path):
    pd.DataFrame({"source": ["a", None], "target": ["b", "c"]}).to_parquet(tmp_path / "g.parquet", index=False)
    assert run("info", "g.parquet", code=3).err


def test_large_floats_in_parquet_name_no_vertex_of_a_list(run, tmp_path):
    (tmp_path / "g.csv").write_text("16777216,16777218\n16777218,16777220\n")
    pairs = pd.DataFrame({"source": [16777216.0], "target": [16777218.0]})
    pairs.to_parquet(tmp_path / "exact.parquet", index=False)
    pairs.astype("f4").to_parquet(tmp_path / "rounded.parquet", index=False)
    assert run("distance", "g.csv", "--pairs", "exact.parquet", "--json").json()
    assert "float so large" in run("distance", "g.csv", "--pairs", "rounded.parquet", code=3).err


def test_durations_in_parquet_are_no_weights(run, tmp_path):
    table = pd.DataFrame({"source": [1, 2], "target": [2, 3], "weight": pd.to_timedelta([5, 7], unit="min")})
    table.to_parquet(tmp_path / "g.parquet", index=False)
    assert "duration" in run("info", "g.parquet", code=3).err
    table["length"] = [2.5, 1.5]
    table.to_parquet(tmp_path / "g.parquet", index=False)
    edges, _ = edges_of(run, "g.parquet", "--columns", "1,2,4")
    assert edges[("1", "2")] == 2.5 and edges[("2", "3")] == 1.5


def test_lists_in_parquet_are_read(run, tmp_path):
    (tmp_path / "g.csv").write_text("10,20,3\n20,30,4\n")
    pd.DataFrame({"from": [10, 30], "to": [30, 20]}).to_parquet(tmp_path / "pairs.parquet", index=False)
    run("distance", "g.csv", "--pairs", "pairs.parquet", "-o", "d.csv")
    assert pd.read_csv(tmp_path / "d.csv").values.tolist() == [[10, 30, 7], [30, 20, 4]]
    run("distance", "g.csv", "--pairs", "pairs.parquet", "-o", "d.parquet")
    run("distance", "g.csv", "--pairs", "d.parquet", "-o", "again.csv")
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "d.csv").read_text()


def test_a_table_of_distances_is_a_graph(run, tmp_path):
    (tmp_path / "g.csv").write_text("a,b,3\nb,c,4\n")
    run("distance", "g.csv", "--sources", "a", "--targets", "b,c", "-o", "d.parquet")
    assert edges_of(run, "d.parquet", "--directed")[0] == {("a", "b"): 3, ("a", "c"): 7}


def test_parquet_that_is_not_read_names_a_command(run, tmp_path):
    TABLE.to_parquet(tmp_path / "g.parquet", index=False, compression="brotli")
    error = run("info", "g.parquet", code=3).err
    command = error.split("To convert it: ")[1].strip()
    subprocess.run(["/bin/sh", "-c", command.replace("python3", sys.executable, 1)], cwd=tmp_path, check=True)
    assert graph_of(run, "g.parquet.csv")["edges"] == 2


def test_a_parquet_file_may_claim_anything(run, tmp_path):
    TABLE.to_parquet(tmp_path / "g.parquet", index=False)
    whole = (tmp_path / "g.parquet").read_bytes()
    draw = np.random.default_rng(1)
    for _ in range(20):
        damaged = bytearray(whole)
        damaged[draw.integers(4, len(whole) - 4)] = draw.integers(256)
        (tmp_path / "g.parquet").write_bytes(damaged)
        assert run("info", "g.parquet", code=None).code in (0, 2, 3)


@pytest.mark.parametrize("ids, kind", [([5, 7, 9], "int64"), (["5", "x", "9"], "str"), ([0, 1, 2], "int64"),
                                       (["05", "7", "9"], "str")])
def test_ids_keep_their_type(run, tmp_path, ids, kind):
    a, b, c = ids
    (tmp_path / "g.csv").write_text(f"{a},{b},3\n{b},{c},4\n")
    (tmp_path / "at.csv").write_text(f"{a},1,2\n{b},1,3\n{c},1,4\n")
    run("distance", "g.csv", "--sources", str(a), "--targets", f"{b},{c}", "-o", "d.parquet")
    table = pd.read_parquet(tmp_path / "d.parquet")
    values = [int(i) for i in ids] if kind == "int64" else ids
    assert (table["from"].dtype == "int64") == (table["to"].dtype == "int64") == (kind == "int64")
    assert table[["from", "to"]].values.tolist() == [[values[0], values[1]], [values[0], values[2]]]
    run("distance", "g.csv", "--sources", str(a), "--targets", f"{b},{c}", "-o", "w.parquet", "--layout", "wide")
    assert pd.read_parquet(tmp_path / "w.parquet").columns.tolist() == ["from", str(b), str(c)]
    run("path", "g.csv", a, c, "-o", "p.geojson", "--positions", "at.csv")
    (feature,) = json.loads((tmp_path / "p.geojson").read_text())["features"]
    assert (feature["properties"]["from"], feature["properties"]["to"]) == (values[0], values[2])
    run("nearest", "g.csv", "--to", str(c), "-o", "n.geojson", "--positions", "at.csv")
    found = json.loads((tmp_path / "n.geojson").read_text())["features"]
    assert [f["properties"]["vertex"] for f in found] == values


@pytest.mark.parametrize("name", ["w.parquet", "w.csv"])
def test_a_vertex_called_from_has_a_column_of_its_own(run, tmp_path, name):
    (tmp_path / "g.csv").write_text('"from",to,3\nto,x,4\n')
    run("distance", "g.csv", "--sources", "x", "--targets", "to,from", "-o", name, "--layout", "wide")
    table = pd.read_parquet(tmp_path / name) if name.endswith("parquet") else pd.read_csv(tmp_path / name)
    assert table.columns.tolist() == ["from_", "to", "from"]
    assert table.values.tolist() == [["x", 4, 7]]


def test_two_columns_of_one_title_are_refused(run, tmp_path):
    (tmp_path / "g.csv").write_text("a,b,3\n")
    (tmp_path / "jobs.csv").write_text("vertex,jobs,jobs\na,1,2\n")
    run("access", "g.csv", "--weights", "jobs.csv", "--within", "5", "-o", "o.csv", code=2)


PLAIN = sample(nx.Graph, ["a", "b", "c"])
for _, _, data in PLAIN.edges(data=True):
    data["weight"] *= 2


def write_pickle(path):
    import pickle

    path.write_bytes(pickle.dumps(PLAIN))


@pytest.mark.parametrize("name, write, needs", [
    ("GEXF", lambda path: nx.write_gexf(PLAIN, path), None),
    ("pickle", write_pickle, None),
    ("graph6", lambda path: nx.write_graph6(nx.convert_node_labels_to_integers(PLAIN), path), None),
    ("sparse6", lambda path: nx.write_sparse6(nx.convert_node_labels_to_integers(PLAIN), path), None),
    ("adjacency list", lambda path: nx.write_adjlist(PLAIN, path), None),
    ("edge list of NetworkX with attributes", lambda path: nx.write_edgelist(PLAIN, path), None),
    ("multiline adjacency list", lambda path: nx.write_multiline_adjlist(PLAIN, path), None),
    ("Feather", lambda path: nx.to_pandas_edgelist(PLAIN).to_feather(path), "pyarrow"),
    ("ORC", lambda path: nx.to_pandas_edgelist(PLAIN).to_orc(path), "pyarrow"),
    ("Excel", lambda path: nx.to_pandas_edgelist(PLAIN).to_excel(path, index=False), "openpyxl"),
    ("HDF5", lambda path: nx.to_pandas_edgelist(PLAIN).to_hdf(path, key="edges"), "tables"),
    ("JSON Lines", lambda path: nx.to_pandas_edgelist(PLAIN).to_json(path, orient="records", lines=True), None),
    ("JSON list of records", lambda path: nx.to_pandas_edgelist(PLAIN).to_json(path, orient="records"), None),
    ("adjacency JSON", lambda path: path.write_text(json.dumps(nx.adjacency_data(PLAIN))), None),
    ("Cytoscape's JSON", lambda path: path.write_text(json.dumps(nx.cytoscape_data(PLAIN))), None),
    ("UCINET's DL", lambda path: path.write_text("DL n=3\nformat = edgelist1\nlabels embedded\ndata:\n" + "".join(
        f"{u} {v} {data['weight']}\n" for u, v, data in PLAIN.edges(data=True))), "igraph"),
    ("DOT", lambda path: nx.nx_pydot.write_dot(PLAIN, path), "pydot"),
])
def test_what_is_not_read_is_refused_with_a_command_that_works(run, tmp_path, name, write, needs):
    if needs:
        pytest.importorskip(needs)
    path = tmp_path / ("x.xlsx" if name == "Excel" else "x.h5" if name == "HDF5" else "x")
    write(path)
    error = run("info", path.name, code=3).err
    assert f"{name}" in error and " is not read. To convert it: " in error
    command = error.split("To convert it: ")[1].strip()
    assert command.startswith("python3 -c ")
    subprocess.run(["/bin/sh", "-c", command.replace("python3", sys.executable, 1)], cwd=tmp_path, check=True)
    graph = graph_of(run, next(p.name for p in tmp_path.iterdir() if p.name.startswith(path.name + ".")))
    assert (graph["vertices"], graph["edges"]) == (3, 3)


def both_ways(edges):
    return {**edges, **{ends[::-1]: weight for ends, weight in edges.items()}}, False


LEDA = "LEDA.GRAPH\nstring\ndouble\n{}\n2\n|{{a}}|\n|{{b}}|\n1\n1 2 0 |{{3.5}}|\n"
JGF = '{{"graph": {{{} "edges": [{{"source": "a", "target": "b", "metadata": {{"weight": 3.5}}}}]}}}}'
STEIN = "33D32945 STP File\nSECTION Graph\nNodes 3\nEdges 2\n{0} 1 2 5\n{0} 2 3 6.5\nEND\n"


@pytest.mark.parametrize("name, text, converted, needs", [
    ("x", LEDA.format(-1), ({("1", "2"): 3.5}, True), "awk"),
    ("x", LEDA.format(-2), both_ways({("1", "2"): 3.5}), "awk"),
    ("x", JGF.format(""), ({("a", "b"): 3.5}, True), "jq"),
    ("x", JGF.format('"directed": false,'), both_ways({("a", "b"): 3.5}), "jq"),
    ("x", '{"graph": {"directed": false, "edges": [{"source": "a", "target": "b", "metadata": {}}, {"source": "b", '
          '"target": "c", "directed": true, "metadata": {"weight": 0}}]}}',
     ({("a", "b"): 1, ("b", "a"): 1, ("b", "c"): 0}, True), "jq"),
    ("x", "SECTION Graph\n\tE 1 2 5\n  E\t2\t3\t6.5\nEND\n", both_ways({("1", "2"): 5, ("2", "3"): 6.5}), "awk"),
    ("x", STEIN.format("A"), ({("1", "2"): 5, ("2", "3"): 6.5}, True), "awk"),
    ("x", STEIN.format("E"), both_ways({("1", "2"): 5, ("2", "3"): 6.5}), "awk"),
    ("x.sif", "A B\tpp\tC\tD\n", both_ways({("A B", "C"): 1, ("A B", "D"): 1}), "awk"),
    ("x.sif", "A pp C D\n", both_ways({("A", "C"): 1, ("A", "D"): 1}), "awk"),
    ("x", "p edge 3 2\ne 1 2 5\ne 2 3 6\n", both_ways({("1", "2"): 5, ("2", "3"): 6}), "awk"),
    ("x", "p edge 3 2\ne 1 2\ne 2 3\n", both_ways({("1", "2"): 1, ("2", "3"): 1}), "awk"),
    ("x", '{"from": "007", "to": "b", "travel_time": 40000000}\n{"from": "08", "to": "c", "travel_time": 5}\n',
     both_ways({("007", "b"): 4e7, ("08", "c"): 5}), "python3"),
    ("x", '[{"from": "1e5", "to": "b", "date": 40000000}]', both_ways({("1e5", "b"): 4e7}), "python3"),
    ("x", '[{"from": "1e5", "to": "b", "w": 0.1234567890123456789}]', both_ways({("1e5", "b"): 0.12345678901234568}),
     "python3"),
    ("x.lgl", "# a\nb 3\n# b\nc 4\n", both_ways({("a", "b"): 3, ("b", "c"): 4}), "python3"),
    ("x", "a b {'weight': 3}\nb a {'weight': 3}\n", both_ways({("a", "b"): 3}), "python3"),
])
def test_a_command_that_converts_keeps_names_weights_and_directions(run, tmp_path, name, text, converted, needs):
    if shutil.which(needs) is None:
        pytest.skip(f"no {needs}")
    (tmp_path / name).write_text(text)
    command = run("info", name, code=3).err.split("To convert it: ")[1].strip().replace("python3", sys.executable, 1)
    subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, check=True)
    made = next(path.name for path in tmp_path.iterdir() if path.name.startswith(name + "."))
    assert edges_of(run, made) == converted


@pytest.mark.parametrize("options, edges", [("", 2), ("Di", 2)])
def test_edges_of_networkx_in_both_directions_stay_two(run, tmp_path, options, edges):
    (tmp_path / "x").write_text("a b {'weight': 5}\nb a {'weight': 3}\n")
    command = run("info", "x", code=3).err.split("To convert it: ")[1].replace("python3", sys.executable, 1)
    assert "nx.MultiDiGraph" in command
    subprocess.run(["/bin/sh", "-c", command.replace("nx.MultiGraph", f"nx.Multi{options}Graph", 1)], cwd=tmp_path,
                   check=True)
    graph = graph_of(run, "x.graphml")
    assert (graph["edges"], graph["directed"]) == (edges, bool(options))


@pytest.mark.parametrize("words", [
    ("solve", "g.csv", "-o", "o.zarr"),
    ("solve", "g.csv", "-o", "o.zarr", "--keep", "factor"),
    ("distance", "g.csv", "--sources", "A", "--targets", "B", "-o", "o.parquet"),
    ("path", "g.csv", "A", "B", "-o", "o.geojson", "--positions", "at.csv"),
])
def test_names_that_are_not_utf8_are_refused_where_texts_are(run, tmp_path, words):
    (tmp_path / "g.csv").write_bytes("A,B,3\nB,Zürich,4\n".encode("cp1252"))
    (tmp_path / "at.csv").write_bytes("A,1,2\nB,2,3\nZürich,8,47\n".encode("cp1252"))
    outcome = run(*words, code=None)
    assert outcome.code in (2, 3) and "--encoding" in outcome.err
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("o.")]
