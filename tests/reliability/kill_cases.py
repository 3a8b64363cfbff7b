"""The solves that kills.py kills: graphs, words, and with what they may be gone on."""

import dataclasses
import subprocess

from conftest import binary, environment

SMALL, DEEP = ["--tile", "64"], ["--tile", "128"]


def make_graphs(folder):
    """Of some hundred or thousand vertices: a solve takes tenths of a second on one thread."""
    for name, words in {
        "grid.gr": ["grid", "--vertices", "2500"],
        "roads.gr": ["grid", "--vertices", "1600", "--undirected", "--seed", "7"],
        "sparse.gr": ["rmat", "--vertices", "2048", "--edges", "7000"],
        "hops.gr": ["rmat", "--vertices", "2048", "--edges", "9000", "--weights", "1:1"],
        "random.gr": ["gnp", "--vertices", "900"],
        "few.gr": ["gnp", "--vertices", "400"],
        "mirror.gr": ["gnp", "--vertices", "700", "--undirected"],
    }.items():
        command = [binary(), "generate", words[0], name, *words[1:], "--quiet"]
        subprocess.run(command, cwd=folder, env=environment(), check=True)
    lines = (folder / "sparse.gr").read_text().splitlines()
    arcs = [line.split()[1:] for line in lines if line.startswith("a ")]
    real = "".join(f"{u} {v} {int(w) / 7}\n" for u, v, w in arcs[:4000])
    (folder / "real.txt").write_text("# directed\n" + real)
    (folder / "line.csv").write_text("0,1,1\n1,2,1\n")


@dataclasses.dataclass
class Case:
    name: str
    words: list  # of the solve, without -o
    output: str = "out.zarr"
    resumes: bool = False  # what a kill leaves can be gone on with
    job: bool = False  # by several processes
    checkpoints: bool = False
    alone: bool = True  # one process may go on with what several left
    devices: list = dataclasses.field(default_factory=lambda: ["cpu"])
    program: str = ""  # other than APSP_BIN
    options: list = dataclasses.field(default_factory=list)  # of jobs alone
    less_memory: bool = False  # than a matrix takes, so that it lies on the disk


def rows(name, graph, algorithm, *more, **fields):
    return Case(name, [graph, "--algorithm", algorithm, *more], resumes=True, **fields)


def cases_in(strict):
    nd, fw = "nested-dissection", "floyd-warshall"
    some = ["--sources", "random:900", "--targets", "random:500"]
    planes = ["--compress", "--predecessors"]
    cases = [
        rows("dissection", "grid.gr", nd, *SMALL),
        rows("dissection-planes", "grid.gr", nd, *SMALL, *planes),
        rows("dissection-some", "grid.gr", nd, *SMALL, *some),
        rows("dissection-real", "real.txt", nd, *SMALL, "--dtype", "f64"),
        rows("dissection-widest", "roads.gr", nd, *SMALL, "--semiring", "max-min"),
        rows("johnson", "sparse.gr", "johnson", *SMALL),
        rows("johnson-real", "real.txt", "johnson", *SMALL, "--dtype", "f32", *planes),
        rows("searches", "hops.gr", "bfs", *SMALL),
        rows("reachable", "sparse.gr", "bfs", *SMALL, "--semiring", "or-and"),
        rows("boundary", "roads.gr", "boundary", *SMALL),
        Case("matrix", ["random.gr", "--algorithm", fw, *SMALL]),
        Case("matrix-via", ["random.gr", "--algorithm", fw, *SMALL, "--via", "--hops"]),
        Case("matrix-npy", ["random.gr", "--algorithm", fw], "out.npy"),
        Case("rows-npy", ["grid.gr", "--algorithm", nd], "out.npy"),
        Case("factor", ["grid.gr", "--keep", "factor", *SMALL]),
        Case("within", ["grid.gr", "--within", "700"], "out.npz", devices=[]),
        Case("within-table", ["roads.gr", "--within", "300"], "out.csv", devices=[]),
        Case("disk", ["random.gr", "--algorithm", fw, *SMALL], resumes=True, less_memory=True),
        Case("disk-npy", ["random.gr", "--algorithm", fw, *SMALL], "out.npy", resumes=True, less_memory=True),
        Case("disk-real", ["real.txt", "--algorithm", fw, *SMALL, "--dtype", "f32"], resumes=True,
             less_memory=True),
    ]
    job, saved = {"job": True}, {"job": True, "checkpoints": True, "resumes": True}
    cases += [
        rows("job-dissection", "grid.gr", nd, *SMALL, **job),
        rows("job-dissection-planes", "roads.gr", nd, *SMALL, *planes, **job),
        rows("job-johnson", "sparse.gr", "johnson", *SMALL, **job),
        rows("job-searches", "hops.gr", "bfs", *DEEP, **job),
        Case("job-npy", ["grid.gr", "--algorithm", nd], "out.npy", **job),
        Case("job-matrix", ["random.gr", "--algorithm", fw, *SMALL], **job),
        Case("job-via", ["few.gr", "--algorithm", fw, *SMALL, "--via"], **job),
        Case("job-saved", ["random.gr", "--algorithm", fw, *SMALL, "--dtype", "f64"], **saved),
        Case("job-saved-npy", ["random.gr", "--algorithm", fw, *SMALL], "out.npy", **saved),
        Case("job-saved-mirror", ["mirror.gr", "--algorithm", fw, *SMALL], **saved),
        Case("job-saved-real", ["real.txt", "--algorithm", fw, *SMALL, "--dtype", "f32", "--sources",
                                "random:300"], alone=False, **saved),
    ]
    if strict:
        both = {"devices": ["cpu", "cuda"], "program": strict}
        cases += [
            rows("device-dissection", "roads.gr", nd, *SMALL, **both),
            Case("device-matrix", ["few.gr", "--algorithm", fw, *SMALL], **both),
            Case("device-disk", ["few.gr", "--algorithm", fw, "--tile", "128"], resumes=True, less_memory=True,
                 **both),
        ]
    for case in cases:
        # A job in which every step is saved, or what takes a tenth of a second.
        case.options = [["--checkpoint", "0"], ["--checkpoint", "0.002"]] if case.checkpoints else [[]]
    return cases
