"""The manners of the command line: reading, exit codes, interruption, progress, looks, help."""

import gzip
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time

import pytest

from conftest import binary, environment

VERBS = ["solve", "plan", "path", "distance", "stats", "verify", "update", "closure", "convert", "generate", "clean", "info",
         "doctor", "completion"]


# --- reading ------------------------------------------------------------------------------------


def test_standard_input_and_gzip(run, cities, tmp_path):
    plain = (tmp_path / cities).read_bytes()
    (tmp_path / "cities.csv.gz").write_bytes(gzip.compress(plain))
    expected = run("solve", cities).out
    assert run("solve", "cities.csv.gz").out == expected
    done = run("solve", "-", input=plain)
    assert done.out == expected and done.err.startswith("standard input: 5 vertices")
    assert run("solve", "-", input=gzip.compress(plain)).out == expected


def test_reading_options(run, tmp_path):
    (tmp_path / "t.csv").write_text("x,a,b,3\ny,b,c,4\n")
    graph = run("info", "t.csv", "--columns", "2,3,4", "--format", "edge-list", "--json").json()
    run("generate", "path", "p.mtx", "--vertices", 4)
    run("info", "p.mtx", "--columns", "1,2", code=2)
    run("solve", "t.csv", "--columns", "2,3,4", "--algorithm", "bfs", code=2)
    assert graph["graph"]["weights"]["greatest"] == 4
    (tmp_path / "as.txt").write_text("# relations\n1|2|-1\n2|3|0\n")
    for policy, arcs in (("both", 4), ("down", 3), ("up", 3)):
        answer = run("info", "as.txt", "--as-rel", policy, "--json").json()
        assert answer["graph"]["arcs"] == arcs, policy


def test_names_that_would_move_the_cursor_are_made_harmless(run):
    done = run("solve", "-", "--format", "edge-list", input="a\x1b[2Jx b 1\n")
    assert "\x1b" not in done.out + done.err


def test_names_that_are_no_utf8_still_give_valid_json(run):
    words = ("solve", "-", "--format", "edge-list", "--json")
    refused = run(*words, input=b"K\xf6ln Bonn 1\n", raw=True, code=3)
    assert "--encoding" in json.loads(refused.out.decode("utf-8"))["error"]["message"]
    done = run(*words, "--encoding", "latin1", input=b"K\xf6ln Bonn 1\n", raw=True)
    assert json.loads(done.out.decode("utf-8"))["graph"]["vertices"] == 2


# --- exit codes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("words, hint", [
    (["slove", "x"], "did you mean 'solve'?"),
    (["frobnicate"], "choose solve, plan, path"),
    (["solve"], "GRAPH is missing"),
    (["solve", "x", "--thraeds", "2"], "did you mean '--threads'?"),
    (["solve", "x", "y"], "unexpected argument 'y'"),
    (["solve", "x", "--dtype", "f23"], "did you mean 'f32'?"),
    (["solve", "x", "--semiring", "plus"], "min-plus, max-min"),
    (["solve", "x", "--device", "gpu"], "did you mean 'cuda'?"),
    (["solve", "x", "--algorithm", "dijkstra"], "did you mean 'johnson'?"),
    (["solve", "x", "--dtype", "double"], "did you mean 'f64'?"),
    (["solve", "x", "-o"], "--output needs a value"),
    (["solve", "x", "--memory"], "--memory needs a value"),
    (["solve", "x", "-o", "y.csv"], "call it y.zarr"),
    (["plan", "x", "-o", "y"], "call it y.zarr"),
    (["solve", "x", "-o", "y.npy", "--hops"], "a .zarr holds all"),
    (["report", "x.zarr", "-o", "x.pdf"], "call it x.html"),
    (["solve", "x", "--threads", "0"], "at least 1"),
    (["solve", "x", "--memory", "lots"], "8GiB"),
    (["solve", "x", "--directed", "--undirected"], "exclude"),
    (["solve", "x", "--columns", "0,1"], "--columns"),
    (["solve", "x", "--via"], "-o OUT.zarr"),
    (["solve", "x", "--via", "-o", "y.npy"], "a .zarr holds all"),
    (["convert", "nowhere.gr", "x.xlsx"], "x.xlsx"),
    (["convert", "x", "x.zarr"], "apsp solve x -o x.zarr"),
    (["solve", "x", "--predecessors"], "-o OUT.zarr"),
    (["solve", "x", "--compress", "-o", "y.npy"], "-o OUT.zarr"),
    (["generate", "gird", "x"], "did you mean 'grid'?"),
    (["generate", "gnp", "x", "--weights", "9:1"], "--weights"),
    (["generate", "rmat", "x", "--rmat", "1,2"], "four"),
    (["generate", "gnp", "-", "--json"], "standard output"),
    (["--json", "solve", "x"], "verb comes first"),
    (["help", "slove"], "did you mean 'solve'?"),
])
def test_usage_errors(run, words, hint):
    done = run(*words, code=2)
    assert done.err.startswith("apsp: ") and hint in done.err
    done = run(*words, "--json", code=2)
    assert done.json()["error"]["exit_code"] == 2


def test_malformed_input_has_file_line_and_column(run, tmp_path):
    (tmp_path / "bad.gr").write_text("p sp 2 1\na 1 two 3\n")
    run("solve", "bad.gr", code=3)
    error = run("solve", "bad.gr", "--json", code=3).json()["error"]
    assert error["kind"] == "input"
    assert error["location"] == {"file": "bad.gr", "line": 2, "column": 5}


def test_an_undirected_edge_of_negative_weight_is_explained(run, tmp_path, negative):
    (tmp_path / "both.csv").write_text("a,b,-1\n")
    run("solve", "both.csv", "--undirected", code=4)
    assert "--directed" not in run("solve", negative, code=4).err
    (tmp_path / "long.csv").write_text("a,b,1\n")
    longest = run("solve", "long.csv", "--undirected", "--semiring", "max-plus", code=4)
    assert "--directed" not in longest.err


def test_negative_cycle_is_printed_by_name(run, negative):
    done = run("solve", negative, "-o", "x.zarr", code=4)
    assert "of weight -2" in done.err and "→" in done.err
    error = run("solve", negative, "--json", code=4).json()["error"]
    assert sorted(error["cycle"]["vertices"]) == ["1", "2", "3"] and error["cycle"]["weight"] == -2


def test_nothing_is_left_behind_by_a_failure(run, negative, tmp_path):
    run("solve", negative, "-o", "x.zarr", code=4)
    assert [p.name for p in tmp_path.iterdir()] == [negative]


def test_what_does_not_fit(run):
    run("generate", "path", "p.gr", "--vertices", 3000)
    done = run("solve", "p.gr", "--memory", "1MiB", code=5)
    assert "apsp: " in done.err
    assert run("solve", "p.gr", "--memory", "1MiB", "--json", code=5).json()["error"]["kind"] == "does_not_fit"


def test_what_does_not_fit_names_no_size_that_would_not_fit_either(run):
    run("generate", "dense", "d.npy", "--vertices", 400, "--real")
    err = run("solve", "d.npy", "--memory", "1MiB", code=5).err
    assert "is enough for this graph" in err and "This memory is enough" not in err


def test_missing_files_and_places_that_cannot_be_written(run, cities):
    run("solve", "nowhere.mtx", code=6)
    run("solve", "no-graph", "-o", "/nowhere/x.zarr", code=6)
    run("solve", cities, "-o", "/nowhere/x.zarr", code=6)
    run("stats", "nowhere.zarr", code=6)
    run("generate", "path", "/nowhere/x.gr", code=6)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is missing")
@pytest.mark.parametrize("words", [["solve", "cities.csv"], ["info"], ["solve", "--help"],
                                   ["info", "--json"], ["--version"], []])
def test_a_full_disk_behind_stdout(run, cities, words):
    with open("/dev/full", "w") as full:
        done = run(*words, stdout=full, code=6)
    assert "No space left on device" in done.err


# --- Ctrl-C -------------------------------------------------------------------------------------


LONG = ["--algorithm", "floyd-warshall", "--threads", "1", "--device", "cpu"]


@pytest.fixture
def long_graph(run):
    """7·10¹¹ relaxations with LONG: many seconds on any one core, yet quick to read."""
    run("generate", "cycle", "long.gr", "--vertices", 9000, "--quiet")
    return "long.gr"


def start(words, cwd, **streams):
    return subprocess.Popen([binary(), *words], cwd=cwd, env=environment(),
                            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams})


def interrupt(words, cwd, number):
    """Lets a solve begin, sends the signal; gives the outcome and the seconds until it ended."""
    process = start(words, cwd)
    assert process.stderr.readline().startswith(b"long.gr")
    assert process.stderr.readline().startswith(b"plan")
    time.sleep(0.5)
    process.send_signal(number)
    sent = time.monotonic()
    out, err = process.communicate(timeout=30)
    return process.returncode, out.decode(), err.decode(), time.monotonic() - sent


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_within_a_second(long_graph, tmp_path, number):
    words = ["solve", long_graph, "-o", "out.zarr", "--json", *LONG]
    for _ in range(3):  # the promise is about apsp, not about a machine busy with something else
        code, out, err, seconds = interrupt(words, tmp_path, number)
        assert code == 8, err
        assert "nothing was written" in err and f"run it again: apsp {' '.join(words)}" in err
        assert json.loads(out)["error"]["kind"] == "interrupted"
        assert [p.name for p in tmp_path.iterdir()] == [long_graph]
        if seconds < 1:
            return
    pytest.fail(f"it took {seconds:.1f} s to stop")


def test_generate_can_be_interrupted(tmp_path):
    process = start(["generate", "dense", "big.mtx", "--vertices", "8000"], tmp_path)
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 8 and b"nothing was written" in err
    assert list(tmp_path.iterdir()) == []


def ends_within(process, number, most=1.0):
    """Sends the signal. The exit code and both outputs; fails where it takes longer than `most` seconds."""
    process.send_signal(number)
    sent = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - sent < most
    return process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize("words", [["solve", "-"], ["convert", "-", "out.gr"], ["path", "-", "1", "2", "--json"]])
def test_a_run_that_waits_for_its_input_ends(words, tmp_path):
    reader, writer = os.pipe()
    process = start(words, tmp_path, stdin=reader)
    time.sleep(0.3)
    code, out, err = ends_within(process, signal.SIGINT, 3)
    os.close(reader)
    os.close(writer)
    assert code == 8 and "nothing was written" in err and f"run it again: apsp {' '.join(words)}" in err
    assert ("--json" not in words) or json.loads(out)["error"]["kind"] == "interrupted"
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_waits_for_its_reader_ends(run, tmp_path):
    run("generate", "path", "long.txt", "--vertices", 200_000)
    process = start(["convert", "long.txt", "-"], tmp_path)
    time.sleep(0.5)  # the pipe is full
    process.send_signal(signal.SIGTERM)
    time.sleep(1)
    assert process.wait(timeout=20) == 8


def test_what_a_late_run_was_writing_is_removed_and_rows_are_kept(run, tmp_path):
    """The words are those with which the program takes its own place (src/cli/late_end.hpp)."""
    (tmp_path / ".o.csv.partial-1-2").write_text("half")
    (tmp_path / ".o.csv.partial-1-2.lock").touch()
    (tmp_path / "o.csv").write_text("old")
    done = run("--after-late-end", 0, 1, tmp_path / ".o.csv.partial-1-2.lock", "access", "g.gr", "-o", "o.csv", code=8)
    assert "nothing was written" in done.err and "run it again: apsp access g.gr -o o.csv" in done.err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"o.csv": "old"}
    run("generate", "grid", "g.gr", "--vertices", 20_000, "--quiet")
    words = ["solve", "g.gr", "-o", "o.zarr", "--algorithm", "nested-dissection", "--threads", "1"]
    process = start(words, tmp_path)
    while not any("rows_done" in left for left in run("clean", "o.zarr", "--list", "--json").json()["leftovers"]):
        time.sleep(0.05)
    process.kill()
    process.communicate()
    (claim,) = tmp_path.glob(".o.zarr.partial-*.lock")
    done = run("--after-late-end", 0, 1, claim, *words, code=8)
    assert "rows of o.zarr are complete and kept" in done.err and f"apsp {' '.join(words)} --resume" in done.err
    assert claim.with_suffix("").is_dir()


def test_nohup_outlives_its_terminal(long_graph, tmp_path):
    words = ["nohup", binary(), "solve", long_graph, *LONG]
    process = subprocess.Popen(words, cwd=tmp_path, env=environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.7)
    process.send_signal(signal.SIGHUP)
    time.sleep(1)
    assert process.poll() is None
    assert ends_within(process, signal.SIGTERM, 3)[0] == 8


# --- progress and looks -------------------------------------------------------------------------


def on_a_terminal(words, cwd, seconds, enough=lambda text: False, **changes):
    """What `apsp` writes to a terminal as its standard error within so many seconds, or until it
    is enough."""
    master, slave = pty.openpty()
    process = subprocess.Popen([binary(), *words], cwd=cwd, env=environment(**changes),
                               stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    text = b""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not enough(text.decode(errors="replace")):
        if select.select([master], [], [], 0.05)[0]:
            try:
                text += os.read(master, 65536)
            except OSError:
                break
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    os.close(master)
    return text.decode(errors="replace")


def frames(text):
    return [part for part in text.split("\r") if "relaxations/s" in part and "%" in part]


def test_progress_on_a_terminal(long_graph, tmp_path):
    began = time.monotonic()
    text = on_a_terminal(["solve", long_graph, *LONG], tmp_path, 15, enough=lambda text: len(frames(text)) >= 5)
    seconds = time.monotonic() - began
    assert 5 <= len(frames(text)) <= 10 * (seconds - 1) + 1
    assert "left" in frames(text)[2] and "▕" in frames(text)[2]


def test_no_animation_on_a_dumb_terminal_in_a_file_or_if_quiet(long_graph, tmp_path):
    assert "\x1b" not in on_a_terminal(["solve", long_graph, *LONG], tmp_path, 1.6, TERM="dumb")
    assert on_a_terminal(["solve", long_graph, "--quiet", *LONG], tmp_path, 1.6) in ("", "^C")
    process = start(["solve", long_graph, *LONG], tmp_path)
    time.sleep(1.6)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert b"\r" not in err and b"\x1b" not in err and b"%" not in err


def test_colour_only_on_terminals_that_want_it(solved, tmp_path):
    def stats(**changes):
        master, slave = pty.openpty()
        process = subprocess.Popen([binary(), "stats", solved], cwd=tmp_path, env=environment(**changes), stdout=slave)
        process.wait(timeout=20)
        os.close(slave)
        text = b""
        while select.select([master], [], [], 0.2)[0]:
            try:
                text += os.read(master, 65536)
            except OSError:
                break
        os.close(master)
        return text.decode()

    assert "\x1b[1mStatistics" in stats()
    assert "\x1b" not in stats(NO_COLOR="1")
    assert "\x1b" not in stats(TERM="dumb")


def test_plain_ascii_in_the_c_locale(run, cities):
    done = run("solve", cities, "--undirected", "--verify", env={"LC_ALL": "C"})
    assert done.out.isascii() and done.err.isascii()
    assert "Aachen -> Dortmund" in done.out and "####" in done.out
    assert "█" in run("solve", cities).out


def test_quiet_keeps_results_and_errors(run, cities):
    done = run("solve", cities, "--quiet")
    assert done.err == "" and "diameter" in done.out
    run("solve", "nowhere.mtx", "--quiet", code=6)


# --- help ---------------------------------------------------------------------------------------


def test_the_examples_of_the_help_parse(run):
    """Every option named in an example exists: the failure, if any, is not about usage."""
    for verb in VERBS:
        for line in run(verb, "--help").out.splitlines()[1:4]:
            command = line.split("apsp " + verb, 1)[1].split("  ")[0].split("|")[0].split("&&")[0].split(">")[0]
            done = run(verb, *command.split(), code=None)
            assert "unknown option" not in done.err and "unexpected" not in done.err, line


def test_welcome_and_version(run):
    text = run().out
    assert max(map(len, text.splitlines())) <= 80
    assert all(f"\n  {verb} " in text for verb in VERBS)
    assert "in ten seconds" in text and run("--help").out == text and run("help").out == text
    version = run("--version").out.split()
    assert version[0] == "apsp" and version[1] == run("info", "--json").json()["machine"]["version"]


@pytest.mark.parametrize("topic, words", [
    ("formats", ".mtx"), ("exit-codes", "negative cycle"), ("environment", "NO_COLOR"), ("tuning", "cuda-aware=yes|no"),
    ("reading", "--encoding NAME"), ("rare", "--tolerance X")])
def test_topics_have_help(run, topic, words):
    assert words in run("help", topic).out and topic in run().out


def test_doctor_says_what_would_add_more(run):
    findings = {one["subject"]: one for one in run("doctor", "--json").json()["findings"]}
    assert {"GPU kernels", "vectors", "compiled for", "threads", "memory", "MPI", "METIS"} <= set(findings)
    compiled = findings["compiled for"]
    assert findings["vectors"]["state"] in compiled["state"]
    assert ("APSP_CPU=NATIVE" in compiled["state"]) == ("make build" in compiled["remedy"])
    text = run("doctor").out
    for one in findings.values():
        assert one["subject"] in text and (not one["remedy"] or one["remedy"] in text)
    kernels = findings["GPU kernels"]
    assert ("APSP_CUDA=ON" in kernels["remedy"]) == kernels["state"].startswith("no CUDA engine")


def test_help_begins_with_examples_and_fits_two_screens_and_all_has_every_option(run):
    for verb in VERBS:
        usual, everything = run(verb, "--help").out, run("help", verb, "--all").out
        lines = usual.splitlines()
        assert lines[0] == "Examples" and lines[4] == "" and all("apsp " + verb in line for line in lines[1:4])
        assert len(lines) <= 100 and usual == run("help", verb).out and "--quiet" in usual
        assert max(map(len, (usual + everything).splitlines())) <= 80
        assert {word.strip(",") for word in usual.split() if word.startswith("--")} - {"--"} <= set(everything.replace(",", " ").split())


def test_manual_pages_have_what_the_help_has(run):
    page = run("help", "solve", "--man").out
    assert page.startswith(".TH apsp\\-solve 1") and '.SH "MACHINE"' in page and "\\-\\-tolerance X" in page
    assert ".SH NAME\napsp \\- all\\-pairs" in run("help", "--man").out


def test_completion_offers_verbs_options_and_values(run):
    def offered(*words):
        return [line.split("\t")[0] for line in run("completion", "words", *words).out.splitlines()]
    assert offered("so") == ["solve"] and set(VERBS) < set(offered(""))
    assert {"--semiring", "--help", "--tuning"} < set(offered("solve", "g.gr", "--"))
    assert offered("solve", "g.gr", "--semiring", "max") == ["max-min", "max-plus"]
    assert offered("solve", "g.gr", "-o", "") == offered("solve", "g") == offered("walk", "") == []


def test_completion_takes_three_shells(run):
    for shell, words in [("bash", "complete -o default -F _apsp apsp"), ("zsh", "#compdef apsp"), ("fish", "complete -c apsp")]:
        assert words in run("completion", shell).out
    run("completion", "csh", code=2)


def named_result(run, tmp_path):
    (tmp_path / "cities.csv").write_text("Bonn,Berlin,6\nBerlin,New York,8\nNew York,Bern,9\n")
    run("solve", "cities.csv", "-o", "cities.zarr", "--quiet")


def test_completion_names_the_vertices_of_a_result(run, tmp_path):
    named_result(run, tmp_path)
    assert set(run("completion", "names", "cities.zarr").out.splitlines()) == {"Bonn", "Berlin", "New York", "Bern"}
    assert set(run("completion", "names", "cities.zarr", "Ber").out.splitlines()) == {"Berlin", "Bern"}
    assert not run("completion", "names", "cities.zarr", "x").out
    run("completion", "names", code=2)
    run("completion", "bash", "cities.zarr", code=2)


def test_bash_completes_names_of_a_result(run, tmp_path):
    named_result(run, tmp_path)
    (tmp_path / "script").write_text(run("completion", "bash").out + f"""
COMP_WORDS=({binary()} path cities.zarr "$1"); COMP_CWORD=3; _apsp; printf '%s\\n' "${{COMPREPLY[@]}}"
""")
    for beginning, names in [("Ber", {"Berlin", "Bern"}), ("N", {"New\\ York"})]:
        done = subprocess.run(["bash", "script", beginning], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert set(done.stdout.splitlines()) == names


def test_the_quick_start_of_the_welcome_works(run):
    lines = [line.strip() for line in run().out.splitlines() if line.startswith("  apsp ")]
    assert len(lines) == 3
    for line in lines:
        run(*line.split("   ")[0].split()[1:])


def test_the_documentation_names_every_verb_and_option(run):
    docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
    manual, common = (docs / "cli.md").read_text(), (docs / "options.md").read_text()
    for verb in VERBS:
        page = (docs / f"verbs/{verb}.md").read_text()
        assert f"(verbs/{verb}.md)" in manual and page.startswith(f"# apsp {verb}\n")
        assert re.search(r"\nSince \d+\.\d+", page) and page.index("## Parameters") < page.index("## See also")
        for word in run(verb, "--help").out.split():
            if word.startswith("--") and word.strip(",.").isascii():
                assert word.strip(",.") in page + common, f"{verb} {word}"
