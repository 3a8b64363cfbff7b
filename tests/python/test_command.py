"""What a command line may not say: an input as the output, empty words, options without effect; and
a pipe whose reader has gone away, with every verb."""

import os
import subprocess

import pytest

from conftest import binary, environment

QUICK = {"APSP_MEASURE": "never"}


@pytest.fixture
def dense(run):
    run("generate", "dense", "w.npy", "--vertices", 8, "--quiet")
    return "w.npy"


# --- the output is an input ---------------------------------------------------------------------


def refused(run, tmp_path, *words):
    """The message of exit code 2; no file of the folder has changed."""
    def content():
        return {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    before = content()
    err = run(*words, code=2).err
    assert content() == before
    return err


def test_an_output_that_is_the_graph_is_refused_by_every_verb(run, tmp_path, dense):
    for verb in ("solve", "closure", "plan"):
        refused(run, tmp_path, verb, dense, "-o", dense)
    refused(run, tmp_path, "convert", dense, dense)


@pytest.mark.parametrize("link", ["symlink", "link"])
def test_links_do_not_hide_an_input(run, tmp_path, dense, link):
    getattr(os, link)(tmp_path / dense, tmp_path / "other.npy")
    refused(run, tmp_path, "solve", dense, "-o", "other.npy")
    refused(run, tmp_path, "convert", "other.npy", dense)
    refused(run, tmp_path, "solve", dense, "-o", f"../{tmp_path.name}/{dense}")


def test_lists_and_coordinates_are_inputs_too(run, tmp_path, dense):
    (tmp_path / "some.npy").write_text("0\n1\n")
    for option in ("--sources", "--targets"):
        refused(run, tmp_path, "solve", dense, option, "@some.npy", "-o", "some.npy")
    refused(run, tmp_path, "solve", dense, "--coordinates",
                                              "some.npy", "-o", "some.npy")


def test_results_and_what_is_read_with_them_are_kept(run, tmp_path, dense):
    run("solve", dense, "-o", "r.zarr", "--quiet")
    run("solve", dense, "-o", "d.npy", "--quiet")
    (tmp_path / "page.html").write_bytes((tmp_path / dense).read_bytes())
    for words in (["convert", "r.zarr", "r.zarr", "--compress"],
                  ["convert", "d.npy", "d.npy", "--graph", dense],
                  ["convert", "d.npy", dense, "--graph", dense],
                  ["report", "d.npy", "--graph", "page.html", "--format", "numpy", "-o", "page.html"],
                  ["report", "r.zarr", "--coordinates", "page.html", "-o", "page.html"]):
        refused(run, tmp_path, *words)


def test_an_output_inside_of_an_input_and_around_one_is_refused(run, tmp_path, dense):
    run("solve", dense, "-o", "r.zarr", "--quiet")
    refused(run, tmp_path, "convert", "r.zarr", "r.zarr/x.npy")
    refused(run, tmp_path, "report", "r.zarr", "-o", "r.zarr/x.html")
    (tmp_path / "r.zarr" / "w.npy").write_bytes((tmp_path / dense).read_bytes())
    refused(run, tmp_path, "solve", "r.zarr/w.npy", "-o", "r.zarr")


def test_update_replaces_its_result_only_without_an_output(run, tmp_path):
    run("generate", "grid", "g.gr", "--vertices", 100, "--quiet")
    run("solve", "g.gr", "-o", "f.zarr", "--keep", "factor", "--no-statistics", "--quiet")
    (tmp_path / "f.zarr" / "changes.csv").write_text("0,1,7\n")
    (tmp_path / "changes.csv").write_text("0,1,7\n")
    for words in (["changes.csv", "-o", "f.zarr"], ["changes.csv", "-o", "f.zarr/new.zarr"], ["f.zarr/changes.csv"]):
        refused(run, tmp_path, "update", "f.zarr", *words)
    run("update", "f.zarr", "changes.csv")
    run("update", "f.zarr", "changes.csv", "-o", "g.zarr")


# --- empty words --------------------------------------------------------------------------------


@pytest.mark.parametrize("words, name", [
    (["solve", "w.npy", "-o", ""], "--output"),
    (["solve", "w.npy", "--output="], "--output"),
    (["closure", "w.npy", "-o", ""], "--output"),
    (["plan", "w.npy", "-o", ""], "--output"),
    (["report", "r.zarr", "-o", ""], "--output"),
    (["update", "f.zarr", "c.csv", "-o", ""], "--output"),
    (["distance", "w.npy", "--pairs", ""], "--pairs"),
    (["distance", "w.npy", "0", "1", "--graph", ""], "--graph"),
    (["stats", "r.zarr", "--graph", ""], "--graph"),
    (["solve", "w.npy", "--coordinates", ""], "--coordinates"),
    (["solve", "w.npy", "--sources", ""], "--sources"),
    (["plan", "--machine", ""], "--machine"),
    (["verify", "r.zarr", ""], "GRAPH"),
    (["info", ""], "GRAPH|RESULT"),
    (["convert", "w.npy", ""], "OUT"),
    (["generate", "grid", ""], "OUT"),
    (["clean", ""], "OUT"),
    (["solve", ""], "GRAPH"),
])
def test_empty_words_are_refused(run, dense, words, name):
    err = run(*words, code=2).err
    assert err.startswith(f"apsp: {name} ")
    assert "empty" in err.splitlines()[0] or "needs a value" in err


# --- options without effect ---------------------------------------------------------------------


@pytest.mark.parametrize("words, hint", [
    (["solve", "w.npy", "--overwrite"], "-o OUT.zarr"),
    (["closure", "w.npy", "--overwrite"], "-o OUT.zarr"),
    (["solve", "w.npy", "--disk", "1GiB"], "-o OUT.zarr"),
    (["plan", "w.npy", "--disk", "1GiB"], "-o OUT.zarr"),
    (["solve", "w.npy", "--checkpoint", "5"], "-o OUT.zarr"),
    (["solve", "w.npy", "-o", "x.zarr", "--no-statistics", "--top", "3"], "leave --top or --no-statistics"),
    (["solve", "w.npy", "--seed", "3"], "random:K"),
    (["plan", "--machine", "m.json", "-o", "x.zarr"], "--output has no effect"),
    (["plan", "--machine", "m.json", "--memory", "1GiB"], "--memory has no effect"),
    (["plan", "--machine", "m.json", "--directed"], "--directed has no effect"),
    (["plan", "w.npy", "--machine", "m.json", "--vertices", "9"], "--vertices and GRAPH"),
    (["plan", "--measure", "--semiring", "max-min"], "name GRAPH"),
    (["generate", "grid", "g.gr", "--probability", "0.5"], "--probability is for gnp"),
    (["generate", "gnp", "g.gr", "--rmat", "0.4,0.2,0.2,0.2"], "--rmat is for rmat"),
    (["convert", "w.npy", "w.mtx", "--semiring", "max-min"], "--semiring is for a result"),
])
def test_options_without_effect_are_refused(run, dense, words, hint):
    assert hint in run(*words, code=2).err


@pytest.mark.parametrize("verb", ["solve", "plan"])
@pytest.mark.parametrize("option", ["--sources", "--targets"])
def test_a_factor_is_of_all_pairs(run, tmp_path, verb, option):
    run("generate", "grid", "g.gr", "--vertices", 100, "--quiet")
    words = [verb, "g.gr", "-o", "f.zarr", "--keep", "factor", option, "0"]
    refused(run, tmp_path, *words)


def test_a_zarr_knows_its_semiring(run, cities, solved):
    run("path", solved, "Aachen", "Bonn", "--semiring", "max-min", code=2)
    run("stats", solved, "--semiring", "or-and", code=2)
    run("path", solved, "Aachen", "Bonn", "--semiring", "min-plus")


@pytest.mark.parametrize("verb", ["solve", "plan"])
def test_words_of_the_environment_are_known(run, cities, verb):
    err = run(verb, "nowhere.gr", env={"APSP_MEASURE": "bogus"}, code=2).err
    assert "APSP_MEASURE takes never, always or auto, not 'bogus'" in err
    for word in ("never", "auto", ""):
        run(verb, cities, env={"APSP_MEASURE": word})


# --- a matrix of distances as its own graph -----------------------------------------------------


def test_a_result_is_not_its_own_graph(run, tmp_path, dense):
    run("solve", dense, "-o", "y.npy", "--quiet")
    os.link(tmp_path / "y.npy", tmp_path / "z.npy")
    for graph in ("y.npy", "z.npy"):
        for words in (["path", "y.npy", "0", "1", "--graph"], ["verify", "y.npy"],
                      ["stats", "y.npy", "--graph"], ["convert", "y.npy", "x.zarr", "--graph"]):
            run(*words, graph, code=2)


def test_a_graph_of_shortest_paths_alone_earns_a_warning(run, tmp_path, dense):
    run("solve", dense, "-o", "y.npy", "--quiet")
    (tmp_path / "copy.npy").write_bytes((tmp_path / "y.npy").read_bytes())
    for words in (["path", "y.npy", "0", "1", "--graph"], ["verify", "y.npy"]):
        assert "warning: copy.npy looks like a matrix of distances" in run(*words, "copy.npy").err
        assert "warning" not in run(*words, "copy.npy", "--quiet").err
        assert "warning" not in run(*words, dense).err


# --- a reader that goes away --------------------------------------------------------------------


@pytest.fixture
def written(run, tmp_path):
    run("generate", "grid", "g.gr", "--vertices", 2500, "--quiet")
    run("generate", "grid", "h.gr", "--vertices", 100, "--quiet")
    run("solve", "h.gr", "-o", "r.zarr", "--quiet")
    run("solve", "h.gr", "-o", "f.zarr", "--keep", "factor", "--no-statistics", "--quiet")
    (tmp_path / "pairs.csv").write_text("0,1\n")
    (tmp_path / "changes.csv").write_text("0,1,7\n")


@pytest.mark.parametrize("words", [
    ["solve", "h.gr"], ["solve", "h.gr", "--json"], ["plan", "h.gr"], ["path", "r.zarr", "0", "99"],
    ["path", "r.zarr", "0", "99", "--names"], ["distance", "r.zarr", "0", "99"],
    ["distance", "r.zarr", "--pairs", "pairs.csv"], ["stats", "r.zarr"],
    ["report", "r.zarr", "-o", "-", "--verify"], ["report", "r.zarr", "-o", "x.html", "--json"], ["verify", "r.zarr"],
    ["update", "f.zarr", "changes.csv", "--json"], ["closure", "h.gr"], ["convert", "g.gr", "-"],
    ["convert", "g.gr", "-", "--to", "matrix-market"], ["convert", "r.zarr", "-"], ["generate", "grid", "-"],
    ["generate", "dense", "-", "--vertices", "300"], ["clean", "r.zarr"], ["info"], ["info", "g.gr", "--json"],
    ["bench", "--quick", "--tile", "64", "--vertices", "64"], [], ["--version"], ["solve", "--help"],
    ["help", "convert", "--man"], ["completion", "words", "so"],
], ids=" ".join)
def test_a_closed_pipe_ends_every_verb_quietly(written, tmp_path, words):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([binary(), *words], cwd=tmp_path, env=environment(**QUICK), stdout=writer,
                          stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert done.returncode == 0
    assert b"apsp: " not in done.stderr and b"pipe" not in done.stderr


def test_a_pipe_that_closes_in_the_middle_is_no_failure(written, tmp_path):
    for words in (["convert", "g.gr", "-"], ["generate", "dense", "-", "--vertices", "300"]):
        process = subprocess.Popen([binary(), *words, "--quiet"], cwd=tmp_path, env=environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait(timeout=60) == 0


def test_a_failed_check_is_still_told_when_the_reader_has_gone(run, tmp_path, dense):
    run("solve", dense, "-o", "y.npy", "--quiet")
    data = bytearray((tmp_path / "y.npy").read_bytes())
    data[-1] ^= 1
    (tmp_path / "y.npy").write_bytes(data)
    reader, writer = os.pipe()
    os.close(reader)
    words = ["report", "y.npy", "--graph", dense, "--verify", "-o", "-"]
    done = subprocess.run([binary(), *words], cwd=tmp_path, env=environment(), stdout=writer,
                          stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert done.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is missing")
def test_a_full_disk_is_still_a_failure(run, written):
    with open("/dev/full", "w") as full:
        run("generate", "grid", "-", stdout=full, code=6)
