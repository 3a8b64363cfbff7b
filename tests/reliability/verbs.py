"""Random calls of all verbs, whose memory and disk are compared with what was said before.

    python tests/reliability/verbs.py [--calls 300] [--seed N] [--folder DIR] [--list FILE]

Draws a graph, a result of it, a verb with its options and threads, and often a limit (--memory), then
calls the command, or the Python package. The memory that the process kept at its peak
(tests/python/test_memory.py says which pages count) must be at most 1.05 of its plan, and of the limit
where there is one. A call that is refused for want of memory (exit code 5) must have kept no more
either. The files of a result must take at most 1.05 of what its plan said of the disk.

APSP_BIN names the program, APSP_PYTHON the Python that finds the package; without it only the command
is called. --folder: a disk whose files are no memory, so not /dev/shm."""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from conftest import binary, environment
from test_memory import MOST, Peak

# What a limit is for is the work of a verb, not what the program itself needs to start.
LEAST, LEAST_OF_PYTHON = 24 << 20, 80 << 20
LIMITS = ["32MiB", "48MiB", "80MiB", "160MiB", "400MiB"]


def bytes_of(words):
    return int(words[:-3]) << 20


def taken_by(path):
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size


class Network:
    """A graph and some files about its vertices, in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.kind = random.choice(["grid", "rmat", "roads", "dense", "geometric"])
        self.n = random.choice([500, 1500, 2500] if self.kind == "dense" else [2000, 20_000, 60_000])
        self.graph = "a.npy" if self.kind == "dense" else random.choice(["a.gr", "a.txt", "a.mtx"])
        words = [self.kind, self.graph, "--vertices", self.n]
        if self.kind != "dense":
            words += [random.choice(["--directed", "--undirected"])]
            words += random.choice([["--weights", "1:1"], [], ["--weights", "1:10000"]])
            if self.graph == "a.mtx":
                words += random.choice([["--real"], []])
        if self.kind == "rmat":
            words += ["--edges", random.choice([2, 8]) * self.n]
        self.run("generate", *words, "--quiet")
        self.first = {"a.gr": 1, "a.mtx": 1}.get(self.graph, 0)

    def run(self, *words):
        done = subprocess.run([binary(), *map(str, words)], cwd=self.folder, env=environment(), capture_output=True)
        assert done.returncode == 0, (words, done.stderr.decode())
        return done

    def vertices(self, count):
        top = min(self.n, 400)  # numbers that every kind of graph has
        return [random.randrange(top) + self.first for _ in range(count)]

    def list(self, count):
        return ",".join(map(str, sorted(set(self.vertices(count)))))

    def quantities(self):
        columns = random.choice([1, 3])
        with open(self.folder / "q.csv", "w") as file:
            print("vertex", *[f"q{i}" for i in range(columns)], sep=",", file=file)
            for v in sorted(set(self.vertices(200))):
                print(v, *[random.randrange(100) for _ in range(columns)], sep=",", file=file)
        return "q.csv"

    def pairs(self):
        count = random.choice([3, 2000, 50_000, 1_000_000])
        top = min(self.n, 400)
        ends = random.choices(range(self.first, top + self.first), k=2 * count)
        (self.folder / "p.csv").write_text("".join(f"{u},{v}\n" for u, v in zip(ends[::2], ends[1::2])))
        return "p.csv"

    def result(self):
        """A result, small enough to be made at once; the words of a call on it name it."""
        if self.n > 20_000 or (self.n == 20_000 and self.kind not in ("grid", "roads")):
            return None
        if self.n == 20_000:
            self.run("solve", self.graph, "-o", "o.zarr", "--keep", "factor", "--no-statistics", "--quiet")
            return "o.zarr"
        words = random.choice([[], ["--no-statistics"], ["--via"], ["--compress"]])
        self.run("solve", self.graph, "-o", "o.zarr", *words, "--quiet")
        return "o.zarr"


def drawn_call(network):
    """(words, limit is of --memory, output)"""
    limit = random.choice([None, None, *LIMITS])
    threads = ["--threads", random.choice([1, 2, 4])]
    words = None
    while words is None:
        verb = random.choice(["solve", "solve", "nearest", "access", "within", "distance", "table", "path",
                              "betweenness", "convert", "stats", "verify", "report", "result-path", "result-table",
                              "result-pairs", "result-convert", "update"] +
                             ["python"] * 3 * ("APSP_PYTHON" in os.environ))
        words = words_of(verb, network)
    if verb != "python":
        words = words + threads + (["--memory", limit] if limit else [])
    return verb, [str(word) for word in words], limit


def words_of(verb, network):
    graph, some = network.graph, network.list
    if verb == "python":
        return python_call(network)
    if verb == "solve":
        if network.n > 20_000:
            return ["solve", graph, "--keep", "factor", "--no-statistics", "-o", "s.zarr"] \
                if network.kind in ("grid", "roads", "geometric") else None
        if network.n > 2500:
            return ["solve", graph, "--sources", "random:200", "-o", random.choice(["s.zarr", "s.npy"])]
        more = random.choice([[], ["--compress"], ["--predecessors"], ["--via"], ["--no-statistics"]])
        output = random.choice(["s.zarr", "s.zarr", "s.npy"])
        return ["solve", graph, "-o", output] + (more if output == "s.zarr" else [])
    if verb == "nearest":
        output = random.choice(["n.csv", "n.parquet"])
        return ["nearest", graph, "--to", some(random.choice([1, 40])), "-k", random.choice([1, 4]), "-o", output]
    if verb == "access":
        return ["access", graph, "--weights", network.quantities(), "--within",
                random.choice(["40", "30,60,90"]), "--sources", "random:100", "-o", random.choice(["c.csv", "c.parquet"])]
    if verb == "within":
        return ["solve", graph, "--within", random.choice([5, 40]),
                "--sources", f"random:{min(network.n, 1000)}", "-o",
                random.choice(["w.npz", "w.csv", "w.zarr"])]
    if verb == "distance":
        return ["distance", graph, "--pairs", network.pairs(), "-o", random.choice(["d.npy", "d.csv"])]
    if verb == "table":
        return ["distance", graph, "--sources", "random:100", "--targets", "random:300", "-o",
                random.choice(["t.parquet", "t.csv", "t.npy"])]
    if verb == "betweenness":
        count = 20 if network.kind == "dense" else 100
        return ["betweenness", graph, "--sources", f"random:{count}", *random.choice([[], ["--arcs"]]),
                *random.choice([[], ["-o", "b.csv"], ["-o", "b.parquet"]])]
    if verb == "path":
        return ["path", graph, *network.vertices(2)]
    if verb == "convert":
        return ["convert", graph, random.choice(["v.gr", "v.txt.gz", "v.mtx", "v.csv"])] \
            if "--real" not in graph else None
    result = network.result()
    if result is None:
        return None
    if verb == "stats":
        return ["stats", result]
    if verb == "verify":
        return ["verify", result, "--sample", "64"]
    if verb == "report":
        return ["report", result, "-o", "r.html"]
    if verb == "result-path":
        return ["path", result, *network.vertices(2)]
    if verb == "result-table":
        return ["distance", result, "--sources", "random:100", "--targets", "random:300", "-o", "t.csv"]
    if verb == "result-pairs":
        return ["distance", result, "--pairs", network.pairs(), "-o", "d.csv"]
    if verb == "result-convert":
        return ["convert", result, random.choice(["v.gr", "v.txt"])]
    with open(network.folder / "u.csv", "w") as file:
        u, v = network.vertices(2)
        print(u, v, 1 if u != v else 0, sep=",", file=file)
    return ["update", result, "u.csv", "-o", "u.zarr"]


def python_call(network):
    """Words behind the name of the program: what a Python process does with the graph."""
    places = network.vertices(random.choice([1, 40]))
    asked = random.choice([
        f"apsp.nearest(graph, {sorted(set(places))}, {random.choice([1, 4])}, memory=memory)",
        f"apsp.within(graph, {random.choice([5, 40])}, sources={sorted(set(places))}, memory=memory)",
        f"apsp.access(graph, {{{places[0]}: 5}}, [40, 80], memory=memory)",
        f"apsp.solve(graph, sources={sorted(set(places))}, memory=memory)"])
    return ["python", network.graph, asked]


# The plan of a solve counts a process of this library alone. So what the interpreter, NumPy and SciPy keep before
# the graph is read comes off the peak. The other calls count all that the process keeps, and tell no plan.
PYTHON = """
import json, re, sys
import numpy, scipy.sparse
import apsp
apsp.Graph.from_edges([0], [1], [1])  # what the package imports late
status = open("/proc/self/status").read()
held = sum(map(int, re.findall(r"Rss(?:Anon|Shmem):\\s+(\\d+) kB", status))) * 1024
memory = sys.argv[2] if len(sys.argv) > 2 else None
graph = apsp.read(sys.argv[1])
try:
    found = {asked}
except MemoryError:
    sys.exit(5)
planned = found.figures["bytes_planned"] if isinstance(found, apsp.Result) else None
print(json.dumps(dict(held=held, report=dict(bytes_planned=planned)) if planned else dict()))
"""


class Call:
    def __init__(self, folder):
        network = Network(folder)
        self.folder = folder
        self.verb, self.words, self.limit = drawn_call(network)

    def command(self):
        if self.verb != "python":
            return [binary(), *self.words, "--json"]
        memory = [self.limit] if self.limit else []
        return [os.environ["APSP_PYTHON"], "-c", PYTHON.format(asked=self.words[2]), self.words[1], *memory]

    def planned(self):
        """Bytes that the command says it would take, with --plan; 0 where it does not say."""
        if self.limit or self.verb == "python" or self.words[0] == "solve":
            return 0
        done = subprocess.run([*self.command(), "--plan"], cwd=self.folder, capture_output=True, text=True)
        said = done.stdout if done.returncode == 0 and done.stdout.startswith("{") else "{}"
        return json.loads(said).get("memory", {}).get("bytes", 0)

    def run(self):
        """[(what, taken, allowed)]; None where the words do not go together."""
        planned = self.planned()
        # A first solve on a machine finds no rates of it. Without a limit it measures them.
        first = random.random() < 0.2
        changes = {"APSP_MEASURE": "auto" if self.limit else "always",
                   "APSP_CACHE_DIR": str(self.folder / "cache")} if first else {}
        peak = Peak(self.command(), self.folder, **changes)
        text = peak.printed[1].decode()
        if peak.code == 2:
            return None
        assert peak.code in (0, 1, 5), text
        found = []
        answer = json.loads(peak.printed[0] or "{}") if peak.code != 5 else {}
        held = answer.get("held", 0)
        if self.limit:
            least = LEAST_OF_PYTHON if self.verb == "python" and not held else LEAST
            found.append(("limit", peak.kept - held, max(bytes_of(self.limit), least)))
        if peak.code == 5:
            self.verb += " (refused)"
            return found
        assert peak.printed[0], text
        told = answer.get("memory") or answer.get("plan") or {}
        planned = told.get("bytes", planned)
        if "report" in answer:
            planned = answer["report"]["bytes_planned"]
        if planned:
            found.append(("plan of Python" if self.verb == "python" else "plan", peak.kept - held, planned))
        if self.words[0] == "solve" and "plan" in answer and "-o" in self.words:
            output = self.folder / self.words[self.words.index("-o") + 1]
            found.append(("disk", taken_by(output), answer["plan"]["bytes_disk"]))
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder")
    parser.add_argument("--list")
    options = parser.parse_args()
    lines = open(options.list, "a") if options.list else None
    seed, done, above, greatest = options.seed * 1_000_000, 0, [], {}
    while done < options.calls:
        seed += 1
        random.seed(seed)
        with tempfile.TemporaryDirectory(prefix="apsp-verbs-", dir=options.folder) as name:
            call = Call(pathlib.Path(name))
            found = call.run()
        if found is None:
            continue
        done += 1
        for what, taken, allowed in found:
            ratio = taken / max(allowed, 1)
            greatest[what] = max(greatest.get(what, 0), ratio)
            if lines:
                print(json.dumps({"seed": seed, "verb": call.verb, "what": what, "ratio": round(ratio, 3),
                                  "taken": taken, "allowed": allowed, "words": call.words}),
                      file=lines, flush=True)
            if ratio > MOST:
                above.append(seed)
                print(f"ABOVE seed {seed}: {what}: {taken / 2**20:.1f} MiB of {allowed / 2**20:.1f} "
                      f"({ratio:.3f}): apsp {' '.join(call.words)}", file=sys.stderr, flush=True)
    shares = ", ".join(f"{what} {ratio:.3f}" for what, ratio in sorted(greatest.items()))
    print(f"{done - len(set(above))} of {done} calls took at most {MOST} of what was said; most: {shares}")
    return 1 if above or not done else 0


if __name__ == "__main__":
    sys.exit(main())
