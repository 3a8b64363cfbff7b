"""Messages of a job that fail once, or come short: every process ends with a message, and results stay whole.

A library that is loaded before MPI makes the call fail (tests/faults/message_faults.cpp)."""

import os
import shutil

import pytest

from killed import LAUNCH, content
from test_peers import Job

FAULTS = os.environ.get("APSP_MESSAGE_FAULTS")
SOLVE = ["solve", "random.gr", "-o", "out.zarr", "--device", "cpu", "--threads", "1", "--algorithm", "floyd-warshall",
         "--dtype", "f64", "--tile", "32"]
CALLS = (1, 4, 12, 33, 90, 150)


@pytest.fixture
def graph(run):
    if FAULTS is None or shutil.which(LAUNCH[0]) is None:
        pytest.skip("no MPI, or no library of faults was built")
    run("generate", "gnp", "random.gr", "--vertices", "300", "--quiet")


@pytest.mark.parametrize("way", ["fail", "short"])
@pytest.mark.parametrize("rank", [0, 1])
def test_one_message_that_fails_ends_the_job(run, graph, tmp_path, rank, way):
    run(*SOLVE)
    wanted = content(tmp_path / "out.zarr")
    shutil.rmtree(tmp_path / "out.zarr")
    failed = 0
    for call in CALLS:
        job = Job(tmp_path, 2, [*SOLVE, "--checkpoint", "0"], LD_PRELOAD=FAULTS, APSP_MESSAGE_FAULT=f"{rank}:{call}:{way}")
        code = job.end(30)
        if "message fault" in job.said:
            failed += 1
            assert code != 0 and "apsp: " in job.said, (call, job.said)
            assert not (tmp_path / "out.zarr").exists(), call
            run(*SOLVE, "--resume")
        else:
            assert code == 0, (call, job.said)
        assert content(tmp_path / "out.zarr") == wanted, call
        shutil.rmtree(tmp_path / "out.zarr")
    assert failed > len(CALLS) / 2
