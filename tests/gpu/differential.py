#!/usr/bin/env python3
"""Random questions about sparse graphs, answered by a GPU and by the CPU, compared.

  tests/gpu/differential.py QUESTIONS [--runs N] [--seconds S] [--jobs N] [--seed N]

QUESTIONS is the program apsp_questions: many questions a process. Without CUDA its GPUs are strict
devices. Every run draws a graph, an engine, a semiring, a type of values and a question: statistics, a
table (.npy, .zarr) of all or some sources and targets, predecessors, a factor that is stored and asked,
rows to a caller, the distances of pairs, or near pairs.

Whole numbers, bottlenecks and sums along searches must be the same bytes. Other real sums may differ by
the rounding of a path's sums. Where the GPU alone refuses, what its message names must work. Prints each
run that differs, and the table of what was drawn. Ends with 1 if any differed."""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

import drawn_graphs as drawn
import numpy as np

ENGINES = ["nested-dissection"] * 4 + ["johnson"] * 4 + ["boundary", "bfs", "floyd-warshall", "auto"]
SEMIRINGS = ["min-plus"] * 8 + ["max-min", "min-max", "max-plus", "max-plus", "or-and"]
QUESTIONS = ["statistics"] * 3 + ["npy", "zarr", "predecessors", "factor", "rows", "pairs", "within"]
SEARCHES = ("johnson", "bfs")  # sums along paths from their sources: rounded the same everywhere
RELATIVE = {"f32": 1e-5, "f64": 1e-13}  # of a distance: paths of up to some hundred arcs


class Answers:
    """A process that answers questions, for one thread."""

    def __init__(self, program):
        self.program = program
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, folder, words):
        """The exit code, and what was printed: answers, messages."""
        self.process.stdin.write(json.dumps({"folder": folder, "words": words}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            code = self.process.wait()
            self.start()
            raise RuntimeError(f"{' '.join(words)}: the process ended with {code}")
        answer = json.loads(line)
        return answer["code"], answer["out"], answer["err"].strip()

    def require(self, folder, words):
        code, out, err = self.ask(folder, words)
        if code != 0:
            raise RuntimeError(f"{' '.join(words)}: exit {code}: {err}")
        return out


class Run:
    """What one seed draws."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.engine, self.semiring = r.choice(ENGINES), r.choice(SEMIRINGS)
        self.question = r.choice(QUESTIONS)
        self.dtype = r.choice(["auto", "auto", "i32", "f32", "f64", "u16"])
        self.weights = "ones" if self.engine == "bfs" else r.choice(drawn.WEIGHTS)
        if r.random() < 0.9:  # else a refusal may be compared
            self.make_likely()
        if self.question == "within" and self.weights in ("negative", *drawn.REAL):
            self.weights = "small"  # the engines round sums differently
        self.acyclic = self.semiring == "max-plus"
        own = self.acyclic or "sign" in self.weights or self.weights in ("negative", "tiny and huge")
        self.kind = "drawn" if own else r.choice([*drawn.GENERATED, "drawn", "drawn"])
        self.graph_words = [] if self.kind == "drawn" else drawn.words_to_generate(r, self.kind, self.weights)
        self.little_memory, self.memory = r.random() < 0.1, r.choice(["64KiB", "1MiB", "8MiB"])
        self.listed = []

    def make_likely(self):
        """What most engines refuse is drawn seldom."""
        r, searches = self.r, self.engine in SEARCHES
        if searches and self.semiring == "or-and" or self.engine == "bfs":
            self.semiring = "min-plus"
        integers = self.dtype in ("i32", "u16")
        if self.semiring == "or-and" or integers and self.weights in drawn.REAL:
            self.dtype = "auto"
        if self.dtype == "u16" and (self.weights in ("long", "negative") or self.semiring == "max-plus"):
            self.dtype = "i32"
        if self.weights == "real of both signs":
            self.engine = r.choice(["floyd-warshall", "auto"])
        if self.question == "factor":
            self.engine = r.choice(["nested-dissection", "auto"])

    def write_graph(self, folder, answers):
        path = os.path.join(folder, "g.mtx")
        if self.kind == "drawn":
            drawn.write_drawn(self.r, path, self.weights, self.acyclic)
        else:
            answers.require(folder, ["generate", self.kind, "g.mtx", *self.graph_words])
        self.n = drawn.vertices_of(path)

    def method(self, device):
        words = ["--algorithm", self.engine, "--dtype", self.dtype, "--device", device]
        if self.little_memory and device != "cpu":
            words += ["--device-memory", self.memory]
        return words + ([] if self.semiring == "min-plus" else ["--semiring", self.semiring])

    def draw_question(self, folder):
        """Words that name vertices, and files that questions read: the same for both devices."""
        r, n = self.r, self.n
        names = range(1, n + 1) if self.kind == "drawn" else range(n)
        if n > 300:
            self.memory = "8MiB"  # a large matrix would take minutes through less
        if self.question in ("statistics", "npy", "zarr"):
            for option in ("--sources", "--targets"):
                if r.random() < 0.3:
                    self.listed += [option, ",".join(map(str, r.sample(names, r.randint(1, min(n, 40)))))]
        self.row_sources = [str(v) for v in r.sample(range(n), r.randint(1, min(n, 40)))] if r.random() < 0.5 else []
        self.within = str(r.choice([1, 30, 400]))
        pairs = [f"{r.choice(names)},{r.choice(names)}" for _ in range(r.choice([1, 30, 400]))]
        pathlib.Path(folder, "pairs.csv").write_text("from,to\n" + "\n".join(pairs) + "\n")

    def command(self, name, device):
        """The question itself, whose output is called NAME."""
        solve = ["solve", "g.mtx", *self.method(device), "--quiet"]
        return {
            "statistics": [*solve, *self.listed, "--json"],
            "npy": [*solve, *self.listed, "-o", f"{name}.npy", "--no-statistics"],
            "zarr": [*solve, *self.listed, "-o", f"{name}.zarr"],
            "predecessors": [*solve, "-o", f"{name}.zarr", "--predecessors"],
            "factor": [*solve, "--keep", "factor", "-o", f"{name}.zarr", "--no-statistics"],
            "rows": ["rows", "g.mtx", f"{name}.rows", device, self.engine, self.dtype, self.semiring,
                     *self.row_sources],
            "pairs": ["distance", "g.mtx", "--pairs", "pairs.csv", *self.method(device), "-o", f"{name}-pairs.npy"],
            # Near pairs take no device: two engines of the CPU are compared.
            "within": ["solve", "g.mtx", "--algorithm", "nested-dissection" if name == "there" else "johnson",
                       "--within", self.within, "-o", f"{name}.csv", "--quiet"],
        }[self.question]

    def found(self, name, printed, folder, answers):
        """What the question's output holds: arrays by name, statistics, or text."""
        path = os.path.join(folder, name)
        if self.question == "statistics":
            return json.loads(printed)["statistics"]
        if self.question == "npy":
            return {"table": np.load(path + ".npy")}
        if self.question == "rows":
            return {"rows": np.fromfile(path + ".rows").reshape(self.n, self.n)}
        if self.question == "within":
            return "\n".join(sorted(pathlib.Path(path + ".csv").read_text().splitlines()))
        if self.question == "factor":
            answers.require(folder, ["distance", f"{name}.zarr", "--pairs", "pairs.csv", "-o", f"{name}-pairs.npy"])
        if self.question in ("factor", "pairs"):
            return {"pairs": np.load(path + "-pairs.npy")}
        if self.question == "predecessors":
            answers.require(folder, ["verify", f"{name}.zarr", "g.mtx"])
        return chunks_of(path + ".zarr")

    def relative(self):
        """How far a real distance may differ from the other device's, as a share of it; 0: not at all."""
        sums = self.semiring in ("min-plus", "max-plus")
        same_way = self.engine in SEARCHES and self.question not in ("pairs", "factor")
        rounded = self.weights in drawn.REAL or (self.dtype == "f32" and self.weights == "long")
        if not sums or not rounded or same_way:
            return 0
        return RELATIVE["f64" if self.dtype == "f64" else "f32"]

    def agree(self, there, here):
        relative = self.relative()
        if isinstance(here, str) or self.question == "statistics":
            return there == here if not relative else same(plain(there), plain(here), 20 * relative)
        if there.keys() != here.keys():
            return False
        # Sums of both signs cancel: what was rounded is longer than what is left.
        cancelled = 1000 * relative if self.weights == "real of both signs" else 0
        for name, array in there.items():
            other = here[name]
            if array.dtype != other.dtype or array.shape != other.shape:
                return False
            if not relative:
                if not np.array_equal(array, other, equal_nan=array.dtype.kind == "f"):
                    return False
            elif not name.startswith("predecessor"):  # `apsp verify` has judged those
                if not np.allclose(array, other, rtol=relative, atol=cancelled, equal_nan=True):
                    return False
        return True

    def __str__(self):
        return (f"{self.kind} {' '.join(self.graph_words)} ({self.weights}): {' '.join(self.method('cuda'))}, "
                f"{self.question} {' '.join(self.listed)}")


def same(a, b, relative):
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k], relative) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(lambda x, y: same(x, y, relative), a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or math.isclose(a, b, rel_tol=relative, abs_tol=relative)
    return a == b


# With real weights two ways round may tie but for rounding, and then name other vertices.
NAMES_VERTICES = ("from", "to", "vertex", "vertices", "central", "histogram", "diametral", "center", "farthest")


def plain(statistics):
    if not isinstance(statistics, dict):
        return statistics
    return {k: plain(v) for k, v in statistics.items() if not any(word in k for word in NAMES_VERTICES)}


CHECKSUM = 4  # bytes at the end of a chunk


def chunks_of(path):
    """The values of all chunks of distances and predecessors."""
    chunks = {}
    for plane in ("distance", "predecessor"):
        head = pathlib.Path(path, plane, "zarr.json")
        if not head.exists():
            continue
        dtype = np.dtype(json.loads(head.read_text())["data_type"])
        for file in sorted(pathlib.Path(path, plane, "c").rglob("*")):
            if file.is_file():
                values = file.read_bytes()[:-CHECKSUM]
                chunks[str(file.relative_to(path))] = np.frombuffer(values, dtype)
    if not chunks:
        raise ValueError(f"{path} holds no distances")
    return chunks


def with_hint(words, message):
    """The command with what the message recommends first; None where it recommends nothing."""
    for way in re.split(r"; |\. |, or |use ", message):
        hints = re.findall(r"(?:--|`)(device-memory|device|algorithm|dtype|keep|memory)[ =]([\w:.-]*\w)", way)
        if hints:
            break
    else:
        return None
    words = list(words)
    for option, value in hints:
        if words[0] == "rows":  # words at fixed places
            place = {"device": 3, "algorithm": 4, "dtype": 5}.get(option)
            if place is None:
                return None
            words[place] = value
            continue
        if "--" + option in words:
            at = words.index("--" + option)
            del words[at:at + 2]
        words += ["--" + option, value]
    return words


def compare(run, device, folder, answers):
    """What became of the run: "same", "refused", "both refuse", or how it differs."""
    run.write_graph(folder, answers)
    run.draw_question(folder)
    found, codes, errors = [], [], []
    for name, where in (("there", device), ("here", "cpu")):
        code, out, err = answers.ask(folder, run.command(name, where))
        codes.append(code)
        errors.append(err)
        found.append(run.found(name, out, folder, answers) if code == 0 else None)
    if codes == [0, 0]:
        return "same" if run.agree(*found) else "differs"
    if codes[0] == 0:
        return f"only the CPU refuses: {errors[1]}"
    if codes[1] != 0:
        return "both refuse" if codes[0] == codes[1] or codes[0] in (2, 5, 7) else f"exit {codes[0]}: {errors[0]}"
    if codes[0] not in (2, 5, 7):
        return f"exit {codes[0]}: {errors[0]}"
    again = with_hint(run.command("there", device), errors[0])
    if again is None:
        return f"a refusal that names no way out: {errors[0]}"
    code, out, err = answers.ask(folder, again)
    return "refused" if code == 0 else f"what a refusal names fails: {errors[0]}; {' '.join(again)}: {err}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=math.inf, help="no run begins later")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) - 2))
    parser.add_argument("--device", default="cuda", help="cpu: a trial of this program itself")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    program = os.path.abspath(options.questions)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    threads, began, table = threading.local(), time.monotonic(), collections.Counter()

    def one(seed):
        if time.monotonic() - began > options.seconds:
            return None
        if not hasattr(threads, "answers"):
            threads.answers = Answers(program)
        run = Run(seed)
        with tempfile.TemporaryDirectory() as folder:
            try:
                return run, compare(run, options.device, folder, threads.answers)
            except (RuntimeError, OSError, ValueError, KeyError) as error:
                return run, f"fails: {error}"

    done = wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.runs)
        for seed, found in zip(seeds, pool.map(one, seeds)):
            if found is None:
                continue
            run, outcome = found
            done += 1
            told = outcome in ("same", "refused", "both refuse")
            table[run.engine, run.semiring, run.question, outcome if told else "WRONG"] += 1
            if not told:
                wrong += 1
                print(f"seed {seed}: {run}: {outcome}", flush=True)
    for row, count in sorted(table.items()):
        print("{:18} {:9} {:13} {:12}".format(*row), count)
    print(f"{done} runs from seed {options.seed} on in {time.monotonic() - began:.0f} s: {wrong} differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
