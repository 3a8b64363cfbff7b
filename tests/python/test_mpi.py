"""Solves by several processes: mpirun -n N apsp solve."""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import jsonschema
import numpy as np
import pytest

from conftest import CITIES, NEGATIVE_CYCLE, ROOT, binary, environment
from killed import LAUNCH, Job, JobTrials

each_mpi = pytest.mark.each_mpi  # run under every MPI that there is, not only the default one


def mpirun(tmp_path, *parts, input="", timeout=120):
    """parts: [processes, words…] of each program of the job. `input` is a file: a pipe that is closed as the job ends
    ends MPICH's launcher by a signal."""
    command = list(LAUNCH)
    for i, (processes, *words) in enumerate(parts):
        command += ([":"] if i > 0 else []) + ["-n", str(processes), binary(), *words]
    with tempfile.TemporaryFile("w+") as text:
        text.write(input)
        text.seek(0)
        return subprocess.run(command, cwd=tmp_path, env=environment(), stdin=text, text=True,
                              capture_output=True, timeout=timeout)


@pytest.fixture(scope="module", autouse=True)
def launcher():
    if shutil.which(LAUNCH[0]) is None:
        pytest.skip(f"no {LAUNCH[0]}")


@pytest.fixture
def graph(run, tmp_path):
    run("generate", "gnp", "g.gr", "--vertices", "150", "--probability", "0.04")
    return "g.gr"


def test_what_is_read_through_a_launcher_has_no_colours(graph, tmp_path):
    words = ["solve", graph, "--algorithm", "floyd-warshall", "--threads", "1"]
    done = subprocess.run([*LAUNCH, "-n", "2", binary(), *words], cwd=tmp_path,
                          env=environment(TERM="xterm"), capture_output=True, text=True, timeout=120)
    assert "Statistics" in done.stdout and "\x1b" not in done.stdout
    assert "plan: floyd-warshall min-plus " in done.stderr
    assert " processes, 1 thread and " in done.stderr


def statistics(text):
    found = json.loads(text)
    return found["statistics"]


@pytest.mark.parametrize("processes,options", [
    (1, []), pytest.param(3, ["--tuning", "broadcast=binomial"], marks=each_mpi),
    pytest.param(4, ["--tuning", "broadcast=library"], marks=each_mpi), (6, ["--tuning", "grid=3x2", "--tile", "8"]),
    *((4, ["--tuning", "variant=" + name, "--tile", "16"]) for name in ("reordering", "async")),
    (4, ["--tuning", "variant=baseline,schedule=pipelined,broadcast-diagonal=binomial,ranks=blocked",
         "--tile", "16"]),
    (8, ["--tuning", "grid=4x2", "--tuning", "ranks=2x1", "--tile", "8"])])
def test_statistics_are_those_of_one_process(run, graph, tmp_path, processes, options):
    alone = run("solve", graph, "--algorithm", "floyd-warshall", "--device", "cpu", "--json")
    done = mpirun(tmp_path, [processes, "solve", graph, "--threads", "1", "--json", "--verify", *options])
    assert done.returncode == 0, done.stderr
    assert statistics(done.stdout) == statistics(alone.out)
    assert json.loads(done.stdout)["verification"]["passed"]


@pytest.mark.parametrize("algorithm, name", [
    pytest.param("floyd-warshall", "out.zarr", marks=each_mpi), ("floyd-warshall", "out.npy"),
    ("nested-dissection", "out.zarr"), ("johnson", "out.npy")])
def test_all_processes_write_one_output(run, graph, tmp_path, name, algorithm):
    run("solve", graph, "-o", "alone.npy")
    done = mpirun(tmp_path, [4, "solve", graph, "-o", name, "--tile", "32", "--threads", "1",
                             "--verify", "--algorithm", algorithm])
    assert done.returncode == 0, done.stderr
    if name.endswith(".zarr"):
        run("convert", name, "together.npy")
        name = "together.npy"
    assert np.array_equal(np.load(tmp_path / name), np.load(tmp_path / "alone.npy"))
    assert not [entry for entry in tmp_path.iterdir() if entry.name.startswith(".")]


def dense(n, dtype="f4", seed=1):
    return np.random.default_rng(seed).integers(1, 100, (n, n)).astype(dtype)


@pytest.mark.parametrize("processes,options,order", [
    pytest.param(2, [], "F", marks=each_mpi), (4, ["--tile", "16"], "C"),
    (6, ["--tuning", "grid=3x2", "--tile", "8", "-o", "out.npy"], "F")])
def test_a_dense_matrix_is_read_by_parts(run, tmp_path, processes, options, order):
    for name, matrix in (("m.npy", dense(150)), ("s.npy", dense(150) + dense(150).T)):
        np.save(tmp_path / name, np.asarray(matrix, order=order))
        words = ["solve", name, "--algorithm", "floyd-warshall", "--json"]
        alone = run(*words, "--device", "cpu", "-o", "alone.npy")
        done = mpirun(tmp_path, [processes, *words, "--threads", "1", "--verify", *options])
        assert done.returncode == 0, done.stderr
        assert statistics(done.stdout) == statistics(alone.out)
        assert json.loads(done.stdout)["verification"]["passed"]
        if "-o" in options:
            assert np.array_equal(np.load(tmp_path / "out.npy"), np.load(tmp_path / "alone.npy"))


PEAK = """
import pathlib, resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
import os
pathlib.Path(f"peak-{os.getpid()}").write_text(str(peak * 1024))
sys.exit(code)
"""


def peaks(tmp_path, processes, *words):
    """Memory that each process held at most, bytes, mapped pages included; least first."""
    (tmp_path / "peak.py").write_text(PEAK)
    command = [*LAUNCH, "-n", str(processes), sys.executable, "peak.py", binary(), *words]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = []
    for path in tmp_path.glob("peak-*"):
        found.append(int(path.read_text()))
        path.unlink()
    assert len(found) == processes
    return sorted(found)


@pytest.mark.parametrize("order", ["C", "F"])
def test_no_process_holds_a_whole_matrix(tmp_path, order):
    n, part = 2400, 2400**2 * 8 // 4
    words = ["--algorithm", "floyd-warshall", "--threads", "1", "--dtype", "f64", "--tile", "128"]
    np.save(tmp_path / "few.npy", dense(300, "f8"))
    np.save(tmp_path / "m.npy", np.asarray(dense(n, "f8"), order=order))
    least = peaks(tmp_path, 4, "solve", "few.npy", *words)
    found = peaks(tmp_path, 4, "solve", "m.npy", *words, "-o", "out.npy")
    # Besides its part a process has panels, bands of rows on their way, and cells for statistics.
    assert found[-1] - least[0] < 2.2 * part, (found, least, part)


@pytest.mark.parametrize("algorithm", ["floyd-warshall", "nested-dissection", "johnson"])
def test_planes_are_those_of_one_process(run, roads, tmp_path, algorithm):
    planes = ["--predecessors"] + (["--hops"] if algorithm == "floyd-warshall" else [])
    words = ["solve", roads, "--algorithm", algorithm, "--tile", "64", *planes]
    run(*words, "--device", "cpu", "-o", "alone.zarr")
    done = mpirun(tmp_path, [4, *words, "--threads", "1", "-o", "out.zarr", "--verify"])
    assert done.returncode == 0, done.stderr
    for plane in ("predecessor",) + (("via", "hops") if "--hops" in planes else ()):
        for chunk in (tmp_path / "alone.zarr" / plane / "c").glob("*/*"):
            other = tmp_path / "out.zarr" / chunk.relative_to(tmp_path / "alone.zarr")
            assert chunk.read_bytes() == other.read_bytes(), chunk
    assert run("path", "out.zarr", "0", "899").out == run("path", "alone.zarr", "0", "899").out


@pytest.fixture
def roads(run, tmp_path):
    run("generate", "grid", "roads.gr", "--vertices", "900")
    return "roads.gr"


@pytest.mark.parametrize("processes,algorithm", [
    (4, "nested-dissection"), (3, "johnson"), (3, "boundary"), (2, "auto")])
def test_rows_are_distributed(run, roads, tmp_path, processes, algorithm):
    words = ["solve", roads, "--algorithm", algorithm, "--json"]
    alone = run(*words, "--device", "cpu")
    done = mpirun(tmp_path, [processes, *words, "--threads", "1", "--verify"])
    assert done.returncode == 0, done.stderr
    assert statistics(done.stdout) == statistics(alone.out)
    assert json.loads(done.stdout)["verification"]["passed"]
    assert json.loads(done.stdout)["report"]["algorithm"] != "floyd-warshall"


@pytest.mark.parametrize("weights", [[], pytest.param(["--real"], marks=each_mpi)])
def test_a_factor_that_does_not_fit_is_divided(run, tmp_path, weights):
    run("generate", "grid", "g.gr", "--vertices", "22500", *weights)
    words = ["solve", "g.gr", "--algorithm", "nested-dissection", "--dtype", "f64", "--json", "--threads", "1"]
    whole = mpirun(tmp_path, [4, *words])
    assert whole.returncode == 0, whole.stderr
    report = json.loads(whole.stdout)["report"]
    assert "divided" not in report["plan"]
    divided = mpirun(tmp_path, [4, *words, "--memory", str(4 * report["bytes_planned"] - 1)])
    assert divided.returncode == 0, divided.stderr
    assert "divided" in json.loads(divided.stdout)["report"]["plan"]
    assert json.loads(divided.stdout)["report"]["bytes_planned"] < report["bytes_planned"]
    assert statistics(divided.stdout) == statistics(whole.stdout) == statistics(run(*words).out)


def test_real_weights_are_those_of_one_process(run, tmp_path):
    rng = np.random.default_rng(7)
    lines = [f"{u} {v} {rng.random()}" for u, v in rng.integers(0, 500, (900, 2))]
    (tmp_path / "real.txt").write_text("\n".join(lines))
    words = ["solve", "real.txt", "--undirected", "--algorithm", "nested-dissection", "--json"]
    alone = run(*words, "--device", "cpu")
    done = mpirun(tmp_path, [3, *words, "--threads", "1"])
    assert done.returncode == 0, done.stderr
    assert statistics(done.stdout) == statistics(alone.out)


def test_limits_in_the_readme(run, graph, tmp_path):
    run("generate", "gnp", "signs.gr", "--vertices", 60, "--probability", "0.2", "--weights", "0:1", "--real",
        "--negative")
    for works, refused in (
            (["signs.gr", "--algorithm", "johnson"], ["signs.gr", "--algorithm", "floyd-warshall"]),
            ([graph, "--predecessors"], [graph, "--predecessors", "--sources", "1-3"])):
        assert mpirun(tmp_path, [2, "solve", *works, "-o", "out.zarr", "--overwrite"]).returncode == 0
        assert mpirun(tmp_path, [2, "solve", *refused, "-o", "refused.zarr"]).returncode == 2


@each_mpi
def test_sources_that_one_process_reads(roads, tmp_path):
    (tmp_path / "list.txt").write_text("5\n17\n88\n")
    done = mpirun(tmp_path, [2, "solve", roads, "--sources", "@list.txt", "--verify", "--json"])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verification"]["sources_checked"] == 3


def test_jobs_are_killed_at_random_moments_and_resumed(run, tmp_path):
    random.seed(5)
    run("generate", "gnp", "random.gr", "--vertices", "1200")
    trials = JobTrials(["solve", "random.gr", "-o", "out.zarr", "--algorithm", "floyd-warshall",
                        "--device", "cpu", "--dtype", "f64", "--tile", "60"], tmp_path, 3,
                       ["--checkpoint", "0"])
    for _ in range(2):
        assert trials.trial()


def test_jobs_that_write_rows_are_killed_and_resumed(run, tmp_path):
    random.seed(6)
    run("generate", "grid", "grid.gr", "--vertices", "2500")
    trials = JobTrials(["solve", "grid.gr", "-o", "out.zarr", "--algorithm", "nested-dissection",
                        "--device", "cpu", "--tile", "128"], tmp_path, 3)
    for _ in range(2):
        assert trials.trial()


@each_mpi
def test_the_message_names_the_process_that_died(graph, tmp_path):
    job = Job(["solve", graph, "-o", "out.zarr", "--algorithm", "floyd-warshall", "--tile", "1",
               "--checkpoint", "0"], tmp_path, 3)
    time.sleep(0.5)
    assert job.kill()  # looks for the name


def test_checkpoints_want_floyd_warshall_and_an_output(graph, tmp_path):
    for words in (["--algorithm", "floyd-warshall"], ["-o", "o.zarr", "--algorithm", "johnson"],
                  ["-o", "o.zarr", "--algorithm", "floyd-warshall", "--checkpoint", "often"]):
        done = mpirun(tmp_path, [2, "solve", graph, "--checkpoint", "5", *words])
        assert done.returncode == 2 and "--checkpoint" in done.stderr, done.stderr


@each_mpi
def test_labels_come_along(tmp_path):
    (tmp_path / "cities.csv").write_text(CITIES)
    done = mpirun(tmp_path, [2, "solve", "cities.csv", "--undirected", "--threads", "1"])
    assert done.returncode == 0, done.stderr
    assert "Dortmund" in done.stdout


@each_mpi
def test_a_factor_is_kept_and_a_matrix_updated_in_parts(run, graph, tmp_path):
    alone = run("solve", graph, "--device", "cpu", "--json")
    kept = mpirun(tmp_path, [3, "solve", graph, "--keep", "factor", "-o", "f.zarr", "--json"])
    assert statistics(kept.stdout) == statistics(alone.out), kept.stderr
    assert run("verify", "f.zarr").code == 0
    run("solve", graph, "-o", "r.zarr", "--keep", "matrix")
    first = next(line for line in (tmp_path / graph).read_text().splitlines() if line.startswith("a "))
    changes = "{},{},1\n".format(*(int(v) - 1 for v in first.split()[1:3]))
    run("update", "r.zarr", "-", "-o", "one.zarr", input=changes)
    done = mpirun(tmp_path, [3, "update", "r.zarr", "-", "-o", "all.zarr"], input=changes)
    assert done.returncode == 0 and "all.zarr: 1 weight changed" in done.stderr, done.stderr
    rows = [run("convert", name, "-").out for name in ("one.zarr", "all.zarr")]
    assert rows[0] == rows[1] and run("verify", "all.zarr").code == 0


@pytest.mark.parametrize("words,code,message", [
    (["solve", "none.gr"], 6, "none.gr"),
    (["solve", "loop.gr"], 4, "negative cycle"),
    (["solve", "g.gr", "--tuning", "grid=2x3"], 2, "is for 6 processes, and there are 2"),
    (["solve", "g.gr", "--tuning", "grid=2"], 2, "--tuning grid takes"),
    (["solve", "g.gr", "--tuning", "ranks=3x1"], 2, "does not divide a grid of 1 × 2"),
    (["solve", "g.gr", "--algorithm", "floyd-warshall", "--device", "cpu", "--tuning", "variant=offload"], 2,
     "name --device cuda"),
    (["solve", "g.gr", "--algorithm", "floyd-warshall", "--device", "cpu", "--tuning", "broadcast=nccl"], 2,
     "--tuning broadcast=ring"),
    (["solve", "g.gr", "--tuning", "cuda-aware=yes"], 2, "this MPI does not report"),
    (["solve", "m.npy"], 3, "the entry [2, 1]"),
    (["update", "m.npy", "c.csv", "--before", "-"], 2, "reaches only one of several processes"),
    (["solve", "g.gr", "-o", "nowhere/o.zarr"], 6, "nowhere")])
def test_one_process_says_what_is_wrong(graph, tmp_path, words, code, message):
    (tmp_path / "loop.gr").write_text(NEGATIVE_CYCLE)
    np.save(tmp_path / "m.npy", np.where(np.arange(16).reshape(4, 4) == 9, np.nan, 1))
    done = mpirun(tmp_path, [2, *words])
    assert done.returncode == code
    said = [line for line in done.stderr.splitlines() if line.startswith("apsp: ")]
    assert len(said) == 1 and message in said[0], done.stderr


@each_mpi
def test_processes_that_are_not_alike_refuse(graph, tmp_path):
    done = mpirun(tmp_path, [1, "solve", graph], [1, "solve", graph, "--threads", "1"])
    assert done.returncode == 2
    assert "process 1 of 2 differs from process 0 in the words" in done.stderr


def test_processes_of_other_versions_refuse(run, graph, tmp_path):
    """The other build is this one with another version written into it."""
    version = run("--version").out.split()[1].encode()
    other = tmp_path / "other"
    other.mkdir()
    for program in (binary(), f"{binary()}-mpi"):
        bytes_of = pathlib.Path(program).read_bytes()
        assert version + b"\0" in bytes_of
        copy = other / pathlib.Path(program).name
        copy.write_bytes(bytes_of.replace(version + b"\0", b"9" * len(version) + b"\0"))
        copy.chmod(0o755)
    command = [*LAUNCH, "-n", "1", binary(), "solve", graph, ":", "-n", "1",
               other / pathlib.Path(binary()).name, "solve", graph]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "process 1 of 2 differs from process 0 in its version" in done.stderr


# The words of a verb; OUT is a file that it writes. What is compared of its standard output: all of it, so many lines
# where the rest tells of the moment or of the processes, or nothing.
ALL, FOUR_LINES, NOTHING = None, 4, 0
EACH_VERB = [
    ([], ALL), (["closure", "--help"], ALL), (["nonsense"], ALL), (["solve", "--nonsense"], ALL),
    (["plan"], ALL), (["solve", "g.gr"], ALL), (["plan", "g.gr"], FOUR_LINES),
    (["closure", "-", "--format", "dimacs"], ALL),
    (["closure", "g.gr", "--verify", "-o", "OUT.npy"], NOTHING), (["closure", "none.gr", "--json"], ALL),
    (["path", "r.zarr", "1", "5"], ALL), (["path", "p.zarr", "1", "0"], ALL),
    (["distance", "r.zarr", "--pairs", "pairs.csv", "-o", "OUT.csv"], ALL), (["stats", "r.zarr", "--json"], ALL),
    (["report", "r.zarr", "-o", "OUT.html"], ALL), (["verify", "r.zarr"], ALL),
    (["update", "f.zarr", "changes.csv", "-o", "OUT.zarr"], ALL),
    (["convert", "-", "OUT.csv", "--format", "dimacs"], ALL),
    (["generate", "grid", "OUT.gr", "--vertices", "100"], ALL), (["clean", "r.zarr", "--list"], ALL),
    (["info"], FOUR_LINES), (["info", "g.gr"], ALL), (["bench", "--tile", "16", "--vertices", "64"], NOTHING)]


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    """A graph, its distances as a matrix and as a factor; a graph that one cannot leave by every vertex."""
    folder = tmp_path_factory.mktemp("each")
    (folder / "p.gr").write_text("p sp 2 1\na 1 2 7\n")
    (folder / "pairs.csv").write_text("1,2\n3,4\n")
    for words in (["generate", "gnp", "g.gr", "--vertices", "150", "--probability", "0.04"],
                  ["solve", "g.gr", "-o", "r.zarr"], ["solve", "p.gr", "-o", "p.zarr"],
                  ["solve", "g.gr", "-o", "f.zarr", "--keep", "factor", "--no-statistics"]):
        subprocess.run([binary(), *words], cwd=folder, env=environment(), check=True, capture_output=True)
    first = next(line for line in (folder / "g.gr").read_text().splitlines() if line.startswith("a "))
    (folder / "changes.csv").write_text("{},{},50\n".format(*(int(v) - 1 for v in first.split()[1:3])))
    return folder


@pytest.fixture
def some_of_each(made_once, tmp_path):
    shutil.copytree(made_once, tmp_path, dirs_exist_ok=True)


@pytest.mark.parametrize("words,lines", [
    pytest.param(*verb, marks=each_mpi if number % 4 == 0 else ()) for number, verb in enumerate(EACH_VERB)], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_every_verb_ends_as_that_of_one_process(run, some_of_each, tmp_path, words, lines):
    text = (tmp_path / "g.gr").read_text() if "-" in words[1:2] else ""

    def written(name):
        """By the run that has just ended, if it writes a file whose bytes are always the same."""
        path = tmp_path / name
        if path.suffix in (".npy", ".csv", ".gr") and path.exists():
            return path.read_bytes()
        return path.exists()

    def named(name):
        return [word.replace("OUT", name) for word in words]

    out = next((word for word in words if word.startswith("OUT")), "OUT")
    alone = run(*named("by-itself"), input=text, code=None)
    for processes in (1, 4) if words[:2] == ["solve", "g.gr"] else (3,):
        name = f"by-{processes}"
        done = mpirun(tmp_path, [processes, *named(name)], input=text, timeout=60)
        assert done.returncode == alone.code, done.stderr
        assert done.stdout.splitlines()[:lines] == alone.out.replace("by-itself", name).splitlines()[:lines]
        assert written(out.replace("OUT", name)) == written(out.replace("OUT", "by-itself"))
        assert done.stderr.count("apsp: ") == alone.err.count("apsp: ")


@pytest.mark.parametrize("device", ["cpu", "auto"])
def test_closures_are_those_of_one_process(run, tmp_path, device):
    (tmp_path / "real.txt").write_text("0 1 -2.5\n1 2 0.25\n2 0 -7\n3 0 1\n4 5 2\n")
    for graph, ways in (("real.txt", ["--directed"]), ("real.txt", ["--undirected"])):
        words = ["closure", graph, *ways, "--device", device, "--json"]
        alone = run(*words)
        done = mpirun(tmp_path, [3, *words, "--threads", "1", "--verify"])
        assert done.returncode == 0, done.stderr
        assert statistics(done.stdout) == statistics(alone.out)


@each_mpi
def test_options_of_a_job_are_taken_by_one_process(run, graph, tmp_path):
    alone = run("solve", graph, "--json", "--device", "cpu")
    words = ["solve", graph, "--algorithm", "floyd-warshall", "--device", "cpu", "--json"]
    for options in (["--tuning", "grid=1x1"], ["--tuning", "schedule=baseline"], ["--tuning", "broadcast=binomial"],
                    ["--checkpoint", "5", "-o", "out.zarr"], ["--tuning", "ranks=plain"]):
        done = mpirun(tmp_path, [1, *words, *options])
        assert done.returncode == 0, done.stderr
        assert statistics(done.stdout) == statistics(alone.out)
        assert " on 1 × 1 processes" in done.stderr
    done = mpirun(tmp_path, [1, *words, "--tuning", "grid=2x1"])
    assert done.returncode == 2 and "--tuning grid=2x1 is for 2 processes, and there are 1" in done.stderr


LATE = """#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$LATE" ] && exec sleep 40
"$@"
status=$?
echo $status >status
exit $status
"""


@each_mpi
@pytest.mark.parametrize("verb, late", [("solve", "1"), ("stats", "0")])
def test_a_process_that_meets_nobody_says_so(graph, tmp_path, late, verb):
    """One of the others never begins."""
    (tmp_path / "late").write_text(LATE)
    (tmp_path / "late").chmod(0o755)
    began = time.time()
    done = subprocess.run([*LAUNCH, "-n", "2", "./late", binary(), verb, graph], cwd=tmp_path, text=True, timeout=60,
                          env=environment(LATE=late, APSP_MEETING_SECONDS="1.5"), capture_output=True)
    assert (tmp_path / "status").read_text() == "7\n" and 1.5 < time.time() - began < 30
    # MPICH's launcher kills the late process, and at times its status is that one's (9, or 1), not 7.
    assert done.returncode != 0 if "mpich" in LAUNCH[0] else done.returncode == 7
    assert f"apsp: process {1 - int(late)} of 2 has waited 1.5 seconds for the others" in done.stderr


@pytest.mark.parametrize("variable", ["OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"])
def test_a_program_without_mpi_refuses_to_be_one_of_several(graph, tmp_path, variable):
    lonely = tmp_path / "lonely"
    shutil.copy(binary(), lonely)
    done = subprocess.run([lonely, "solve", graph], cwd=tmp_path, capture_output=True, text=True,
                          env=environment(**{variable: "4"}), timeout=60)
    assert done.returncode == 7 and "one of 4 processes" in done.stderr


@pytest.mark.parametrize("variable", ["PMI_SIZE", "SLURM_STEP_NUM_TASKS"])  # srun --mpi=none
def test_the_launcher_of_another_mpi_is_told(graph, tmp_path, variable):
    """Each of them would be alone otherwise, and all would write one output."""
    done = subprocess.run([f"{binary()}-mpi", "solve", graph, "-o", "o.zarr"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=60,
                          env=environment(**{variable: "4"}))
    assert done.returncode == 7 and "belongs to another MPI" in done.stderr
    assert not (tmp_path / "o.zarr").exists()


def test_options_of_several_processes_want_several(run, graph):
    run("solve", graph, "--tuning", "grid=1x1", code=2)
    run("solve", graph, "--tuning", "cuda-aware=yes", code=2)
    run("bench", "--dtype", "f64", code=2)


def test_a_plan_says_what_the_processes_of_a_launch_would_take(tmp_path):
    (tmp_path / "g.csv").write_text("".join(f"{i} {(i * 7 + 1) % 600} {i % 9 + 1}\n" for i in range(600)))
    done = mpirun(tmp_path, [2, "plan", "g.csv", "--json"])
    assert done.returncode == 0, done.stderr
    cluster = json.loads(done.stdout)["cluster"]
    assert cluster["nodes"] * cluster["processes_per_node"] == 2 and cluster["vertices"] == 600
    ways = {way["variant"]: way for way in cluster["variants"]}
    messages = cluster["messages"]
    assert messages["on_machine"]["measured"] and not messages["between_machines"]["measured"]
    assert messages["on_machine"]["bytes_per_second"] > 1e7 and 0 < messages["on_machine"]["seconds"] < 1
    assert "offload" not in ways and ways["own"]["grid"] in ([1, 2], [2, 1])
    # Which is less depends on messages as they were measured beside other programs; test_plan.py has the order.
    assert 0 < ways["own"]["seconds"] < 60 and 0 < ways["baseline"]["seconds"] < 60
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "schema.json").read_text())).validate(document)
