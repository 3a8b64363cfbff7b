"""Results that are read, or changed, while other runs replace them. APSP_BIN names the program."""

import ctypes
import os
import pathlib
import random
import subprocess
import time

import numpy as np

from conftest import binary, environment
from killed import run

RESULT = "r.zarr"
REPLACED = "another run replaced or removed this result while it was read"


def start(words, folder, text=None):
    process = subprocess.Popen([binary(), *map(str, words)], cwd=folder, env=environment(),
                               stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    if text is not None:
        process.stdin.write(text.encode())
    process.stdin.close()
    process.stdin = None  # communicate leaves it alone
    return process


def exchange(one, other):
    """Two names change places at once."""
    libc = ctypes.CDLL(None, use_errno=True)
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    if libc.renameat2(here, os.fsencode(one), here, os.fsencode(other), swap) != 0:
        raise OSError(ctypes.get_errno(), f"{one} and {other}")


class Replacements:
    """Solves of two graphs take turns at one result, which is read meanwhile."""

    def __init__(self, folder, vertices=500):
        self.folder = pathlib.Path(folder)
        self.whole = []
        for seed in (1, 2):
            run(["generate", "gnp", f"{seed}.gr", "--vertices", vertices, "--seed", seed, "--quiet"], folder)
            self.solve(seed)
            run(["convert", RESULT, f"{seed}.npy"], folder)
            self.whole.append(np.load(self.folder / f"{seed}.npy"))
        self.of_one = self.refused = self.mixed = 0

    def words(self, seed):
        return ["solve", f"{seed}.gr", "-o", RESULT, "--tile", 16, "--algorithm", "floyd-warshall",
                "--no-statistics", "--quiet"]

    def solve(self, seed):
        run(self.words(seed), self.folder)

    def judge(self, reader, out):
        said = reader.communicate(timeout=120)[1].decode()
        if reader.returncode != 0:
            assert reader.returncode == 6 and REPLACED in said, said
            self.refused += 1
            return
        found = np.load(out)
        out.unlink()
        if any(np.array_equal(found, whole) for whole in self.whole):
            self.of_one += 1
        else:
            self.mixed += 1

    def exchange(self, times):
        """The same by another folder that takes the result's name, and gives it back."""
        self.solve(1)
        (self.folder / RESULT).rename(self.folder / "other.zarr")
        self.solve(2)
        for _ in range(times):
            out = self.folder / "out.npy"
            reader = start(["convert", RESULT, out], self.folder)
            while reader.poll() is None:
                exchange(self.folder / "other.zarr", self.folder / RESULT)
                time.sleep(random.uniform(0, 0.02))
            self.judge(reader, out)
        return self

    def run(self, replacements, readers=2):
        running = []
        for number in range(replacements):
            solve = start(self.words(1 + number % 2), self.folder)
            while solve.poll() is None:
                while len(running) < readers:
                    out = self.folder / f"o{random.getrandbits(40)}.npy"
                    running.append((start(["convert", RESULT, out], self.folder), out))
                for reader in [reader for reader in running if reader[0].poll() is not None]:
                    running.remove(reader)
                    self.judge(*reader)
                time.sleep(0.001)
            said = solve.communicate()[1].decode()
            assert solve.returncode == 0, said
        for reader in running:
            self.judge(*reader)
        return self


class Updates:
    """Two updates at once, each of another arc of one factor."""

    def __init__(self, folder, vertices=400):
        self.folder = pathlib.Path(folder)
        run(["generate", "grid", "grid.gr", "--vertices", vertices, "--quiet"], folder)
        run(["solve", "grid.gr", "-o", RESULT, "--keep", "factor", "--no-statistics", "--dtype",
             "i32", "--quiet"], folder)
        self.arcs = list(self.weights())
        self.lost = self.refused = 0

    def weights(self):
        run(["convert", RESULT, "now.csv"], self.folder)
        rows = [line.split(",") for line in (self.folder / "now.csv").read_text().splitlines() if line[0].isdigit()]
        return {(origin, target): float(weight) for origin, target, weight in rows}

    def pair(self):
        changes = [(arc, random.randint(1, 1000)) for arc in random.sample(self.arcs, 2)]
        running = []
        for (origin, target), weight in changes:
            running.append(start(["update", RESULT, "-"], self.folder, f"{origin} {target} {weight}\n"))
            time.sleep(random.uniform(0, 0.02))
        done = []
        for process, change in zip(running, changes):
            said = process.communicate(timeout=120)[1].decode()
            if process.returncode == 0:
                done.append(change)
            else:
                assert "another run" in said, said
                self.refused += 1
        weights = self.weights()
        self.lost += sum(weights[arc] != weight for arc, weight in done)

    def run(self, pairs):
        for _ in range(pairs):
            self.pair()
        return self
