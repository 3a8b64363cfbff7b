"""The real graphs of tests/data: solve, verify, and compare every entry with SciPy and NetworkX.

The graphs are read here by SciPy, NumPy or a few lines of Python, never by apsp.
"""

import csv
import gzip
import io
import os
import pathlib
import subprocess

import networkx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
import zarr
from scipy.sparse.csgraph import connected_components, shortest_path

from conftest import environment

APSP = os.environ.get("APSP_BIN")
DATA = pathlib.Path(__file__).resolve().parents[1] / "data"

pytestmark = pytest.mark.skipif(not APSP, reason="APSP_BIN names no apsp")


def text_of(name):
    path = DATA / name
    if name.endswith(".gz"):
        return gzip.decompress(path.read_bytes()).decode()
    if name.endswith(".zst"):  # numcodecs comes with zarr
        from numcodecs import Zstd

        return bytes(Zstd().decode(path.read_bytes())).decode()
    return path.read_text()


def without_comments(text, signs):
    return [line for line in text.splitlines() if line.strip() and line[0] not in signs]


class Arcs:
    """names: of the vertices, in order; arcs: (tail, head, weight) by number."""

    def __init__(self, names, arcs):
        self.names, self.arcs = list(names), [(u, v, w) for u, v, w in arcs if u != v]

    def best(self):
        least = {}
        for u, v, w in self.arcs:
            least[u, v] = min(w, least.get((u, v), np.inf))
        return least

    def sparse(self):
        tails, heads = zip(*self.best())
        n = len(self.names)
        return scipy.sparse.csr_matrix((list(self.best().values()), (tails, heads)), shape=(n, n))

    def networkx(self):
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(len(self.names)))
        graph.add_weighted_edges_from((u, v, w) for (u, v), w in self.best().items())
        return graph


def both_ways(edges):
    return [arc for u, v, w in edges for arc in ((u, v, w), (v, u, w))]


def matrix_market(name):
    matrix = scipy.io.mmread(DATA / name).tocoo()
    return Arcs(range(1, matrix.shape[0] + 1), zip(matrix.row, matrix.col, matrix.data))


def dimacs(name):
    lines = [line.split() for line in text_of(name).splitlines()]
    n = next(int(words[2]) for words in lines if words[0] == "p")
    return Arcs(range(1, n + 1),
                [(int(u) - 1, int(v) - 1, int(w)) for a, u, v, w in
                 (words for words in lines if words[0] == "a")])


def metis(name):
    header, *rows = [line.split() for line in text_of(name).splitlines() if line[:1] != "%"]
    n, form = int(header[0]), (header[2] if len(header) > 2 else "0").zfill(3)
    skipped = (int(header[3]) if len(header) > 3 else 1) if form[1] == "1" else 0
    step = 2 if form[2] == "1" else 1
    arcs = []
    for u, row in enumerate(rows[:n]):
        numbers = [int(word) for word in row[skipped:]]
        arcs += [(u, v - 1, numbers[i * step + 1] if step == 2 else 1) for i, v in enumerate(numbers[::step])]
    return Arcs(range(1, n + 1), arcs)


def edge_list(name, directed, separator=" ", header=False):
    lines = without_comments(text_of(name), "#")[header:]
    rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=separator))
    names = sorted({word for row in rows for word in row[:2]})
    number = {name: i for i, name in enumerate(names)}
    edges = [(number[row[0]], number[row[1]], float(row[2]) if len(row) > 2 else 1) for row in rows]
    return Arcs(names, edges if directed else both_ways(edges))


def dense(name):
    matrix = np.load(DATA / name)
    n = len(matrix)
    return Arcs(range(n), [(u, v, matrix[u, v]) for u in range(n) for v in range(n)])


GRAPHS = {
    "euro_rates.npy": dense,
    "flights_by_the_clock.gr.gz": dimacs,
    "florentine_families.mtx": matrix_market,
    "karate.graph": metis,
    "les_miserables.csv": lambda name: edge_list(name, False, ",", header=True),
    "liechtenstein_roads.gr.gz": dimacs,
    "mesh.graph.gz": metis,
    "places.mtx.gz": matrix_market,
    "power_2869_bus.csv.zst": lambda name: edge_list(name, False, ",", header=True),
    "power_30_bus.mtx": matrix_market,
    "protein_contacts.tsv.gz": lambda name: edge_list(name, False, "\t", header=True),
    "python_imports.txt.zst": lambda name: edge_list(name, True),
    "rust_books.txt.gz": lambda name: edge_list(name, True),
    "sioux_falls.gr": dimacs,
    "southern_women.csv": lambda name: edge_list(name, False, ","),
    "two_weights.graph.gz": metis,
    "us_states.txt": lambda name: edge_list(name, False),
}
COORDINATES = {"liechtenstein_roads.gr.gz": "liechtenstein_roads_coord.mtx.zst", "places.mtx.gz": "places_coord.mtx.gz"}
# How many rows are compared with SciPy, and three of them with NetworkX.
LARGE = {"liechtenstein_roads.gr.gz": 300, "mesh.graph.gz": 30, "power_2869_bus.csv.zst": 300}
SMALL = [name for name in GRAPHS if name not in LARGE]


def solved(words, output):
    """The distances that apsp stores, as floats with inf, and the names of the vertices."""
    words = [APSP, *map(str, words), "-o", output, "--verify"]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    group = zarr.open_group(output, mode="r")
    values = group["distance"][:]
    distances = values.astype(np.float64)
    distances[values == group["distance"].fill_value] = np.inf
    labels = [str(label) for label in group["label"][:]] if "label" in group else None
    return distances, labels


def arranged(distances, labels, names):
    """Rows and columns in the order of `names`."""
    if labels is None:
        return distances
    assert sorted(labels) == sorted(names)
    place = {label: i for i, label in enumerate(labels)}
    order = [place[name] for name in names]
    return distances[np.ix_(order, order)]


def assert_equal_distances(ours, theirs, weights):
    assert ours.shape == theirs.shape
    assert np.array_equal(np.isinf(ours), np.isinf(theirs))
    finite = np.isfinite(theirs)
    exact = np.all(weights == np.round(weights))
    # Reals are solved as f64 here; sums of fewer than 100 weights that are below 10 in all.
    np.testing.assert_allclose(ours[finite], theirs[finite], rtol=0, atol=0 if exact else 1e-12)


def assert_equals_networkx(ours, graph, matrix, rows):
    """It takes 10 ms and more a row: SciPy compares all of them."""
    other = graph.networkx()
    lengths_from = (networkx.single_source_bellman_ford_path_length if matrix.data.min() < 0
                    else networkx.single_source_dijkstra_path_length)
    for source in rows:
        theirs = np.full(len(ours), np.inf)
        lengths = lengths_from(other, source)
        theirs[list(lengths)] = list(lengths.values())
        assert_equal_distances(ours[source], theirs, matrix.data)


def test_every_file_is_tested_and_described():
    described = (DATA / "README.md").read_text()
    files = {path.name for path in DATA.iterdir()} - {"README.md", "LICENSE.networkx"}
    assert files == {*GRAPHS, *COORDINATES.values()}
    assert all(f"`{name}`" in described for name in files)
    for name in ("liechtenstein_roads.gr.gz", COORDINATES["liechtenstein_roads.gr.gz"]):
        assert "openstreetmap.org/copyright" in text_of(name) and "odbl/1-0" in text_of(name)
    assert "creativecommons.org/licenses/by/4.0" in text_of("power_2869_bus.csv.zst")
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 1.5e6


def as_solved(name, matrix):
    real = np.any(matrix.data != np.round(matrix.data))
    return ["solve", DATA / name, *(["--dtype", "f64"] if real else [])]


@pytest.mark.parametrize("name", SMALL)
def test_equals_scipy_and_networkx(name, tmp_path):
    graph = GRAPHS[name](name)
    matrix = graph.sparse()
    ours = arranged(*solved(as_solved(name, matrix), tmp_path / "r.zarr"), graph.names)
    assert_equal_distances(ours, shortest_path(matrix, method="BF" if matrix.data.min() < 0 else "D"), matrix.data)

    assert_equals_networkx(ours, graph, matrix, range(len(ours)) if len(ours) < 100 else range(0, len(ours), 41))


@pytest.mark.parametrize("name", LARGE)
def test_some_rows_of_a_large_one(name, tmp_path):
    graph = GRAPHS[name](name)
    matrix = graph.sparse()
    ours = arranged(*solved(as_solved(name, matrix), tmp_path / "r.zarr"), graph.names)
    rows = np.random.default_rng(1).choice(len(ours), LARGE[name], replace=False)
    assert_equal_distances(ours[rows], shortest_path(matrix, method="D", indices=rows), matrix.data)
    assert_equals_networkx(ours, graph, matrix, rows[:3])


@pytest.mark.parametrize("name", ["florentine_families.mtx", "python_imports.txt.zst", "rust_books.txt.gz"])
def test_closure_is_reachability(name, tmp_path):
    graph = GRAPHS[name](name)
    ours, labels = solved(["closure", DATA / name], tmp_path / "r.zarr")
    reached = arranged(ours, labels, graph.names) == 1
    other = graph.networkx()
    for source in range(0, len(graph.names), 7):
        expected = networkx.descendants(other, source) | {source}
        assert set(np.flatnonzero(reached[source])) == expected
    count, component = connected_components(graph.sparse(), connection="strong")
    mutual = reached & reached.T
    assert len(np.unique(mutual, axis=0)) == count
    assert np.array_equal(mutual, component[:, None] == component[None, :])


def metres_between(name, tails, heads):
    """Great circles by the haversine formula, on the sphere of the product's documentation."""
    degrees = scipy.io.mmread(io.BytesIO(text_of(COORDINATES[name]).encode()))
    longitude, latitude = np.radians(degrees).T
    u, v = np.asarray(tails), np.asarray(heads)
    half = (np.sin((latitude[u] - latitude[v]) / 2) ** 2
            + np.cos(latitude[u]) * np.cos(latitude[v]) * np.sin((longitude[u] - longitude[v]) / 2) ** 2)
    return 2 * 6371008.8 * np.arcsin(np.sqrt(half))


@pytest.mark.parametrize("name", COORDINATES)
def test_coordinates_become_metres(name, tmp_path):
    graph = GRAPHS[name](name)
    n, (tails, heads) = len(graph.names), zip(*graph.best())
    lengths = scipy.sparse.csr_matrix((metres_between(name, tails, heads), (tails, heads)), shape=(n, n))
    ours = solved(["solve", DATA / name, "--coordinates", DATA / COORDINATES[name],
                   "--dtype", "f64"], tmp_path / "r.zarr")[0]
    np.testing.assert_allclose(ours, shortest_path(lengths, method="D"), rtol=1e-9)
