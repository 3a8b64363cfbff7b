"""The plan: one line that fits a terminal, all of it on request, and a prediction by rates of this
machine that are kept between processes."""

import json
import os
import pathlib
import stat

import pytest

COLUMNS = 100


def plan_of(done):
    lines = [line for line in done.err.splitlines() if line.startswith("plan: ")]
    assert len(lines) == 1
    return lines[0]


@pytest.mark.parametrize("words", [
    [], ["--semiring", "max-min", "--dtype", "f32"],
    ["--via", "-o", "x.zarr", "--dtype", "f64"], ["--threads", 64, "--memory", "999GiB"],
])
@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_the_plan_is_one_line_of_a_hundred_columns(run, words, locale):
    graph = "a b 0.125\nb c 0.1\nc a 3e-7\n"
    done = run("solve", "-", *words, input=graph, env={"LANG": locale, "LC_ALL": locale})
    assert len(plan_of(done)) <= COLUMNS
    assert ", predicted about " in plan_of(done)


def test_verbose_shows_all_of_it_in_columns(run, cities):
    done = run("solve", cities, "--verbose")
    lines = done.err.splitlines()
    at = lines.index(plan_of(done))
    rows = [line for line in lines[at + 1:] if line.startswith("  ")]
    subjects = [row.split()[0] for row in rows]
    for subject in ("algorithm", "semiring", "values", "place", "tile", "memory", "precision", "predicted"):
        assert subject in subjects
    width = max(map(len, subjects)) + 4
    assert all(row[width] != " " and row[width - 1] == " " for row in rows)
    quiet = run("solve", cities, "--verbose", "--quiet")
    assert quiet.err == ""
    assert "  algorithm " not in run("solve", cities).err


def test_json_has_the_plan_as_an_object(run, cities):
    answer = run("solve", cities, "--json").json()
    plan = answer["plan"]
    assert plan["device"] == "cpu" and plan["threads"] == 2 and plan["tile"] > 0
    assert plan["line"] == answer["report"]["plan"] and plan["precision"] == "exact"
    parts = plan["predicted"]
    assert parts["rough"] is True and answer["report"]["prediction_rough"] is True
    total = sum(parts[name] for name in ("start", "solve", "statistics", "store"))
    assert parts["seconds"] == pytest.approx(total)
    assert answer["report"]["seconds_predicted"] == parts["seconds"]


def test_the_way_that_is_taken_takes_what_the_plan_says(run, cities):
    plan = run("plan", cities, "--json").json()["plan"]
    taken = [way for way in plan["candidates"] if way["taken"]]
    assert [way["seconds"] for way in taken] == [plan["predicted"]["seconds"]]


def rates(folder):
    return json.loads((folder / "rates.json").read_text())["entries"]


def test_a_short_job_measures_nothing(run, cities, tmp_path):
    folder = tmp_path / "cache"
    run("solve", cities, env={"APSP_CACHE_DIR": str(folder), "APSP_MEASURE": "auto"})
    assert not folder.exists()


def test_rates_are_measured_once_and_kept(run, cities, tmp_path):
    folder = tmp_path / "cache"
    env = {"APSP_CACHE_DIR": str(folder)}
    words = ["solve", cities, "--dtype", "f32", "--json"]
    first = run(*words, env=dict(env, APSP_MEASURE="always")).json()
    assert first["plan"]["predicted"]["rough"] is False
    entries = rates(folder)
    assert [e["key"]["what"] for e in entries] == ["cpu"]
    again = run(*words, env=dict(env, APSP_MEASURE="always")).json()
    assert rates(folder) == entries, "what is known is not measured again"
    assert again["plan"]["predicted"]["rough"] is False
    assert again["plan"]["predicted"]["start"] < first["plan"]["predicted"]["start"]
    shown = run("info", env=env).out
    assert "Measured rates" in shown and entries[0]["measured"] in shown
    machine = run("info", "--json", env=env).json()["machine"]
    assert machine["rates"]["file"] == str(folder / "rates.json")
    assert machine["rates"]["entries"][0]["relaxations_per_second"] > 0
    other = run(*words, "--threads", 1, env=dict(env, APSP_MEASURE="never")).json()
    assert other["plan"]["predicted"]["rough"] is True, "other threads are another machine"


@pytest.mark.parametrize("text", ["{", '{"format": 7, "entries": []}'])
def test_a_broken_or_foreign_file_is_measured_again(run, cities, tmp_path, text):
    (tmp_path / "rates.json").write_text(text)
    env = {"APSP_CACHE_DIR": str(tmp_path)}
    run("solve", cities, "--dtype", "f32", env=env)
    assert (tmp_path / "rates.json").read_text() == text
    run("solve", cities, "--dtype", "f32", env=dict(env, APSP_MEASURE="always"))
    assert len(rates(tmp_path)) == 1
    assert run("info", "--json", env=env).json()["machine"]["rates"]["entries"]


def test_a_folder_that_cannot_be_written_is_no_error(run, cities, tmp_path):
    locked = tmp_path / "locked"
    locked.write_text("a file where the folder should be")
    done = run("solve", cities, "--dtype", "f32",
               env={"APSP_CACHE_DIR": str(locked / "apsp"), "APSP_MEASURE": "always"})
    assert "predicted " in plan_of(done)
    if os.getuid() != 0:
        folder = tmp_path / "folder"
        folder.mkdir()
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        run("solve", cities, env={"APSP_CACHE_DIR": str(folder), "APSP_MEASURE": "always"})


def test_the_cache_lies_where_xdg_says(run, cities, tmp_path):
    env = {"APSP_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path / "caches"), "APSP_MEASURE": "always"}
    run("solve", cities, "--dtype", "f32", env=env)
    assert (tmp_path / "caches" / "apsp" / "rates.json").exists()


# --- apsp plan ----------------------------------------------------------------------------------


def advised(error, option):
    """The value of an option that would do by itself."""
    return next(advice[option] for advice in error["advice"] if list(advice) == [option])


def taken(plan):
    ways = [way for way in plan["candidates"] if way["taken"]]
    assert len(ways) <= 1
    return ways[0] if ways else None


def test_plan_shows_the_graph_every_way_and_the_one_that_is_taken(run, cities, tmp_path):
    done = run("plan", cities, "--device", "cpu")
    for word in ("Ways to solve it", "floyd-warshall", "taken", "johnson", "nested-dissection",
                 "components", "degree", "apsp plan --measure"):
        assert word in done.out
    assert [p.name for p in tmp_path.iterdir()] == [cities], "nothing is written"


def test_plan_says_what_solve_does(run):
    run("generate", "grid", "g.gr", "--vertices", 6400)
    plan = run("plan", "g.gr", "--device", "cpu", "--json").json()["plan"]
    solved = run("solve", "g.gr", "--device", "cpu", "--json").json()
    assert plan["algorithm"] == solved["report"]["algorithm"] == taken(plan)["algorithm"]
    assert plan["bytes"] == pytest.approx(solved["plan"]["bytes"], rel=0.01)
    fast = [way for way in plan["candidates"] if way.get("fits")]
    assert fast[0]["taken"] and fast == sorted(fast, key=lambda way: way["seconds"])
    for way in plan["candidates"]:
        assert way["taken"] == (way["why_not"] == "")


def test_plan_knows_the_disk(run, cities, tmp_path):
    plan = run("plan", cities, "-o", "x.zarr", "--json").json()["plan"]
    run("solve", cities, "-o", "x.zarr", "--quiet")
    files = sum(file.stat().st_size for file in (tmp_path / "x.zarr").rglob("*") if file.is_file())
    assert plan["bytes_disk"] == taken(plan)["bytes_disk"] >= files > 5 * 5 * 2
    assert run("plan", cities, "--json").json()["plan"]["bytes_disk"] == 0


def test_an_output_larger_than_its_disk_is_refused_before_the_solve(run, tmp_path):
    run("generate", "gnp", "g.gr", "--vertices", 1000, "--probability", 0.2)
    words = ["g.gr", "-o", "x.npy", "--dtype", "f64", "--disk", "1MiB"]
    plan = run("plan", *words, "--json", code=5).json()["plan"]
    assert 8_000_128 <= plan["bytes_disk"] <= 8_000_128 + 4096 and plan["bytes_disk_allowed"] == 2**20
    assert taken(plan) is None and not any(way.get("fits") for way in plan["candidates"])
    error = run("solve", *words, "--json", code=5).json()["error"]
    assert error["kind"] == "does_not_fit" and error["advice"] == plan["advice"] and not (tmp_path / "x.npy").exists()
    some = advised(error, "sources")
    assert int(some.removeprefix("random:")) >= 120
    run("solve", *words, "--sources", some)
    assert (tmp_path / "x.npy").stat().st_size <= 2**20
    fits = run("plan", *words[:-1], "1GiB", "--json").json()["plan"]
    assert fits["bytes_disk_allowed"] == 2**30


def test_plan_of_what_does_not_fit_shows_the_ways_and_says_what_would(run):
    run("generate", "path", "p.gr", "--vertices", 6000)
    words = ["plan", "p.gr", "--algorithm", "floyd-warshall", "--memory", "40MiB"]
    plan = run(*words, "--json", code=5).json()["plan"]
    assert taken(plan) is None and {"algorithm": "auto"} in plan["advice"]
    refused = run("solve", *words[1:], "--json", code=5).json()["error"]
    assert {"algorithm": "auto"} in refused["advice"] and "--algorithm auto" in refused["message"]
    fits = run("plan", "p.gr", "--memory", "40MiB", "--json").json()["plan"]
    assert "what_would_fit" not in fits and "advice" not in fits and taken(fits)["algorithm"] != "floyd-warshall"


@pytest.mark.parametrize("shape, graph, words", [
    ("path --vertices 3", "tiny.csv", ""), ("gnp --vertices 100", "small.gr", "--via -o x.zarr"),
    ("grid --vertices 900", "grid.gr", "--dtype f64 --verify"),
    ("dense --vertices 300", "dense.npy", "--algorithm floyd-warshall"),
    ("gnp --vertices 200 --real", "real.mtx", "-o x.zarr --compress --predecessors"),
    ("gnp --vertices 100", "small.gr", "--semiring or-and")])
def test_memory_that_a_refusal_names_is_enough(run, shape, graph, words):
    """src/planner/advice_test.cpp takes the advice of many refusals."""
    kind, *shape = shape.split()
    run("generate", kind, graph, *shape, "--quiet")
    refused = run("solve", graph, *words.split(), "--memory", "20KiB", "--json", code=5).json()["error"]
    run("solve", graph, *words.split(), "--memory", advised(refused, "memory"))


def test_threads_that_take_all_memory_are_named(run, cities):
    refused = run("solve", cities, "--threads", 100_000, "--memory", "4GiB", "--json", code=5).json()["error"]
    run("solve", cities, "--threads", advised(refused, "threads"), "--memory", "4GiB")


def test_plan_measures_when_asked(run, cities, tmp_path):
    env = {"APSP_CACHE_DIR": str(tmp_path / "cache")}
    plan = run("plan", cities, "--measure", "--json", env=env).json()["plan"]
    assert plan["predicted"]["rough"] is False and plan["predicted"]["measured"]
    first = rates(tmp_path / "cache")
    again = run("plan", cities, "--json", env=env)
    assert again.json()["plan"]["predicted"]["measured"] == first[0]["measured"]
    assert rates(tmp_path / "cache") == first


def test_the_machine_is_measured_without_a_graph(run, tmp_path):
    env = {"APSP_CACHE_DIR": str(tmp_path / "cache")}
    answer = run("plan", "--measure", "--json", env=env).json()
    kinds = {entry["what"] for entry in answer["rates"]["entries"]}
    assert kinds == {"cpu", "elimination", "search", "breadth-first", "transfers"}
    moved = next(e for e in answer["rates"]["entries"] if e["what"] == "transfers")
    assert all(moved[f"{what}_bytes_per_second"] > 0 for what in ("copy", "disk_write", "disk_read"))
    assert os.listdir(tmp_path / "cache") == ["rates.json"], "nothing stays of what was written"
    run("plan", code=2)


def test_the_last_line_compares(run, cities):
    last = next(line for line in run("solve", cities).err.splitlines() if line.startswith("done in "))
    assert "; after reading " in last and ", predicted about " in last


MACHINES = pathlib.Path(__file__).resolve().parents[1] / "machines"


def test_a_cluster_that_is_not_there_is_predicted(run):
    words = ["plan", "--machine", MACHINES / "summit.json", "--nodes", 64, "--vertices", 196608]
    cluster = run(*words, "--json").json()["cluster"]
    assert cluster["nodes"] == 64 and cluster["processes_per_node"] == 6
    seconds = {way["variant"]: way["seconds"] for way in cluster["variants"]}
    assert seconds["baseline"] > seconds["pipelined"] > seconds["reordering"] > seconds["async"]
    assert seconds["async"] >= cluster["seconds_work"]
    shown = run(*words).out
    assert "196,608 vertices" in shown and "reordering" in shown
    one = run(*words, "--ranks-per-node", 1, "--json").json()["cluster"]
    assert one["seconds_work"] == pytest.approx(6 * cluster["seconds_work"])


def test_a_graph_or_the_memory_of_the_gpus_gives_the_vertices(run, cities):
    machine = ["--machine", MACHINES / "dgx-h200.json", "--nodes", 1, "--json"]
    assert run("plan", cities, *machine).json()["cluster"]["vertices"] == 5
    largest = run("plan", *machine).json()["cluster"]
    assert largest["vertices"] > 500_000
    assert all(way["fits"] for way in largest["variants"])


@pytest.mark.parametrize("words", [
    ["--nodes", "4"], ["--machine", MACHINES / "summit.json", "--nodes", "5000"],
    ["--machine", MACHINES / "summit.json", "--ranks-per-node", "12"], ["--machine", MACHINES / "summit.json", "--measure"],
    ["--machine", MACHINES / "summit.json", "--vertices", "1073741825"],
    ["--nodes", f"{2**63 - 1}", "--vertices", f"{2**63 - 1}"]])
def test_words_that_no_machine_has_are_refused(run, words):
    run("plan", *words, code=2)


def test_gpus_that_hold_no_matrix_are_named(run, tmp_path):
    machine = json.loads((MACHINES / "summit.json").read_text())
    machine["cluster"]["gpu_bytes"] = 1000
    (tmp_path / "small.json").write_text(json.dumps(machine))
    run("plan", "--machine", "small.json", code=2)


def test_files_that_describe_no_machine_are_malformed(run, tmp_path):
    wrong = tmp_path / "machine.json"
    wrong.write_text('{"cluster": {"nodes": 0}}')
    run("plan", "--machine", wrong, code=3)
    wrong.write_text("nodes: 4")
    run("plan", "--machine", wrong, code=3)


def test_a_plan_of_a_large_graph_estimates_and_says_so(run, tmp_path):
    roads = tmp_path / "roads.gr"
    run("generate", "roads", roads, "--vertices", 140000, "--weights", "1:100", "--undirected")
    plans = {exact: run("plan", roads, "--device", "cpu", "--json", *exact).json()["plan"]
             for exact in [(), ("--exact",)]}
    estimate, exact = plans[()], plans[("--exact",)]
    assert estimate["estimated"] is True and exact["estimated"] is False
    for same in ("algorithm", "value_type", "keep", "symmetric"):
        assert estimate[same] == exact[same]
    for near in ("factor_entries", "relaxations", "bytes"):
        assert 0.8 * exact[near] < estimate[near] < 1.4 * exact[near], near


def test_a_prediction_for_another_machine_reads_the_graph_as_told(run, tmp_path):
    (tmp_path / "streets.txt").write_text("from;to;km\na;b;3\nb;c;4\n")
    told = run("plan", "--machine", MACHINES / "summit.json", "streets.txt", "--separator", "semicolon",
               "--columns", "from,to,km", "--json").json()
    assert told["cluster"]["vertices"] == 3
