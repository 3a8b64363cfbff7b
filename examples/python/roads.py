"""A road network: isochrones around a station, an origin-destination table, and a route.

The town is made here: streets between 60 × 60 crossings with minutes by length and speed, some of them closed.
With a file of your own: roads = apsp.read("roads.gr").
"""

import numpy as np

import apsp

# %% The town: a crossing is named by its street and avenue; main roads are twice as fast.
SIDE = 60
random = np.random.default_rng(1)
ends, minutes = [], []
for street in range(SIDE):
    for avenue in range(SIDE):
        for other in ((street + 1, avenue), (street, avenue + 1)):
            if max(other) < SIDE and random.random() < 0.9:
                main = street % 10 == 0 and other[0] == street or avenue % 10 == 0 and other[1] == avenue
                ends.append(((street, avenue), other))
                minutes.append(random.uniform(0.5, 1.5) / (2 if main else 1))
roads = apsp.Graph.from_edges([a for a, _ in ends], [b for _, b in ends], minutes, directed=False)
print(roads)

# %% Isochrones: how much of the town lies within so many minutes of the station?
station = (30, 30)
result = apsp.solve(roads, keep="factor")  # megabytes; a row of it takes milliseconds
times = result.row(station)
inside = {limit: int((times <= limit).sum()) for limit in (5, 10, 20, 40)}
for limit, crossings in inside.items():
    print(f"within {limit:2} minutes: {crossings:5,} crossings")
assert list(inside.values()) == sorted(inside.values()) and inside[40] > inside[5] > 0

# %% An origin-destination table: from three depots to five customers, and nothing else.
depots = [(0, 0), (30, 59), (59, 10)]
customers = [(10, 40), (45, 45), (20, 5), (55, 55), (30, 31)]
table = apsp.solve(roads, sources=depots, targets=customers, value_type="f64").distances
print("minutes from", depots, "to", customers)
print(table.round(1))
nearest = [depots[row] for row in table.argmin(0)]
print("each customer is served from", nearest)
assert table.shape == (3, 5)
np.testing.assert_allclose(table, [[result.distance(a, b) for b in customers] for a in depots], rtol=1e-5)

# %% A route, and whether it takes what the table says.
route = result.path(depots[0], customers[0])
weight = {frozenset(pair): time for pair, time in zip(ends, minutes)}
assert route[0] == depots[0] and route[-1] == customers[0]
took = sum(weight[frozenset(step)] for step in zip(route, route[1:]))
print(f"from {depots[0]} to {customers[0]} over {len(route) - 2} crossings: {took:.1f} minutes")
np.testing.assert_allclose(took, table[0, 0], rtol=1e-5)

# %% To look at, where matplotlib is installed:
#    places = np.array(roads.labels)[:, ::-1]
#    result.plot.map(times, coordinates=places).figure.savefig("isochrones.png")
