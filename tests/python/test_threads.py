"""`--threads N` holds for all that a verb does: reading, solving, verifying, statistics.

The threads of the process are counted while it works. Without the option the same runs take as many
as the environment says, so that the count is known to see them.
"""

import pathlib
import subprocess
import time

import numpy as np
import pytest

from conftest import binary, environment

ROWS = 200_000  # some 4 MB: several pieces a thread
OFFERED = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("threads")
    random = np.random.default_rng(11)
    ends = random.integers(0, 700, (ROWS, 2)) + 100_000
    rows = "\n".join(f"{u} {v}" for u, v in ends.tolist()) + "\n"
    (folder / "numbers.txt").write_text(rows)
    (folder / "names.txt").write_text(rows.replace("1", "x"))
    done = subprocess.run([binary(), "solve", "numbers.txt", "-o", "solved.zarr"], cwd=folder,
                          env=environment(), capture_output=True)
    assert done.returncode == 0, done.stderr
    return folder


def most_threads(folder, words):
    process = subprocess.Popen([binary(), *words], cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               env=environment(OMP_NUM_THREADS=str(OFFERED)))
    most = 0
    while process.poll() is None:
        try:
            most = max(most, len(list(pathlib.Path(f"/proc/{process.pid}/task").iterdir())))
        except OSError:
            break
        time.sleep(0.001)
    assert process.wait() == 0
    return most - 1  # one waits for signals


@pytest.mark.parametrize("words", [
    ["convert", "numbers.txt", "o.mtx"],
    ["convert", "names.txt", "o.mtx"],
    ["info", "numbers.txt"],
    ["solve", "numbers.txt", "--device", "cpu"],
    ["verify", "solved.zarr", "numbers.txt"],
    ["stats", "solved.zarr", "--graph", "numbers.txt"],
], ids=lambda words: "-".join(words[:2]).replace(".", "-"))
def test_no_more_threads_than_asked_for(words, folder):
    assert most_threads(folder, words) == OFFERED
    for threads in (1, 2):
        assert most_threads(folder, [*words, "--threads", str(threads)]) <= threads
