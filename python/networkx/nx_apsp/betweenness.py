"""Betweenness of nodes and edges: sums by the engine, samples and scales by NetworkX."""

import inspect

import apsp
import networkx as nx
import numpy as np
from networkx.algorithms.centrality import betweenness as theirs

from nx_apsp.engine import Problem, settings


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    problem = _counted(G, weight)
    if k == len(G):
        k = None
    sampled, sums = _sums(problem, k, seed, apsp.betweenness, endpoints=bool(endpoints))
    found = dict(zip(G.nodes, sums.tolist()))
    return _rescaled(theirs._rescale, found, G, normalized, sampled, endpoints=endpoints)


def edge_betweenness_centrality(G, k=None, normalized=True, weight=None, seed=None):
    if G.is_multigraph():
        raise NotImplementedError("keys of parallel edges are not converted")
    problem = _counted(G, weight)
    sampled, (tails, heads, sums) = _sums(problem, k, seed, apsp.edge_betweenness)
    n = len(G)
    arcs = np.append(tails * n + heads, n * n)  # rising; the last one is none
    sums = np.append(sums, 0.0)

    def of(ends, others):
        wanted = ends.astype(np.int64) * n + others
        found = np.searchsorted(arcs, wanted)
        return np.where(arcs[found] == wanted, sums[found], 0.0)  # a loop has none

    sources, targets = G.arc_sources(), G.targets
    if not G.is_directed():  # as its edges are listed: from the node that comes first
        kept = sources <= targets
        sources, targets = sources[kept], targets[kept]
    values = of(sources, targets)
    if not G.is_directed():
        values = values + of(targets, sources)
    ends = zip(map(G.nodes.__getitem__, sources.tolist()), map(G.nodes.__getitem__, targets.tolist()))
    found = dict(zip(ends, values.tolist()))
    rescale = getattr(theirs, "_rescale_e", theirs._rescale)  # of NetworkX 3.5
    return _rescaled(rescale, found, G, normalized, sampled)


def _counted(G, weight):
    problem = Problem(G, weight)
    if len(G.targets) and problem.weights.least <= 0:
        raise NotImplementedError("a weight of 0 makes any number of shortest paths")
    return problem


def _sums(problem, k, seed, call, **options):
    """The sampled nodes, None for all, and what `call` sums up over ordered pairs."""
    G, graph, sampled, sources = problem.graph, problem.engine(), None, None
    if k is not None:
        seed = nx.utils.create_py_random_state(seed)
        state = seed.getstate()
        sampled = seed.sample(list(G.nodes), k)
        sources = [G.index[node] for node in sampled]
    if sources == []:  # no path is looked at
        graph, sources = apsp.Graph.from_edges([], [], n=len(G)), None
    chosen = settings()
    try:
        found = call(graph, sources=sources, scale="sums", device=chosen.device, threads=chosen.threads, **options)
    except apsp.UsageError as error:  # such as weights that are lost in sums
        if sampled is not None:
            seed.setstate(state)  # NetworkX draws the same sample
        raise NotImplementedError(str(error)) from error
    return sampled, found


def _rescaled(rescale, values, G, normalized, sampled, **options):
    """`values` by NetworkX's own rule, which differs from version to version."""
    known = inspect.signature(rescale).parameters
    if "sampled_nodes" in known:  # else it does not scale samples
        options["sampled_nodes"] = sampled
        if "k" in known:
            options["k"] = None if sampled is None else len(sampled)
    return rescale(values, len(G), normalized=normalized, directed=G.is_directed(), **options)
