"""Solves of every kind that are killed at random moments and gone on with, compared with unkilled ones.

    python tests/reliability/kills.py [--kills 1000] [--seconds S] [--seed N] [--only WORD] [--strict PROGRAM]

Draws an engine, an output, a number of processes and threads, and a moment. Kills one process, some or
all of them, at times with their launcher; at times loses a part of what lies on the disk, as a power
cut does. Goes on with other threads, processes, grids or devices until the solve is done.

After each kill the output is the old result or the new one, whole. At the end its bytes are those of a
solve that was not killed, and no file is left besides. The rows that a kill costs are those of the
bands that were being filled, one a thread; the time that it costs a job with checkpoints is at
most the interval and the time of writing one. Fails, with the seed and the words, where that is not so.

APSP_BIN names the program. --strict names one that takes strict devices for GPUs (a build without CUDA
has it: bin/apsp_on_strict_devices)."""

import argparse
import collections
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from kill_cases import cases_in, make_graphs
from kill_trial import Trial


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000, help="ends when so many were killed")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="ends after this time too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose name has this word")
    parser.add_argument("--strict", help="a program that takes strict devices for GPUs")
    parser.add_argument("--folder", help="where the files lie; a folder in memory (/dev/shm) makes kills denser")
    parser.add_argument("--verbose", action="store_true", help="a line for each result")
    options = parser.parse_args()
    strict = options.strict and str(pathlib.Path(options.strict).resolve())
    began, counts, failures = time.monotonic(), collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="apsp-kills-", dir=options.folder) as name:
        folder = pathlib.Path(name)
        make_graphs(folder)
        cases = [case for case in cases_in(strict) if options.only in case.name]
        random.seed(options.seed)
        random.shuffle(cases)
        trials, number = {}, 0
        while counts["kills"] < options.kills and time.monotonic() - began < options.seconds:
            case = cases[number % len(cases)]
            seed = options.seed * 1_000_003 + number
            number += 1
            if case.name not in trials:
                trials[case.name] = Trial(case, folder)
            random.seed(seed)
            wrong = trials[case.name].run(counts)
            if wrong:
                failures.append(f"{case.name}, seed {seed}: {wrong}")
                print(f"WRONG {failures[-1]}", file=sys.stderr, flush=True)
            if sys.stderr.isatty():
                print(f"\r{counts['kills']} kills", end="", file=sys.stderr)
            elif options.verbose:
                print(f"{time.monotonic() - began:.1f} s, {counts['kills']} kills, {case.name}", file=sys.stderr)
    took = time.monotonic() - began
    print(f"{number - len(failures)} of {number} results are the same, bit for bit: {counts['kills']} kills in "
          f"{took:.0f} s")
    for key in sorted(set(counts) - {"kills"}):
        print(f"  {key}: {counts[key]}")
    return 1 if failures or number == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
