"""mpirun apsp bench: a random matrix on several processes; and the job scripts of examples/cluster. Slurm's runs
against a stand-in of srun, the MPI operator's is whole."""

import json
import re
import subprocess

import jsonschema
import pytest

from conftest import ROOT, binary, environment
from killed import LAUNCH
from test_mpi import each_mpi, graph, launcher, mpirun  # noqa: F401, fixtures among them

EXAMPLES = ROOT / "examples" / "cluster"


BENCH = ["bench", "--vertices", "61,150", "--tile", "16", "--threads", "1"]


@pytest.mark.parametrize("processes,options", [
    (1, ["--grid", "1x1"]), pytest.param(2, [], marks=each_mpi), (3, ["--dtype", "u16"]),
    *((4, ["--variant", name, "--dtype", "f64"]) for name in ("baseline", "async", "own")),
    pytest.param(4, ["--dtype", "i32", "--schedule", "pipelined"], marks=each_mpi)])
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
    (["bench", "-o", "t.svg", "--tile", "16"], "start apsp without mpirun"),
    (["bench", "--tile", "16,32"], "--tile takes one side"),
    (["bench", "--vertices", "50", "--grid", "3x1"], "--grid 3x1 is for 3 processes"),
    (["bench", "--vertices", "50", "--variant", "offload"], "parts stream through GPUs")])
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
    assert report["bandwidth"] == pytest.approx(150**2 * size / report["seconds_solve"], rel=0.5)
    assert "effective" not in mpirun(tmp_path, [4, *words]).stderr


def test_the_script_for_slurm_runs(tmp_path):
    srun = tmp_path / "srun"
    srun.write_text("#!/usr/bin/env bash\nwhile [[ $1 == --* ]]; do shift; done\nshift\n"
                    f"exec {' '.join(LAUNCH)} -n 2 {binary()} \"$@\"\n")
    srun.chmod(0o755)
    env = environment(PATH=f"{tmp_path}:/usr/local/bin:/usr/bin:/bin", SLURM_CPUS_PER_TASK="1")
    done = subprocess.run([EXAMPLES / "slurm.sh", "--device", "cpu", "--vertices", "100"], cwd=tmp_path,
                          env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Gflop/s" in done.stdout and "passed" in done.stdout
    document = json.loads((tmp_path / "apsp-bench-local.json").read_text())
    assert document["cluster"]["passed"] and document["cluster"]["solves"][0]["vertices"] == 100


def test_the_job_of_the_operator_has_a_process_a_slot():
    text = (EXAMPLES / "mpijob.yaml").read_text()
    slots, workers = (int(re.search(rf"{key}: (\d+)", text)[1]) for key in ("slotsPerWorker", "Worker:\n      replicas"))
    assert f'- "{slots * workers}"' in text and f"nvidia.com/gpu: {slots}" in text
    assert "kubeflow.org/v2beta1" in text and "/usr/sbin/sshd" in text


def test_the_container_has_what_the_job_starts():
    text = (EXAMPLES / "Containerfile").read_text()
    assert all(word in text for word in ("openmpi-bin", "openssh-server", "cmake --install", "PATH=/opt/apsp/bin"))
