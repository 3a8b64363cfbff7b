"""README.md and docs/*.md: every command shown runs, on small graphs of the names that the pages use."""

import re
import shutil
import subprocess

import numpy
import pytest

from conftest import CITIES, NEGATIVE_CYCLE, ROOT, binary, environment

# docs/roads.md has its own test, with the roads of a country; docs/options.md is compared with the program's help.
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
         if page.name not in ("roads.md", "options.md")]
SIDE = 50  # of roads.gr, a grid whose vertices are 1 … 2500

# What is not run here, and why. Of these lines too, every option is one of the verb.
LEFT_OUT = {
    r"^mpirun ": "several processes (test_mpi.py)",
    r"--device cuda|--device [^ ]*cuda": "a GPU (test_cuda.py)",
    r"\.osm\.pbf": "reads an extract (test_osm.py, test_roads.py)",
    r"^apsp bench": "takes a minute (test_bench.py)",
    r"^(sudo|make|pip|cc|cmake) ": "installs or compiles (tests/consumer, tests/python_package)",
    r"\bGRAPH\b": "GRAPH is to be replaced",
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
    found, fence = [], None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            fence = line[3:] if fence is None else None
            continue
        if fence not in (None, "sh") or (fence is None and not line.startswith("    ")):
            continue
        text = line[4:] if fence is None else line
        match = re.match(r"\$ (.+)", text) or re.match(r"((?:mpirun .*)?apsp [a-z]+ .*|(?:sudo|make|pip|cc) .*)", text)
        if match:
            # An explanation stands behind three blanks. The graphs here have fewer vertices.
            found.append(Command(page, number, re.split(r" {3,}", match[1])[0].replace("random:20000", "random:200")))
        elif found:
            found[-1].answer.append(text)
    return found


def inputs(folder):
    """The files that the pages read: as small as they may be."""
    (folder / "cities.csv").write_text(CITIES)
    (folder / "debts.gr").write_text(NEGATIVE_CYCLE.replace("p sp 4 4", "p sp 3 3").replace("a 3 4 7\n", ""))
    arcs = []
    for v in range(SIDE * SIDE):
        if v % SIDE + 1 < SIDE:
            arcs.append((v + 1, v + 2, 5 + v % 7))
        if v + SIDE < SIDE * SIDE:
            arcs.append((v + 1, v + 1 + SIDE, 5 + v % 5))
    arcs += [(head, tail, weight) for tail, head, weight in arcs]
    rows = "".join(f"a {tail} {head} {weight}\n" for tail, head, weight in arcs)
    (folder / "roads.gr").write_text(f"p sp {SIDE * SIDE} {len(arcs)}\n{rows}")
    (folder / "roads.csv").write_text("".join(f"{tail},{head},{weight},{2 * weight}\n" for tail, head, weight in arcs))
    entries = "".join(f"{tail} {head} {weight}\n" for tail, head, weight in arcs)
    for name in ("usroads.mtx", "flights.mtx"):
        (folder / name).write_text("%%MatrixMarket matrix coordinate integer general\n"
                                   f"{SIDE * SIDE} {SIDE * SIDE} {len(arcs)}\n{entries}")
    for name in ("homes.txt", "shops.txt", "depots.txt", "hospitals.txt"):
        (folder / name).write_text("17\n2093\n1200\n")
    (folder / "homes.csv").write_text("name,lon,lat\nHill,0.051,0.032\n")
    (folder / "shops.geojson").write_text(
        '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "Mill"}, '
        '"geometry": {"type": "Point", "coordinates": [0.1, 0.113]}}]}')
    (folder / "at.csv").write_text("vertex,lon,lat\n" + "".join(
        f"{v + 1},{v % SIDE / 100},{v // SIDE / 100}\n" for v in range(SIDE * SIDE)))
    (folder / "jobs.csv").write_text("vertex,jobs\n17,60\n2093,70\n")
    (folder / "od.csv").write_text("from,to,cars,trucks\n17,2093,10,2\n")
    (folder / "bridges.csv").write_text("from,to\n17,18\n")
    (folder / "turns.csv").write_text("from,via,to,cost\n1,2,3,inf\n")
    (folder / "at.csv").write_text("name,lon,lat\n" + "".join(
        f"{v + 1},{v % SIDE / 100},{v // SIDE / 100}\n" for v in range(SIDE * SIDE)))
    numpy.save(folder / "trips.npy", numpy.array([[17, 2093], [5, 9]]))
    numpy.save(folder / "dense.npy", numpy.random.default_rng(1).integers(1, 99, (64, 64)).astype(numpy.int32))
    for name in ("peak.npy", "night.npy"):
        numpy.save(folder / name, numpy.arange(len(arcs)) % 50 + 1)


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    inputs(folder)
    subprocess.run([binary(), "solve", "roads.gr", "-o", "roads.zarr", "--keep", "factor", "--no-statistics", "--quiet"],
                   cwd=folder, env=environment(), check=True)
    subprocess.run([binary(), "solve", "cities.csv", "--undirected", "-o", "cities.zarr", "--quiet"],
                   cwd=folder, env=environment(), check=True, stdout=subprocess.DEVNULL)
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
        return done.stderr.strip() or f"exit code {done.returncode}" if done.returncode != 0 else None
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
    shown = Command(page, 3, "apsp path cities.zarr Aachen Colonge")
    shown.answer = ["apsp: all is well"]
    assert "says otherwise" in fault_of(shown, tmp_path, env)
