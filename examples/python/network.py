"""A social network: who is central, and how small the world is.

The network grows here: each of 2,000 people meets four who know many already (Barabási, Albert 1999). With
data of your own: network = apsp.read("friends.csv"), or apsp.Graph.from_pandas, from_networkx, …
"""

import numpy as np

import apsp

# %% The network: an edge a friendship; every end stands in `seats`, so that who knows many is met often.
random = np.random.default_rng(2)
friends, seats = [(0, 1), (1, 2), (2, 3), (3, 0)], [0, 1, 1, 2, 2, 3, 3, 0]
for person in range(4, 2000):
    for other in {seats[i] for i in random.integers(0, len(seats), 4)}:
        friends.append((person, other))
        seats += person, other
ends = np.array(friends)
network = apsp.Graph.from_edges(ends[:, 0], ends[:, 1], directed=False)
print(network)

# %% All distances, and what they say. Every edge counts 1.
result = apsp.solve(network)
statistics = result.statistics
print(f"two people are {statistics['mean']:.2f} steps apart, at most {statistics['diameter']:.0f}")
assert statistics["connected"] and statistics["mean"] < 5 and statistics["diameter"] <= 10

# %% Centralities of everybody at once.
degree = np.bincount(ends.ravel())
centralities = {name: statistics[name] for name in ("closeness", "harmonic")}
for name, values in centralities.items():
    top = values.argsort()[::-1][:5]
    print(f"{name:9}", ", ".join(f"{person} ({values[person]:.3f}, {degree[person]} friends)" for person in top))
    assert degree[top].min() > 5 * degree.mean(), "who is central knows many"

# %% What the numbers mean, by hand, for one person.
person = int(statistics["closeness"].argmax())
steps = result.row(person)
others = steps[np.arange(len(steps)) != person]
np.testing.assert_allclose(centralities["closeness"][person], len(others) / others.sum())
np.testing.assert_allclose(centralities["harmonic"][person], (1 / others).sum())
assert statistics["eccentricity"][person] == others.max()

# %% How two people far apart know each other.
one, other = statistics["diameter_pair"]
chain = result.path(one, other)
print("the longest chain:", " – ".join(map(str, chain)))
assert len(chain) - 1 == statistics["diameter"]
known = {frozenset(pair) for pair in ends.tolist()}
assert all(frozenset(step) in known for step in zip(chain, chain[1:]))
