"""Every call on a file fails once, in every way the system's manual gives for it, in every verb.

    python tests/faults/calls.py [--every N] [--at-once N] [--only WORD] [--seed N] [--bound SECONDS]
                                 [--processes | --messages]

--processes: in one process of a job. --messages: the calls are those of MPI. APSP_BIN names the program,
APSP_FILE_FAULTS and APSP_MESSAGE_FAULTS the libraries that make calls fail (file_faults.cpp, message_faults.cpp).
After each fault the result that stood there is whole or the new one is, the run says what went wrong,
`apsp clean` leaves nothing, what is kept resumes to the same bytes, and the verb then works.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from killed import LAUNCH, launch_with_one

# How each kind of call fails: the letters are those of file_faults.cpp and message_faults.cpp.
WAYS = {
    "o": ("EIO", "EMFILE", "EIO+", "kill"),
    "c": ("EIO", "ENOSPC", "EMFILE", "ENOSPC+", "kill"),
    "r": ("EIO", "EINTR", "short", "short+", "EIO+", "kill"),
    "w": ("EIO", "ENOSPC", "EINTR", "short", "torn", "ENOSPC+", "short+", "kill"),
    "s": ("EIO", "ENOSPC", "EIO+", "kill"),
    "n": ("EIO", "ENOSPC", "EIO+", "kill"),
    "t": ("EIO", "ENOSPC", "ENOSPC+", "kill"),
    "d": ("EIO", "ENOSPC", "EIO+", "kill"),
    "u": ("EIO", "EIO+", "kill"),
    "m": ("ENOMEM", "EIO", "kill"),
    "l": ("EIO", "ENOSPC", "kill"),
    "k": ("EIO", "EIO+", "kill"),
    "S": ("error", "short"),  # sends of MPI, and what it receives, broadcasts, reduces
    "R": ("error",),
    "B": ("error",),
    "A": ("error",),
}
LEDGER = ".ledger"
CODES = {0, 3, 5, 6}  # done, input, does_not_fit, input_output
CODES_OF_MESSAGES = {7}  # what a lost message leaves cannot be told from a result, so the job fails
# And usage, where a lock cannot be opened: nobody can tell whether its run is alive.
CODES_OF_RESUMING = CODES | {2}


class Verb:
    """A run of the program: `words`, and the file or folder that it writes, or none.

    `process`: a job of some processes, of which this one meets the fault."""

    def __init__(self, name, words, output=None, threads=1, process=None, processes=2):
        self.name, self.output = name, output
        self.words = words.split() + (["--threads", str(threads)] if threads else [])
        self.process, self.processes = process, processes

    def run(self, folder, library, **fault):
        """With the library that makes calls fail."""
        load = f"env LD_PRELOAD={library}"
        if self.process is None:
            return run(self.words, folder, load.split(), **fault)
        said = folder.with_suffix(".said")
        launch = launch_with_one(self.process, load, self.processes)
        done = run(self.words, folder, launch, STANDARD_ERROR=str(said), **fault)
        if said.exists():  # else no process began
            done.stderr += said.read_text()
            said.unlink()
        return done

    def run_without_faults(self, folder):
        return run(self.words, folder, [] if self.process is None else [*LAUNCH, "-n", str(self.processes)])

    def was_killed(self, code):
        return code == (-signal.SIGKILL if self.process is None else 128 + signal.SIGKILL)


VERBS = [
    Verb("solve to .zarr", "solve g.gr -o old.zarr --overwrite", "old.zarr"),
    Verb("solve to a new .zarr", "solve g.gr -o new.zarr --algorithm johnson --tile 16", "new.zarr"),
    Verb("solve to a compressed .zarr",
         "solve g.gr -o old.zarr --overwrite --compress --predecessors", "old.zarr"),
    Verb("solve by rows, two threads",
         "solve g.gr -o old.zarr --overwrite --algorithm nested-dissection --tile 16", "old.zarr", 2),
    Verb("solve to .npy", "solve g.gr -o old.npy --overwrite", "old.npy"),
    Verb("solve to a factor", "solve g.gr -o factor.zarr --overwrite --keep factor", "factor.zarr"),
    Verb("update a factor", "update factor.zarr changes.csv -o new.zarr", "new.zarr"),
    Verb("update in place", "update factor.zarr changes.csv", "factor.zarr"),
    Verb("update a matrix", "update old.zarr changes.csv", "old.zarr"),
    Verb("convert", "convert g.gr new.csv", "new.csv", 0),
    Verb("convert, compressed", "convert g.gr new.mtx.gz", "new.mtx.gz", 0),
    Verb("convert an archive", "convert new.csv.zst new.npy", "new.npy", 0),
    Verb("report", "report old.zarr -o page.html", "page.html"),
    Verb("solve, its matrix on disk",
         "solve q.gr -o disk.zarr --algorithm floyd-warshall --no-statistics --tile 48 --memory LESS",
         "disk.zarr"),
    Verb("resume rows", "solve --resume rows.zarr", "rows.zarr"),
    Verb("stats", "stats old.zarr"),
    Verb("path", "path factor.zarr 1 30 --names", threads=0),
    Verb("distance to a table", "distance factor.zarr --sources 1,2,3 -o table.csv", "table.csv"),
    Verb("verify", "verify old.npy h.gr"),
]
JOB = "solve q.gr -o job.zarr --device cpu --no-statistics"
MATRIX = f"{JOB} --algorithm floyd-warshall --tile 32 --checkpoint 0"
JOBS = [Verb(f"job, process {process}: {name}", words, "job.zarr", process=process)
        for process in (0, 1)
        for name, words in (("matrix and checkpoints", MATRIX), ("rows", f"{JOB} --algorithm johnson --tile 32"))]
MORE_JOBS = [Verb(f"job, process {process} {name}", words, output, process=process, processes=processes)
             for process, name, words, output, processes in (
                 (0, "of 4: matrix and checkpoints", MATRIX, "job.zarr", 4),
                 (3, "of 4: matrix and checkpoints", MATRIX, "job.zarr", 4),
                 (0, "of 3: update", "update old.zarr changes.csv", "old.zarr", 3),
                 (2, "of 3: update", "update old.zarr changes.csv", "old.zarr", 3))]


def environment(**changes):
    return dict(os.environ, LANG="C.UTF-8", APSP_MEASURE="never", OMP_NUM_THREADS="2", **changes)


def program():
    return os.path.abspath(os.environ["APSP_BIN"])


def run(words, folder, launch=(), **changes):
    return subprocess.run([*launch, program(), *words], cwd=folder, env=environment(**changes), timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


def must(words, folder):
    done = run(words, folder)
    assert done.returncode == 0, f"apsp {' '.join(words)}\n{done.stderr}"
    return done


def content(path):
    """All bytes of a result but what its run took; None where there is none."""
    path = pathlib.Path(path)
    if path.is_file():
        return path.read_bytes()
    if not path.exists():
        return None
    files = {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    files.pop(LEDGER, None)  # of a run that ended just before it would have removed it
    if "zarr.json" in files:
        group = json.loads(files.pop("zarr.json"))
        group["attributes"].get("result", {}).pop("report", None)
        files["zarr.json"] = json.dumps(group, sort_keys=True)
    return files


def hidden(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith("."))


def prepare(folder):
    """What the verbs read, and old results where they write."""
    must("generate grid g.gr --vertices 64 --quiet".split(), folder)
    must("generate grid h.gr --vertices 25 --seed 2 --quiet".split(), folder)
    must("solve h.gr -o old.zarr --quiet".split(), folder)
    must("solve h.gr -o old.npy --quiet".split(), folder)
    must("solve g.gr -o factor.zarr --keep factor --quiet".split(), folder)
    must("convert h.gr new.csv.zst --quiet".split(), folder)
    must("generate gnp q.gr --vertices 128 --quiet".split(), folder)
    (folder / "changes.csv").write_text("1,2,5\n")
    # A run that was killed while it wrote rows.
    words = "solve g.gr -o rows.zarr --algorithm johnson --tile 16 --threads 1".split()
    trace = folder / "trace"
    traced = run(words, folder, LD_PRELOAD=os.environ["APSP_FILE_FAULTS"], APSP_FAULT_TRACE=str(trace))
    assert traced.returncode == 0, traced.stderr
    calls = trace.read_text()
    trace.unlink()
    for number in range(len(calls) - 1, 0, -1):
        shutil.rmtree(folder / "rows.zarr", ignore_errors=True)
        run(words, folder, LD_PRELOAD=os.environ["APSP_FILE_FAULTS"], APSP_FAULT=f"{number}:kill")
        if not (folder / "rows.zarr").exists() and rows_left(folder, "rows.zarr") in range(16, 64):
            return
        must(["clean", "rows.zarr", "--quiet"], folder)
    raise AssertionError("no kill left rows to resume")


def rows_left(folder, output):
    """Of an output, or steps of a matrix on disk."""
    done = must(["clean", output, "--list", "--json"], folder)
    return max((left.get("rows_done", left.get("pivots_done", 0))
                for left in json.loads(done.stdout)["leftovers"]), default=0)


def with_less_memory(words, folder):
    """Than a matrix takes, so that it lies on the disk."""
    if "LESS" not in words:
        return words
    at = words.index("--memory")
    planned = must(["plan", *words[1:at], *words[at + 2:], "--device", "cpu", "--json"], folder)
    return [*words[:at + 1], str(json.loads(planned.stdout)["plan"]["bytes"] - 1), *words[at + 2:]]


def files_of(verb, base):
    """Of all that was prepared, what a verb reads, or may write over."""
    names = {name for name in [*verb.words, verb.output] if name and (base / name).exists()}
    if verb.name.startswith("resume"):
        names |= {"g.gr", *hidden(base)}
    return names


class Trials:
    """The faults of one verb, each in a copy of what it needs from `base`."""

    def __init__(self, verb, base, place, library, codes):
        self.verb, self.base, self.place, self.library, self.codes = verb, base, place, library, codes
        self.longest = 0  # seconds that a run with a fault took
        self.files = files_of(verb, base)
        verb.words = with_less_memory(verb.words, base)
        folder = self.fresh("wanted")
        self.old = content(folder / verb.output) if verb.output else None
        self.others = self.untouched(folder)
        trace = place / f"trace {verb.name}"
        done = verb.run(folder, library, APSP_FAULT_TRACE=str(trace))
        assert done.returncode == 0, f"{verb.name}: {done.stderr}"
        self.said = done.stdout
        self.new = content(folder / verb.output) if verb.output else None
        self.calls = trace.read_text()
        shutil.rmtree(folder)

    def fresh(self, name):
        folder = self.place / f"{self.verb.name} {name}".replace(" ", "-").replace(",", "")
        folder.mkdir()
        for file in self.files:
            copy = shutil.copytree if (self.base / file).is_dir() else shutil.copyfile
            copy(self.base / file, folder / file)
        return folder

    def untouched(self, folder):
        return {name: content(folder / name) for name in sorted(os.listdir(folder))
                if name != self.verb.output and not name.startswith(".")}

    def points(self):
        return [(number, way) for number, call in enumerate(self.calls) for way in WAYS[call]]

    def trial(self, point):
        """What is wrong after this fault; empty: nothing."""
        number, way = point
        folder = self.fresh(f"{number}{way}")
        try:
            return self.checked(folder, f"{number}:{way}", way)
        except subprocess.TimeoutExpired:
            return "hangs"
        finally:
            shutil.rmtree(folder)

    def checked(self, folder, fault, way):
        verb, output = self.verb, self.verb.output
        began = time.monotonic()
        done = verb.run(folder, self.library, APSP_FAULT=fault)
        self.longest = max(self.longest, time.monotonic() - began)
        killed = way == "kill" and verb.was_killed(done.returncode)
        codes = CODES_OF_RESUMING if verb.name.startswith("resume") else self.codes
        if self.codes is CODES_OF_MESSAGES and "message fault" not in done.stderr:
            return "the message was not reached"
        if not killed and done.returncode not in codes:
            return f"ends with {done.returncode}: {done.stderr[-300:]}"
        if not killed and done.returncode and "apsp: " not in done.stderr:
            return f"ends with {done.returncode} and says nothing"
        if not output:
            return "" if killed or done.returncode or done.stdout == self.said else "another answer"
        now = content(folder / output)
        if now == self.new:
            pass
        elif done.returncode == 0:
            return f"ends with 0 without the new result: {done.stderr[-300:]}"
        elif now != self.old:
            return "the result is neither the old one nor the new one"
        if now != self.new:  # what is kept is gone on with, or the verb works again
            left = hidden(folder) and rows_left(folder, output)
            same = [word for word in verb.words if word == "--no-statistics"]
            resume = ["solve", "--resume", output, "--quiet", *same]
            again = run(resume, folder) if left else verb.run_without_faults(folder)
            if again.returncode or content(folder / output) != self.new:
                return f"does not work afterwards: {again.stderr[-300:]}"
        must(["clean", output, "--quiet"], folder)
        if hidden(folder) or (folder / output / LEDGER).exists():
            return f"clean leaves {hidden(folder) or LEDGER}"
        if self.untouched(folder) != self.others:
            return "another file was changed"
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="of so many faults one is tried")
    parser.add_argument("--at-once", type=int, default=os.cpu_count(), help="trials")
    parser.add_argument("--only", default="", help="verbs whose name begins so")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--processes", action="store_true", help="files of one process of a job")
    kind.add_argument("--messages", action="store_true", help="messages of one process of a job")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bound", type=float, default=1e9, help="seconds")
    options = parser.parse_args()
    began, tried, wrong = time.monotonic(), collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="apsp-faults-") as place:
        base = pathlib.Path(place) / "base"
        base.mkdir()
        prepare(base)
        verbs = JOBS + MORE_JOBS if options.messages else JOBS if options.processes else VERBS
        codes = CODES_OF_MESSAGES if options.messages else CODES
        library = os.environ["APSP_MESSAGE_FAULTS" if options.messages else "APSP_FILE_FAULTS"]
        all_trials = [Trials(verb, base, pathlib.Path(place), library, codes)
                      for verb in verbs if verb.name.startswith(options.only)]
        work = [(trials, point) for trials in all_trials for point in trials.points()]
        random.Random(options.seed).shuffle(work)
        work = work[::options.every]

        def one(item):
            trials, point = item
            if time.monotonic() - began > options.bound:
                return
            problem = trials.trial(point)
            tried[trials.verb.name] += 1
            if problem:
                call = trials.calls[point[0]]
                wrong.append(f"{trials.verb.name}: call {point[0]} ({call}) {point[1]}: {problem}")
                print(wrong[-1], file=sys.stderr, flush=True)

        with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
            list(pool.map(one, work))
    for name, count in sorted(tried.items()):
        print(f"{count:6}  {name}")
    total = sum(tried.values())
    print(f"{total - len(wrong)} of {total} faults: the old result or the new one is whole "
          f"({time.monotonic() - began:.0f} s, the longest run {max(trials.longest for trials in all_trials):.1f} s)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
