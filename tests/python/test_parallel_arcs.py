"""Parallel arcs: second weights are those of the arc that a path takes, and an update names one of them.

Random multigraphs, against lists of edges, through both doors. APSP_EXACT_SOLVES says how many."""

import os
import random

import pytest

from doors import refused

TRIALS = int(os.environ.get("APSP_EXACT_SOLVES", 24))
STREETS = "1,2,10,500\n1,2,20,100\n2,3,5,70\n"
INFINITY = float("inf")


class Streets:
    """Edges (from, to, seconds, metres) between 1 … n, many of them parallel."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.n = draw.randint(2, 6)
        self.directed = draw.random() < 0.5
        ends = range(1, self.n + 1)
        self.edges = [(draw.choice(ends), draw.choice(ends), draw.randint(0, 4), draw.randint(0, 900))
                      for _ in range(draw.randint(self.n, 5 * self.n))]
        self.edges += [(v, v + 1, 3, draw.randint(0, 9)) for v in range(1, self.n)]  # all occur
        draw.shuffle(self.edges)

    def text(self, *columns):
        return "".join(",".join(str(edge[c]) for c in columns) + "\n" for edge in self.edges)

    def arcs(self):
        yield from self.edges
        if not self.directed:
            yield from ((v, u, *weights) for u, v, *weights in self.edges if u != v)

    def paths(self, source):
        """{vertex: (seconds, metres)} of the shortest paths of fewest edges, by the least predecessors."""
        distance = {v: INFINITY for v in range(1, self.n + 1)} | {source: 0}
        for _ in range(self.n):
            for u, v, seconds, _ in self.arcs():
                distance[v] = min(distance[v], distance[u] + seconds)
        found, level = {source: (0, 0)}, {source: 0}
        while level:
            following = {}
            for u, v, seconds, metres in self.arcs():
                if u in level and v not in found and distance[u] + seconds == distance[v]:
                    following[v] = min(following.get(v, (u, metres)), (u, metres))
            for v, (u, metres) in following.items():
                found[v] = (distance[v], found[u][1] + metres)
            level = following
        return found


def test_lengths_in_random_multigraphs(door, tmp_path):
    for seed in range(TRIALS):
        streets = Streets(seed)
        (tmp_path / "s.csv").write_text(streets.text(0, 1, 2, 3))
        (tmp_path / "times.txt").write_text(streets.text(0, 1, 2).replace(",", " "))
        (tmp_path / "metres.txt").write_text(streets.text(0, 1, 3).replace(",", " "))
        source = 1 + seed % streets.n
        files = (dict(of="s.csv", columns=(1, 2, 3), second="s.csv", second_columns=(1, 2, 4))
                 if seed % 2 else dict(of="times.txt", second="metres.txt"))
        found = door.table(**files, directed=streets.directed, sources=[source])
        expected = streets.paths(source)
        assert found == [(str(source), str(v), *expected.get(v, (INFINITY, INFINITY)))
                         for v in range(1, streets.n + 1)], seed


def test_what_is_not_known_is_not_guessed(door, tmp_path):
    (tmp_path / "s.csv").write_text(STREETS)
    (tmp_path / "fewer.csv").write_text("1,2,100\n2,3,70\n")
    door.solve("s.csv", "s.zarr", columns=(1, 2, 3))
    ask = dict(sources=["1"], output="t.csv", second="s.csv", second_columns=(1, 2, 4))
    refused("usage", door.table, "s.zarr", **ask)
    refused("usage", door.table, "s.csv", columns=(1, 2, 3), **{**ask, "second": "fewer.csv", "second_columns": (1, 2, 3)})
    assert not (tmp_path / "t.csv").exists()
    assert door.table("s.csv", columns=(1, 2, 3), targets=["3"], **ask) == [("1", "3", 15, 570)]


@pytest.mark.parametrize("keep", ["factor", "matrix"])
def test_one_of_two_parallel_roads_is_closed(door, tmp_path, keep):
    (tmp_path / "s.csv").write_text("1,2,10\n1,2,20\n2,3,5\n")
    door.solve("s.csv", "s.zarr", keep=keep)
    for change in ((1, 2, INFINITY), (1, 2, 15), (1, 2, INFINITY, 30)):
        refused("usage", door.update, "s.zarr", [change])
    assert door.distance("s.zarr", 1, 3) == 15
    door.update("s.zarr", [(2, 1, INFINITY, 10)])
    assert door.distance("s.zarr", 1, 3) == 25 and door.verify("s.zarr")["passed"]
    door.update("s.zarr", [(1, 2, INFINITY, 20)])
    assert door.distance("s.zarr", 1, 3) == INFINITY


def test_changes_of_random_multigraphs(door, tmp_path):
    for seed in range(TRIALS // 3):
        streets, draw = Streets(seed), random.Random(seed)
        (tmp_path / "s.csv").write_text(streets.text(0, 1, 2))
        door.solve("s.csv", "s.zarr", directed=streets.directed, overwrite=True, keep=draw.choice(["factor", "matrix"]))
        chosen = set(draw.sample(range(len(streets.edges)), len(streets.edges) // 3))
        changes, after = [], []
        for i, (u, v, old, _) in enumerate(streets.edges):
            new = draw.choice([INFINITY, 7, 1]) if i in chosen else old
            if i in chosen:
                changes.append((u, v, new, old))
            if new != INFINITY:
                after.append(f"{u},{v},{new}\n")
        door.update("s.zarr", changes)
        loops = [f"{v},{v},0\n" for v in range(1, streets.n + 1)]  # all vertices stay
        (tmp_path / "after.csv").write_text("".join(after + loops))
        assert door.table("s.zarr", sources=[1]) == door.table("after.csv", sources=[1], directed=streets.directed), seed


def test_arrays_that_are_pickled_keep_the_order_of_their_edges(tmp_path):
    import pickle

    apsp = pytest.importorskip("apsp")
    graph = apsp.Graph.from_edges(["a", "a", "b"], ["b", "b", "c"], [10, 20, 5], directed=False)
    again = pickle.loads(pickle.dumps(graph))
    apsp.write_table(again, tmp_path / "t.csv", sources=["a"], targets=["c"],
                     second=apsp.Graph.from_edges(["a", "a", "b"], ["b", "b", "c"], [500, 100, 70], directed=False))
    assert (tmp_path / "t.csv").read_text().splitlines()[1] == "a,c,15,570"
    assert graph.with_changes([("a", "b", 1, 20), ("b", "c", 9)]).edges()[2].tolist() == [1, 10, 9]
    for change in (("a", "b", 1, 11), ("a", "b", 1, 20, 3)):
        pytest.raises(apsp.UsageError, graph.with_changes, [change])
