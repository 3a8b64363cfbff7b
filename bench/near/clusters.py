#!/usr/bin/env python3
"""Clusters along a network: rows up to a limit, from SciPy as all pairs and from apsp as a radius graph, and scikit-learn's DBSCAN of each.

    bench/near/clusters.py [--vertices N] [--limit D]

Prints CPU seconds of all threads and bytes of the distances; labels must be equal. SciPy's infinities become a number beyond the limit,
because scikit-learn refuses them.
"""
import argparse
import pathlib
import sys

import numpy as np
import scipy.sparse.csgraph
from sklearn.cluster import DBSCAN

import apsp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import timed  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=8_000)
    parser.add_argument("--limit", type=float, default=150)
    asked = parser.parse_args()
    matrix = apsp.generate("roads", asked.vertices, directed=False).to_scipy()
    clusters = DBSCAN(eps=asked.limit, min_samples=20, metric="precomputed")

    def dense():
        rows = scipy.sparse.csgraph.dijkstra(matrix, directed=False, limit=asked.limit)
        return np.minimum(rows, 2 * asked.limit, out=rows)

    def sparse():
        return apsp.csgraph.dijkstra(matrix, directed=False, limit=asked.limit, sparse=True)

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
