"""Every script of examples/python runs to its end, asserts what it shows, and is listed."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "examples" / "python").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script(script, tmp_path):
    done = subprocess.run([sys.executable, "-W", "error", script], cwd=tmp_path, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout and not done.stderr
    assert not list(tmp_path.iterdir()), "it leaves files behind"
    text = script.read_text()
    assert text.startswith('"""') and text.count("# %%") >= 4 and text.count("\nassert ") >= 1


@pytest.mark.parametrize("page, link", [("examples/README.md", r"\(python/(\w+)\.py\)"),
                                        ("docs/python.md", r"\(\.\./examples/python/(\w+)\.py\)")])
def test_every_script_is_listed(page, link):
    listed = re.findall(link, (ROOT / page).read_text())
    assert sorted(listed) == [script.stem for script in SCRIPTS] and len(SCRIPTS) >= 5
