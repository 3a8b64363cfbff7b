"""Processes of a job that die, stop, are slow, or are not like the others: the job ends and says who it was,
or goes on."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

import pytest

from conftest import binary, environment
from killed import LAUNCH, MPICH, children, content, launch_with_one

each_mpi = pytest.mark.each_mpi


@pytest.fixture(scope="module", autouse=True)
def launcher():
    if shutil.which(LAUNCH[0]) is None:
        pytest.skip(f"no {LAUNCH[0]}")


@pytest.fixture
def graph(run):
    run("generate", "gnp", "random.gr", "--vertices", "1200", "--quiet")
    return "random.gr"


def solve(*more):
    return ["solve", "random.gr", "-o", "out.zarr", "--device", "cpu", "--threads", "1", *more]


MATRIX = solve("--algorithm", "floyd-warshall", "--dtype", "f64", "--tile", "8")
FAST, HALF = [*MATRIX[:-1], "64"], [*MATRIX[:-1], "24"]
ROWS = solve("--algorithm", "johnson", "--tile", "32")


class Job:
    def __init__(self, folder, processes, words, **variables):
        command = [*LAUNCH, "-n", str(processes), binary(), *words]
        self.process = subprocess.Popen(command, cwd=folder, env=environment(**variables), text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def ranks(self):
        """Their process numbers, when all have met; by rank."""
        for _ in range(1000):
            try:
                found = children(self.process.pid)
                found = children(found[0]) if MPICH else found
                facts = {int(variable_of(pid, "PMI_RANK" if MPICH else "OMPI_COMM_WORLD_RANK")): pid for pid in found}
                if len(facts) > 1 and all(is_listening(pid) for pid in found):
                    return [facts[rank] for rank in sorted(facts)]
            except (OSError, IndexError, TypeError):
                pass
            time.sleep(0.01)
        pytest.fail("the processes have not met")

    def end(self, limit=60):
        began = time.monotonic()
        try:
            self.said = self.process.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            for pid in (*children(self.process.pid), self.process.pid):
                os.kill(pid, signal.SIGKILL)
            raise
        self.seconds = time.monotonic() - began
        return self.process.returncode


def variable_of(process, name):
    words = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    return next((word.decode().split("=", 1)[1] for word in words if word.startswith(name.encode() + b"=")), None)


def is_listening(process):
    """Whether it has a thread for heartbeats: it has a socket for datagrams."""
    sockets = {path.readlink().name for path in pathlib.Path(f"/proc/{process}/fd").iterdir()}
    return any(f"socket:[{line.split()[9]}]" in sockets
               for line in pathlib.Path(f"/proc/{process}/net/udp").read_text().splitlines()[1:])


def gone(processes):
    for _ in range(300):
        alive = [pid for pid in processes if state_of(pid) not in ("Z", "X", "")]
        if not alive:
            return True
        time.sleep(0.02)
    return False


def state_of(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


STOPS = [(MATRIX, 0), (ROWS, 1), ([*MATRIX, "--checkpoint", "0"], 2)]


@each_mpi
@pytest.mark.parametrize("words,which", STOPS, ids=["first", "rows", "last"])
def test_one_that_stops_is_named_by_number_and_machine(run, graph, tmp_path, words, which):
    if words is ROWS:  # work of many seconds: one that stops while all leave MPI is not noticed
        run("generate", "gnp", "random.gr", "--vertices", "8000", "--probability", "0.004", "--quiet")
    job = Job(tmp_path, 3, words, APSP_SILENCE_SECONDS="1.5")
    ranks = job.ranks()
    time.sleep(0.3)  # a heartbeat
    os.kill(ranks[which], signal.SIGSTOP)
    code = job.end()
    assert f"process {which} of 3, on {os.uname().nodename}, has not answered for 1.5 seconds" in job.said
    assert job.said.count("apsp: process") == 1, job.said
    assert code != 0 if MPICH else code == 7
    assert 1 < job.seconds < 30 and gone(ranks)
    assert not (tmp_path / "out.zarr").exists()


def test_one_that_stops_costs_no_result(run, graph, tmp_path):
    run(*HALF)
    wanted = content(tmp_path / "out.zarr")
    shutil.rmtree(tmp_path / "out.zarr")
    job = Job(tmp_path, 2, [*HALF, "--checkpoint", "0"], APSP_SILENCE_SECONDS="1")
    ranks = job.ranks()
    time.sleep(0.2)
    os.kill(ranks[1], signal.SIGSTOP)
    assert job.end() != 0 and gone(ranks)
    again = Job(tmp_path, 3, [*HALF, "--checkpoint", "0", "--resume"])
    assert again.end() == 0, again.said
    assert content(tmp_path / "out.zarr") == wanted


@each_mpi
def test_two_that_stop_end_the_job_too(graph, tmp_path):
    job = Job(tmp_path, 4, MATRIX, APSP_SILENCE_SECONDS="1.5")
    ranks = job.ranks()
    time.sleep(0.3)
    for rank in ranks[1:3]:
        os.kill(rank, signal.SIGSTOP)
    assert job.end() != 0 and gone(ranks)
    assert "process 2 of 4, on " in job.said


@each_mpi
def test_one_that_is_fifty_times_slower_goes_on(run, graph, tmp_path):
    run(*ROWS)
    wanted = content(tmp_path / "out.zarr")
    shutil.rmtree(tmp_path / "out.zarr")
    job = Job(tmp_path, 2, ROWS, APSP_SILENCE_SECONDS="2")
    ranks = job.ranks()
    ended = threading.Event()

    def slow_down():
        with contextlib.suppress(ProcessLookupError):  # it has ended
            for _ in range(8):  # seconds, four times the limit
                os.kill(ranks[1], signal.SIGSTOP)
                if ended.wait(0.98):
                    break
                os.kill(ranks[1], signal.SIGCONT)
                time.sleep(0.02)
            os.kill(ranks[1], signal.SIGCONT)

    slow = threading.Thread(target=slow_down)
    slow.start()
    try:
        assert job.end() == 0, job.said
    finally:
        ended.set()
        slow.join()
    assert content(tmp_path / "out.zarr") == wanted


@each_mpi
def test_a_job_that_was_stopped_as_a_whole_goes_on(graph, tmp_path):
    job = Job(tmp_path, 2, MATRIX, APSP_SILENCE_SECONDS="1")
    ranks = job.ranks()
    time.sleep(0.2)
    for rank in ranks:
        os.kill(rank, signal.SIGSTOP)
    time.sleep(2.5)
    for rank in ranks:
        os.kill(rank, signal.SIGCONT)
        time.sleep(0.3)
    assert job.end() == 0, job.said


def test_without_a_limit_nobody_is_watched(graph, tmp_path):
    job = Job(tmp_path, 2, MATRIX, APSP_SILENCE_SECONDS="0")
    time.sleep(1)
    ranks = children(job.process.pid)
    os.kill(ranks[1], signal.SIGSTOP)
    time.sleep(2)
    os.kill(ranks[1], signal.SIGCONT)
    assert job.end() == 0, job.said


def odd_job(folder, which, before, words, processes=2, **variables):
    command = [*launch_with_one(which, before, processes), binary(), *words]
    return subprocess.run(command, cwd=folder, env=environment(**variables), text=True, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


@pytest.mark.parametrize("which", [0, 1])
def test_one_that_has_too_little_memory_ends_all(run, tmp_path, which):
    run("generate", "gnp", "random.gr", "--vertices", "16000", "--probability", "0.0002", "--quiet")
    done = odd_job(tmp_path, which, "prlimit --as=1000000000", [*FAST, "--checkpoint", "60"])
    said = [line for line in done.stdout.splitlines() if line.startswith("apsp: ")]
    assert done.returncode != 0 and len(said) == 1 and "memory" in said[0], done.stdout
    assert which == 0 or "process 1" in said[0], said
    assert not (tmp_path / "out.zarr").exists()


@pytest.mark.parametrize("words", [FAST, ROWS], ids=["matrix", "rows"])
def test_one_whose_clocks_are_others_makes_no_difference(run, graph, tmp_path, words):
    clocks = "unshare --time --monotonic 100000 --boottime 100000 --fork"
    if subprocess.run([*clocks.split(), "true"], capture_output=True).returncode != 0:
        pytest.skip("no clocks of its own: needs root, and a kernel with time namespaces")
    run(*words)
    wanted = content(tmp_path / "out.zarr")
    shutil.rmtree(tmp_path / "out.zarr")
    done = odd_job(tmp_path, 1, clocks, [*words, *(["--checkpoint", "0.002"] if words is FAST else [])])
    assert done.returncode == 0, done.stdout
    assert content(tmp_path / "out.zarr") == wanted


@pytest.mark.parametrize("name,words", [("random.gr", FAST), ("random.gr", ROWS), ("dense.npy", [])],
                         ids=["matrix", "rows", "dense"])
def test_one_that_has_another_file_under_the_name(run, graph, tmp_path, name, words):
    """Process 0 reads graphs for all. Of a dense matrix each reads its part, of a file that must be the same."""
    run("generate", "dense", "dense.npy", "--vertices", "300", "--quiet")
    other = tmp_path / "other"
    other.mkdir()
    kind = ["gnp", name] if name.endswith("gr") else ["dense", name]
    subprocess.run([binary(), "generate", *kind, "--vertices", "300", "--seed", "9", "--quiet"], cwd=other, check=True,
                   env=environment())
    words = words or ["solve", "dense.npy", "--algorithm", "floyd-warshall", "--threads", "1"]
    done = odd_job(tmp_path, 1, f"env -C {other}", [word.replace("out.zarr", f"{tmp_path}/out.zarr") for word in words])
    if name == "dense.npy":
        assert done.returncode != 0 and "process 1" in done.stdout, done.stdout
    else:
        assert done.returncode == 0, done.stdout
        wanted = content(tmp_path / "out.zarr")
        shutil.rmtree(tmp_path / "out.zarr")
        run(*words)
        assert content(tmp_path / "out.zarr") == wanted
