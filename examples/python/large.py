"""A matrix that is too large for memory: asked for pair by pair, taken row by row, or solved on disk.

The memory is made small by an option here, so that this takes seconds; a real one is small by itself.
"""

import pathlib
import tempfile

import numpy as np

import apsp

# %% Roads with 22,500 crossings: all distances are 1 GB of 16-bit integers.
roads = apsp.generate("grid", 22_500, directed=False, seed=5)
plan = apsp.plan(roads, keep="matrix", memory="200MiB")
print("all in memory:", plan["what_would_fit"] or "fits")
assert not plan["fits"]
try:
    apsp.solve(roads, keep="matrix", memory="200MiB")
    raise SystemExit("it was solved in memory that it may not take")
except apsp.DoesNotFitError as error:
    print("DoesNotFitError:", str(error)[:100], "…")

# %% The factor of nested dissection has megabytes, and answers from it are exact.
result = apsp.solve(roads, keep="factor", memory="200MiB", statistics=False)
print(result, f"distance 0 … 22,499: {result.distance(0, 22_499):.0f}")
pairs = np.random.default_rng(6).integers(0, 22_500, (1000, 2))
distances = result.distances_of(pairs)
assert result.distance(*pairs[0].tolist()) == distances[0]

# %% Rows as they come: what is asked of all rows needs a few blocks of them at a time.
sources = list(range(0, 22_500, 50))
furthest, rows = {}, 0
for block in apsp.rows(roads, sources=sources, memory="200MiB"):
    rows += len(block.sources)
    furthest.update(zip(block.sources, block.distances.max(1).tolist()))
assert rows == len(furthest) == len(sources)
centre = min(furthest, key=furthest.get)
print(f"of {rows} crossings, {centre} is the most central: nothing is further than {furthest[centre]}")
assert furthest[centre] == result.row(centre).max()

# %% A stored factor is opened in no time and answers the same.
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "roads.zarr"
    apsp.solve(roads, stored="factor", keep="factor", statistics=False, output=path)
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    print(f"{path.name} has {size / 1e6:.0f} MB instead of {2 * 22_500**2 / 1e6:.0f}")
    assert size < 22_500**2 / 5
    np.testing.assert_array_equal(apsp.open(path).distances_of(pairs), distances)

# %% Where there is nothing to dissect, the matrix itself rests on the disk while it is solved.
tangle = apsp.generate("gnp", 3000, probability=0.02, seed=8)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "tangle.npy"
    solved = apsp.solve(tangle, algorithm="floyd-warshall", value_type="f32", output=path, memory="30MiB",
                        statistics=False)
    print(solved.plan)
    stored = np.load(path, mmap_mode="r")
    assert stored.nbytes > 30 * 2**20 > solved.plan["bytes"]
    some = [0, 1234, 2999]
    rows = apsp.solve(tangle, sources=some, algorithm="johnson", value_type="f32").distances
    np.testing.assert_array_equal(stored[some], rows)
