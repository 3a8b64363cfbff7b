"""Directions of edges by a column: one meaning in files and in tables."""

import pandas as pd
import pytest

import apsp


@pytest.mark.parametrize("word, ways", [
    ("reversed", "b"), ("y", "t"), ("n", "tb"), ("B", "tb"), ("FT", "t"), ("TF", "b"), ("f-t", "t"), ("1.0", "t"), ("-1.0", "b"),
    ("0.0", "tb"), ("", "tb"), (None, "tb"), ("perhaps", None), ("2", None), ("T", None)])
def test_words_of_directions_mean_the_same_in_a_file_and_in_a_frame(tmp_path, word, ways):
    table = pd.DataFrame({"u": ["a", "x", "l"], "v": ["b", "y", "l"], "length": [5, 7, 2], "oneway": [word, "yes", "no"]})
    table.to_csv(tmp_path / "g.csv", index=False)
    for read in (lambda: apsp.Graph.from_pandas(table, oneway="oneway"), lambda: apsp.read(tmp_path / "g.csv", oneway="oneway")):
        if ways is None:
            with pytest.raises(apsp.Error, match=word):
                read()
            continue
        graph = read()
        names = [(graph.labels[u], graph.labels[v]) for u, v in zip(*(ends.tolist() for ends in graph.edges()[:2]))]
        there, back = ("a", "b"), ("b", "a")
        assert sorted(names) == sorted([("l", "l"), ("x", "y"), *[there] * ("t" in ways), *[back] * ("b" in ways)])


def test_a_loop_of_both_directions_is_one_arc():
    table = pd.DataFrame({"u": [1, 2], "v": [1, 3], "cost": [5, 4], "back": [6, 2]})
    assert len(apsp.Graph.from_pandas(table, reverse_cost="back").edges()[0]) == 3
