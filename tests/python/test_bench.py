"""apsp bench: its object is whole, its figures are possible, and what it solved is right. How large
the figures are depends on the machine and is no matter of tests."""

import xml.etree.ElementTree

import pytest


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
        assert row["correct"] and row["rows_checked"] == 3, row


def test_sizes_threads_shapes_and_kernels_are_all_there(answer):
    plain = [r for r in answer["solves"]
             if r["kernel"]["value_type"] == "f32" and r["kernel"]["non_negative"] and not r["via"]]
    assert {(r["vertices"], r["threads"], r["shape"]) for r in plain} == {
        (n, threads, shape) for n in (65, 130) for threads in (1, 2)
        for shape in ("full", "symmetric")}
    assert {r["kernel"]["value_type"] for r in answer["solves"]} == {"f32", "f64", "i32", "u16", "bool"}
    assert any(r["via"] for r in answer["solves"])
    assert all("speed_against_plain" in r for r in answer["solves"]
               if r["shape"] == "symmetric" or r["via"] or r["kernel"]["value_type"] == "bool")


def test_rates_are_the_best_sample(answer):
    for row in answer["peaks"]:
        best = row["relaxations"] / min(s["cpu_seconds"] for s in row["samples"])
        assert row["relaxations_per_second"] == pytest.approx(best)
    for row in answer["solves"]:
        best = row["vertices"] ** 3 / min(s["seconds"] for s in row["samples"])
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


def test_memory_is_told_for_the_largest_and_for_a_large_matrix(answer):
    small, large = answer["memory"]
    assert small["vertices"] == 130 and small["bytes_matrix"] == 130 * 130 * 4
    assert large["vertices"] == 16384 and large["bytes_matrix"] == 2**30
    assert 0 < large["bytes_panels"] <= 0.05 * large["bytes_matrix"]


def test_the_table_is_plain_ascii_in_the_c_locale(run):
    done = run("bench", "--quick", "--vertices", 64, "--threads", 1, env={"LC_ALL": "C"})
    assert done.out.isascii() and "f32 >= 0" in done.out


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


def test_block_sizes_are_studied_with_a_picture(run, tmp_path):
    words = ["bench", "--tile", "16,64", "--vertices", "65,130", "--threads", "2", "-o", "t.svg"]
    study = run(*words, "--json").json()["block_sizes"]
    assert study["correct"] and study["threads"] == 2
    for n in (65, 130):
        rows = [row for row in study["rows"] if row["vertices"] == n]
        assert {16, 64} <= {row["tile"] for row in rows}
        assert [row["chosen"] for row in rows].count(True) == 1
        for row in rows:
            assert row["correct"]
            assert row["relaxations_per_second"] == pytest.approx(n**3 / min(row["seconds"]))
    picture = xml.etree.ElementTree.parse(tmp_path / "t.svg").getroot()
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}circle"))) == len(study["rows"])


@pytest.mark.parametrize("words", [
    "--tile 0", "--tile few", "--quick -o t.svg", "--tile 16 -o t.png", "--device auto", "--device cuda:0,1",
    "--device gpu", "--quick --full", "--vertices 0", "--vertices 1.5", "--vertices ten", "--threads 0", "--seed x",
    "graph.gr"])
def test_wrong_words(run, words):
    error = run("bench", *words.split(), "--json", code=2).json()["error"]
    assert error["kind"] == "usage"
