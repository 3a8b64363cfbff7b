"""README.md, docs/*.md and docs/verbs/*.md: every command shown runs in a copy of examples/region, and prints what is shown."""

import re
import shutil
import subprocess

import numpy
import pytest

from conftest import NEGATIVE_CYCLE, ROOT, binary, environment

# docs/roads.md has its own test, with the roads of a country; docs/options.md is compared with the program's help.
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/verbs").glob("*.md"))]
         if page.name not in ("roads.md", "options.md")]
REGION = ROOT / "examples/region"

# Lines of an answer that depend on the machine.
OF_MACHINE = re.compile(r"thread|GPU|predicted|[0-9] ([nµm]?s|min|[KMGT]?i?B)\b|/s\b|/edge|^ *(tile|rows|times use) |…$")

# What is not run here, and why. Of these lines too, every option is one of the verb.
LEFT_OUT = {
    r"^mpirun ": "several processes (test_mpi.py)",
    r"--device cuda|--device [^ ]*cuda": "a GPU (test_cuda.py)",
    r"\.osm\.pbf": "reads an extract (test_osm.py, test_roads.py)",
    r"^apsp bench": "takes a minute (test_bench.py)",
    r"^(sudo|make|pip|cc|cmake) ": "installs or compiles (tests/consumer, tests/python_package)",
    r"\bGRAPH\b": "GRAPH is to be replaced",
    r"~/": "writes to the home folder (test_cli_manners.py)",
}


class Command:
    def __init__(self, page, number, words):
        self.place, self.words = f"{page.relative_to(ROOT)}:{number}", words
        self.answer = []

    def reason_to_leave_out(self):
        if any("interrupted" in line for line in self.answer):
            return "is interrupted by hand (test_resume.py)"
        return next((why for pattern, why in LEFT_OUT.items() if re.search(pattern, self.words)), None)

    def failure(self):
        """The message of a command that is shown to fail, or None."""
        return next((line for line in self.answer if line.startswith("apsp: ")), None)


def commands_of(page):
    """The commands of blocks that are indented or marked as `sh`: behind `$ `, or a line that begins as one."""
    found, fence, answered = [], None, False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            fence = line[3:] if fence is None else None
            continue
        if fence not in (None, "sh") or (fence is None and not line.startswith("    ")):
            answered = answered or (fence is None and line != "")
            continue
        text = line[4:] if fence is None else line
        match = re.match(r"\$ (.+)", text) or \
            re.match(r"((?:(?:mpirun|cat|echo|source) .*)?apsp [a-z]+\b.*|(?:sudo|make|pip|cc) .*)", text)
        if match:
            answered = not text.startswith("$ ")
            # An explanation stands behind three blanks.
            found.append(Command(page, number, re.split(r" {3,}", match[1])[0]))
        elif found and not answered:
            found[-1].answer.append(text)
    return found


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    """The network of the manual, its results, and what few pages read."""
    folder = tmp_path_factory.mktemp("inputs")
    for path in REGION.iterdir():
        shutil.copyfile(path, folder / path.name)
    (folder / "debts.gr").write_text(NEGATIVE_CYCLE.replace("p sp 4 4", "p sp 3 3").replace("a 3 4 7\n", ""))
    numpy.save(folder / "dense.npy", numpy.random.default_rng(1).integers(1, 99, (64, 64)).astype(numpy.int32))
    for words in (["solve", "roads.csv", "-o", "roads.zarr", "--keep", "factor"], ["solve", "roads.csv", "-o", "roads.npy"],
                  ["convert", "roads.csv", "roads.gr"]):
        subprocess.run([binary(), *words, "--quiet"], cwd=folder, env=environment(), check=True, stdout=subprocess.DEVNULL)
    return folder


def lay_out(stand_ins, folder):
    """The inputs are those of every command; a result is that of the command before, if there was one."""
    for path in stand_ins.iterdir():
        if path.is_file():
            shutil.copyfile(path, folder / path.name)
        elif not (folder / path.name).exists():
            shutil.copytree(path, folder / path.name)


def unknown_options(command):
    """Options of an `apsp` command that its verb's help does not name."""
    match = re.search(r"apsp ([a-z]+)", command.words)
    if not match:
        return []
    help_ = subprocess.run([binary(), match[1], "--help"], env=environment(), capture_output=True, text=True, check=True)
    words = command.words[match.end():].split("|")[0].split("#")[0]
    return [option for option in re.findall(r"(?<=\s)--[a-z][a-z-]*", words) if option not in help_.stdout]


def lines_amiss(command, done):
    """The first line of the answer shown that the command does not print, or None."""
    printed = {" ".join(line.split()) for line in (done.stdout + done.stderr).splitlines()}
    shown = (" ".join(line.split()) for line in command.answer if not OF_MACHINE.search(line))
    return next((f"does not print: {line}" for line in shown if line and line not in printed), None)


def fault_of(command, folder, env):
    """What is wrong with a command, or None."""
    unknown = unknown_options(command)
    if unknown:
        return f"its verb has no {', '.join(unknown)}"
    if command.reason_to_leave_out():
        return None
    done = subprocess.run(["bash", "-c", command.words], cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    wanted = command.failure()
    if wanted is None:
        return done.stderr.strip() or f"exit code {done.returncode}" if done.returncode != 0 else lines_amiss(command, done)
    if done.returncode == 0:
        return "is shown to fail, and does not"
    return None if wanted in done.stderr.splitlines() else f"says otherwise: {done.stderr.strip()}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_run(page, stand_ins, tmp_path):
    env = environment()
    env["PATH"] = binary().rpartition("/")[0] + ":" + env["PATH"]
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    faults = []
    for command in commands_of(page):
        lay_out(stand_ins, tmp_path)
        fault = fault_of(command, tmp_path, env)
        if fault:
            faults.append(f"{command.place}: {command.words}\n    {fault}")
    assert not faults, "\n" + "\n".join(faults)


def test_commands_are_found():
    found = [command for page in PAGES for command in commands_of(page)]
    run = [command for command in found if not command.reason_to_leave_out()]
    assert len(run) >= 45 and len(found) > len(run)


def test_a_command_that_fails_is_named(stand_ins, tmp_path):
    page = ROOT / "docs" / "cli.md"
    lay_out(stand_ins, tmp_path)
    env = environment()
    env["PATH"] = binary().rpartition("/")[0] + ":" + env["PATH"]
    assert "no-such.gr" in fault_of(Command(page, 1, "apsp info no-such.gr"), tmp_path, env)
    assert "--colour-of-roads" in fault_of(Command(page, 2, "apsp bench --colour-of-roads"), tmp_path, env)
    shown = Command(page, 3, "apsp path roads.zarr Aachen Colonge")
    shown.answer = ["apsp: all is well"]
    assert "says otherwise" in fault_of(shown, tmp_path, env)
    shown = Command(page, 4, "apsp distance roads.zarr Aachen Dortmund")
    shown.answer = ["136"]
    assert "does not print: 136" in fault_of(shown, tmp_path, env)
    shown.answer = ["135"]
    assert fault_of(shown, tmp_path, env) is None
