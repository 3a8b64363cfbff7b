"""User equilibrium of a network like Sioux Falls: no driver gains by another path (Wardrop 1952), where times grow with the loads of streets.

By Frank and Wolfe's method (1956). Every round puts the present travel times into a metric of one factor, whose order stays,
assigns all trips to the fastest paths by `apsp.flow`, and moves a part of the way there. The relative gap is the share of all
driven time that fastest paths would save.
"""

import pathlib
import tempfile

import numpy as np

import apsp

# %% The streets of Sioux Falls between 24 zones, as drawn by LeBlanc, Morlok and Pierskalla (1975), in both directions.
# Free travel times (tenths of a minute), capacities (cars an hour) and trips are invented, not theirs.
STREETS = """1-2 1-3 2-6 3-4 3-12 4-5 4-11 5-6 5-9 6-8 7-8 7-18 8-9 8-16 9-10 10-11 10-15 10-16 10-17 11-12 11-14 12-13 13-24
             14-15 14-23 15-19 15-22 16-17 16-18 17-19 18-20 19-20 20-21 20-22 21-22 21-24 22-23 23-24"""
random = np.random.default_rng(24)
ends = np.array([street.split("-") for street in STREETS.split()], int) - 1
tails, heads = np.concatenate([ends, ends[:, ::-1]]).T
town = apsp.Graph.from_edges(tails, heads, random.integers(20, 60, len(tails)), n=24)
assert len(tails) == 76
free = town.edges()[2]
capacity = random.integers(300, 900, len(free)).astype(float)
trips = [(s, t, float(random.integers(5, 60))) for s in range(24) for t in range(24) if s != t]


# %% How times grow with loads, and how far to move.
def times(loads):
    """The function of the Bureau of Public Roads (1964)."""
    return free * (1 + 0.15 * (loads / capacity) ** 4)


def step(loads, assigned):
    """The part of the way on which the sum of all integrals of times falls (Beckmann 1956)."""
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        falls = times(loads + middle * (assigned - loads)) @ (assigned - loads) < 0
        low, high = (middle, high) if falls else (low, middle)
    return low


# %% The rounds.
folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name) / "town.zarr"
apsp.solve(town, keep="factor", output=path)
loads, gaps = apsp.flow(town, trips).volumes, []
while not gaps or (gaps[-1] > 3e-3 and len(gaps) < 100):
    now = apsp.update(path, weights=times(loads), metric="now")
    fastest = apsp.flow(now, trips)
    gaps.append(1 - fastest.costs[0] / (times(loads) @ loads))
    loads = loads + step(loads, fastest.volumes) * (fastest.volumes - loads)
print(f"relative gap {gaps[0]:.3f} after the first round, {gaps[-1]:.5f} after {len(gaps)}")

# %% Fastest paths would save less than three thousandths.
assert gaps[-1] <= 3e-3 < gaps[0] and (loads >= 0).all()
folder.cleanup()
