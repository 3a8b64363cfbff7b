"""Runs that end early keep complete rows, and `apsp solve --resume` goes on from them."""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest

from conftest import binary, environment
from killed import (LAUNCH, MPICH, OUT, Trials, content, rows_left, run as run_words, start,
                    words_on_disk)


@pytest.fixture
def grid(run):
    run("generate", "grid", "grid.gr", "--vertices", 2500, "--quiet")
    return "grid.gr"


def go_on(err, folder):
    """Runs the command that a run has printed, as it was printed, in a shell."""
    command, = [line.removeprefix("  to continue: ") for line in err.splitlines() if "to continue: " in line]
    programs = f"{pathlib.Path(binary()).parent}:{os.environ['PATH']}"
    env = environment(PATH=programs, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                      OMPI_MCA_rmaps_base_oversubscribe="1", PRTE_MCA_rmaps_default_mapping_policy=
                      ":oversubscribe")
    done = subprocess.run(command, cwd=folder, env=env, shell=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, command + "\n" + done.stderr
    return command, done


def words_for(graph, *more):
    return ["solve", graph, "-o", OUT, "--algorithm", "nested-dissection", "--tile", "64", *more]


def leave(folder, words, number=signal.SIGKILL):
    """Ends solves early until one has left complete rows; what it said."""
    began = time.monotonic()
    run_words(words, folder)
    seconds = time.monotonic() - began
    whole = content(folder / OUT)
    subprocess.run(["rm", "-r", OUT], cwd=folder, check=True)
    for _ in range(200):
        process = start(words, folder)
        time.sleep(random.uniform(0.2, 1.0) * seconds)
        process.send_signal(number)
        err = process.communicate(timeout=60)[1].decode()
        if not (folder / OUT).exists() and rows_left(folder) > 0:
            return whole, err, process.returncode
        run_words(["clean", OUT, "--quiet"], folder)
        subprocess.run(["rm", "-rf", OUT], cwd=folder, check=True)
    pytest.fail("no run met its end between the first rows and the last")


@pytest.mark.parametrize("more", [(), ("--compress", "--predecessors"),
                                  ("--sources", "random:1500", "--targets", "random:900")],
                         ids=["plain", "all", "some"])
def test_killed_at_random_moments_and_resumed_results_are_the_same(grid, tmp_path, more):
    random.seed(len(more))
    trials = Trials(words_for(grid, *more), tmp_path)
    assert trials.all_right(3)


def test_matrices_on_disk_are_killed_at_random_moments_and_resumed(tmp_path, run):
    random.seed(3)
    run("generate", "gnp", "random.gr", "--vertices", 600, "--quiet")
    trials = Trials(words_on_disk("random.gr", tmp_path, "--tile", "64"), tmp_path)
    assert trials.all_right(3)


def test_what_is_left_of_a_matrix_on_disk_is_counted_in_pivots(tmp_path, run):
    run("generate", "gnp", "random.gr", "--vertices", 600, "--quiet")
    leave(tmp_path, words_on_disk("random.gr", tmp_path, "--tile", "64"))
    pivots = rows_left(tmp_path)
    assert f"{pivots:,} of 600 pivots are complete" in run("clean", OUT, "--list").out
    done = run("solve", "--resume", OUT, "--json")
    assert f"an earlier run left {pivots:,} of 600 pivots" in done.err
    assert done.json()["report"]["pivots_resumed"] == pivots


def test_a_matrix_on_disk_that_was_altered_is_named_and_computed_again(tmp_path, run):
    run("generate", "gnp", "random.gr", "--vertices", 600, "--quiet")
    whole, _, _ = leave(tmp_path, words_on_disk("random.gr", tmp_path, "--tile", "64"))
    for path in tmp_path.glob(".out.zarr.partial-*/generation-*"):
        with path.open("r+b") as file:
            file.seek(600 * 600)
            file.write(bytes(600))
    done = run("solve", "--resume", OUT, "--json")
    assert "are not what was written" in done.err and "it was computed again" in done.err
    report = done.json()["report"]
    assert "pivots_resumed" not in report and "/generation-" in report["damaged"][0]
    assert content(tmp_path / OUT) == whole


def test_a_dense_matrix_on_disk_goes_on_from_its_own_file(tmp_path, run):
    run("generate", "dense", "dense.npy", "--vertices", 1200, "--quiet")
    words = words_on_disk("dense.npy", tmp_path, "--tile", "64", "--overwrite")
    whole, err, code = leave(tmp_path, words, signal.SIGINT)
    assert code == 8 and "of 1,200 pivots of out.zarr are complete and kept" in err
    run("solve", "--resume", OUT, "--memory", "12MiB", code=5)
    command, done = go_on(err, tmp_path)
    assert command.startswith("apsp solve dense.npy ") and command.endswith(" --resume")
    assert "--overwrite" not in command
    assert "an earlier run left" in done.stderr
    assert content(tmp_path / OUT) == whole


def test_a_resumed_npy_is_not_offered_as_its_own_graph(tmp_path, run):
    run("generate", "gnp", "random.gr", "--vertices", 1200, "--quiet")
    words = words_on_disk("random.gr", tmp_path, "--tile", "64", output="y.npy")
    assert "--graph random.gr" in run(*words).err
    for _ in range(20):
        (tmp_path / "y.npy").unlink(missing_ok=True)
        run("clean", "y.npy")
        process = start(words, tmp_path)
        while process.poll() is None and rows_left(tmp_path, "y.npy") == 0:
            time.sleep(0.01)
        process.kill()
        process.communicate(timeout=60)
        if not (tmp_path / "y.npy").exists():
            break
    done = run("solve", "--resume", "y.npy", "--json")
    line, = [line for line in done.err.splitlines() if line.startswith("  open it: ")]
    assert line.endswith("--graph GRAPH, with the graph that was solved")
    assert "file" not in done.json()["graph"]


def test_the_printed_command_has_every_option_of_the_run(tmp_path, run):
    name = "it's a grid.txt"
    run("generate", "grid", name, "--vertices", 2500, "--quiet")
    words = ["solve", name, "--format", "edge-list", "--directed", "--columns", "1,2,3", "--output",
             OUT, "--overwrite", "--algorithm=nested-dissection", "--tile", "64", "--dtype", "i32",
             "--semiring", "min-plus", "--sources", "random:1700", "--targets", "random:900",
             "--seed", "7", "--threads", "1", "--memory", "900MiB", "--disk", "1GiB", "--device",
             "cpu", "--top", "2", "--compress"]
    whole, err, code = leave(tmp_path, words, signal.SIGTERM)
    command, done = go_on(err, tmp_path)
    assert code == 8 and "an earlier run left" in done.stderr
    assert "apsp solve 'it'\\''s a grid.txt' --format" in command
    assert all(f" {word} " in f"{command} " for word in words[2:] if word != "--overwrite")
    assert content(tmp_path / OUT) == whole


def test_what_came_through_a_stream_is_not_read_again(tmp_path, run):
    run("generate", "grid", "grid.gr", "--vertices", 2500, "--quiet")
    os.mkfifo(tmp_path / "pipe.gr")
    words = ["solve", "pipe.gr", "-o", OUT, "--algorithm", "nested-dissection", "--tile", "64",
             "--threads", "1", "--device", "cpu", "--top=3"]
    for delay in [0.02 * i for i in range(1, 100)]:
        process = start(words, tmp_path)
        (tmp_path / "pipe.gr").write_bytes((tmp_path / "grid.gr").read_bytes())
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=60)[1].decode()
        if rows_left(tmp_path) > 0:
            break
        subprocess.run(["rm", "-rf", OUT], cwd=tmp_path, check=True)
    command, _ = go_on(err, tmp_path)
    assert command.startswith(f"apsp solve --resume {OUT} ")
    for option in ("--threads 1", "--device cpu", "--top 3"):
        assert f" {option} " in f"{command} "
    assert "pipe.gr" not in command and "--algorithm" not in command
    run("verify", OUT, "grid.gr")


def checkpoint_of_two(folder, *more):
    """What two processes leave of a solve that is interrupted, and what they said."""
    words = ["solve", "some weights.gr", "-o", OUT, "--algorithm", "floyd-warshall", "--device",
             "cpu", "--tile", "64", "--threads", "1", "--checkpoint", "0", "--tuning",
             "grid=1x2,schedule=baseline", "--memory", "1GiB", *more]
    for delay in [0.4 * 1.05**i for i in range(40)]:  # on a busy machine a start takes seconds
        process = subprocess.Popen([*LAUNCH, "-n", "2", binary(), *words], cwd=folder,
                                   env=environment(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=60)[1].decode()
        if not (folder / OUT).exists() and rows_left(folder) > 0 and "to continue: " in err:
            return words, err
        run_words(["clean", OUT, "--quiet"], folder)
        subprocess.run(["rm", "-rf", OUT], cwd=folder, check=True)
    pytest.fail("no job met its end between the first checkpoint and the last")


@pytest.fixture
def two(tmp_path, run):
    """A graph whose sums are rounded, for jobs of two processes that outlast how long mpirun takes to pass a signal on."""
    if MPICH or shutil.which(LAUNCH[0]) is None:
        pytest.skip("no mpirun")
    run("generate", "gnp", "some weights.gr", "--vertices", 5000, "--real", "--quiet")


def test_the_printed_command_of_several_processes_starts_as_many(two, tmp_path, run):
    words, err = checkpoint_of_two(tmp_path, "--top", "2", "--compress")
    command, done = go_on(err, tmp_path)
    assert command.startswith("mpirun -n 2 apsp solve 'some weights.gr' ")
    assert all(f" {word} " in command for word in words[2:]) and command.endswith(" --resume")
    assert "an earlier run left" in done.stderr and (tmp_path / OUT).exists()


def test_a_checkpoint_that_cannot_be_resumed_so_says_how(two, tmp_path, run):
    checkpoint_of_two(tmp_path)
    alone = run("solve", "--resume", OUT, code=2).err
    assert "several processes started this run" in alone
    assert "continue with several processes and --resume" in alone
    assert "to continue: " not in alone, "the command that has just failed"
    job = [*LAUNCH, "-n", "2", binary(), "solve", "--resume", OUT, "--threads", "1"]
    short = subprocess.run([*job, "--memory", "5MiB"], cwd=tmp_path, env=environment(),
                           capture_output=True, text=True, timeout=60)
    assert short.returncode == 5 and "to continue: " not in short.stderr
    size = short.stderr.split("--memory ")[1].split()[0]
    done = subprocess.run([*job, "--memory", size], cwd=tmp_path, env=environment(),
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_a_matrix_on_disk_says_how_much_memory_lets_it_go_on(tmp_path, run):
    run("generate", "gnp", "random.gr", "--vertices", 600, "--real", "--quiet")
    leave(tmp_path, words_on_disk("random.gr", tmp_path, "--tile", "64"))
    refused = run("solve", "--resume", OUT, "--memory", "1MiB", code=5).err
    assert "to continue: " not in refused and "of 600 pivots of out.zarr are complete and kept" in refused
    run("solve", "--resume", OUT, "--memory", refused.split("--memory ")[1].split()[0])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda n: n.name)
def test_an_interrupted_run_says_how_to_go_on(grid, tmp_path, run, number):
    whole, err, code = leave(tmp_path, words_for(grid, "--threads", "2", "--verify"), number)
    assert code == 8
    assert "of 2,500 rows of out.zarr are complete and kept" in err
    command, done = go_on(err, tmp_path)
    assert command == ("apsp solve grid.gr -o out.zarr --algorithm nested-dissection --tile 64 "
                       "--threads 2 --verify --resume")
    assert "an earlier run left" in done.stderr and "Verification  passed" in done.stdout
    assert content(tmp_path / OUT) == whole
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_run_without_statistics_goes_on_without_them(grid, tmp_path, run):
    whole = leave(tmp_path, words_for(grid, "--no-statistics"))[0]
    assert "statistics" not in run("solve", "--resume", OUT, "--json").json()
    assert content(tmp_path / OUT) == whole


def test_what_is_left_is_touched_only_on_request(grid, tmp_path, run):
    whole = leave(tmp_path, words_for(grid))[0]
    rows = rows_left(tmp_path)
    refused = run(*words_for(grid), code=2).err
    for way in ("--resume", "--overwrite", "apsp clean out.zarr"):
        assert way in refused
    row, = run("clean", OUT, "--list", "--json").json()["leftovers"]
    assert row["fate"] == "to_remove" and row["rows_done"] == rows and row["rows"] == 2500
    assert f"{rows:,} of 2,500 rows are complete" in run("clean", OUT, "--list").out
    done = run(*words_for(grid), "--resume", "--json").json()
    assert done["report"]["rows_resumed"] == rows
    assert content(tmp_path / OUT) == whole


def test_overwrite_and_clean_remove_it(grid, tmp_path, run):
    leave(tmp_path, words_for(grid))
    assert "rows_resumed" not in run(*words_for(grid), "--overwrite", "--json").json()["report"]
    assert rows_left(tmp_path) == 0
    leave(tmp_path, words_for(grid))
    run("clean", OUT)
    assert rows_left(tmp_path) == 0
    run(*words_for(grid))


def test_mismatches_are_named(grid, tmp_path, run):
    leave(tmp_path, words_for(grid))
    words = [*words_for(grid), "--resume"]
    run(*words, "--dtype", "f64", code=2)
    run(*words, "--semiring", "max-min", code=2)
    run(*words[:5], "johnson", *words[6:], code=2)
    run("generate", "grid", "grid.gr", "--vertices", 2500, "--seed", 9, "--quiet")
    run(*words, code=2)
    run(*words, code=2)
    alone = ["solve", "--resume", OUT]
    for words, begun in [(["--semiring", "max-min"], "min-plus"), (["--dtype", "f64"], "u16"),
                         (["--algorithm", "bfs"], "nested-dissection"), (["--compress"], "without"),
                         (["--predecessors"], "without"), (["--no-statistics"], "with statistics")]:
        error = run(*alone, *words, code=2).err
        assert "was started with" in error and begun in error and " ".join(words) in error
    run(*alone, "--semiring", "min-plus", "--dtype", "u16")


def test_there_must_be_something_to_go_on_from(grid, run):
    run("solve", "--resume", OUT, code=2)
    run("solve", grid, "--resume", code=2)
    run(*words_for(grid), "--resume", "--overwrite", code=2)
    run(*words_for(grid), "--resume")


def test_other_verbs_leave_it_alone_and_say_so(grid, tmp_path, run):
    run("solve", grid, "-o", "other.zarr", "--quiet")
    leave(tmp_path, words_for(grid))
    assert "rows are complete, for apsp solve --resume" in run("convert", "other.zarr", OUT).err
    assert rows_left(tmp_path) > 0
    assert "rows were complete" in run("clean", OUT).out


def test_a_graph_from_standard_input_is_kept(grid, tmp_path, run):
    text = (tmp_path / grid).read_text()
    words = words_for("-")
    for delay in [0.02 * i for i in range(1, 100)]:
        process = subprocess.Popen([binary(), *words], cwd=tmp_path, env=environment(),
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        process.stdin.write(text.encode())
        process.stdin.close()
        time.sleep(delay)
        process.kill()
        process.wait(timeout=60)
        if rows_left(tmp_path) > 0 or (tmp_path / OUT).exists():
            break
    if not (tmp_path / OUT).exists():
        run("solve", "--resume", OUT)
    run("verify", OUT, grid)
