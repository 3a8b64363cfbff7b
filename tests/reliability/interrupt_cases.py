"""The commands and the calls of the Python package that interrupts.py interrupts, and what they read."""

import dataclasses
import random
import subprocess
import sys

from conftest import binary, environment

MILLION = 1_000_000
INTERRUPTED = 8
KEYBOARD_INTERRUPT = -2  # how Python ends by SIGINT
LAST = "90000"  # a vertex of every graph, the small ones too

# Of each file: kind and vertices of `apsp generate`, and further words.
GRAPHS = {
    "grid.gr": ["grid", MILLION],
    "roads.gr": ["roads", MILLION],
    "geometric.mtx": ["geometric", MILLION],
    "tangled.gr": ["rmat", MILLION],
    "star.gr": ["star", 3 * MILLION],
    "path.gr": ["path", 3 * MILLION],
    "hops.txt": ["geometric", MILLION, "--weights", "1:1", "--undirected"],
    "signed.gr": ["grid", MILLION, "--negative"],
    "dense.npy": ["dense", 6000],
    "long.gr": ["grid", MILLION // 10],
}
# The results that some commands open, and the commands that make them.
RESULTS = {
    "grid.zarr": ["solve", "grid.gr", "--keep", "factor", "--no-statistics"],
    "roads.zarr": ["solve", "roads.gr", "--keep", "factor", "--no-statistics"],
    "dense.zarr": ["solve", "dense.npy"],
}
LISTS = {
    "places.txt": lambda draw: (f"{1 + v}\n" for v in range(0, 90_000, 90)),
    "jobs.csv": lambda draw: ["vertex,jobs\n", *(f"{v},{draw(100)}\n" for v in range(90_000))],
    "trips.csv": lambda draw: ["from,to,cars\n", *(f"{draw(90_000)},{draw(90_000)},1\n" for _ in range(5000))],
    "pairs.csv": lambda draw: ["from,to\n", *(f"{draw(90_000)},{draw(90_000)}\n" for _ in range(5000))],
    "changes.csv": lambda draw: (f"{1 + v},{2 + v},{1 + draw(50)}\n" for v in range(0, 900, 7)),
    "named.csv": lambda draw: ["from,to,weight\n", *(f"town {draw(500_000)},town {draw(500_000)},{draw(9)}\n"
                                                     for _ in range(MILLION))],
}


@dataclasses.dataclass
class Case:
    name: str
    command: list
    inputs: list
    output: str = ""
    changes: str = ""  # an input that the command changes in place
    code: int = INTERRUPTED
    message: str = "interrupted"


def sizes(words, small):
    """The words of `apsp generate` behind OUT."""
    kind, vertices, *more = words
    share = 3 if kind == "dense" else 10
    return ["--vertices", str(vertices // share if small and vertices > MILLION // 10 or kind == "dense" and small
                              else vertices), *more]


def command(name, *words, output="", **fields):
    inputs = [word.lstrip("@") for word in words if word.lstrip("@") in {**GRAPHS, **RESULTS, **LISTS}]
    more = ["-o", output] if output else []
    return Case(name, [binary(), *words, *more], inputs, output, **fields)


def solves():
    some, rows = ["--sources", "random:300"], ["--algorithm", "nested-dissection"]
    return [
        *[command(f"solve-{graph.split('.')[0]}", "solve", graph) for graph in GRAPHS],
        command("solve-johnson", "solve", "tangled.gr", *some),
        command("solve-some", "solve", "roads.gr", *some, output="o.zarr"),
        command("solve-rows", "solve", "long.gr", *rows, output="o.zarr"),
        command("solve-verified", "solve", "dense.npy", "--verify", output="o.npy"),
        command("solve-compressed", "solve", "dense.npy", "--compress", "--predecessors", output="o.zarr"),
        command("solve-hops", "solve", "dense.npy", "--hops", output="o.zarr"),
        command("solve-disk", "solve", "dense.npy", "--memory", "100MiB", output="o.zarr"),
        command("solve-factor", "solve", "geometric.mtx", "--keep", "factor", output="o.zarr"),
        command("solve-within", "solve", "roads.gr", "--within", "100", output="o.npz"),
        command("solve-widest", "solve", "grid.gr", "--semiring", "max-min", *some),
        command("closure", "closure", "tangled.gr"),
        command("closure-dense", "closure", "dense.npy", output="o.zarr"),
    ]


def questions():
    return [
        command("info-tangled", "info", "tangled.gr"),
        command("info-names", "info", "named.csv"),
        command("plan-roads", "plan", "roads.gr"),
        command("plan-exact", "plan", "geometric.mtx", "--exact"),
        command("plan-tangled", "plan", "tangled.gr"),
        command("plan-signed", "plan", "signed.gr"),
        command("betweenness-path", "betweenness", "path.gr", "--sources", "random:10"),
        command("betweenness-tangled", "betweenness", "tangled.gr", "--sources", "random:10", output="o.csv"),
        command("betweenness-arcs", "betweenness", "roads.gr", "--arcs", "--sources", "random:50", output="o.csv"),
        command("eccentricity", "eccentricity", "roads.gr", "--all"),
        command("flow", "flow", "roads.gr", "--demand", "trips.csv", output="o.csv"),
        command("betweenness-within", "betweenness", "roads.gr", "--within", "100,300", output="o.csv"),
        command("distance-turns", "distance", "roads.gr", "--u-turns", "1", "--pairs", "pairs.csv", output="o.csv"),
        command("nearest", "nearest", "roads.gr", "--to", "@places.txt", "-k", "3", output="o.csv"),
        command("nearest-factor", "nearest", "roads.zarr", "--to", "@places.txt", output="o.parquet"),
        command("access", "access", "roads.gr", "--weights", "jobs.csv", "--within", "100,300", output="o.csv"),
        command("distance-graph", "distance", "grid.gr", "--pairs", "pairs.csv"),
        command("distance-pairs", "distance", "roads.zarr", "--pairs", "pairs.csv", output="o.csv"),
        command("distance-table", "distance", "grid.zarr", "--sources", "random:200", "--targets", "random:5000",
                output="o.parquet"),
        command("path-graph", "path", "grid.gr", "17", LAST),
        command("path-factor", "path", "roads.zarr", "17", LAST),
        command("stats", "stats", "dense.zarr"),
        command("stats-factor", "stats", "grid.zarr"),
        command("verify", "verify", "dense.zarr"),
        command("verify-factor", "verify", "roads.zarr"),
        command("report", "report", "dense.zarr", output="o.html"),
        command("report-factor", "report", "roads.zarr", output="o.html"),
    ]


def changes(small):
    return [
        command("update-changes", "update", "grid.zarr", "changes.csv", output="o.zarr"),
        command("update-in-place", "update", "roads.zarr", "changes.csv", changes="roads.zarr"),
        command("update-metric", "update", "grid.zarr", "--graph", "grid.gr", "--metric", "again", changes="grid.zarr"),
        command("update-matrix", "update", "dense.zarr", "changes.csv", output="o.zarr"),
        command("convert", "convert", "tangled.gr", "o.mtx.gz"),
        command("convert-names", "convert", "named.csv", "o.gr"),
        command("convert-graph", "convert", "star.gr", "o.mtx.zst"),
        command("convert-matrix", "convert", "dense.zarr", "o.npy"),
        *[command(f"generate-{graph.split('.')[0]}", "generate", words[0], f"o.{graph.split('.')[1]}",
                  *sizes(words, small)) for graph, words in GRAPHS.items()],
    ]


def strict_devices(program):
    cases = [
        command("device-sweeps", "solve", "long.gr", "--device", "cuda"),
        command("device-matrix", "solve", "dense.npy", "--device", "cuda"),
        command("device-searches", "solve", "tangled.gr", "--sources", "random:20", "--device", "cuda"),
        command("device-steps", "solve", "hops.txt", "--sources", "random:20", "--algorithm", "bfs", "--device", "cuda"),
        command("device-within", "solve", "roads.gr", "--within", "20", "--device", "cuda", output="o.npz"),
    ]
    return [dataclasses.replace(case, command=[program, *case.command[1:]]) for case in cases]


def calls():
    """Calls of the Python package."""
    def call(name, text, *inputs, **fields):
        return Case(name, [sys.executable, "-c", f"import apsp, random\n{text}"], list(inputs),
                    code=KEYBOARD_INTERRUPT, message="KeyboardInterrupt", **fields)

    def on(graph, text):
        return call(f"python-{text.split('(')[0].split('.')[-1]}-{graph.split('.')[0]}",
                    f"g = apsp.read('{graph}')\nsome = random.sample(range(1, 90_000), 300)\n{text}", graph)

    return [
        *[on(graph, "apsp.solve(g)") for graph in GRAPHS],
        on("tangled.gr", "apsp.betweenness(g, sources=some[:10])"),
        on("path.gr", "apsp.betweenness(g, sources=some[:10])"),
        on("roads.gr", "apsp.nearest(g, some, 3)"),
        on("roads.gr", "apsp.solve(g, keep='factor')"),
        call("python-open-factor", "apsp.open('grid.zarr').statistics", "grid.zarr"),
        call("python-verify", "apsp.open('dense.zarr').verify()", "dense.zarr"),
        call("python-generate", "apsp.generate('rmat', 1_000_000)"),
    ]


def cases_in(small, python, strict):
    return calls() if python else [*solves(), *questions(), *changes(small), *(strict_devices(strict) if strict else [])]


def make_inputs(folder, cases, small):
    """All inputs of the cases that are not there yet."""
    def run(*words):
        subprocess.run([binary(), *words, "--quiet"], cwd=folder, env=environment(), check=True,
                       stdout=subprocess.DEVNULL)

    wanted = {name for case in cases for name in case.inputs}
    for name in sorted(wanted & RESULTS.keys()):
        wanted.add(RESULTS[name][1])
    for name, words in GRAPHS.items():
        if name in wanted and not (folder / name).exists():
            run("generate", words[0], name, *sizes(words, small))
    for name, words in RESULTS.items():
        if name in wanted and not (folder / name).exists():
            run(*words, "-o", name)
    for name, lines in LISTS.items():
        if name in wanted and not (folder / name).exists():
            (folder / name).write_text("".join(lines(random.Random(name).randrange)))
