"""Choosing where to solve, on any machine: words, errors, exit codes, what info says.

What a GPU answers is tested in test_cuda.py.
"""

import pytest


@pytest.fixture
def no_device():
    """An environment in which CUDA sees no device, GPU or not."""
    return {"CUDA_VISIBLE_DEVICES": "-1"}


@pytest.mark.parametrize("words, hint", [
    (["--device", "cudda"], "did you mean 'cuda'?"),
    (["--device", "gpu"], "auto, cpu, cuda, cuda:N, cuda:N,M or cuda:all"),
    (["--device", "cuda:"], "counted from 0"),
    (["--device", "cuda:0,x"], "counted from 0"),
    (["--device", "cuda:0,0"], "cuda:0 twice"),
    (["--device-memory", "lots"], "8GiB"),
    (["--device-memory", "-4GiB"], "8GiB"),
])
def test_usage_errors(run, cities, words, hint):
    error = run("solve", cities, *words, "--json", code=2).json()["error"]
    assert error["kind"] == "usage" and hint in error["message"]


@pytest.mark.parametrize("device", ["cuda", "cuda:0,1", "cuda:all"])
def test_a_device_asked_for_by_name_is_never_replaced(run, cities, no_device, device, tmp_path):
    words = ["solve", cities, "--device", device, "-o", "x.zarr"]
    error = run(*words, "--json", code=7, env=no_device).json()["error"]
    assert error["kind"] == "device" and "--device cpu" in error["message"]
    assert [p.name for p in tmp_path.iterdir()] == [cities], "nothing is left behind"


def test_what_the_device_does_not_take_names_what_works(run, cities):
    words = ["solve", cities, "--device", "cuda", "--semiring", "or-and", "--via", "-o", "x.zarr", "--json"]
    assert run(*words, code=7).json()["error"]["kind"] == "device"
    graph = "a b 200000000\nb c -200000000\nc d 5\n"
    words = ["solve", "-", "--format", "edge-list", "--directed", "--device", "cuda"]
    done = run(*words, code=7, input=graph)
    assert "--dtype f64" in done.err and "--device cpu" in done.err
    run(*words[:-1], "cpu", input=graph)


def test_auto_says_what_it_chose_and_why(run, cities, no_device):
    answer = run("solve", cities, "--json", env=no_device).json()
    assert answer["report"]["device"] == "cpu" and "on_device" not in answer["report"]
    assert answer["plan"]["why_place"] == "too small for a GPU to pay"
    run("generate", "cycle", "c.gr", "--vertices", 2200, "--quiet")
    done = run("solve", "c.gr", "--threads", 1, "--dtype", "f64", "--via", "-o", "c.zarr", "--verbose", env=no_device)
    plan = done.err.splitlines()[1]
    assert plan.startswith("plan: ") and "on 1 CPU thread" in plan
    place = next(line for line in done.err.splitlines() if line.startswith("  place "))
    assert "1 CPU thread (" in place and "CUDA" in place


def test_by_name_there_is_nothing_to_explain(run, cities):
    done = run("solve", cities, "--device", "cpu", "--device-memory", "4GiB", "--json")
    assert done.json()["plan"]["why_place"] == ""


def test_info_lists_devices_or_says_why_there_is_none(run, no_device):
    machine = run("info", "--json", env=no_device).json()["machine"]
    assert machine["devices"] == [] and machine["why_no_device"]
    line = next(line for line in run("info", env=no_device).out.splitlines() if line.split()[:1] == ["GPU"])
    assert line.split()[1] == "none:"
    assert ("cuda" in machine["backends"]) == ("no CUDA engine" not in machine["why_no_device"])


def test_the_version_asks_no_device(run):
    assert run("--version").out.startswith("apsp ")
