"""apsp bench: its object is whole, its figures are possible, and what it solved is right. How large
the figures are depends on the machine and is no matter of tests."""

import pytest

from conftest import ROOT

QUICK = ["bench", "--quick", "--vertices", "65,130", "--threads", "2"]


@pytest.fixture(scope="module")
def shared():
    return {}


@pytest.fixture
def answer(run, shared):
    if "answer" not in shared:
        shared["answer"] = run(*QUICK, "--json").json()["benchmark"]
    return shared["answer"]


def test_every_solve_is_right(answer):
    assert answer["correct"] and answer["threads"] == 2
    for row in answer["solves"]:
        assert row["correct"] and row["entries_checked"] >= 8 * row["vertices"], row


def test_sizes_threads_shapes_and_kernels_are_all_there(answer):
    plain = [r for r in answer["solves"]
             if r["kernel"]["value_type"] == "f32" and r["kernel"]["non_negative"] and not r["via"]]
    assert {(r["vertices"], r["threads"], r["shape"]) for r in plain} == {
        (n, threads, shape) for n in (65, 130) for threads in (1, 2)
        for shape in ("full", "symmetric")}
    assert {r["kernel"]["value_type"] for r in answer["solves"]} == {
        "f32", "f64", "i32", "u16", "bool"}
    assert any(r["via"] for r in answer["solves"])
    assert all("speed_against_plain" in r for r in answer["solves"]
               if r["shape"] == "symmetric" or r["via"] or r["kernel"]["value_type"] == "bool")


def test_rates_are_the_best_sample(answer):
    for row in answer["products"]:
        best = row["m"] * row["n"] * row["depth"] / min(row["cpu_seconds"])
        assert row["relaxations_per_second"] == pytest.approx(best)
    for row in answer["solves"]:
        best = row["vertices"] ** 3 / min(row["seconds_solve"])
        assert row["relaxations_per_second"] == pytest.approx(best)


def test_shares_are_of_the_peak_of_the_same_kernel(answer):
    peaks = {}
    for row in answer["peaks"]:
        value_type = row["kernel"]["value_type"]
        peaks.setdefault(value_type, []).append(row["relaxations_per_second"])
    for row in answer["products"] + answer["solves"]:
        # Sampled in turns with the row: at most the best of the whole run.
        peak = row["peak_relaxations_per_second"]
        assert 0 < peak <= 1.000001 * max(peaks[row["kernel"]["value_type"]])
        share = row["relaxations_per_second"] / peak / row.get("threads", 1)
        assert row["share_of_peak"] == pytest.approx(share)


def test_the_table_names_machine_kernels_and_verdict(run):
    done = run("bench", "--quick", "--vertices", 64, "--threads", 1)
    for words in ("Peak", "multiply_add", "Floyd-Warshall", "f32 ≥ 0", "symmetric",
                  "full, via", "every result is right"):
        assert words in done.out, words
    assert "measured in" in done.err


def test_a_gpu_is_measured_or_its_absence_said(run):
    if not run("info", "--json").json()["machine"]["devices"]:
        done = run("bench", "--device", "cuda", "--quick", code=7)
        assert "--device" in done.err and not done.out
        error = run("bench", "--device", "cuda:0", "--json", code=7).json()["error"]
        assert error["kind"] == "device"
        return
    words = ["bench", "--device", "cuda", "--quick", "--vertices", "300,700"]
    answer = run(*words, "--json").json()["device_benchmark"]
    assert answer["correct"] and answer["device"]["device"] == "cuda:0"
    assert {row["vertices"] for row in answer["solves"]} == {300, 700}
    assert run("bench", "--device", "cuda:99", code=7).err


def test_solves_by_the_side_of_a_tile_are_compared_with_the_one_that_is_chosen(run):
    words = ["bench", "--tile", "16,64", "--vertices", "65,130", "--threads", "2"]
    study = run(*words, "--json").json()["benchmark"]
    assert study["correct"] and study["threads"] == 2 and not study["products"]
    for n in (65, 130):
        rows = [row for row in study["solves"] if row["vertices"] == n]
        assert {16, 64} <= {row["tile"] for row in rows}
        assert [row["chosen"] for row in rows].count(True) == 1


@pytest.mark.parametrize("words", [
    ["--tile", "0"], ["--device", "auto"], ["--device", "cuda:0,1"], ["--quick", "--full"], ["--vertices", "0"],
    ["--vertices", "1.5"], ["--threads", "0"], ["--seed", "x"], ["graph.gr"]])
def test_wrong_words(run, words):
    run("bench", *words, code=2)


def test_help_welcome_and_documentation(run):
    text = run("bench", "--help").out
    lines = text.splitlines()
    assert lines[0] == "Examples" and all("apsp bench" in line for line in lines[1:4])
    assert max(map(len, lines)) <= 100
    assert "\n  bench " in run().out
    documentation = (ROOT / "docs/verbs/bench.md").read_text() + (ROOT / "docs/options.md").read_text()
    options = [word.rstrip(":") for word in text.split() if word.startswith("--")]
    assert len(options) >= 7 and all(f"`{word}" in documentation for word in options)
