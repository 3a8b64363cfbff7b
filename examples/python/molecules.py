"""Distance encodings of molecules: what graph transformers such as Graphormer are given for every pair of atoms.

The molecules are random trees with a few rings, made here. Tensors are PyTorch's if it is installed, else NumPy's.
"""

import numpy as np

import apsp

try:
    import torch
except ImportError:
    torch = None
    print("PyTorch is not installed: arrays of NumPy take the place of tensors")

MOST_BONDS = 6  # longer distances share one encoding

# %% A data set: molecules of 9 to 30 atoms, as edges in both directions.
random = np.random.default_rng(1)


def molecule(atoms):
    first = np.arange(1, atoms)
    bonds = np.stack([first, random.integers(np.maximum(0, first - 3), first)])
    rings = random.integers(0, atoms, (2, 2))
    bonds = np.concatenate([bonds, rings[:, rings[0] != rings[1]]], axis=1)
    return atoms, *np.concatenate([bonds, bonds[::-1]], axis=1)


molecules = [molecule(int(atoms)) for atoms in random.integers(9, 31, 2000)]

# %% All numbers of bonds in one call: one array for the whole data set, −1 beyond a molecule's atoms.
bonds = apsp.solve_batch(molecules, unweighted=True, pad=-1)
assert bonds.shape == (2000, 30, 30) and bonds.max() > MOST_BONDS
assert all((bonds[i, :n, :n] >= 0).all() and (bonds[i, n:] == -1).all() for i, (n, *_) in enumerate(molecules))

# %% The encoding: clipped distances as indices of an embedding. Index 0 is for pairs without a path.
index = np.where(bonds < 0, 0, np.minimum(bonds, MOST_BONDS) + 1)
if torch is not None:
    torch.manual_seed(1)
    bias = torch.nn.Embedding(MOST_BONDS + 2, 4)(torch.from_numpy(index.astype(np.int64)))
else:
    bias = random.standard_normal((MOST_BONDS + 2, 4))[index]
assert tuple(bias.shape) == (2000, 30, 30, 4)
print("attention bias of", bias.shape[0], "molecules:", tuple(bias.shape))

# %% Adjacency matrices of equal size are solved as they are: a tensor gives a tensor.
adjacency = bonds == 1
batch = adjacency if torch is None else torch.from_numpy(adjacency)
near = apsp.solve_batch(batch, unweighted=True, cutoff=3)
assert type(near) is type(batch) and int(near.max()) == 3
assert (np.asarray(near) == np.where(bonds > 3, -1, bonds))[bonds >= 0].all()

# %% Which bonds a path crosses, for encodings of edges: intermediate vertices take it apart.
hops, via = apsp.solve_batch(molecules[:1], unweighted=True, via=True)


def path(i, j):
    k = via[0][i, j]
    return [i, j] if k < 0 else path(i, k) + path(k, j)[1:]


far = np.unravel_index(hops[0].argmax(), hops[0].shape)
atoms = path(*map(int, far))
assert len(atoms) == hops[0].max() + 1 and all(hops[0][step] == 1 for step in zip(atoms, atoms[1:]))
print("the longest chain of the first molecule:", " – ".join(map(str, atoms)))
