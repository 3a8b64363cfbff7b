#!/usr/bin/env python3
"""Clusters along a network: rows up to a limit, from SciPy as all pairs and from apsp as a radius graph, and scikit-learn's DBSCAN of each.

    bench/near/clusters.py [--vertices N] [--limit D]

Prints CPU seconds of all threads and bytes of the distances; labels must be equal. SciPy's infinities become a number beyond the limit,
because scikit-learn refuses them.
"""
import pathlib
import sys

import numpy as np
import scipy.sparse.csgraph
from sklearn.cluster import DBSCAN

import apsp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import asked, timed  # noqa: E402


def main():
    options = asked(__doc__, vertices=8_000, limit=150.0)
    matrix = apsp.generate("roads", options.vertices, directed=False).to_scipy()
    clusters = DBSCAN(eps=options.limit, min_samples=20, metric="precomputed")

    def dense():
        rows = scipy.sparse.csgraph.dijkstra(matrix, directed=False, limit=options.limit)
        return np.minimum(rows, 2 * options.limit, out=rows)

    def sparse():
        return apsp.csgraph.dijkstra(matrix, directed=False, limit=options.limit, sparse=True)

    labels = []
    for name, call in (("SciPy", dense), ("apsp", sparse)):
        rows, (_, cpu) = timed(call)
        found, (_, fitting) = timed(lambda: clusters.fit_predict(rows))
        labels.append(found)
        size = rows.nbytes if isinstance(rows, np.ndarray) else rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes
        print(f"{name:6} rows {cpu:8.4f} CPU s {size / 1e6:8.1f} MB, DBSCAN {fitting:8.4f} CPU s, {found.max() + 1} clusters")
    assert np.array_equal(*labels)


if __name__ == "__main__":
    main()
