"""What NetworkX sees of the backend: entry points, conversions, decisions, settings."""

import inspect
import subprocess
import sys

import networkx as nx
import pytest
from networkx.utils import backends
from networkx_graphs import KINDS, random_graph

import _nx_apsp
import apsp
import nx_apsp
from nx_apsp import ApspGraph, backend

# NetworkX tells that it uses a conversion twice.
pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")


def convert(graph, **attributes):
    return backend.convert_from_nx(graph, edge_attrs=attributes or None)


def original(name):
    function = backends._registered_algorithms[name]
    while not hasattr(function, "orig_func"):
        function = function.__wrapped__
    return function.orig_func


def test_entry_points_are_found():
    assert "apsp" in backends.backends
    assert set(backends.backend_info["apsp"]["functions"]) == set(_nx_apsp.function_names())


def test_version_is_that_of_the_package():
    assert nx_apsp.__version__ == apsp.__version__


def test_facts_are_told_without_the_engine():
    code = "import _nx_apsp, sys; _nx_apsp.get_info(); print([m for m in sys.modules if 'apsp' in m or m == 'numpy'])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "['_nx_apsp']"


def test_every_function_that_is_named_is_there_and_no_other():
    there = {name for name in backends._registered_algorithms if hasattr(backend, name)}
    assert there == set(_nx_apsp.function_names())


@pytest.mark.parametrize("name", sorted(_nx_apsp.function_names()))
def test_signature_is_that_of_networkx(name):
    mine = inspect.signature(getattr(backend, name)).parameters
    theirs = inspect.signature(original(name)).parameters
    assert [str(p) for p in mine.values() if p.name in theirs] == [str(p) for p in theirs.values()]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", ["int", "float", "zero"])
def test_graph_goes_in_and_comes_out(kind, weights):
    graph = random_graph(kind, weights, 9, 20, False, seed=7)
    back = backend.convert_to_nx(convert(graph, weight=1))
    assert type(back) is kind
    assert list(back) == list(graph)

    def edges(of):
        whole = [(frozenset((u, v)) if not of.is_directed() else (u, v), d["weight"], type(d["weight"]))
                 for u, v, d in of.edges(data=True)]
        return sorted(map(repr, whole))

    assert edges(back) == edges(graph)
    assert str(convert(graph)) == str(graph)


def test_all_attributes_are_kept_where_they_are_asked_for():
    graph = nx.MultiDiGraph(name="all")
    graph.add_node(1, colour="red")
    graph.add_edge(1, 2, key="k", weight=3, other="x")
    kept = backend.convert_from_nx(graph, preserve_edge_attrs=True, preserve_node_attrs=True)
    assert nx.utils.graphs_equal(backend.convert_to_nx(kept), graph)
    assert kept.weights_of("weight").values.tolist() == [3.0]


def test_graph_that_was_kept_with_its_attributes_gives_weights():
    """A copy lists neighbours in another order than the graph does."""
    graph = nx.Graph()
    graph.add_nodes_from([0, 1, 2])
    graph.add_edge(2, 1, weight=5)
    graph.add_edge(0, 1, weight=7)
    nx.transitive_closure(graph, backend="apsp")
    assert nx.floyd_warshall(graph, backend="apsp") == nx.floyd_warshall(graph)
    assert len(graph.__networkx_cache__["backends"]["apsp"]) == 1  # the conversion was used again


def test_what_is_no_graph_of_ours_passes_through():
    for thing in (nx.path_graph(3), {1: 2}, 7, None):
        assert backend.convert_to_nx(thing) is thing


def test_views_and_subgraphs_are_converted():
    graph = nx.path_graph(6, create_using=nx.DiGraph)
    part = graph.subgraph([1, 2, 3])
    assert nx.floyd_warshall(part, backend="apsp") == nx.floyd_warshall(part)
    turned = graph.reverse(copy=False)
    assert nx.floyd_warshall(turned, backend="apsp") == nx.floyd_warshall(turned)


def test_attribute_that_was_not_converted_is_an_error():
    pytest.raises(ValueError, nx.floyd_warshall, convert(nx.path_graph(3), weight=1), weight="cost")


def test_graph_of_the_backend_is_an_input():
    graph = random_graph(nx.Graph, "int", 9, 20, True, seed=2)
    converted = convert(graph, weight=1)
    assert isinstance(converted, ApspGraph)
    assert nx.floyd_warshall(converted) == nx.floyd_warshall(graph)
    assert nx.diameter(converted, weight="weight") == nx.diameter(graph, weight="weight")
    with nx.config(fallback_to_nx=True):  # for what the backend lacks
        assert nx.is_connected(converted)


@pytest.mark.parametrize("name, args, kwargs, reason", [
    ("johnson", (0,), {"weight": lambda u, v, d: 1}, "function"),
    ("johnson", (0, lambda u, v, d: 1), {}, "function"),
    ("closeness_centrality", (0, None, lambda u, v, d: 1), {}, "function"),
    ("eccentricity", (0, None, {}), {}, "given"),
    ("eccentricity", (0,), {"sp": {}}, "given"),
    ("diameter", (0, {}), {}, "given"),
    ("single_source_dijkstra", (0, 1, 2), {}, "target"),
    ("johnson", (0,), {"speed": 1}, "not known"),
])
def test_arguments_that_are_refused(name, args, kwargs, reason):
    assert reason in backend.can_run(name, args, kwargs)


def test_arguments_are_looked_at_in_either_form():
    name = "barycenter" if _nx_apsp.networkx_version() < (3, 7) else "centroid"
    for args, kwargs in (((0, None, None, None), {}), ((0,), {"weight": None, "attr": None}), ((0, "weight"), {})):
        assert backend.can_run(name, args, kwargs) is True
    assert "changed" in backend.can_run(name, (0, None, "total"), {})
    assert "given" in backend.can_run(name, (0, None, None, {}), {})


def test_calls_that_do_not_pay_stay_with_networkx():
    small, large = nx.path_graph(4), nx.path_graph(2000)
    assert "NetworkX is expected to take" in backend.should_run("diameter", (small,), {})
    assert backend.should_run("diameter", (large,), {}) is True
    assert backend.should_run("floyd_warshall", (nx.complete_graph(60),), {}) is True
    assert backend.should_run("diameter", (convert(small),), {}) is True


def test_one_row_pays_once_the_graph_is_converted():
    graph = nx.path_graph(20000)
    name = "single_source_dijkstra_path_length"
    assert backend.should_run(name, (graph, 0), {}) is not True
    nx.single_source_dijkstra_path_length(graph, 0, backend="apsp")
    assert backend.should_run(name, (graph, 0), {}) is True


def test_gain_is_a_setting():
    graph = nx.path_graph(300)
    assert backend.should_run("diameter", (graph,), {}) is True
    nx.config.backends.apsp.gain = 1e9
    try:
        assert backend.should_run("diameter", (graph,), {}) is not True
    finally:
        nx.config.backends.apsp.gain = 1.0


def test_backend_is_chosen_for_calls_that_pay(monkeypatch):
    called = []
    monkeypatch.setattr(backend, "wiener_index", lambda G, weight=None: called.append(len(G)) or 1.0)
    with nx.config(backend_priority=["apsp"]):
        nx.wiener_index(nx.path_graph(4))
        nx.wiener_index(nx.path_graph(1000))
    assert called == [1000]


def test_tests_of_networkx_run_with_lazy_rows_and_no_test_is_marked():
    settings = nx.config.backends.apsp
    before = settings.lazy_vertices, settings.threads
    try:
        assert backend.on_start_tests([object()]) is None
        assert settings.lazy_vertices == 0
    finally:
        settings.lazy_vertices, settings.threads = before


def test_device_is_a_setting():
    nx.config.backends.apsp.device = "abacus"
    try:
        pytest.raises(apsp.UsageError, nx.diameter, nx.path_graph(3), backend="apsp")
    finally:
        nx.config.backends.apsp.device = "auto"
