"""The generators all_pairs_*: (node, row) in the order of the nodes.

What the arguments forbid is raised at the call, so that NetworkX can answer instead; what the graph
does, such as a negative cycle, when a row is drawn. Nothing is solved before the first is.
"""

from nx_apsp.engine import Problem, bounded


def all_pairs_dijkstra(G, cutoff=None, weight="weight"):
    return _lengths_and_paths(Problem(G, weight), cutoff)


def all_pairs_dijkstra_path(G, cutoff=None, weight="weight"):
    return _paths(Problem(G, weight), cutoff)


def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    return _lengths(Problem(G, weight), cutoff)


def all_pairs_bellman_ford_path(G, weight="weight"):
    problem = Problem(G, weight, signed=True)
    return _paths(problem, None, problem.rows_until_unbounded())


def all_pairs_bellman_ford_path_length(G, weight="weight"):
    problem = Problem(G, weight, signed=True)
    return _lengths(problem, None, problem.rows_until_unbounded())


def all_pairs_shortest_path(G, cutoff=None):
    return _paths(Problem(G, None), cutoff)


def all_pairs_shortest_path_length(G, cutoff=None):
    return _lengths(Problem(G, None), cutoff)


def _lengths(problem, cutoff, rows=None):
    if bounded(cutoff):
        for source, *near in problem.near_rows(cutoff):
            yield problem.graph.nodes[source], problem.near_lengths(source, *near)
        return
    for source, distances, _ in rows or problem.held_rows():
        yield problem.graph.nodes[source], problem.table.lengths(source, distances, cutoff)


def _paths(problem, cutoff, rows=None):
    if bounded(cutoff):
        for source, *near in problem.near_rows(cutoff):
            yield problem.graph.nodes[source], problem.near_paths(source, *near)
        return
    for source, distances, before in rows or problem.held_rows():
        yield problem.graph.nodes[source], problem.table.paths(source, distances, before, cutoff)


def _lengths_and_paths(problem, cutoff):
    if bounded(cutoff):
        for source, *near in problem.near_rows(cutoff):
            lengths = problem.near_lengths(source, *near)
            yield problem.graph.nodes[source], (lengths, problem.near_paths(source, *near))
        return
    table = problem.table
    for source, distances, before in problem.held_rows():
        lengths = table.lengths(source, distances, cutoff)
        yield problem.graph.nodes[source], (lengths, table.paths(source, distances, before, cutoff))
