"""Dense matrices of pairs are recognised; distances there and back are equal as far as the manual says."""

import numpy as np
import pytest


def test_a_dense_matrix_is_recognised(run, tmp_path):
    weights = np.random.default_rng(3).integers(1, 90, (40, 40)).astype("f4")
    np.save(tmp_path / "one_way.npy", weights)
    np.save(tmp_path / "pairs.npy", np.minimum(weights, weights.T))
    assert run("solve", "pairs.npy", "--json", "--verify").json()["graph"]["symmetric"] is True
    assert run("solve", "one_way.npy", "--json").json()["graph"]["symmetric"] is False


def mesh(path, weights):
    """An undirected grid of 12 × 12; weights: one for each of its edges."""
    side = 12
    edges = [(v, u) for v in range(side * side) for u in ([v + 1] if (v + 1) % side else []) + [v + side]
             if u < side * side]
    (path / "mesh.txt").write_text("".join(f"{u} {v} {w}\n" for (u, v), w in zip(edges, weights)))


@pytest.mark.parametrize("algorithm", ["floyd-warshall", "nested-dissection", "boundary", "johnson"])
def test_both_directions_are_equal_as_far_as_documented(run, tmp_path, algorithm):
    random = np.random.default_rng(7)

    def solved(*words):
        run("solve", "mesh.txt", "--undirected", "--algorithm", algorithm, "--device", "cpu", "-o", "d.npy", *words)
        return np.load(tmp_path / "d.npy")

    mesh(tmp_path, random.random(264))
    for words in (["--semiring", "max-min"], ["--semiring", "min-max", "--dtype", "f64"]):
        distances = solved(*words)
        assert (distances == distances.T).all()
    for dtype, unit in (("f32", 2.0**-24), ("f64", 2.0**-53)):
        distances = solved("--dtype", dtype).astype("f8")
        apart = np.abs(distances - distances.T)
        assert (apart <= 2 * unit * 144 * distances).all()
        if algorithm == "floyd-warshall":
            assert not apart.any()
    mesh(tmp_path, random.integers(1, 99, 264))
    distances = solved()
    assert (distances == distances.T).all()
