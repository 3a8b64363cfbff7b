"""Random problems whose plan of memory is compared with what the process took.

    python tests/reliability/memory.py [--problems 500] [--jobs N] [--minutes M] [--seed N] [--folder DIR] [--list FILE]

Draws a graph, an engine, a type of value, an output and threads, solves, and reads the peak of the whole
process every millisecond (tests/python/test_memory.py says which pages count). Fails where it is above
1.05 of the plan. So many of the problems are solved by a job of 2 to 4 processes: the greatest of them
counts. --list writes a line of JSON for each problem.

APSP_BIN names the program. --folder: a disk whose files are no memory, so not /dev/shm."""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from conftest import binary, environment
from killed import LAUNCH
from test_memory import MOST, Peak, family, kept_by


def drawn_graph():
    """(words of apsp generate, kind, vertices)."""
    directed = random.choice(["--directed", "--undirected"])
    weights = random.choice([["--weights", "1:1"], [], ["--weights", "1:10000"], ["--real"]])
    kind = random.choice(["grid", "rmat", "gnp", "roads", "dense", "geometric"])
    if kind == "dense":
        n = random.choice([600, 1200, 2000])
        return ["dense", "a.npy", "--vertices", n, *weights[:1 if weights == ["--real"] else 0]], kind, n
    n = random.choice([900, 2000, 4000])
    words = [kind, random.choice(["a.gr", "a.txt", "a.mtx"]), "--vertices", n, directed, *weights]
    if kind == "rmat":
        words += ["--edges", random.choice([2, 8, 20]) * n]
    if kind == "gnp":
        words += ["--probability", random.choice([3, 12]) / n]
    if words[1] == "a.gr" and "--real" in weights:
        words[1] = "a.mtx"
    return words, kind, n


def drawn_words(kind, n):
    words = ["--threads", random.choice([1, 2, 3, 4, 6])]
    algorithm = random.choice(["auto", "floyd-warshall", "floyd-warshall", "nested-dissection", "johnson", "bfs",
                               "boundary"])
    if kind == "dense":
        algorithm = random.choice(["auto", "floyd-warshall", "floyd-warshall"])
    if algorithm == "floyd-warshall" and n > 2000:
        algorithm = "nested-dissection"
    if algorithm != "auto":
        words += ["--algorithm", algorithm]
    semiring = random.choice(["min-plus"] * 4 + ["max-min", "min-max", "or-and"])
    if semiring != "min-plus":
        words += ["--semiring", semiring]
    if random.random() < 0.4 and semiring != "or-and":
        words += ["--dtype", random.choice(["f32", "f64", "i32"])]
    output = random.choice(["", "", "o.zarr", "o.zarr", "o.npy"])
    if output:
        words += ["-o", output]
    if output == "o.zarr":
        words += random.choice([[], [], ["--compress"], ["--predecessors"], ["--compress", "--predecessors"],
                                ["--tile", "128"]])
        if algorithm == "floyd-warshall":
            words += random.choice([[], [], ["--via"], ["--hops"]])
    if random.random() < 0.15:
        words += ["--sources", f"random:{random.choice([10, 200])}"]
    if random.random() < 0.1:
        words += ["--targets", f"random:{random.choice([10, 200])}"]
    if random.random() < 0.1:
        words += ["--verify"]
    if random.random() < 0.1:
        words += ["--no-statistics"] if output else []
    if random.random() < 0.15:
        words += ["--memory", random.choice(["48MiB", "96MiB", "160MiB"])]
    return words


class PeakOfJob:
    """Runs a job of several processes and watches the memory of each, in bytes."""

    def __init__(self, processes, words, folder):
        began = subprocess.Popen(
            [*LAUNCH, "-n", str(processes), *words], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(TMPDIR=str(folder)))
        reader = threading.Thread(target=lambda: setattr(self, "printed", began.communicate()))
        reader.start()
        self.kept = 0
        while reader.is_alive():
            for pid in family(began.pid)[1:]:
                if self.solves(pid):
                    self.kept = max(self.kept, kept_by([pid]) or 0)
            time.sleep(0.001)
        self.code = began.returncode
        assert self.code != 0 or self.kept > 0, "no process of the job was seen"

    @staticmethod
    def solves(pid):
        try:
            return os.path.basename(os.readlink(f"/proc/{pid}/exe")).startswith("apsp")
        except OSError:
            return False


class Problem:
    """A graph and a solve of it, by a job of several processes or by one."""

    def __init__(self, folder, in_job):
        graph, kind, n = drawn_graph()
        self.graph, self.words = [str(word) for word in graph], [str(word) for word in drawn_words(kind, n)]
        self.folder, self.processes = folder, random.choice([2, 2, 3, 4]) if in_job else 1

    def run(self):
        """None where the words do not go together; else (bytes taken, bytes planned)."""
        made = subprocess.run([binary(), "generate", *self.graph, "--quiet"], cwd=self.folder, env=environment(),
                              capture_output=True)
        if made.returncode != 0:
            return None
        words = [binary(), "solve", self.graph[1], "--json", "--device", "cpu", *self.words]
        peak = Peak(words, self.folder) if self.processes == 1 else PeakOfJob(self.processes, words, self.folder)
        if peak.code in (2, 5):  # usage, memory
            return None
        assert peak.code == 0, peak.printed[1].decode()
        report = json.loads(peak.printed[0])
        return peak.kept, report["report"]["bytes_planned"]

    def said(self):
        by = f" by {self.processes} processes" if self.processes > 1 else ""
        return f"{' '.join(self.graph)} | solve {self.graph[1]} {' '.join(self.words)}{by}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder")
    parser.add_argument("--list")
    options = parser.parse_args()
    if shutil.which(LAUNCH[0]) is None:
        options.jobs = 0
    ends = time.monotonic() + 60 * options.minutes
    seed, ratios, above = options.seed * 1_000_000, [], []
    lines = open(options.list, "a") if options.list else None
    while len(ratios) < options.problems and time.monotonic() < ends:
        seed += 1
        random.seed(seed)
        with tempfile.TemporaryDirectory(prefix="apsp-memory-", dir=options.folder) as name:
            problem = Problem(pathlib.Path(name), in_job=len(ratios) < options.jobs)
            found = problem.run()
        if found is None:
            continue
        taken, planned = found
        ratios.append(taken / planned)
        if lines:
            print(json.dumps({"seed": seed, "ratio": ratios[-1], "taken": taken, "planned": planned,
                              "said": problem.said()}), file=lines, flush=True)
        if ratios[-1] > MOST:
            above.append(seed)
            print(f"ABOVE seed {seed}: {taken / 2**20:.1f} MiB of {planned / 2**20:.1f} planned "
                  f"({ratios[-1]:.3f}): {problem.said()}", file=sys.stderr, flush=True)
    print(f"{len(ratios) - len(above)} of {len(ratios)} problems took at most {MOST} of what was planned; most: "
          f"{max(ratios, default=0):.3f}, median {sorted(ratios)[len(ratios) // 2] if ratios else 0:.3f}")
    return 1 if above or not ratios else 0


if __name__ == "__main__":
    sys.exit(main())
