"""The command line as its users meet it: every verb, every exit code, every manner.

What the answers must be on real graphs is tested elsewhere; here the graphs are small enough to be
right by eye.
"""


import pytest


# --- solve --------------------------------------------------------------------------------------


def test_solve_prints_statistics_to_stdout_and_messages_to_stderr(run, cities):
    done = run("solve", cities, "--undirected")
    assert "reachable pairs" in done.out and "12 of 20" in done.out
    assert "diameter" in done.out and "120" in done.out
    assert "Aachen → Dortmund" in done.out
    first, *rest = done.err.splitlines()
    assert first.startswith("cities.csv: 5 vertices, 6 edges, undirected, integer weights 5 … 100")
    assert rest[0].startswith("plan: ")
    assert rest[-1].startswith("done in ")


def test_solve_keeps_nothing_without_output(run, cities, tmp_path):
    run("solve", cities)
    assert [p.name for p in tmp_path.iterdir()] == [cities]


def test_solve_json_is_one_object(run, cities):
    answer = run("solve", cities, "--undirected", "--json", "--verify", "-o", "c.zarr").json()
    assert answer["command"] == "solve"
    assert answer["graph"]["vertices"] == 5 and answer["graph"]["file"] == cities
    assert answer["statistics"]["diameter"] == 120
    assert answer["statistics"]["diameter_pair"] == {"from": "Aachen", "to": "Dortmund"}
    assert answer["verification"]["passed"] is True
    assert len(answer["verification"]["checks"]) >= 5
    assert answer["output"]["path"] == "c.zarr" and answer["output"]["bytes"] > 0


def test_solve_says_where_the_result_is_and_how_to_open_it(run, cities):
    done = run("solve", cities, "-o", "c.zarr")
    line = next(line for line in done.err.splitlines() if "open it: " in line)
    command = line.split("open it: apsp ")[1].split()
    assert run(*command).out.startswith("Aachen → Dortmund")
    done = run("solve", cities, "-o", "c.npy")
    line = next(line for line in done.err.splitlines() if "open it: " in line)
    assert f"--graph {cities}" in line
    run(*line.split("open it: apsp ")[1].split())


@pytest.mark.parametrize("option, key, values", [
    ("--dtype", "value_type", ["auto", "f32", "f64", "i32", "u16"]),
    ("--semiring", "semiring", ["min-plus", "max-min", "min-max", "or-and"])])
def test_solve_takes_every_value_type_and_semiring(run, cities, option, key, values):
    for value in values:
        assert run("solve", cities, option, value, "--json").json()["report"][key] == value.replace("auto", "u16")


def test_solve_says_how_exact_real_weights_are(run):
    done = run("solve", "-", "--format", "edge-list", input="a b 0.5\nb c 0.25\n")
    assert "error 6.0e-08/edge" in done.err


def test_signed_weights_that_cancel_take_f64_or_the_plan_says_how_rough_they_are(run):
    graph = "a b 1000000.123\nb c -1000000.120\n"
    words = ("solve", "-", "--directed", "--format", "edge-list", "--verify", "--json")
    report = run(*words, input=graph).json()["report"]
    assert report["value_type"] == "f64" and report["absolute_error"] < 1e-9
    done = run(*words, "--dtype", "f32", input=graph)
    assert ", error " in done.err
    assert "no distance is off by more than" in done.json()["plan"]["precision"]
    assert 0.03 < done.json()["report"]["absolute_error"] < 1


def test_solve_with_predecessors_tiles_threads_memory_compression(run, cities):
    run("solve", cities, "-o", "c.zarr", "--predecessors", "--compress", "--tile", 2, "--threads",
        1, "--memory", "1GiB", "--algorithm", "floyd-warshall", "--device", "cpu")
    assert "passed" in run("verify", "c.zarr").out


def test_top_sets_how_many_central_vertices_are_listed(run, cities):
    answer = run("solve", cities, "--undirected", "--top", 2, "--json").json()
    assert len(answer["statistics"]["most_central"]["closeness"]) == 2
    assert "Most central" not in run("solve", cities, "--top", 0).out
    assert "Most central" in run("solve", cities).out


# --- the other verbs ----------------------------------------------------------------------------


def test_path_shows_hops_by_name(run, solved):
    done = run("path", solved, "Aachen", "Dortmund")
    assert done.out.startswith("Aachen → Dortmund  distance 120, 3 edges\n")
    rows = [line.split() for line in done.out.splitlines()[4:]]
    assert rows == [["0", "Aachen"], ["1", "Bonn", "30", "30"], ["2", "Cologne", "20", "50"],
                    ["3", "Dortmund", "70", "120"]]


def test_path_json_and_names(run, solved):
    answer = run("path", solved, "Aachen", "Cologne", "--json").json()
    assert answer["distance"] == 50 and answer["path"] == ["Aachen", "Bonn", "Cologne"]
    assert answer["hops"][1] == {"from": "Bonn", "to": "Cologne", "weight": 20, "so_far": 50}
    assert run("path", solved, "Aachen", "Cologne", "--names").out == "Aachen\nBonn\nCologne\n"


def test_path_to_itself(run, solved):
    answer = run("path", solved, "Bonn", "Bonn", "--json").json()
    assert answer["path"] == ["Bonn"] and answer["hops"] == [] and answer["distance"] == 0
    assert "0 edges" in run("path", solved, "Bonn", "Bonn").out


def test_path_without_a_way_is_a_negative_answer(run, solved):
    done = run("path", solved, "Aachen", "Emden", code=1)
    assert done.out == "" and "no path leads from Aachen to Emden" in done.err
    answer = run("path", solved, "Aachen", "Emden", "--json", code=1).json()
    assert answer["reachable"] is False and answer["distance"] is None and answer["path"] == []


def test_path_suggests_vertices(run, solved, cities):
    assert "did you mean 'Cologne'?" in run("path", solved, "Colonge", "Bonn", code=2).err
    run("generate", "grid", "g.gr", "--vertices", 9)
    run("solve", "g.gr", "-o", "g.npy")
    done = run("path", "g.npy", "1", "10", "--graph", "g.gr", code=2)
    assert "unknown vertex '10'" in done.err and "0 to 8" in done.err


def test_path_over_other_semirings(run, cities):
    run("solve", cities, "--semiring", "max-min", "-o", "wide.zarr")
    answer = run("path", "wide.zarr", "Aachen", "Dortmund", "--json").json()
    assert answer["distance"] == 60 and answer["path"] == ["Aachen", "Cologne", "Dortmund"]
    assert "width 60" in run("path", "wide.zarr", "Aachen", "Dortmund").out


def test_a_bare_matrix_needs_its_graph(run, cities):
    run("solve", cities, "-o", "c.npy")
    run("path", "c.npy", "Aachen", "Bonn", code=2)
    run("verify", "c.npy", code=2)
    assert "30" in run("path", "c.npy", "Aachen", "Bonn", "--graph", cities).out
    assert "passed" in run("verify", "c.npy", cities).out
    assert "diameter" in run("stats", "c.npy", "--graph", cities).out


def test_graphs_and_results_in_each_others_place_are_called_so(run, cities, solved):
    for verb in ("stats", "verify"):
        run(verb, cities, code=2)
    for verb in ("solve", "plan", "closure"):
        run(verb, solved, code=2)


def test_stats_gives_what_solve_gave(run, cities):
    solve = run("solve", cities, "--undirected", "-o", "c.zarr", "--top", 3)
    stats = run("stats", "c.zarr", "--top", 3)
    below = [out[out.index("Distance"):] for out in (stats.out, solve.out)]  # `stats` has named figures above
    assert below[0] == below[1]
    a = run("solve", cities, "--undirected", "--json").json()["statistics"]
    b = run("stats", "c.zarr", "--json").json()["statistics"]
    assert a == b


def test_verify_passes_and_fails(run, solved, cities, tmp_path):
    assert "passed" in run("verify", solved).out
    assert run("verify", solved, "--json", "--sample", 2, "--seed", 7).json()["verification"]["sources_checked"] == 2
    numpy = pytest.importorskip("numpy")
    run("convert", solved, "c.npy")
    matrix = numpy.load(tmp_path / "c.npy")
    matrix[0, 3] -= 1
    numpy.save(tmp_path / "wrong.npy", matrix)
    done = run("verify", "wrong.npy", cities, "--undirected", code=1)
    assert "FAILED" in done.out and "Aachen" in done.out
    report = run("verify", "wrong.npy", cities, "--undirected", "--json", code=1).json()
    assert report["verification"]["passed"] is False


def test_verify_takes_a_tolerance(run, solved):
    assert run("verify", solved, "--tolerance", "0.01", "--json").json()["verification"]["tolerance"] == 0.01
    run("verify", solved, "--tolerance", "-1", code=2)


def test_closure_counts_reachable_pairs(run, cities):
    done = run("closure", cities, "--directed")
    assert "6 of 20" in done.out and "strongly connected" in done.out
    answer = run("closure", cities, "--directed", "--json", "-o", "r.zarr", "--verify").json()
    assert answer["command"] == "closure" and answer["report"]["semiring"] == "or-and"
    assert answer["verification"]["passed"]
    run("path", "r.zarr", "Aachen", "Dortmund")
    run("path", "r.zarr", "Dortmund", "Aachen", code=1)


@pytest.mark.parametrize("suffix", [".mtx", ".gr", ".txt", ".csv.gz", ".txt.zst"])
def test_convert_between_graph_formats(run, suffix):
    run("generate", "grid", "g.gr", "--vertices", 12, "--directed")
    done = run("convert", "g.gr", "h" + suffix, "--json").json()
    assert done["kind"] == "graph" and done["vertices"] == 12
    a = run("info", "g.gr", "--json").json()["graph"]
    b = run("info", "h" + suffix, "--directed", "--json").json()["graph"]
    assert (a["vertices"], a["edges"], a["weights"]) == (b["vertices"], b["edges"], b["weights"])


def test_convert_between_stores_and_back_to_the_graph(run, solved, cities):
    assert run("convert", solved, "c.npy", "--json").json()["kind"] == "result"
    run("convert", "c.npy", "again.zarr", "--graph", cities, "--undirected", "--compress")
    assert (run("path", "again.zarr", "Aachen", "Dortmund").out == run("path", solved, "Aachen", "Dortmund").out)
    assert run("convert", solved, "g.csv", "--json").json()["kind"] == "graph"
    assert "Cologne" in run("convert", solved, "-").out
    run("convert", "c.npy", "again.zarr", code=2)


def test_generate_tells_what_it_made_and_writes_to_stdout(run):
    done = run("generate", "cycle", "-", "--vertices", 5)
    assert "5 vertices, 5 arcs, directed" in done.err and "seed 1" in done.err
    answer = run("info", "-", "--format", "edge-list", "--directed", "--json", input=done.out)
    assert answer.json()["graph"]["edges"] == 5


def test_generate_options(run):
    def made(*words):
        return run("generate", *words, "g.gr", "--json").json()["graph"]

    assert made("rmat", "--vertices", 64, "--edges", 100, "--rmat", "0.4,0.3,0.2,0.1")["arcs"] <= 100
    assert made("gnp", "--vertices", 20, "--probability", 1)["arcs"] == 20 * 19
    assert made("geometric", "--vertices", 20, "--radius", 2)["arcs"] == 20 * 19
    assert made("grid", "--vertices", 9, "--undirected")["directed"] is False
    assert made("grid", "--vertices", 9)["directed"] is True
    assert made("grid", "--vertices", 30, "--negative")["weights"]["least"] < 0
    done = run("generate", "grid", "r.mtx", "--vertices", 30, "--real", "--json").json()
    assert done["graph"]["weights"]["integral"] is False


def test_info_about_machine_and_graph(run, cities):
    assert "memory" in run("info").out and "kernels" in run("info").out
    assert run("info", "--json").json()["machine"]["threads"] >= 1
    done = run("info", cities, "--undirected")
    for words in (["vertices", "5"], ["edges", "6"], ["self-loops", "1"], ["names", "Aachen"]):
        assert any(line.split()[:2] == words for line in done.out.splitlines()), words
    graph = run("info", cities, "--directed", "--json").json()["graph"]
    assert graph["components"] == {"count": 2, "largest": 4}
    assert graph["strong_components"] == {"count": 5, "largest": 1}
    assert graph["degree"]["greatest"] == 2
