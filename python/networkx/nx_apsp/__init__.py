"""NetworkX backend "apsp": all-pairs shortest paths by the engine of the package apsp.

    nx.config.backend_priority.algos = ["apsp"]     # for every call that pays
    nx.average_shortest_path_length(G, weight="weight", backend="apsp")     # for one

docs/python-networkx.md lists the functions, the settings and every difference.
"""

from importlib.metadata import version

from nx_apsp import backend
from nx_apsp.graph import ApspGraph

__all__ = ["ApspGraph", "backend"]
__version__ = version("nx-apsp")
