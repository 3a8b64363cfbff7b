"""Formats of other programs: files that NetworkX, igraph, SciPy and pandas write give the graph that
these have, and what is not read is refused with a command that converts it."""

import bz2
import gzip
import json
import lzma
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
    labels, edges, directed = {}, {}, True
    for line in open_text(run, "converted.gr"):
        if line.startswith("c apsp:label "):
            number, name = line[len("c apsp:label "):].rstrip("\n").split(" ", 1)
            labels[number] = name
        elif line.startswith("c apsp:first-id 0"):
            labels = None
        elif line.startswith("c apsp:undirected"):
            directed = False
        elif line.startswith("a "):
            _, u, v, w = line.split()
            name = (lambda i: str(int(i) - 1)) if labels is None else lambda i: labels.get(i, i)
            edges[name(u), name(v)] = float(w)
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
    assert "--weight" in run("info", "g.graphml", "--columns", "1,2", code=2).err or True
    assert "km, minutes, road" in run("info", "g.graphml", "--weight", "miles", code=3).err


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr"])
@pytest.mark.parametrize("of", [scipy.sparse.csr_array, scipy.sparse.csr_matrix])
@pytest.mark.parametrize("compressed", [True, False])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u2", "b1"])
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
    assert "tocsr()" in run("info", "d.npz", code=3).err
    scipy.sparse.save_npz(tmp_path / "r.npz", scipy.sparse.csr_array(np.ones((2, 3))))
    assert "not square" in run("info", "r.npz", code=3).err
    np.savez(tmp_path / "two.npz", a=np.eye(2), b=np.eye(2))
    assert "a.npy, b.npy" in run("info", "two.npz", code=3).err
    np.savez_compressed(tmp_path / "one.npz", np.array([[0, 2.0], [np.inf, 0]]))
    assert graph_of(run, "one.npz")["arcs"] == 1
    scipy.sparse.save_npz(tmp_path / "nan.npz", scipy.sparse.csr_array(np.array([[0, np.nan], [0, 0]])))
    assert "nan" in run("info", "nan.npz", code=3).err
    matrix = scipy.sparse.csr_array(np.ones((3, 3)))
    matrix.indices[4] = 9
    scipy.sparse.save_npz(tmp_path / "bad.npz", matrix)
    assert "outside of 0 to 2" in run("info", "bad.npz", code=3).err


def test_pairs_within_a_distance_are_read_back(run, tmp_path):
    (tmp_path / "g.csv").write_text("0,1,2\n1,2,3\n")
    run("solve", "g.csv", "--within", "3", "-o", "near.npz")
    near = scipy.sparse.load_npz(tmp_path / "near.npz")
    assert graph_of(run, "near.npz")["arcs"] == near.nnz


@pytest.mark.parametrize("suffix, pack", [
    ("gz", gzip.compress), ("xz", lzma.compress), ("bz2", bz2.compress)])
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
    assert graph_of(run, "g.zip")["vertices"] == 3
    with zipfile.ZipFile(tmp_path / "g.zip", "a") as archive:
        archive.writestr("read me.txt", "words")
    assert "folder/g.csv, read me.txt" in run("info", "g.zip", code=3).err


def test_archives_of_other_kinds_are_not_written(run, tmp_path):
    (tmp_path / "g.csv").write_text("a,b,3\n")
    for name in ("o.csv.xz", "o.gr.bz2", "o.gr.zip"):
        assert ".gz" in run("convert", "g.csv", name, code=2).err
        assert not (tmp_path / name).exists()


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
    ("adjacency lists", lambda path: nx.write_adjlist(PLAIN, path), None),
    ("Feather", lambda path: nx.to_pandas_edgelist(PLAIN).to_feather(path), "pyarrow"),
    ("ORC", lambda path: nx.to_pandas_edgelist(PLAIN).to_orc(path), "pyarrow"),
    ("Excel", lambda path: nx.to_pandas_edgelist(PLAIN).to_excel(path, index=False), "openpyxl"),
    ("HDF5", lambda path: nx.to_pandas_edgelist(PLAIN).to_hdf(path, key="edges"), "tables"),
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
