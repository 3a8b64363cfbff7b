"""Rows that are filled when they are first read are dictionaries to whoever reads them."""

import copy
import json
import pickle
import threading

import apsp
import networkx as nx
import pytest

from nx_apsp import engine
from nx_apsp.rows import Row, UnreadRow

# NetworkX tells that it uses a conversion twice.
pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")


@pytest.fixture(autouse=True)
def all_rows_lazy():
    before = nx.config.backends.apsp.lazy_vertices
    nx.config.backends.apsp.lazy_vertices = 0
    yield
    nx.config.backends.apsp.lazy_vertices = before


EXPECTED = {0: 0, 1: 1, 2: 2, 3: 1}


def row():
    """Distances from a corner of a square, not yet read."""
    found = next(nx.all_pairs_shortest_path_length(nx.cycle_graph(4), backend="apsp"))[1]
    assert type(found) is UnreadRow
    return found


READERS = {
    "==": lambda r: r == EXPECTED,
    "== from the other side": lambda r: EXPECTED == r,
    "!=": lambda r: not r != EXPECTED,
    "len": lambda r: len(r) == 4,
    "bool": bool,
    "in": lambda r: 2 in r and 9 not in r,
    "[]": lambda r: [r[v] for v in range(4)] == [0, 1, 2, 1],
    "get": lambda r: r.get(2) == 2 and r.get(9) is None and r.get(9, 5) == 5,
    "iteration": lambda r: sorted(r) == [0, 1, 2, 3],
    "nearest first": lambda r: list(r) == [0, 1, 3, 2],
    "reversed": lambda r: list(reversed(r)) == [2, 3, 1, 0],
    "keys": lambda r: r.keys() == EXPECTED.keys(),
    "items": lambda r: dict(r.items()) == EXPECTED,
    "values": lambda r: sum(r.values()) == 4,
    "dict()": lambda r: type(dict(r)) is dict and dict(r) == EXPECTED,
    "**": lambda r: {**r} == EXPECTED,
    "update": lambda r: {9: 9} | EXPECTED == {9: 9} | r,
    "|": lambda r: r | {9: 9} == EXPECTED | {9: 9},
    "repr": lambda r: repr(r) == "{0: 0, 1: 1, 3: 1, 2: 2}",
    "str": lambda r: f"{r}" == "{0: 0, 1: 1, 3: 1, 2: 2}",
    "json": lambda r: json.loads(json.dumps(r)) == {str(v): d for v, d in EXPECTED.items()},
    "json of many": lambda r: json.loads(json.dumps([r]))[0]["2"] == 2,
    "pickle": lambda r: type(pickle.loads(pickle.dumps(r))) is dict and pickle.loads(pickle.dumps(r)) == EXPECTED,
    "copy": lambda r: copy.copy(r) == EXPECTED and copy.copy(r) is not r,
    "deepcopy": lambda r: copy.deepcopy(r) == EXPECTED,
    ".copy()": lambda r: r.copy() == EXPECTED,
    "isinstance": lambda r: isinstance(r, dict),
    "max by get": lambda r: max(r, key=r.get) == 2,
}


@pytest.mark.parametrize("how", READERS)
def test_unread_row_is_read(how):
    assert READERS[how](row())


def test_two_unread_rows_are_compared_by_what_they_will_hold():
    assert row() == row() and not row() != row()
    assert row() | row() == EXPECTED


def test_row_that_was_filled_is_an_ordinary_dict():
    found = row()
    len(found)
    assert type(found) is Row
    assert not set(vars(Row)) & {"__getitem__", "__iter__", "__len__", "get", "items"}
    for reader in READERS.values():
        assert reader(found)


CHANGES = {
    "[]=": lambda r: r.__setitem__(9, 9),
    "del": lambda r: r.__delitem__(2),
    "pop": lambda r: r.pop(2),
    "popitem": lambda r: r.popitem(),
    "setdefault": lambda r: r.setdefault(9, 1),
    "update": lambda r: r.update({2: 7}),
    "|=": lambda r: r.__ior__({2: 7}),
    "clear": lambda r: r.clear(),
}


@pytest.mark.parametrize("how", CHANGES)
def test_unread_row_is_changed(how):
    mine, theirs = row(), {0: 0, 1: 1, 3: 1, 2: 2}
    assert CHANGES[how](mine) == CHANGES[how](theirs) or how == "|="
    assert mine == theirs


def test_single_reads_do_not_fill_a_row_and_many_do():
    found = row()
    assert (found[2], 3 in found, found.get(7)) == (2, True, None)
    assert type(found) is UnreadRow
    for _ in range(20):
        assert found[2] == 2
    assert type(found) is Row


def test_key_that_is_missing_or_cannot_be_hashed():
    with pytest.raises(KeyError):
        row()["elsewhere"]
    with pytest.raises(TypeError):
        row()[[]]


def test_memory_of_an_unread_row_is_not_that_of_an_empty_one():
    """Code that looks past the methods finds a key that says so, which no format of data takes."""
    found = row()
    keys = list(dict.__iter__(found))
    assert dict.__len__(found) == 1
    assert "not filled" in repr(keys[0])


def test_many_threads_fill_a_row():
    graph = nx.path_graph(300)
    for _ in range(5):
        found = next(nx.all_pairs_shortest_path_length(graph, backend="apsp"))[1]
        seen = []
        threads = [threading.Thread(target=lambda: seen.append((len(found), found[299], sum(found.values()))))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [(300, 299, 299 * 150)] * 8


def test_path_that_was_handed_out_stays_the_same_list():
    paths = next(nx.all_pairs_shortest_path(nx.path_graph(5), backend="apsp"))[1]
    path = paths[3]
    assert path == [0, 1, 2, 3]
    assert paths[3] is path
    assert dict(paths)[3] is path
    assert paths[4] == [0, 1, 2, 3, 4]


def test_small_graphs_have_plain_dictionaries_unless_told():
    nx.config.backends.apsp.lazy_vertices = 64
    for n, kind in ((63, dict), (64, UnreadRow)):
        assert type(nx.floyd_warshall(nx.path_graph(n), backend="apsp")[0]) is kind
    nx.config.backends.apsp.lazy_vertices = -1
    assert type(nx.floyd_warshall(nx.path_graph(64), backend="apsp")[0]) is dict


def test_rows_come_in_blocks_that_fit_what_a_container_allows(monkeypatch):
    graph = nx.cycle_graph(9)
    whole = dict(nx.all_pairs_shortest_path_length(graph, backend="apsp"))
    monkeypatch.setattr(engine, "_LITTLE", 0)
    monkeypatch.setattr(apsp, "plan", lambda graph: {"bytes_allowed": 2 * 4 * 9 * 8})
    assert engine._rows_that_fit(9) == 4
    assert dict(nx.all_pairs_shortest_path_length(graph, backend="apsp")) == whole
    monkeypatch.setattr(apsp, "plan", lambda graph: {"bytes_allowed": 0})
    assert engine._rows_that_fit(9) == 1
