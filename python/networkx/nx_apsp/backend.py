"""The object that NetworkX loads: conversions, decisions, and one function a name it dispatches."""

from _nx_apsp import networkx_version

from nx_apsp.all_pairs import (
    all_pairs_bellman_ford_path,
    all_pairs_bellman_ford_path_length,
    all_pairs_dijkstra,
    all_pairs_dijkstra_path,
    all_pairs_dijkstra_path_length,
    all_pairs_shortest_path,
    all_pairs_shortest_path_length,
)
from nx_apsp.all_paths import all_pairs_all_shortest_paths, all_shortest_paths, single_source_all_shortest_paths
from nx_apsp.betweenness import betweenness_centrality, edge_betweenness_centrality
from nx_apsp.closure import transitive_closure
from nx_apsp.decide import can_run, functions, should_run
from nx_apsp.dense import (
    floyd_warshall,
    floyd_warshall_numpy,
    floyd_warshall_predecessor_and_distance,
    johnson,
)
from nx_apsp.engine import settings as _settings
from nx_apsp.graph import convert_from_nx, convert_to_nx
from nx_apsp.measures import (
    average_shortest_path_length,
    center,
    closeness_centrality,
    diameter,
    eccentricity,
    global_efficiency,
    harmonic_centrality,
    local_efficiency,
    periphery,
    radius,
    wiener_index,
)
from nx_apsp.single_source import (
    single_source_dijkstra,
    single_source_dijkstra_path,
    single_source_dijkstra_path_length,
    single_source_shortest_path,
    single_source_shortest_path_length,
)

if networkx_version() >= (3, 7):
    from nx_apsp.floyd_warshall_tree import floyd_warshall_tree
    from nx_apsp.measures import centroid
else:  # there, `centroid` is the one of a tree
    from nx_apsp.measures import barycenter

functions.update({name: value for name, value in globals().items() if callable(value)})


def on_start_tests(items):
    """NetworkX's own tests are about to run, none of which is skipped or expected to fail.

    Rows of their small graphs are lazy too, and one thread solves them.
    """
    _settings().lazy_vertices, _settings().threads = 0, 1
