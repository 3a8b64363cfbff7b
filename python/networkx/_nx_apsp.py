"""What NetworkX reads about the backend while it is imported: names and settings, no engine."""

from importlib.metadata import version

# Functions that every supported NetworkX dispatches.
_FUNCTIONS = {
    "all_pairs_all_shortest_paths": "Predecessors of a node by the engine; paths along them by NetworkX.",
    "all_pairs_bellman_ford_path": "One solve of the whole graph; each row of paths is built when it is read.",
    "all_pairs_bellman_ford_path_length": "One solve of the whole graph; each row is filled when it is read.",
    "all_pairs_dijkstra": "One solve of the whole graph; each row is filled when it is read.",
    "all_pairs_dijkstra_path": "One solve of the whole graph; each row of paths is built when it is read.",
    "all_pairs_dijkstra_path_length": "One solve of the whole graph; each row is filled when it is read.",
    "all_pairs_shortest_path": "Breadth-first searches; each row of paths is built when it is read.",
    "all_pairs_shortest_path_length": "Breadth-first searches; each row is filled when it is read.",
    "all_shortest_paths": "Predecessors by the engine; paths along them by NetworkX.",
    "average_shortest_path_length": "No matrix is kept and no dictionary is made; `method` is checked, the engine chooses.",
    "betweenness_centrality": "Paths are counted from rows of distances; `seed` draws NetworkX's sample. Weights of 0 are NetworkX's.",
    "center": "From the eccentricities of one solve; `usebounds` is not needed.",
    "closeness_centrality": "One solve; no dictionary of distances is made.",
    "diameter": "From the eccentricities of one solve; `usebounds` is not needed.",
    "edge_betweenness_centrality": "Paths are counted from rows of distances. Multigraphs are NetworkX's.",
    "eccentricity": "One solve; no dictionary of distances is made.",
    "floyd_warshall": "The engine chooses the algorithm. Rows are filled when they are read.",
    "floyd_warshall_numpy": "The engine chooses the algorithm.",
    "floyd_warshall_predecessor_and_distance": "The engine chooses the algorithm. Rows are filled when they are read.",
    "global_efficiency": "Breadth-first searches from many vertices at once.",
    "harmonic_centrality": "One solve; no dictionary of distances is made.",
    "johnson": "One solve of the whole graph; each row of paths is built when it is read.",
    "local_efficiency": "Searches in the neighbourhood of every vertex, by the engine.",
    "periphery": "From the eccentricities of one solve; `usebounds` is not needed.",
    "radius": "From the eccentricities of one solve; `usebounds` is not needed.",
    "single_source_all_shortest_paths": "Predecessors by the engine; paths along them by NetworkX.",
    "single_source_dijkstra": "One row of distances and predecessors.",
    "single_source_dijkstra_path": "One row of distances and predecessors.",
    "single_source_dijkstra_path_length": "One row of distances.",
    "single_source_shortest_path": "One row of distances and predecessors.",
    "single_source_shortest_path_length": "One row of distances.",
    "transitive_closure": "Reachability of all pairs; missing edges are added at once.",
    "wiener_index": "No matrix is kept and no dictionary is made.",
}


def networkx_version():
    """(major, minor) of the NetworkX that is installed."""
    return tuple(int(part) for part in version("networkx").split(".")[:2])


def function_names():
    """Names and notes of what this NetworkX dispatches and the backend computes.

    NetworkX 3.7 renamed barycenter to centroid, which was the centroid of a tree before.
    """
    names = dict(_FUNCTIONS)
    if networkx_version() >= (3, 7):
        names["centroid"] = "One solve; no dictionary of distances is made."
        names["floyd_warshall_tree"] = "As floyd_warshall_predecessor_and_distance."
    else:
        names["barycenter"] = "One solve; no dictionary of distances is made."
    return names


def get_info():
    """The entry point networkx.backend_info."""
    return {
        "backend_name": "apsp",
        "project": "apsp",
        "package": "nx_apsp",
        "short_summary": "All-pairs shortest paths in C++ on all cores.",
        "functions": {name: {"additional_docs": note} for name, note in function_names().items()},
        "default_config": {"lazy_vertices": 64, "threads": 0, "device": "auto", "gain": 1.0},
    }
