"""mpirun apsp bench: a random matrix on several processes; and the job scripts of examples/cluster. Slurm's runs
against a stand-in of srun, the MPI operator's is whole."""

import json
import os
import re
import shutil
import subprocess

import jsonschema
import pytest

from conftest import ROOT, binary, environment
from killed import LAUNCH
from test_mpi import each_mpi, graph, launcher, mpirun  # noqa: F401, fixtures among them

EXAMPLES = ROOT / "examples" / "cluster"


BENCH = ["bench", "--vertices", "61,150", "--tile", "16", "--threads", "1"]


@pytest.mark.parametrize("processes,options", [
    (1, ["--tuning", "grid=1x1"]), pytest.param(2, [], marks=each_mpi), (3, ["--dtype", "u16"]),
    *((4, ["--tuning", "variant=" + name, "--dtype", "f64"]) for name in ("baseline", "own")),
    pytest.param(4, ["--dtype", "i32", "--tuning", "schedule=pipelined"], marks=each_mpi)])
def test_a_benchmark_without_a_file(processes, options, tmp_path):
    done = mpirun(tmp_path, [processes, *BENCH, *options, "--json"])
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "schema.json").read_text())).validate(document)
    cluster = document["cluster"]
    assert cluster["passed"] and cluster["grid"]["rows"] * cluster["grid"]["columns"] == processes
    assert [row["vertices"] for row in cluster["solves"]] == [61, 150]
    assert cluster["nodes"] == processes and cluster["nodes_are"] == "processes"
    for row in cluster["solves"]:
        n = row["vertices"]
        assert row["flops_per_second"] == pytest.approx(2 * n**3 / row["seconds"]["solve"])
        assert row["check"]["rows"] == 4 and row["check"]["entries_tested"] == n * n
        assert row["model"]["share"] > 0 and row["bandwidth"] > 0


def test_a_benchmark_tells_its_phases(tmp_path):
    done = mpirun(tmp_path, [2, *BENCH])
    assert done.returncode == 0 and all(word in done.stdout for word in (
        "Gflop/s", "GB/s a process", "of model", "generate", "residual", "passed")), done.stdout


@pytest.mark.parametrize("words,message", [
    (["bench", "--tile", "16,32"], "--tile takes one side"),
    (["bench", "--vertices", "50", "--tuning", "grid=3x1"], "--tuning grid=3x1 is for 3 processes"),
    (["bench", "--vertices", "50", "--tuning", "variant=offload"], "parts stream through GPUs")])
def test_a_benchmark_refuses(words, message, tmp_path):
    done = mpirun(tmp_path, [2, *words])
    assert done.returncode == 2 and message in done.stderr, done.stderr


def test_a_benchmark_too_large_for_memory(tmp_path):
    done = mpirun(tmp_path, [2, "bench", "--vertices", "1000000"])
    assert done.returncode == 5 and "take more machines" in done.stderr, done.stderr


def test_a_solve_tells_its_effective_bandwidth(graph, tmp_path):
    words = ["solve", graph, "--algorithm", "floyd-warshall", "--threads", "1"]
    done = mpirun(tmp_path, [4, *words, "--verbose"])
    assert "effective bandwidth" in done.stderr
    report = json.loads(mpirun(tmp_path, [4, *words, "--json"]).stdout)["report"]
    # Four processes of one machine stand for nodes of 2 x 2: n² / 2 + n² / 2 values of four bytes or two.
    size = report["bytes_matrix"] / 150**2
    # `seconds_solve` includes the start of the grid, which takes as long as 150 vertices on a busy machine.
    assert 0.99 <= report["bandwidth"] / (150**2 * size / report["seconds_solve"]) < 4
    assert "effective" not in mpirun(tmp_path, [4, *words]).stderr


SRUN = """#!/usr/bin/env bash
echo "$SRUN_CPUS_PER_TASK $OMP_NUM_THREADS $*" >> {called}
while [[ $1 == --* ]]; do shift; done
[[ $1 == apsp ]] || exit 127
shift
[[ " $* " == *" --device cuda "* ]] && exit 0
exec {launch} -n 2 {program} "$@"
"""


def slurm(tmp_path, *words, **changes):
    """Runs the script under a stand-in for srun, which notes its own words and starts two processes, none on GPUs.
    Slurm's variables are those that sbatch sets: its srun does not read SLURM_CPUS_PER_TASK."""
    srun = tmp_path / "srun"
    srun.write_text(SRUN.format(called=tmp_path / "called", launch=" ".join(LAUNCH), program=binary()))
    srun.chmod(0o755)
    env = environment(PATH=f"{tmp_path}:/usr/local/bin:/usr/bin:/bin", SLURM_CPUS_PER_TASK="3", **changes)
    done = subprocess.run([EXAMPLES / "slurm.sh", *words], cwd=tmp_path, env=env, capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout, (tmp_path / "called").read_text().splitlines()


def test_the_script_for_slurm_runs(tmp_path):
    tables, called = slurm(tmp_path, "--device", "cpu", "--vertices", "100", SLURM_JOB_ID="17")
    assert "Gflop/s" in tables and "passed" in tables
    document = json.loads((tmp_path / "apsp-bench-17.json").read_text())
    assert document["cluster"]["passed"] and document["cluster"]["solves"][0]["vertices"] == 100
    assert len(called) == 2 and all(line.startswith("3 3 --mpi=pmix ") for line in called)


@pytest.mark.parametrize("words", [[], ["--vertices", "1000", "--full"]])
def test_the_script_for_slurm_takes_gpus_and_any_extent(words, tmp_path):
    """Its words are those of `apsp bench`, which refuses two extents."""
    _, called = slurm(tmp_path, *words)
    for line in called:
        asked = line[line.index("apsp bench") :].split()[2:]
        assert asked[-2:] == ["--device", "cuda"] and asked.count("--device") == 1
        assert [word for word in asked if word in ("--quick", "--full")] == [
            word for word in words if word in ("--quick", "--full")]


def test_the_script_for_slurm_keeps_a_device(tmp_path):
    _, called = slurm(tmp_path, "--device=cpu", "--vertices", "50")
    assert all("cuda" not in line for line in called)


def test_the_script_for_slurm_keeps_what_srun_was_told(tmp_path):
    _, called = slurm(tmp_path, SRUN_CPUS_PER_TASK="5", APSP_IMAGE="apsp.sqsh")
    assert all(line.startswith("5 5 ") and "--container-image=apsp.sqsh" in line for line in called)


def operator_job():
    """The words that the MPI operator's launcher starts, and the rest of the file."""
    text = (EXAMPLES / "mpijob.yaml").read_text()
    listed = re.search(r"command:\n((?: +(?:- |#).*\n)+)", text)[1]
    return [line.strip()[2:].strip('"') for line in listed.splitlines() if line.strip().startswith("- ")], text


def test_the_job_of_the_operator_has_a_process_a_slot():
    words, text = operator_job()
    slots, workers = (int(re.search(rf"{key}: (\d+)", text)[1]) for key in ("slotsPerWorker", "Worker:\n      replicas"))
    assert words[words.index("-n") + 1] == str(slots * workers) and f"nvidia.com/gpu: {slots}" in text
    assert "kubeflow.org/v2beta1" in text and "/usr/sbin/sshd" in text


def test_the_job_of_the_operator_starts_where_ssh_knows_no_path(tmp_path):
    """The image has its programs below /opt/apsp, and the other side gets no PATH from it. Two worker nodes are this
    machine by a stand-in for ssh, whose shell has an empty environment."""
    words, _ = operator_job()
    image = re.search(r"--prefix (\S+)", (EXAMPLES / "Containerfile").read_text())[1]
    program = words.index(f"{image}/bin/apsp")
    assert "PATH" not in " ".join(words) and words[0].startswith("/")
    ssh = tmp_path / "ssh"
    ssh.write_text(f'#!/bin/bash\necho "$1" >> {tmp_path}/reached\nwhile [[ $1 == -* ]]; do shift; done\nshift\n'
                   'exec /usr/bin/env -i OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 /bin/sh -c "$*"\n')
    ssh.chmod(0o755)
    words[program:] = [binary(), "bench", "--vertices", "100", "--threads", "1"]
    words[words.index("-n") + 1] = "2"
    nodes = ["-H", "worker-0:1,worker-1:1", "--mca", "plm_rsh_agent", str(ssh), "--mca", "plm_rsh_no_tree_spawn", "1"]
    for patience in (60, 120):  # on a busy machine Open MPI's mpirun waits forever, one time in many
        try:
            (tmp_path / "reached").unlink(missing_ok=True)
            done = subprocess.run([words[0], *nodes, *words[1:]], cwd=tmp_path, capture_output=True, text=True,
                                  timeout=patience, env={**environment(), "PATH": "/nowhere"})
            break
        except subprocess.TimeoutExpired:
            continue
    assert done.returncode == 0 and "passed" in done.stdout, done.stderr
    assert len((tmp_path / "reached").read_text().splitlines()) == 2


def installed_packages():
    """{name: those that it depends on}"""
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\t${Depends}, ${Pre-Depends}\n"], capture_output=True, text=True)
    return {name: [re.split(r"[ :(]", word.strip())[0] for word in re.split(r"[,|]", needs) if word.strip()]
            for name, needs in (line.split("\t") for line in asked.stdout.splitlines())}


def packages(installed, *names):
    """Installed packages that depend on each other, from these on."""
    found, queue = set(), list(names)
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue += installed.get(name, [])
    return found


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="no packages of Debian")
@pytest.mark.parametrize("path", ["examples/cluster/Containerfile", "packaging/oci/Containerfile"])
def test_the_container_has_the_libraries_of_the_programs(path):
    """Those that the programs load here belong to packages that the file installs, or that are in every image."""
    text = re.sub(r"\\\n", " ", (ROOT / path).read_text())
    last = text[text.rindex("FROM ") :]
    patterns = [word.strip("^$") for word in re.findall(r"[^\s'\"]+", last) if re.match(r"\^?(lib|zlib|openmpi)", word)]
    installed = installed_packages()
    there = packages(installed, "apt", "base-files",
                     *(name for name in installed if any(re.fullmatch(pattern, name) for pattern in patterns)))
    loaded = "".join(subprocess.run(["ldd", f"{binary()}{mpi}"], capture_output=True, text=True, check=True).stdout
                     for mpi in ("", "-mpi"))
    files = {os.path.realpath(library) for library in re.findall(r"=> (/\S+)", loaded)}
    names = [name for file in files for name in (file, file.removeprefix("/usr"))]  # as older packages call it
    owned = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True).stdout
    owners = {file: set(re.findall(rf"^([\w.+-]+)(?::\w+)?: .*/{re.escape(os.path.basename(file))}$", owned, re.M))
              for file in files}
    assert files and {file: of for file, of in owners.items() if not of & there} == {}


def test_root_of_a_container_starts_jobs():
    for path in ("examples/cluster/Containerfile", "packaging/oci/Containerfile"):
        text = (ROOT / path).read_text()
        allowed = dict(re.findall(r"(OMPI_ALLOW_RUN_AS_ROOT\w*)=(\d)", text))
        assert allowed == {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def test_the_container_has_what_the_job_starts():
    text = (EXAMPLES / "Containerfile").read_text()
    assert all(word in text for word in ("openmpi-bin", "openssh-server", "cmake --install", "PATH=/opt/apsp/bin"))
