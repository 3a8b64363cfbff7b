#!/usr/bin/env python3
"""Describes a machine by its figures of sparse solves and the parts of such solves there.

    python3 bench/planner/describe.py --build build/sparse --output tests/machines/NAME-sparse.json

Measures the figures that the planner goes by (apsp plan --measure), then runs apsp_parts_bench on
graphs of several kinds. --machine: in words. src/rates/machines_test.cpp holds the models against what it writes.
"""

import datetime
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import answer, asked, run  # noqa: E402

GRAPHS = ["grid:10000:1", "grid:40000:1", "gnp:1500:9000", "gnp:4000:12000", "geo:10000:30000",
          "geo:30000:90000", "rmat:4000:16000", "rmat:10000:80000"]


def main():
    options = asked(__doc__, "graphs*", build=pathlib.Path, type="u16", threads=os.cpu_count(), machine=str, output=pathlib.Path)
    binaries = options.build / "bin"
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, APSP_CACHE_DIR=folder)
        for _ in range(2):  # the first one wakes the processor
            run(binaries / "apsp", "plan", "--measure", "--quiet", "--threads", options.threads, env=env)
        entries = json.loads((pathlib.Path(folder) / "rates.json").read_text())["entries"]
    kind = f"min-plus {options.type} non-negative full"
    figures = {entry["key"]["what"]: entry["figures"] for entry in entries
               if entry["key"].get("kind") == kind}
    measured = []
    for graph in options.graphs or GRAPHS:
        measured.append(answer(binaries / "apsp_parts_bench", graph, options.type, options.threads))
    day = datetime.date.today().isoformat()
    description = {
        "machine": options.machine,
        "source": f"bench/planner/describe.py, {day}: parts of solves, the best of up to three",
        "sparse": [{"kind": kind, "threads": options.threads,
                    "elimination": figures["elimination"], "search": figures["search"],
                    "measured": measured}]}
    options.output.write_text(json.dumps(description, indent=1) + "\n")


if __name__ == "__main__":
    main()
