"""A maze: the way out, the two places that are furthest apart, and how far everything is from the door.

The maze is dug here, by a walk that turns back where it is stuck; then some walls are broken.
"""

from collections import deque

import numpy as np

import apsp

# %% Dig: a cell is (row, column), a passage an edge between two cells.
ROWS, COLUMNS = 15, 30
random = np.random.default_rng(3)


def beside(cell):
    row, column = cell
    near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return [(r, c) for r, c in near if 0 <= r < ROWS and 0 <= c < COLUMNS]


passages, dug, walk = [], {(0, 0)}, [(0, 0)]
while walk:
    fresh = [cell for cell in beside(walk[-1]) if cell not in dug]
    if not fresh:
        walk.pop()
        continue
    cell = fresh[random.integers(len(fresh))]
    passages.append((walk[-1], cell))
    dug.add(cell)
    walk.append(cell)
for _ in range(20):
    row, column = int(random.integers(ROWS)), int(random.integers(COLUMNS - 1))
    passages.append(((row, column), (row, column + 1)))

# %% All ways at once. Cells are labels; an edge counts 1.
maze = apsp.Graph.from_edges([a for a, _ in passages], [b for _, b in passages], directed=False)
result = apsp.solve(maze)
door, exit_ = (0, 0), (ROWS - 1, COLUMNS - 1)
way = result.path(door, exit_)
print(f"from the door to the exit: {result.distance(door, exit_):.0f} steps")
assert way[0] == door and way[-1] == exit_ and len(way) - 1 == result.distance(door, exit_)
assert all(b in beside(a) for a, b in zip(way, way[1:]))

# %% The same by hand: a wave from the door.
near = {cell: set() for cell in dug}
for a, b in passages:
    near[a].add(b)
    near[b].add(a)
steps, wave = {door: 0}, deque([door])
while wave:
    cell = wave.popleft()
    for other in near[cell] - steps.keys():
        steps[other] = steps[cell] + 1
        wave.append(other)
assert result.row(door).tolist() == [steps[cell] for cell in maze.labels]

# %% Where to hide something: the longest of all shortest ways.
one, other = result.statistics["diameter_pair"]
print(f"furthest apart: {one} and {other}, {result.statistics['diameter']:.0f} steps")
assert result.statistics["diameter"] >= max(steps.values())

# %% The maze with the way out.
on_way = set(way)
for row in range(ROWS):
    print("".join(("•" if (row, column) in on_way else " ")
                  + (" " if (row, column + 1) in near[row, column] else "|") for column in range(COLUMNS)))
    print("".join(("  " if (row + 1, column) in near[row, column] else "--") for column in range(COLUMNS)))
