"""The generators all_pairs_*: (node, row) in the order of the nodes.

What the arguments forbid is raised at the call, so that NetworkX can answer instead; what the graph
does, such as a negative cycle, when a row is drawn. Nothing is solved before the first is.
"""

from nx_apsp.engine import Problem


def all_pairs_dijkstra(G, cutoff=None, weight="weight"):
    problem = Problem(G, weight)
    return _lengths_and_paths(problem, problem.rows(), cutoff)


def all_pairs_dijkstra_path(G, cutoff=None, weight="weight"):
    problem = Problem(G, weight)
    return _paths(problem, problem.rows(), cutoff)


def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    problem = Problem(G, weight)
    return _lengths(problem, problem.rows(), cutoff)


def all_pairs_bellman_ford_path(G, weight="weight"):
    problem = Problem(G, weight, signed=True)
    return _paths(problem, problem.rows_until_unbounded(), None)


def all_pairs_bellman_ford_path_length(G, weight="weight"):
    problem = Problem(G, weight, signed=True)
    return _lengths(problem, problem.rows_until_unbounded(), None)


def all_pairs_shortest_path(G, cutoff=None):
    problem = Problem(G, None)
    return _paths(problem, problem.rows(), cutoff)


def all_pairs_shortest_path_length(G, cutoff=None):
    problem = Problem(G, None)
    return _lengths(problem, problem.rows(), cutoff)


def _lengths(problem, rows, cutoff):
    for source, distances, _ in rows:
        yield problem.graph.nodes[source], problem.table.lengths(source, distances, cutoff)


def _paths(problem, rows, cutoff):
    for source, distances, before in rows:
        yield problem.graph.nodes[source], problem.table.paths(source, distances, before, cutoff)


def _lengths_and_paths(problem, rows, cutoff):
    table = problem.table
    for source, distances, before in rows:
        lengths = table.lengths(source, distances, cutoff)
        yield problem.graph.nodes[source], (lengths, table.paths(source, distances, before, cutoff))
