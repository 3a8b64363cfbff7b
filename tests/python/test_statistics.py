"""Statistics against NetworkX: what `apsp solve` prints as JSON and the vectors it stores.

Graphs are written as Matrix Market files, which fix the vertices' numbers: NetworkX's vertex v is
apsp's v, named v + 1. APSP_BIN names the program.
"""

import json
import os
import statistics
import subprocess

import networkx
import numpy
import pytest

from conftest import binary, environment

zarr = pytest.importorskip("zarr", minversion="3", reason="zarr-python 3 is not installed")
pytestmark = pytest.mark.skipif(not os.environ.get("APSP_BIN"), reason="APSP_BIN is not set")


def weighted(graph, seed, real=False, least=0):
    random = numpy.random.default_rng(seed)
    for _, _, data in graph.edges(data=True):
        data["weight"] = float(random.random()) if real else int(random.integers(least, 30))
    return graph


def with_loops_and_strangers(graph):
    """Harmless loops, and vertices that nothing leads to."""
    n = len(graph)
    graph.add_edge(0, 0, weight=3)
    graph.add_nodes_from(range(n, n + 3))
    return graph


GRAPHS = {
    "karate": networkx.Graph(networkx.karate_club_graph().edges()),
    "path": networkx.path_graph(30),
    "directed path": networkx.path_graph(30, create_using=networkx.DiGraph),
    "cycle": networkx.cycle_graph(11, create_using=networkx.DiGraph),
    "star": networkx.star_graph(9),
    "complete": networkx.complete_graph(7),
    "one vertex": networkx.empty_graph(1),
    "no edges": networkx.empty_graph(5, create_using=networkx.DiGraph),
    "sparse directed": networkx.gnp_random_graph(90, 0.03, seed=1, directed=True),
    "sparse undirected": networkx.gnp_random_graph(90, 0.02, seed=2),
    "integers": weighted(networkx.gnp_random_graph(70, 0.08, seed=3, directed=True), 3),
    "integers, undirected": weighted(networkx.gnp_random_graph(70, 0.05, seed=4), 4, least=1),
    "reals": weighted(networkx.gnp_random_graph(70, 0.08, seed=5, directed=True), 5, real=True),
    "reals, undirected": weighted(networkx.gnp_random_graph(70, 0.05, seed=6), 6, real=True),
    "disconnected": with_loops_and_strangers(
        weighted(networkx.gnp_random_graph(40, 0.04, seed=7, directed=True), 7, least=1)
    ),
}


def write_matrix_market(graph, path):
    lines = [f"{len(graph)} {len(graph)} {graph.number_of_edges()}"]
    for u, v, weight in graph.edges(data="weight", default=1):
        lines.append(f"{u + 1} {v + 1} {weight!r}")
    path.write_text("%%MatrixMarket matrix coordinate real general\n" + "\n".join(lines) + "\n")


def distances(graph):
    """{(u, v): distance} over reachable pairs of distinct vertices."""
    lengths = networkx.all_pairs_dijkstra_path_length(graph)
    return {(u, v): d for u, row in lengths for v, d in row.items() if u != v}


class Solved:
    def __init__(self, folder, graph):
        write_matrix_market(graph, folder / "graph.mtx")
        direction = "--directed" if graph.is_directed() else "--undirected"
        words = ["solve", "graph.mtx", direction, "-o", "result.zarr", "--json", "--top", "10"]
        if not exact(graph):
            words += ["--dtype", "f64"]
        done = subprocess.run([binary(), *words], cwd=folder, env=environment(), capture_output=True, check=True)
        self.graph = graph
        self.pairs = distances(graph)
        self.statistics = json.loads(done.stdout)["statistics"]
        self.vectors = zarr.open_group(folder / "result.zarr", mode="r")


def exact(graph):
    return all(float(w).is_integer() for _, _, w in graph.edges(data="weight", default=1))


@pytest.fixture(scope="module", params=GRAPHS)
def solved(request, tmp_path_factory):
    return Solved(tmp_path_factory.mktemp("solved"), GRAPHS[request.param])


def test_counts_and_range(solved):
    s, n, values = solved.statistics, len(solved.graph), list(solved.pairs.values())
    assert s["vertices"] == n
    assert s["pairs"] == n * (n - 1)
    assert s["reachable_pairs"] == len(values)
    assert s["connected"] == (len(values) == n * (n - 1))
    if not values:
        assert all(s[key] is None for key in ["least", "greatest", "mean", "median"])
        return
    assert s["least"] == pytest.approx(min(values), rel=1e-12)
    assert s["greatest"] == pytest.approx(max(values), rel=1e-12)
    assert s["mean"] == pytest.approx(statistics.fmean(values), rel=1e-12)
    assert s["median_error"] == 0 if exact(solved.graph) else s["median_error"] <= 2**-12
    median = statistics.median_low(values)
    assert s["median"] == pytest.approx(median, rel=s["median_error"] + 1e-12)


def test_histogram_counts_what_lies_between_its_ends(solved):
    bars, values = solved.statistics["histogram"], sorted(solved.pairs.values())
    assert len(bars) <= 20
    assert sum(bar["pairs"] for bar in bars) == len(values)
    for before, after in zip(bars, bars[1:]):
        assert before["high"] == after["low"]
    if not exact(solved.graph):
        return  # sums in another order may fall to the other side of an end
    for bar in bars[:-1]:
        assert bar["pairs"] == sum(bar["low"] <= v < bar["high"] for v in values)
    if values and max(values) - min(values) < 20:
        assert [bar["low"] for bar in bars] == list(range(int(values[0]), int(values[-1]) + 1))


def largest_component(graph):
    """Its vertices; of equal ones that of the least vertex."""
    parts = (networkx.strongly_connected_components if graph.is_directed() else networkx.connected_components)(graph)
    return max(map(sorted, parts), key=lambda part: (len(part), -part[0]))


def test_eccentricity_diameter_and_radius(solved):
    s, n = solved.statistics, len(solved.graph)
    expected = numpy.zeros(n)
    for (u, _), d in solved.pairs.items():
        expected[u] = max(expected[u], d)
    numpy.testing.assert_allclose(solved.vectors["eccentricity"][:], expected, rtol=1e-12)
    reaching = {u for u, _ in solved.pairs}
    if not reaching:
        assert s["diameter"] is None and s["diameter_pair"] is None
        return
    assert s["diameter"] == pytest.approx(max(expected[u] for u in reaching), rel=1e-12)
    pair = tuple(int(s["diameter_pair"][end]) - 1 for end in ["from", "to"])
    assert solved.pairs[pair] == pytest.approx(s["diameter"], rel=1e-12)


def test_the_largest_component_has_networkx_diameter_radius_and_mean(solved):
    s = solved.statistics
    vertices = largest_component(solved.graph) if len(solved.graph) else []
    part = solved.graph.subgraph(vertices)
    whole = len(vertices) == len(solved.graph)
    assert (s["component"] is None) == whole
    figures = s["component"] or s
    if len(vertices) < 2:
        assert s["radius"] is None and s["radius_pair"] is None
        return
    assert figures["vertices"] == len(vertices)
    assert figures["diameter"] == pytest.approx(networkx.diameter(part, weight="weight"), rel=1e-12)
    inner = [d for (u, v), d in solved.pairs.items() if u in part and v in part]
    assert figures["mean"] == pytest.approx(statistics.fmean(inner), rel=1e-12)
    assert s["radius"] == pytest.approx(networkx.radius(part, weight="weight"), rel=1e-12)
    centre, end = (int(s["radius_pair"][key]) - 1 for key in ["from", "to"])
    assert centre in networkx.center(part, weight="weight") or not exact(solved.graph)
    assert solved.pairs[centre, end] == pytest.approx(s["radius"], rel=1e-12)


def test_only_the_largest_component(run, tmp_path):
    (tmp_path / "islands.txt").write_text("a b 1\nb c 2\nx y 9\n")
    whole = run("solve", "islands.txt", "-o", "islands.zarr")
    assert "without a path" in whole.out and "its radius" in whole.out
    solved_part = run("solve", "islands.txt", "--component", "largest", "--json").json()
    assert solved_part["graph"]["vertices"] == 3
    part = run("stats", "islands.zarr", "--component", "largest", "--json").json()["statistics"]
    assert part == solved_part["statistics"]
    assert (part["diameter"], part["radius"], part["connected"]) == (3, 2, True)
    assert run("stats", "islands.zarr", "--json").json()["statistics"]["component"]["components"] == 2
    run("stats", "islands.zarr", "--component", "some", code=2)


@pytest.mark.parametrize(
    "key, function",
    [
        ("closeness", networkx.closeness_centrality),
        ("harmonic", networkx.harmonic_centrality),
    ],
)
def test_centralities(solved, key, function):
    of = function(solved.graph, distance="weight_or_one")
    expected = numpy.array([of[v] for v in range(len(solved.graph))])
    numpy.testing.assert_allclose(solved.vectors[key][:], expected, rtol=1e-11, atol=1e-14)
    listed = solved.statistics["most_central"][key]
    assert len(listed) == min(10, len(expected))
    values = [entry["value"] for entry in listed]
    assert values == sorted(values, reverse=True)
    for entry in listed:
        assert entry["value"] == solved.vectors[key][int(entry["vertex"]) - 1]
    best = numpy.sort(expected)[::-1][: len(values)]
    numpy.testing.assert_allclose(values, best, rtol=1e-11, atol=1e-14)


@pytest.fixture(autouse=True, scope="module")
def weight_or_one():
    """NetworkX's centralities take the name of an attribute; edges without a weight weigh 1."""
    for graph in GRAPHS.values():
        for _, _, data in graph.edges(data=True):
            data["weight_or_one"] = data.get("weight", 1)


def test_vertices_appear_by_their_labels(run, tmp_path):
    (tmp_path / "graph.txt").write_text("hub a\nhub b\nhub c\nc far\n")
    answer = run("solve", "graph.txt", "--undirected", "--json", "--quiet").json()
    found = answer["statistics"]
    assert found["most_central"]["closeness"][0]["vertex"] == "hub"
    assert {found["diameter_pair"]["from"], found["diameter_pair"]["to"]} in [{"a", "far"}, {"b", "far"}]
    assert found["radius_pair"]["from"] in {"hub", "c"}


def test_negative_distances_have_no_centralities(run, tmp_path):
    (tmp_path / "graph.gr").write_text("p sp 3 2\na 1 2 -5\na 2 3 2\n")
    answer = run("solve", "graph.gr", "--json", "--quiet", "-o", "result.zarr").json()
    found = answer["statistics"]
    assert (found["least"], found["median"], found["greatest"]) == (-5, -3, 2)
    assert (found["diameter"], found["radius"]) == (2, None)  # no two vertices reach each other
    assert found["most_central"] == {"closeness": [], "harmonic": []}
    assert "closeness" not in zarr.open_group(tmp_path / "result.zarr", mode="r")


@pytest.mark.parametrize("semiring, greatest", [("max-min", 9), ("min-max", 9)])
def test_bottlenecks_have_a_range_and_no_eccentricities(run, tmp_path, semiring, greatest):
    (tmp_path / "graph.gr").write_text("p sp 4 3\na 1 2 4\na 2 3 9\na 1 3 6\n")
    answer = run("solve", "graph.gr", "--semiring", semiring, "--json", "--quiet").json()
    found = answer["statistics"]
    assert found["reachable_pairs"] == 3
    assert (found["least"], found["greatest"]) == (4, greatest)
    assert found["diameter"] is None and found["radius"] is None


def test_threads_and_tiles_change_nothing(run, tmp_path):
    write_matrix_market(GRAPHS["reals"], tmp_path / "graph.mtx")
    words = ["solve", "graph.mtx", "--directed", "--json", "--quiet", "--dtype", "f64"]
    one, two = [run(*words, "--threads", threads).json()["statistics"] for threads in (1, 2)]
    assert one == two


def test_local_efficiency_takes_a_graph_or_its_result(run, tmp_path):
    (tmp_path / "contacts.csv").write_text("a b 4\nb c 2\na c 4\nc d 1\n")
    ask = ("--undirected", "--local-efficiency")
    found = run("stats", "contacts.csv", *ask, "edges", "--json").json()["local_efficiency"]
    assert found == {"mean": pytest.approx((1 + 1 + 1 / 3) / 4), "weighted": False}
    assert run("stats", "contacts.csv", *ask, "lengths", "--json").json()["local_efficiency"]["weighted"]
    run("solve", "contacts.csv", "--undirected", "-o", "contacts.zarr")
    assert run("stats", "contacts.zarr", "--local-efficiency", "edges").out == "local efficiency 0.583333\n"
    run("stats", "contacts.csv", "--directed", "--local-efficiency", "edges", code=2)
