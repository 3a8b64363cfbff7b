"""bench/gpu_report.py on invented figures: every bar finds its figure, what was not measured or is
wrong is said, and the page keeps what stands around the marks."""

import copy
import json
import subprocess
import sys

import jsonschema
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))
import gpu_report  # noqa: E402


def kernel(value_type, non_negative=True):
    semiring = "or-and" if value_type == "bool" else "min-plus"
    return {"semiring": semiring, "value_type": value_type, "non_negative": non_negative}


KINDS = [("f32", True), ("f32", False), ("i32", True), ("u16", True), ("f64", False), ("bool", False)]
FINE = {"correct": True, "entries_checked": 4096}


def solve(value_type, non_negative, n, seconds, **more):
    return {"kernel": kernel(value_type, non_negative), "shape": "full", "via": False,
            "vertices": n, "tile": 512, "relaxations_per_second": n**3 / seconds,
            "share_of_peak": 0.9, "seconds_prepare": 0.5, "seconds_solve": [2 * seconds, seconds],
            "seconds_host_to_host": [seconds / 0.95], **FINE, **more}


def invented():
    """A run that reaches every bar."""
    matrix = 65536**2 * 4
    caps = [(None, 20.0), (matrix // 4, 21.0), (matrix // 8, 24.0)]
    return {
        "schema_version": 1, "command": "bench",
        "machine": {"version": "0.1.0", "cpu": "Invented CPU", "threads": 16,
                    "memory_total": 2**37, "memory_available": 2**36, "instruction_set": "AVX3",
                    "instruction_sets": ["AVX3"], "devices": [], "why_no_device": "invented",
                    "backends": ["cpu"], "semirings": ["min-plus"], "formats": ["numpy"],
                    "rates": {"file": "rates.json", "entries": []}},
        "device_benchmark": {
            "device": {"device": "cuda:0", "name": "Invented GPU", "memory_total": 2**37,
                       "memory_free": 2**36, "multiprocessors": 132, "clock_hz": 1.98e9,
                       "compute_capability": "9.0", "driver": "13.0"},
            "peaks": [{"kernel": kernel(*kind), "mix": "2 add", "relaxations_per_second": 2e13}
                      for kind in KINDS[:5]],
            "products": [{"kernel": kernel(*kind), "m": 16384, "n": 16384, "depth": 2048,
                          "relaxations_per_second": rate * 1e12, "share_of_peak": 0.9,
                          "configuration": "64 × 128 words a block",
                          "seconds": [16384**2 * 2048 / rate * 1e-12], **FINE}
                         for kind, rate in zip(KINDS, (16.4, 13.4, 17.4, 34.5, 5.0, 500))],
            "solves": [solve("f32", True, n, s) for n, s in (
                (1024, 0.7e-3), (2048, 1.9e-3), (8192, 0.045), (16384, 0.30), (32768, 2.25))] + [
                    solve("f32", True, 32768, 1.2, shape="symmetric", speed_against_plain=1.9),
                    solve("f32", True, 32768, 5.2, via=True, speed_against_plain=1 / 2.3),
                    solve("i32", True, 32768, 2.1, speed_against_plain=1.07),
                    solve("u16", True, 32768, 1.1, speed_against_plain=2.0)],
            "copies": [{"direction": "host to device", "bytes_per_second": 55e9, "bytes": 2**30,
                        "seconds": [0.02], **FINE},
                       {"direction": "device memory, read and write", "bytes_per_second": 4.1e12,
                        **FINE}],
            "offload": [{"vertices": 65536, "bytes_matrix": matrix, "device_memory": cap,
                         "bytes_device": cap or matrix, "seconds_prepare": 4.0,
                         "seconds": [seconds], "share_of_uncapped": 20.0 / seconds,
                         "digest": "0123456789abcdef", **FINE,
                         **({"plan": {"width": 2048, "resident_rows": 0, "buffers": 3,
                                      "seconds_predicted": 20.5}} if cap else {})}
                        for cap, seconds in caps],
            "seed": 1, "seconds": 120.0, "correct": True}}


BASELINES = {
    "device": "Invented GPU", "correct": True,
    "baselines": [{"name": name, "value_type": "f32", "block": block, "vertices": 2048,
                   "seconds": [s, 2 * s], "seconds_phases": phases,
                   "relaxations_per_second": 2048**3 / s, "equal": True, "compared_with_cpu": True}
                  for name, block, s, phases in (("plain", None, 0.05, []),
                                                 ("tiled 16", 16, 0.02, [0.001, 0.003, 0.016]),
                                                 ("apsp", None, 0.002, []))]}
RUN = {"date": "2000-01-01", "commit": "abc1234", "command": "scripts/gpu-check --full"}


def test_the_invented_run_is_valid_by_the_schema():
    schema = json.loads((ROOT / "docs" / "schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(invented())


def test_every_bar_is_measured_and_reached():
    found = gpu_report.bars(invented()["device_benchmark"])
    assert len(found) == 19
    for measure, bar, value, larger in found:
        assert value is not None, measure
        assert value >= bar if larger else value <= bar, (measure, value)
    assert "| no |" not in gpu_report.markdown(invented(), BASELINES, RUN)


def test_figures_machine_and_sources_are_named():
    text = gpu_report.markdown(invented(), BASELINES, RUN)
    for words in ("Invented GPU, 132 multiprocessors at up to 1980 MHz", "Invented CPU, 16 threads",
                  "2000-01-01", "commit abc1234", "`scripts/gpu-check --full`", "cuASR", "DPX",
                  "Not in this run", "| f32 ≥ 0 | 16,384² × 2,048 |", "| 4 GiB | 2,048 | 0 |",
                  "f32 ≥ 0, f32, i32 ≥ 0, u16, f64, bool: 64 × 128 words a block.",
                  "not capped", "| f32 | tiled 16 | 2,048 | 20.00 ms | 0.429 | 1.0 + 3.0 + 16.0 | "
                  "10.0 × | equal |"):
        assert words in text, words


def test_what_is_missing_slow_or_wrong_is_said():
    document = copy.deepcopy(invented())
    bench = document["device_benchmark"]
    bench["correct"] = False
    bench["offload"] = []
    bench["products"][0]["relaxations_per_second"] = 12e12
    bench["products"][4].update(seconds=[], relaxations_per_second=0, share_of_peak=0,
                                correct=False, error="no memory | left")
    bench["solves"][0]["correct"] = False
    text = gpu_report.markdown(document, None, RUN)
    assert "**Not every result was right.**" in text
    assert "| product 16,384² × 2,048, f32 ≥ 0, T/s | ≥ 16 | 12 | no |" in text
    assert "| product 16,384² × 2,048, f64, T/s | ≥ 4.7 | not measured |  |" in text
    assert "**no memory / left**" in text and "**wrong**" in text
    assert "The papers' kernels" not in text and "Larger than" not in text


def test_a_quick_run_has_no_bars_but_all_tables():
    document = copy.deepcopy(invented())
    for row in document["device_benchmark"]["products"]:
        row.update(m=4096, n=4096, depth=1024)
    text = gpu_report.markdown(document, BASELINES, RUN)
    assert "| product 16,384² × 2,048, u16, T/s | ≥ 34 | not measured |  |" in text
    assert "| u16 | 4,096² × 1,024 |" in text


@pytest.mark.parametrize("page, around", [
    ("before\n" + gpu_report.BEGIN + "old\n" + gpu_report.END + "\nafter\n", True), (None, False)])
def test_it_writes_between_the_marks(tmp_path, page, around):
    for name, content in (("bench.json", invented()), ("baselines.json", BASELINES), ("run.json", RUN)):
        (tmp_path / name).write_text(json.dumps(content))
    output = tmp_path / "page.md"
    if page:
        output.write_text(page)
    subprocess.run([sys.executable, ROOT / "bench" / "gpu_report.py", tmp_path, "--output", output], check=True)
    text = output.read_text()
    assert "### Bars" in text and "old" not in text
    assert (text.startswith("before\n" + gpu_report.BEGIN) and text.endswith("after\n")) == around


@pytest.mark.parametrize("content, message", [
    (None, "bench.json is not there"),
    ({"error": {"message": "no CUDA device"}}, "has no figures: no CUDA device")])
def test_without_figures_it_fails(tmp_path, content, message):
    if content:
        (tmp_path / "bench.json").write_text(json.dumps(content))
    done = subprocess.run([sys.executable, ROOT / "bench" / "gpu_report.py", tmp_path],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr
