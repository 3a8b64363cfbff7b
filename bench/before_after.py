#!/usr/bin/env python3
"""Compares two builds of apsp, an earlier and a later one, in turns:

  bench/before_after.py --before OLD/bin/apsp --after NEW/bin/apsp --run "solve roads.gr" [--run …] [--rounds N]

Every round runs each build once, the earlier one first in one round and last in the next, so that a
machine that slows down affects both alike. A round runs the program with these words, in an empty
folder. A row is one of them: the medians of both builds' seconds, CPU seconds and peak resident
memory, and the median of the ratios of each round. Ends with 1 if a median ratio exceeds --bar."""

import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from harness import asked


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


def main():
    options = asked(__doc__, before=os.path.abspath, after=os.path.abspath, run=[str], rounds=4, bar=1.03)
    if not options.run:
        sys.exit("name commands with --run WORDS")
    print("| words | seconds before | after | ratio | CPU seconds before | after | ratio "
          "| MiB before | after | ratio |\n|---|" + "---:|" * 9)
    slower = 0
    for words in options.run:
        rounds = []
        for turn in range(options.rounds):
            order = ["before", "after"] if turn % 2 == 0 else ["after", "before"]
            measured = {which: process(getattr(options, which), words) for which in order}
            rounds.append((measured["before"], measured["after"]))
        cells = []
        for before, after in zip(*(zip(*side) for side in zip(*rounds))):
            ratio = statistics.median(new / old for old, new in zip(before, after))
            slower += ratio > options.bar
            cells.append(f"{statistics.median(before):.3f} | {statistics.median(after):.3f} | {ratio:.3f}")
        print(f"| `{words}` | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{slower} of {3 * len(options.run)} figures are more than {options.bar} times the earlier build's")
    return slower > 0


if __name__ == "__main__":
    sys.exit(main())
