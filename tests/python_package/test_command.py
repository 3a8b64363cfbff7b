"""The command `apsp` of the package: `python -m apsp`, and the script that a wheel installs."""

import json
import os
import signal
import subprocess
import sys
import time

COMMAND = [sys.executable, "-m", "apsp"]


def run(folder, *words):
    return subprocess.run([*COMMAND, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120)


def test_solves_as_the_package_does(tmp_path):
    import apsp

    assert run(tmp_path, "generate", "grid", "g.gr").returncode == 0
    done = run(tmp_path, "solve", "g.gr", "-o", "o.zarr", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["statistics"]["diameter"] == apsp.solve(tmp_path / "g.gr").statistics["diameter"]
    assert run(tmp_path, "verify", "o.zarr").returncode == 0


def test_ends_with_the_exit_code(tmp_path):
    assert run(tmp_path, "solve", "nosuch.gr").returncode == 6
    assert run(tmp_path, "nosuch").returncode == 2


def test_a_signal_ends_a_read_that_waits(tmp_path):
    """Such a run cannot poll: the interpreter replaces itself and runs the clean-up of late ends."""
    pipe = tmp_path / "pipe.gr"
    os.mkfifo(pipe)
    with subprocess.Popen([*COMMAND, "solve", str(pipe)], stderr=subprocess.PIPE, text=True) as running:
        writer = os.open(pipe, os.O_WRONLY)  # returns when the run has opened it
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        assert "interrupted" in running.communicate(timeout=60)[1]
        os.close(writer)
    assert running.returncode == 8
