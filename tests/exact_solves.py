"""Random graphs and their distances in exact arithmetic, for tests of every door of the program.

Doubles are whole numbers of units of 2^-1074: Python's integers add them without rounding.
APSP_EXACT_SOLVES says how many solves a test tries, APSP_EXACT_SEED the first seed.
"""

import collections
import math
import os
import random
import re

import numpy as np

UNIT = 1074
SEMIRINGS = ("min-plus", "min-plus", "min-plus", "max-plus", "max-min", "min-max")


def trials(few):
    """Seeds of as many solves as the environment asks for."""
    first = int(os.environ.get("APSP_EXACT_SEED", "1"))
    return range(first, first + int(os.environ.get("APSP_EXACT_SOLVES", few)))


def exact(value):
    numerator, denominator = float(value).as_integer_ratio()
    return numerator * (1 << UNIT) // denominator


class Problem:
    """A graph of 3 to 14 vertices: `weights` [n, n], NaN where there is no arc."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        self.seed, self.n = seed, self.random.randint(3, 14)
        self.semiring = pick(SEMIRINGS)
        self.acyclic = self.semiring == "max-plus" or self.random.random() < 0.2
        self.directed = self.acyclic or self.random.random() < 0.7
        bottleneck = self.semiring in ("max-min", "min-max")
        self.signed = self.directed and (self.acyclic or bottleneck) and self.random.random() < 0.5
        self.dtype = pick(("auto", "auto", "f32", "f64"))
        self.algorithm = pick(("auto", "floyd-warshall", "johnson", "nested-dissection"))
        self.tolerance = pick((1e-5, 1e-5, 1e-7, 0.0))
        self._scale = pick(("decimals", "close", "wide", "subnormal", "whole", "extreme"))
        self._centre = self.random.uniform(-300, 300)
        self.weights = self._matrix()

    def _matrix(self):
        density = self.random.uniform(0.1, 1)
        weights = np.full((self.n, self.n), np.nan)
        for u in range(self.n):
            for v in range(u + 1 if self.acyclic or not self.directed else 0, self.n):
                if u == v or (v != u + 1 and self.random.random() > density):
                    continue
                weights[u, v] = self._weight()
                if not self.directed:
                    weights[v, u] = weights[u, v]
        return weights

    def _weight(self):
        size = self._magnitude()
        return -size if self.signed and self.random.random() < 0.4 else size

    def _magnitude(self):
        draw = self.random.uniform
        if self._scale == "decimals":
            return 0.1 * self.random.randrange(100)
        if self._scale == "close":
            return 10.0**self._centre * draw(0.5, 1.5)
        if self._scale == "wide":
            return 10.0**draw(-300, 300)
        if self._scale == "subnormal":
            return self.random.choice((0.0, *(10.0**draw(-323, -305) for _ in range(8))))
        if self._scale == "whole":
            return float(self.random.randrange(2**self.random.randint(3, 62)))
        return 10.0**self.random.choice((draw(-46, -36), draw(36, 40)))

    def edges(self):
        """(u, v, weight), an undirected one once."""
        return [(u, v, self.weights[u, v]) for u in range(self.n) for v in range(self.n)
                if not np.isnan(self.weights[u, v]) and (self.directed or u < v)]

    def edge_list(self):
        return "".join(f"{u} {v} {float(w)!r}\n" for u, v, w in self.edges())

    def as_matrix(self):
        """The weights as a matrix of float64 or float32, infinity where there is no arc."""
        matrix = np.where(np.isnan(self.weights), np.inf, self.weights)
        np.fill_diagonal(matrix, 0)
        largest = np.max(np.abs(self.weights[~np.isnan(self.weights)]))
        if self.random.random() < 0.5 and largest < np.finfo(np.float32).max:
            matrix = matrix.astype(np.float32)
            self.weights = np.where(np.isnan(self.weights), np.nan, matrix).astype(np.float64)
        return matrix

    def may_lose_in_f32(self):
        with np.errstate(over="ignore"):
            held = self.weights.astype(np.float32).astype(np.float64)
        small = np.abs(self.weights) < np.finfo(np.float32).tiny
        return bool(np.any(small & (held != self.weights)))

    def longest(self):
        rows = np.nanmax(np.abs(self.weights), axis=1, initial=0)
        return math.fsum(rows)


class Comparison:
    """Distances against the exact ones. Counts what it compares."""

    def __init__(self):
        self.doors, self.refused = collections.Counter(), collections.Counter()
        self.distances, self.worst = 0, 0.0

    def compare(self, door, problem, found, precision, none):
        """found: [n, n], `none` where there is no path. `precision`: as the plan prints it."""
        self.doors[door] += 1
        sums = problem.semiring in ("min-plus", "max-plus")
        best = best_paths(problem.weights, problem.semiring)
        for u in range(problem.n):
            for v in range(problem.n):
                if u == v:
                    continue
                what = f"seed {problem.seed}: {u} to {v} is {found[u, v]!r} ({precision})"
                truth = best[u][v]
                assert (found[u, v] == none) == (truth is None), what
                if truth is None:
                    continue
                self.distances += 1
                error = abs(exact(found[u, v]) - truth[0])
                allowed = bound_of(precision, truth[0], truth[1] if sums else 1)
                if error > allowed and "an edge" in precision:
                    most = most_edges(problem, u, v, truth[0])
                    allowed = bound_of(precision, truth[0], most)
                assert error <= allowed, what + f", not {truth[0] / (1 << UNIT)!r}"
                if allowed:
                    self.worst = max(self.worst, error / allowed)

    def refuse(self, problem, message):
        """A refusal must be true of the graph."""
        message = message.splitlines()[0]
        if "would lose digits in f32" in message:
            assert problem.dtype == "f32" and problem.may_lose_in_f32(), message
        elif "which f32 does not hold" in message:
            assert problem.longest() > float(np.finfo(np.float32).max) / 6, message
        elif "below 2^53" in message:
            given = problem.weights[~np.isnan(problem.weights)]
            assert np.all(given == np.trunc(given)) and problem.longest() >= 2**53, message
        else:
            raise AssertionError(f"seed {problem.seed}: {message}")
        self.refused[re.sub(r"[-+\d.e]*\d", "#", message)] += 1

    def tell(self):
        print(f"\n{dict(self.doors)}, refused {dict(self.refused)}; {self.distances} distances, the "
              f"largest error {self.worst:.3f} of its bound")


def bound_of(precision, distance, edges):
    """What the plan's words allow, in units."""
    if precision == "exact":
        return 0
    if found := re.fullmatch(r"no distance is off by more than (\S+)", precision):
        return exact(found[1])
    found = re.match(r"error at most ([-\d.e]+)( an edge of the path)?, relative", precision)
    return exact(found[1]) * edges * abs(distance) >> UNIT


def best_paths(weights, semiring):
    """[n][n] (exact value, fewest edges) of the best path, None where there is none."""
    n = len(weights)
    least = semiring in ("min-plus", "min-max")
    sign = 1 if least else -1
    best = [[None if np.isnan(w) else (sign * exact(w), 1) for w in row] for row in weights]
    sums = semiring in ("min-plus", "max-plus")
    for k in range(n):
        for u in range(n):
            for v in range(n):
                first, second = best[u][k], best[k][v]
                if first is None or second is None or len({u, v, k}) < 3:
                    continue
                joined = first[0] + second[0] if sums else max(first[0], second[0])
                way = (joined, first[1] + second[1])
                best[u][v] = way if best[u][v] is None else min(best[u][v], way)
    return [[None if p is None else (sign * p[0], p[1]) for p in row] for row in best]


def most_edges(problem, u, v, distance):
    """The most edges of a walk whose exact sum is about as good as the distance."""
    sign = 1 if problem.semiring == "min-plus" else -1
    now, most = {u: 0}, 0
    for edges in range(1, problem.n):
        following = {}
        for a, length in now.items():
            for b in range(problem.n):
                if np.isnan(problem.weights[a, b]):
                    continue
                sum_ = length + sign * exact(problem.weights[a, b])
                following[b] = min(sum_, following.get(b, sum_))
        now = following
        near = abs(distance) * problem.n >> 22  # n roundings of f32, and as much again
        if v in now and now[v] - sign * distance <= near:
            most = edges
    return most
