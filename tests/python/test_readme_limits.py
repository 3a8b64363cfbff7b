"""The limits of README.md: what is asked without the limit works, and with it is refused."""

import re

import pytest

from conftest import ROOT

MATRIX_ON_DISK = ["solve", "m.npy", "-o", "out.zarr", "--memory", "40MiB"]


def generated(run):
    run("generate", "grid", "g.gr", "--vertices", 100, "--weights", "1:9", "--undirected")
    run("generate", "gnp", "signs.gr", "--vertices", 60, "--probability", "0.2", "--weights", "0:1",
        "--real", "--negative")
    run("generate", "dense", "m.npy", "--vertices", 1500, "--weights", "1:9")
    run("generate", "dense", "m_signs.npy", "--vertices", 1500, "--weights", "0:1", "--real", "--negative")


# Of each limit: a word of its line, then pairs of calls, of which the second is refused with the code.
LIMITS = {
    "2^53": [(["solve", "g.gr"], ["solve", "long.gr", "--dtype", "i32"], 5),
             (["solve", "long.gr", "--dtype", "f64"], ["solve", "long.gr"], 5)],
    "`betweenness`": [
        (["nearest", "g.gr", "--to", "1,2"], ["nearest", "signs.gr", "--to", "1,2"], 2),
        (["access", "g.gr", "--within", "5", "--weights", "jobs.csv"],
         ["access", "signs.gr", "--within", "5", "--weights", "jobs.csv"], 2),
        (["solve", "g.gr", "--within", "5", "-o", "near.npz"],
         ["solve", "signs.gr", "--within", "5", "-o", "near.npz"], 2),
        (["betweenness", "g.gr"], ["betweenness", "signs.gr"], 2)],
    "stored factor": [(["solve", "signs.gr", "-o", "all.zarr"],
                       ["solve", "signs.gr", "-o", "factor.zarr", "--keep", "factor"], 2)],
    "matrix on the disk is": [(MATRIX_ON_DISK, [*MATRIX_ON_DISK, "--via", "--overwrite"], 5),
                    (["closure", "g.gr"], ["closure", "m.npy", "-o", "c.zarr", "--memory", "8MiB"], 5),
                    (["solve", "g.gr", "-o", "a.zarr"],
                     ["solve", "m_signs.npy", "-o", "signs.zarr", "--memory", "40MiB"], 5)],
}


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_is_the_programs(limit, run, tmp_path):
    lines = re.split(r"^- ", (ROOT / "README.md").read_text().split("## Limits")[1], flags=re.M)
    assert sum(limit in line for line in lines) == 1
    generated(run)
    (tmp_path / "jobs.csv").write_text("vertex,jobs\n1,5\n")
    (tmp_path / "long.gr").write_text(f"p sp 3 2\na 1 2 {2**52}\na 2 3 {2**52 + 1}\n")
    for works, refused, code in LIMITS[limit]:
        run(*works, "--quiet")
        run(*refused, "--quiet", code=code)

