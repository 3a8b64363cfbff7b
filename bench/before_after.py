#!/usr/bin/env python3
"""Compares the solves of two builds of apsp, an earlier and a later one, in turns:

  bench/before_after.py --before OLD/bin/apsp --after NEW/bin/apsp [--vertices LIST] [--rounds N]
      [--options "--quick --device cuda"]
  bench/before_after.py --before OLD/bin/apsp --after NEW/bin/apsp --solve GRAPH [--rounds N]

Every round runs `apsp bench` once with each build, the earlier one first in one round and last in the
next, so that a machine that slows down meets both alike. A row is one kind of solve: the median over
all rounds of (median time of the later build's samples / the earlier's), and the same of the best
samples. With --solve it is `apsp solve GRAPH` instead, for sizes of which `apsp bench` would take
minutes. Ends with 1 if a median ratio exceeds --bar (1.03)."""

import argparse
import json
import statistics
import subprocess
import sys


def name(row):
    kernel = row["kernel"]
    values = kernel["value_type"] + (" ≥ 0" if kernel["non_negative"] else "")
    if "depth" in row:
        return values, f"product, depth {row['depth']:,}", row["n"], "GPU"
    shape = row["shape"] + (", via" if row["via"] else "")
    return values, shape, row["vertices"], row.get("threads", "GPU")


def seconds(row):
    """Every sample of a row of `apsp bench`; a GPU's are of the device alone."""
    if "samples" in row:
        return [sample["seconds"] for sample in row["samples"]]
    return row["seconds"] if "seconds" in row else row["seconds_solve"]


def output(words):
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def solve(program, graph):
    printed = output([program, "solve", graph, "--json", "--quiet"])
    report = printed["report"]
    row = report["value_type"], "solve", printed["graph"]["vertices"], report["threads"]
    return {row: [report["seconds_solve"]]}


def run(program, options):
    if options.solve:
        return solve(program, options.solve)
    printed = output([program, "bench", "--json", "--quiet", "--vertices", options.vertices,
                      *options.options.split()])
    figures = printed.get("benchmark") or printed["device_benchmark"]
    if not figures["correct"]:
        sys.exit(f"{program}: a result of apsp bench was wrong")
    rows = figures["solves"] + (figures["products"] if "device_benchmark" in printed else [])
    return {name(row): seconds(row) for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", required=True)
    parser.add_argument("--vertices", default="256,512,1024,2048")
    parser.add_argument("--solve", metavar="GRAPH")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--options", default="--quick")
    parser.add_argument("--bar", type=float, default=1.03)
    options = parser.parse_args()

    medians, bests, after_medians = {}, {}, {}
    for turn in range(options.rounds):
        order = ["before", "after"] if turn % 2 == 0 else ["after", "before"]
        samples = {which: run(getattr(options, which), options) for which in order}
        for row in samples["after"].keys() & samples["before"].keys():
            after, before = samples["after"][row], samples["before"][row]
            medians.setdefault(row, []).append(statistics.median(after) / statistics.median(before))
            bests.setdefault(row, []).append(min(after) / min(before))
            after_medians.setdefault(row, []).append(statistics.median(after))

    print("| values | matrix | n | threads | later, ms | medians | best |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    slower = 0
    for row in sorted(medians, key=lambda row: (row[2], str(row[3]), row[0], row[1])):
        ratio = statistics.median(medians[row])
        slower += ratio > options.bar
        print("| {} | {} | {:,} | {} ".format(*row) +
              f"| {1000 * statistics.median(after_medians[row]):.2f} | {ratio:.2f} "
              f"| {statistics.median(bests[row]):.2f} |")
    print(f"\n{slower} of {len(medians)} rows are slower than {options.bar} times the earlier build")
    return slower > 0


if __name__ == "__main__":
    sys.exit(main())
