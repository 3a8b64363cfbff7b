"""Solves that are killed at random moments and resumed, each compared with one that was not.

APSP_BIN names the program, APSP_MPIEXEC a launcher of MPICH, which then starts the jobs. `make kills` draws many more
(tests/reliability/kills.py)."""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time

from conftest import binary, environment

OUT = "out.zarr"
MPICH = os.environ.get("APSP_MPIEXEC")
LAUNCH = ([MPICH] if MPICH else ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"])
ONE_OF_ALL = """[ -z "$STANDARD_ERROR" ] || exec 2>> "$STANDARD_ERROR"
which=$1 before=$2
shift 2
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$which" ] && exec $before "$@"
exec "$@"
"""


def launch_with_one(which, before, processes=2):
    """The words that start a job. In one process, the words `before` stand before the program.

    Where the environment names a file STANDARD_ERROR, all processes write there: a launcher that
    ends a job may lose what a process said last."""
    return [*LAUNCH, "-n", str(processes), "sh", "-c", ONE_OF_ALL, "sh", str(which), before]


def start(words, folder):
    return subprocess.Popen([binary(), *map(str, words)], cwd=folder, env=environment(),
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def run(words, folder):
    process = start(words, folder)
    err = process.communicate(timeout=600)[1].decode()
    assert process.returncode == 0, f"apsp {' '.join(map(str, words))}\n{err}"
    return err


def rows_left(folder, output=OUT):
    """Complete rows, or pivots, that a killed run left, by `apsp clean --list`."""
    done = subprocess.run([binary(), "clean", output, "--list", "--json"], cwd=folder, check=True,
                          env=environment(), capture_output=True)
    return max((left.get("rows_done", left.get("pivots_done", 0))
                for left in json.loads(done.stdout)["leftovers"]), default=0)


def words_on_disk(graph, folder, *more, output=OUT):
    """A solve that has less memory than a matrix takes, and so solves it on the disk."""
    words = [graph, "-o", output, "--algorithm", "floyd-warshall", *more]
    done = subprocess.run([binary(), "plan", *words, "--json"], cwd=folder, check=True,
                          env=environment(), capture_output=True)
    plan = json.loads(done.stdout)["plan"]
    assert plan["matrix_kept"], plan
    return ["solve", *words, "--memory", str(plan["bytes"] - 1)]


def children(process):
    text = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in text.split()]


class Job:
    """A solve by some of `most` processes; one of them, any, is killed."""

    def __init__(self, words, folder, most):
        self.count = random.randint(2, most)
        command = [*LAUNCH, "-n", self.count, binary(), *words, "--threads", 1]
        self.process = subprocess.Popen([*map(str, command)], cwd=folder, env=environment(),
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def kill(self):
        """Whether a process was killed; its number must have been said then."""
        try:
            # MPICH's launcher has a child of its own, whose children they are.
            ranks = children(self.process.pid)
            ranks = children(ranks[0]) if MPICH else ranks
            os.kill(random.choice(ranks), signal.SIGKILL)
        except (OSError, IndexError):  # it has not begun, or has ended
            self.process.kill()
        try:
            said = self.process.communicate(timeout=20)[0].decode()
        except subprocess.TimeoutExpired:
            self.process.kill()
            said = self.process.communicate(timeout=60)[0].decode()
            # Open MPI's waits for ever for one that died before it joined the others. They had all
            # joined if process 0 has said what graph it read: then the job itself hangs.
            assert not MPICH and " vertices, " not in said, said
        killed = self.process.returncode != 0
        # Before it has joined the others, Open MPI does not know its number; MPICH says where it
        # ran, on its standard output.
        named = re.search(r"process rank \d+ .* exited on signal 9|Primary job"
                          r"|PID \d+ RUNNING AT .*\n.*EXIT CODE: 9", said)
        assert not killed or named or self.process.returncode < 0, said
        return killed


def content(folder):
    """All bytes of a result but the group's zarr.json, and of that what was found."""
    folder = pathlib.Path(folder)
    files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    group = json.loads(files.pop("zarr.json"))["attributes"]
    return files, group["apsp"], group["result"].get("statistics")


class Trials:
    """`words`: of a solve that writes OUT."""

    def __init__(self, words, folder):
        self.words, self.folder = words, pathlib.Path(folder)
        began = time.monotonic()
        run(words, folder)
        self.seconds = time.monotonic() - began
        self.wanted = content(self.folder / OUT)
        self.killed = self.resumed = 0

    def killed_one(self, words):
        """Whether the solve was killed before it ended."""
        process = start(words, self.folder)
        time.sleep(random.uniform(0, 1.1 * self.seconds))
        process.kill()
        process.communicate(timeout=60)
        return process.returncode < 0

    def trial(self):
        """Kills a solve, often what resumes it too, and goes on; whether the result is right."""
        shutil.rmtree(self.folder / OUT)
        while True:
            resumes = rows_left(self.folder) > 0
            self.resumed += resumes
            words = ["solve", "--resume", OUT] if resumes else self.words
            killed = self.killed_one(words)
            self.killed += killed
            if not killed or (self.folder / OUT).exists() or random.random() < 0.5:
                break
        if not (self.folder / OUT).exists():
            resumes = rows_left(self.folder) > 0
            self.resumed += resumes
            self.finish(["solve", "--resume", OUT] if resumes else self.words)
        run(["clean", OUT, "--quiet"], self.folder)
        hidden = [path.name for path in self.folder.iterdir() if path.name.startswith(".")]
        return not hidden and content(self.folder / OUT) == self.wanted

    def all_right(self, count):
        """Whether so many trials are right, and more until one was killed: a busy machine may have measured too long a
        time."""
        right = [self.trial() for _ in range(count)]
        while self.killed == 0:
            self.seconds /= 2
            right.append(self.trial())
        return all(right)

    def finish(self, words):
        run(words, self.folder)


class JobTrials(Trials):
    """The same by several processes, another number of them each time; what they keep is gone on
    with by as many as it happens."""

    def __init__(self, words, folder, most, more=()):
        """`more`: words for jobs alone."""
        self.most, self.more = most, more
        super().__init__(words, folder)
        began = time.monotonic()
        shutil.rmtree(self.folder / OUT)
        self.finish(words)
        self.seconds = time.monotonic() - began
        assert content(self.folder / OUT) == self.wanted

    def killed_one(self, words):
        job = Job([*words, *self.more], self.folder, self.most)
        time.sleep(random.uniform(0, 1.1 * self.seconds))
        return job.kill()

    def finish(self, words):
        job = Job([*words, *self.more], self.folder, self.most)
        said = job.process.communicate(timeout=600)[0].decode()
        assert job.process.returncode == 0, said
