#!/usr/bin/env python3
"""Compares two builds of apsp, an earlier and a later one, in turns:

  bench/before_after.py --before OLD/bin/apsp --after NEW/bin/apsp [--vertices LIST] [--rounds N]
      [--options "--quick --device cuda"]
  bench/before_after.py --before OLD/bin/apsp --after NEW/bin/apsp --run "solve roads.gr" [--run …]

Every round runs each build once, the earlier one first in one round and last in the next, so that a
machine that slows down affects both alike.

Without --run, a round runs `apsp bench`. A row is one kind of solve: the median over all rounds of
(median time of the later build's samples / the earlier's), and the same of the best samples.

With --run, a round runs the program with these words, in an empty folder. A row is one of them: the
medians of both builds' seconds, CPU seconds and peak resident memory, and the median of the ratios of
each round. Ends with 1 if a median ratio exceeds --bar (1.03)."""

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from harness import answer, kernel, matrix_of


def name(row):
    if "depth" in row:
        return kernel(row), f"product, depth {row['depth']:,}", row["n"], "GPU"
    return kernel(row), matrix_of(row), row["vertices"], row.get("threads", "GPU")


def run(program, options):
    """Every sample of each row of `apsp bench`; a GPU's are on the device only."""
    printed = answer(program, "bench", "--json", "--quiet", "--vertices", options.vertices, *options.options.split())
    figures = printed.get("benchmark") or printed["device_benchmark"]
    if not figures["correct"]:
        sys.exit(f"{program}: a result of apsp bench was wrong")
    rows = figures["solves"] + (figures["products"] if "device_benchmark" in printed else [])
    return {name(row): row.get("seconds_solve") or row["seconds"] for row in rows}


def process(program, words):
    """Seconds, CPU seconds and peak resident MiB of one run of the program, whatever it prints."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        child = subprocess.Popen([program, *shlex.split(words)], cwd=folder, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
    if status:
        sys.exit(f"{program} {words}: ended with status {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def in_turns(options, measure):
    """What both builds gave in every round: (earlier, later) pairs."""
    for turn in range(options.rounds):
        order = ["before", "after"] if turn % 2 == 0 else ["after", "before"]
        measured = {which: measure(getattr(options, which)) for which in order}
        yield measured["before"], measured["after"]


def compare_processes(options):
    print("| words | seconds before | after | ratio | CPU seconds before | after | ratio "
          "| MiB before | after | ratio |\n|---|" + "---:|" * 9)
    slower = 0
    for words in options.run:
        rounds = list(in_turns(options, lambda program: process(program, words)))
        cells = []
        for before, after in zip(*(zip(*side) for side in zip(*rounds))):
            ratio = statistics.median(new / old for old, new in zip(before, after))
            slower += ratio > options.bar
            cells.append(f"{statistics.median(before):.3f} | {statistics.median(after):.3f} | {ratio:.3f}")
        print(f"| `{words}` | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{slower} of {3 * len(options.run)} figures are more than {options.bar} times the earlier build's")
    return slower > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", required=True)
    parser.add_argument("--vertices", default="256,512,1024,2048")
    parser.add_argument("--run", metavar="WORDS", action="append")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--options", default="--quick")
    parser.add_argument("--bar", type=float, default=1.03)
    options = parser.parse_args()
    options.before, options.after = os.path.abspath(options.before), os.path.abspath(options.after)
    if options.run:
        return compare_processes(options)

    medians, bests, after_medians = {}, {}, {}
    for earlier, later in in_turns(options, lambda program: run(program, options)):
        for row in later.keys() & earlier.keys():
            after, before = later[row], earlier[row]
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
