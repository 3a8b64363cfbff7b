"""The peers that are Python packages. Each function takes a matrix of weights (n × n doubles, no path
as infinity) and gives (seconds and CPU seconds of each repetition, distances); making the package's
own graph is not timed. A package that is not installed raises ImportError."""

import importlib.metadata
import time

import numpy as np


def timed(call, repetitions):
    seconds, cpu_seconds = [], []
    for _ in range(repetitions):
        start, cpu_start = time.perf_counter(), time.process_time()
        result = call()
        seconds.append(time.perf_counter() - start)
        cpu_seconds.append(time.process_time() - cpu_start)
    return (seconds, cpu_seconds), result


def edges(matrix):
    finite = np.isfinite(matrix) & ~np.eye(len(matrix), dtype=bool)
    tails, heads = np.nonzero(finite)
    return tails, heads, matrix[finite]


def scipy(matrix, repetitions):
    from scipy.sparse.csgraph import floyd_warshall

    return timed(lambda: floyd_warshall(matrix), repetitions)


def igraph(matrix, repetitions):
    import igraph

    tails, heads, weights = edges(matrix)
    graph = igraph.Graph(
        n=len(matrix), edges=np.column_stack([tails, heads]), directed=True,
        edge_attrs={"weight": weights})
    seconds, rows = timed(
        lambda: graph.distances(weights="weight", algorithm="dijkstra"), repetitions)
    return seconds, np.array(rows)


def networkit(matrix, repetitions, threads):
    import networkit

    networkit.setNumberOfThreads(threads)
    tails, heads, weights = edges(matrix)
    graph = networkit.GraphFromCoo(
        (weights, (tails.astype(np.uint64), heads.astype(np.uint64))), n=len(matrix),
        weighted=True, directed=True)

    def solve():
        apsp = networkit.distance.APSP(graph)
        apsp.run()
        return apsp

    seconds, apsp = timed(solve, repetitions)
    distances = np.array(apsp.getDistances())
    distances[distances >= np.finfo(np.float64).max] = np.inf
    return seconds, distances


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
