"""The real graphs of shared/data: solve, verify, and compare every entry with SciPy's shortest_path.

The graphs are read here by SciPy or by a few lines of Python, never by apsp. They are no part of the
repository: where the folder is absent the tests skip and say so.
"""

import os
import pathlib
import subprocess

import numpy as np
import pytest
import scipy.io
import scipy.sparse
import zarr
from scipy.sparse.csgraph import shortest_path

APSP = os.environ.get("APSP_BIN")
DATA = pathlib.Path(
    os.environ.get("APSP_DATA", pathlib.Path(__file__).parents[2] / ".." / "shared" / "data"))

pytestmark = [
    pytest.mark.skipif(not APSP, reason="APSP_BIN names no apsp"),
    pytest.mark.skipif(not DATA.is_dir(), reason=f"{DATA} is absent"),
]


def least_arcs(n, tails, heads, weights):
    """A sparse matrix that keeps the least of parallel arcs and drops loops."""
    best = {}
    for u, v, w in zip(tails, heads, weights):
        if u != v:
            best[u, v] = min(w, best.get((u, v), np.inf))
    keys = np.array(list(best))
    return scipy.sparse.csr_matrix((list(best.values()), (keys[:, 0], keys[:, 1])), shape=(n, n))


def matrix_market(path):
    matrix = scipy.io.mmread(path).tocoo()
    return least_arcs(matrix.shape[0], matrix.row, matrix.col, matrix.data), True


def dimacs(path):
    arcs = []
    for line in path.read_text().splitlines():
        words = line.split()
        if words and words[0] == "p":
            n = int(words[2])
        if words and words[0] == "a":
            arcs.append((int(words[1]) - 1, int(words[2]) - 1, float(words[3])))
    return least_arcs(n, *zip(*arcs)), True


def metis(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    n = int(lines[0].split()[0])
    arcs = [(u, int(v) - 1, 1.0) for u, line in enumerate(lines[1 : n + 1]) for v in line.split()]
    return least_arcs(n, *zip(*arcs)), True


def edge_list(path, directed):
    edges = np.loadtxt(path, dtype=np.int64, comments="#")
    ids = np.unique(edges)
    index = {int(v): i for i, v in enumerate(ids)}
    tails = [index[int(u)] for u in edges[:, 0]]
    heads = [index[int(v)] for v in edges[:, 1]]
    if not directed:
        tails, heads = tails + heads, heads + tails
    return least_arcs(len(ids), tails, heads, np.ones(len(tails))), directed


GRAPHS = {
    "USAir97.mtx": matrix_market,
    "rome99.gr": dimacs,
    "minnesota.mtx": matrix_market,
    "power.graph": metis,
    "netscience.mtx": matrix_market,
    "facebook_combined.txt": lambda path: edge_list(path, directed=False),
    "wiki-Vote.txt": lambda path: edge_list(path, directed=True),
    "test_FW_1000.mtx": matrix_market,
    "test_FW_2003.mtx": matrix_market,
    "test_FW_2500.mtx": matrix_market,
}


@pytest.mark.parametrize("name", GRAPHS)
def test_equals_scipy(name, tmp_path):
    output = tmp_path / "air.zarr"
    done = subprocess.run([APSP, "solve", DATA / name, "-o", output, "--verify"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    group = zarr.open_group(output, mode="r")
    ours = group["distance"][:]
    if np.issubdtype(ours.dtype, np.integer):
        ours = np.where(ours == group["distance"].fill_value, np.inf, ours.astype(np.float64))

    graph, _ = GRAPHS[name](DATA / name)
    theirs = shortest_path(graph, method="D")
    assert ours.shape == theirs.shape
    assert np.array_equal(np.isinf(ours), np.isinf(theirs))
    finite = np.isfinite(theirs)
    exact = np.all(graph.data == np.round(graph.data))
    tolerance = 0 if exact else 1e-5  # f32, fewer than 100 edges a path
    np.testing.assert_allclose(ours[finite], theirs[finite], rtol=tolerance, atol=0)
