"""Runs that are killed at any moment: the next one, or `apsp clean`, removes what they left. Runs
that are interrupted leave nothing."""

import fcntl
import os
import random
import signal
import subprocess
import time

import pytest

from conftest import binary, environment

KILLS = 60


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def wide(run):
    """Solved in some tens of milliseconds, written in as many."""
    run("generate", "cycle", "wide.gr", "--vertices", 1000, "--quiet")
    return "wide.gr"


def start(words, cwd):
    return subprocess.Popen([binary(), *map(str, words)], cwd=cwd, env=environment(),
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def seconds_of(words, cwd):
    began = time.monotonic()
    assert start(words, cwd).wait(timeout=60) == 0
    return time.monotonic() - began


def commands(graph):
    """What is written, by whom, and whether an old one stands there."""
    return [
        (["solve", graph, "-o", "out.zarr", "--algorithm", "floyd-warshall"], "out.zarr"),
        (["solve", graph, "-o", "out.npy"], "out.npy"),
        (["generate", "gnp", "out.gr", "--vertices", "800", "--probability", "0.2"], "out.gr"),
    ]


@pytest.mark.parametrize("which", [0, 1, 2], ids=["zarr", "npy", "graph"])
def test_the_next_run_removes_what_killed_runs_left(run, wide, tmp_path, which):
    words, out = commands(wide)[which]
    seconds = seconds_of(words, tmp_path)
    before = names(tmp_path)
    assert before == sorted([wide, out])
    random.seed(which)
    left = 0
    for tried in range(KILLS // 3 + 100):
        if tried >= KILLS // 3 and left > 0:
            break
        process = start(words, tmp_path)
        time.sleep(random.uniform(0, 1.1 * seconds))
        process.kill()
        process.communicate(timeout=20)
        here = [name for name in names(tmp_path) if name.startswith(".") and name.endswith(".lock")]
        left += len(here) > 0
        if here:
            listed = run("clean", out, "--list", "--json").json()["leftovers"]
            assert listed and all(row["fate"] == "to_remove" for row in listed), listed
            again = run(*words)
            assert again.err.count("left by a run that was killed") == len(listed)
        assert names(tmp_path) == before
    assert left > 0, "no kill met a run that was writing"


def test_clean_removes_them_too(run, wide, tmp_path):
    words, out = commands(wide)[0]
    seconds = seconds_of(words, tmp_path)
    for _ in range(100):
        process = start(words, tmp_path)
        time.sleep(random.uniform(0.3 * seconds, seconds))
        process.kill()
        process.communicate(timeout=20)
        if len(names(tmp_path)) > 3:
            break
    done = run("clean", out)
    assert ".out.zarr.partial-" in done.out and "removed" in done.out
    assert names(tmp_path) == sorted([wide, out])
    assert "nothing was left behind" in run("clean", out).out
    assert run("clean", ".", "--json").json()["leftovers"] == []
    run("solve", wide, "-o", out, "--verify")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda number: number.name)
def test_an_interrupted_run_leaves_nothing(wide, tmp_path, number):
    random.seed(number)
    met = 0
    for words, out in commands(wide):
        seconds = seconds_of(words, tmp_path)
        before = names(tmp_path)
        for _ in range(5):
            process = start(words, tmp_path)
            time.sleep(random.uniform(0.15, 1.0) * seconds)
            process.send_signal(number)
            err = process.communicate(timeout=20)[1].decode()
            assert names(tmp_path) == before
            if process.returncode == -number:  # before `main` had a say
                continue
            assert process.returncode in (0, 8), err
            if process.returncode == 8:
                met += 1
                assert "interrupted; " in err
    assert met > 0, "no signal met a run at work"


def test_what_a_living_run_writes_stays(run, wide, tmp_path):
    """A lock held by this process, in the place of a run that takes long."""
    (tmp_path / ".out.npy.partial-1-0").write_bytes(b"half")
    lock = os.open(tmp_path / ".out.npy.partial-1-0.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    done = run("solve", wide, "-o", "out.npy")
    assert "kept .out.npy.partial-1-0 (4 B): a run that is still alive writes it" in done.err
    row, = run("clean", "out.npy", "--json").json()["leftovers"]
    assert row["fate"] == "in_use" and row["bytes"] == 4
    os.close(lock)
    row, = run("clean", "out.npy", "--json").json()["leftovers"]
    assert row["fate"] == "removed"
    assert names(tmp_path) == ["out.npy", wide]


def test_what_no_lock_tells_about_is_named_and_stays(run, wide, tmp_path):
    (tmp_path / ".out.npy.partial-1-0").write_bytes(b"half")
    assert "no lock file next to it" in run("solve", wide, "-o", "out.npy").err
    row, = run("clean", "out.npy", "--json").json()["leftovers"]
    assert row["fate"] == "unknown" and "no lock" in row["why"]
    assert (tmp_path / ".out.npy.partial-1-0").exists()
    run("clean", "nowhere/out.npy", code=6)
