"""bench/papers_report.py on invented figures: rows of docs/papers.md take them, and what is wrong is refused."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench" / "papers_report.py"


def kernel(value, name, milliseconds, n=1000, equal=True):
    return {"value_type": value, "name": name, "vertices": n, "seconds": [1e-3 * milliseconds],
            "seconds_phases": [], "equal": equal}


def report(tmp_path, rows, page=None):
    (tmp_path / "baselines.json").write_text(json.dumps({"baselines": rows}))
    if page is None:
        page = (ROOT / "docs" / "papers.md").read_text()
    (tmp_path / "papers.md").write_text(page)
    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, "--machine", "one GPU", "--date", "2001-02-03", "--page",
         tmp_path / "papers.md", "--results", tmp_path / "results.md"], capture_output=True, text=True)
    return done, (tmp_path / "papers.md").read_text()


def test_rows_take_what_was_measured(tmp_path):
    before = (ROOT / "docs" / "papers.md").read_text()
    done, after = report(tmp_path, [kernel("i32", "plain", 4), kernel("i32", "arithmetic", 5)])
    assert done.returncode == 0, done.stderr
    changed = [line for line in after.splitlines() if line not in before.splitlines()]
    assert len(changed) == 1
    assert changed[0].startswith("| discussion: branches")
    assert changed[0].endswith("| n = 1,000, i32: plain 4.00 ms; arithmetic 5.00 ms | "
                               "[one GPU](../bench/results/papers-gpu.md), 2001-02-03 |")
    assert "| i32 | arithmetic | 1,000 | 5.00 ms |" in (tmp_path / "results.md").read_text()


def test_sections_that_were_not_measured_stay(tmp_path):
    results = tmp_path / "results.md"
    results.write_text("# Page\n\n## Kernels\n\nOld figures.\n\n## Directives\n\nThese stay.\n")
    done, _ = report(tmp_path, [kernel("i32", "plain", 4), kernel("i32", "arithmetic", 5)])
    assert done.returncode == 0, done.stderr
    text = results.read_text()
    assert "Old figures" not in text and "## Directives\n\nThese stay." in text
    assert "## Kernels\n\nMachine: one GPU. Date: 2001-02-03." in text


def test_a_result_that_differs_is_refused(tmp_path):
    done, after = report(tmp_path, [kernel("i32", "plain", 4, equal=False)])
    assert done.returncode == 1
    assert "results differ" in done.stderr
    assert after == (ROOT / "docs" / "papers.md").read_text()


def test_a_row_that_is_not_on_the_page_is_refused(tmp_path):
    rows = [kernel("i32", "plain", 4), kernel("i32", "arithmetic", 5)]
    done, _ = report(tmp_path, rows, page="# Papers\n\n## Lee\n\n| what |\n")
    assert done.returncode == 1
    assert "Lee has no row 'discussion: branches'" in done.stderr
