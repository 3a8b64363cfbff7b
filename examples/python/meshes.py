"""A triangle mesh from an OFF file: how far it is along the edges of its triangles.

A path along edges is no geodesic: it may not cut through triangles, and is longer than the shortest way on the
surface. On a sphere, whose geodesics are known, this script shows by how much.
"""

import io

import numpy as np

import apsp

# %% Read OFF: a line "OFF", the numbers of vertices, faces and edges, then vertices, then faces "3 a b c".


def read_off(file):
    words = iter(file.read().split())
    if next(words) != "OFF":
        raise ValueError("an OFF file begins with OFF")
    vertices, faces, _ = (int(next(words)) for _ in range(3))
    points = np.array([float(next(words)) for _ in range(3 * vertices)]).reshape(vertices, 3)
    corners = []
    for _ in range(faces):
        around = [int(next(words)) for _ in range(int(next(words)))]
        corners += [(around[0], b, c) for b, c in zip(around[1:], around[2:])]  # a polygon as a fan of triangles
    return points, np.array(corners)


octahedron = """OFF
6 8 12
1 0 0   -1 0 0   0 1 0   0 -1 0   0 0 1   0 0 -1
3 0 2 4   3 2 1 4   3 1 3 4   3 3 0 4   3 2 0 5   3 1 2 5   3 3 1 5   3 0 3 5
"""
points, triangles = read_off(io.StringIO(octahedron))

# %% Finer: every triangle becomes four, and new points are lifted to the sphere.


def edges_of(triangles):
    ends = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    return np.unique(ends, axis=0, return_inverse=True)


for _ in range(5):
    edges, of = edges_of(triangles)
    a, b, c = triangles.T
    ab, bc, ca = len(points) + of.reshape(-1, 3).T
    middle = points[edges].sum(axis=1)
    points = np.concatenate([points, middle / np.linalg.norm(middle, axis=1, keepdims=True)])
    triangles = np.concatenate([np.stack(three, axis=1) for three in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])

# %% The graph of the edges, as long as they are in space.
edges, _ = edges_of(triangles)
sides = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
mesh = apsp.Graph.from_edges(edges[:, 0], edges[:, 1], sides, n=len(points), directed=False)
assert len(points) - len(edges) + len(triangles) == 2  # Euler: a sphere

# %% From the north pole along edges, and along great circles.
along_edges = apsp.solve(mesh, value_type="f64", keep="factor", statistics=False).row(4)
geodesics = np.arccos(np.clip(points @ points[4], -1, 1))
chords = np.linalg.norm(points - points[4], axis=1)
longer = along_edges[geodesics > 0.1] / geodesics[geodesics > 0.1]
print(f"{len(points):,} vertices, {len(triangles):,} triangles; paths along edges are up to {longer.max():.2f} times "
      f"as long as geodesics, {longer.mean():.2f} on average")
assert (along_edges >= chords - 1e-12).all() and 1.02 < longer.mean() < 1.2 and longer.max() < 1.5
