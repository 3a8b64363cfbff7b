"""The tables of bench/gpus_report.py and bench/sparse/papers, on invented figures."""

import importlib.machinery
import importlib.util
import json
import subprocess
import sys

import pytest

from conftest import ROOT, binary, environment

sys.path.insert(0, str(ROOT / "bench"))
import gpus_report  # noqa: E402

loader = importlib.machinery.SourceFileLoader("papers", str(ROOT / "bench/sparse/papers"))
papers = importlib.util.module_from_spec(importlib.util.spec_from_loader("papers", loader))
loader.exec_module(papers)

GPUS = """
f32, n = 32768, tile 512, seed 1
1 GPU        on the devices   2080.00 ms,  16.92 T/s; host to host   2190.00 ms
4 x 1 GPUs   on the devices    540.00 ms,  65.20 T/s; host to host    600.00 ms, 96.3 % of 4 × one; host to host 3.6
  claimed and pinned in 1.00 s; bit-identical to one GPU: yes; rows agree with their definition: yes
all agree
"""
STREAMED = """
f32, n = 131072, tile 512, seed 1
4 GPUs, 4096 MiB of each, streamed: host to host  {ms:.2f} ms,  {rate:.2f} T/s (panels of 3072, 6 buffers of 256 rows, 0 stay; predicted 35200.00 ms)
all agree
"""


@pytest.fixture
def results(tmp_path):
    (tmp_path / "gpus.txt").write_text(GPUS)
    (tmp_path / "gpus-streamed.txt").write_text(STREAMED.format(ms=38000, rate=59.26))
    (tmp_path / "gpus-sweeps.txt").write_text(
        "  sweeps alone                            638.9 ms, 104.6 G pairs/s\n"
        "  shared by 4 GPUs:\n"
        "  sweeps alone                            170.0 ms, 393.1 G pairs/s\n")
    return tmp_path


def test_bars_of_several_gpus_stand_beside_their_figures(results):
    page, reached = gpus_report.report(results, 4)
    assert reached
    for words in ("| f32, 32,768 | full | 4 x 1 GPUs | 0.54 s | 65.20 | 0.6 s | 96.3 % | ≤ 0.55 s | 0.54 s | yes |",
                  "| f32, 131,072 | streamed | 4 GPUs, 4 GiB of each | – | 59.26 | 38 s | – | ≥ 85% of 4 × one | 87.6% | yes |",
                  "638.9 and 170.0 ms", "≥ 3.6 × | 3.76 × | yes |"):
        assert words in page, page


@pytest.mark.parametrize("name, text", [
    ("gpus.txt", GPUS.replace("540.00", "560.00")), ("gpus.txt", GPUS.replace("GPU: yes", "GPU: NO")),
    ("gpus-streamed.txt", STREAMED.format(ms=45000, rate=50.0)),
    ("gpus-sweeps.txt", "  sweeps alone   600.0 ms\n  sweeps alone   200.0 ms\n")])
def test_what_is_missed_or_differs_fails(results, name, text):
    (results / name).write_text(text)
    assert not gpus_report.report(results, 4)[1]


def run_of(algorithm, device="cuda", seconds=1.0, why="", **more):
    return {"algorithm": algorithm, "device": device, "seconds": seconds, "why": why, "taken": algorithm,
            "on": "CPU" if device == "cpu" else "Invented GPU", **more}


CASE = {"graph": "R-MAT", "vertices": 20000, "arcs": 128000, "chosen": "johnson", "theirs": ["0.249", "2.13"], "right": True,
        "runs": [run_of("auto", taken="johnson", seconds=0.8), run_of("nested-dissection", why="longer", seconds=3),
                 run_of("auto", "cpu", taken="nested-dissection", seconds=2)]}


def test_later_figures_of_a_graph_replace_earlier_ones(tmp_path):
    files = []
    for number, seconds in enumerate((5.0, 0.8)):
        case = json.loads(json.dumps(CASE))
        case["runs"][0]["seconds"] = seconds
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps({"date": "2000-01-01", "threads": 16, "cases": [case]}))
    page = papers.table(papers.merged(files))
    assert "on one Invented GPU, and on 16 threads of its host; 2000-01-01" in page
    assert ("| R-MAT | 20,000 | 128,000 | johnson 0.8 | 0.8 | > 3 | – | – | – | 2 (nested-dissection) | 0.249 | "
            "2.13 | yes |") in page
    assert page.endswith("in 1 of 1 cases where at least two algorithms were begun; at worst 1.00 times.\n")
    case["right"] = False
    assert papers.table({"date": "", "cases": [case]}).count("| WRONG |\n") == 1


def test_answers_that_differ_are_not_right():
    run = papers.Run.__new__(papers.Run)
    one, other = run_of("johnson", statistics="a"), run_of("bfs", statistics="b")
    assert run.verified(None, [one, other]) is False
    assert run.verified(None, [one, other | {"statistics": "a"}]) is True


def test_experiments_run_and_are_told_by_the_cpu_where_there_is_no_gpu(run, tmp_path):
    run("generate", "grid", "g.gr", "--vertices", 400, "--undirected", "--quiet")
    done = subprocess.run([sys.executable, ROOT / "bench/sparse/papers", "--apsp", binary(), "--largest", "0", "--json",
                           "r.json", "g.gr", "missing.gr"], cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert "| g | 400 |" in done.stdout and done.stdout.count("| yes |") == 1, done.stdout + done.stderr
