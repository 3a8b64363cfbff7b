"""Solves on a GPU against the same solves on the CPU. Skipped, with the reason, without a GPU."""

import json
import subprocess

import numpy
import pytest
import zarr

from conftest import binary, environment

N = 700  # several tiles of 128, the last one ragged
MATRIX = N * N * 4


@pytest.fixture(scope="module", autouse=True)
def device():
    """What info says of the first GPU."""
    done = subprocess.run([binary(), "info", "--json"], env=environment(), stdout=subprocess.PIPE, check=True)
    machine = json.loads(done.stdout)["machine"]
    if not machine["devices"]:
        why = machine["why_no_device"]
        pytest.skip(why if why.startswith("no CUDA device") else f"no CUDA device: {why}")
    return machine["devices"][0]


@pytest.fixture
def graph(run):
    """graph("gnp", "--negative") makes a graph of N vertices, gives its file."""

    def make(kind="gnp", *words, n=N):
        run("generate", kind, "g.gr", "--vertices", n, *words, "--quiet")
        return "g.gr"

    return make


@pytest.fixture
def both(run, tmp_path):
    """Solves on both devices; the reports, after the matrices were found equal bit for bit."""

    def solve(file, *words, rounding=0):
        matrices, reports = {}, {}
        for device in ("cpu", "cuda"):
            answer = run("solve", file, "--device", device, "-o", device + ".npy", "--json", "--verify", *words).json()
            assert answer["verification"]["passed"]
            assert answer["report"]["device"] == device
            reports[device] = answer["report"]
            matrices[device] = numpy.load(tmp_path / (device + ".npy"))
        if rounding:
            numpy.testing.assert_allclose(matrices["cuda"], matrices["cpu"], rtol=rounding, atol=rounding * 100)
        else:
            numpy.testing.assert_array_equal(matrices["cuda"], matrices["cpu"])
        return reports["cuda"]

    return solve


def test_info_describes_the_device(run, device):
    assert device["device"] == "cuda:0"
    assert 0 < device["memory_free"] <= device["memory_total"]
    assert device["multiprocessors"] > 0 and device["clock_hz"] > 1e8
    text = run("info").out
    assert "cuda:0" in text and device["name"] in text
    run("info", "--json").json()


@pytest.mark.parametrize("dtype", ["auto", "f32", "f64", "i32", "u16"])
def test_every_value_type(both, graph, device, dtype):
    # Distances must fit u16, and should be large elsewhere.
    words = ["cycle", "--weights", "1:9"]
    if dtype != "u16":
        words = ["gnp", "--probability", 0.02, "--weights", "1:1000"]
    report = both(graph(*words), "--dtype", dtype)
    assert report["on_device"]["name"] == device["name"]
    assert report["on_device"]["streamed"] is False
    assert report["on_device"]["seconds_predicted"] > 0


@pytest.mark.parametrize("semiring", ["max-min", "min-max"])
@pytest.mark.parametrize("dtype", ["f32", "f64", "i32", "u16"])
def test_bottlenecks(both, graph, semiring, dtype):
    both(graph("gnp", "--probability", 0.02), "--semiring", semiring, "--dtype", dtype)


@pytest.mark.parametrize("n", [1, 33, N, 1500])
@pytest.mark.parametrize("direction", ["--directed", "--undirected"])
def test_reachability(both, graph, n, direction):
    file = graph("gnp", "--probability", min(1, 1.5 / n), direction, n=n)
    report = both(file, "--semiring", "or-and")
    assert "packed bits on" in report["plan"] and report["on_device"]["bytes"] > 0


@pytest.mark.parametrize("cap", ["640KiB", "1MiB", "3MiB"])
def test_reachability_streams(both, graph, cap):
    file = graph("gnp", "--probability", 1.5 / 5000, "--directed", n=5000)
    report = both(file, "--semiring", "or-and", "--algorithm", "floyd-warshall", "--device-memory", cap)
    assert report["on_device"]["streamed"] is True
    assert "packed bits on" in report["plan"] and ", streamed, predicted" in report["plan"]


def test_closure_takes_a_device(run, graph):
    file = graph("cycle", "--directed")
    answers = [run("closure", file, "--device", device, "--json").json() for device in ("cpu", "cuda")]
    assert [answer["report"]["device"] for answer in answers] == ["cpu", "cuda"]
    assert answers[0]["statistics"] == answers[1]["statistics"]


@pytest.mark.parametrize("dtype", ["f32", "f64", "i32"])
def test_longest_paths(both, tmp_path, dtype):
    arcs = [f"a {u} {v} {(u * v) % 17 - 5}" for u in range(1, 300) for v in range(u + 1, 300, 7)]
    (tmp_path / "dag.gr").write_text(f"p sp 300 {len(arcs)}\n" + "\n".join(arcs) + "\n")
    both("dag.gr", "--semiring", "max-plus", "--dtype", dtype)


@pytest.mark.parametrize("dtype", ["f32", "f64", "i32"])
def test_negative_weights(both, graph, dtype):
    both(graph("gnp", "--probability", 0.02, "--negative"), "--dtype", dtype)


def test_real_weights_stay_within_rounding(both, graph):
    both(graph("geometric", "--real", "--undirected"), rounding=1e-5)


@pytest.mark.parametrize("n", [0, 1, 2, 127, 128, 129, 257])
@pytest.mark.parametrize("direction", ["--directed", "--undirected"])
def test_sizes_around_the_tile(both, graph, tmp_path, n, direction):
    if n == 0:
        (tmp_path / "g.gr").write_text("p sp 0 0\n")
        both("g.gr")
        return
    both(graph("gnp", "--probability", 0.05, direction, n=n))


def test_undirected_graphs_need_half_the_work(both, graph):
    file = graph("grid", "--undirected")
    assert both(file, "--tile", 128)["relaxations"] == N ** 3 / 2
    assert both(file)["relaxations"] == N ** 3, "small enough for one launch, which has no half"


@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("direction", ["--directed", "--undirected"])
def test_streamed_through_a_capped_memory(both, graph, direction, share):
    n = 1200
    cap = int(n * n * 4 * share)
    file = graph("gnp", "--probability", 0.02, direction, n=n)
    report = both(file, "--dtype", "f32", "--tile", 128, "--device-memory", cap)
    assert report["on_device"]["streamed"] is True
    assert report["on_device"]["bytes"] <= cap
    assert ", streamed, predicted" in report["plan"]


def test_too_little_memory_names_the_least_that_works(run, graph):
    file = graph()
    words = ["solve", file, "--device", "cuda", "--dtype", "f32"]
    message = run(*words, "--device-memory", "64KiB", code=5).err
    least = message.split("--device-memory ")[1].split()[0].rstrip(",.")
    answer = run(*words, "--device-memory", least, "--json", "--verify").json()
    assert answer["verification"]["passed"] and answer["report"]["on_device"]["streamed"]


@pytest.mark.parametrize("dtype", ["u16", "i32"])
@pytest.mark.parametrize("direction", ["--directed", "--undirected"])
def test_sparse_graphs_are_swept(run, both, graph, dtype, direction):
    roads = graph("grid", direction, "--weights", "1:20", n=2500)
    words = ["--algorithm", "nested-dissection", "--dtype", dtype]
    report = both(roads, *words)
    assert report["algorithm"] == "nested-dissection"
    assert report["on_device"]["bytes"] > 0
    answers = [run("solve", roads, "--device", where, "--json", *words).json()["statistics"]
               for where in ("cpu", "cuda")]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("capped", [False, True])
@pytest.mark.parametrize("words", [[], ["--negative"], ["--undirected"]])
def test_intermediate_vertices_and_hops(run, graph, tmp_path, capped, words):
    file = graph("gnp", "--probability", 0.02, "--weights", "1:50", *words)
    cap = ["--device-memory", MATRIX] if capped else []
    report = run("solve", file, "--device", "cuda", "--dtype", "i32", "--hops", "-o", "v.zarr",
                 "--verify", "--json", *cap).json()["report"]
    assert report["on_device"]["streamed"] is capped
    group = zarr.open_group(tmp_path / "v.zarr", mode="r")
    distance, via, hops = (group[name][:].astype(numpy.int64) for name in ("distance", "via", "hops"))
    run("solve", file, "--device", "cpu", "--dtype", "i32", "-o", "cpu.npy")
    numpy.testing.assert_array_equal(distance, numpy.load(tmp_path / "cpu.npy"))
    s, t = numpy.nonzero(via >= 0)
    k = via[s, t]
    assert len(s) > 1000
    numpy.testing.assert_array_equal(distance[s, t], distance[s, k] + distance[k, t])
    numpy.testing.assert_array_equal(hops[s, t], hops[s, k] + hops[k, t])


def test_a_negative_cycle_is_shown(run, negative):
    run("solve", negative, "--device", "cuda", code=4)


def test_an_ordinal_that_is_not_there(run, cities):
    done = run("solve", cities, "--device", "cuda:99", code=7)
    assert "cuda:99 does not exist" in done.err and "cuda:0" in done.err
    run("solve", cities, "--device", "cuda:0")


def test_auto_takes_the_device_where_it_pays_and_says_so(run, graph):
    file = graph("cycle", n=9000)
    done = run("solve", file, "--algorithm", "floyd-warshall", "--threads", 1, "--verify", "--json").json()
    assert done["report"]["device"] == "cuda" and done["verification"]["passed"]
    assert "the CPU would take some " in done["plan"]["why_place"]


def test_the_prediction_stands_beside_the_time(run, graph, device):
    done = run("solve", graph(), "--device", "cuda")
    last = next(line for line in done.err.splitlines() if line.startswith("done in "))
    assert f"in {device['name']}, " in last and "relaxations/s on cuda:0" in last
    assert ", predicted " in last.split("; after reading ")[1]


def test_update_of_a_matrix_is_that_of_the_cpu(run, graph, tmp_path):
    file = graph()
    run("solve", file, "-o", "m.zarr", "--keep", "matrix", "--quiet")
    run("convert", "m.zarr", "edges.csv", "--quiet")
    rows = [line.split(",") for line in (tmp_path / "edges.csv").read_text().split() if line[0].isdigit()]
    (tmp_path / "changes.csv").write_text("".join(f"{u},{v},1\n" for u, v, *_ in rows[::60]))
    for device in ("cpu", "cuda"):
        run("update", "m.zarr", "changes.csv", "--device", device, "-o", device + ".npy", "--device-memory", "32MiB")
    numpy.testing.assert_array_equal(numpy.load(tmp_path / "cuda.npy"), numpy.load(tmp_path / "cpu.npy"))
