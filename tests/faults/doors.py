"""Every allocation behind the Python package fails once, and from then on.

    LD_PRELOAD=…/libapsp_memory_faults.so python tests/faults/doors.py [--every N] [--only WORD]

After each failure the caller gets MemoryError or an error of the package, nothing more is in memory
than before, and the same question is answered as if nothing had been. Each question has a process of
its own, so that an end of the process is one finding.
"""

import argparse
import contextlib
import ctypes
import gc
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import apsp


# Blocks that may stay after each failure: of a JSON document whose constructor found no memory, of which at most
# 112 were seen (docs/reliability.md).
LEFT = {"a file": 128}


def weights():
    """[24, 24], integers; a third of all pairs are edges."""
    random = np.random.default_rng(1)
    matrix = random.integers(1, 100, (24, 24)).astype(float)
    matrix[random.random((24, 24)) > 0.3] = np.inf
    np.fill_diagonal(matrix, 0)
    return matrix


WEIGHTS = weights()
TIMES = np.abs(np.where(np.isinf(WEIGHTS), 0, WEIGHTS))


def graph():
    sources, targets = np.nonzero(np.isfinite(WEIGHTS) & (WEIGHTS > 0))
    return apsp.Graph.from_edges(sources, targets, WEIGHTS[sources, targets], n=len(WEIGHTS))


def solved(**options):
    return apsp.solve(graph(), device="cpu", threads=2, **options)


def text(values):
    return np.asarray(values).tolist()


def stored():
    """The path is short: nanobind copies text arguments in a function that must not throw, and a
    longer one for which there is no memory ends the process (docs/reliability.md)."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        solved(output="a.zarr", algorithm="johnson")
        return text(apsp.open("a.zarr").distances)


QUESTIONS = {
    "solve": lambda: text(solved().distances),
    "factor": lambda: text(solved(keep="factor").distances_of([(0, 5), (3, 7)])),
    "statistics": lambda: str(solved(keep="statistics").statistics["diameter"]),
    "path": lambda: text(solved().path(0, 9)),
    "verify": lambda: str(solved().verify()["passed"]),
    "update": lambda: text(solved().update(graph().with_changes([(0, 1, 3)])).distances),
    "report": lambda: len(solved().report()) // 10000,
    "a file": stored,
    "matrix": lambda: text(apsp.solve(WEIGHTS, device="cpu").distances),
    "rows": lambda: [text(block.distances) for block in apsp.rows(graph(), device="cpu")],
    "within": lambda: apsp.within(graph(), 50).nnz,
    "csgraph": lambda: text(apsp.csgraph.shortest_path(TIMES, method="D")),
}


def faults():
    library = ctypes.CDLL(None)
    library.apsp_memory_count.restype = library.apsp_memory_live.restype = ctypes.c_long
    library.apsp_memory_arm.argtypes = ctypes.c_long, ctypes.c_int
    return library


def ask_once(memory, question, at, onwards):
    """The answer, or the exception."""
    memory.apsp_memory_arm(at, onwards)
    try:
        return question()
    except (MemoryError, apsp.Error) as error:
        return error
    finally:
        memory.apsp_memory_arm(-1, 0)


def blocks_left(memory, question, fault, most):
    """How many more blocks a failure leaves: the least of up to five, as a leak leaves them each time
    and a cache of the interpreter only when it grows."""
    least = sys.maxsize
    for _ in range(5):
        live = memory.apsp_memory_live()
        ask_once(memory, question, *fault)
        question()
        gc.collect()
        least = min(least, memory.apsp_memory_live() - live)
        if least <= most:
            break
    return least


def run_child(name, begin, every, place):
    """From the allocation `begin` on; `place` is told which one fails."""
    memory, question = faults(), QUESTIONS[name]
    for _ in range(4):
        wanted = question()
    memory.apsp_memory_arm(-1, 0)
    question()
    count = memory.apsp_memory_count()
    for _ in range(3):  # the interpreter keeps what its first exceptions, and what follows them, took
        ask_once(memory, question, 0, 0)
        ask_once(memory, question, 0, 1)
        question()
    wrong = 0
    for at in range(begin, count, every):
        place.write_text(f"{at} {wrong}")
        for onwards in (0, 1):
            answer = ask_once(memory, question, at, onwards)
            problem = ""
            if isinstance(answer, apsp.DefectError) or (not isinstance(answer, Exception) and answer != wanted):
                problem = repr(answer)
            del answer
            if question() != wanted:
                problem = "the next question has another answer"
            most = LEFT.get(name, 0)
            left = blocks_left(memory, question, (at, onwards), most)
            if left > most:
                problem = problem or f"{left} blocks are not freed"
            if problem:
                wrong += 1
                print(f"{name}: allocation {at}{'+' * onwards}: {problem}", file=sys.stderr, flush=True)
    place.write_text(f"{count} {wrong}")


def run(name, every, place):
    """How many failures there were, and how many of them went wrong."""
    begin, trials, wrong = 0, 0, 0
    while True:
        place.write_text(f"{begin} 0")
        words = [sys.executable, __file__, "--child", name, "--begin", str(begin), "--every", str(every),
                 "--place", str(place)]
        done = subprocess.run(words, capture_output=True, text=True)
        sys.stderr.write(done.stderr)
        at, more = map(int, place.read_text().split())
        wrong += more
        trials += 2 * len(range(begin, at, every))
        if done.returncode == 0:
            return trials, wrong
        assert done.returncode < 0, "the campaign itself is wrong"
        print(f"{name}: allocation {at}: the process ends, {done.returncode}", file=sys.stderr)
        wrong, trials, begin = wrong + 1, trials + 2, at + every


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="of so many allocations one fails")
    parser.add_argument("--only", default="", help="questions whose name begins so")
    for hidden in ("--child", "--place"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    parser.add_argument("--begin", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        run_child(options.child, options.begin, options.every, pathlib.Path(options.place))
        return 0
    all_trials = all_wrong = 0
    with tempfile.TemporaryDirectory(prefix="apsp-doors-") as folder:
        for name in QUESTIONS:
            if name.startswith(options.only):
                trials, wrong = run(name, options.every, pathlib.Path(folder) / "place")
                print(f"{trials:8} failures  {name}", flush=True)
                all_trials, all_wrong = all_trials + trials, all_wrong + wrong
    print(f"{all_trials - all_wrong} of {all_trials} failed allocations behind Python end well")
    return 1 if all_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
