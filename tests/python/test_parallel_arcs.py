"""Parallel arcs: second weights are those of the arc that a path takes, and an update names one of them.

Random multigraphs, against lists of edges. APSP_EXACT_SOLVES says how many."""

import csv
import os
import random

import pytest

TRIALS = int(os.environ.get("APSP_EXACT_SOLVES", 60))
STREETS = "1,2,10,500\n1,2,20,100\n2,3,5,70\n"


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
        infinity = float("inf")
        distance = {v: infinity for v in range(1, self.n + 1)} | {source: 0}
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


def rows(text):
    return [(int(row["from"]), int(row["to"]), float(row["distance"]), float(row["second"]))
            for row in csv.DictReader(text.splitlines())]


def second(run, *words):
    return rows(run("distance", *words, "--quiet").out)


def test_the_length_is_of_the_arc_that_the_path_takes(run, tmp_path):
    (tmp_path / "s.csv").write_text(STREETS)
    asked = ["s.csv", "--columns", "1,2,3", "--second", "s.csv", "--second-columns", "1,2,4", "--sources", "1",
             "--targets", "3"]
    assert second(run, *asked) == [(1, 3, 15, 570)]


def test_lengths_in_random_multigraphs(run, tmp_path):
    for seed in range(TRIALS):
        streets = Streets(seed)
        (tmp_path / "s.csv").write_text(streets.text(0, 1, 2, 3))
        (tmp_path / "times.txt").write_text(streets.text(0, 1, 2).replace(",", " "))
        (tmp_path / "metres.txt").write_text(streets.text(0, 1, 3).replace(",", " "))
        source = 1 + seed % streets.n
        files = (["s.csv", "--columns", "1,2,3", "--second", "s.csv", "--second-columns", "1,2,4"]
                 if seed % 2 else ["times.txt", "--second", "metres.txt"])
        direction = "--directed" if streets.directed else "--undirected"
        found = second(run, *files, direction, "--sources", source)
        expected = streets.paths(source)
        nowhere = (float("inf"), float("inf"))
        assert found == [(source, v, *expected.get(v, nowhere)) for v in range(1, streets.n + 1)], seed


def test_what_is_not_known_is_not_guessed(run, tmp_path):
    (tmp_path / "s.csv").write_text(STREETS)
    (tmp_path / "fewer.csv").write_text("1,2,100\n2,3,70\n")
    run("solve", "s.csv", "--columns", "1,2,3", "-o", "s.zarr")
    table = ["--sources", "1", "-o", "t.csv"]
    lengths = ["--second", "s.csv", "--second-columns", "1,2,4"]
    run("distance", "s.zarr", *lengths, *table, code=2)
    run("distance", "s.csv", "--columns", "1,2,3", "--second", "fewer.csv", "--second-columns", "1,2,3", *table, code=2)
    assert not (tmp_path / "t.csv").exists()


@pytest.mark.parametrize("keep", ["factor", "matrix"])
def test_one_of_two_parallel_roads_is_closed(run, tmp_path, keep):
    (tmp_path / "s.csv").write_text("1,2,10\n1,2,20\n2,3,5\n")
    run("solve", "s.csv", "-o", "s.zarr", "--keep", keep)
    for change in ("1,2,inf\n", "1,2,15\n"):
        refused = run("update", "s.zarr", "-", input=change, code=2).err
        assert "2 parallel arcs 1 → 2, of the weights 10, 20" in refused and "old weight" in refused
    run("update", "s.zarr", "-", input="1,2,inf,30\n", code=2)
    assert run("distance", "s.zarr", "1", "3").out == "15\n"
    assert run("update", "s.zarr", "-", input="2,1,inf,10\n", code=0).err.count("1 weight changed") == 1
    assert run("distance", "s.zarr", "1", "3").out == "25\n"
    run("verify", "s.zarr")
    run("update", "s.zarr", "-", input="from,to,weight,old\n1,2,inf,20\n")
    assert run("distance", "s.zarr", "1", "3", code=1).out == "inf\n"


def test_changes_of_random_multigraphs(run, tmp_path):
    for seed in range(TRIALS // 4):
        streets, draw = Streets(seed), random.Random(seed)
        direction = "--directed" if streets.directed else "--undirected"
        keep = draw.choice(["factor", "matrix"])
        (tmp_path / "s.csv").write_text(streets.text(0, 1, 2))
        run("solve", "s.csv", direction, "-o", "s.zarr", "--overwrite", "--keep", keep)
        chosen = set(draw.sample(range(len(streets.edges)), len(streets.edges) // 3))
        changes, after = [], []
        for i, (u, v, old, _) in enumerate(streets.edges):
            new = draw.choice(["inf", 7, 1]) if i in chosen else old
            if i in chosen:
                changes.append(f"{u},{v},{new},{old}\n")
            if new != "inf":
                after.append(f"{u},{v},{new}\n")
        run("update", "s.zarr", "-", input="".join(changes))
        loops = [f"{v},{v},0\n" for v in range(1, streets.n + 1)]  # all vertices stay
        (tmp_path / "after.csv").write_text("".join(after + loops))
        run("solve", "after.csv", direction, "-o", "after.zarr", "--overwrite")
        tables = [run("distance", name, "--sources", "1", "--quiet").out for name in ("s.zarr", "after.zarr")]
        assert tables[0] == tables[1], seed
