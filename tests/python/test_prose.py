"""scripts/check-prose on an invented folder: it finds hard sentences with their lines, and passes over code."""

import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

PLAIN = """# A page

One fact: it is short.

| a; b | c |
|---|---|

```
a; b alone
```

    c; d alone

`e; f alone` is code. There is no error. This stands for that. Is there a question? What is it?
"""
LONG = " ".join(["word"] * 31) + "."


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "README.md").write_text(PLAIN)
    shutil.copy(ROOT / "scripts" / "check-prose", tmp_path / "scripts")
    return tmp_path


def check(folder, *words):
    done = subprocess.run([sys.executable, folder / "scripts" / "check-prose", "--folder", folder, *words],
                          capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout


def test_plain_pages_pass(folder):
    assert check(folder) == (0, "")


@pytest.mark.parametrize("text, found", [
    (LONG, "docs/page.md:16: more than 30 words (31 words)"), ("One; two.", "docs/page.md:16: a semicolon"),
    ("It holds\ndistances alone.", "docs/page.md:17: odd"), ("| x | 5 unless given |", "docs/page.md:16: odd"),
    ("Short. Of it, one.", "docs/page.md:16: odd"), ("- What is kept rests there.", "docs/page.md:16: odd")])
def test_hard_sentences_are_found_with_their_lines(folder, text, found):
    (folder / "docs" / "page.md").write_text(PLAIN + "\n" + text + "\n")
    code, out = check(folder)
    assert code == 1 and found in out and "README" not in out


def test_limits_fall_and_never_rise(folder):
    script = folder / "scripts" / "check-prose"
    head, rest = script.read_text().split("LIMITS = {", 1)
    comment, rest = rest.split("\n", 1)
    limits = '    "docs/page.md": (3, 1, 0),\n    "docs/gone.md": (0, 2, 0),\n'
    script.write_text(head + "LIMITS = {" + comment + "\n" + limits + rest[rest.index("}\n"):])
    (folder / "docs" / "page.md").write_text(LONG + " One; two. Three; four.\n")
    assert check(folder, "--lower")[0] == 1
    assert '{' + comment + '\n    "docs/page.md": (1, 1, 0),\n    "docs/gone.md": (0, 2, 0),\n}' in script.read_text()
    (folder / "docs" / "page.md").write_text("One; two.\n")
    assert check(folder, "--lower")[0] == 0 and '"docs/page.md": (0, 1, 0),' in script.read_text()
