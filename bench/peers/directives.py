#!/usr/bin/env python3
"""The k-loop with directives on a GPU (Schiff, §IV and Figure 4): OpenACC and OpenMP's target constructs.

    bench/peers/directives.py [--compiler g++] [--programs DIR] [--build-only] [--vertices N]... [--on-host]

Compiles bench/papers/directive_k_loop.cpp for GPUs of NVIDIA and runs it. The compiler is one of GCC with offloading: Debian
and Ubuntu have it as gcc-12-offload-nvptx. Where programs run on another machine than they were compiled on, carry DIR
and libgomp-plugin-nvptx.so.1 there. Results must be those of the same loop in NumPy. Exit 1 if a program finds no GPU,
unless --on-host is given, or if a result differs.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from harness import answer, asked  # noqa: E402

FLAVOURS = {"OpenACC": "-fopenacc", "OpenMP target": "-fopenmp"}


def program(folder, flavour):
    return folder / flavour.lower().replace(" ", "-")


def build(compiler, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for flavour, option in FLAVOURS.items():
        subprocess.run(
            [compiler, "-std=c++20", "-O3", "-no-pie", option, "-foffload=nvptx-none",
             "-foffload-options=nvptx-none=-misa=sm_80", "-fcf-protection=none", "-fno-stack-protector",
             f"-I{ROOT}/bench", f"{ROOT}/bench/papers/directive_k_loop.cpp", "-o", program(folder, flavour)],
            check=True)


def random_matrix(n):
    random = numpy.random.default_rng(n)
    matrix = random.integers(1, 1000, (n, n)).astype(float)
    numpy.fill_diagonal(matrix, 0)
    return matrix


def solved(matrix):
    distances = matrix.astype(numpy.float32)
    for k in range(len(distances)):
        numpy.minimum(distances, distances[:, k, None] + distances[None, k, :], out=distances)
    return distances


def run(folder, flavour, matrix, expected, work):
    given, found = work / "in", work / "out"
    matrix.tofile(given)
    n = len(matrix)
    told = answer(program(folder, flavour), "f32", given, found, n, 1, 4)
    equal = numpy.array_equal(numpy.fromfile(found).reshape(n, n), expected)
    return {"program": flavour, "vertices": n, "seconds": min(told["seconds"][1:]),
            "seconds_first": told["seconds"][0], "where": told["note"], "equal": equal}


def main():
    options = asked(__doc__, compiler="g++", programs=ROOT / "build" / "directives", build_only=False, vertices=[int], on_host=False)
    if options.build_only or not all(program(options.programs, f).exists() for f in FLAVOURS):
        build(options.compiler, options.programs)
    if options.build_only:
        return 0
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for n in options.vertices or [1000, 2000]:
            matrix = random_matrix(n)
            expected = solved(matrix)
            for flavour in FLAVOURS:
                rows.append(run(options.programs, flavour, matrix, expected, pathlib.Path(work)))
                print(json.dumps(rows[-1]), flush=True)
    right = all(row["equal"] and (options.on_host or row["where"].endswith("on a device")) for row in rows)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
