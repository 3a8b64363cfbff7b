"""Whole processes on one machine, from file to statistics, beside what the plan predicted:

  python3 bench/whole/predictions.py APSP [--device cuda] [--at-most 1.3] [--runs 2] GRAPH[=WORDS]...

A row for each GRAPH, solved with WORDS (such as '--algorithm johnson') besides: seconds of the
whole process by the clock, what they should have been (reading, which no plan knows, the
prediction, and what a driver takes to end), their ratio, and the parts: of `solve` the predicted
part and what passed on the GPU, and the time from the answer until the process had ended. The last
of --runs counts: the first one measures rates that are not cached. A row that fails is told and
skipped. Exit 1 if one failed, or a ratio, either way, is beyond --at-most."""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import asked  # noqa: E402

LIMIT = 120  # s


def solved(apsp, graph, words):
    """Seconds of the process, of its end after the answer, and what it has printed."""
    start = time.perf_counter()
    with subprocess.Popen(["timeout", str(LIMIT), apsp, "solve", graph, "--json", "--quiet", *words],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        answer, answered = b"", start
        while piece := os.read(process.stdout.fileno(), 1 << 20):
            answer, answered = answer + piece, time.perf_counter()
        error = process.stderr.read().decode().strip()
    ended = time.perf_counter()
    if process.returncode != 0:
        raise ValueError(f"exit {process.returncode}: {error}")
    return ended - start, ended - answered, json.loads(answer)


def row(apsp, graph, words, runs):
    """The row's cells, and the ratio."""
    for _ in range(runs):
        seconds, end, found = solved(apsp, graph, words)
    report, plan = found["report"], found["plan"]
    predicted = plan["predicted"]
    expected = found["seconds_read"] + predicted["seconds"] + predicted.get("end", 0)
    there = (report.get("on_device") or {}).get("seconds", 0)
    parts = [found["seconds_read"], report["seconds_prepare"], report["seconds_solve"],
             predicted["solve"] + predicted["statistics"], there, end]
    cells = [graph.rsplit("/", 1)[-1], f"{report['algorithm']} on {plan['device']}",
             *(f"{value:.2f}" for value in (seconds, expected, seconds / expected)),
             *(f"{part:.3f}" for part in parts)]
    return cells, seconds / expected


def main():
    options = asked(__doc__, "apsp", "rows+", device="auto", at_most=1.3, runs=2)
    print("| graph | taken | seconds | predicted | ratio | read | prepare | solve | of it predicted "
          "| on the GPU | end |")
    print("|---|---" + "|---:" * 9 + "|")
    beyond = 0
    for row_words in options.rows:
        graph, _, words = row_words.partition("=")
        try:
            cells, ratio = row(options.apsp, graph, ["--device", options.device, *shlex.split(words)],
                               options.runs)
        except (ValueError, KeyError, OSError) as error:
            print(f"{row_words}: {error}", file=sys.stderr, flush=True)
            beyond += 1
            continue
        beyond += max(ratio, 1 / ratio) > options.at_most
        print("| " + " | ".join(cells) + " |", flush=True)
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
