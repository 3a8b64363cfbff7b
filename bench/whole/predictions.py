"""Whole processes on one machine, from file to statistics, beside what the plan predicted:

  python3 bench/whole/predictions.py APSP [--device cuda] [--at-most 1.3] GRAPH[=WORDS]...

A row for each GRAPH, solved with WORDS (such as '--algorithm johnson') besides: seconds of the
whole process by the clock, what they should have been (reading, which no plan knows, and the
prediction), their ratio, and the parts. The second of two runs counts: the first one measures rates
that are not cached. Exit 1 if a ratio, either way, is beyond --at-most."""

import argparse
import json
import shlex
import subprocess
import sys
import time

PARTS = ("seconds_prepare", "seconds_solve", "seconds_store")


def solved(apsp, graph, words):
    """Seconds of the process and what it has printed."""
    start = time.perf_counter()
    done = subprocess.run([apsp, "solve", graph, "--json", "--quiet", *words], capture_output=True,
                          check=False)
    if done.returncode != 0:
        raise SystemExit(f"{graph} {' '.join(words)}: {done.stderr.decode().strip()}")
    return time.perf_counter() - start, json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apsp")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--at-most", type=float, default=1.3)
    parser.add_argument("rows", nargs="+", metavar="GRAPH[=WORDS]")
    options = parser.parse_args()
    print("| graph | taken | seconds | predicted | ratio | read | prepare | solve | store |")
    print("|---|---|---|---|---|---|---|---|---|")
    beyond = 0
    for row in options.rows:
        graph, _, words = row.partition("=")
        words = ["--device", options.device, *shlex.split(words)]
        for _ in range(2):
            seconds, found = solved(options.apsp, graph, words)
        report = found["report"]
        predicted = found["seconds_read"] + found["plan"]["predicted"]["seconds"]
        ratio = seconds / predicted
        beyond += max(ratio, 1 / ratio) > options.at_most
        parts = [found["seconds_read"], *(report.get(part, 0) for part in PARTS)]
        name = graph.rsplit("/", 1)[-1]
        taken = f"{report['algorithm']} on {found['plan']['device']}"
        print(f"| {name} | {taken} | {seconds:.2f} | {predicted:.2f} | {ratio:.2f} | "
              + " | ".join(f"{part:.2f}" for part in parts) + " |", flush=True)
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
